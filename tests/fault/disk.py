"""A recorded disk: every operation that a session does below one folder, in order, from SQLite and from Python.

The real files are written as usual. `recorded` also lists the operations, so that `tests.fault.crash` can compute what
a power cut after any of them leaves. A hook before each operation can refuse it, as a failing disk does.
"""

from __future__ import annotations

import builtins
import io
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

import apsw


@dataclass(eq=False)
class FileNode:
    """A file, whatever its names. `initial` is its content before the recording."""

    initial: bytes = b""


@dataclass(eq=False)
class FolderNode:
    """A folder with its current entries."""

    entries: dict[str, Node] = field(default_factory=dict)


Node = FileNode | FolderNode
Change = tuple[FolderNode, str, Node | None]
"""A name of a folder and its new node; None removes the name."""


@dataclass(frozen=True, slots=True)
class Write:
    file: FileNode
    offset: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Truncate:
    file: FileNode
    size: int


@dataclass(frozen=True, slots=True)
class Naming:
    """A name operation (create, rename, link, unlink, mkdir, rmdir). Its changes happen together or not at all."""

    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Sync:
    node: Node


@dataclass(frozen=True, slots=True)
class FailedSync:
    """A sync that reported an error. The system may have dropped what was to be synced; a later sync does not help."""

    file: FileNode


@dataclass(frozen=True, slots=True)
class Acknowledgement:
    """No operation: the session has acknowledged something here."""

    value: Any


Operation = Write | Truncate | Naming | Sync | FailedSync | Acknowledgement

Hook = Callable[[str, str], None]
"""Called before each operation with its kind (write, truncate, sync, create, rename, remove) and the file's name.

An OSError that it raises reaches the session as the error of that operation. Of a refused write the first half is done.
"""

_JOURNALS = apsw.SQLITE_OPEN_MAIN_JOURNAL | apsw.SQLITE_OPEN_SUPER_JOURNAL | apsw.SQLITE_OPEN_WAL
"""Types of files whose folder SQLite syncs with the first sync of the file."""
_WRITES = os.O_WRONLY | os.O_RDWR


class Disk:
    """The files below one folder, by name and by inode, and the operations so far."""

    def __init__(self, root: Path, hook: Hook) -> None:
        self.root, self.hook = root.resolve(), hook
        self.operations: list[Operation] = []
        self._by_inode: dict[int, Node] = {}
        self.top = self._scan(self.root)
        self.initial_names = [(folder, name, node) for folder, name, node in self._walk(self.top)]

    def acknowledge(self, value: Any) -> None:
        """Record that the session has acknowledged something."""
        self.operations.append(Acknowledgement(value))

    def node_at(self, path: Any, dir_fd: int | None = None) -> Node | None:
        """Return the node of a path; None if it is not on this disk."""
        place = self.place(path, dir_fd)
        return None if place is None else place[0].entries.get(place[1])

    def node_of(self, handle: int) -> Node | None:
        """Return the node of an open file."""
        return self._by_inode.get(os.fstat(handle).st_ino)

    def place(self, path: Any, dir_fd: int | None = None) -> tuple[FolderNode, str] | None:
        """Return the folder and the name of a path; None if it is not on this disk."""
        if dir_fd is not None:
            folder = self.node_of(dir_fd)
            return (folder, os.fsdecode(path)) if isinstance(folder, FolderNode) else None
        full = Path(os.path.abspath(os.fsdecode(path)))
        if self.root not in full.parents:
            return None
        node: Node | None = self.top
        for part in full.relative_to(self.root).parts[:-1]:
            node = node.entries.get(part) if isinstance(node, FolderNode) else None
        return (node, full.name) if isinstance(node, FolderNode) else None

    def name(self, *changes: Change) -> None:
        """Record a name operation that was done."""
        for folder, name, node in changes:
            if node is None:
                folder.entries.pop(name, None)
            else:
                folder.entries[name] = node
        self.operations.append(Naming(changes))

    def create(self, path: Any, node: Node, dir_fd: int | None = None) -> None:
        """Record a new file or folder that exists now."""
        place = self.place(path, dir_fd)
        if place is not None:
            self._by_inode[os.stat(path, dir_fd=dir_fd).st_ino] = node
            self.name((*place, node))

    def _scan(self, path: Path) -> FolderNode:
        folder = FolderNode()
        self._by_inode[path.stat().st_ino] = folder
        for entry in path.iterdir():
            if entry.is_dir():
                folder.entries[entry.name] = self._scan(entry)
            elif not entry.name.endswith("-shm"):
                inode = entry.stat().st_ino
                folder.entries[entry.name] = self._by_inode.setdefault(inode, FileNode(entry.read_bytes()))
        return folder

    def _walk(self, folder: FolderNode) -> Iterator[tuple[FolderNode, str, Node]]:
        for name, node in folder.entries.items():
            yield folder, name, node
            if isinstance(node, FolderNode):
                yield from self._walk(node)


@contextmanager
def recorded(root: Path, hook: Hook = lambda _kind, _name: None) -> Iterator[Disk]:
    """Record all operations below a folder within the context. Its current files count as synchronised."""
    disk = Disk(root, hook)
    vfs = _Vfs(disk)
    try:
        with ExitStack() as patches:
            for module, name, replacement in _python_operations(disk):
                patches.enter_context(patch.object(module, name, replacement))
            patches.enter_context(patch.object(shutil, "_USE_CP_SENDFILE", False))
            yield disk
    finally:
        vfs.unregister()


# SQLite's operations.


class _Vfs(apsw.VFS):
    def __init__(self, disk: Disk) -> None:
        super().__init__("recorded", "unix", makedefault=True)
        self._disk = disk

    def xOpen(self, name: apsw.URIFilename | str | None, flags: list[int]) -> apsw.VFSFile:
        if name is None:
            return apsw.VFSFile("unix", name, flags)
        path = name if isinstance(name, str) else name.filename()
        if self._disk.place(path) is None:
            return apsw.VFSFile("unix", name, flags)
        created = bool(flags[0] & apsw.SQLITE_OPEN_CREATE) and not os.path.exists(path)
        if created:
            _refusable(self._disk, "create", path, apsw.SQLITE_CANTOPEN)
        file = _SqliteFile(self._disk, name, flags)
        if created:
            self._disk.create(path, FileNode())
        file.node = self._disk.node_at(path)
        file.folder = self._disk.node_at(os.path.dirname(path)) or self._disk.top
        file.syncs_folder = bool(flags[0] & apsw.SQLITE_OPEN_CREATE and flags[0] & _JOURNALS)
        return file

    def xDelete(self, name: str, syncdir: bool) -> None:
        place = self._disk.place(name)
        if place is not None and place[1] in place[0].entries:
            _refusable(self._disk, "remove", name, apsw.SQLITE_IOERR_DELETE)
        super().xDelete(name, syncdir)
        if place is not None:
            self._disk.name((*place, None))
            if syncdir:
                self._disk.operations.append(Sync(place[0]))


class _SqliteFile(apsw.VFSFile):
    node: Node | None = None
    folder: Node
    syncs_folder = False

    def __init__(self, disk: Disk, name: apsw.URIFilename | str, flags: list[int]) -> None:
        super().__init__("unix", name, flags)
        self._disk, self._name = disk, name if isinstance(name, str) else name.filename()

    def xWrite(self, data: bytes, offset: int) -> None:
        try:
            _refusable(self._disk, "write", self._name, apsw.SQLITE_IOERR_WRITE)
        except apsw.Error:
            self._write(data[: len(data) // 2], offset)
            raise
        self._write(data, offset)

    def _write(self, data: bytes, offset: int) -> None:
        super().xWrite(data, offset)
        if isinstance(self.node, FileNode):
            self._disk.operations.append(Write(self.node, offset, bytes(data)))

    def xTruncate(self, newsize: int) -> None:
        _refusable(self._disk, "truncate", self._name, apsw.SQLITE_IOERR_TRUNCATE)
        super().xTruncate(newsize)
        if isinstance(self.node, FileNode):
            self._disk.operations.append(Truncate(self.node, newsize))

    def xSync(self, flags: int) -> None:
        try:
            _refusable(self._disk, "sync", self._name, apsw.SQLITE_IOERR_FSYNC)
        except apsw.Error:
            if isinstance(self.node, FileNode):
                self._disk.operations.append(FailedSync(self.node))
            raise
        super().xSync(flags)
        if self.node is not None:
            self._disk.operations.append(Sync(self.node))
        if self.syncs_folder:
            self.syncs_folder = False
            self._disk.operations.append(Sync(self.folder))


def _refusable(disk: Disk, kind: str, path: str, code: int) -> None:
    """Call the hook; raise its error as SQLite reports it."""
    try:
        disk.hook(kind, os.path.basename(path))
    except OSError as error:
        code = apsw.SQLITE_FULL if error.errno == 28 and kind == "write" else code
        failure = apsw.exception_for(code)
        raise failure from None


# Python's operations.


class _PythonFile(io.FileIO):
    """An unbuffered file whose writes are recorded."""

    disk: Disk

    def write(self, data: Any) -> int:
        try:
            self.disk.hook("write", str(self.name))
        except OSError:
            self._write(bytes(data)[: len(data) // 2])
            raise
        return self._write(data)

    def _write(self, data: Any) -> int:
        offset = os.fstat(self.fileno()).st_size if "a" in self.mode else self.tell()
        count = super().write(data)
        _note_write(self.disk, self.fileno(), offset, bytes(data)[:count])
        return count

    def truncate(self, size: int | None = None) -> int:
        self.disk.hook("truncate", str(self.name))
        length = super().truncate(size)
        _note_truncate(self.disk, self.fileno(), length)
        return length


def _note_write(disk: Disk, handle: int, offset: int, data: bytes) -> None:
    node = disk.node_of(handle)
    if isinstance(node, FileNode):
        disk.operations.append(Write(node, offset, data))


def _note_truncate(disk: Disk, handle: int, size: int) -> None:
    node = disk.node_of(handle)
    if isinstance(node, FileNode):
        disk.operations.append(Truncate(node, size))


def _python_operations(disk: Disk) -> list[tuple[Any, str, Any]]:
    """Return the functions of Python that change files, each with its recording replacement."""
    opened = _opener(disk)
    return [
        (builtins, "open", opened),
        (io, "open", opened),
        *((os, function.__name__, function) for function in (*_on_handles(disk), *_on_names(disk))),
    ]


def _opener(disk: Disk) -> Callable[..., Any]:
    plain = io.open

    def open(file: Any, mode: str = "r", buffering: int = -1, *rest: Any, **more: Any) -> Any:
        writes = any(letter in mode for letter in "wax+")
        is_here = disk.node_of(file) is not None if isinstance(file, int) else disk.place(file) is not None
        if not writes or not is_here or more.get("opener") is not None:
            return plain(file, mode, buffering, *rest, **more)
        fresh = not isinstance(file, int) and not os.path.exists(file)
        if fresh:
            disk.hook("create", os.path.basename(file))
        was_empty = fresh or isinstance(file, int) or not os.path.getsize(file)
        raw = _PythonFile(file, mode.replace("b", "").replace("t", ""), more.get("closefd", True))
        raw.disk = disk
        if fresh:
            disk.create(file, FileNode())
        elif "w" in mode and not was_empty:
            _note_truncate(disk, raw.fileno(), 0)
        if buffering == 0:
            return raw
        binary = io.BufferedRandom(raw) if "+" in mode else io.BufferedWriter(raw)
        if "b" in mode:
            return binary
        more.pop("closefd", None)
        return io.TextIOWrapper(binary, *rest, **more)

    return open


def _on_handles(disk: Disk) -> list[Callable[..., Any]]:
    plain_open, plain_write, plain_pwrite = os.open, os.write, os.pwrite
    plain_ftruncate, plain_fsync = os.ftruncate, os.fsync

    def open(path: Any, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        place = disk.place(path, dir_fd)
        fresh = place is not None and bool(flags & os.O_CREAT) and place[1] not in place[0].entries
        if fresh:
            disk.hook("create", os.path.basename(path))
        handle = plain_open(path, flags, mode, dir_fd=dir_fd)
        if fresh:
            disk.create(path, FileNode(), dir_fd)
        elif flags & os.O_TRUNC and flags & _WRITES:
            _note_truncate(disk, handle, 0)
        return handle

    def write(handle: int, data: Any) -> int:
        node = disk.node_of(handle)
        if not isinstance(node, FileNode):
            return plain_write(handle, data)
        disk.hook("write", "")
        offset = os.lseek(handle, 0, os.SEEK_CUR)
        count = plain_write(handle, data)
        disk.operations.append(Write(node, offset, bytes(data)[:count]))
        return count

    def pwrite(handle: int, data: Any, offset: int) -> int:
        if disk.node_of(handle) is not None:
            disk.hook("write", "")
        count = plain_pwrite(handle, data, offset)
        _note_write(disk, handle, offset, bytes(data)[:count])
        return count

    def ftruncate(handle: int, length: int) -> None:
        if disk.node_of(handle) is not None:
            disk.hook("truncate", "")
        plain_ftruncate(handle, length)
        _note_truncate(disk, handle, length)

    def fsync(handle: int) -> None:
        node = disk.node_of(handle if isinstance(handle, int) else handle.fileno())
        if node is not None:
            try:
                disk.hook("sync", "")
            except OSError:
                if isinstance(node, FileNode):
                    disk.operations.append(FailedSync(node))
                raise
        plain_fsync(handle)
        if node is not None:
            disk.operations.append(Sync(node))

    def fdatasync(handle: int) -> None:
        fsync(handle)

    return [open, write, pwrite, ftruncate, fsync, fdatasync]


def _on_names(disk: Disk) -> list[Callable[..., Any]]:
    plain_rename, plain_link, plain_unlink, plain_mkdir, plain_rmdir = (
        os.rename, os.link, os.unlink, os.mkdir, os.rmdir,
    )  # fmt: skip

    def rename(src: Any, dst: Any, **more: Any) -> None:
        here, there = disk.place(src), disk.place(dst)
        if here or there:
            disk.hook("rename", os.path.basename(dst))
        node = None if here is None else here[0].entries.get(here[1])
        plain_rename(src, dst, **more)
        changes: list[Change] = [(*here, None)] if here is not None and node is not None else []
        if there is not None and (node is not None or there[1] in there[0].entries):
            changes.append((*there, node))
        if changes:
            disk.name(*changes)

    def replace(src: Any, dst: Any, **more: Any) -> None:
        rename(src, dst, **more)

    def link(src: Any, dst: Any, **more: Any) -> None:
        there, node = disk.place(dst), disk.node_at(src)
        if there is not None:
            disk.hook("rename", os.path.basename(dst))
        plain_link(src, dst, **more)
        if there is not None and node is not None:
            disk.name((*there, node))

    def unlink(path: Any, *, dir_fd: int | None = None) -> None:
        _removed(path, dir_fd, plain_unlink)

    def remove(path: Any, *, dir_fd: int | None = None) -> None:
        _removed(path, dir_fd, plain_unlink)

    def rmdir(path: Any, *, dir_fd: int | None = None) -> None:
        _removed(path, dir_fd, plain_rmdir)

    def _removed(path: Any, dir_fd: int | None, plain: Callable[..., None]) -> None:
        place = disk.place(path, dir_fd)
        known = place is not None and place[1] in place[0].entries
        if known:
            disk.hook("remove", os.path.basename(path))
        plain(path, dir_fd=dir_fd)
        if place is not None and known:
            disk.name((*place, None))

    def mkdir(path: Any, mode: int = 0o777, *, dir_fd: int | None = None) -> None:
        place = disk.place(path, dir_fd)
        if place is not None and place[1] not in place[0].entries:
            disk.hook("create", os.path.basename(path))
        plain_mkdir(path, mode, dir_fd=dir_fd)
        disk.create(path, FolderNode(), dir_fd)

    return [rename, replace, link, unlink, remove, rmdir, mkdir]
