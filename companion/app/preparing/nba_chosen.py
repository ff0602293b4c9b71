"""What was chosen for an NBA match, read from the memory of its preparation: sides, teams, decks, the header."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.app.preparing.nba_material import coach_of, dice_of
from companion.games.nba.tables import MINI, SIDES
from companion.table.nba_cards import CardSet, StartingTeam

SOLO = "solo"
SWITCHES = ("money_time", "decisive", "team_selection", "draft")


class NbaChosen:
    """Looks at the memory, never writes it."""

    def __init__(self, memory: Mapping[str, Any], cards: CardSet) -> None:
        self._memory, self._cards = memory, cards
        self._teams = {team.id: team for team in cards.teams}

    def header(self) -> dict[str, Any]:
        """The header of the match."""
        memory, sides = self._memory, self.sides
        variants: dict[str, Any] = {key: memory[key] for key in SWITCHES if self.full or key == "money_time"}
        variants["mismatch"] = 0 if self.solo else memory["mismatch"]
        setup: dict[str, Any] = {
            "level": "full" if self.solo else memory["level"],
            "first": memory["first"],
            "duration": memory["duration"],
            "clock": memory["clock"],
            "variants": variants,
            "fatigue": {"removed_to": memory["removed_to"]},
            "dice_set": dice_of(memory["dice"], memory["six_nine"]),
        }
        # The number of fatigue cards is the one that belongs to the number of sides.
        if self.full:
            setup["cards"] = {id: dict(card) for id, card in self._cards.cards.items()}
            setup["rosters"] = {side: self.roster(side) for side in sides}
            setup["coaches"] = {
                side: coach_of(memory["coaches"][side])
                for side in sides
                if memory["coaches"].get(side) and not self.machine(side)
            }
        if self.solo:
            setup["solo"] = {"side": sides[1], "resources": memory["resources"], "profile": memory["profile"]}
        named = {side: {"name": self.name(side)} for side in sides}
        return {"journal": 1, "game": "nba", "sides": named, "setup": setup}

    @property
    def solo(self) -> bool:
        """Whether one person plays against the app."""
        return bool(self._memory["players"] == SOLO)

    @property
    def full(self) -> bool:
        """Whether everything is logged."""
        return self.solo or self._memory["level"] == "full"

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides at the table, in their order."""
        return SIDES[: 2 if self.solo else int(self._memory["players"])]

    def machine(self, side: str) -> bool:
        """Whether the solo opponent plays this side."""
        return self.solo and side == SIDES[1]

    def team(self, side: str) -> StartingTeam:
        """The team that a side begins with."""
        return self._teams[self._memory["teams"][side]]

    def name(self, side: str) -> str:
        """What a side is called."""
        return str(self._memory["names"].get(side) or self.team(side).name)

    def mini(self, side: str) -> list[str | None]:
        """The cards of its personal market, as far as they are known (NBA-9.3)."""
        return list(self._memory["minis"].get(side, [None] * MINI))

    def drafted(self, side: str) -> bool:
        """Whether a side has its five cards, and none that another side has."""
        chosen = self.mini(side)
        others = {id for other in self.sides if other != side for id in self.mini(other)}
        return all(chosen) and len(set(chosen)) == MINI and not others & set(chosen)

    def roster(self, side: str) -> dict[str, Any]:
        """Court and deck of a side as the header has them."""
        roster: dict[str, Any] = {"court": dict(self.team(side).roster["court"])}
        if not self._memory["team_selection"] or self.machine(side):
            roster["tactics"] = list(self.team(side).roster["tactics"])
        if not self._memory["team_selection"]:
            roster["bench"] = list(self.team(side).roster["bench"])
        if self._memory["draft"]:
            roster["mini"] = self.mini(side)
        return roster
