"""The ledger compared with a simple model: after every step the model reads the whole journal again."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from companion.games.base import Refusal
from companion.journal.codec import encode_file
from companion.journal.ledger import Ledger, replay
from tests.journal.counting_game import GAMES, SWAP, UNDO, CountingGame, add, correct, header, take_back

TARGET = 40
SIDE = st.sampled_from(("left", "right"))
NUMBER = st.integers(1, 9)
EVENT = st.one_of(st.builds(add, SIDE, NUMBER), st.builds(take_back, SIDE, NUMBER), st.just(SWAP))


def naive(written: list[dict[str, Any]]) -> list[tuple[int, dict[str, Any]]] | str:
    """Return the effective list of a journal by its definition, or the rule that its last line breaks."""
    standing: list[tuple[int, dict[str, Any]]] = []
    for line, fields in enumerate(written, start=2):
        if fields["event"] == "undo":
            if not standing:
                return "CT-6"
            standing = standing[:-1]
        elif fields["event"] == "correct":
            if fields["line"] not in [kept for kept, _ in standing]:
                return "CT-6"
            standing = [(kept, fields["with"] if kept == fields["line"] else event) for kept, event in standing]
        else:
            standing = [*standing, (line, fields)]
        broken = first_broken([event for _, event in standing])
        if broken:
            return broken
    return standing


def first_broken(events: list[dict[str, Any]]) -> str | None:
    counts = {"left": 0, "right": 0}
    for event in events:
        if max(counts.values()) >= TARGET:
            return "CT-4"
        if event["event"] == "swap":
            counts = {"left": counts["right"], "right": counts["left"]}
            continue
        counts[event["side"]] += event["n"] if event["event"] == "add" else -event["n"]
        if counts[event["side"]] < 0:
            return "CT-5"
    return None


class LedgerAgainstModel(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.ledger = Ledger(CountingGame(), header(TARGET))
        self.written: list[dict[str, Any]] = []

    def write(self, fields: dict[str, Any]) -> None:
        expected = naive([*self.written, fields])
        if isinstance(expected, str):
            with pytest.raises(Refusal) as caught:
                self.ledger.propose(fields)
            assert caught.value.rule == expected
            return
        proposal = self.ledger.propose(fields)
        old = {event.line: event.outcome for event in self.ledger.events}
        self.ledger.commit(proposal)
        self.written.append(fields)
        assert self.ledger.state == proposal.state
        proposed_outcomes = {change.after.line: change.after.outcome for change in proposal.changes}
        differing = {e.line: e.outcome for e in self.ledger.events if e.line in old and old[e.line] != e.outcome}
        differing.pop(fields.get("line", 0), None)
        assert proposed_outcomes == differing

    @rule(event=EVENT)
    def happens(self, event: dict[str, Any]) -> None:
        self.write(event)

    @rule()
    def undone(self) -> None:
        self.write(UNDO)

    @rule(event=EVENT, line=st.integers(1, 30))
    def corrected(self, event: dict[str, Any], line: int) -> None:
        self.write(correct(line, event))

    @invariant()
    def agrees_with_the_model(self) -> None:
        expected = naive(self.written)
        assert [(event.line, event.fields) for event in self.ledger.events] == expected
        assert [(record.line, record.fields) for record in self.ledger.all_events] == [
            (line, fields) for line, fields in enumerate(self.written, start=2)
        ]
        assert {r.line for r in self.ledger.all_events if r.applied} == {e.line for e in self.ledger.events}

    def teardown(self) -> None:
        again = replay(encode_file(header(TARGET), self.written).splitlines(keepends=True), GAMES).ledger
        assert again.events == self.ledger.events
        assert again.state == self.ledger.state


LedgerAgainstModel.TestCase.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
TestLedgerAgainstModel = LedgerAgainstModel.TestCase
