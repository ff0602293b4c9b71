"""The events of NBA Deck-Building as immutable values: player actions and dice results (section 15)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ReadDie:
    """A die as the journal has it. Only a listed kind and a whole value are guaranteed; NBA-2.4 checks the rest."""

    kind: str
    value: int
    colour: object = None
    asked: bool = False


@dataclass(frozen=True, slots=True)
class Attack:
    """A logged attack. `tactic` is a card id or any other text (NBA-7.9)."""

    dice: tuple[ReadDie, ...]
    tactic: str | None = None


@dataclass(frozen=True, slots=True)
class Defend:
    dice: tuple[ReadDie, ...]
    tactic: str | None = None
    fatigue: int = 0


@dataclass(frozen=True, slots=True)
class Adjust:
    """The adjustment phase. `revealed` are the cards just laid on the track, oldest first."""

    revealed: tuple[str, ...] = ()
    tactics_replaced: int = 0


@dataclass(frozen=True, slots=True)
class Replace:
    """A substitution. `court` holds (position, card) for each position whose card changes."""

    court: tuple[tuple[str, str], ...]
    fatigue_removed: int = 0


@dataclass(frozen=True, slots=True)
class Prepare:
    tactics: tuple[str, ...] = ()
    discard: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BuyPlayer:
    """A purchase of a player. `source` is `market` (then `slot` is 1 to 6) or `mini`."""

    card: str
    paid: tuple[str, ...]
    source: str = "market"
    slot: int | None = None


@dataclass(frozen=True, slots=True)
class BuyTactic:
    card: str
    paid: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Activate:
    """The activation of a tactic. `dice` is the whole first roll."""

    tactic: str
    dice: tuple[ReadDie, ...]


@dataclass(frozen=True, slots=True)
class Reroll:
    """A reroll. `dice` are indices into the roll, `to` their new faces in the same order."""

    dice: tuple[int, ...]
    to: tuple[ReadDie, ...]


@dataclass(frozen=True, slots=True)
class Keep:
    """The dice to keep. `dice` are indices into the current roll."""

    dice: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class EndTurn:
    eliminated: tuple[str, ...] = ()
    market_empty: bool = False


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A mismatch. `side` attacks; `against` None is the other one of two sides."""

    side: str
    position: str
    attack: tuple[ReadDie, ...]
    defence: tuple[ReadDie, ...]
    against: str | None = None


@dataclass(frozen=True, slots=True)
class AiRecruit:
    """The cards offered to the solo opponent for recruitment."""

    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AiTactic:
    """The tactics offered to the solo opponent."""

    market: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Overtime:
    pass


@dataclass(frozen=True, slots=True)
class AcceptDraw:
    pass


@dataclass(frozen=True, slots=True)
class Award:
    """Points that a ruling gives a side in its match against another one; negative values are subtracted."""

    side: str
    against: str
    points: int


@dataclass(frozen=True, slots=True)
class Ruling:
    text: str
    points: tuple[Award, ...] = ()


@dataclass(frozen=True, slots=True)
class Concede:
    side: str


AnyEvent = (
    Attack
    | Defend
    | Adjust
    | Replace
    | Prepare
    | BuyPlayer
    | BuyTactic
    | Activate
    | Reroll
    | Keep
    | EndTurn
    | Mismatch
    | AiRecruit
    | AiTactic
    | Overtime
    | AcceptDraw
    | Ruling
    | Concede
)
"""An event whose fields have the form that section 15 requires."""
