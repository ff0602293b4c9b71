"""What the link keeps on the disk, also a damaged one and one that takes nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.link.notes import FILE, MOST_MATCHES, Notes, Signed, encoded, load, save
from companion.wire.messages import State


def test_notes_outlive_a_restart(tmp_path: Path) -> None:
    assert load(tmp_path) == Notes()
    notes = Notes("hub", "token", ("hub", "token"), State(hub="h", table=3), None, {"x/m": ["home"]})
    notes.signed["x/m"] = Signed("id", 9, ["home"], ["home", "away"])
    save(tmp_path / "new", encoded(notes))
    assert load(tmp_path / "new") == notes
    assert (tmp_path / "new" / FILE).stat().st_mode & 0o077 == 0, "the token is for nobody else"


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"address": 5}', b"\xff\xfe"])
def test_damaged_notes_are_put_aside(tmp_path: Path, content: bytes) -> None:
    (tmp_path / FILE).write_bytes(content)
    assert load(tmp_path) == Notes()
    assert (tmp_path / FILE).with_suffix(".damaged").read_bytes() == content


def test_a_disk_that_takes_nothing_stops_nobody(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    save(tmp_path / "file" / "folder", b"{}")
    assert load(tmp_path / "other") == Notes()
    assert (tmp_path / "file").read_bytes() == b""


def test_only_the_newest_matches_are_remembered() -> None:
    notes = Notes(present={f"x/{number}": ["home"] for number in range(MOST_MATCHES + 5)})
    notes.shorten()
    assert list(notes.present) == [f"x/{number}" for number in range(5, MOST_MATCHES + 5)]


def test_another_hub_begins_anew() -> None:
    notes = Notes("hub", "token", None, State(hub="h", table=3), None, {"x/m": ["home"]})
    notes.forget_hub()
    assert (notes.state, notes.present, notes.token) == (None, {}, "token")
