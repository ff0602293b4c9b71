"""What an NBA match needs before its first turn: who plays with which team, how long, with which variants and dice."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from typing import Any

from companion.app.preparing.nba_material import COACHES, DICE, coach_of, dice_of
from companion.app.preparing.rows import Column, Row
from companion.games.base import Message, Option
from companion.games.nba.scene import COLOURS
from companion.games.nba.tables import (
    CLOCKS,
    DURATIONS,
    LEVELS,
    MINI,
    MOST_TOKENS,
    PROFILES,
    REMOVED_TO,
    RESOURCES,
    SIDES,
    SIX_NINE,
)
from companion.games.wording import literal
from companion.table.catalogues.own_nba import nba_cards
from companion.table.catalogues.shelf import Shelf
from companion.table.nba_cards import StartingTeam, sample_cards

SOLO = "solo"
PLAYERS = ("2", "3", "4", SOLO)
LEVELS_OF_SOLO = {"easy": 0, "normal": RESOURCES, "hard": 4}
_SWITCHES = ("money_time", "decisive", "team_selection", "draft")
_USUAL = {
    "players": "2",
    "level": "full",
    "duration": "normal",
    "first": SIDES[0],
    "clock": "turns",
    "dice": "rulebook",
    "six_nine": "underline",
    "removed_to": "pile",
    "mismatch": 0,
    "resources": RESOURCES,
    "profile": "drivers",
    **dict.fromkeys(_SWITCHES, False),
}
"""What holds for whatever nobody has chosen; the usual course of the rules."""


class NbaPreparing:
    """Whatever is not chosen is as the rules have it; every side has a team of its own from the start."""

    def __init__(self, memory: MutableMapping[str, Any], shelf: Shelf | None = None) -> None:
        self._memory = memory
        self._cards = nba_cards(shelf) if shelf else sample_cards()
        self._teams = {team.id: team for team in self._cards.teams}
        if not memory:
            teams = dict(zip(SIDES, self._teams, strict=True))
            memory.update(_USUAL, names={}, teams=teams, coaches={}, minis={})

    # What is shown

    def columns(self) -> tuple[Column, ...]:
        return (*(self._side(side) for side in self._sides), Column(None, "", _words("match"), tuple(self._match())))

    def choose(self, row: str, value: Any) -> None:
        kind, _, of = row.partition(".")
        memory = self._memory
        if kind == "name":
            memory["names"][of] = value
        elif kind == "team":
            memory["teams"][of] = value
        elif kind == "coach":
            memory["coaches"][of] = value
        elif kind == "mini":
            side, _, place = of.partition(".")
            memory["minis"].setdefault(side, [None] * MINI)[int(place)] = value
        else:
            memory[row] = value
        if memory["first"] not in self._sides:
            memory["first"] = self._sides[0]

    def missing(self) -> tuple[Message, ...]:
        found = []
        names = [self._name(side) for side in self._sides]
        if len({name.casefold() for name in names}) < len(names):
            found.append(_words("same_names"))
        if self._full and self._memory["draft"]:
            for side in self._sides:
                chosen = self._mini(side)
                if not all(chosen) or len(set(chosen)) < MINI or self._twice(chosen, side):
                    found.append(_words("mini_todo", side=self._name(side)))
        return tuple(found)

    def header(self) -> dict[str, Any]:
        memory, sides = self._memory, self._sides
        variants: dict[str, Any] = {key: memory[key] for key in _SWITCHES if self._full or key == "money_time"}
        variants["mismatch"] = 0 if self._solo else memory["mismatch"]
        setup: dict[str, Any] = {
            "level": "full" if self._solo else memory["level"],
            "first": memory["first"],
            "duration": memory["duration"],
            "clock": memory["clock"],
            "variants": variants,
            "fatigue": {"removed_to": memory["removed_to"]},
            "dice_set": dice_of(memory["dice"], memory["six_nine"]),
        }
        # The number of fatigue cards is the one that belongs to the number of sides.
        if self._full:
            setup["cards"] = {id: dict(card) for id, card in self._cards.cards.items()}
            setup["rosters"] = {side: self._roster(side) for side in sides}
            setup["coaches"] = {
                side: coach_of(memory["coaches"][side])
                for side in sides
                if memory["coaches"].get(side) and not self._machine(side)
            }
        if self._solo:
            setup["solo"] = {"side": sides[1], "resources": memory["resources"], "profile": memory["profile"]}
        named = {side: {"name": self._name(side)} for side in sides}
        return {"journal": 1, "game": "nba", "sides": named, "setup": setup}

    # Inside

    @property
    def _solo(self) -> bool:
        return bool(self._memory["players"] == SOLO)

    @property
    def _full(self) -> bool:
        return self._solo or self._memory["level"] == "full"

    @property
    def _sides(self) -> tuple[str, ...]:
        return SIDES[: 2 if self._solo else int(self._memory["players"])]

    def _machine(self, side: str) -> bool:
        """Whether the solo opponent plays this side."""
        return self._solo and side == SIDES[1]

    def _team(self, side: str) -> StartingTeam:
        return self._teams[self._memory["teams"][side]]

    def _name(self, side: str) -> str:
        return str(self._memory["names"].get(side) or self._team(side).name)

    def _mini(self, side: str) -> list[str | None]:
        return list(self._memory["minis"].get(side, [None] * MINI))

    def _twice(self, chosen: list[str | None], side: str) -> bool:
        others = {id for other in self._sides if other != side for id in self._mini(other)}
        return any(id in others for id in chosen)

    def _roster(self, side: str) -> dict[str, Any]:
        roster: dict[str, Any] = {"court": dict(self._team(side).roster["court"])}
        if not self._memory["team_selection"] or self._machine(side):
            roster["tactics"] = list(self._team(side).roster["tactics"])
        if not self._memory["team_selection"]:
            roster["bench"] = list(self._team(side).roster["bench"])
        if self._memory["draft"]:
            roster["mini"] = self._mini(side)
        return roster

    def _side(self, side: str) -> Column:
        memory = self._memory
        name = literal(self._name(side))
        rows = [Row(f"name.{side}", _words("name"), name, "text", value=self._name(side))]
        if self._full:
            teams = tuple(Option(team.id, literal(team.name), _words("starters")) for team in self._cards.teams)
            team = self._team(side)
            rows.append(
                Row(f"team.{side}", _words("team"), literal(team.name), icon="users", value=team.id, options=teams)
            )
        if self._full and not self._machine(side):
            power = memory["coaches"].get(side, "")
            options = tuple(Option(id, label) for id, label in COACHES)
            rows.append(
                Row(f"coach.{side}", _words("coach"), dict(COACHES)[power], icon="board", value=power, options=options)
            )
        if self._full and memory["draft"]:
            rows += self._mini_rows(side)
        colour = COLOURS[SIDES.index(side)]
        return Column(side, colour, name, tuple(rows), self._name(side).strip()[:1].upper())

    def _mini_rows(self, side: str) -> Iterator[Row]:
        """The five cards that a side kept in the draft (NBA-9.3)."""
        taken = {id for other in self._sides for id in self._mini(other)}
        chosen = self._mini(side)
        for place, id in enumerate(chosen):
            free = [one for one in self._cards.market() if one not in taken or one == id]
            options = tuple(Option(one, literal(self._card(one)), _cost(self._cards.cards[one])) for one in free)
            label = _words("mini", n=place + 1)
            detail = literal(self._card(id)) if id else _words("mini_none")
            yield Row(f"mini.{side}.{place}", label, detail, value=id, options=options, done=id is not None)

    def _card(self, id: str) -> str:
        return str(self._cards.cards[id]["name"])

    def _match(self) -> Iterator[Row]:
        yield self._picked("players", PLAYERS)
        if self._solo:
            levels = tuple(Option(value, _words(f"resources.{name}")) for name, value in LEVELS_OF_SOLO.items())
            yield Row(
                "resources", _words("resources"), _words("resources"), value=self._memory["resources"], options=levels
            )
            yield self._picked("profile", tuple(PROFILES))
        else:
            yield self._picked("level", tuple(reversed(LEVELS)))
        yield self._picked("duration", tuple(DURATIONS))
        first = tuple(Option(side, literal(self._name(side))) for side in self._sides)
        beginner = literal(self._name(self._memory["first"]))
        yield Row("first", _words("first"), beginner, value=self._memory["first"], options=first)
        for key in _SWITCHES if self._full else ("money_time",):
            on = self._memory[key]
            yield Row(key, _words(key), _words(f"{key}.why"), "switch", "check", value=on)
        if not self._solo:
            tokens = self._memory["mismatch"]
            yield Row("mismatch", _words("mismatch"), _words("mismatch"), "count", value=tokens, most=MOST_TOKENS)
        yield self._picked("clock", CLOCKS)
        yield self._picked("dice", DICE)
        yield self._picked("six_nine", SIX_NINE)
        yield self._picked("removed_to", REMOVED_TO)

    def _picked(self, key: str, values: tuple[Any, ...]) -> Row:
        options = tuple(Option(value, _words(f"{key}.{value}")) for value in values)
        value = self._memory[key]
        return Row(key, _words(key), _words(f"{key}.{value}"), value=value, options=options)


def _cost(card: Any) -> Message:
    return _words("cost", n=card.get("cost", 0))


def _words(name: str, **args: Any) -> Message:
    return Message(f"app.nba.prepare.{name}", args)
