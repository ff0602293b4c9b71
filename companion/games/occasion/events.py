"""This game's events as immutable values: what the players lay, declare and decide (chapter 13)."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.base import Message
from companion.games.occasion.cards import Chance, PlayerCard
from companion.games.occasion.tables import Side


@dataclass(frozen=True, slots=True)
class OccasionPlayed:
    card: str
    zone: str | None = None


@dataclass(frozen=True, slots=True)
class AttackMove:
    player: str
    move: str


@dataclass(frozen=True, slots=True)
class DefenceChoice:
    """The defence's choice. `player` opposes; None if the defence lets through."""

    choice: str
    player: str | None = None


@dataclass(frozen=True, slots=True)
class AddSupport:
    side: Side
    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SupportDone:
    side: Side


@dataclass(frozen=True, slots=True)
class AbilityUsed:
    side: Side
    player: str
    ability: str
    points: int


@dataclass(frozen=True, slots=True)
class Reveal:
    side: Side
    value: int


@dataclass(frozen=True, slots=True)
class FoulCalled:
    """A foul. `side` is the fouling one, `card` the card it is shown."""

    side: Side
    effect: str
    card: str | None = None
    player: str | None = None


@dataclass(frozen=True, slots=True)
class Resolve:
    pass


@dataclass(frozen=True, slots=True)
class Advance:
    zone: str


@dataclass(frozen=True, slots=True)
class GoalScored:
    pass


@dataclass(frozen=True, slots=True)
class ChanceMissed:
    pass


@dataclass(frozen=True, slots=True)
class TurnEnded:
    pass


@dataclass(frozen=True, slots=True)
class MatchEnded:
    pass


@dataclass(frozen=True, slots=True)
class OccasionShown:
    side: Side
    card: str


@dataclass(frozen=True, slots=True)
class DefineCard:
    """A new card. `card` is the parsed card, or the reason why it is invalid (OC-1.6 is checked after the free id)."""

    kind: str
    id: str
    card: PlayerCard | Chance | Message
    side: Side | None = None


@dataclass(frozen=True, slots=True)
class CardsRecovered:
    side: Side
    players: tuple[str, ...] = ()
    energy: int = 0


@dataclass(frozen=True, slots=True)
class Ruling:
    """A table ruling. `goals` are added to (home, away)."""

    text: str
    goals: tuple[int, int] = (0, 0)
    next_attack: Side | None = None


@dataclass(frozen=True, slots=True)
class Concede:
    side: Side
