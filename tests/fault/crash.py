"""What a power cut leaves: for each moment of a recorded session, states that the disk may be in.

The model: a file's content is sure up to its last sync; of later writes any may be on disk, in any order, whole, torn
at sectors, as zeroes or as garbage. A name operation is sure after a sync of one of its folders; later ones may have
happened or not, each as a whole. A renamed file that was not synced may therefore be empty.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Literal

from tests.fault.disk import (
    Acknowledgement,
    Disk,
    FailedSync,
    FileNode,
    FolderNode,
    Naming,
    Node,
    Operation,
    Sync,
    Truncate,
    Write,
)

SECTOR = 512
"""Bytes that a disk writes as one."""

Loss = Literal["nothing", "contents", "names", "any"]
"""What of the operations that are not synced is lost: nothing (as by a kill), contents only, names only, or any."""
LOSSES: tuple[Loss, ...] = ("any", "contents", "names", "nothing")


@dataclass
class _Content:
    """A file as on disk, with its writes since the last sync (None as data: truncation to that length)."""

    sure: bytearray
    pending: list[tuple[int, bytes | None]] = field(default_factory=list)

    def sync(self) -> None:
        for offset, data in self.pending:
            _put(self.sure, offset, data)
        self.pending.clear()

    def after(self, random: Random, lossy: bool) -> bytes:
        content = bytearray(self.sure)
        writes = list(self.pending)
        if lossy:
            landed = random.choice((0.0, 0.5, 0.9))
            writes = [write for write in writes if random.random() < landed]
            if random.random() < 0.5:
                random.shuffle(writes)
        for offset, data in writes:
            for at, piece in [(offset, data)] if data is None or not lossy else _torn(offset, data, random):
                _put(content, at, piece)
        return bytes(content)


class CrashState:
    """The disk after the first operations of a recording."""

    def __init__(self, disk: Disk) -> None:
        self._top = disk.top
        self._names: dict[tuple[FolderNode, str], Node] = {
            (folder, name): node for folder, name, node in disk.initial_names
        }
        self._contents: dict[FileNode, _Content] = {}
        self._namings: list[Naming] = []
        self.acknowledged: list[Any] = []

    def advance(self, operation: Operation) -> None:
        """Go past one operation."""
        match operation:
            case Write(file, offset, data):
                self._content(file).pending.append((offset, data))
            case Truncate(file, size):
                self._content(file).pending.append((size, None))
            case Naming():
                self._namings.append(operation)
            case Sync(FileNode() as file):
                self._content(file).sync()
            case FailedSync(file):
                self._content(file).pending.clear()
            case Sync(FolderNode() as folder):
                self._sync_folder(folder)
            case Acknowledgement(value):
                self.acknowledged.append(value)

    def leave(self, into: Path, loss: Loss, random: Random) -> None:
        """Write to a folder what a power cut leaves now."""
        names = dict(self._names)
        for naming in self._landed(loss in ("names", "any"), random):
            _rename(names, naming)
        contents = {
            node: self._content(node).after(random, loss in ("contents", "any"))
            for node in names.values()
            if isinstance(node, FileNode)
        }
        self._write(into, self._top, names, contents)

    def _content(self, file: FileNode) -> _Content:
        return self._contents.setdefault(file, _Content(bytearray(file.initial)))

    def _sync_folder(self, folder: FolderNode) -> None:
        """Make the name operations of a folder sure."""
        in_folder = [
            at for at, naming in enumerate(self._namings) if any(change[0] is folder for change in naming.changes)
        ]
        for naming in _with_needed(self._namings, in_folder):
            _rename(self._names, naming)
            self._namings = [other for other in self._namings if other is not naming]

    def _landed(self, lossy: bool, random: Random) -> list[Naming]:
        if not lossy:
            return self._namings
        if random.random() < 0.5:
            return self._namings[: random.randint(0, len(self._namings))]
        landed = random.choice((0.0, 0.5, 0.9))
        return _with_needed(self._namings, [at for at in range(len(self._namings)) if random.random() < landed])

    def _write(
        self,
        into: Path,
        folder: FolderNode,
        names: dict[tuple[FolderNode, str], Node],
        contents: dict[FileNode, bytes],
    ) -> None:
        into.mkdir(exist_ok=True)
        written: dict[FileNode, Path] = {}
        for (parent, name), node in names.items():
            if parent is not folder:
                continue
            if isinstance(node, FolderNode):
                self._write(into / name, node, names, contents)
            elif node in written:
                (into / name).hardlink_to(written[node])
            else:
                (into / name).write_bytes(contents[node])
                written[node] = into / name


def crash_states(disk: Disk) -> Iterator[tuple[int, CrashState]]:
    """Yield the state before each operation and after the last one. The state is valid until the next one."""
    state = CrashState(disk)
    number = 0
    for operation in disk.operations:
        if not isinstance(operation, Acknowledgement):
            yield number, state
            number += 1
        state.advance(operation)
    yield number, state


def _with_needed(namings: list[Naming], chosen: list[int]) -> list[Naming]:
    """Return the chosen operations, in order, with the earlier ones that they need.

    An operation needs earlier ones on the same name, and the creation of the folder in which it is.
    """
    kept, places, folders = list[Naming](), set[tuple[FolderNode, str]](), set[Node]()
    wanted = set(chosen)
    for at in range(max(chosen, default=-1), -1, -1):
        changes = namings[at].changes
        if at in wanted or any((folder, name) in places or node in folders for folder, name, node in changes):
            kept.append(namings[at])
            places |= {(folder, name) for folder, name, _node in changes}
            folders |= {folder for folder, _name, _node in changes}
    return kept[::-1]


def _rename(names: dict[tuple[FolderNode, str], Node], naming: Naming) -> None:
    for folder, name, node in naming.changes:
        if node is None:
            names.pop((folder, name), None)
        else:
            names[folder, name] = node


def _torn(offset: int, data: bytes, random: Random) -> Iterator[tuple[int, bytes]]:
    """Yield the sectors of a write that landed, some of them as zeroes or garbage."""
    damage = random.choice((0.0, 0.0, 0.3))
    at = 0
    while at < len(data):
        end = min(len(data), ((offset + at) // SECTOR + 1) * SECTOR - offset)
        piece = data[at:end]
        if random.random() >= damage:
            yield offset + at, piece
        elif (fate := random.randrange(3)) > 0:
            yield offset + at, bytes(len(piece)) if fate == 1 else random.randbytes(len(piece))
        at = end


def _put(content: bytearray, offset: int, data: bytes | None) -> None:
    if data is None:
        del content[offset:]
        content.extend(bytes(offset - len(content)))
        return
    if len(content) < offset:
        content.extend(bytes(offset - len(content)))
    content[offset : offset + len(data)] = data
