"""Pig: a side throws one die as often as it likes; a one loses the turn's points. The rules are PIG-1 to PIG-4."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.games.base import (
    Choice,
    Decision,
    DiceRequest,
    Die,
    Fields,
    JournalRules,
    Message,
    Outcome,
    Refusal,
    Scene,
    SideScene,
    SideStat,
)
from companion.games.engine import EventRule, Rulebook, RuleGame, ValidationOrder
from companion.games.event_schema import EventField, die
from companion.games.figures import Headline, PlainBoard
from companion.games.refusals import Refusals

SIDES = ("north", "south")
TARGET = 30
refusal = Refusals("pig")


@dataclass(frozen=True, slots=True)
class State:
    """The points kept, whose turn it is, the points of the turn."""

    names: tuple[str, str]
    target: int
    points: tuple[int, int] = (0, 0)
    turn: int = 0
    gathered: int = 0

    @property
    def phase(self) -> str:
        return "over" if max(self.points) >= self.target else "turn"


@dataclass(frozen=True, slots=True)
class Roll:
    die: int


@dataclass(frozen=True, slots=True)
class Hold:
    pass


def initial_state(header: Fields) -> State:
    sides = header.get("sides")
    if header.get("game") != "pig" or not isinstance(sides, dict) or set(sides) != set(SIDES):
        raise refusal("PIG-1", "header")
    return State((sides["north"]["name"], sides["south"]["name"]), header["setup"].get("target", TARGET))


def roll(state: State, event: Roll) -> tuple[State, Outcome]:
    lost = event.die == 1
    after = (
        replace(state, turn=1 - state.turn, gathered=0) if lost else replace(state, gathered=state.gathered + event.die)
    )
    return after, {"lost": lost}


def check_hold(state: State, event: Hold) -> None:
    if state.gathered == 0:
        raise refusal("PIG-3", "nothing")


def hold(state: State, event: Hold) -> tuple[State, Outcome]:
    points = list(state.points)
    points[state.turn] += state.gathered
    return replace(state, points=(points[0], points[1]), turn=1 - state.turn, gathered=0), {"kept": state.gathered}


def malformed(case: str, **args: Any) -> Refusal:
    return refusal("PIG-2", case, **args)


RULES = Rulebook[State](
    {
        "roll": EventRule(
            event=Roll,
            apply=roll,
            fields=(EventField("die", die),),
            sentence=lambda _, fields, outcome: Message(
                "pig.lost" if outcome["lost"] else "pig.rolled", {"n": fields["die"]}
            ),
        ),
        "hold": EventRule(
            event=Hold,
            apply=hold,
            check=check_hold,
            sentence=lambda _, __, outcome: Message("pig.held", {"n": outcome["kept"]}),
        ),
    },
    ValidationOrder(
        finished_phase="over", finished_refusal=lambda: refusal("PIG-4", "over"), refuse=malformed, fields_first=True
    ),
)


def view(state: State) -> dict[str, Any]:
    winner = next((side for side, points in zip(SIDES, state.points, strict=True) if points >= state.target), None)
    return {"phase": state.phase, "score": dict(zip(SIDES, state.points, strict=True)), "winner": winner}


def decision(state: State) -> Decision:
    if state.phase == "over":
        return Decision(Message("pig.over"))
    side = SIDES[state.turn]
    choices = (Choice({"event": "hold"}, Message("pig.hold", {"n": state.gathered}), side),) if state.gathered else ()
    return Decision(Message("pig.throw"), sides=(side,), dice=(DiceRequest(side, "pips", 1),), choices=choices)


def scene(state: State) -> Scene:
    gathered = (state.gathered if place == state.turn else 0 for place in range(2))
    sides = tuple(
        SideScene(side, name, colour, name[:1], (SideStat(Message("pig.gathered"), str(now)),))
        for side, name, colour, now in zip(SIDES, state.names, ("violet", "lime"), gathered, strict=True)
    )
    board = PlainBoard(SIDES, state.points, Message("pig.target", {"n": state.target}))
    return Scene(sides, board, (Headline(decision(state).title),))


def event_from_dice(state: State, dice: Sequence[Die]) -> Fields | None:
    return {"event": "roll", "die": dice[0].value} if len(dice) == 1 and dice[0].value else None


PIG: RuleGame[State] = RuleGame(
    id="pig",
    sides=SIDES,
    journal_rules=JournalRules(unreadable="PIG-1", malformed="PIG-2", nothing_standing="PIG-2", nested="PIG-2"),
    rulebook=RULES,
    initial_state_fn=initial_state,
    view_fn=view,
    decision_fn=decision,
    scene_fn=scene,
    event_from_dice_fn=event_from_dice,
    dice_from_event_fn=lambda fields: (Die("pips", fields["die"]),) if fields["event"] == "roll" else (),
    faces_fn=lambda _, kind: tuple(Die(kind, value) for value in range(1, 7)) if kind == "pips" else (),
    random_header_fn=lambda random: {
        "journal": 1,
        "game": "pig",
        "sides": {side: {"name": side.title()} for side in SIDES},
        "setup": {},
    },
)
