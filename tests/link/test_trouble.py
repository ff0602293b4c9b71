"""Faults in a hall: broker and hub killed, an older backup, copied cards, repeats; no loss and no duplicates."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Callable
from pathlib import Path
from random import Random

from companion.clock import SystemClock
from companion.games.registry import GAMES
from companion.link.table_link import TableLink, connect_to_hub
from tests.link.hall import SHORT_INTERVALS, TableSeat, TournamentHall, expect, exported
from tools.trials.link import duplicating_connect
from tools.trials.match import SimulatedMatch

Sit = Callable[..., TableSeat]


def expect_all_told(seat: TableSeat) -> None:
    """Wait until the hub has all lines of a table."""
    expect(
        lambda: seat.port.snapshot().link.online and seat.port.snapshot().link.waiting == 0,
        "the hub has all lines of the table",
    )


def check_same(hall: TournamentHall, table: str, seat: TableSeat) -> None:
    """Check that the hub's journals equal the table's byte for byte."""
    rows = [row for row in hall.core.views.journals(table) if row.branch == 0]
    kept = {match.epoch: exported(seat.store, match.id) for match in seat.store.matches()}
    assert {row.epoch: hall.core.views.journal(table, row.epoch) for row in rows} == kept


def check_confirmed(hall: TournamentHall, seat: TableSeat, match: SimulatedMatch) -> None:
    """Confirm for both sides and check that the hub has the confirmation."""
    called = seat.match().match
    for by in ("home", "away"):
        seat.confirm(match, by)
    expect(lambda: seat.is_reported(called), "the result at the hub")
    expect(lambda: called in hall.core.tournaments.state(hall.tournament).reports, "the result counts")


def test_a_broker_killed_without_warning_comes_back_with_all(hall: TournamentHall, sit: Sit) -> None:
    seat = sit()
    match = seat.start_match()
    seat.play(match, 20)
    before = hall.broker.pid
    assert before is not None
    os.kill(before, signal.SIGKILL)
    expect(lambda: hall.broker.pid not in (None, before), "another broker")
    seat.play(match)
    expect_all_told(seat)
    check_confirmed(hall, seat, match)
    check_same(hall, "t1", seat)


def test_a_hub_that_ends_amid_a_match_goes_on_where_it_was(hall: TournamentHall, sit: Sit) -> None:
    seat = sit()
    match = seat.start_match()
    seat.play(match, 20)
    hall.end_hub()
    seat.play(match, 20)
    hall.begin_hub()
    seat.play(match)
    expect_all_told(seat)
    check_confirmed(hall, seat, match)
    check_same(hall, "t1", seat)


def test_a_hub_restored_from_an_older_backup_is_filled_again(hall: TournamentHall, sit: Sit) -> None:
    seat = sit()
    match = seat.start_match()
    seat.play(match, 10)
    expect_all_told(seat)
    hall.end_hub()
    backup = hall.folder / "backup.sqlite"
    shutil.copy(hall.folder / "hub.sqlite", backup)
    hall.begin_hub()
    seat.play(match)
    expect_all_told(seat)
    check_confirmed(hall, seat, match)
    hall.end_hub()
    for file in hall.folder.glob("hub.sqlite*"):
        if file.suffix != ".lock":
            file.unlink()
    shutil.copy(backup, hall.folder / "hub.sqlite")
    hall.begin_hub()
    assert not hall.core.tournaments.state(hall.tournament).reports, "the backup is from before the result"
    expect(lambda: bool(hall.core.tournaments.state(hall.tournament).reports), "the confirmed result comes again")
    expect_all_told(seat)
    check_same(hall, "t1", seat)


def test_a_table_that_was_away_for_all_of_its_match_tells_it_afterwards(hall: TournamentHall, sit: Sit) -> None:
    seat = sit()
    hall.network.cut(1)
    expect(lambda: not seat.port.snapshot().link.online, "the hub is missed")
    match = seat.start_match()
    seat.play(match)
    for by in ("home", "away"):
        seat.confirm(match, by)
    expect(lambda: seat.port.snapshot().link.waiting == match.lines, "what waits is counted")
    seat.switch_off()
    seat.switch_on()
    hall.network.restore(1)
    expect(lambda: bool(hall.core.tournaments.state(hall.tournament).reports), "the result counts", hall.organise)
    expect_all_told(seat)
    check_same(hall, "t1", seat)


def test_a_silent_network_is_noticed(hall: TournamentHall, sit: Sit) -> None:
    seat = sit()
    match = seat.start_match()
    hall.network.cut(1, silent=True)
    seat.play(match, 10)
    expect(lambda: not seat.port.snapshot().link.online, "the hub is missed")
    hall.network.restore(1)
    expect_all_told(seat)
    check_same(hall, "t1", seat)


def test_a_copied_card_overwrites_nothing_and_is_told(hall: TournamentHall, sit: Sit, tmp_path: Path) -> None:
    token = hall.table_tokens.token("t1")
    first = sit(1, token=token)
    match = first.start_match()
    first.play(match, 10)
    expect_all_told(first)
    first.switch_off()
    shutil.copytree(tmp_path / "t1", tmp_path / "copy")
    first.switch_on()
    first.play(SimulatedMatch.resume(first.store, match.id, GAMES, first.random), 15)
    expect_all_told(first)
    second = sit(1, folder="copy")
    second.random.seed(99)
    second.play(SimulatedMatch.resume(second.store, match.id, GAMES, second.random), 20)
    expect(lambda: second.port.snapshot().link.waiting == 0, "the copy's lines are kept as well")
    check_same(hall, "t1", first)
    rows = hall.core.views.journals("t1")
    assert sorted(row.branch for row in rows) == [0, 1]
    epoch = rows[0].epoch
    assert hall.core.views.journal("t1", epoch, 1) == exported(second.store, match.id)
    assert [notice.kind for notice in hall.core.views.notices()] == ["copied_card"]
    for seat in (first, second):
        expect(lambda seat=seat: seat.port.snapshot().link.trouble is not None, "the players are told")  # type: ignore[misc]
        trouble = seat.port.snapshot().link.trouble
        assert trouble is not None
        assert trouble.id == "link.twin"


def test_a_new_token_shuts_out_the_old_one(hall: TournamentHall, sit: Sit) -> None:
    seat = sit()
    hall.table_tokens.token("t1")
    expect(lambda: seat.port.snapshot().link.trouble is not None, "the old token is not taken")
    trouble = seat.port.snapshot().link.trouble
    assert trouble is not None
    assert trouble.id == "link.refused"


def test_several_tables_and_their_hub_agree(hall: TournamentHall, sit: Sit) -> None:
    seats = {f"t{number}": sit(number) for number in (1, 2, 3)}
    for seat in seats.values():
        match = seat.start_match()
        seat.play(match)
        check_confirmed(hall, seat, match)
    for table, seat in seats.items():
        expect_all_told(seat)
        check_same(hall, table, seat)
    tables = seats["t1"].port
    expect(lambda: sum(row.played for table in tables.snapshot().standings for row in table.rows) == 6, "the standings")


def test_messages_said_ten_times_and_out_of_order_count_once(hall: TournamentHall, tmp_path: Path) -> None:
    connect = duplicating_connect(connect_to_hub, 10, Random(5))

    def hurried(store: Path, folder: Path) -> TableLink:
        return TableLink(store, folder, SystemClock(), "a run", intervals=SHORT_INTERVALS, connect=connect)

    seat = TableSeat(tmp_path / "t2", hurried)
    try:
        assert seat.port.join(hall.address(2), hall.table_tokens.token("t2")) is None
        expect(lambda: seat.port.snapshot().match is not None, "a match", hall.organise)
        match = seat.start_match()
        while not match.finished:
            seat.play(match, 10)
        expect_all_told(seat)
        check_confirmed(hall, seat, match)
        check_same(hall, "t2", seat)
        assert [row.branch for row in hall.core.views.journals("t2")] == [0]
    finally:
        seat.switch_off()
