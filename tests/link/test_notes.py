"""The link's files on disk, including a damaged file and a full disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.games.base import Message
from companion.link.link_state import (
    MAX_REMEMBERED_MATCHES,
    STATE_FILE,
    PersistedState,
    encode_state,
    load_state,
    save_state,
)
from companion.messages.wire import CalledMatch, Confirmation, TableState
from companion.table.hub_port import Side
from companion.tournament.headers import TournamentMark


def test_notes_outlive_a_restart(tmp_path: Path) -> None:
    assert load_state(tmp_path) == PersistedState()
    notes = PersistedState("hub", "token", ("hub", "token"), TableState(hub="h", table=3), None, {"x/m": ["home"]})
    notes.confirmations["x/m"] = confirmation("home")
    save_state(tmp_path / "new", encode_state(notes))
    assert load_state(tmp_path / "new") == notes
    assert (tmp_path / "new" / STATE_FILE).stat().st_mode & 0o077 == 0, "the token is for nobody else"


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"address": 5}', b"\xff\xfe"])
def test_damaged_notes_are_put_aside(tmp_path: Path, content: bytes) -> None:
    (tmp_path / STATE_FILE).write_bytes(content)
    assert load_state(tmp_path) == PersistedState()
    assert (tmp_path / STATE_FILE).with_suffix(".damaged").read_bytes() == content


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
    assert (tmp_path / STATE_FILE).with_suffix(".damaged").exists()


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
