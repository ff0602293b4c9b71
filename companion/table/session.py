"""One match at one table: asks the game about each input, writes the journal, then tells the outputs.

Nothing is told before it is on disk. The session never blocks and keeps no clock of its own; its dice are looked
after by `companion.table.dice`.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

from companion.games.base import Awaits, Fields, Game, Message, Scene
from companion.journal.ledger import Ledger, Proposal
from companion.journal.store import Picture, Store
from companion.journal.store_errors import DiskFull, StoreError
from companion.table.dice import ENTERED, DiceDesk
from companion.table.evidence import Pictures, essential, pictures_of
from companion.table.inbox import Inbox, Press, Tap
from companion.table.ports import News, NewsKind, Output, ReaderPort
from companion.table.story import Difference, TimelineRow, differences, timeline
from vision.roll import DieReading

log = logging.getLogger(__name__)


class StaleTap(Exception):
    """The choice was drawn for a state that is no longer the present one; it is dropped."""


class StorageTrouble(Exception):
    """The event could not be written; nothing changed. `message` says what to do."""

    def __init__(self, message: Message) -> None:
        super().__init__(str(message))
        self.message = message


class Session:
    """A match being played. Every change goes through `_write`."""

    def __init__(
        self,
        game: Game[Any, Any],
        store: Store,
        match_id: str,
        ledger: Ledger[Any, Any],
        reader: ReaderPort | None = None,
        dice_set: str | None = None,
    ) -> None:
        self.game = game
        self.match_id = match_id
        self.ledger = ledger
        self.inbox = Inbox()
        self._store = store
        self._outputs: list[Output] = []
        self.dice = DiceDesk(self, reader, dice_set or game.id, self._lying_before())

    @property
    def header(self) -> Fields:
        return self.ledger.header

    @property
    def state(self) -> Any:
        return self.ledger.state

    @property
    def sequence(self) -> int:
        """Grows with every entry; a choice carries the sequence it was drawn for."""
        return self.ledger.next_line

    def awaits(self) -> Awaits:
        return self.game.awaits(self.state)

    def scene(self) -> Scene:
        return self.game.scene(self.state)

    def record(
        self,
        fields: Fields,
        *,
        sequence: int | None = None,
        by: str = "touch",
        note: str | None = None,
        pictures: Sequence[Picture] = (),
    ) -> None:
        """Appends an event. Raises Refusal, StaleTap (drawn for another state than the present one), StorageTrouble."""
        if sequence is not None and sequence != self.sequence:
            raise StaleTap(f"drawn for {sequence}, now {self.sequence}")
        kept = {key: value for key, value in fields.items() if key not in ("at", "by", "note")}
        kept["by"] = by
        kept["at"] = self._now()
        if note is not None:
            kept["note"] = note
        self._write(kept, NewsKind.ENTRY, pictures)

    def undo(self) -> Fields | None:
        """Takes back the standing event with the highest line and returns it. Raises Refusal when there is none."""
        newest = self.ledger.newest
        self._write({"event": "undo", "by": "touch", "at": self._now()}, NewsKind.UNDO)
        return newest.fields if newest else None

    def undo_to(self, line: int) -> int:
        """Takes back every standing event after `line`; returns how many."""
        count = sum(standing.line > line for standing in self.ledger.standing)
        for _ in range(count):
            self.undo()
        return count

    def preview(self, line: int, fields: Fields) -> tuple[Difference, ...]:
        """What a correction would change, nothing written. Raises Refusal if the corrected match breaks a rule."""
        return differences(self.game, self.ledger, self._propose_correction(line, fields))

    def correct(self, line: int, fields: Fields) -> None:
        """Replaces the standing event of a line and recomputes what follows. Raises Refusal; then nothing changed."""
        correction = {"event": "correct", "line": line, "with": dict(fields), "by": "touch", "at": self._now()}
        self._write(correction, NewsKind.CORRECT)

    def timeline(self) -> tuple[TimelineRow, ...]:
        """Every fact of the match, oldest first, undone ones included."""
        return timeline(self.game, self.ledger, self._store.lines_with_pictures(self.match_id))

    def pictures(self, line: int) -> Pictures:
        """The evidence kept with the event of a line."""
        return pictures_of(self._store.pictures(self.match_id, line))

    def subscribe(self, output: Output) -> None:
        """Outputs are told in the order in which they subscribed."""
        self._outputs.append(output)

    def poll(self) -> None:
        """Takes in what players pressed and what the reader saw since the last call. Never blocks."""
        for item in self.inbox.drain():
            self._take(item)
        self.dice.poll()

    def tell(self, news: News) -> None:
        """Tells every output. An output that fails is logged and stops nobody."""
        for output in self._outputs:
            try:
                output(news)
            except Exception:
                log.exception("an output failed on %s", news.kind)

    def close(self) -> None:
        self.dice.close()

    def _take(self, item: Tap | Press) -> None:
        try:
            if isinstance(item, Tap):
                self.record(item.fields, sequence=item.sequence, by=item.by)
            elif item.role == "undo":
                self.undo()
            elif item.role == "confirm":
                only = [choice for choice in self.awaits().choices if choice.rank == 1 and not choice.barred]
                if len(only) == 1 and not only[0].asks and not only[0].held:
                    self.record(only[0].event, by="button")
        except StaleTap:
            log.info("a late tap was dropped: %s", item)

    def _propose_correction(self, line: int, fields: Fields) -> Proposal[Any, Any]:
        return self.ledger.propose({"event": "correct", "line": line, "with": dict(fields)})

    def _write(self, fields: Fields, kind: NewsKind, pictures: Sequence[Picture] = ()) -> None:
        """Decide, write, apply, tell: in this order. Raises what `propose` refuses, and StorageTrouble."""
        proposal = self.ledger.propose(fields)
        try:
            self._append(proposal, pictures)
        except DiskFull as trouble:
            raise StorageTrouble(Message("table.disk_full", {"folder": str(self._store.path.parent)})) from trouble
        except StoreError as trouble:
            raise StorageTrouble(trouble.message) from trouble
        self.ledger.commit(proposal)
        self.dice.state_changed()
        newest = self.ledger.newest
        outcome = newest.outcome if kind is NewsKind.ENTRY and newest else None
        self.tell(News(kind, line=proposal.line, fields=fields, outcome=outcome))
        if self.game.finished(self.state):
            self.tell(News(NewsKind.FINISHED))

    def _append(self, proposal: Proposal[Any, Any], pictures: Sequence[Picture]) -> None:
        ended = self.game.finished(proposal.state)
        try:
            self._store.append(self.match_id, proposal.fields, pictures, line=proposal.line, ended=ended)
        except DiskFull:
            log.warning("disk full: the pictures of rolls are given up for the journal")
            self._store.forget_pictures()
            kept = essential(pictures)
            self._store.append(self.match_id, proposal.fields, kept, line=proposal.line, ended=ended)

    def _now(self) -> str:
        """The time as a journal line carries it, with its zone."""
        return self._store.clock.now().isoformat(timespec="milliseconds")

    def _lying_before(self) -> tuple[DieReading, ...] | None:
        """The dice that counted last, so that they do not count again when the match is resumed with them in the tray.

        None if they were entered by touch, so that where they lie is not known. Undone rolls lie there all the same.
        """
        seen = self._store.lines_with_pictures(self.match_id)
        for entry in reversed(self.ledger.entries):
            if entry.fields.get("note") == ENTERED:
                return None
            if entry.line in seen:
                return self.pictures(entry.line).dice
        return ()
