"""Prompts that depend on earlier answers: a pressing that Supporters help to pay."""

from __future__ import annotations

from random import Random

import pytest

from companion.app.prompts.flow import Flow
from companion.games.footclub import FOOTCLUB
from companion.games.registry import GAMES
from tests.screens.stage import kick_off

PAID = ["token", "supporter"]


def pressed():
    """Return a situation, and the choice of a pressing paid with a token and a Supporter of one player named twice."""
    game = FOOTCLUB
    for seed in range(40):
        random, state = Random(seed), game.initial_state(kick_off())
        while not game.finished(state):
            for choice in game.decision(state).choices:
                if choice.event["event"] == "press" and choice.prompts and choice.prompts[0].field == "pay":
                    values = [option.value for option in choice.prompts[0].options]
                    if PAID in values and values[0] != PAID:
                        return choice
            state, _ = game.apply(state, game.parse(game.random_event(state, random)))
    raise LookupError("no random match comes to it")


def test_a_place_named_twice_is_paid_as_the_switch_says():
    flow = Flow(pressed())
    ask = flow.prompt
    places = [option.value for option in ask.options if option.disabled_reason is None]
    twice: dict[str, list[object]] = {place: [] for place in places}
    for pay in (PAID, ["supporter", "token"]):
        flow.set_switch(flow.switches[0], pay)
        for place in places:
            twice[place].append(ask.answers_disabled_reason({**flow.answers, ask.field: [place, place]}))
    assert all(ask.answers_disabled_reason({ask.field: [place, place]}) is not None for place in places)
    assert any(reasons[0] is None for reasons in twice.values())


@pytest.mark.parametrize("id", GAMES)
def test_every_choice_can_be_answered_ask_by_ask(id):
    """A sheet refuses answers only if no later prompt could complete them."""
    game, stuck = GAMES[id], []
    for seed in range(6):
        random = Random(seed)
        state = game.initial_state(game.random_header(random))
        for _ in range(60):
            if game.finished(state):
                break
            fields = game.random_event(state, random)
            for choice in game.decision(state).choices:
                if makes(choice, fields):
                    stuck += [(choice.event, ask.field) for ask in refused_asks(choice, fields)]
            state, _ = game.apply(state, game.parse(fields))
    assert stuck == []


def makes(choice, fields):
    """Return True if an event is this choice with all required answers."""
    asked = {ask.field for ask in choice.prompts}
    needed = {ask.field for ask in choice.prompts if not ask.optional and ask.kind != "lineup"}
    return needed <= set(fields) and {k: v for k, v in fields.items() if k not in asked} == dict(choice.event)


def refused_asks(choice, fields):
    """Return the prompts that refuse their answer in a legal event made from this choice."""
    flow = Flow(choice)
    for switch in flow.switches:
        if switch.field in fields:
            flow.set_switch(switch, fields[switch.field])
    while (ask := flow.prompt) is not None:
        if ask.kind == "lineup" or (ask.field not in fields and not ask.optional):
            return
        if ask.field not in fields:
            flow.skip()
            continue
        if ask.answers_disabled_reason({**flow.answers, ask.field: fields[ask.field]}) is not None:
            yield ask
        flow.answer(fields[ask.field])
