"""Reads and writes the plan of a tournament: the JSON object at the start of its journal."""

from __future__ import annotations

from dataclasses import fields as fields_of
from dataclasses import replace
from typing import Any

from companion.games.base import Fields, JsonObject
from companion.games.registry import SPECS
from companion.games.spec import Points
from companion.tournament import validation
from companion.tournament.clock import CLOCK, CLOCK_MODES, MAX_MATCH_MINUTES, MAX_TURN_SECONDS, TimeLimits
from companion.tournament.match_choices import unknown_choice
from companion.tournament.standings import CRITERIA, HANDBOOK
from companion.tournament.validation import refusal
from companion.tournament.values import STAGE_KINDS, Plan, Stage

SWISS_CHAIN = ("points", "buchholz_cut1", "buchholz", "sonneborn", "direct_encounter", "difference", "scored")


def stage_of(game: str, stage: Stage) -> Stage:
    """Return a stage with the points and tie-break chain of a game."""
    own = SPECS[game].tournament
    swiss = stage.kind == "swiss"
    handbook = HANDBOOK if swiss else 0
    return replace(stage, points=own.points, chain=SWISS_CHAIN if swiss else own.chain, handbook=handbook)


VERSION = 1
MAX_TABLES, MAX_GROUPS, MAX_ROUNDS = 1000, 26, 64
MIN_MINUTES, MAX_MINUTES = 1, 1440

_POINTS: dict[str, validation.Reader] = {
    "win": validation.whole_number(0, 100),
    "draw": validation.whole_number(0, 100),
    "loss": validation.whole_number(0, 100),
    "bye": validation.whole_number(0, 100),
    "forfeit": validation.list_of(validation.whole_number(0, 1000), length=2),
}
_STAGE: dict[str, validation.Reader] = {
    "kind": validation.one_of(STAGE_KINDS),
    "groups": validation.whole_number(1, MAX_GROUPS),
    "legs": validation.whole_number(1, 2),
    "final_legs": validation.whole_number(1, 2),
    "rounds": validation.whole_number(0, MAX_ROUNDS),
    "advance": validation.whole_number(0, 64),
    "third_place": validation.flag,
    "reset": validation.flag,
    "points": lambda value: validation.read_object(Points, _POINTS, (), validation.json_object(value), "points"),
    "chain": validation.list_of(validation.one_of(tuple(CRITERIA))),
    "thresholds": validation.list_of(validation.whole_number(0, 1000)),
    "handbook": validation.whole_number(0, 9999),
}
_CLOCK: dict[str, validation.Reader] = {
    "mode": validation.one_of(CLOCK_MODES),
    "match_minutes": validation.whole_number(0, MAX_MATCH_MINUTES),
    "turn_seconds": validation.whole_number(0, MAX_TURN_SECONDS),
}
_PLAN: dict[str, validation.Reader] = {
    "name": validation.text,
    "game": lambda value: validation.one_of(tuple(SPECS))(value),
    "stages": validation.list_of(validation.json_object),
    "tables": validation.whole_number(1, MAX_TABLES),
    "minutes": validation.whole_number(MIN_MINUTES, MAX_MINUTES),
    "rest": validation.whole_number(0, MAX_MINUTES),
    "clock": validation.json_object,
    "date": validation.date,
    "start": validation.time_of_day,
    "place": validation.remark,
    "match": validation.json_object,
}


def parse(fields: Fields) -> Plan:
    """Parse a plan from a JSON object `{"tournament": 1, "name", "game", "stages": [...]}`. Raises: Refusal.

    A stage without points or chain uses those of the game.
    """
    if fields.get("tournament") != VERSION or isinstance(fields["tournament"], bool):
        raise refusal("not_a_plan", version=VERSION)
    plan_fields = {key: value for key, value in fields.items() if key != "tournament"}
    plan = validation.read_object(Plan, _PLAN, ("name", "game", "stages"), plan_fields, "plan")
    raw: tuple[Any, ...] = plan.stages
    stages = tuple(_stage(plan.game, each, number) for number, each in enumerate(raw, 1))
    _check(stages)
    wrong = unknown_choice(plan.game, plan.match)
    if wrong is not None:
        raise refusal("unknown_choice", choice=wrong)
    given: Any = plan.clock
    clock = None if given is None else validation.read_object(TimeLimits, _CLOCK, ("mode",), given, CLOCK)
    return replace(plan, stages=stages, clock=clock)


def _stage(game: str, fields: Fields, number: int) -> Stage:
    stage = validation.read_object(Stage, _STAGE, ("kind",), fields, f"stages[{number}]")
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
    """Check the rules for a stage that do not depend on its position."""
    if stage.kind == "swiss" and stage.rounds < 1:
        raise refusal("swiss_rounds", stage=number)
    if stage.groups > 1 and stage.kind != "round_robin":
        raise refusal("groups_of_round_robin", stage=number)
    if stage.kind == "double_knock_out" and (stage.legs, stage.final_legs) != (1, 1):
        raise refusal("legs_of_double", stage=number)
    if list(stage.thresholds) != sorted(stage.thresholds):
        raise refusal("thresholds_fall", stage=number)


def to_json(plan: Plan) -> JsonObject:
    """Return the plan as JSON. `parse` restores the same plan."""
    return {
        "tournament": VERSION,
        "name": plan.name,
        "game": plan.game,
        "stages": [_stage_fields(stage) for stage in plan.stages],
        "tables": plan.tables,
        "minutes": plan.minutes,
        "rest": plan.rest,
        **({} if plan.clock is None else {CLOCK: plan.clock.fields()}),
        **{key: getattr(plan, key) for key in ("date", "start", "place", "match") if getattr(plan, key)},
    }


def _stage_fields(stage: Stage) -> JsonObject:
    printed = {each.name: validation.to_json(getattr(stage, each.name)) for each in fields_of(Stage)}
    points = stage.points
    printed["points"] = {each.name: validation.to_json(getattr(points, each.name)) for each in fields_of(Points)}
    return printed
