"""What the parts of the hub say to one another: batches of lines, receipts, live matches, stories, notices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from companion.games.base import Board, Die, Fields, JsonObject, Message
from companion.games.figures import Figure
from companion.messages.wire import Receipt
from companion.tournament.facts import Fact
from companion.tournament.headers import Mark


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table as it is known to the hub; `number` is the one in plans and calls."""

    id: str
    number: int
    name: str
    last_heard: str | None
    revision: int


@dataclass(frozen=True, slots=True)
class Bound:
    """The match of a tournament that a journal is of."""

    tournament: str
    match: str


NONE, PENDING, COUNTED, REPLACED = "none", "pending", "counted", "replaced"
"""What came of a journal's result: not confirmed yet, waiting for the organiser or for other facts, counted in the
tournament, or counted until another journal of the same match was."""


@dataclass(frozen=True, slots=True)
class JournalHead:
    """A journal as it is kept, a row of `journals`: how far it is whole, whose match it is, how it stands.

    `branch` 0 is the one that counts; others came from a copied card. `refused_line` is the first line that the rules
    do not take, None if all is understood. `forgotten` is the time at which its lines were deleted for good, `last`
    that of its newest line's coming. `id` is the journal itself: a choice of the organiser changes the numbers of
    branches.
    """

    id: int
    table: str
    epoch: int
    branch: int
    seq: int
    chain: bytes
    game: str | None
    tournament: str | None
    match: str | None
    entries: str | None
    bound_by: str | None
    over: bool
    confirmed: int
    result: str
    counted: str | None
    refused_line: int | None
    begun: str
    last: str
    forgotten: str | None
    revision: int

    @property
    def bound(self) -> Bound | None:
        """The match that it is of."""
        if self.tournament is None or self.match is None:
            return None
        return Bound(self.tournament, self.match)

    @property
    def receipt(self) -> Receipt:
        """What the table is told."""
        return Receipt(self.epoch, self.seq, self.chain, self.branch, self.confirmed, table=self.table)


@dataclass(frozen=True, slots=True)
class Roll:
    """The newest event with dice: its line, its dice, what is told of it, and which pictures there are of it."""

    line: int
    dice: tuple[Die, ...]
    told: Message
    at: str | None
    pictures: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Live:
    """A match as spectators see it, by the replay of its journal.

    `names` and `score` are by the game's sides, in their order; `awaits` is what the game waits for and `acting` the
    sides that may act; `newest` the last line of the story; `review` is true while the match was over and confirmed,
    and was opened again by an undo or a correction that is not counted yet.
    """

    journal: JournalHead
    names: dict[str, str]
    score: dict[str, int]
    phase: str
    over: bool
    winner: str | None
    awaits: Message | None
    acting: tuple[str, ...]
    roll: Roll | None
    newest: Message | None
    review: bool
    figures: tuple[Figure, ...] = ()
    board: Board | None = None


@dataclass(frozen=True, slots=True)
class StoryLine:
    """One line of a match's story. `fate`: stands, corrected, or undone; amendments themselves are not told."""

    line: int
    told: Message
    fate: Literal["stands", "corrected", "undone"]
    at: str | None


@dataclass(frozen=True, slots=True)
class Recorded:
    """A fact of a tournament with its trace: when, by whom, why; and the journal and line it came from, if any."""

    seq: int
    fact: Fact
    at: str
    by: str
    why: str
    table: str | None = None
    epoch: int | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class TournamentRow:
    """A tournament in the list of them. `facts` counts its facts."""

    id: str
    name: str
    game: str
    begun: str
    facts: int
    under_review: bool
    over: bool
    forgotten: str | None
    revision: int
    archived: bool = False
    """Whether the organiser took it off the public pages."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """The match that a table is to play: the names by the game's sides, and the keys of `setup` that are fixed.

    The table's header holds `mark` beside them; by it the hub knows the journal.
    """

    table: str
    tournament: str
    match: str
    game: str
    sides: dict[str, dict[str, str]]
    entries: dict[str, str]
    setup: JsonObject
    clock: int
    again: int = 0
    """How many games were counted for the match before."""

    @property
    def mark(self) -> Fields:
        """What the header of the match's journal holds under `tournament`; `entries` are those of the game's sides."""
        return Mark(self.tournament, self.match, frozenset(self.entries.items()), self.again).header()


NoticeKind = Literal["copied_card", "refused_line", "not_called_here", "result_refused", "result_differs"]


@dataclass(frozen=True, slots=True)
class Notice:
    """Something the organiser should look at; open until it is settled or dismissed. `times` it was seen."""

    id: int
    kind: NoticeKind
    message: Message
    table: str | None
    epoch: int | None
    bound: Bound | None
    first: str
    last: str
    times: int
    closed: str | None
    closed_by: str | None
    revision: int


@dataclass(frozen=True, slots=True)
class Changes:
    """What changed after a revision; `revision` is the newest one, to be asked for next.

    With `all` the revision asked for is not from this hub's memory (it was restored from a backup): show everything
    anew. `tables` and `tournaments` are ids, `journals` pairs of table and epoch.
    """

    revision: int
    all: bool
    tables: frozenset[str]
    journals: frozenset[tuple[str, int]]
    tournaments: frozenset[str]
    notices: bool
