"""What can be taken together depends on what was answered before: a pressing that Supporters help to pay."""

from __future__ import annotations

from random import Random

from companion.app.asks.flow import Flow, together
from companion.games.footclub import FOOTCLUB
from tests.screens.stage import kick_off

PAID = ["token", "supporter"]


def pressed():
    """A situation, and the choice of a pressing paid with a token and a Supporter of one player named twice."""
    game = FOOTCLUB
    for seed in range(40):
        random, state = Random(seed), game.begin(kick_off())
        while not game.finished(state):
            for choice in game.awaits(state).choices:
                if choice.event["event"] == "press" and choice.asks and choice.asks[0].field == "pay":
                    values = [option.value for option in choice.asks[0].options]
                    if PAID in values and values[0] != PAID:
                        return choice
            state, _ = game.apply(state, game.parse(game.random_event(state, random)))
    raise LookupError("no random match comes to it")


def test_a_place_named_twice_is_paid_as_the_switch_says():
    flow = Flow(pressed())
    ask = flow.ask
    places = [option.value for option in ask.options if option.barred is None]
    twice: dict[str, list[object]] = {place: [] for place in places}
    for pay in (PAID, ["supporter", "token"]):
        flow.turn(flow.switches[0], pay)
        for place in places:
            twice[place].append(together(ask, [place, place], flow.answers))
    assert all(together(ask, [place, place], {}) is not None for place in places)
    assert any(reasons[0] is None for reasons in twice.values())
