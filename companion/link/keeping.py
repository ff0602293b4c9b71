"""The store and the notes as the link's thread works with them: new lines noticed, pictures picked, notes written."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from companion.journal.store import READING, OutgoingJournals
from companion.link import notes
from companion.link.sender import Sender
from companion.link.side import Progress, TableSide
from companion.messages.wire import RollPicture

LARGEST_SHOT = 200_000
"""Bytes of a picture that is sent."""
SHOT_LINES = 4
"""Newest lines among which the last roll with pictures is looked for."""


class Keeping:
    """For the link's thread alone; close it when done."""

    def __init__(self, store: Path, folder: Path) -> None:
        """Raises StoreError."""
        self._journals, self._folder = OutgoingJournals(store), folder
        self._version: int | None = None
        self._shown: tuple[int, int] | None = None
        self.sender = Sender(self._journals.lines)
        self.scan()

    def close(self) -> None:
        self._journals.close()

    def scan(self, grown: int = 0) -> None:
        """Notices what was written since; `grown` is the side's before. Raises StoreError."""
        self._grown = grown
        version = self._journals.version()
        if version == self._version:
            return
        self._version = version
        for cursor in self.sender.cursors:
            length, ended = self._journals.length(cursor.id)
            self.sender.longer(cursor.epoch, length, ended)
        self.sender.grew(self._journals.journals(self.sender.newest_epoch))

    def shots(self) -> Iterator[RollPicture]:
        """The pictures of the newest roll that the hub has, of the match that is played, each once."""
        newest = next(iter(self.sender.cursors), None)
        if newest is None or newest.ended or self._shown == (newest.epoch, newest.acknowledged):
            return
        self._shown = (newest.epoch, newest.acknowledged)
        for line in range(newest.acknowledged, max(newest.acknowledged - SHOT_LINES, 1), -1):
            found = self._journals.pictures(newest.id, line)
            if found:
                for what, image, die in found:
                    if what != READING and len(image) <= LARGEST_SHOT:
                        yield RollPicture(epoch=newest.epoch, seq=line, what=what, image=image, die=die)
                return

    def tell(self, side: TableSide) -> None:
        """How far the journals are."""
        progress = {each.id: Progress(each.length, each.confirmed) for each in self.sender.cursors}
        side.progressed(self.sender.waiting, progress, self._grown)

    def save(self, side: TableSide) -> None:
        """Writes the notes if they have changed."""
        with side.lock:
            if not side.changed:
                return
            side.changed = False
            written = notes.encoded(side.notes)
        notes.save(self._folder, written)
