"""The form of a new tournament: the fields that a game and a format use, with sensible values to begin with."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from companion.games.base import JsonObject, Message
from companion.games.registry import SPECS
from companion.tournament.clock import CLOCK_MODES, MAX_MATCH_MINUTES, MAX_TURN_SECONDS
from companion.tournament.match_choices import MatchSetting, match_rows
from companion.tournament.planning import MAX_GROUPS, MAX_MINUTES, MAX_ROUNDS, MAX_TABLES, SWISS_CHAIN
from companion.tournament.standings import CRITERIA

FORMATS = ("swiss", "league", "league_final", "round_robin", "knock_out", "double_knock_out", "groups")
KEEPING_FORMATS = ("swiss", "league", "round_robin", "knock_out")
"""Formats in which cards may be kept from round to round."""
WITH_STANDINGS = ("swiss", "league", "league_final", "round_robin", "groups")
"""Formats in which points and tie-breaks count."""

WITH_LEGS = ("league_final", "knock_out", "groups")
"""Formats in which the number of matches of a pairing is chosen."""

SWISS_CRITERIA = ("buchholz_cut1", "buchholz", "buchholz_median", "sonneborn", "direct_encounter")
LEAGUE_CRITERIA = ("direct_points", "direct_difference", "direct_scored", "away_scored", "sonneborn")
MIN_TIE_BREAKS = 4
"""Number of tie-breaks that the form offers at least."""

Start = Callable[[str, str], str]
"""Returns the value that a field begins with, for a game and a format."""


@dataclass(frozen=True, slots=True)
class PlanField:
    """A field of the form.

    - `kind`: an `order` is a list of selections, best first
    - `label`: id of its text
    - `formats`, `games`: where it is used
    - `start`: the value that it begins with
    - `limits`: least and greatest number
    - `choices`: values of a choice and the ids of their texts; a value without an id is shown as it is
    - `detail`: id of a sentence below the field
    """

    name: str
    kind: Literal["text", "date", "time", "number", "choice", "check", "order"]
    label: str
    formats: tuple[str, ...] = FORMATS
    games: Callable[[str], bool] = lambda game: True
    start: Start = lambda game, format: ""
    limits: tuple[int, int] = (0, 0)
    required: bool = False
    choices: tuple[tuple[str, str], ...] = (("1", ""), ("2", ""))
    detail: str = ""


def number(name: str, limits: tuple[int, int], start: Start, formats: tuple[str, ...] = FORMATS) -> PlanField:
    """Return a field for a number that must be given."""
    label = "web.format.groups.number" if name == "groups" else f"web.format.{name}"
    return PlanField(name, "number", label, formats, start=start, limits=limits, required=True)


def match_minutes(game: str, format: str) -> str:
    """Return the usual length of a match."""
    return str(SPECS[game].tournament.minutes)


PLAN_FIELDS: tuple[tuple[PlanField, ...], ...] = (
    (PlanField("name", "text", "web.tournament.name", required=True),),
    (
        PlanField("date", "date", "web.plan.date"),
        PlanField("start", "time", "web.plan.start"),
        PlanField("place", "text", "web.plan.place"),
    ),
    (
        number("rounds", (1, MAX_ROUNDS), lambda game, format: "5", ("swiss",)),
        number("groups", (1, MAX_GROUPS), lambda game, format: "2", ("groups",)),
        number("advance", (1, 64), lambda game, format: "2", ("groups",)),
        PlanField("legs", "choice", "web.format.legs", WITH_LEGS, start=lambda *_: "1"),
    ),
    (PlanField("third_place", "check", "web.format.third_place", ("knock_out", "groups"), start=lambda *_: "1"),),
    (
        PlanField("points", "choice", "web.plan.points", WITH_STANDINGS),
        PlanField("tie_break", "order", "web.plan.tie_break", WITH_STANDINGS),
    ),
    (
        number("tables", (1, MAX_TABLES), lambda game, format: "4"),
        number("minutes", (1, MAX_MINUTES), match_minutes),
        number("rest", (0, MAX_MINUTES), lambda game, format: "5"),
    ),
    (
        PlanField(
            "clock_mode",
            "choice",
            "web.clock",
            choices=(("", "web.clock.table"), *((mode, f"web.clock.{mode}") for mode in CLOCK_MODES)),
            detail="web.clock.explained",
        ),
        PlanField("clock_minutes", "number", "web.clock.minutes", start=match_minutes, limits=(0, MAX_MATCH_MINUTES)),
        PlanField("clock_seconds", "number", "web.clock.seconds", start=lambda *_: "0", limits=(0, MAX_TURN_SECONDS)),
    ),
    (
        PlanField(
            "thresholds",
            "text",
            "web.format.thresholds",
            KEEPING_FORMATS,
            games=lambda game: SPECS[game].tournament.keeps_cards,
            detail="web.format.thresholds.detail",
        ),
    ),
    (PlanField("template", "check", "web.plan.template"),),
)
"""The rows of the form."""

NOT_IN_TEMPLATES = ("form", "date", "template")


def fields_of(game: str, format: str) -> list[list[PlanField]]:
    """Return the rows of the form for a game and a format."""
    rows = [[field for field in row if format in field.formats and field.games(game)] for row in PLAN_FIELDS]
    return [row for row in rows if row]


def start_values(game: str, format: str, kept: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """Return the values that the form begins with: those of a template, else the usual ones."""
    values: dict[str, tuple[str, ...]] = {"tie_break": usual_tie_breaks(game, format)}
    for row in fields_of(game, format):
        values |= {field.name: (field.start(game, format),) for field in row if field.kind != "order"}
    values |= {row_field(row): (sent_value(row.usual),) for row in match_rows(game)}
    return values | {name: tuple(found) for name, found in kept.items() if name in values}


MATCH_FIELD = "match_"
"""Prefix of the fields that say what a match is."""


def row_field(row: MatchSetting) -> str:
    """Return the name of the field of a row of the game's preparation."""
    return f"{MATCH_FIELD}{row.id}"


def sent_value(value: object) -> str:
    """Return a value of a row as the form sends it."""
    return value if isinstance(value, str) else json.dumps(value)


def row_options(row: MatchSetting) -> list[tuple[str, Message]]:
    """Return the values of a row's options, as the form sends them, with their labels."""
    return [(sent_value(value), label) for value, label in row.options]


def match_choices(game: str, form: Mapping[str, Sequence[str]]) -> JsonObject:
    """Return what a match is, as sent in a form; nothing if the form does not tell. An unknown value stays a text."""
    if game not in SPECS or not any(name.startswith(MATCH_FIELD) for name in form):
        return {}
    found: JsonObject = {}
    for row in match_rows(game):
        by_text = {sent_value(value): value for value, _ in row.options}
        sent = (form.get(row_field(row)) or (sent_value(row.usual),))[0]
        found[row.id] = by_text.get(sent, sent)
    return found


def usual_tie_breaks(game: str, format: str) -> tuple[str, ...]:
    """Return the usual order of the tie-breaks after the points."""
    chain = SWISS_CHAIN if format == "swiss" else SPECS[game].tournament.chain
    return tuple(name for name in chain if name != "points")


def tie_break_choices(format: str) -> tuple[str, ...]:
    """Return the tie-breaks that a format offers."""
    own = SWISS_CRITERIA if format == "swiss" else LEAGUE_CRITERIA
    return tuple(name for name in CRITERIA if name in (*own, "difference", "scored", "wins"))


def place_count(game: str, format: str) -> int:
    """Return the number of tie-breaks that the form offers."""
    return max(MIN_TIE_BREAKS, len(usual_tie_breaks(game, format)))
