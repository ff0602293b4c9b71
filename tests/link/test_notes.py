"""The link's files on disk, including a damaged file and a full disk."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.clock import ManualClock
from companion.games.base import Message
from companion.journal.store import Store
from companion.link.link_state import (
    MAX_REMEMBERED_MATCHES,
    STATE_FILE,
    PersistedState,
    SharedLinkState,
    encode_state,
    load_state,
    peek_state,
    save_state,
)
from companion.link.sender import SAVE_RETRY_S, JournalOutbox
from companion.messages.wire import CalledMatch, Confirmation, PodiumStep, StandingsBoard, TableState
from companion.table.hub_port import Side
from companion.tournament.headers import TournamentMark
from vision.files import MAX_STATE_BYTES, take_damaged_files


def test_notes_outlive_a_restart(tmp_path: Path) -> None:
    assert load_state(tmp_path) == PersistedState()
    notes = PersistedState("hub", "token", ("hub", "token"), TableState(hub="h", table=3), None, {"x/m": ["home"]})
    notes.confirmations["x/m"] = confirmation("home")
    save_state(tmp_path / "new", encode_state(notes))
    assert load_state(tmp_path / "new") == notes
    assert (tmp_path / "new" / STATE_FILE).stat().st_mode & 0o077 == 0, "the token is for nobody else"


@pytest.mark.parametrize(
    "content",
    [
        *(b"", b"{", b"[]", b'{"address": 5}', b"\xff\xfe", b'{"signed": {"x": {"line": {}}}}', b"[" * 100_000),
        b'{"present": ' + b" " * MAX_STATE_BYTES + b"{}}",
    ],
    ids=range(8),
)
def test_damaged_notes_are_put_aside(tmp_path: Path, content: bytes) -> None:
    (tmp_path / STATE_FILE).write_bytes(content)
    assert load_state(tmp_path) == PersistedState()
    (damaged,) = take_damaged_files()
    assert damaged.path == tmp_path / STATE_FILE
    assert damaged.moved_to is not None
    assert damaged.moved_to.read_bytes() == content
    assert not (tmp_path / STATE_FILE).exists()


@pytest.mark.parametrize("content", [b"", b"\xff", b"[" * 100_000])
def test_a_look_at_damaged_notes_leaves_them(tmp_path: Path, content: bytes) -> None:
    (tmp_path / STATE_FILE).write_bytes(content)
    assert peek_state(tmp_path) is None
    assert (tmp_path / STATE_FILE).read_bytes() == content


def test_notes_refused_by_the_disk_are_written_when_it_has_room(tmp_path: Path) -> None:
    clock = ManualClock()
    path = tmp_path / "matches.sqlite"
    with Store.open(path, clock):
        outbox = JournalOutbox(path, tmp_path / "data", clock.monotonic)
        shared = SharedLinkState(PersistedState(), clock, lambda: None)
        shared.set_hub("hub", "token")
        (tmp_path / "data").write_bytes(b"a file in place of the folder")
        outbox.save(shared)
        (tmp_path / "data").unlink()
        outbox.save(shared)
        assert not (tmp_path / "data").exists(), "not again at once"
        clock.advance(SAVE_RETRY_S)
        outbox.save(shared)
        assert load_state(tmp_path / "data").address == "hub"
        outbox.close()


def test_a_disk_that_takes_nothing_stops_nobody(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    save_state(tmp_path / "file" / "folder", b"{}")
    assert load_state(tmp_path / "other") == PersistedState()
    assert (tmp_path / "file").read_bytes() == b""


def test_only_the_newest_matches_are_remembered() -> None:
    notes = PersistedState(present={f"x/{number}": ["home"] for number in range(MAX_REMEMBERED_MATCHES + 5)})
    notes.drop_oldest()
    assert list(notes.present) == [f"x/{number}" for number in range(5, MAX_REMEMBERED_MATCHES + 5)]


def test_another_hub_begins_anew() -> None:
    notes = PersistedState("hub", "token", None, TableState(hub="h", table=3), None, {"x/m": ["home"]})
    notes.forget_hub()
    assert (notes.state, notes.present, notes.token) == (None, {}, "token")


def test_another_game_of_a_match_finds_nobody_there(tmp_path: Path) -> None:
    first = TournamentMark("cup", "s1-r1-1", frozenset({("red", "e1"), ("blue", "e2")}))
    notes = PersistedState()
    notes.forget_earlier_game(called(first))
    notes.present["cup/s1-r1-1"] = ["home", "away"]
    notes.confirmations["cup/s1-r1-1"] = confirmation("home", "away")
    save_state(tmp_path, encode_state(notes))
    notes = load_state(tmp_path)
    notes.forget_earlier_game(called(first))
    assert notes.present == {"cup/s1-r1-1": ["home", "away"]}
    notes.forget_earlier_game(called(TournamentMark("cup", "s1-r1-1", first.entries, again=1)))
    assert (notes.present, notes.confirmations) == ({}, {})
    notes.present["cup/s1-r1-1"] = ["home"]
    notes.forget_earlier_game(
        called(TournamentMark("cup", "s1-r1-1", frozenset({("red", "e1"), ("blue", "e3")}), again=1))
    )
    assert notes.present == {}, "another one sits there now"


def test_confirmations_of_an_older_version_are_read(tmp_path: Path) -> None:
    older = b'{"journal":"id","line":9,"by":["home"],"needs":["home","away"]}'
    (tmp_path / STATE_FILE).write_bytes(b'{"address":"hub","token":"t","present":{},"signed":{"x/m":' + older + b"}}")
    notes = load_state(tmp_path)
    assert notes.confirmations == {"x/m": confirmation("home")}
    save_state(tmp_path, encode_state(notes))
    assert load_state(tmp_path) == notes


def test_a_damaged_confirmation_of_an_older_version_is_put_aside(tmp_path: Path) -> None:
    (tmp_path / STATE_FILE).write_bytes(b'{"signed":{"x/m":{"journal":"id"}}}')
    assert load_state(tmp_path) == PersistedState()
    assert (tmp_path / f"{STATE_FILE}.damaged").exists()


def test_a_confirmed_match_goes_at_the_end_of_the_tournament() -> None:
    shared = SharedLinkState(PersistedState(), ManualClock(), lambda: None)
    shared.set_hub("hub", "token")
    shared.update_state(TableState(hub="h", table=3, tournament="cup", match=called(TournamentMark("cup", "final"))))
    shared.persisted.confirmations["cup/final"] = confirmation("home", "away")
    shared.update_state(TableState(hub="h", table=3, tournament="cup"))
    board = StandingsBoard(hub="h", tournament="cup", name="Cup", told=5)
    shared.update_board(board)
    assert shared.snapshot().match is not None, "the hub may not have the confirmation yet"
    podium = (PodiumStep(1, ("Ada",)), PodiumStep(2, ("Blaise",)))
    shared.update_board(replace(board, podium=podium))
    assert (shared.snapshot().match, shared.snapshot().podium) == (None, podium)
    shared.update_board(replace(board, podium=podium, frozen=True))
    assert not shared.snapshot().ended, "a result is under review"
    other = TournamentMark("league", "s1-r1-1")
    shared.update_state(TableState(hub="h", table=3, tournament="league", match=called(other)))
    assert shared.snapshot().match is not None
    assert not shared.snapshot().ended


def confirmation(*by: Side) -> Confirmation:
    return Confirmation(journal="id", seq=9, by=by, needs=("home", "away"))


def called(mark: TournamentMark) -> CalledMatch:
    sides = {"home": "Ada", "away": "Blaise", "home_side": "red", "away_side": "blue"}
    return CalledMatch(
        tournament=mark.tournament,
        match=mark.match,
        game="footclub",
        header={"tournament": mark.header()},
        title=Message("x"),
        **sides,
    )
