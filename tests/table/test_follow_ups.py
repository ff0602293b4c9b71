"""The finished matches that nothing follows: remembered, forgotten, and a damaged file."""

from __future__ import annotations

from pathlib import Path

from companion.table.follow_ups import CLOSED_FILE, MAX_CLOSED, ClosedFollowUps
from vision.files import take_damaged_files


def test_a_closed_follow_up_is_remembered_until_it_is_reopened(tmp_path: Path) -> None:
    folder = tmp_path / "not" / "yet"
    closed = ClosedFollowUps(folder)
    closed.reopen("a")
    assert not folder.exists()
    closed.close("a")
    closed.close("b")
    closed.close("a")
    assert "a" in ClosedFollowUps(folder)
    ClosedFollowUps(folder).reopen("a")
    assert [id in closed for id in ("a", "b")] == [False, True]


def test_only_the_newest_are_remembered(tmp_path: Path) -> None:
    closed = ClosedFollowUps(tmp_path)
    for number in range(MAX_CLOSED + 1):
        closed.close(str(number))
    assert [str(number) in closed for number in (0, 1, MAX_CLOSED)] == [False, True, True]


def test_a_damaged_file_is_set_aside(tmp_path: Path) -> None:
    (tmp_path / CLOSED_FILE).write_bytes(b'["a", 3')
    closed = ClosedFollowUps(tmp_path)
    assert "a" not in closed
    assert [fault.path.name for fault in take_damaged_files()] == [CLOSED_FILE]
    closed.close("b")
    assert "b" in closed
