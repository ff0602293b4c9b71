"""Draws, seeds of a later stage, and the organiser's answers."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from companion.tournament import facts as fa
from companion.tournament.course import LEAST, course
from companion.tournament.drawing import players, proposed
from companion.tournament.naming import entry_name
from companion.tournament.outcomes import Question
from companion.tournament.refusing import refusal
from companion.tournament.state import Drawn, Seeded, State

A_GROUP = "A"
"""A Swiss has one group."""


def propose_draw(state: State) -> fa.Draw:
    """The next Swiss round, as `Draw` takes it. Raises `Refusal` when none can be drawn now."""
    _check_next_round(state)
    stage = course(state).stages[0]
    return proposed(state, stage.plan, stage.tables[A_GROUP], state.draws)


def propose_seed(state: State) -> fa.Seed:
    """The seeds of the next stage by the tables. Raises `Refusal` when the stage before is not over."""
    number = len(state.seeded) + 2
    return fa.Seed(number, _qualified(state, number))


def _check_next_round(state: State) -> None:
    _check_started(state)
    first = state.plan.stages[0]
    if first.kind != "swiss":
        raise refusal("no_draw")
    if len(state.draws) >= first.rounds:
        raise refusal("no_more_rounds", rounds=first.rounds)
    stage = course(state).stages[0]
    if stage.questions:
        raise refusal("question_open")
    if not all(tie.over for tie in stage.ties):
        raise refusal("round_not_over", round=len(state.draws))
    if len(players(state, stage.tables[A_GROUP], state.draws)) < LEAST:
        raise refusal("too_few_entries", least=LEAST)


def _check_started(state: State) -> None:
    if not state.started:
        raise refusal("not_started")


def check_draw(state: State, fact: fa.Draw) -> None:
    """The proposed round; by hand any in which each plays once and nobody pauses a second time before the others."""
    _check_next_round(state)
    if fact.stage != 1 or fact.round != len(state.draws) + 1:
        raise refusal("wrong_round", round=len(state.draws) + 1)
    if not fact.by_hand:
        if fact != propose_draw(state):
            raise refusal("not_the_draw")
        return
    field = players(state, course(state).stages[0].tables[A_GROUP], state.draws)
    named = Counter(id for pair in fact.pairs for id in pair)
    named.update([fact.bye] if fact.bye else [])
    if named != Counter(player.entry for player in field):
        raise refusal("not_each_once")
    byes = {player.entry: player.byes for player in field}
    if fact.bye is not None and byes[fact.bye] > min(byes.values()):
        raise refusal("second_bye", entry=entry_name(state, fact.bye))


def apply_draw(state: State, fact: fa.Draw) -> State:
    """The round is drawn."""
    return replace(state, draws=(*state.draws, Drawn(fact, state.seq + 1)))


def check_seed(state: State, fact: fa.Seed) -> None:
    """The qualified, each once; their order is the organiser's."""
    if fact.stage != len(state.seeded) + 2 or fact.stage > len(state.plan.stages):
        raise refusal("no_such_stage", stage=fact.stage)
    if Counter(fact.order) != Counter(_qualified(state, fact.stage)):
        raise refusal("not_the_qualified")


def _qualified(state: State, number: int) -> tuple[str, ...]:
    _check_started(state)
    if number > len(state.plan.stages):
        raise refusal("no_such_stage", stage=number)
    before = course(state).stages[number - 2]
    if before.questions:
        raise refusal("question_open")
    if before.qualified is None:
        raise refusal("stage_not_over", stage=number - 1)
    if len(before.qualified) < LEAST:
        raise refusal("too_few_entries", least=LEAST)
    return before.qualified


def apply_seed(state: State, fact: fa.Seed) -> State:
    """The bracket of the stage has its seeds."""
    computed = course(state).stages[fact.stage - 2].qualified or fact.order
    return replace(state, seeded={**state.seeded, fact.stage: Seeded(fact.order, computed, state.withdrawn)})


def question(state: State, id: str) -> Question:
    """The open question of an id. Raises `Refusal`."""
    found = next((each for each in course(state).questions if each.id == id), None)
    if found is None:
        raise refusal("unknown_question", question=id)
    return found


def check_rule(state: State, fact: fa.Rule) -> None:
    """One of the choices; where an order is asked, those asked about, each once."""
    asked = question(state, fact.question)
    if fact.choice not in asked.choices:
        raise refusal("unknown_choice", choice=fact.choice)
    if fact.choice == "order" and Counter(fact.order) != Counter(asked.entries):
        raise refusal("not_the_level")


def apply_rule(state: State, fact: fa.Rule) -> State:
    """The answer stands; a round that is to be drawn anew is taken away."""
    draws = state.draws[:-1] if fact.choice == "redraw" else state.draws
    return replace(state, rulings={**state.rulings, fact.question: fact}, draws=draws)
