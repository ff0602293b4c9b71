"""The invented cards and starting teams shipped for NBA, in the shape that the header of a journal has them in."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any


@dataclass(frozen=True, slots=True)
class StartingTeam:
    """A team to begin with: `roster` is what the header has for a side (NBA-3.3, NBA-3.4)."""

    id: str
    name: str
    roster: Mapping[str, Any] = field(hash=False)


@dataclass(frozen=True, slots=True)
class CardSet:
    """`cards` is the header's catalogue: id → card (NBA-3.2)."""

    cards: Mapping[str, Mapping[str, Any]] = field(hash=False)
    teams: tuple[StartingTeam, ...]

    def market(self, count: int | None = None) -> tuple[str, ...]:
        """The player cards that can be bought, cheapest first; or so many of them, from the whole range of costs."""
        found = [id for id, card in self.cards.items() if card["kind"] == "player" and card.get("role") == "nba"]
        ordered = sorted(found, key=lambda id: (self.cards[id].get("cost", 0), id))
        if count is None or count >= len(ordered):
            return tuple(ordered)
        return tuple(ordered[place * len(ordered) // count] for place in range(count))


@cache
def sample_cards() -> CardSet:
    """The shipped cards; any two of the teams can play each other."""
    file = resources.files("companion.samples.nba") / "cards.toml"
    read = tomllib.loads(file.read_text(encoding="utf-8"))
    teams = tuple(
        StartingTeam(id, team["name"], {key: value for key, value in team.items() if key != "name"})
        for id, team in read["teams"].items()
    )
    return CardSet(read["cards"], teams)
