"""FootClub's events as immutable values: player actions and dice results (19.2). The forms in `rulebook` make them."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.footclub.tables import Section, Side


@dataclass(frozen=True, slots=True)
class CardReference:
    """How a card with a ribbon was named: `number`, the whole `ribbon`, or the `section` under the ball's colour.

    Exactly one of the three is set; none if the ribbon or section is malformed (FC-1.8).
    """

    number: int | None = None
    ribbon: tuple[Section, ...] | None = None
    section: Section | None = None


@dataclass(frozen=True, slots=True)
class MarketStaff:
    side: Side
    coach: str
    goalkeeper: str


@dataclass(frozen=True, slots=True)
class MarketOpen:
    first: Side
    pairs: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class MarketPick:
    side: Side
    revealed: tuple[str, str]
    take: str
    pair: tuple[str, str]
    next_pair: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class MarketTransfer:
    side: Side
    offered: tuple[str, ...]
    take: tuple[str, str]


@dataclass(frozen=True, slots=True)
class TeamSheet:
    """A team sheet. `lineup` holds the ids at each of POSTS, from left to right."""

    side: Side
    lineup: tuple[tuple[str, ...], ...]
    captain: str


@dataclass(frozen=True, slots=True)
class Tactics:
    """A tactical choice. `cards` are counts in the order of TYPES, or None for a fully secret choice (FC-4.5)."""

    side: Side
    cards: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Ball:
    colour: str


@dataclass(frozen=True, slots=True)
class LaySupporter:
    side: Side


@dataclass(frozen=True, slots=True)
class Substitution:
    leaving: str
    entering: str


@dataclass(frozen=True, slots=True)
class Change:
    side: Side
    subs: tuple[Substitution, ...]
    lineup: tuple[tuple[str, ...], ...] | None = None
    captain: str | None = None


@dataclass(frozen=True, slots=True)
class Permute:
    side: Side
    players: tuple[str, str]


@dataclass(frozen=True, slots=True)
class NameCaptain:
    side: Side
    player: str


@dataclass(frozen=True, slots=True)
class Press:
    """A pressing. `pay` is `token`, `supporter` or `kop` for each of the two named players (FC-6.4)."""

    side: Side
    card: CardReference
    pay: tuple[str, str] = ("token", "token")


@dataclass(frozen=True, slots=True)
class Tackle:
    side: Side
    card: CardReference
    mode: str | None = None


@dataclass(frozen=True, slots=True)
class Leave:
    side: Side


@dataclass(frozen=True, slots=True)
class Roll:
    dice: tuple[int, int]


@dataclass(frozen=True, slots=True)
class StartOffensive:
    """The start of an offensive.

    `skill` is how a solo effort's strength is paid: `none`, `freshness`, `supporter` or `kop` (FC-8.9).
    """

    side: Side
    kind: str
    card: CardReference
    skill: str = "none"


@dataclass(frozen=True, slots=True)
class AttackingSupport:
    side: Side


@dataclass(frozen=True, slots=True)
class Spend:
    side: Side
    supporters: int = 0
    kop: bool = False


@dataclass(frozen=True, slots=True)
class DefensiveSupport:
    side: Side
    card: CardReference
    mode: str | None = None


@dataclass(frozen=True, slots=True)
class Shot:
    defence: int | None = None
    attack: int | None = None
    player: str | None = None


@dataclass(frozen=True, slots=True)
class Recover:
    side: Side
    card: str


@dataclass(frozen=True, slots=True)
class NoCounter:
    """The goalkeeper's club declines the counter-attack (FC-8.11)."""

    side: Side


@dataclass(frozen=True, slots=True)
class GreenLight:
    """The attacking club agrees to the defence die (FC-9.8)."""

    side: Side


@dataclass(frozen=True, slots=True)
class NoOffensive:
    side: Side


@dataclass(frozen=True, slots=True)
class Discard:
    """A discard. `cards` are the discarded types, in the order they were discarded."""

    side: Side
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ExtraTime:
    play: bool


@dataclass(frozen=True, slots=True)
class NameShooters:
    side: Side
    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StartShootout:
    first: Side


@dataclass(frozen=True, slots=True)
class Forfeit:
    side: Side


Event = (
    MarketStaff
    | MarketOpen
    | MarketPick
    | MarketTransfer
    | TeamSheet
    | Tactics
    | Ball
    | LaySupporter
    | Change
    | Permute
    | NameCaptain
    | Press
    | Tackle
    | Leave
    | Roll
    | StartOffensive
    | AttackingSupport
    | Spend
    | DefensiveSupport
    | Shot
    | Recover
    | NoCounter
    | GreenLight
    | NoOffensive
    | Discard
    | ExtraTime
    | NameShooters
    | StartShootout
    | Forfeit
)
