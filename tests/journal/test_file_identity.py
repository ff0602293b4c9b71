"""One writer for a file, whatever name it is opened by, and no acknowledgement for a file that is gone."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.clock import ManualClock
from companion.journal.database import StoreBusy, StoreReplaced
from companion.journal.lock import OPEN_FILES
from companion.journal.store import JournalReader, Store
from companion.journal.store_files import StoreFiles
from companion.language import LANGUAGES, Language
from tests.journal.counting_game import add, header

OPEN_STORE = (
    "import sys; from pathlib import Path; from companion.clock import SystemClock\n"
    "from companion.journal.store import Store; from companion.journal.database import StoreBusy\n"
    "try: Store.open(Path(sys.argv[1]), SystemClock()); print('opened')\n"
    "except StoreBusy: print('busy')"
)


def symlink(path: Path, other: Path) -> None:
    other.symlink_to(path)


def symlinked_folder(path: Path, other: Path) -> None:
    other.parent.rmdir()
    other.parent.symlink_to(path.parent)


def hard_link(path: Path, other: Path) -> None:
    other.hardlink_to(path)


@pytest.mark.parametrize("link", [symlink, symlinked_folder, hard_link])
def test_a_second_writer_by_another_name_is_refused(
    store: Store, path: Path, clock: ManualClock, tmp_path: Path, link: Callable[[Path, Path], None]
) -> None:
    match = store.create(header())
    other = tmp_path / "other" / ("other.db" if link is not symlinked_folder else path.name)
    other.parent.mkdir()
    link(path, other)
    with pytest.raises(StoreBusy):
        Store.open(other, clock)
    found = subprocess.run([sys.executable, "-c", OPEN_STORE, other], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "busy"
    assert store.append(match, add("left", 1)) == 2
    store.close()
    assert sorted(file.name for file in other.parent.glob("*-*")) in ([], [f"{path.name}-last"])


def test_a_store_opened_by_a_link_keeps_its_files_together(store: Store, path: Path, clock: ManualClock) -> None:
    store.close()
    other = path.with_name("link.db")
    other.symlink_to(path)
    with Store.open(other, clock) as again:
        again.create(header())
        assert StoreFiles.of(other) == StoreFiles.of(path)
        assert not list(path.parent.glob("link.db?*"))


def unlink(path: Path) -> None:
    path.unlink()


def replace_by_a_copy(path: Path) -> None:
    copy = path.with_name("copy")
    copy.write_bytes(path.read_bytes())
    copy.replace(path)


def unlink_the_log(path: Path) -> None:
    StoreFiles.of(path).log.unlink()


def rename_the_folder(path: Path) -> None:
    path.parent.rename(path.parent.with_name("elsewhere"))


@pytest.mark.parametrize("happen", [unlink, replace_by_a_copy, unlink_the_log, rename_the_folder])
def test_nothing_is_acknowledged_in_a_file_that_is_gone(
    store: Store, path: Path, happen: Callable[[Path], None]
) -> None:
    match = store.create(header())
    store.append(match, add("left", 1))
    happen(path)
    for record in (lambda: store.append(match, add("left", 2)), lambda: store.create(header())):
        with pytest.raises(StoreReplaced) as caught:
            record()
        for code in LANGUAGES:
            assert "{" not in Language(code).text(caught.value.message)


def test_a_closed_writer_leaves_the_locks_of_a_reader(path: Path, clock: ManualClock) -> None:
    was_idle = OPEN_FILES.is_idle()
    with Store.open(path, clock) as store:
        match = store.create(header(), [add("left", 1)])
        reader = JournalReader(path)
        assert reader.length(match) == (2, False)
    assert posix_locks(path) > 0
    with Store.open(path, clock) as again:
        again.append(match, add("left", 2))
        assert reader.length(match) == (3, False)
    reader.close()
    assert posix_locks(path) == 0
    assert OPEN_FILES.is_idle() or not was_idle


def posix_locks(path: Path) -> int:
    """Return the number of POSIX locks that this process has on a file."""
    inode = f":{path.stat().st_ino} "
    lines = Path("/proc/locks").read_text().splitlines()
    return sum(" POSIX " in line and f" {os.getpid()} " in line and inode in line for line in lines)
