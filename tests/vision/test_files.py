"""Kept files: replaced completely or not at all, read with a limit, set aside when damaged."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from vision.files import (
    FileTooLarge,
    open_atomically,
    read_limited,
    read_state,
    take_damaged_files,
    write_atomically,
)


def test_a_file_is_replaced_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"old")
    write_atomically(path, b"new")
    assert path.read_bytes() == b"new"
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.jsonl"]


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"old")

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.jsonl"]


def test_a_device_is_written_straight() -> None:
    write_atomically(Path("/dev/null"), b"gone")
    assert not Path("/dev/null").is_file()


def test_a_block_that_fails_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(b"old")

    def fail_halfway() -> None:
        with open_atomically(path) as file:
            file.write(b"half")
            raise KeyError("stop")

    with pytest.raises(KeyError):
        fail_halfway()
    assert path.read_bytes() == b"old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.zip"]


def test_a_file_is_written_through_its_symlink(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(b"old")
    (tmp_path / "link").symlink_to("real")
    write_atomically(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"new"


def test_permissions_are_kept_or_as_asked(tmp_path: Path) -> None:
    (tmp_path / "kept").write_bytes(b"")
    (tmp_path / "kept").chmod(0o640)
    write_atomically(tmp_path / "kept", b"x", mode=0o600)
    write_atomically(tmp_path / "made", b"x", mode=0o600)
    assert [(tmp_path / name).stat().st_mode & 0o777 for name in ("kept", "made")] == [0o640, 0o600]


def test_a_missing_state_file_is_no_fault(tmp_path: Path) -> None:
    assert read_state(tmp_path / "none.json", json.loads) is None
    assert take_damaged_files() == []


@pytest.mark.parametrize(
    "content", [b"{", b"\xff\xfe{}", b"[" * 100_000, b"{}" + b" " * 100], ids=["cut", "no text", "deep", "too large"]
)
def test_a_damaged_state_file_is_set_aside_and_reported_once(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "state.json"
    path.write_bytes(content)
    assert (
        read_state(path, lambda raw: json.loads(raw.decode()), max_bytes=101_000 if len(content) > 200 else 100) is None
    )
    aside = tmp_path / "state.json.damaged"
    assert aside.read_bytes() == content
    assert not path.exists()
    (damaged,) = take_damaged_files()
    assert (damaged.path, damaged.moved_to) == (path, aside)
    assert str(damaged.fault) or damaged.fault.args
    assert read_state(path, json.loads) is None
    assert take_damaged_files() == []


def test_a_second_damaged_file_does_not_replace_the_first(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    for content in (b"one", b"two"):
        path.write_bytes(content)
        read_state(path, json.loads)
    take_damaged_files()
    assert [(tmp_path / f"state.json.damaged{end}").read_bytes() for end in ("", "-2")] == [b"one", b"two"]


def test_a_state_file_that_cannot_be_read_stays(tmp_path: Path) -> None:
    (tmp_path / "state.json").mkdir()
    assert read_state(tmp_path / "state.json", json.loads) is None
    (damaged,) = take_damaged_files()
    assert damaged.moved_to is None
    assert (tmp_path / "state.json").is_dir()


def test_no_more_is_read_than_permitted(tmp_path: Path) -> None:
    path = tmp_path / "big"
    path.write_bytes(b"12345")
    assert read_limited(path, 5) == b"12345"
    with pytest.raises(FileTooLarge, match="big: more than 4 bytes"):
        read_limited(path, 4)
