"""Data deleted on request or after the retention time is erased from the file too and does not come back."""

from __future__ import annotations

import gc
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.clock import ManualClock
from companion.hub.core import Core
from companion.hub.database import UnknownTournament
from companion.hub.match_replay import MatchReplay
from companion.hub.models import LiveMatch
from companion.hub.retention import RetentionTerms
from companion.messages.wire import RollPicture
from companion.tournament import facts as fa
from tests.hub.core_kit import StoredTableJournal, played
from tests.hub.desk_kit import RunningTournament, evening, score_of

DAY = 24 * 3600
JPEG = b"\xff\xd8\xff\xe0 a face"


@pytest.fixture
def cup(core: Core) -> RunningTournament:
    return evening(core)


def play_one(cup: RunningTournament, table: int = 1) -> tuple[str, StoredTableJournal]:
    match = next(
        match.id for match in cup.core.tournaments.progress(cup.id).matches.values() if match.status == "ready"
    )
    cup.call(match, table)
    card = cup.played(f"t{table}", seed=table)
    cup.send(card)
    return match, card


def forget_home(cup: RunningTournament, match: str) -> None:
    """Delete the name of the home entry, and with it the journal."""
    cup.core.retention.forget_entry(cup.id, str(cup.core.tournaments.progress(cup.id).matches[match].home), by="Olga")


def test_an_entry_is_forgotten_and_its_results_stay(cup: RunningTournament, opened: Callable[[], Core]) -> None:
    match, card = play_one(cup)
    core = cup.core
    entry = core.tournaments.progress(cup.id).matches[match].home
    assert entry is not None
    name = core.tournaments.state(cup.id).entries[entry].name
    assert name.encode() in core.views.journal("t1", card.epoch)
    core.retention.forget_entry(cup.id, entry, by="Olga")
    for core in (cup.core, opened()):
        assert core.tournaments.progress(cup.id).matches[match].score == score_of(card)
        assert core.tournaments.state(cup.id).entries[entry].name == "#" + entry.removeprefix("e")
        assert core.views.journal("t1", card.epoch) == b""
        assert core.views.story("t1", card.epoch) == ()
        live = core.views.live("t1")
        assert live is not None
        assert (live.names, live.journal.forgotten is None) == ({}, False)


def test_what_the_organiser_was_told_of_a_match_is_forgotten_with_its_names(cup: RunningTournament) -> None:
    match = next(iter(cup.core.tournaments.progress(cup.id).matches))
    cup.call(match, 1)
    card = cup.played("t1", seed=1)
    card.table = "t2"
    cup.send(card)
    assert cup.notices() == ["not_called_here"]
    forget_home(cup, match)
    assert cup.core.views.notices(closed=True) == ()


def test_what_was_forgotten_does_not_come_back(cup: RunningTournament) -> None:
    match, card = play_one(cup)
    forget_home(cup, match)
    cup.send(card)
    card.write({"event": "undo"})
    (receipt,) = cup.core.inbox.accept([card.batch()])
    assert (receipt.seq, card.agrees(receipt)) == (len(card.lines), True)
    assert cup.core.views.journal("t1", card.epoch) == b""
    assert cup.core.views.notices() == ()


def test_nothing_of_it_stays_in_memory(cup: RunningTournament) -> None:
    """This includes a match that was shown on a page."""
    match, _ = play_one(cup)
    live_match = cup.core.views.live("t1")
    assert live_match is not None
    names = set(live_match.names.values())
    del live_match
    forget_home(cup, match)
    gc.collect()
    kept = [
        each
        for each in gc.get_objects()
        if isinstance(each, (LiveMatch, MatchReplay)) and names & set(each.names.values())
    ]
    assert kept == []


def test_the_file_holds_no_byte_of_it(tmp_path: Path, cup: RunningTournament) -> None:
    """SQLite keeps it neither in free pages nor in the log."""
    _, card = play_one(cup)
    cup.core.inbox.store_picture(RollPicture(card.epoch, 5, "tray", JPEG, table="t1"))
    cup.core.retention.forget_tournament(cup.id, by="Olga")
    if cup.core.database.dialect == "sqlite":
        content = b"".join(path.read_bytes() for path in tmp_path.glob("hub.sqlite*"))
        assert content
        assert (b"Player 1" in content, b"Anna" in content, JPEG in content) == (False, False, False)
    assert {each.name for each in cup.core.tournaments.state(cup.id).entries.values()} == {"#1", "#2", "#3", "#4"}
    assert {each.by for each in cup.core.tournaments.trace(cup.id)} == {"", "t1"}
    assert cup.core.tournaments.all()[0].forgotten is not None


def test_everything_goes_after_its_time(cup: RunningTournament, clock: ManualClock) -> None:
    core = cup.core
    _, card = play_one(cup)
    free = played("t4", 3, "hoops21", seed=1)
    core.inbox.accept([free.batch()])
    core.inbox.store_picture(RollPicture(card.epoch, 5, "tray", JPEG, table="t1"))
    core.retention.set_terms(RetentionTerms(names_days=100, pictures_days=10))
    assert core.retention.terms() == RetentionTerms(100, 10)
    clock.advance(9 * DAY)
    assert core.retention.sweep() == 0
    clock.advance(2 * DAY)
    assert core.retention.sweep() == 1
    clock.advance(80 * DAY)
    cup.decide(fa.Table(4, False))
    clock.advance(30 * DAY)
    assert core.retention.sweep() == 1
    assert core.views.journal("t4", 3) == b""
    assert core.views.journal("t1", card.epoch) == card.file
    clock.advance(80 * DAY)
    assert core.retention.sweep() == 1
    assert core.views.journal("t1", card.epoch) == b""
    assert core.retention.sweep() == 0


def test_terms_of_nought_keep_for_ever(cup: RunningTournament, clock: ManualClock) -> None:
    _, card = play_one(cup)
    cup.core.retention.set_terms(RetentionTerms(0, 0))
    clock.advance(10_000 * DAY)
    assert cup.core.retention.sweep() == 0
    assert cup.core.views.journal("t1", card.epoch) == card.file


def test_pictures_go_on_demand(cup: RunningTournament) -> None:
    _, card = play_one(cup)
    for die in (0, 1):
        cup.core.inbox.store_picture(RollPicture(card.epoch, 5, "die", JPEG, die, table="t1"))
    assert cup.core.retention.forget_pictures("other", by="Olga") == 0
    assert cup.core.retention.forget_pictures(None, by="Olga") == 2


def test_only_what_is_there_is_forgotten(core: Core) -> None:
    with pytest.raises(UnknownTournament):
        core.retention.forget_tournament("none", by="Olga")
    with pytest.raises(UnknownTournament):
        core.retention.forget_entry("none", "e1", by="Olga")


def half_forgotten(cup: RunningTournament) -> tuple[str, StoredTableJournal]:
    """A player's name is deleted during the match at table 1; the rest of the match arrives confirmed."""
    match = next(iter(cup.core.tournaments.progress(cup.id).matches))
    cup.call(match, 1)
    card = cup.played("t1", seed=1)
    cup.core.inbox.accept([card.batch(1, 30)])
    forget_home(cup, match)
    cup.core.inbox.accept([card.batch(31)], [card.confirmation()])
    return match, card


def test_the_result_of_a_match_that_was_deleted_under_way_is_asked_of_the_organiser(cup: RunningTournament) -> None:
    match, card = half_forgotten(cup)
    (notice,) = cup.core.views.notices()
    assert notice.message.id == "tournament.hub.notice.deleted"
    assert notice.message.args["table"] == 1
    cup.send(card)
    cup.decide(fa.Table(4, False))
    assert [each.times for each in cup.core.views.notices()] == [1]
    seats = cup.core.tournaments.progress(cup.id).matches[match]
    cup.decide(fa.Result(match, seats.home or "", seats.away or "", score_of(card)))
    assert (cup.score(match), cup.notices()) == (score_of(card), [])
    cup.send(card)
    assert cup.notices() == []


def test_a_correction_of_a_deleted_journal_is_asked_of_the_organiser(cup: RunningTournament) -> None:
    match, card = play_one(cup)
    forget_home(cup, match)
    cup.send(card)
    assert cup.notices() == []
    card.write({"event": "undo"})
    cup.send(card)
    assert [each.message.id for each in cup.core.views.notices()] == ["tournament.hub.notice.deleted_since"]
    seats = cup.core.tournaments.progress(cup.id).matches[match]
    cup.decide(fa.Correct(match, seats.home or "", seats.away or "", (9, 0)), "asked at the table")
    cup.send(card)
    assert (cup.score(match), cup.notices()) == ((9, 0), [])


def test_what_is_said_of_a_deleted_journal_goes_with_the_other_names(cup: RunningTournament) -> None:
    half_forgotten(cup)
    assert "Player" in str(cup.core.views.notices()[0].message.args)
    cup.core.retention.forget_tournament(cup.id, by="Olga")
    assert cup.core.views.notices(closed=True) == ()


def test_what_is_decided_after_all_names_are_deleted_holds_none(
    cup: RunningTournament, core: Core, opened: Callable[[], Core]
) -> None:
    core.retention.forget_tournament(cup.id, by="Olga")
    cup.decide(fa.Enter("e5", "Zoe"))
    cup.decide(fa.Withdraw("e5", "Zoe left"), "Zoe left")
    match, _ = play_one(cup)
    seats = core.tournaments.progress(cup.id).matches[match]
    cup.decide(fa.Correct(match, seats.home or "", seats.away or "", (9, 0), why="Zoe said so"), "Zoe said so")
    core.archive.set_archived(cup.id, True, "Olga", "Zoe asked for it")
    for each in (core, opened()):
        assert [(step.by, step.why) for step in each.archive.steps(cup.id)] == [("", "")]
        trace = each.tournaments.trace(cup.id)
        assert {entry.by for entry in trace} == {"", "t1"}
        assert {entry.why for entry in trace} == {""}
        assert "Zoe" not in str([entry.fact for entry in trace])
        assert each.tournaments.state(cup.id).entries["e5"].name == "#5"
        assert each.tournaments.progress(cup.id).matches[match].score == (9, 0)
