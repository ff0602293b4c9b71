"""What a match of the game of chances needs: two teams of cards, the chances that lie open, who attacks, how long."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.base import JsonObject, Message, Option
from companion.games.catalogue import Cards
from companion.games.catalogue import Row as CardRow
from companion.games.occasion.catalogues import CHANCES, PLAYERS, chances, players
from companion.games.occasion.scene import COLOURS, LETTERS
from companion.games.occasion.setup import read_header
from companion.games.occasion.tables import MOST_VISIBLE, SIDES
from companion.games.preparing import Column, Memory, Row
from companion.games.wording import literal

GOALS = (1, 3, 5, None)
NO_CARDS = ""
"""The team of a side whose cards are defined while they are played."""

Teams = dict[str, list[CardRow]]
"""Rows of players by their team."""


class OccasionPreparing:
    """The first two teams of the catalogue play each other until something else is chosen."""

    def __init__(self, memory: Memory, cards: Cards) -> None:
        self._memory = memory
        self._teams = teams(cards.rows(PLAYERS))
        self._chances = chances(cards.rows(CHANCES))
        if not memory:
            named = list(self._teams)
            playing = [named[place] if place < len(named) else NO_CARDS for place in range(len(SIDES))]
            memory.update(team=dict(zip(SIDES, playing, strict=True)), names={}, first="home", goals=3, deck=True)
            self._lay_open()

    def columns(self) -> tuple[Column, ...]:
        return (*(self._side(side) for side in SIDES), Column(None, "", _words("match"), tuple(self._match())))

    def choose(self, row: str, value: object) -> None:
        kind, _, of = row.partition(".")
        if kind == "visible":
            side, _, place = of.partition(".")
            open_ = list(self._memory["visible"][side])
            if value in open_ and value is not None:
                open_[open_.index(value)] = open_[int(place)]
            open_[int(place)] = value
            self._memory["visible"] = {**self._memory["visible"], side: tuple(open_)}
        elif kind in ("team", "name"):
            key = {"team": "team", "name": "names"}[kind]
            self._memory[key] = {**self._memory[key], of: value}
        else:
            self._memory[kind] = value
            if kind == "deck":
                self._lay_open()

    def missing(self) -> tuple[Message, ...]:
        """Nothing: cards that are not known are defined while they are played."""
        return ()

    def header(self) -> JsonObject:
        memory = self._memory
        own = {side: players(self._teams.get(memory["team"][side], ())) for side in SIDES}
        open_ = {side: [card for card in memory["visible"][side] if card is not None] for side in SIDES}
        setup: JsonObject = {"first_attack": memory["first"], "players": own, "goals_to_win": memory["goals"]}
        setup |= {"occasions": self._chances if memory["deck"] else {}, "visible": open_}
        header = {"journal": 1, "game": "occasion", "setup": setup}
        read_header({**header, "sides": {side: {"name": side} for side in SIDES}})
        return {**header, "sides": {side: {"name": self._name(side)} for side in SIDES}}

    # The rows

    def _name(self, side: str) -> Message:
        """What the players wrote, else the team of the cards, else which side it is."""
        name = self._memory["names"].get(side) or self._memory["team"][side]
        return literal(name) if name else _words(side)

    def _side(self, side: str) -> Column:
        name, team = self._name(side), self._memory["team"][side]
        options = [Option(one, literal(one), _words("cards", n=len(rows))) for one, rows in self._teams.items()]
        options.append(Option(NO_CARDS, _words("no_team"), _words("no_team_detail")))
        cards = _words("cards", n=len(self._teams[team])) if team in self._teams else _words("no_team_detail")
        rows = (
            Row(f"name.{side}", _words("name"), name, "text", value=self._memory["names"].get(side) or team),
            Row(f"team.{side}", _words("team"), cards, icon="users", value=team, options=tuple(options)),
            *self._open(side),
        )
        return Column(side, COLOURS[side], name, rows, LETTERS[side])

    def _open(self, side: str) -> Iterator[Row]:
        """The chances that lie face up before a side, one row each."""
        if not self._memory["deck"]:
            return
        options = [Option(id, literal(card.get("name", id))) for id, card in self._chances.items()]
        options.append(Option(None, _words("no_chance")))
        for place, id in enumerate(self._memory["visible"][side]):
            shown = literal(self._chances[id].get("name", id)) if id in self._chances else _words("no_chance")
            label = _words("visible", n=place + 1)
            yield Row(f"visible.{side}.{place}", label, shown, icon="list", value=id, options=tuple(options))

    def _match(self) -> Iterator[Row]:
        memory = self._memory
        goals = tuple(Option(n, _words("no_limit") if n is None else literal(n)) for n in GOALS)
        yield Row("goals", _words("goals"), _words("goals"), value=memory["goals"], options=goals)
        first = tuple(Option(side, self._name(side)) for side in SIDES)
        yield Row("first", _words("first"), _words("first"), value=memory["first"], options=first)
        deck = _words("deck_on", n=len(self._chances)) if memory["deck"] else _words("deck_off")
        yield Row("deck", _words("deck"), deck, "switch", "list", value=memory["deck"])

    def _lay_open(self) -> None:
        """Two chances before each side: the first ones of the deck, then the next ones."""
        deck: list[str | None] = list(self._chances) if self._memory["deck"] else []
        deck += [None] * (MOST_VISIBLE * len(SIDES))
        self._memory["visible"] = {
            side: tuple(deck[MOST_VISIBLE * at : MOST_VISIBLE * (at + 1)]) for at, side in enumerate(SIDES)
        }


def teams(rows: tuple[CardRow, ...]) -> Teams:
    """The rows of players by their team; players without one make none."""
    found: Teams = {}
    for row in rows:
        if row.get("team"):
            found.setdefault(str(row["team"]), []).append(row)
    return found


def _words(name: str, **args: object) -> Message:
    return Message(f"app.occasion.prepare.{name}", args)
