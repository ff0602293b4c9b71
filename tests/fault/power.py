"""Power cuts: a simulated disk that loses or tears unsynchronised writes, in any order.

A VFS of SQLite passes all calls to the real file system. It also tracks the data that is surely on disk (everything up
to a file's last sync) and the pending writes. A cut at a write or a sync keeps the synchronised data and a random part
of the pending writes, split at sectors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import apsw

SECTOR = 512


@dataclass
class DiskFile:
    """One file as on disk, with its writes since the last sync (None as data: truncation to that length)."""

    surely: bytearray
    under_way: list[tuple[int, bytes | None]] = field(default_factory=list)

    def sync(self) -> None:
        for offset, data in self.under_way:
            _put(self.surely, offset, data)
        self.under_way.clear()

    def after_cut(self, random: Random) -> bytes:
        """Return the file's content after the power cut."""
        left = bytearray(self.surely)
        writes = [write for write in self.under_way if random.random() < 0.6]
        random.shuffle(writes)
        for offset, data in writes:
            if data is not None and random.random() < 0.3:
                data = data[: random.randint(0, len(data) // SECTOR) * SECTOR]
            _put(left, offset, data)
        return bytes(left)


class Disk:
    """The files of one folder. `watch` is called before every write and sync: the moments of possible power cuts."""

    def __init__(self, folder: Path, watch: Callable[[], None]) -> None:
        self.files = {file.name: DiskFile(bytearray(file.read_bytes())) for file in folder.iterdir() if file.is_file()}
        self.watch = watch

    def file(self, path: str) -> DiskFile:
        return self.files.setdefault(Path(path).name, DiskFile(bytearray()))

    def cut(self, folder: Path, random: Random) -> None:
        """Write to an empty folder what a power cut at this moment leaves."""
        for name, file in self.files.items():
            if not name.endswith(("-shm", ".lock")):
                (folder / name).write_bytes(file.after_cut(random))


class _File(apsw.VFSFile):
    def __init__(self, disk: Disk, name: apsw.URIFilename | str, flags: list[int]) -> None:
        super().__init__("unix", name, flags)
        self._disk = disk
        self._of = disk.file(name if isinstance(name, str) else name.filename())

    def xWrite(self, data: bytes, offset: int) -> None:
        self._disk.watch()
        self._of.under_way.append((offset, bytes(data)))
        super().xWrite(data, offset)

    def xTruncate(self, newsize: int) -> None:
        self._disk.watch()
        self._of.under_way.append((newsize, None))
        super().xTruncate(newsize)

    def xSync(self, flags: int) -> None:
        self._disk.watch()
        super().xSync(flags)
        self._of.sync()


class _Vfs(apsw.VFS):
    def __init__(self, disk: Disk) -> None:
        super().__init__("powercut", "unix", makedefault=True)
        self._disk = disk

    def xOpen(self, name: apsw.URIFilename | str | None, flags: list[int]) -> apsw.VFSFile:
        if name is None:
            return apsw.VFSFile("unix", name, flags)
        return _File(self._disk, name, flags)


@contextmanager
def forgetful_disk(folder: Path, watch: Callable[[], None]) -> Iterator[Disk]:
    """Open all databases on such a disk within the context; current files of the folder count as synchronised."""
    disk = Disk(folder, watch)
    vfs = _Vfs(disk)
    try:
        yield disk
    finally:
        vfs.unregister()


def _put(content: bytearray, offset: int, data: bytes | None) -> None:
    if data is None:
        del content[offset:]
        return
    if len(content) < offset:
        content.extend(bytes(offset - len(content)))
    content[offset : offset + len(data)] = data
