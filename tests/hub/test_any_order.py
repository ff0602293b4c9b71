"""Hypothesis test: journals of several tables, repeated, in any order, with gaps, restarts and a copied card."""

from __future__ import annotations

import shutil
import tempfile
from functools import cache
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from companion.clock import ManualClock
from companion.hub import match_replay
from companion.hub.core import Core, open_core
from companion.messages.wire import JournalLines
from tests.hub.conftest import START as EVENING
from tests.hub.core_kit import ALL_GAMES, StoredTableJournal
from tests.journal.counting_game import UNDO, add, correct, header

CARD = st.integers(0, 3)
"""Two tables with a journal each, a second journal of the first table, and a copy of its first card."""
LINE_COUNT = st.integers(1, 12)


@cache
def template() -> Path:
    """Create a database with the tables, once."""
    path = Path(tempfile.mkdtemp(prefix="tapis-vert-hub-")) / "hub.sqlite"
    core = open_core(f"sqlite:///{path}", ALL_GAMES, ManualClock(EVENING))
    core.tables.register("t1", 1)
    core.tables.register("t2", 2)
    core.close()
    return path


class InboxMachine(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="tapis-vert-hub-"))
        self.path = self.folder / "hub.sqlite"
        shutil.copy(template(), self.path)
        self.backup = self.path.read_bytes()
        self.core = self.open()
        first = header(10**6)
        self.cards = [
            StoredTableJournal("t1", 10),
            StoredTableJournal("t2", 10),
            StoredTableJournal("t1", 11),
            StoredTableJournal("t1", 10),
        ]
        for card in self.cards:
            card.write(first)
        self.sent: list[JournalLines] = []
        self.copied = False

    def open(self) -> Core:
        return open_core(f"sqlite:///{self.path}", ALL_GAMES, ManualClock(EVENING))

    @rule(which=CARD, n=LINE_COUNT, undo=st.booleans())
    def write(self, which: int, n: int, undo: bool) -> None:
        card = self.cards[which]
        if which == 3 and not self.copied:
            card.lines = list(self.cards[0].lines)
            self.copied = True
        card.write(add("left", n, note=f"card {which}"))
        if undo:
            card.write(UNDO)

    @rule(which=CARD, line=st.integers(2, 20), n=LINE_COUNT)
    def write_correction(self, which: int, line: int, n: int) -> None:
        self.cards[which].write(correct(line, add("right", n)))

    @rule(which=CARD, first=st.integers(1, 40), count=LINE_COUNT, repeat=st.integers(1, 3))
    def send(self, which: int, first: int, count: int, repeat: int) -> None:
        card = self.cards[which]
        if which == 3 and not self.copied:
            return
        first = min(first, len(card.lines))
        batch = card.batch(first, first + count - 1)
        self.sent.append(batch)
        self.core.inbox.accept([batch] * repeat)

    @rule(number=st.integers(0, 200))
    def send_again(self, number: int) -> None:
        if self.sent:
            self.core.inbox.accept([self.sent[number % len(self.sent)]])

    @rule()
    def restart(self) -> None:
        self.core.close()
        self.core = self.open()

    @rule()
    def back_up(self) -> None:
        self.core.close()
        self.backup = self.path.read_bytes()
        self.core = self.open()

    @rule()
    def restore(self) -> None:
        self.core.close()
        self.path.write_bytes(self.backup)
        self.core = self.open()

    @rule(which=CARD)
    def follow_receipts(self, which: int) -> None:
        if which != 3 or self.copied:
            self.send_all(self.cards[which])

    def send_all(self, card: StoredTableJournal) -> None:
        """Send like a table: from the hub's cursor on, or from the start if the receipts are for another card."""
        receipts = [each for each in self.core.inbox.receipts(card.table) if each.epoch == card.epoch]
        own = [each for each in receipts if card.agrees(each)]
        first = max((each.seq for each in own), default=0) + 1
        if first <= len(card.lines):
            self.core.inbox.accept([card.batch(first)])
        stored_rows = [row for row in self.core.views.journals(card.table) if row.epoch == card.epoch]
        # Lines that a copy wrote beyond this card's end do not contradict this card: one journal contains both.
        assert any(self.holds(row.branch, card) for row in stored_rows)

    @invariant()
    def every_journal_is_the_beginning_of_a_card(self) -> None:
        for row in self.core.views.journals():
            kept = self.core.views.journal(row.table, row.epoch, row.branch)
            assert kept.count(b"\n") == row.seq
            assert any(
                card.file.startswith(kept) and card.chain(row.seq) == row.chain
                for card in self.cards
                if (card.table, card.epoch) == (row.table, row.epoch)
            )

    def teardown(self) -> None:
        for card in self.cards[:3] + (self.cards[3:] if self.copied else []):
            self.send_all(card)
        for card in self.cards[:3]:
            self.compare(card)
        self.core.close()
        shutil.rmtree(self.folder)

    def compare(self, card: StoredTableJournal) -> None:
        """Compare the hub's incremental state of a match with a full replay of its lines."""
        head = next(
            row
            for row in self.core.views.journals(card.table)
            if row.epoch == card.epoch and row.seq >= len(card.lines) and self.holds(row.branch, card)
        )
        kept = self.core.views.journal(card.table, card.epoch, head.branch).splitlines()
        whole = match_replay.resume(kept, ALL_GAMES)
        assert head.refused_line == (whole.refused.line if whole.refused else None)
        newest = self.core.views.live(card.table)
        if newest is not None and newest.journal == head:
            assert newest.board == ALL_GAMES["counting"].scene(whole.state).board

    def holds(self, branch: int, card: StoredTableJournal) -> bool:
        return self.core.views.journal(card.table, card.epoch, branch).startswith(card.file)


InboxMachine.TestCase.settings = settings(
    max_examples=25, stateful_step_count=30, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
TestEvening = InboxMachine.TestCase
