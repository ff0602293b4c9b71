"""Reads and prints the plan of a tournament: the JSON object that its journal begins with."""

from __future__ import annotations

from dataclasses import fields as fields_of
from dataclasses import replace
from typing import Any

from companion.games.base import Fields, JsonObject
from companion.games.registry import SPECS
from companion.games.spec import Points
from companion.tournament import validation
from companion.tournament.standings import CRITERIA
from companion.tournament.validation import refusal
from companion.tournament.values import STAGE_KINDS, Plan, Stage

SWISS_CHAIN = ("points", "buchholz_cut1", "buchholz", "sonneborn", "direct_points", "difference", "scored")


def stage_of(game: str, stage: Stage) -> Stage:
    """A stage with the points of a game, and its chain."""
    own = SPECS[game].tournament
    return replace(stage, points=own.points, chain=SWISS_CHAIN if stage.kind == "swiss" else own.chain)


VERSION = 1
MOST_TABLES, MOST_GROUPS, MOST_ROUNDS = 1000, 26, 64
LEAST_MINUTES, MOST_MINUTES = 1, 1440

_POINTS: dict[str, validation.Reader] = {
    "win": validation.whole(0, 100),
    "draw": validation.whole(0, 100),
    "loss": validation.whole(0, 100),
    "bye": validation.whole(0, 100),
    "forfeit": validation.listed(validation.whole(0, 1000), length=2),
}
_STAGE: dict[str, validation.Reader] = {
    "kind": validation.one_of(STAGE_KINDS),
    "groups": validation.whole(1, MOST_GROUPS),
    "legs": validation.whole(1, 2),
    "final_legs": validation.whole(1, 2),
    "rounds": validation.whole(0, MOST_ROUNDS),
    "advance": validation.whole(0, 64),
    "third_place": validation.flag,
    "reset": validation.flag,
    "points": lambda value: validation.read(Points, _POINTS, (), validation.mapping(value), "points"),
    "chain": validation.listed(validation.one_of(tuple(CRITERIA))),
    "thresholds": validation.listed(validation.whole(0, 1000)),
}
_PLAN: dict[str, validation.Reader] = {
    "name": validation.text,
    "game": lambda value: validation.one_of(tuple(SPECS))(value),
    "stages": validation.listed(validation.mapping),
    "tables": validation.whole(1, MOST_TABLES),
    "minutes": validation.whole(LEAST_MINUTES, MOST_MINUTES),
    "rest": validation.whole(0, MOST_MINUTES),
}


def parse(fields: Fields) -> Plan:
    """The plan in a JSON object `{"tournament": 1, "name", "game", "stages": [...]}`. Raises `Refusal`.

    Points and chain of a stage may be left out: those of the game hold.
    """
    if fields.get("tournament") != VERSION or isinstance(fields["tournament"], bool):
        raise refusal("not_a_plan", version=VERSION)
    told = {key: value for key, value in fields.items() if key != "tournament"}
    plan = validation.read(Plan, _PLAN, ("name", "game", "stages"), told, "plan")
    raw: tuple[Any, ...] = plan.stages
    stages = tuple(_stage(plan.game, each, number) for number, each in enumerate(raw, 1))
    _check(stages)
    return Plan(plan.name, plan.game, stages, plan.tables, plan.minutes, plan.rest)


def _stage(game: str, fields: Fields, number: int) -> Stage:
    stage = validation.read(Stage, _STAGE, ("kind",), fields, f"stages[{number}]")
    usual = stage_of(game, stage)
    given: dict[str, Any] = {each.name: getattr(stage, each.name) for each in fields_of(Stage)}
    for key in ("points", "chain"):
        if key not in fields:
            given[key] = getattr(usual, key)
    return Stage(**given)


def _check(stages: tuple[Stage, ...]) -> None:
    if not stages:
        raise refusal("no_stage")
    for number, stage in enumerate(stages, 1):
        _check_stage(stage, number)
        if number < len(stages) and (not stage.table or stage.advance < 1 or stage.groups * stage.advance < 2):
            raise refusal("stage_advances_nobody", stage=number)
        if number > 1 and (stage.table or stage.groups > 1):
            raise refusal("later_stage_is_bracket", stage=number)


def _check_stage(stage: Stage, number: int) -> None:
    """What a stage must be wherever it stands."""
    if stage.kind == "swiss" and stage.rounds < 1:
        raise refusal("swiss_rounds", stage=number)
    if stage.groups > 1 and stage.kind != "round_robin":
        raise refusal("groups_of_round_robin", stage=number)
    if stage.kind == "double_knock_out" and (stage.legs, stage.final_legs) != (1, 1):
        raise refusal("legs_of_double", stage=number)
    if list(stage.thresholds) != sorted(stage.thresholds):
        raise refusal("thresholds_fall", stage=number)


def fields(plan: Plan) -> JsonObject:
    """The plan as JSON; `parse` makes the same plan of it."""
    return {
        "tournament": VERSION,
        "name": plan.name,
        "game": plan.game,
        "stages": [_stage_fields(stage) for stage in plan.stages],
        "tables": plan.tables,
        "minutes": plan.minutes,
        "rest": plan.rest,
    }


def _stage_fields(stage: Stage) -> JsonObject:
    printed = {each.name: validation.plain(getattr(stage, each.name)) for each in fields_of(Stage)}
    points = stage.points
    printed["points"] = {each.name: validation.plain(getattr(points, each.name)) for each in fields_of(Points)}
    return printed
