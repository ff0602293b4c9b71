"""FootClub's events as frozen values: what the players do and what the dice show (19.2). `parsing` makes them."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.footclub.tables import Section, Side


@dataclass(frozen=True, slots=True)
class CardReference:
    """How a card with a ribbon was named: `number`, the whole `ribbon`, or the `section` under the ball's colour.

    One of the three is given; with a malformed ribbon or section (FC-1.8) none is.
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
    """`lineup` holds the ids at each of POSTS, from left to right."""

    side: Side
    lineup: tuple[tuple[str, ...], ...]
    captain: str


@dataclass(frozen=True, slots=True)
class Tactics:
    """`cards` are counts in the order of TYPES, or None for a wholly secret choice (FC-4.5)."""

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
    """`pay` is `token`, `supporter` or `kop` for each of the two named players (FC-6.4)."""

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
    """`skill` is how a solo effort's strength is paid: `none`, `freshness`, `supporter` or `kop` (FC-8.9)."""

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
class NoOffensive:
    side: Side


@dataclass(frozen=True, slots=True)
class Discard:
    """`cards` are the types discarded, in the order they were put down."""

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
    | NoOffensive
    | Discard
    | ExtraTime
    | NameShooters
    | StartShootout
    | Forfeit
)
