"""The cards of FootClub as frozen values: team cards, squads and numbered match cards (chapter 1)."""

from __future__ import annotations

from dataclasses import dataclass, field

from companion.games.footclub.tables import Section


@dataclass(frozen=True, slots=True)
class PlayerCard:
    """An outfield player as printed (FC-1.3). `name` is what a screen calls him."""

    id: str
    posts: tuple[str, ...]
    level: int
    profiles: tuple[str, ...]
    strength: str | None
    name: str = field(compare=False)


@dataclass(frozen=True, slots=True)
class Coach:
    """A coach: `style` is how many players of each of PROFILES he wants, `preferred` his preferred profile (FC-1.4)."""

    id: str
    level: int
    style: tuple[int, int, int]
    preferred: str
    name: str = field(compare=False)


@dataclass(frozen=True, slots=True)
class Goalkeeper:
    id: str
    level: int
    name: str = field(compare=False)


@dataclass(frozen=True, slots=True)
class Squad:
    coach: Coach
    goalkeeper: Goalkeeper
    players: tuple[PlayerCard, ...]


@dataclass(frozen=True, slots=True)
class TeamCards:
    """The team cards of a catalogue: what the market and the transfers draw from."""

    coaches: tuple[Coach, ...] = ()
    goalkeepers: tuple[Goalkeeper, ...] = ()
    players: tuple[PlayerCard, ...] = ()

    def coach(self, id: str) -> Coach | None:
        return next((card for card in self.coaches if card.id == id), None)

    def goalkeeper(self, id: str) -> Goalkeeper | None:
        return next((card for card in self.goalkeepers if card.id == id), None)

    def player(self, id: str) -> PlayerCard | None:
        return next((card for card in self.players if card.id == id), None)


@dataclass(frozen=True, slots=True)
class MatchCard:
    """A numbered match card of the catalogue (FC-1.7); `ribbon` is None for a type that carries none."""

    type: str
    ribbon: tuple[Section, ...] | None
