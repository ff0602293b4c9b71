"""Data classes shared by the parts of the hub: journals, live matches, timelines, notices, changes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from companion.games.base import Board, Die, Fields, JsonObject, Message
from companion.games.figures import Figure
from companion.games.spec import KeepableCard as KeepableCard
from companion.messages.wire import Receipt
from companion.tournament.facts import Fact
from companion.tournament.headers import TournamentMark


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table known to the hub; `number` is its number in plans and calls."""

    id: str
    number: int
    name: str
    last_heard: str | None
    revision: int


@dataclass(frozen=True, slots=True)
class MatchRef:
    """The tournament match that a journal belongs to."""

    tournament: str
    match: str


RESULT_NONE, RESULT_PENDING, RESULT_COUNTED, RESULT_REPLACED = "none", "pending", "counted", "replaced"
"""State of a journal's result.

- `RESULT_NONE`: not confirmed yet
- `RESULT_PENDING`: waits for the organiser or for other events
- `RESULT_COUNTED`: counted in the tournament
- `RESULT_REPLACED`: was counted until another journal of the same match was
"""


@dataclass(frozen=True, slots=True)
class JournalHead:
    """The stored state of a journal, a row of `journals`.

    - `id`: identifies the journal; branch numbers may change by the organiser's choice
    - `branch`: 0 for the journal that counts; others come from a copied card
    - `seq`: the last line without a gap before it
    - `refused_line`: the first line that the rules refuse, None if there is none
    - `last`: time of arrival of the newest line
    - `forgotten`: time at which the lines were permanently deleted
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
    counted_result: str | None
    refused_line: int | None
    begun: str
    last: str
    forgotten: str | None
    revision: int

    @property
    def match_ref(self) -> MatchRef | None:
        """The match that the journal belongs to."""
        if self.tournament is None or self.match is None:
            return None
        return MatchRef(self.tournament, self.match)

    @property
    def receipt(self) -> Receipt:
        """The receipt sent to the table."""
        return Receipt(self.epoch, self.seq, self.chain, self.branch, self.confirmed, table=self.table)


@dataclass(frozen=True, slots=True)
class LiveRoll:
    """The newest event with dice: its line, dice, text and pictures."""

    line: int
    dice: tuple[Die, ...]
    message: Message
    at: str | None
    pictures: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LiveMatch:
    """A match as spectators see it, from the replay of its journal.

    - `names`, `score`: by the game's sides, in their order
    - `decision`: the action that the game waits for
    - `acting`: the sides that may act
    - `newest`: the last line of the timeline
    - `review`: whether a finished and confirmed match was reopened by an undo or correction that is not counted
      yet
    """

    journal: JournalHead
    names: dict[str, str]
    score: dict[str, int]
    phase: str
    over: bool
    winner: str | None
    decision: Message | None
    acting: tuple[str, ...]
    roll: LiveRoll | None
    newest: Message | None
    review: bool
    figures: tuple[Figure, ...] = ()
    board: Board | None = None


@dataclass(frozen=True, slots=True)
class StoryLine:
    """A line of a match's timeline.

    `status`: stands, corrected or undone; undos and corrections themselves are not shown.
    `side`: the side that acts; None if it is both, nobody or unknown.
    """

    line: int
    message: Message
    status: Literal["stands", "corrected", "undone"]
    at: str | None
    side: str | None


@dataclass(frozen=True, slots=True)
class RecordedFact:
    """A tournament event with its origin: time, author, reason, and the source journal and line, if any."""

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
    """A tournament in the list of tournaments. `facts` is the number of its events."""

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
    """Whether the organiser removed it from the public pages."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """The match assigned to a table: names by the game's sides, and the fixed fields of `setup`.

    The journal's header also contains `mark`, by which the hub recognises the journal.
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
    """Number of games already counted for the match."""

    @property
    def mark(self) -> Fields:
        """Content of `tournament` in the header of the match's journal; `entries` are by the game's sides."""
        return TournamentMark(self.tournament, self.match, frozenset(self.entries.items()), self.again).header()


NoticeKind = Literal["copied_card", "refused_line", "not_called_here", "result_refused", "result_differs", "disputed"]


@dataclass(frozen=True, slots=True)
class OrganiserNotice:
    """A notice for the organiser, open until it is resolved or dismissed. `times` counts its occurrences."""

    id: int
    kind: NoticeKind
    message: Message
    table: str | None
    epoch: int | None
    match_ref: MatchRef | None
    first: str
    last: str
    times: int
    closed: str | None
    closed_by: str | None
    revision: int


@dataclass(frozen=True, slots=True)
class Changes:
    """Changes after a revision; `revision` is the newest one, for the next query.

    With `all` the requested revision is not from this hub's history (a backup was restored): show everything
    again. `tables` and `tournaments` are ids, `journals` pairs of table and epoch.
    """

    revision: int
    all: bool
    tables: frozenset[str]
    journals: frozenset[tuple[str, int]]
    tournaments: frozenset[str]
    notices: bool
