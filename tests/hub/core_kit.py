"""Cards of tables that send their journals to a core, as bytes, and what the core must then hold."""

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
"""Those of the product and the one of the journal's tests, which is small enough for thousands of matches."""


@dataclass
class Card:
    """One journal as a table's store holds it."""

    table: str
    epoch: int
    lines: list[bytes] = field(default_factory=list)

    def write(self, *events: Fields) -> None:
        """More lines."""
        self.lines += [encode(event) for event in events]

    def copy(self) -> Card:
        """A card copied while it was written on."""
        return Card(self.table, self.epoch, list(self.lines))

    def chain(self, seq: int) -> bytes:
        """The chain after a line."""
        return chain_links(CHAIN_START, self.lines[:seq])[-1] if seq else CHAIN_START

    def batch(self, first: int = 1, last: int | None = None) -> JournalLines:
        """Lines from one to another, 1 being the header."""
        return JournalLines(
            self.epoch, first, self.chain(first - 1), tuple(self.lines[first - 1 : last]), table=self.table
        )

    def confirmation(self, seq: int | None = None, by: Sequence[str] = ("Anna", "Bruno")) -> Confirmation:
        """Both sides confirm what stands after a line."""
        seq = len(self.lines) if seq is None else seq
        return Confirmation(epoch=self.epoch, seq=seq, chain=self.chain(seq), by=tuple(by), table=self.table)

    @property
    def file(self) -> bytes:
        """The journal file."""
        return b"".join(line + b"\n" for line in self.lines)

    def agrees(self, receipt: Receipt) -> bool:
        """Whether a receipt is for this very card."""
        return receipt.seq <= len(self.lines) and self.chain(receipt.seq) == receipt.chain


def played(table: str, epoch: int, game: str, seed: int, mark: Fields | None = None, amended: float = 0.0) -> Card:
    """A match of random players to its end; with `amended` so many of its lines are taken back and written again."""
    random = Random(seed)
    header, *events = play(GAMES[game], random)
    card = Card(table, epoch)
    card.write({**header, "tournament": dict(mark)} if mark else header)
    for at, event in enumerate(events):
        card.write({**event, "at": f"2026-06-01T20:{at // 60 % 60:02}:{at % 60:02}.000+02:00"})
        if random.random() < amended:
            card.write({"event": "undo"}, event)
    return card


def pieces(card: Card, random: Random, most: int = 9) -> list[JournalLines]:
    """A whole card in batches of chance lengths, some overlapping."""
    found, at = [], 1
    while at <= len(card.lines):
        last = min(len(card.lines), at + random.randrange(most))
        found.append(card.batch(at, last))
        at = max(at + 1, last + 1 - random.randrange(3)) if last < len(card.lines) else last + 1
    return found


def plain(fields: Iterable[Fields]) -> list[dict[str, Any]]:
    """Events as plain objects."""
    return [dict(each) for each in fields]
