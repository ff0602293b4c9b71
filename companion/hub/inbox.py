"""The inbox: takes the tables' lines, plays them and moves the cursors on, all in one transaction."""

from __future__ import annotations

from collections.abc import Sequence

from companion.hub.words import Batch, Confirmation, Picture, Receipt


class Inbox:
    """Where the tables' journals arrive. Safe to call from any thread; one call is one transaction."""

    def take(self, batches: Sequence[Batch], confirmations: Sequence[Confirmation] = ()) -> tuple[Receipt, ...]:
        """Keeps, plays and counts what is new; one receipt a journal and branch, in the order of the batches.

        Repeats are harmless, what comes before its turn waits, lines that differ from kept ones are kept apart.
        Durable against a crash of the program on return; against a power cut the newest batches may be lost, the next
        receipts then ask for them again.
        """
        raise RuntimeError("not built yet")

    def keep_picture(self, picture: Picture) -> bool:
        """Keeps a picture of a journal's newest roll, the older ones go. False if it is not wanted."""
        raise RuntimeError("not built yet")

    def receipts(self, table: str) -> tuple[Receipt, ...]:
        """How far the hub has each journal of a table, for a table that comes back."""
        raise RuntimeError("not built yet")
