"""Damaged files of the hub's folder: set aside and reported, or refused with their name."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.hub.broker import BadCertificate, load_certificate, load_password, read_tables
from vision.files import take_damaged_files


@pytest.mark.parametrize("content", [b"\xff\xfe", b"{", b"[]", b'{"1": 2}', b"x" * (1024 * 1024 + 1)])
def test_damaged_keys_of_tables_are_set_aside(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "tables.json"
    path.write_bytes(content)
    assert read_tables(path) == {}
    (damaged,) = take_damaged_files()
    assert damaged.moved_to is not None
    assert damaged.moved_to.read_bytes() == content


def test_keys_that_cannot_be_read_are_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "tables.json").mkdir()
    with pytest.raises(OSError, match="tables"):
        read_tables(tmp_path / "tables.json")


def test_a_damaged_password_is_made_anew(tmp_path: Path) -> None:
    path = tmp_path / "password"
    path.write_bytes(b"\xff\xfe")
    found = load_password(path)
    assert len(found) > 20
    assert load_password(path) == found
    assert [damaged.path for damaged in take_damaged_files()] == [path]


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"x" * (1024 * 1024 + 1)])
def test_a_damaged_certificate_is_named_and_stays(tmp_path: Path, content: bytes) -> None:
    made = load_certificate(tmp_path)
    for path in (made.certificate, made.key):
        whole = path.read_bytes()
        path.write_bytes(content)
        with pytest.raises(BadCertificate):
            load_certificate(tmp_path)
        assert path.read_bytes() == content
        path.write_bytes(whole)
    assert not load_certificate(tmp_path).is_new
