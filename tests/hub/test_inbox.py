"""Received lines are stored byte for byte, once and in order, regardless of the order of arrival."""

from __future__ import annotations

import gc
import json
import tracemalloc
from collections.abc import Callable, Iterable
from random import Random

import pytest
from msgspec import structs

from companion.hub.core import Core
from companion.hub.journals import LruCache
from companion.hub.match_replay import MatchReplay
from companion.journal.codec import CHAIN_START, chain_links
from companion.journal.store import StoredJournal
from companion.link.sender import JournalSender
from companion.messages.wire import JournalLines, Receipt, Receipts
from tests.hub.core_kit import StoredTableJournal, pieces, played
from tests.journal.counting_game import UNDO, add, correct, header


def as_receipts(receipts: Iterable[Receipt], *, all: bool = False) -> Receipts:
    """Return receipts as sent on the wire."""
    return Receipts(hub="h", receipts=tuple(structs.replace(each, table="") for each in receipts), all=all)


def counting(table: str = "t1", epoch: int = 100, lines: int = 6) -> StoredTableJournal:
    card = StoredTableJournal(table, epoch)
    card.write(header(), *(add("left" if at % 2 else "right", at + 1) for at in range(lines - 1)))
    return card


@pytest.mark.parametrize("game", ["footclub", "hoops21", "nba", "occasion"])
def test_a_match_comes_line_by_line_and_is_there_byte_for_byte(core: Core, game: str) -> None:
    card = played("t1", 100, game, seed=5, amended=0.05)
    for seq in range(1, len(card.lines) + 1):
        (receipt,) = core.inbox.accept([card.batch(seq, seq)])
        assert (receipt.seq, card.agrees(receipt)) == (seq, True)
    assert core.views.journal("t1", 100) == card.file
    live = core.views.live("t1")
    assert live is not None
    assert live.over
    assert live.journal.refused_line is None
    assert core.views.notices() == ()


def test_repeats_and_overlaps_are_harmless(core: Core) -> None:
    card = played("t1", 100, "hoops21", seed=1)
    random = Random(3)
    for batch in pieces(card, random):
        for _ in range(3):
            core.inbox.accept([batch, batch])
    core.inbox.accept([card.batch()])
    assert core.views.journal("t1", 100) == card.file
    assert [row.branch for row in core.views.journals()] == [0]


def test_what_comes_before_its_turn_waits(core: Core) -> None:
    card = counting(lines=12)
    (receipt,) = core.inbox.accept([card.batch(5, 8)])
    assert (receipt.seq, receipt.chain) == (0, CHAIN_START)
    assert core.views.live("t1") is None
    core.inbox.accept([card.batch(9, 12)])
    (receipt,) = core.inbox.accept([card.batch(1, 3)])
    assert receipt.seq == 3
    (receipt,) = core.inbox.accept([card.batch(4, 4)])
    assert receipt.seq == 12
    assert core.views.journal("t1", 100) == card.file


def test_any_order_of_any_pieces_comes_to_the_same(core: Core) -> None:
    cards = [played(f"t{number}", 100 + number, "hoops21", number) for number in (1, 2, 3)]
    random = Random(7)
    batches = [batch for card in cards for batch in pieces(card, random, most=40)] * 2
    random.shuffle(batches)
    while batches:
        count = random.randrange(1, 6)
        core.inbox.accept(batches[:count])
        del batches[:count]
    # The receipts request the lines that were dropped because they exceeded the hub's buffer.
    for card in cards:
        (receipt,) = core.inbox.receipts(card.table)
        core.inbox.accept([card.batch(min(receipt.seq + 1, len(card.lines)))])
        assert core.views.journal(card.table, card.epoch) == card.file


def test_a_copied_card_is_kept_apart_and_the_organiser_is_told(core: Core) -> None:
    card = counting(lines=6)
    twin = card.copy()
    card.write(add("left", 3), add("right", 2))
    twin.write(add("left", 4), add("right", 1), add("right", 1))
    core.inbox.accept([card.batch()])
    receipts = core.inbox.accept([twin.batch(7)])
    assert [(each.branch, each.seq) for each in receipts] == [(0, 8), (1, 9)]
    assert [card.agrees(each) for each in receipts] == [True, False]
    assert [twin.agrees(each) for each in receipts] == [False, True]
    card.write(add("left", 1))
    twin.write(add("right", 5))
    core.inbox.accept([twin.batch(10), card.batch(9)])
    assert core.views.journal("t1", 100) == card.file
    assert core.views.journal("t1", 100, branch=1) == twin.file
    (notice,) = core.views.notices()
    assert (notice.kind, notice.table, notice.epoch) == ("copied_card", "t1", 100)
    assert notice.message.args == {"table": core.tables.number_of("t1")}


def test_a_copied_card_that_comes_later_never_continues_the_first(core: Core) -> None:
    """The copy's line after the fork arrives before the first card's own line of that number."""
    card, twin = counting(lines=4), counting(lines=4)
    card.write(add("left", 1))
    twin.write(add("left", 2), add("left", 3))
    core.inbox.accept([card.batch()])
    core.inbox.accept([twin.batch(6)])
    card.write(add("left", 9))
    core.inbox.accept([card.batch(6)])
    assert core.views.journal("t1", 100) == card.file
    core.inbox.accept([twin.batch(5, 5)])
    assert core.views.journal("t1", 100, branch=1) == twin.file


@pytest.mark.parametrize("ahead", [1, 250])
def test_a_card_that_is_the_beginning_of_its_copy_hears_that_everything_came(core: Core, ahead: int) -> None:
    """A card cannot recognise the end of the longer journal: its own lines and confirmation are acknowledged too."""
    card = counting(lines=420)
    twin = card.copy()
    twin.write(*(add("left", 1) for _ in range(ahead)))
    core.inbox.accept([twin.batch()])

    def read(id: str, after: int, most: int, most_bytes: int) -> list[bytes]:
        return card.lines[after : after + most]

    sender = JournalSender(read)
    header = '{"tournament": {"tournament": "x", "match": "m"}}'
    sender.add_journals([StoredJournal("j", card.epoch, header, len(card.lines), True)])
    sender.accept_receipts(as_receipts(core.inbox.receipts("t1"), all=True), 0.0)
    assert sender.has_foreign_lines
    rounds = 0
    while sent := sender.next_lines(0.0):
        rounds += 1
        batches = [structs.replace(each, table="t1") for each in sent]
        sender.accept_receipts(as_receipts(core.inbox.accept(batches)), 0.0)
    assert (sender.waiting, rounds) == (0, 1)
    sender.accept_receipts(as_receipts(core.inbox.accept([], [card.confirmation()])), 0.0)
    (cursor,) = sender.cursors
    assert (cursor.acknowledged, cursor.confirmed) == (len(card.lines), len(card.lines))
    assert [row.seq for row in core.views.journals()] == [len(twin.lines)]


def test_the_organiser_chooses_which_copy_counts(core: Core) -> None:
    card = counting(lines=4)
    twin = card.copy()
    card.write(add("left", 1))
    twin.write(add("left", 2))
    core.inbox.accept([card.batch()])
    core.inbox.accept([twin.batch()])
    core.tournaments.choose_branch("t1", 100, 1, "Olga")
    assert core.views.journal("t1", 100) == twin.file
    assert core.views.journal("t1", 100, branch=1) == card.file
    assert core.views.notices() == ()
    twin.write(add("left", 7))
    core.inbox.accept([twin.batch()])
    assert core.views.journal("t1", 100) == twin.file
    core.tournaments.choose_branch("t1", 100, 1, "Olga")
    assert core.views.journal("t1", 100) == card.file


def test_more_copies_than_anybody_makes_are_refused(core: Core) -> None:
    for number in range(9):
        card = counting(lines=3)
        card.write(add("left", number + 1))
        receipts = core.inbox.accept([card.batch()])
    assert receipts[-1].problem == "too_many_branches"
    assert len(core.views.journals("t1")) == 8


def test_a_line_that_breaks_a_rule_is_kept_and_told_of(core: Core) -> None:
    card = counting(lines=3)
    card.write({"event": "no such thing"}, add("left", 1))
    core.inbox.accept([card.batch(1, 3)])
    core.inbox.accept([card.batch(4)])
    assert core.views.journal("t1", 100) == card.file
    (row,) = core.views.journals("t1")
    assert row.refused_line == 4
    (notice,) = core.views.notices()
    assert notice.kind == "refused_line"
    live = core.views.live("t1")
    assert live is not None
    assert live.journal.seq == 5


@pytest.mark.parametrize("line", [b"\xff\xfe", b"{}", b"[1, 2]", b'{"journal": 1, "game": "chess"}', b"{" * 9000])
def test_bytes_that_are_no_journal_are_kept_and_stop_nobody(core: Core, line: bytes) -> None:
    card = StoredTableJournal("t1", 100, [line, b'{"event": "undo"}'])
    other = counting("t2", 200)
    core.inbox.accept([card.batch(), other.batch()])
    assert core.views.journal("t1", 100) == card.file
    assert core.views.journal("t2", 200) == other.file
    live = core.views.live("t1")
    assert live is not None
    assert live.journal.refused_line == 1


def test_batches_that_cannot_be_are_refused_whole(core: Core) -> None:
    card = counting()
    wrong = [
        JournalLines(100, 0, CHAIN_START, (b"{}",), table="t1"),
        JournalLines(100, 1, CHAIN_START, (), table="t1"),
        JournalLines(0, 1, CHAIN_START, (b"{}",), table="t1"),
        JournalLines(2**60, 1, CHAIN_START, (b"{}",), table="t1"),
        JournalLines(100, 2, CHAIN_START, (b"{}",), table="t1"),
        JournalLines(100, 1, card.chain(1), (b"{}",), table="t1"),
        JournalLines(100, 1, b"short", (b"{}",), table="t1"),
        JournalLines(100, 1, CHAIN_START, (b"{}\n{}",), table="t1"),
        JournalLines(100, 1, CHAIN_START, (b"",), table="t1"),
        JournalLines(100, 1, CHAIN_START, (b"{}",), table="nobody"),
        JournalLines(100, 1, CHAIN_START, (b" " + b"9" * (8 << 20),), table="t1"),
    ]
    receipts = core.inbox.accept(wrong)
    assert [each.problem for each in receipts] == ["malformed"] * 9 + ["unknown_table", "too_long"]
    assert core.views.journals() == ()


def test_a_removed_table_may_send_nothing_more(core: Core) -> None:
    card = counting()
    core.inbox.accept([card.batch(1, 3)])
    core.tables.remove("t1")
    (receipt,) = core.inbox.accept([card.batch(4)])
    assert receipt.problem == "unknown_table"
    assert len(core.views.journal("t1", 100).splitlines()) == 3


def test_undo_and_correction_show_in_the_story(core: Core) -> None:
    card = StoredTableJournal("t1", 100)
    card.write(header(), add("left", 1), add("left", 2), UNDO, add("left", 3), correct(2, add("right", 9)))
    for seq in range(1, 7):
        core.inbox.accept([card.batch(seq, seq)])
    assert [(each.line, each.status, each.side) for each in core.views.story("t1", 100)] == [
        (2, "corrected", "right"),
        (3, "undone", "left"),
        (5, "stands", "left"),
    ]


def test_a_field_that_no_game_reads_is_no_side(core: Core) -> None:
    """Three of the games ignore unknown fields; the column of sides takes 40 characters."""
    card = played("t1", 100, "hoops21", seed=2)
    first, second = card.lines[:2]
    card.lines = [first, json.dumps(json.loads(second) | {"team": "x" * 100}).encode()]
    core.inbox.accept([card.batch()])
    assert [each.side for each in core.views.story("t1", 100)] == [None]


def test_an_older_copy_of_the_database_is_filled_again(opened: Callable[[], Core]) -> None:
    """The cursor is lower, and the table sends from there."""
    core = opened()
    core.tables.register("t1", 1)
    card = played("t1", 100, "hoops21", seed=2)
    core.inbox.accept([card.batch(1, 20)])
    # The newest transactions are lost with the disk; the table relies on the receipts only.
    (receipt,) = core.inbox.receipts("t1")
    core.inbox.accept([card.batch(60, 80)])
    again = opened()
    assert again.inbox.receipts("t1") == (receipt,)
    again.inbox.accept([card.batch(receipt.seq + 1)])
    assert again.views.journal("t1", 100) == card.file


def test_memory_does_not_grow_with_the_lines(core: Core) -> None:
    """The hub holds as much for a thousand lines as for the first hundreds; the rest is in the database."""
    card = StoredTableJournal("t1", 100)
    card.write(header(10**9), *(add("left", 1) for _ in range(1200)))
    chains = chain_links(CHAIN_START, card.lines)
    sizes = []
    tracemalloc.start()
    for first in range(1, 1200, 40):
        before = chains[first - 2] if first > 1 else CHAIN_START
        core.inbox.accept([JournalLines(100, first, before, tuple(card.lines[first - 1 : first + 39]), table="t1")])
        gc.collect()
        sizes.append(tracemalloc.get_traced_memory()[0])
    tracemalloc.stop()
    assert max(sizes[-10:]) - max(sizes[10:20]) < 50_000


def test_memory_does_not_grow_with_the_matches_of_a_table(core: Core) -> None:
    """Only the current match is kept in memory; receipts for older ones are computed again, correctly."""
    cards = [played("t1", 100 + number, "hoops21", seed=number) for number in range(30)]
    sizes = []
    tracemalloc.start()
    for card in cards:
        core.inbox.accept([card.batch()])
        gc.collect()
        sizes.append(tracemalloc.get_traced_memory()[0])
    tracemalloc.stop()
    assert max(sizes[-5:]) - max(sizes[5:10]) < 100_000
    cards[0].write({"event": "undo"})
    cards[-1].write({"event": "undo"})
    for card in (cards[0], cards[-1]):
        core.inbox.accept([card.batch(len(card.lines))])
        assert core.views.journal("t1", card.epoch) == card.file
        assert next(head for head in core.views.journals("t1") if head.epoch == card.epoch).over is False


def test_what_a_transaction_held_goes_with_it(core: Core) -> None:
    """References are freed at once, without the garbage collector, which runs less often as the hub holds more."""
    card = played("t1", 100, "hoops21", seed=2)
    gc.collect()
    before = _kept(MatchReplay)
    gc.disable()
    try:
        for first in (1, 6, 11):
            core.inbox.accept([card.batch(first, first + 4)])
        assert _kept(MatchReplay) == before + 1
    finally:
        gc.enable()


def _kept(kind: type) -> int:
    return sum(isinstance(each, kind) for each in gc.get_objects())


def test_what_is_kept_in_memory_is_bounded() -> None:
    newest: LruCache[int, str] = LruCache(3)
    for number in range(9):
        newest.put({number: str(number)})
        newest.get(0)
    assert (len(newest), newest.get(0), newest.get(8), newest.get(5)) == (3, "0", "8", None)
