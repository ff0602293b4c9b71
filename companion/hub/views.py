"""What pages ask for: live matches, stories, journals, and what changed since they last asked."""

from __future__ import annotations

from collections.abc import Callable

from companion.hub.words import Changes, JournalRow, Live, Notice, StoryLine


class Views:
    """Reads only. Safe to call from any thread; a page that follows a match asks at most a few times a second."""

    def live(self, table: str) -> Live | None:
        """The newest match of a table, None if it has none."""
        raise RuntimeError("not built yet")

    def lives(self, tournament: str | None = None) -> tuple[Live, ...]:
        """The newest match of every table (of those playing a tournament), by the tables' numbers."""
        raise RuntimeError("not built yet")

    def match(self, tournament: str, match: str) -> Live | None:
        """A match of a tournament, live or over; None before its first line has come."""
        raise RuntimeError("not built yet")

    def story(self, table: str, epoch: int, after: int = 0, most: int = 500) -> tuple[StoryLine, ...]:
        """What is told of a match after a line, the oldest first. After an undo or correction ask anew from 0."""
        raise RuntimeError("not built yet")

    def picture(self, table: str, epoch: int, number: int) -> bytes | None:
        """A picture of the newest roll, None if it was deleted or may not be shown."""
        raise RuntimeError("not built yet")

    def journal(self, table: str, epoch: int, branch: int = 0) -> bytes:
        """A whole journal file, byte for byte as the table exports it."""
        raise RuntimeError("not built yet")

    def journals(self, table: str | None = None) -> tuple[JournalRow, ...]:
        """Every journal that is kept, by table and epoch."""
        raise RuntimeError("not built yet")

    def notices(self, closed: bool = False) -> tuple[Notice, ...]:
        """What the organiser should look at, the newest first; with `closed` also what was settled."""
        raise RuntimeError("not built yet")

    def revision(self) -> int:
        """The number of the newest change; grows over restarts and restored backups too, fits a JavaScript number."""
        raise RuntimeError("not built yet")

    def changes_after(self, revision: int) -> Changes:
        """What changed after a revision, merged: never longer than what there is to show."""
        raise RuntimeError("not built yet")

    def listen(self, told: Callable[[int], None]) -> Callable[[], None]:
        """Calls `told` with the revision after each change, from the writing thread, so briefly; returns the way out."""
        raise RuntimeError("not built yet")
