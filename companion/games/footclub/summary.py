"""The figures of FootClub's boards: scorers with their turn, shots, tackles, cards, injuries."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.base import Message
from companion.games.footclub.messages import short_name_of, word
from companion.games.footclub.state import State
from companion.games.footclub.tables import SIDES, opponent
from companion.games.summary import (
    CountRow,
    Counts,
    MatchFigures,
    PlayedEvent,
    Scorer,
    count_row,
    share_row,
    without_empty,
)

_SHOT_ENDS = ("goal", "save", "corner")
"""Results that end a shot; the others lead to a second throw."""


def summary(events: Sequence[PlayedEvent[State]]) -> MatchFigures:
    """Return the scorers and the counts of the events so far."""
    return MatchFigures(_scorers(events[-1].after), _rows(events)) if events else MatchFigures()


def _scorers(state: State) -> tuple[Scorer, ...]:
    return tuple(
        Scorer(
            goal.side,
            Message("footclub.summary.when", {"half": word("half", str(goal.half)), "turn": goal.turn}),
            short_name_of(state, goal.player) if goal.player else None,
        )
        for goal in state.goals
    )


def _rows(events: Sequence[PlayedEvent[State]]) -> tuple[CountRow, ...]:
    shots, goals, tackles, won, corners = Counts(), Counts(), Counts(), Counts(), Counts()
    yellow, red, injuries = Counts(), Counts(), Counts()
    for event in events:
        before, outcome = event.before, event.outcome
        result = outcome.get("result")
        if event.fields["event"] == "shot" and before.offensive is not None and result in _SHOT_ENDS:
            side = before.offensive.side
            shots[side] += 1
            goals[side] += result == "goal"
            corners[side] += result == "corner"
        elif event.fields["event"] == "roll" and before.duel is not None and result != "second_throw":
            side = before.duel.side
            tackles[side] += before.duel.kind == "tackle"
            won[side] += before.duel.kind == "tackle" and result == "success"
            yellow[side] += outcome.get("card") == "yellow"
            red[side] += outcome.get("card") == "red" or bool(outcome.get("sent_off"))
            injuries[opponent(side)] += outcome.get("injury") is not None
    rows = (
        share_row(word("summary", "shots"), goals, shots, SIDES),
        share_row(word("summary", "tackles"), won, tackles, SIDES),
        count_row(word("summary", "corners"), corners, SIDES),
        count_row(word("summary", "yellow"), yellow, SIDES),
        count_row(word("summary", "red"), red, SIDES),
        count_row(word("summary", "injuries"), injuries, SIDES),
    )
    return without_empty(rows)
