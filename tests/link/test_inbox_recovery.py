"""After any failure while it receives from tables, the hub recovers automatically and informs the organiser."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from companion.games.base import Message
from companion.hub import link
from companion.messages.wire import Confirmation, JournalLines, Receipt
from companion.tournament import facts as fa
from tests.hub.conftest import POSTGRES, emptied
from tests.hub.test_database_faults import lose
from tests.link.hall import TableSeat, TournamentHall, expect
from tests.link.test_trouble import check_confirmed, check_same, expect_all_told

Sit = Callable[..., TableSeat]


@pytest.fixture(params=["sqlite", *(["postgresql"] if POSTGRES else [])])
def hall(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[TournamentHall]:
    """Start a hall with three tables, on both kinds of database."""
    (tmp_path / "hub").mkdir()
    if request.param == "postgresql":
        emptied(POSTGRES)
    names = ("Ada", "Blaise", "Carl", "Dora", "Emil", "Fanny")
    made = TournamentHall(tmp_path / "hub", 3, names, url=POSTGRES if request.param == "postgresql" else None)
    yield made
    made.close()


def troubles(hall: TournamentHall) -> list[str]:
    """Return the messages to the organiser so far."""
    return [trouble.id for trouble in hall.troubles if trouble is not None]


def test_lines_are_taken_again_once_the_database_is_back(hall: TournamentHall, sit: Sit) -> None:
    """No intervention: the connection was lost after the organiser's transaction, and then a table continues."""
    seat = sit()
    match = seat.start_match()
    seat.play(match, 20)
    expect_all_told(seat)
    hall.core.tables.register("t9", 9)
    lose(hall.core)
    seat.play(match)
    expect_all_told(seat)
    check_confirmed(hall, seat, match)
    check_same(hall, "t1", seat)
    assert "tournament.hub.gone" in troubles(hall)
    assert hall.troubles[-1] is None


def test_what_one_table_sends_stops_no_other(hall: TournamentHall, sit: Sit, monkeypatch: pytest.MonkeyPatch) -> None:
    """The hub fails at every line of one table; after the failure ends the lines arrive without intervention."""
    first, second = sit(1), sit(2)
    original = hall.core.inbox.accept

    def fails(batches: Sequence[JournalLines], confirmations: Sequence[Confirmation] = ()) -> tuple[Receipt, ...]:
        if any(batch.table == "t1" for batch in batches):
            raise RuntimeError("nobody expected this")
        return original(batches, confirmations)

    monkeypatch.setattr(hall.core.inbox, "accept", fails)
    odd, sound = first.start_match(), second.start_match()
    first.play(odd, 20)
    expect(lambda: "tournament.hub.passed_over" in troubles(hall), "the organiser is told")
    second.play(sound)
    expect_all_told(second)
    check_same(hall, "t2", second)
    assert hall.core.views.journals("t1") == ()
    trouble = hall.troubles[-1]
    assert trouble is not None, "as long as it is so"
    assert (trouble.id, trouble.args["table"]) == ("tournament.hub.passed_over", "t1")
    monkeypatch.undo()
    first.play(odd)
    expect_all_told(first)
    check_same(hall, "t1", first)
    expect(lambda: hall.troubles[-1] is None, "the trouble is over")


def failing_at_first(real: Callable[..., Any], times: int = 1) -> Callable[..., Any]:
    """Return a function that fails `times` times with an unexpected error."""
    calls: list[object] = []

    def fails(*given: Any) -> Any:
        calls.append(given)
        if len(calls) <= times:
            raise RuntimeError("nobody expected this")
        return real(*given)

    return fails


def test_the_taking_is_begun_again(hall: TournamentHall, sit: Sit, monkeypatch: pytest.MonkeyPatch) -> None:
    seat = sit()
    match = seat.start_match()
    hall.end_hub()
    monkeypatch.setattr(link, "stream_consumer", failing_at_first(link.stream_consumer, 2))
    hall.begin_hub()
    seat.play(match)
    expect_all_told(seat)
    check_same(hall, "t1", seat)
    assert "tournament.hub.link_failed" in troubles(hall)
    expect(lambda: hall.troubles[-1] is None, "the trouble is over")


def test_tables_are_told_again(hall: TournamentHall, sit: Sit, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message failed once; the table still learns that its match is no longer called."""
    seat = sit()
    match = seat.match().match
    monkeypatch.setattr(hall.core.views, "changes_after", failing_at_first(hall.core.views.changes_after))
    hall.decide(fa.Uncall(match))
    expect(lambda: seat.port.snapshot().match is None, "the table hears it")
    assert "tournament.hub.link_failed" in troubles(hall)


def test_an_organiser_who_cannot_be_told_stops_nothing(
    hall: TournamentHall, sit: Sit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The terminal is gone."""
    seat = sit()
    match = seat.start_match()
    seat.play(match, 20)
    expect_all_told(seat)
    heard: list[Message | None] = []

    def gone(trouble: Message | None) -> None:
        heard.append(trouble)
        raise BrokenPipeError

    monkeypatch.setattr(hall.link, "_on_trouble", gone)
    hall.core.tables.register("t9", 9)
    lose(hall.core)
    seat.play(match)
    expect_all_told(seat)
    check_same(hall, "t1", seat)
    assert heard
