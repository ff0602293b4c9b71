"""Data for the pages: live matches, stories, pictures, and changes."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.games.base import Message
from companion.games.registry import GAMES
from companion.hub import journals
from companion.hub.core import Core
from companion.hub.database import UnknownJournal, UnknownTournament
from companion.hub.match_replay import resume
from companion.journal.ledger import replay, replay_report
from companion.messages.wire import RollPicture
from companion.table.session import timeline
from companion.tournament import facts as fa
from tests.hub.core_kit import ALL_GAMES, StoredTableJournal, played
from tests.hub.desk_kit import ORGANISER, evening
from tests.journal.counting_game import add, header

JPEG = b"\xff\xd8\xff\xe0 a picture"


@pytest.mark.parametrize("game", list(GAMES))
def test_a_live_match_shows_what_its_replay_says(core: Core, game: str) -> None:
    card = played("t1", 100, game, seed=4)
    half = len(card.lines) // 2
    for last in (1, half, len(card.lines)):
        core.inbox.accept([card.batch(1, last)])
        live = core.views.live("t1")
        assert live is not None
        whole = replay(card.lines[:last], GAMES)
        report = replay_report(whole)
        state = whole.ledger.state
        assert live.score == {side: report["state"]["score"][side] for side in live.names}
        assert live.phase == report["state"]["phase"]
        assert live.over == GAMES[game].finished(state)
        if not live.over:
            decision = GAMES[game].decision(state)
            assert (live.decision, live.acting) == (decision.title, decision.sides)
        assert live.board == GAMES[game].scene(state).board
        messages = [GAMES[game].describe(e.state_after, e.fields, e.outcome) for e in whole.ledger.events]
        assert live.newest == (messages[-1] if messages else None)
        story = core.views.story("t1", 100)
        assert [line.message for line in story] == messages[:500]
        assert [line.side for line in story] == [row.side for row in timeline(GAMES[game], whole.ledger, ())][:500]
        if live.roll is not None:
            fields = next(e.fields for e in whole.ledger.events if e.line == live.roll.line)
            assert live.roll.dice == GAMES[game].dice_from_event(fields)


def test_a_story_is_read_on_from_a_line(core: Core) -> None:
    card = played("t1", 100, "hoops21", seed=4)
    core.inbox.accept([card.batch()])
    whole = core.views.story("t1", 100, most=10_000)
    first = core.views.story("t1", 100, most=50)
    rest = core.views.story("t1", 100, after=first[-1].line, most=10_000)
    assert first + rest == whole
    assert whole[0].at is not None


def test_the_newest_match_of_each_table_by_number(core: Core) -> None:
    core.tables.register("t9", 9)
    core.tables.register("t1", 10)
    for table, epoch in (("t1", 5), ("t9", 3), ("t9", 4), ("t2", 7)):
        core.inbox.accept([played(table, epoch, "hoops21", seed=epoch).batch(1, 5)])
    assert [(live.journal.table, live.journal.epoch) for live in core.views.lives()] == [
        ("t2", 7),
        ("t9", 4),
        ("t1", 5),
    ]
    assert core.views.live("t4") is None


def test_what_is_not_there(core: Core) -> None:
    for ask in (core.views.journal, core.views.story):
        with pytest.raises(UnknownJournal):
            ask("t1", 1)
    with pytest.raises(UnknownTournament):
        core.tournaments.state("none")
    assert core.views.match("none", "none") is None
    assert core.views.picture("t1", 1, 1) is None


def test_pictures_of_the_newest_roll_only(core: Core) -> None:
    card = played("t1", 100, "hoops21", seed=1)
    core.inbox.accept([card.batch()])
    live = core.views.live("t1")
    assert live is not None
    assert live.roll is not None
    line = live.roll.line
    assert core.inbox.store_picture(RollPicture(100, line - 1, "die", JPEG, 0, table="t1"))
    assert core.inbox.store_picture(RollPicture(100, line, "die", JPEG, 0, table="t1"))
    assert core.inbox.store_picture(RollPicture(100, line, "die", JPEG + b"2", 1, table="t1"))
    assert not core.inbox.store_picture(RollPicture(100, line, "die", JPEG, 0, table="t1"))
    assert not core.inbox.store_picture(RollPicture(100, line - 1, "die", JPEG, 2, table="t1"))
    assert not core.inbox.store_picture(RollPicture(100, line, "die", b"<html>", 3, table="t1"))
    assert not core.inbox.store_picture(RollPicture(100, line, "die", JPEG + bytes(600_000), 3, table="t1"))
    assert not core.inbox.store_picture(RollPicture(999, line, "die", JPEG, 3, table="t1"))
    live = core.views.live("t1")
    assert live is not None
    assert live.roll is not None
    assert [core.views.picture("t1", 100, number) for number in live.roll.pictures] == [JPEG, JPEG + b"2"]


def test_changes_are_told_once_and_merged(core: Core) -> None:
    card = StoredTableJournal("t1", 5)
    card.write(header(), add("left", 1), add("left", 2))
    begun = core.views.revision()
    nothing = core.views.changes_after(begun)
    assert (nothing.journals, nothing.tables, nothing.tournaments, nothing.notices, nothing.all) == (
        frozenset(),
        frozenset(),
        frozenset(),
        False,
        False,
    )
    for seq in (1, 2, 3):
        core.inbox.accept([card.batch(seq, seq)])
    changes = core.views.changes_after(begun)
    assert (changes.journals, changes.revision) == ({("t1", 5)}, begun + 3)
    cup = evening(core)
    changes = core.views.changes_after(changes.revision)
    assert (changes.tournaments, changes.journals) == ({cup.id}, frozenset())
    core.inbox.accept([card.batch()])
    assert core.views.changes_after(changes.revision).revision == changes.revision


def test_revisions_grow_over_a_restart(core: Core, opened: Callable[[], Core]) -> None:
    evening(core)
    before = core.views.revision()
    again = opened()
    assert again.views.revision() >= before
    assert not again.views.changes_after(before).all
    assert again.views.changes_after(again.views.revision() + 10**9).all
    assert again.views.revision() < 2**53


def test_listeners_hear_of_what_is_on_the_disk(core: Core) -> None:
    heard: list[tuple[int, bool]] = []
    card = StoredTableJournal("t1", 5)
    card.write(header(), add("left", 1))
    stop = core.views.listen(lambda revision: heard.append((revision, core.views.live("t1") is not None)))
    core.inbox.accept([card.batch()])
    core.inbox.accept([card.batch()])
    stop()
    core.tables.register("t4", 40)
    assert heard == [(core.views.revision() - 1, True)]


def test_messages_are_read_as_they_were_written() -> None:
    message = Message("a.b", {"n": 3, "who": Message("c.d", {"name": "Zoé", "share": 0.5}), "none": None, "on": True})
    assert journals.parse_message(journals.message_text(message)) == message
    with pytest.raises(ValueError, match="no message"):
        journals.parse_message("[]")


def test_a_copied_card_shows_the_match_that_counts(core: Core) -> None:
    card = StoredTableJournal("t1", 5)
    card.write(header(), add("left", 1))
    twin = card.copy()
    card.write(add("left", 2))
    twin.write(add("right", 5))
    core.inbox.accept([card.batch()])
    core.inbox.accept([twin.batch()])
    notice = core.views.notices()[0]
    assert core.tournaments.dismiss(notice.id, ORGANISER)
    assert not core.tournaments.dismiss(notice.id, ORGANISER)
    assert core.views.notices() == ()
    (closed,) = core.views.notices(closed=True)
    assert closed.closed_by == ORGANISER
    live = core.views.live("t1")
    assert live is not None
    assert live.journal.branch == 0
    assert live.board == ALL_GAMES["counting"].scene(resume(card.lines, ALL_GAMES).state).board


def test_the_desk_proposes_and_plans(core: Core) -> None:
    cup = evening(core)
    calls = [fact for fact in core.tournaments.proposals(cup.id) if isinstance(fact, fa.Call)]
    assert [call.table for call in calls] == [1, 2]
    for call in calls:
        cup.decide(call)
    assert {slot.table for slot in core.tournaments.schedule(cup.id).slots if slot.playing} == {1, 2}
    assignment = core.tournaments.assignment("t1")
    assert assignment is not None
    assert (assignment.tournament, assignment.match) == (cup.id, calls[0].match)
    assert core.tournaments.assignment("t4") is None
    assert core.tournaments.assignment("unknown") is None
    (row,) = core.tournaments.all()
    assert (row.id, row.name, row.under_review, row.over) == (cup.id, "Cup", False, False)
