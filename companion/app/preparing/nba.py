"""What an NBA match needs before its first turn: who plays with which team, how long, with which variants and dice."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from typing import Any

from companion.app.preparing.nba_chosen import SOLO, SWITCHES, NbaChosen
from companion.app.preparing.nba_material import COACHES, DICE
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
from companion.table.nba_cards import sample_cards

PLAYERS = ("2", "3", "4", SOLO)
LEVELS_OF_SOLO = {"easy": 0, "normal": RESOURCES, "hard": 4}
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
    **dict.fromkeys(SWITCHES, False),
}
"""What holds for whatever nobody has chosen; the usual course of the rules."""


class NbaPreparing:
    """Whatever is not chosen is as the rules have it; every side has a team of its own from the start."""

    def __init__(self, memory: MutableMapping[str, Any], shelf: Shelf | None = None) -> None:
        self._memory = memory
        self._cards = nba_cards(shelf) if shelf else sample_cards()
        self._chosen = NbaChosen(memory, self._cards)
        if not memory:
            teams = dict(zip(SIDES, (team.id for team in self._cards.teams), strict=True))
            memory.update(_USUAL, names={}, teams=teams, coaches={}, minis={})

    # What is shown

    def columns(self) -> tuple[Column, ...]:
        return (
            *(self._side(side) for side in self._chosen.sides),
            Column(None, "", _words("match"), tuple(self._match())),
        )

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
        if memory["first"] not in self._chosen.sides:
            memory["first"] = self._chosen.sides[0]

    def missing(self) -> tuple[Message, ...]:
        found = []
        names = [self._chosen.name(side) for side in self._chosen.sides]
        if len({name.casefold() for name in names}) < len(names):
            found.append(_words("same_names"))
        if self._chosen.full and self._memory["draft"]:
            sides = (side for side in self._chosen.sides if not self._chosen.drafted(side))
            found += [_words("mini_todo", side=self._chosen.name(side)) for side in sides]
        return tuple(found)

    def header(self) -> dict[str, Any]:
        return self._chosen.header()

    # Inside

    def _side(self, side: str) -> Column:
        memory = self._memory
        name = literal(self._chosen.name(side))
        rows = [Row(f"name.{side}", _words("name"), name, "text", value=self._chosen.name(side))]
        if self._chosen.full:
            teams = tuple(Option(team.id, literal(team.name), _words("starters")) for team in self._cards.teams)
            team = self._chosen.team(side)
            rows.append(
                Row(f"team.{side}", _words("team"), literal(team.name), icon="users", value=team.id, options=teams)
            )
        if self._chosen.full and not self._chosen.machine(side):
            power = memory["coaches"].get(side, "")
            options = tuple(Option(id, label) for id, label in COACHES)
            rows.append(
                Row(f"coach.{side}", _words("coach"), dict(COACHES)[power], icon="board", value=power, options=options)
            )
        if self._chosen.full and memory["draft"]:
            rows += self._mini_rows(side)
        colour = COLOURS[SIDES.index(side)]
        return Column(side, colour, name, tuple(rows), self._chosen.name(side).strip()[:1].upper())

    def _mini_rows(self, side: str) -> Iterator[Row]:
        """The five cards that a side kept in the draft (NBA-9.3)."""
        taken = {id for other in self._chosen.sides for id in self._chosen.mini(other)}
        chosen = self._chosen.mini(side)
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
        if self._chosen.solo:
            levels = tuple(Option(value, _words(f"resources.{name}")) for name, value in LEVELS_OF_SOLO.items())
            yield Row(
                "resources", _words("resources"), _words("resources"), value=self._memory["resources"], options=levels
            )
            yield self._picked("profile", tuple(PROFILES))
        else:
            yield self._picked("level", tuple(reversed(LEVELS)))
        yield self._picked("duration", tuple(DURATIONS))
        first = tuple(Option(side, literal(self._chosen.name(side))) for side in self._chosen.sides)
        beginner = literal(self._chosen.name(self._memory["first"]))
        yield Row("first", _words("first"), beginner, value=self._memory["first"], options=first)
        for key in SWITCHES if self._chosen.full else ("money_time",):
            on = self._memory[key]
            yield Row(key, _words(key), _words(f"{key}.why"), "switch", "check", value=on)
        if not self._chosen.solo:
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
