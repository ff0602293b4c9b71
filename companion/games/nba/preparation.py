"""The preparation of an NBA match before its first turn: sides and teams, length, variants and dice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.games.base import JsonObject, Message, Option
from companion.games.catalogue import CardSource
from companion.games.nba.card_sets import CardSet, StartingTeam, match_cards
from companion.games.nba.scene import SIDE_COLOURS
from companion.games.nba.tables import (
    CLOCKS,
    DEFAULT_RESOURCES,
    DURATIONS,
    LEVELS,
    MAX_TOKENS,
    MINI_MARKET_SIZE,
    PROPOSED_FACES,
    REMOVED_TO,
    SIDES,
    SIX_NINE,
    SKILLS,
    SOLO_PROFILES,
    STATS,
)
from companion.games.preparation import Memory, SetupColumn, SetupRow
from companion.games.wording import literal

NO_COACH = ""
MIN_DISCOUNT_SKILL = 2
"""The minimum of a skill for a player to be cheaper with a discount coach."""

DICE_SETS = ("rulebook", "proposal")
"""The dice faces of the rulebook, or those completed with the hints of NBA-2.3, to be compared with the real dice."""


def _named(id: str) -> Message:
    power, _, of = id.partition(".")
    if power == "reroll":
        return Message("app.nba.coach.reroll", {"dice": Message(f"nba.body.{of}")})
    if power == "discount":
        name = Message(f"nba.skill.{of}") if of in SKILLS else Message(f"app.nba.stat.{of}")
        return Message("app.nba.coach.discount", {"skill": name, "least": MIN_DISCOUNT_SKILL})
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
"""The coaches to choose from, with their names."""


def coach_header(id: str) -> JsonObject:
    """Return the coach of the header (NBA-9.5) for a non-empty id of COACHES."""
    power, _, of = id.partition(".")
    if power == "reroll":
        return {"power": power, "die": of}
    if power == "discount":
        return {"power": power, "skill": of, "min": MIN_DISCOUNT_SKILL}
    return {"power": power}


def dice_set_header(id: str, six_nine: str) -> JsonObject:
    """Return the dice set of the header (NBA-2.2)."""
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


class NbaSettings:
    """Read-only view of the choices in the memory."""

    def __init__(self, memory: Memory, cards: CardSet) -> None:
        self._memory, self._cards = memory, cards
        self._teams = {team.id: team for team in cards.teams}

    def header(self) -> JsonObject:
        """Return the header of the match."""
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
            "dice_set": dice_set_header(memory["dice"], memory["six_nine"]),
        }
        # The number of fatigue cards depends on the number of sides.
        if self.full:
            setup["cards"] = {id: dict(card) for id, card in self._cards.cards.items()}
            setup["rosters"] = {side: self.roster(side) for side in sides}
            setup["coaches"] = {
                side: coach_header(memory["coaches"][side])
                for side in sides
                if memory["coaches"].get(side) and not self.is_solo_opponent(side)
            }
        if self.solo:
            setup["solo"] = {"side": sides[1], "resources": memory["resources"], "profile": memory["profile"]}
        named = {side: {"name": self.name(side)} for side in sides}
        return {"journal": 1, "game": "nba", "sides": named, "setup": setup}

    @property
    def solo(self) -> bool:
        """True if one person plays against the app."""
        return bool(self._memory["players"] == SOLO)

    @property
    def full(self) -> bool:
        """True if the match is played at level `full`."""
        return self.solo or self._memory["level"] == "full"

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides at the table, in order."""
        return SIDES[: 2 if self.solo else int(self._memory["players"])]

    def is_solo_opponent(self, side: str) -> bool:
        """Return True if the solo opponent plays this side."""
        return self.solo and side == SIDES[1]

    def team(self, side: str) -> StartingTeam:
        """Return the starting team of a side."""
        return self._teams[self._memory["teams"][side]]

    def name(self, side: str) -> str:
        """Return a side's display name."""
        return str(self._memory["names"].get(side) or self.team(side).name)

    def mini(self, side: str) -> list[str | None]:
        """Return the known cards of a side's personal market (NBA-9.3)."""
        return list(self._memory["minis"].get(side, [None] * MINI_MARKET_SIZE))

    def is_drafted(self, side: str) -> bool:
        """Return True if a side has five cards and shares none of them with another side."""
        chosen = self.mini(side)
        others = {id for other in self.sides if other != side for id in self.mini(other)}
        return all(chosen) and len(set(chosen)) == MINI_MARKET_SIZE and not others & set(chosen)

    def roster(self, side: str) -> JsonObject:
        """Return the court and deck of a side as the header has them."""
        roster: JsonObject = {"court": dict(self.team(side).roster["court"])}
        if not self._memory["team_selection"] or self.is_solo_opponent(side):
            roster["tactics"] = list(self.team(side).roster["tactics"])
        if not self._memory["team_selection"]:
            roster["bench"] = list(self.team(side).roster["bench"])
        if self._memory["draft"]:
            roster["mini"] = self.mini(side)
        return roster


PLAYER_COUNTS = ("2", "3", "4", SOLO)
SOLO_RESOURCES = {"easy": 0, "normal": DEFAULT_RESOURCES, "hard": 4}
_DEFAULTS = {
    "players": "2",
    "level": "full",
    "duration": "normal",
    "first": SIDES[0],
    "clock": "turns",
    "dice": "rulebook",
    "six_nine": "underline",
    "removed_to": "pile",
    "mismatch": 0,
    "resources": DEFAULT_RESOURCES,
    "profile": "drivers",
    **dict.fromkeys(SWITCHES, False),
}
"""The default values: the usual options of the rules."""


class NbaPreparation:
    """The preparation. Values that are not chosen follow the rules; every side starts with a different team."""

    def __init__(self, memory: Memory, cards: CardSource) -> None:
        self._memory = memory
        self._cards = match_cards(cards)
        self._settings = NbaSettings(memory, self._cards)
        if not memory:
            teams = dict(zip(SIDES, (team.id for team in self._cards.teams), strict=True))
            memory.update(_DEFAULTS, names={}, teams=teams, coaches={}, minis={})

    # Display

    def columns(self) -> tuple[SetupColumn, ...]:
        return (
            *(self._side(side) for side in self._settings.sides),
            SetupColumn(None, "", _message("match"), tuple(self._match())),
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
            memory["minis"].setdefault(side, [None] * MINI_MARKET_SIZE)[int(place)] = value
        else:
            memory[row] = value
        if memory["first"] not in self._settings.sides:
            memory["first"] = self._settings.sides[0]

    def missing(self) -> tuple[Message, ...]:
        found = []
        names = [self._settings.name(side) for side in self._settings.sides]
        if len({name.casefold() for name in names}) < len(names):
            found.append(_message("same_names"))
        if self._settings.full and self._memory["draft"]:
            sides = (side for side in self._settings.sides if not self._settings.is_drafted(side))
            found += [_message("mini_todo", side=self._settings.name(side)) for side in sides]
        return tuple(found)

    def header(self) -> JsonObject:
        return self._settings.header()

    # Helpers

    def _side(self, side: str) -> SetupColumn:
        memory = self._memory
        name = literal(self._settings.name(side))
        rows = [SetupRow(f"name.{side}", _message("name"), name, "text", value=self._settings.name(side))]
        if self._settings.full:
            teams = tuple(Option(team.id, literal(team.name), _message("starters")) for team in self._cards.teams)
            team = self._settings.team(side)
            rows.append(
                SetupRow(
                    f"team.{side}", _message("team"), literal(team.name), icon="users", value=team.id, options=teams
                )
            )
        if self._settings.full and not self._settings.is_solo_opponent(side):
            power = memory["coaches"].get(side, "")
            options = tuple(Option(id, label) for id, label in COACHES)
            rows.append(
                SetupRow(
                    f"coach.{side}", _message("coach"), dict(COACHES)[power], icon="board", value=power, options=options
                )
            )
        if self._settings.full and memory["draft"]:
            rows += self._mini_rows(side)
        colour = SIDE_COLOURS[SIDES.index(side)]
        return SetupColumn(side, colour, name, tuple(rows), self._settings.name(side).strip()[:1].upper())

    def _mini_rows(self, side: str) -> Iterator[SetupRow]:
        """Yield the five cards that a side kept in the draft (NBA-9.3)."""
        taken = {id for other in self._settings.sides for id in self._settings.mini(other)}
        chosen = self._settings.mini(side)
        for place, id in enumerate(chosen):
            free = [one for one in self._cards.market() if one not in taken or one == id]
            options = tuple(Option(one, literal(self._card(one)), _cost(self._cards.cards[one])) for one in free)
            label = _message("mini", n=place + 1)
            detail = literal(self._card(id)) if id else _message("mini_none")
            yield SetupRow(f"mini.{side}.{place}", label, detail, value=id, options=options, done=id is not None)

    def _card(self, id: str) -> str:
        return str(self._cards.cards[id]["name"])

    def _match(self) -> Iterator[SetupRow]:
        yield self._pick_row("players", PLAYER_COUNTS)
        if self._settings.solo:
            levels = tuple(Option(value, _message(f"resources.{name}")) for name, value in SOLO_RESOURCES.items())
            yield SetupRow(
                "resources",
                _message("resources"),
                _message("resources"),
                value=self._memory["resources"],
                options=levels,
            )
            yield self._pick_row("profile", tuple(SOLO_PROFILES))
        else:
            yield self._pick_row("level", tuple(reversed(LEVELS)))
        yield self._pick_row("duration", tuple(DURATIONS))
        first = tuple(Option(side, literal(self._settings.name(side))) for side in self._settings.sides)
        beginner = literal(self._settings.name(self._memory["first"]))
        yield SetupRow("first", _message("first"), beginner, value=self._memory["first"], options=first)
        for key in SWITCHES if self._settings.full else ("money_time",):
            on = self._memory[key]
            yield SetupRow(key, _message(key), _message(f"{key}.why"), "switch", "check", value=on)
        if not self._settings.solo:
            tokens = self._memory["mismatch"]
            yield SetupRow(
                "mismatch", _message("mismatch"), _message("mismatch"), "count", value=tokens, maximum=MAX_TOKENS
            )
        yield self._pick_row("clock", CLOCKS)
        yield self._pick_row("dice", DICE_SETS)
        yield self._pick_row("six_nine", SIX_NINE)
        yield self._pick_row("removed_to", REMOVED_TO)

    def _pick_row(self, key: str, values: tuple[object, ...]) -> SetupRow:
        options = tuple(Option(value, _message(f"{key}.{value}")) for value in values)
        value = self._memory[key]
        return SetupRow(key, _message(key), _message(f"{key}.{value}"), value=value, options=options)


def _cost(card: Any) -> Message:
    return _message("cost", n=card.get("cost", 0))


def _message(name: str, **args: object) -> Message:
    return Message(f"app.nba.prepare.{name}", args)
