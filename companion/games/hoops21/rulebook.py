"""The rules of hoops21: each event with its fields, phases, checks, effect and sentence, in the order of HB-1.7."""

from __future__ import annotations

from typing import Any

from companion.games.base import Refusal
from companion.games.engine import EventRule, Rulebook, ValidationOrder
from companion.games.event_schema import EventField, FieldParser, InvalidValue, boolean, one_of
from companion.games.hoops21 import chart, contests, describe, free_throws, inbounding, power_token, rulings, shots
from companion.games.hoops21 import events as ev
from companion.games.hoops21.messages import word
from companion.games.hoops21.refusals import refusal
from companion.games.hoops21.state import State
from companion.games.hoops21.tables import ACTIONS, PHASES, RESTARTS, SIDES, SYMBOL_INDEX, SYMBOLS


def _dice(value: object) -> ev.Dice:
    """Read a list of dice; HB-1.6 reports invalid symbols later, when the dice are counted."""
    if not isinstance(value, list):
        raise InvalidValue
    return tuple([entry if isinstance(entry, str) and entry in SYMBOL_INDEX else None for entry in value])  # type: ignore[misc]


def _dice_or_none(value: object) -> ev.Dice | None:
    """Read the dice of a team that may not have to roll at all (HB-8.1)."""
    return _dice(value) if isinstance(value, list) else None


def _or_null(read: FieldParser) -> FieldParser:
    """Return a reader for which null means absent."""
    return lambda value: None if value is None else read(value)


def _whole(value: object) -> int:
    """Read any integer."""
    if type(value) is not int:
        raise InvalidValue
    return value


def _non_blank_text(value: object) -> str:
    """Read a text that is not blank."""
    if not isinstance(value, str) or not value.strip():
        raise InvalidValue
    return value


def _points(value: object) -> tuple[int, ...]:
    """Read points by side; a side that is not named gets 0."""
    if not isinstance(value, dict) or not value.keys() <= set(SIDES):
        raise InvalidValue
    return tuple([_whole(value.get(side, 0)) for side in SIDES])


def _free_throw(**dice: ev.Dice | None) -> ev.FreeThrow:
    return ev.FreeThrow(
        (dice.get("orange"), dice.get("white")),
        ("orange" in dice, "white" in dice),
    )


def _inbound_end(**values: Any) -> ev.InboundEnd:
    if values["stolen"] and "section" not in values:
        raise _refuse("missing_field", event="inbound_end", field="section")
    return ev.InboundEnd(**values)


def _ruling(**values: Any) -> ev.Ruling:
    needed = {"throw": "section", "inbound": "team"}.get(values.get("restart", ""))
    if needed is not None and needed not in values:
        raise _refuse("missing_field", event="ruling", field=needed)
    return ev.Ruling(**values)


_side = one_of(*SIDES)
_BOTH = (EventField("orange", _dice), EventField("white", _dice))


def _check_phase(state: State, rule: EventRule[State], event: object) -> None:
    """Check the phase (HB-1.3). Raises: Refusal."""
    if state.phase not in rule.phases:
        raise refusal("HB-1.3", now=word("phase", state.phase))


def _refuse(case: str, **args: object) -> Refusal:
    return refusal("HB-1.2", case, **args)


_UNDER_WAY = frozenset(PHASES) - {"over"}

RULES: dict[str, EventRule[State]] = {
    "jump_ball": EventRule(
        event=ev.JumpBall,
        phases=frozenset({"jump_ball"}),
        fields=_BOTH,
        check=contests.check_jump_ball,
        apply=contests.apply_jump_ball,
        sentence=describe.jump_ball,
    ),
    "throw": EventRule(
        event=ev.Throw,
        phases=frozenset({"throw"}),
        fields=_BOTH,
        check=contests.check_throw,
        apply=contests.apply_throw,
        sentence=describe.throw,
    ),
    "token": EventRule(
        event=ev.Token,
        phases=frozenset({"tie"}),
        fields=(EventField("use", boolean),),
        apply=power_token.apply_token,
        sentence=describe.token,
    ),
    "choose": EventRule(
        event=ev.Choose,
        phases=frozenset({"choose"}),
        fields=(
            EventField("symbol", _or_null(one_of(*SYMBOLS)), optional=True),
            EventField("action", _or_null(one_of(*ACTIONS)), optional=True),
        ),
        check=chart.check_choose,
        apply=chart.apply_choose,
        sentence=describe.choose,
    ),
    "step_back": EventRule(
        event=ev.StepBack,
        phases=frozenset({"shot"}),
        check=shots.check_step_back,
        apply=shots.apply_step_back,
        sentence=describe.step_back,
    ),
    "shot": EventRule(
        event=ev.Shot,
        phases=frozenset({"shot"}),
        fields=_BOTH,
        check=contests.check_shot,
        apply=contests.apply_shot,
        sentence=describe.shot,
    ),
    "free_throw": EventRule(
        event=ev.FreeThrow,
        phases=frozenset({"free_throw"}),
        fields=(EventField("orange", _dice_or_none, optional=True), EventField("white", _dice_or_none, optional=True)),
        constructor=_free_throw,
        check=free_throws.check_free_throw,
        apply=free_throws.apply_free_throw,
        sentence=describe.free_throw,
    ),
    "inbound_throw": EventRule(
        event=ev.InboundThrow,
        phases=frozenset({"inbound"}),
        fields=(EventField("team", _side), EventField("dice", _dice)),
        check=inbounding.check_throw,
        apply=inbounding.apply_throw,
        sentence=describe.inbound_throw,
    ),
    "inbound_end": EventRule(
        event=ev.InboundEnd,
        phases=frozenset({"inbound"}),
        fields=(EventField("stolen", boolean), EventField("section", _whole, optional=True)),
        constructor=_inbound_end,
        check=inbounding.check_end,
        apply=inbounding.apply_end,
        sentence=describe.inbound_end,
    ),
    "reroll": EventRule(
        event=ev.Reroll,
        phases=frozenset({"tie", "reroll"}),
        precheck=power_token.check_advanced,
        fields=(EventField("kept", _dice), EventField("rolled", _dice)),
        check=power_token.check_reroll,
        apply=power_token.apply_reroll,
        sentence=describe.reroll,
    ),
    "stand": EventRule(
        event=ev.Stand,
        phases=frozenset({"reroll"}),
        apply=power_token.apply_stand,
        sentence=describe.stand,
    ),
    "ruling": EventRule(
        event=ev.Ruling,
        phases=_UNDER_WAY,
        fields=(
            EventField("text", _non_blank_text),
            EventField("points", _points, optional=True),
            EventField("token", _side, optional=True),
            EventField("restart", one_of(*RESTARTS), optional=True),
            EventField("section", _whole, optional=True),
            EventField("team", _side, optional=True),
        ),
        constructor=_ruling,
        check=rulings.check_ruling,
        apply=rulings.apply_ruling,
        sentence=describe.ruling,
    ),
    "concede": EventRule(
        event=ev.Concede,
        phases=_UNDER_WAY,
        fields=(EventField("team", _side),),
        apply=rulings.apply_concede,
        sentence=describe.concede,
    ),
}
"""The rules by event name (chapter 15)."""

RULEBOOK: Rulebook[State] = Rulebook(
    RULES,
    ValidationOrder(
        finished_phase="over",
        finished_refusal=lambda: refusal("HB-1.4"),
        precondition=_check_phase,
        refuse=_refuse,
    ),
)
