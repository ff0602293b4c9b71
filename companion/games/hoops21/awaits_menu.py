"""What stands in the menu in every phase: rulings on what the rules do not foresee, and giving up (chapter 12)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.games.base import Ask, Choice, Fields, Message, Option
from companion.games.hoops21.awaits_trial import barred
from companion.games.hoops21.state import State
from companion.games.hoops21.tables import SIDES, index_of
from companion.games.hoops21.words import said, word
from companion.games.wording import literal, signed

POINTS = (1, 2, 3, -1, -2, -3)


def choices(state: State) -> tuple[Choice, ...]:
    return (*_rulings(state), *_concessions(state))


def _rulings(state: State) -> Iterator[Choice]:
    token = (_team(state, "token", "token_of"),)
    named = token if state.token is None else ()
    sections = tuple(
        Option(section, Message("hoops21.section", {"section": section}))
        for section in range(1, state.setup.court.sections + 1)
    )
    pawn = Ask("pick", "section", word("ask", "pawn_on"), sections, suggested=state.pawn)
    yield _ruling("ruling_inbound", {"restart": "inbound"}, (_team(state, "team", "inbound_by"), *named))
    yield _ruling("ruling_throw", {"restart": "throw"}, (pawn, *named))
    yield _ruling("ruling_jump_ball", {"restart": "jump_ball"}, ())
    yield _ruling("ruling_points", {}, (_points(state),))
    yield _ruling("ruling_token", {}, token, state)
    yield _ruling("ruling_note", {}, ())


def _ruling(label: str, fields: Fields, asks: tuple[Ask, ...], state: State | None = None) -> Choice:
    """A ruling with its words asked for first; with a state, barred where no answer would be legal."""
    event: dict[str, Any] = {"event": "ruling", **fields}
    refused = None
    if state is not None:
        refused = barred(state, {**event, "text": label, **{ask.field: ask.options[0].value for ask in asks}})
    words = Ask("text", "text", word("ask", "ruling"))
    return Choice(event, word("do", label), rank=3, asks=(words, *asks), barred=refused, menu=True)


def _team(state: State, field: str, title: str) -> Ask:
    options = tuple(Option(side, literal(state.setup.name(side))) for side in SIDES)
    return Ask("pick", field, word("ask", title), options)


def _points(state: State) -> Ask:
    options = []
    for side in SIDES:
        for points in POINTS:
            if state.score[index_of(side)] + points >= 0:
                label = said("option.points", state, side, points=signed(points))
                options.append(Option({side: points}, label))
    return Ask("pick", "points", word("ask", "points"), tuple(options))


def _concessions(state: State) -> Iterator[Choice]:
    """HB-12.2."""
    for side in SIDES:
        yield Choice({"event": "concede", "team": side}, word("do", "concede"), side, rank=3, held=True, menu=True)
