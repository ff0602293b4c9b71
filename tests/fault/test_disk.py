"""The simulated disk: what each operation of Python leaves after a power cut, and what a failing disk refuses."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random

import apsw
import pytest

from tests.fault.crash import LOSSES, crash_states
from tests.fault.disk import recorded
from tests.fault.failing_disk import FaultPlan
from vision.files import sync_folder, write_atomically

OUTCOMES = 20
"""Random outcomes of each loss; enough that both results of every single operation occur."""


def outcomes(folder: Path, session: Callable[[], None]) -> set[tuple[tuple[str, bytes], ...]]:
    """Return every content that the folder may have after a power cut at the end of the session."""
    with recorded(folder) as disk:
        session()
    *_, (_number, state) = crash_states(disk)
    found, random = set(), Random(1)
    for loss in LOSSES * OUTCOMES:
        place = folder.with_name("cut")
        state.leave(place, loss, random)
        found.add(tuple(sorted((path.name, path.read_bytes()) for path in place.iterdir())))
        shutil.rmtree(place)
    return found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "disk"
    place.mkdir()
    (place / "old").write_bytes(b"old")
    return place


def test_a_synced_file_in_a_synced_folder_is_sure(folder: Path) -> None:
    def session() -> None:
        write_atomically(folder / "new", b"new")

    assert outcomes(folder, session) == {(("new", b"new"), ("old", b"old"))}


def test_a_renamed_file_that_was_not_synced_may_be_empty(folder: Path) -> None:
    def session() -> None:
        (folder / "temporary").write_bytes(b"new")
        os.replace(folder / "temporary", folder / "old")
        sync_folder(folder)

    assert {(("old", b""),), (("old", b"new"),)} <= outcomes(folder, session)


def test_a_name_is_not_sure_before_the_sync_of_its_folder(folder: Path) -> None:
    def session() -> None:
        with (folder / "new").open("wb") as file:
            file.write(b"new")
            file.flush()
            os.fsync(file.fileno())
        (folder / "old").unlink()

    found = outcomes(folder, session)
    assert {(), (("new", b"new"),), (("old", b"old"),), (("new", b"new"), ("old", b"old"))} == found


def test_a_moved_file_is_never_lost_between_two_folders(folder: Path) -> None:
    def session() -> None:
        (folder / "aside").mkdir()
        (folder / "old").rename(folder / "aside" / "old")

    with recorded(folder) as disk:
        session()
    random = Random(1)
    for _number, state in crash_states(disk):
        for loss in LOSSES * OUTCOMES:
            place = folder.with_name("cut")
            state.leave(place, loss, random)
            assert [path.read_bytes() for path in place.rglob("old")] == [b"old"]
            shutil.rmtree(place)


def test_each_way_of_python_to_write_is_recorded(folder: Path) -> None:
    def session() -> None:
        handle = os.open(folder / "one", os.O_CREAT | os.O_RDWR)
        os.write(handle, b"12")
        os.pwrite(handle, b"3", 1)
        os.fsync(handle)
        os.close(handle)
        with open(folder / "two", "w", encoding="utf-8") as text:
            text.write("deux")
            text.flush()
            os.fsync(text.fileno())
        shutil.copyfile(folder / "two", folder / "three")
        os.link(folder / "old", folder / "four")
        handle = os.open(folder / "three", os.O_RDWR)
        os.ftruncate(handle, 1)
        os.fsync(handle)
        os.close(handle)
        sync_folder(folder)

    (content,) = outcomes(folder, session)
    assert dict(content) == {"one": b"13", "two": b"deux", "three": b"d", "four": b"old", "old": b"old"}


def test_a_database_without_its_syncs_may_lose_a_transaction(folder: Path) -> None:
    def session() -> None:
        connection = apsw.Connection(str(folder / "data"))
        connection.pragma("synchronous", "OFF")
        connection.execute("CREATE TABLE numbers (number)")
        connection.close()

    assert any(dict(content).get("data") in (None, b"") for content in outcomes(folder, session))


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_failing_disk_refuses_the_operation_of_a_number(folder: Path, number: int) -> None:
    with recorded(folder, FaultPlan("EIO", number)), pytest.raises(OSError, match=os.strerror(errno.EIO)):
        write_atomically(folder / "old", b"new")
    assert [path.name for path in folder.iterdir()] == ["old"] or number > 1
    assert (folder / "old").read_bytes() == b"old"
