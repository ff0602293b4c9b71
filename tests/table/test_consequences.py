"""Preview of a correction: the new score, changed descriptions, broken events; the match itself is unchanged."""

from __future__ import annotations

from random import Random

import pytest

from companion.games.registry import GAMES
from companion.journal.ledger import Ledger
from companion.table.autoplay import play
from companion.table.session import consequences

GAME = GAMES["footclub"]


def match(until, seeds=range(40)):
    """Return the ledger of a random match whose newest event makes `until` true."""
    for seed in seeds:
        header, *events = play(GAME, Random(seed))
        ledger = Ledger(GAME, header)
        for fields in events:
            ledger.commit(ledger.propose(fields))
            if until(ledger):
                return ledger
    raise LookupError("no such match")


def saved(shot):
    """Return the same shot with the dice furthest from a goal."""
    worst = {"defence": 6, "attack": 1}
    return {**shot.fields, **{die: face for die, face in worst.items() if die in shot.fields}}


def goal(ledger):
    newest, scores = ledger.newest, [GAME.view(event.state_after)["score"] for event in ledger.events[-2:]]
    return newest.fields["event"] == "shot" and len(scores) == 2 and scores[0] != scores[1]


def test_a_goal_that_was_none_takes_it_off_the_score():
    ledger = match(goal)
    line, before = ledger.newest.line, ledger.next_line
    found = consequences(GAME, ledger, line, saved(ledger.newest))
    assert found.violation is None
    was, becomes = found.score
    assert sum(was.values()) == sum(becomes.values()) + 1
    assert [difference.line for difference in found.differences] == [line]
    assert found.later_count == 0
    assert ledger.next_line == before


def test_what_breaks_later_is_told_with_what_the_fact_itself_would_come_to():
    ledger = match(goal_before)
    old = ledger.events[-2]
    found = consequences(GAME, ledger, old.line, saved(old))
    assert found.violation is not None
    assert not found.is_own_violation
    assert found.later_count == 1
    assert [difference.line for difference in found.differences] == [old.line]


def goal_before(ledger):
    """Return True if the newest event follows a goal and would be illegal after a saved shot."""
    if len(ledger.events) < 3 or ledger.events[-2].fields["event"] != "shot":
        return False
    return consequences(GAME, ledger, ledger.events[-2].line, saved(ledger.events[-2])).violation is not None


def test_a_fact_that_breaks_a_rule_itself_says_so():
    ledger = match(goal)
    found = consequences(GAME, ledger, ledger.newest.line, {**ledger.newest.fields, "attack": 9})
    assert found.violation is not None
    assert found.is_own_violation
    assert found.differences == ()


def test_the_same_fact_changes_nothing():
    ledger = match(goal)
    found = consequences(GAME, ledger, ledger.newest.line, ledger.newest.fields)
    assert (found.differences, found.score, found.violation) == ((), None, None)


def test_a_line_without_a_standing_fact_is_no_question():
    ledger = match(goal)
    with pytest.raises(StopIteration):
        consequences(GAME, ledger, ledger.next_line + 5, ledger.newest.fields)
