"""What an NBA match needs before its first turn: who plays with which team, how long, with which variants and dice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.games.base import JsonObject, Message, Option
from companion.games.catalogue import Cards
from companion.games.nba.card_sets import CardSet, StartingTeam, match_cards
from companion.games.nba.scene import SIDE_COLOURS
from companion.games.nba.tables import (
    CLOCKS,
    DURATIONS,
    LEVELS,
    MINI,
    MOST_TOKENS,
    PROFILES,
    PROPOSED_FACES,
    REMOVED_TO,
    RESOURCES,
    SIDES,
    SIX_NINE,
    SKILLS,
    STATS,
)
from companion.games.preparing import Column, Memory, Row
from companion.games.wording import literal

NO_COACH = ""
LEAST_DISCOUNT = 2
"""A coach who makes players cheaper looks for so much of a skill."""

DICE = ("rulebook", "proposal")
"""The faces told by the rulebook, or those with the hints of NBA-2.3 filled in, to be held against the real dice."""


def _named(id: str) -> Message:
    power, _, of = id.partition(".")
    if power == "reroll":
        return Message("app.nba.coach.reroll", {"dice": Message(f"nba.body.{of}")})
    if power == "discount":
        name = Message(f"nba.skill.{of}") if of in SKILLS else Message(f"app.nba.stat.{of}")
        return Message("app.nba.coach.discount", {"skill": name, "least": LEAST_DISCOUNT})
    return Message(f"app.nba.coach.{power or 'none'}")


COACHES: tuple[tuple[str, Message], ...] = tuple(
    (id, _named(id))
    for id in (
        NO_COACH,
        "collective",
        "rebounds",
        "second_tactic",
        "draw7",
        *(f"reroll.{die}" for die in SKILLS),
        *(f"discount.{stat}" for stat in STATS),
    )
)
"""What can be chosen, and how it is called."""


def coach_of(id: str) -> JsonObject:
    """The coach of the header (NBA-9.5) for an id of COACHES that is not empty."""
    power, _, of = id.partition(".")
    if power == "reroll":
        return {"power": power, "die": of}
    if power == "discount":
        return {"power": power, "skill": of, "min": LEAST_DISCOUNT}
    return {"power": power}


def dice_of(id: str, six_nine: str) -> JsonObject:
    """The dice set of the header (NBA-2.2)."""
    if id == "rulebook":
        return {"id": id, "six_nine": six_nine}
    return {
        "id": id,
        "six_nine": six_nine,
        "faces": {kind: [_face(*face) for face in faces] for kind, faces in PROPOSED_FACES.items()},
    }


def _face(value: int, colour: str | None) -> JsonObject:
    return {"value": value} if colour is None else {"value": value, "colour": colour}


SOLO = "solo"
SWITCHES = ("money_time", "decisive", "team_selection", "draft")


class NbaChosen:
    """Looks at the memory, never writes it."""

    def __init__(self, memory: Memory, cards: CardSet) -> None:
        self._memory, self._cards = memory, cards
        self._teams = {team.id: team for team in cards.teams}

    def header(self) -> JsonObject:
        """The header of the match."""
        memory, sides = self._memory, self.sides
        variants: JsonObject = {key: memory[key] for key in SWITCHES if self.full or key == "money_time"}
        variants["mismatch"] = 0 if self.solo else memory["mismatch"]
        setup: JsonObject = {
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

    def roster(self, side: str) -> JsonObject:
        """Court and deck of a side as the header has them."""
        roster: JsonObject = {"court": dict(self.team(side).roster["court"])}
        if not self._memory["team_selection"] or self.machine(side):
            roster["tactics"] = list(self.team(side).roster["tactics"])
        if not self._memory["team_selection"]:
            roster["bench"] = list(self.team(side).roster["bench"])
        if self._memory["draft"]:
            roster["mini"] = self.mini(side)
        return roster


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

    def __init__(self, memory: Memory, cards: Cards) -> None:
        self._memory = memory
        self._cards = match_cards(cards)
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

    def choose(self, row: str, value: object) -> None:
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

    def header(self) -> JsonObject:
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
        colour = SIDE_COLOURS[SIDES.index(side)]
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

    def _picked(self, key: str, values: tuple[object, ...]) -> Row:
        options = tuple(Option(value, _words(f"{key}.{value}")) for value in values)
        value = self._memory[key]
        return Row(key, _words(key), _words(f"{key}.{value}"), value=value, options=options)


def _cost(card: Any) -> Message:
    return _words("cost", n=card.get("cost", 0))


def _words(name: str, **args: object) -> Message:
    return Message(f"app.nba.prepare.{name}", args)
