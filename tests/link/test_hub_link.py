"""The hub's side of the link: invalid messages, referee confirmation, permitted pictures, presence."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.games.registry import GAMES
from companion.hub.broker import connect_to_broker, own_server_login
from companion.hub.link import LinkOptions
from companion.journal.store import READING, Picture
from companion.messages import subjects
from companion.messages.wire import JournalLines, encode
from companion.tournament import facts as fa
from tests.link.hall import GAME, NAMES, TableSeat, TournamentHall, expect, real_link

JPEG = b"\xff\xd8\xff\xe0 some picture"


@pytest.fixture
def strict(tmp_path: Path) -> Iterator[TournamentHall]:
    """Start a hall where the referee confirms and pictures may be shown."""
    (tmp_path / "hub").mkdir()
    options = LinkOptions(referee=lambda tournament: True, pictures=True, page=lambda tournament, match: f"/m/{match}")
    made = TournamentHall(tmp_path / "hub", 1, NAMES, options)
    yield made
    made.close()


@pytest.fixture
def seat(tmp_path: Path, strict: TournamentHall) -> Iterator[TableSeat]:
    made = TableSeat(tmp_path / "t1", real_link)
    assert made.port.join(strict.address(1), strict.table_tokens.token("t1")) is None
    expect(lambda: made.port.snapshot().match is not None, "a match", strict.organise)
    yield made
    made.switch_off()


def test_the_referee_confirms_too_and_the_match_has_its_page(strict: TournamentHall, seat: TableSeat) -> None:
    called = seat.match()
    assert called.required_signers == ("home", "away", "referee")
    assert seat.port.snapshot().pages[called.match] == f"/m/{called.match}"
    match = seat.start_match()
    seat.play(match)
    for by in ("home", "away"):
        seat.confirm(match, by)
    expect(lambda: seat.port.snapshot().link.waiting == 0, "all lines acknowledged")
    assert not strict.core.tournaments.state(strict.tournament).reports
    seat.confirm(match, "referee")
    expect(lambda: called.match in strict.core.tournaments.state(strict.tournament).reports, "the result counts")
    assert strict.core.tournaments.trace(strict.tournament)[-1].fact.match == called.match  # type: ignore[union-attr]


def test_a_dispute_reaches_the_organiser_and_the_ruling_the_table(strict: TournamentHall, seat: TableSeat) -> None:
    called = seat.match()
    match = seat.start_match()
    seat.play(match)
    seat.confirm(match, "away")
    seat.port.dispute(called.match, match.id, match.lines, "home", "dice")
    expect(lambda: [each.kind for each in strict.core.views.notices()] == ["disputed"], "the organiser is called")
    assert set(strict.core.views.signers(strict.tournament, called.match)) == {"away"}
    home, away = strict.core.tournaments.progress(strict.tournament).matches[called.match].seats
    result = fa.Result(called.match, home or "", away or "", (4, 3))
    strict.core.tournaments.decide(strict.tournament, result, "test", "a goal was missing")
    expect(lambda: seat.port.snapshot().ruling is not None, "the ruling at the table")
    ruling = seat.port.snapshot().ruling
    assert ruling is not None
    assert (ruling.match, ruling.score, ruling.why) == (called.match, (4, 3), "a goal was missing")
    assert strict.core.views.notices() == ()


def test_pictures_of_the_newest_roll_reach_the_hub(strict: TournamentHall, seat: TableSeat) -> None:
    match = seat.start_match()
    pictures = [Picture("die", JPEG, 0), Picture("tray", JPEG), Picture(READING, b"{}")]
    for _ in range(200):
        proposal = match.ledger.propose(GAMES[GAME].random_event(match.ledger.state, seat.random))
        rolled = "dice" in proposal.fields
        seat.store.append(match.id, proposal.fields, pictures if rolled else (), line=proposal.line)
        match.ledger.commit(proposal)
        if rolled:
            break
    seat.port.notify_appended()

    def picture_ids() -> tuple[int, ...]:
        live = strict.core.views.live("t1")
        return live.roll.pictures if live is not None and live.roll is not None else ()

    expect(lambda: len(picture_ids()) == 2, "both pictures, and not what the reader read")
    live = strict.core.views.live("t1")
    assert live is not None
    assert strict.core.views.picture("t1", live.journal.epoch, picture_ids()[0]) == JPEG


def test_what_is_no_message_stops_nobody(strict: TournamentHall, seat: TableSeat) -> None:
    async def shout() -> None:
        connection = await connect_to_broker(own_server_login(strict.broker))
        for kind in (subjects.LINES, subjects.CONFIRMED, subjects.HELLO, subjects.SHOT):
            for data in (b"", b"\x00", b"\x01nonsense", b"\x00\x80", bytes(2000)):
                await connection.publish(subjects.upstream("t1", kind), data)
        for lines in ((b"no json",), (b"{}",), (b'{"journal": 1}', b"\xff")):
            batch = JournalLines(epoch=7, seq=1, before=bytes(16), lines=lines)
            await connection.publish(subjects.upstream("t1", subjects.LINES), encode(batch))
            await connection.publish(subjects.upstream("nobody", subjects.LINES), encode(batch))
        await connection.publish(subjects.downstream("t1", subjects.STATE), b"\x00\xc1")
        await connection.publish(subjects.ALL_HUB, b"nonsense")
        await connection.flush()
        await connection.close()

    asyncio.run(shout())
    match = seat.start_match()
    seat.play(match, 10)
    expect(lambda: seat.port.snapshot().link.waiting == 0, "the hub goes on")
    assert not strict.core.views.journals("nobody")


def test_a_call_taken_back_leaves_the_table(strict: TournamentHall, seat: TableSeat) -> None:
    called = seat.match()
    strict.decide(fa.Uncall(called.match))
    expect(lambda: seat.port.snapshot().match is None, "no match")
    assert seat.port.snapshot().standings
    strict.organise()
    expect(lambda: seat.port.snapshot().match is not None, "called again")


def test_the_hub_knows_who_is_there(strict: TournamentHall, seat: TableSeat) -> None:
    called = seat.match()
    seat.port.check_in(called.match, "away", True)

    def present() -> dict[str, tuple[str, ...]]:
        found = strict.link.presence.of("t1")
        return {} if found is None else {key: tuple(sides) for key, sides in found.present.items()}

    key = f"{strict.tournament}/{called.match}"
    expect(lambda: present() == {key: ("away",)}, "the side that is there")
    seat.switch_off()
    seat.switch_on()
    expect(lambda: seat.port.snapshot().link.online, "back")
    found = strict.link.presence.of("t1")
    assert found is not None
    assert not found.twin, "a restart is no second machine"
