"""The cards as frozen values: a player's card, a chance card and its zones (chapter 12)."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.occasion.tables import RULED_ABILITIES


@dataclass(frozen=True, slots=True)
class PlayerCard:
    """A player. `points` are pass, dribble, int and tak; `name` is the id where the card bears none."""

    id: str
    name: str
    post: str
    points: tuple[int, int, int, int]
    abilities: tuple[str, ...] = ()

    def stat(self, name: str) -> int:
        """Printed points by their identifier."""
        passing, dribbling, interception, tackle = self.points
        return {"pass": passing, "dribble": dribbling, "int": interception, "tak": tackle}[name]

    @property
    def free_abilities(self) -> tuple[str, ...]:
        """Those that the players declare themselves (OC-6.3), each once."""
        return tuple(name for name in dict.fromkeys(self.abilities) if name not in RULED_ABILITIES)


@dataclass(frozen=True, slots=True)
class Zone:
    """A step of a chance card. `next` are the zones it leads to (OC-2.4), the posts those that a bonus asks for."""

    id: str
    row: int
    shot: bool
    attack_posts: tuple[str, ...]
    defence_posts: tuple[str, ...]
    next: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Chance:
    """A chance card with its zones in card order."""

    id: str
    name: str
    zones: tuple[Zone, ...]

    def zone(self, id: str) -> Zone:
        """The zone of this id. StopIteration if the card has none."""
        return next(zone for zone in self.zones if zone.id == id)

    @property
    def starts(self) -> tuple[str, ...]:
        """The zones of the lowest row (OC-2.3)."""
        lowest = min(zone.row for zone in self.zones)
        return tuple(zone.id for zone in self.zones if zone.row == lowest)

    @property
    def shooting_zones(self) -> tuple[str, ...]:
        return tuple(zone.id for zone in self.zones if zone.shot)

    @property
    def rows(self) -> tuple[tuple[Zone, ...], ...]:
        """The zones row by row, the lowest first."""
        levels = sorted({zone.row for zone in self.zones})
        return tuple(tuple(zone for zone in self.zones if zone.row == level) for level in levels)
