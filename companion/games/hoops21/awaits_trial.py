"""Tries an event out on the situation, so that what is offered is what the rules let pass."""

from __future__ import annotations

from companion.games.base import Barred, Fields, Refusal
from companion.games.hoops21.rulebook import RULEBOOK
from companion.games.hoops21.state import State


def barred(state: State, fields: Fields) -> Barred | None:
    """Why an event is not legal, or None."""
    try:
        RULEBOOK.decide(state, RULEBOOK.parse(fields))
    except Refusal as refused:
        return Barred(refused.rule, refused.message)
    return None


def after(state: State, fields: Fields) -> State:
    """The situation after an event that is legal."""
    return RULEBOOK.apply(state, RULEBOOK.parse(fields))[0]
