"""Selection of the next lines to send, with a hub that loses, repeats, reorders, stops, or is restored from a
backup."""

from __future__ import annotations

import json
from random import Random

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from companion.journal.codec import CHAIN_START, chain_links
from companion.journal.store import StoredJournal
from companion.link.sender import MAX_LINES_IN_FLIGHT, MAX_RETRY_INTERVAL_S, JournalSender
from companion.messages.wire import JournalLines, Receipt, Receipts

HEADER = json.dumps({"tournament": {"tournament": "x", "match": "m"}})
PRIVATE = json.dumps({"game": "nba"})


class FakeStore:
    """A store: journals as lists of lines."""

    def __init__(self) -> None:
        self.journals: dict[int, list[bytes]] = {}

    def create_journal(self, header: str = HEADER) -> int:
        epoch = len(self.journals) + 1
        self.journals[epoch] = [header.encode()]
        return epoch

    def kept(self, after: int = 0) -> list[StoredJournal]:
        return [
            StoredJournal(str(epoch), epoch, lines[0].decode(), len(lines), False)
            for epoch, lines in self.journals.items()
            if epoch > after
        ]

    def read(self, id: str, after: int, most: int, most_bytes: int) -> list[bytes]:
        return self.journals[int(id)][after : after + most]

    def sender(self) -> JournalSender:
        made = JournalSender(self.read)
        made.add_journals(self.kept())
        return made

    def report_to(self, sender: JournalSender) -> None:
        for epoch, lines in self.journals.items():
            if any(cursor.epoch == epoch for cursor in sender.cursors):
                sender.extend(epoch, len(lines), False)
        sender.add_journals(self.kept(sender.newest_epoch))


class FakeInbox:
    """Accepts lines in their order, as the inbox does."""

    def __init__(self) -> None:
        self.journals: dict[int, list[bytes]] = {}

    def accept(self, batch: JournalLines) -> Receipt:
        kept = self.journals.setdefault(batch.epoch, [])
        chain = [CHAIN_START, *chain_links(CHAIN_START, kept)]
        if batch.seq <= len(kept) + 1 and chain[batch.seq - 1] == batch.before:
            kept += batch.lines[len(kept) + 1 - batch.seq :]
        return self.receipt(batch.epoch)

    def receipt(self, epoch: int) -> Receipt:
        kept = self.journals.get(epoch, [])
        return Receipt(epoch=epoch, seq=len(kept), chain=chain_links(CHAIN_START, kept)[-1] if kept else CHAIN_START)

    def all(self) -> Receipts:
        return Receipts(hub="h", receipts=tuple(self.receipt(epoch) for epoch in self.journals), all=True)


class SenderMachine(RuleBasedStateMachine):
    """After any sequence of faults, once the system settles, the hub has all lines of the card."""

    @initialize()
    def start(self) -> None:
        self.card, self.hub, self.now = FakeStore(), FakeInbox(), 0.0
        self.sender = self.card.sender()
        self.way_up: list[JournalLines] = []
        self.way_down: list[Receipts] = []
        self.backup: dict[int, list[bytes]] = {}

    @rule()
    def match_begins(self) -> None:
        if len(self.card.journals) < 5:
            self.card.create_journal()
            self.card.report_to(self.sender)

    @rule(count=st.integers(1, 500), which=st.integers(0, 4))
    def play(self, count: int, which: int) -> None:
        if self.card.journals:
            lines = list(self.card.journals.values())[which % len(self.card.journals)]
            lines += [json.dumps({"event": "x", "n": len(lines) + n}).encode() for n in range(count)]
            self.card.report_to(self.sender)

    @rule()
    def send(self) -> None:
        self.way_up += self.sender.next_lines(self.now)

    @rule(seed=st.integers(0, 1000))
    def arrive_in_any_order_some_twice_some_never(self, seed: int) -> None:
        random = Random(seed)
        delivered = [each for each in self.way_up for _ in range(random.choice((0, 1, 1, 1, 2)))]
        random.shuffle(delivered)
        self.way_up = []
        for lines in delivered:
            self.way_down.append(Receipts(hub="h", receipts=(self.hub.accept(lines),)))

    @rule(seed=st.integers(0, 1000))
    def answers_arrive(self, seed: int) -> None:
        random = Random(seed)
        random.shuffle(self.way_down)
        for receipts in self.way_down:
            if random.random() < 0.8:
                self.sender.accept_receipts(receipts, self.now)
        self.way_down = []

    @rule(seconds=st.sampled_from([0.1, 1.0, 10.0, MAX_RETRY_INTERVAL_S]))
    def time_passes(self, seconds: float) -> None:
        self.now += seconds

    @rule()
    def table_restarts(self) -> None:
        self.sender = self.card.sender()

    @rule()
    def hub_makes_a_backup(self) -> None:
        self.backup = {epoch: list(lines) for epoch, lines in self.hub.journals.items()}

    @rule()
    def hub_is_restored(self) -> None:
        self.hub.journals = {epoch: list(lines) for epoch, lines in self.backup.items()}
        self.way_down = []
        self.sender.request_receipts()

    @rule()
    def table_asks(self) -> None:
        self.sender.accept_receipts(self.hub.all(), self.now)

    @invariant()
    def nothing_wrong_is_ever_kept(self) -> None:
        for epoch, kept in self.hub.journals.items():
            assert kept == self.card.journals[epoch][: len(kept)]

    @invariant()
    def the_window_is_kept(self) -> None:
        assert sum(max(0, each.sent - each.acknowledged) for each in self.sender.cursors) <= MAX_LINES_IN_FLIGHT

    def teardown(self) -> None:
        if not hasattr(self, "card"):
            return
        self.sender.request_receipts()
        self.sender.accept_receipts(self.hub.all(), self.now)
        for _ in range(200):
            if not self.sender.waiting:
                break
            for lines in self.sender.next_lines(self.now):
                self.sender.accept_receipts(Receipts(hub="h", receipts=(self.hub.accept(lines),)), self.now)
        assert self.hub.journals == {epoch: lines for epoch, lines in self.card.journals.items() if lines}
        assert not self.sender.has_foreign_lines


TestSender = SenderMachine.TestCase
TestSender.settings = settings(max_examples=60, stateful_step_count=40)


def test_nothing_goes_before_the_hub_has_said_what_it_has() -> None:
    card = FakeStore()
    card.create_journal()
    sender = card.sender()
    assert sender.next_lines(0) == []
    sender.accept_receipts(Receipts(hub="h", receipts=()), 0)
    assert sender.next_lines(0) == [], "one answer is not the whole"
    sender.accept_receipts(Receipts(hub="h", receipts=(), all=True), 0)
    assert [lines.seq for lines in sender.next_lines(0)] == [1]


def test_what_is_not_of_a_tournament_never_goes() -> None:
    card = FakeStore()
    for header in (PRIVATE, "[]", "no json", json.dumps({"tournament": {"tournament": 1, "match": "m"}})):
        card.create_journal(header)
    sender = card.sender()
    sender.accept_receipts(Receipts(hub="h", receipts=(), all=True), 0)
    assert (sender.next_lines(0), sender.waiting) == ([], 0)


def test_the_match_that_is_played_goes_first() -> None:
    card = FakeStore()
    for _ in range(3):
        card.create_journal()
    sender = card.sender()
    sender.accept_receipts(Receipts(hub="h", receipts=(), all=True), 0)
    assert [lines.epoch for lines in sender.next_lines(0)] == [3, 2, 1]


def test_patience_grows_and_an_answer_restores_it() -> None:
    card = FakeStore()
    card.create_journal()
    sender, hub = card.sender(), FakeInbox()
    sender.accept_receipts(hub.all(), 0)
    sent = []
    for second in range(200):
        sent += [(second, lines) for lines in sender.next_lines(float(second))]
    times = [second for second, _ in sent]
    assert times == [0, 3, 9, 21, 45, 93, 153]
    sender.accept_receipts(Receipts(hub="h", receipts=(hub.accept(sent[0][1]),)), 200.0)
    assert sender.waiting == 0


def test_a_hub_that_takes_its_time_is_not_sent_everything_twice() -> None:
    """Answers are five seconds late: only the first lines are sent twice."""
    card, hub, under_way, messages = FakeStore(), FakeInbox(), list[tuple[float, JournalLines]](), list[JournalLines]()
    epoch = card.create_journal()
    sender = card.sender()
    sender.accept_receipts(hub.all(), 0)
    for tenth in range(1200):
        now = tenth / 10
        card.journals[epoch].append(b'{"event": "x"}')
        card.report_to(sender)
        while under_way and under_way[0][0] <= now:
            sender.accept_receipts(Receipts(hub="h", receipts=(hub.accept(under_way.pop(0)[1]),)), now)
        messages += (sent := sender.next_lines(now))
        under_way += [(now + 5.0, lines) for lines in sent]
    again = [lines.seq for at, lines in enumerate(messages) if lines.seq in {each.seq for each in messages[:at]}]
    assert again == [1]
    assert 20 < len(messages) < 30


def test_a_hub_that_is_quick_again_is_soon_waited_for_no_longer_than_usual() -> None:
    card, hub = FakeStore(), FakeInbox()
    epoch = card.create_journal()
    sender = card.sender()
    sender.accept_receipts(hub.all(), 0)

    def play(now: float, answered: float) -> None:
        card.journals[epoch].append(b'{"event": "x"}')
        card.report_to(sender)
        for lines in sender.next_lines(now):
            sender.accept_receipts(Receipts(hub="h", receipts=(hub.accept(lines),)), answered)

    play(0.0, 2.9)
    play(3.0, 8.0)
    play(10.0, 10.1)
    card.journals[epoch].append(b'{"event": "lost"}')
    card.report_to(sender)
    times = [second for second in range(20, 40) if sender.next_lines(float(second))]
    assert times[:2] == [20, 23]


def test_another_cards_lines_under_this_name_are_noticed_and_ours_go_whole() -> None:
    card = FakeStore()
    epoch = card.create_journal()
    card.journals[epoch] += [b'{"event": "ours"}']
    sender = card.sender()
    theirs = chain_links(CHAIN_START, [HEADER.encode(), b'{"event": "theirs"}'])[-1]
    sender.accept_receipts(Receipts(hub="h", receipts=(Receipt(epoch=epoch, seq=2, chain=theirs),), all=True), 0)
    assert sender.has_foreign_lines
    assert [(lines.seq, len(lines.lines)) for lines in sender.next_lines(0)] == [(1, 2)]


def test_a_journal_that_the_hub_does_not_take_waits_for_nobody() -> None:
    card = FakeStore()
    first, second = card.create_journal(), card.create_journal()
    sender, hub = card.sender(), FakeInbox()
    sender.accept_receipts(hub.all(), 0)
    sender.next_lines(0)
    refused = Receipt(epoch=first, seq=0, chain=CHAIN_START, problem="too_long")
    sender.accept_receipts(Receipts(hub="h", receipts=(refused,)), 0)
    assert sender.waiting == 1
    assert [each.epoch for each in sender.next_lines(100.0)] == [second]


def test_lines_that_come_while_others_are_under_way_go_together_when_those_are_answered() -> None:
    card, hub = FakeStore(), FakeInbox()
    epoch, other = card.create_journal(), card.create_journal()
    sender = card.sender()
    sender.accept_receipts(hub.all(), 0)
    under_way = sender.next_lines(0)
    for number in range(5):
        card.journals[epoch].append(b'{"event": "x"}')
        card.report_to(sender)
        assert sender.next_lines(0.1 * number) == []
    card.journals[other] += [b'{"event": "y"}']
    for lines in under_way:
        if lines.epoch == epoch:
            sender.accept_receipts(Receipts(hub="h", receipts=(hub.accept(lines),)), 0.5)
    assert [(lines.epoch, lines.seq, len(lines.lines)) for lines in sender.next_lines(0.5)] == [(epoch, 2, 5)]
