"""The effect of undo and correct on the effective list (docs/rules/README.md, "The journal")."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.base import Refusal
from companion.journal.ledger import Ledger, StaleProposal
from tests.journal.counting_game import SWAP, UNDO, Count, CountingGame, Move, add, correct, header, take_back


def ledger_of(*events: dict[str, Any], target: int = 100, strict: bool = False) -> Ledger[Count, Move]:
    ledger = Ledger(CountingGame(strict), header(target))
    for event in events:
        ledger.commit(ledger.propose(event))
    return ledger


def refused(ledger: Ledger[Count, Move], fields: Any) -> str:
    before = (ledger.state, ledger.events, ledger.all_events, ledger.next_line)
    with pytest.raises(Refusal) as caught:
        ledger.propose(fields)
    assert (ledger.state, ledger.events, ledger.all_events, ledger.next_line) == before
    return caught.value.rule


def test_events_follow_the_header_line_by_line() -> None:
    ledger = ledger_of(add("left", 3), add("right", 2))
    assert [(s.line, s.outcome) for s in ledger.events] == [
        (2, {"left": 3, "right": 0}),
        (3, {"left": 3, "right": 2}),
    ]
    assert ledger.next_line == 4


def test_proposing_changes_nothing_until_it_is_committed() -> None:
    ledger = ledger_of(add("left", 3))
    proposal = ledger.propose(add("left", 4))
    assert (proposal.state.left, ledger.state.left, len(ledger.events)) == (7, 3, 1)
    ledger.commit(proposal)
    assert ledger.state.left == 7


def test_the_file_line_may_leave_gaps_but_never_goes_back() -> None:
    ledger = ledger_of(add("left", 3))
    ledger.commit(ledger.propose(add("left", 1), line=9))
    assert ledger.newest is not None
    assert (ledger.newest.line, ledger.next_line) == (9, 10)
    with pytest.raises(ValueError, match="line 9 does not follow"):
        ledger.propose(add("left", 1), line=9)


def test_undo_takes_back_the_standing_event_with_the_highest_line() -> None:
    ledger = ledger_of(add("left", 3), add("left", 4), UNDO, add("left", 5), UNDO, UNDO)
    assert ledger.events == ()
    assert ledger.state == ledger.initial_state
    assert [(r.line, r.status, r.amended_by) for r in ledger.all_events] == [
        (2, "undone", 7),
        (3, "undone", 4),
        (4, "amends", None),
        (5, "undone", 6),
        (6, "amends", None),
        (7, "amends", None),
    ]


def test_undo_with_nothing_standing_is_refused() -> None:
    assert refused(ledger_of(), UNDO) == "CT-6"
    assert refused(ledger_of(add("left", 1), UNDO), UNDO) == "CT-6"


def test_undo_and_correct_are_legal_after_the_end() -> None:
    ledger = ledger_of(add("left", 5), target=5)
    assert refused(ledger, add("left", 1)) == "CT-4"
    assert ledger.propose(UNDO).state.left == 0
    assert ledger.propose(correct(2, add("left", 4))).state.left == 4


def test_a_correction_keeps_line_and_place_and_replays_what_follows() -> None:
    ledger = ledger_of(add("left", 3), SWAP, add("left", 1))
    proposal = ledger.propose(correct(2, add("left", 8, by="touch")))
    assert [(c.before.line, c.before.outcome, c.after.outcome) for c in proposal.changes] == [
        (3, {"left": 0, "right": 3}, {"left": 0, "right": 8}),
        (4, {"left": 1, "right": 3}, {"left": 1, "right": 8}),
    ]
    assert proposal.outcome == {"left": 8, "right": 0}
    assert proposal.amended_line == 2
    ledger.commit(proposal)
    assert [s.line for s in ledger.events] == [2, 3, 4]
    assert ledger.events[0].fields == add("left", 8, by="touch")
    assert (ledger.state.left, ledger.state.right) == (1, 8)
    assert [(r.line, r.status, r.amended_by) for r in ledger.all_events] == [
        (2, "corrected", 5),
        (3, "stands", None),
        (4, "stands", None),
        (5, "amends", None),
    ]
    assert ledger.all_events[0].fields == add("left", 3)
    assert ledger.all_events[0].applied == ledger.events[0]


def test_a_correction_may_change_nothing_that_follows() -> None:
    ledger = ledger_of(add("left", 3), add("left", 3))
    assert ledger.propose(correct(2, add("left", 3, note="seen again"))).changes == ()


def test_a_correction_is_corrected_again_and_is_not_undone() -> None:
    ledger = ledger_of(add("left", 3), add("right", 1), correct(2, add("left", 4)), correct(2, add("left", 5)))
    assert ledger.all_events[0].amended_by == 5
    ledger.commit(ledger.propose(UNDO))
    assert [(s.line, s.outcome["left"]) for s in ledger.events] == [(2, 5)]
    assert (ledger.all_events[1].status, ledger.all_events[1].amended_by, ledger.all_events[1].applied) == (
        "undone",
        6,
        None,
    )


def test_a_correction_after_which_a_later_event_breaks_a_rule_is_refused_with_that_rule() -> None:
    ledger = ledger_of(add("left", 5), take_back("left", 4), add("left", 1))
    assert refused(ledger, correct(2, add("left", 3))) == "CT-5"
    with pytest.raises(Refusal) as caught:
        ledger.propose(correct(2, add("left", 3)))
    assert caught.value.message.id == "journal.refusal.later_event"
    assert set(caught.value.message.args) == {"event", "reason"}, "the players know no line numbers"


def test_a_correction_that_ends_the_match_early_is_refused_by_what_followed() -> None:
    assert refused(ledger_of(add("left", 5), add("left", 1), target=9), correct(2, add("left", 9))) == "CT-4"


def test_the_corrected_event_itself_must_be_legal() -> None:
    ledger = ledger_of(add("left", 5))
    assert refused(ledger, correct(2, take_back("left", 1))) == "CT-5"
    assert refused(ledger, correct(2, {"event": "dance"})) == "CT-2"
    assert refused(ledger, correct(2, add("left", 0))) == "CT-3"


@pytest.mark.parametrize("line", [1, 0, -1, 3, 4, 5, 99, 10**30])
def test_a_correction_of_a_line_without_a_standing_event_is_refused(line: int) -> None:
    """Cases: the header, an undone event, an undo, a correct, the line itself, missing lines."""
    ledger = ledger_of(add("left", 5), add("left", 1), UNDO, correct(2, add("left", 6)))
    assert refused(ledger, correct(line, add("left", 1))) == "CT-6"


@pytest.mark.parametrize(
    "fields",
    [
        {"event": "correct"},
        {"event": "correct", "line": 2},
        {"event": "correct", "with": add("left", 1)},
        correct(2, None),
        correct(2, [add("left", 1)]),
        correct(2, {}),
        correct(2, {"event": 7}),
        correct(2, {"event": None}),
        {"event": "correct", "line": True, "with": add("left", 1)},
        {"event": "correct", "line": 2.0, "with": add("left", 1)},
        {"event": "correct", "line": "2", "with": add("left", 1)},
        {"event": "correct", "line": None, "with": add("left", 1)},
    ],
)
def test_a_malformed_correction_is_refused(fields: dict[str, Any]) -> None:
    assert refused(ledger_of(add("left", 5)), fields) == "CT-3"


@pytest.mark.parametrize("fields", [None, 3, "undo", [UNDO]])
def test_what_is_no_object_is_refused_like_an_unknown_event(fields: object) -> None:
    assert refused(ledger_of(), fields) == "CT-2"


def test_free_fields_reach_the_journal_but_not_the_rules() -> None:
    ledger = ledger_of(add("left", 5, at="2026-01-01T20:00:00+01:00", by="camera", note="cocked twice"))
    assert ledger.events[0].fields["by"] == "camera"
    ledger.commit(ledger.propose({**UNDO, "by": "touch", "note": None}))
    assert ledger.events == ()


def test_a_game_says_whether_amendments_may_have_unlisted_fields() -> None:
    """FC-18.2 refuses them; NBA-1.2, HB-1.2 and OC-1.2 ignore them."""
    undo, more = {**UNDO, "side": "left"}, {**correct(2, add("left", 1)), "side": "left"}
    assert ledger_of(add("left", 5)).propose(undo).state.left == 0
    assert ledger_of(add("left", 5)).propose(more).state.left == 1
    strict = ledger_of(add("left", 5), strict=True)
    assert refused(strict, undo) == "CT-3"
    assert refused(strict, more) == "CT-3"
    assert strict.propose({**UNDO, "at": "x"}).state.left == 0


@pytest.mark.parametrize("event", [UNDO, correct(2, add("left", 1))])
def test_an_event_is_not_corrected_into_an_amendment(event: dict[str, Any]) -> None:
    assert refused(ledger_of(add("left", 5)), correct(2, event)) == "CT-7"


def test_a_stale_proposal_is_not_committed() -> None:
    ledger = ledger_of(add("left", 5))
    first, second = ledger.propose(add("left", 1)), ledger.propose(UNDO)
    ledger.commit(first)
    with pytest.raises(StaleProposal):
        ledger.commit(second)
    with pytest.raises(StaleProposal):
        ledger.commit(first)
    with pytest.raises(StaleProposal):
        ledger_of(add("left", 5)).commit(ledger.propose(UNDO))
    assert ledger.state.left == 6


def test_a_header_that_the_game_does_not_take_is_refused() -> None:
    with pytest.raises(Refusal) as caught:
        Ledger(CountingGame(), {**header(), "game": "chess"})
    assert caught.value.rule == "CT-1"
