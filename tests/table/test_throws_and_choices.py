"""A throw is never taken for a choice that nobody made, in any game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from companion.games.base import AnyGame, Decision, DiceRequest, Die
from companion.games.nba import NBA
from companion.games.registry import GAMES
from companion.table.dice import DiceDesk, DiceSource, Situation
from companion.table.ports import Outputs
from companion.table.throws import dice_to_throw
from tests.games.nba.kit import Match, dice, full
from tests.table.readings import ScriptedReader
from vision.roll import CameraState, DieReading, Face, Roll, SeenRoll, Status

NAMED_BY_DICE = {
    ("nba", "activate"): "only one prepared tactic throws exactly these dice",
    ("nba", "attack"): "at this level the players enter the dice that they keep, by laying them down",
    ("nba", "defend"): "likewise",
}
"""Events that are also offered as choices, but that the dice themselves name."""


def some_dice(game: AnyGame, state: Any, decision: Decision, random: Random) -> list[Die]:
    """Return dice that are awaited, with random faces."""
    awaited = dice_to_throw(game, state, decision)
    return [game.roll(state, request.kind, random) for request in awaited for _ in range(request.count)]


@pytest.mark.parametrize("name", sorted(GAMES))
def test_dice_make_no_event_that_is_somebodys_choice(name: str) -> None:
    """Where the dice would make the event of one of several choices, that choice must be made before them."""
    game = GAMES[name]
    for seed in range(4):
        random = Random(seed)
        state = game.initial_state(game.random_header(random))
        for _ in range(150):
            if game.finished(state):
                break
            decision = game.decision(state)
            made = game.event_from_dice(state, some_dice(game, state, decision, random)) if decision.dice else None
            legal = [choice for choice in decision.choices if not (choice.disabled_reason or choice.menu)]
            offered = {choice.event["event"] for choice in legal if len(legal) > 1}
            if made is not None and made["event"] in offered and (name, made["event"]) not in NAMED_BY_DICE:
                assert decision.required_before_dice is not None, (seed, made)
            state = game.apply(state, game.parse(game.random_event(state, random)))[0]


class Thrower(ScriptedReader):
    """A simulated table that notes what it throws."""

    def __init__(self) -> None:
        super().__init__()
        self.thrown: list[tuple[dict[str, int], tuple[Die, ...]]] = []

    def throw_due(self, dice: Sequence[DiceRequest], beside: bool, picked_up: Sequence[Die] = ()) -> None:
        self.thrown.append(({request.kind: request.count for request in dice}, tuple(picked_up)))


def desk_of(state: Any) -> tuple[DiceDesk, Thrower]:
    thrower = Thrower()
    desk = DiceDesk(Situation(NBA, state, NBA.decision(state)), Outputs(), DiceSource(thrower))
    desk.handle_news(CameraState(True))
    return desk, thrower


def seen(state: Any, *dice_thrown: Die) -> SeenRoll:
    readings = []
    for place, die in enumerate(dice_thrown):
        face = Face(die.value, die.colour, die.symbol)
        readings.append(DieReading(die.kind, face, (80.0 * place, 10, 40, 40), 0.99, possible=((face, 0.99),)))
    return SeenRoll(Roll(Status.OK, tuple(readings), 1.0, 1.0), b"", ())


@pytest.fixture
def rolled() -> Any:
    """Return the state after a defence tactic was thrown: some dice may be thrown again, which costs fatigue."""
    match = Match(full()).reshape("ann", prepared=("t-trap",))
    match.play("activate", tactic="t-trap", dice=dice("block 3r 0, stop 1y 0 0"))
    return match.state


def test_a_basketball_reroll_is_asked_about_before_it_costs_fatigue(rolled: Any) -> None:
    desk, _ = desk_of(rolled)
    assert desk.decision.dice == ()
    assert desk.handle_news(seen(rolled, Die("stop", 3, "blue"))) is None
    assert desk.question is not None
    assert desk.question.kind == "consent"
    throw = desk.confirm_choice()
    assert throw is not None
    assert throw.fields["event"] == "reroll"


def test_a_chosen_reroll_throws_the_dice_that_were_chosen(rolled: Any) -> None:
    """Not the lowest ones: here a 3 is thrown again and a blank stays."""
    desk, thrower = desk_of(rolled)
    choice = next(choice for choice in NBA.decision(rolled).choices if choice.throw is not None)
    desk.arm(replace(choice, event={"event": "reroll", "dice": [0]}))
    assert desk.dice_to_pick_up == (Die("block", 3, "red"),)
    desk.throw()
    assert thrower.thrown == [({"block": 1}, (Die("block", 3, "red"),))]
    throw = desk.handle_news(seen(rolled, Die("block", 2, "blue")))
    assert throw is not None
    assert throw.fields == {"event": "reroll", "dice": [0], "to": dice("block 2b")}


def test_a_tap_on_the_simulated_tray_chooses_no_tactic() -> None:
    match = Match(full()).reshape("ann", prepared=("t-trap", "t-switch"))
    desk, thrower = desk_of(match.state)
    desk.throw()
    assert thrower.thrown == []
    assert desk.notice is not None
    assert desk.notice.id == "table.choose_throw"
    chosen = next(one for one in desk.decision.choices if one.event.get("tactic") == "t-switch")
    desk.arm(chosen)
    desk.throw()
    assert [set(kinds) for kinds, _ in thrower.thrown] == [{"interception", "stop"}]
