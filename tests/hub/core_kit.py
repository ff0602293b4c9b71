"""Simulated table cards that send their journals as bytes to a core, and the expected content of the core."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from companion.games.base import Fields
from companion.games.registry import GAMES
from companion.journal.codec import CHAIN_START, chain_links, encode
from companion.messages.wire import Confirmation, JournalLines, Receipt
from companion.table.autoplay import play
from tests.journal.counting_game import GAMES as COUNTING

ALL_GAMES = {**GAMES, **COUNTING}
"""The product's games and the small game of the journal tests, which is fast enough for thousands of matches."""


@dataclass
class StoredTableJournal:
    """One journal as a table's store holds it."""

    table: str
    epoch: int
    lines: list[bytes] = field(default_factory=list)

    def write(self, *events: Fields) -> None:
        """Append lines."""
        self.lines += [encode(event) for event in events]

    def copy(self) -> StoredTableJournal:
        """Return a copy of the card, as made during a match."""
        return StoredTableJournal(self.table, self.epoch, list(self.lines))

    def chain(self, seq: int) -> bytes:
        """Return the chain after a line."""
        return chain_links(CHAIN_START, self.lines[:seq])[-1] if seq else CHAIN_START

    def batch(self, first: int = 1, last: int | None = None) -> JournalLines:
        """Return the lines from `first` to `last`; 1 is the header."""
        return JournalLines(
            self.epoch, first, self.chain(first - 1), tuple(self.lines[first - 1 : last]), table=self.table
        )

    def confirmation(self, seq: int | None = None, by: Sequence[str] = ("Anna", "Bruno")) -> Confirmation:
        """Return the confirmation of both sides for the state after a line."""
        seq = len(self.lines) if seq is None else seq
        return Confirmation(epoch=self.epoch, seq=seq, chain=self.chain(seq), by=tuple(by), table=self.table)

    @property
    def file(self) -> bytes:
        """Return the journal file."""
        return b"".join(line + b"\n" for line in self.lines)

    def agrees(self, receipt: Receipt) -> bool:
        """Return True if a receipt is for this card."""
        return receipt.seq <= len(self.lines) and self.chain(receipt.seq) == receipt.chain


def played(
    table: str, epoch: int, game: str, seed: int, mark: Fields | None = None, amended: float = 0.0
) -> StoredTableJournal:
    """Play a match of random players to its end; `amended` is the share of lines that are undone and rewritten."""
    random = Random(seed)
    header, *events = play(GAMES[game], random)
    card = StoredTableJournal(table, epoch)
    card.write({**header, "tournament": dict(mark)} if mark else header)
    for at, event in enumerate(events):
        card.write({**event, "at": f"2026-06-01T20:{at // 60 % 60:02}:{at % 60:02}.000+02:00"})
        if random.random() < amended:
            card.write({"event": "undo"}, event)
    return card


def pieces(card: StoredTableJournal, random: Random, most: int = 9) -> list[JournalLines]:
    """Split a card into batches of random lengths, some overlapping."""
    found, at = [], 1
    while at <= len(card.lines):
        last = min(len(card.lines), at + random.randrange(most))
        found.append(card.batch(at, last))
        at = max(at + 1, last + 1 - random.randrange(3)) if last < len(card.lines) else last + 1
    return found


def plain(fields: Iterable[Fields]) -> list[dict[str, Any]]:
    """Convert events to plain objects."""
    return [dict(each) for each in fields]
