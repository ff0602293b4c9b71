"""The `HubPort` contract: the real link over a real NATS server to a real hub, and the simulated hub."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Protocol

import pytest

from companion.clock import SystemClock
from companion.games.base import Message
from companion.games.registry import GAMES
from companion.messages.token import Token, format_token
from companion.table.hub_port import HubPort
from tests.link.hall import NAMES, TableSeat, TournamentHall, expect, plan, real_link
from tests.link.simulated_hub import SimulatedHub, SimulatedTournament


class TableWithHub(Protocol):
    """A table with a hub behind it."""

    seat: TableSeat
    address: str
    token: str

    def go_on(self) -> None:
        """Make the organiser's pending decisions."""
        ...

    def cut(self) -> None: ...

    def mend(self) -> None: ...

    def close(self) -> None: ...


class RealTableWithHub:
    """Real broker, hub, network and link."""

    def __init__(self, folder: Path) -> None:
        self._hall = TournamentHall(folder / "hub")
        self.token, self.address = self._hall.table_tokens.token("t1"), self._hall.address(1)
        self.seat = TableSeat(folder / "t1", real_link)

    def go_on(self) -> None:
        self._hall.organise()

    def cut(self) -> None:
        self._hall.network.cut(1)

    def mend(self) -> None:
        self._hall.network.restore(1)

    def close(self) -> None:
        self.seat.switch_off()
        self._hall.close()


@dataclass
class SimulatedTableWithHub:
    """The simulated hub."""

    folder: Path

    def __post_init__(self) -> None:
        self._tournament = SimulatedTournament(plan(), NAMES, Random(1), SystemClock(), 1)
        self.token, self.address = format_token(Token("t1", "the only key")), "hub:4222"
        self.seat = TableSeat(self.folder / "t1", self._open)

    def _open(self, store: Path, folder: Path) -> HubPort:
        return SimulatedHub(store, folder, GAMES, self._tournament, self.token)

    def go_on(self) -> None:
        """Do nothing: the simulated organiser acts immediately."""

    def cut(self) -> None:
        assert isinstance(self.seat.port, SimulatedHub)
        self.seat.port.cut()

    def mend(self) -> None:
        assert isinstance(self.seat.port, SimulatedHub)
        self.seat.port.mend()

    def close(self) -> None:
        self.seat.switch_off()


@pytest.fixture(params=["nats", "simulated"])
def world(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[TableWithHub]:
    (tmp_path / "hub").mkdir()
    (tmp_path / "t1").mkdir()
    made: TableWithHub = RealTableWithHub(tmp_path) if request.param == "nats" else SimulatedTableWithHub(tmp_path)
    yield made
    made.close()


def joined(world: TableWithHub) -> TableSeat:
    """Return the table once it is online and has its match."""
    seat = world.seat
    assert seat.port.join(world.address, world.token) is None
    expect(lambda: seat.port.snapshot().match is not None, "a match for the table", world.go_on)
    return seat


def test_a_table_without_a_hub_is_complete(world: TableWithHub) -> None:
    snapshot = world.seat.port.snapshot()
    assert not snapshot.link.joined
    assert not snapshot.link.online
    assert (snapshot.match, snapshot.standings, snapshot.link.trouble) == (None, (), None)
    assert world.seat.port.snapshot() is snapshot, "nothing has changed"
    world.seat.port.check_in("s1-A1-1", "home", True)
    world.seat.port.confirm("s1-A1-1", "none", 2, "home")
    world.seat.port.notify_appended()


@pytest.mark.parametrize(
    ("address", "token", "fault"),
    [
        ("no address/at all", "", "link.address"),
        ("hub:99999", "", "link.address"),
        ("hub", "", "link.token.slip"),
        ("hub", "ABCDE-FGHIJ", "link.token.slip"),
    ],
)
def test_what_cannot_be_joined_is_said_at_once(world: TableWithHub, address: str, token: str, fault: str) -> None:
    message = world.seat.port.join(address, token)
    assert isinstance(message, Message)
    assert message.id == fault
    assert not world.seat.port.snapshot().link.joined


def test_who_joins_sees_the_tournament(world: TableWithHub) -> None:
    snapshot = joined(world).port.snapshot()
    assert snapshot.link.online
    assert snapshot.link.since is not None
    assert (snapshot.tournament, snapshot.table) == ("Club evening", 1)
    match = snapshot.match
    assert match is not None
    assert {match.home, match.away} <= set(NAMES)
    assert match.header["sides"] == {match.home_side: {"name": match.home}, match.away_side: {"name": match.away}}
    assert match.header["tournament"]["match"] == match.match
    assert match.required_signers == ("home", "away")
    expect(lambda: bool(world.seat.port.snapshot().standings), "the standings")
    snapshot = world.seat.port.snapshot()
    assert {row.name for table in snapshot.standings for row in table.rows} == set(NAMES)
    assert [each.match for each in snapshot.coming if each.playing] == [match.match]
    assert snapshot.reported_at is not None


def test_who_is_there_shows_at_once_and_outlives_a_restart(world: TableWithHub) -> None:
    seat = joined(world)
    match = seat.match().match
    seat.port.check_in(match, "home", True)
    seat.port.check_in(match, "away", True)
    assert seat.match().present == {"home", "away"}
    seat.port.check_in(match, "away", False)
    assert seat.match().present == {"home"}
    seat.switch_off()
    seat.switch_on()
    assert seat.port.snapshot().link.joined
    assert seat.match().present == {"home"}, "known before the hub is heard"


def test_a_match_is_played_confirmed_and_counts(world: TableWithHub) -> None:
    seat = joined(world)
    called = seat.match()
    match = seat.start_match()
    seat.play(match)
    expect(lambda: seat.port.snapshot().link.waiting == 0, "all lines acknowledged")
    seat.confirm(match, "home")
    assert seat.match().confirmed == {"home"}
    assert not seat.match().sent
    seat.confirm(match, "away")
    expect(lambda: seat.is_reported(called.match), "the result at the hub")

    def played() -> int:
        return sum(row.played for table in seat.port.snapshot().standings for row in table.rows)

    expect(lambda: played() == 2, "a match in the standings")
    expect(lambda: seat.match().match != called.match, "the next match", world.go_on)
    assert seat.match().confirmed == frozenset()


def test_a_confirmation_is_taken_back_and_void_after_a_correction(world: TableWithHub) -> None:
    seat = joined(world)
    match = seat.start_match()
    seat.play(match)
    seat.confirm(match, "home")
    seat.port.confirm(seat.match().match, match.id, match.lines, "home", False)
    assert seat.match().confirmed == frozenset()
    seat.confirm(match, "home")
    assert match.correct_finished()
    seat.port.notify_appended()
    expect(lambda: not seat.match().confirmed, "the confirmation is of the journal before the correction")
    seat.port.confirm(seat.match().match, match.id, match.lines - 1, "away")
    assert seat.match().confirmed == frozenset(), "nobody confirms what does not stand any more"
    seat.confirm(match, "away")
    assert seat.match().confirmed == {"away"}


def test_who_does_not_agree_says_so_until_it_agrees_or_the_journal_changes(world: TableWithHub) -> None:
    seat = joined(world)
    match = seat.start_match()
    seat.play(match)
    called = seat.match().match
    seat.confirm(match, "away")
    seat.port.dispute(called, match.id, match.lines, "home", "dice")
    found = seat.match().dispute
    assert found is not None
    assert (found.by, found.why, seat.match().confirmed) == ("home", "dice", {"away"})
    seat.port.dispute(called, match.id, match.lines, "away", "rule")
    assert seat.match().confirmed == frozenset(), "nobody agrees and disagrees"
    seat.confirm(match, "away")
    assert seat.match().dispute is None, "it agrees after all"
    seat.port.dispute(called, match.id, match.lines, "home", "entry")
    assert seat.match().dispute is not None
    assert match.correct_finished()
    seat.port.notify_appended()
    expect(lambda: seat.match().dispute is None, "the dispute is about the journal before the correction")


def test_a_table_that_is_cut_off_goes_on_and_tells_it_later(world: TableWithHub) -> None:
    seat = joined(world)
    match = seat.start_match()
    seat.play(match, 3)
    expect(lambda: seat.port.snapshot().link.waiting == 0, "what was played online")
    world.cut()
    expect(lambda: not seat.port.snapshot().link.online, "the hub is missed")
    since = seat.port.snapshot().link.since
    assert since is not None
    assert seat.port.snapshot().link.trouble is None, "a network that is gone is no trouble of the table's"
    called = seat.match()
    seat.play(match)
    seat.confirm(match, "home")
    seat.confirm(match, "away")
    expect(lambda: seat.port.snapshot().link.waiting == match.lines - 4, "what waits is counted")
    assert seat.match().match == called.match
    assert not seat.match().sent
    world.mend()
    expect(lambda: seat.port.snapshot().link.online, "the hub is back")
    expect(lambda: seat.port.snapshot().link.waiting == 0, "all lines acknowledged")
    expect(lambda: seat.is_reported(called.match), "the result at the hub")


def test_matches_of_no_tournament_are_nobodys_business(world: TableWithHub) -> None:
    seat = joined(world)
    header = {key: value for key, value in GAMES["occasion"].random_header(Random(1)).items() if key != "tournament"}
    private = seat.store.create(header)
    match = seat.start_match()
    seat.play(match, 2)
    seat.store.append(private, {"event": "undo"})
    seat.port.notify_appended()
    expect(lambda: seat.port.snapshot().link.waiting == 0, "all lines acknowledged")
    assert seat.store.matches()[-1].id == private


def test_a_wrong_token_is_said_and_a_right_one_heals(world: TableWithHub) -> None:
    seat = world.seat
    wrong = format_token(Token("t1", "another key"))
    assert seat.port.join(world.address, wrong) is None
    expect(lambda: seat.port.snapshot().link.trouble is not None, "the trouble")
    assert not seat.port.snapshot().link.online
    joined(world)
    expect(lambda: seat.port.snapshot().link.online, "online")
    assert seat.port.snapshot().link.trouble is None


def test_who_leaves_is_alone_again(world: TableWithHub) -> None:
    seat = joined(world)
    seat.port.leave()
    assert not seat.port.snapshot().link.joined
    assert seat.port.snapshot().match is None
    seat.switch_off()
    seat.switch_on()
    assert not seat.port.snapshot().link.joined
