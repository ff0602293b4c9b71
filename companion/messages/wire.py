"""The messages of the link, MessagePack maps: what is not known in one is passed over, what lacks has a default.

A message is one byte and its body: `0` as it is, `1` packed with zlib. Nobody unpacks more than `MOST_BYTES`.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct

from companion.games.base import JsonObject, Message

VERSION = 1
"""Of the link. Another one in `Hello` or `Hub` means that the two cannot understand each other."""

MAX_MESSAGE_BYTES = 24 << 20
"""Of one message, unpacked: three of the longest lines that a journal may have."""
MAX_LINES = 2000
"""Of one journal, in one message."""
_MIN_COMPRESSED_BYTES = 512
"""Bytes; shorter ones are not worth packing."""
_PLAIN, _COMPRESSED = b"\x00", b"\x01"

Line = Annotated[int, Meta(ge=0, le=2**53)]
Chain = Annotated[bytes, Meta(max_length=64)]
Name = Annotated[str, Meta(max_length=200)]
Side = Literal["home", "away"]


Problem = Literal["unknown_table", "malformed", "too_long", "too_many_branches"]
"""Why the hub takes nothing of a journal; another one may come from a newer hub."""


class WireError(Exception):
    """Bytes that are no message of the kind expected; the reason is for a log."""


class JournalLines(Struct, frozen=True, omit_defaults=True):
    """Consecutive lines of a table's journal, without newlines, as the table's store holds them.

    `epoch` is the journal's number in that store, `seq` the number of the first line (1: the header), `before` the
    chain (`journal.codec`) of all lines before it. `table` is set by the hub from the subject and never sent.
    """

    epoch: Line
    seq: Line
    before: Chain
    lines: Annotated[tuple[bytes, ...], Meta(max_length=MAX_LINES)]
    table: Name = ""


class Confirmation(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Both sides (and the referee, where one is asked for) said at the table that the match ended so.

    `seq` is the last line they saw, `chain` the chain after it, `by` those who confirmed, as names or roles. Without
    epoch and chain it is a note of the table: `journal` is the id in its store, `needs` are those who must confirm.
    These two are never sent, nor is `table`, which the hub sets from the subject.
    """

    epoch: Line = 0
    seq: Line
    chain: Chain = b""
    by: Annotated[tuple[Name, ...], Meta(max_length=8)]
    table: Name = ""
    journal: Name = ""
    needs: Annotated[tuple[Name, ...], Meta(max_length=8)] = ()

    def __post_init__(self) -> None:
        if not (self.journal or self.chain):
            raise ValueError("a confirmation without a journal")

    @property
    def complete(self) -> bool:
        """Whether all who must have confirmed."""
        return set(self.needs) <= set(self.by)


class Hello(Struct, frozen=True, kw_only=True):
    """A table is there: when it comes, then every few seconds. `run` is drawn at random at each start of the program.

    With `ask` it wants to be told all anew: receipts, state, board. `present` are those who checked in, by match.
    """

    run: Name
    version: int = VERSION
    ask: bool = False
    waiting: Line = 0
    present: dict[Name, tuple[Side, ...]] = {}


class RollPicture(Struct, frozen=True, omit_defaults=True):
    """A picture of the newest roll: of one die (its index in the event) or of the tray (None).

    `table` is set by the hub from the subject and never sent.
    """

    epoch: Line
    seq: Line
    what: Name
    image: bytes
    die: int | None = None
    table: Name = ""


class Hub(Struct, frozen=True, kw_only=True):
    """The hub is there. `hub` is drawn at random at each start: another one than before wants to be asked anew."""

    hub: Name
    version: int = VERSION


class Receipt(Struct, frozen=True, omit_defaults=True):
    """How far the hub has a journal: the last line up to which it has all (0: none), and the chain there.

    A chain that is not the table's own at that line is of another card with this table's name. `branch` is 0 for the
    journal that counts. `confirmed` is the last line for which a confirmation was kept. With a `problem` the hub takes
    nothing of this journal, and sending again is of no use. `table` is whose journal it is, for the hub; never sent.
    """

    epoch: Line
    seq: Line
    chain: Chain
    branch: int = 0
    confirmed: Line = 0
    problem: Name | None = None
    table: Name = ""


class Receipts(Struct, frozen=True, kw_only=True):
    """How far the hub has the journals of a table; with `all` it has no others."""

    hub: Name
    receipts: tuple[Receipt, ...]
    all: bool = False


class CalledMatch(Struct, frozen=True, kw_only=True):
    """The match called to a table. `header` is what the tournament decides of the journal's header.

    `home_side` and `away_side` are the game's sides, `called` is when, in seconds since 1970. With `review` the
    organiser is asked about this match: what stands is shown, nothing is begun on it. `page` is its public page.
    """

    tournament: Name
    match: Name
    game: Name
    home: Name
    away: Name
    home_side: Name
    away_side: Name
    header: JsonObject
    title: Message
    referee: bool = False
    called: int | None = None
    review: bool = False
    page: str | None = None


class State(Struct, frozen=True, kw_only=True):
    """What concerns one table. `tournament` is the one whose board it shows, None while there is none."""

    hub: Name
    table: int
    tournament: Name | None = None
    name: Name | None = None
    match: CalledMatch | None = None
    pictures: bool = False
    pages: str | None = None
    twin: bool = False
    """Another machine speaks with this table's token at the same time."""


class StandingRow(Struct, frozen=True):
    """A row of the standings, with the entry's name. Rows that nothing parts share a `rank`."""

    rank: int
    entry: Name
    name: Name
    played: int
    won: int
    drawn: int
    lost: int
    scored: int
    conceded: int
    points: int

    @property
    def difference(self) -> int:
        """Scored less conceded."""
        return self.scored - self.conceded


class StandingTable(Struct, frozen=True):
    """The standings of a stage or of a group. The first `advance` go on to what follows; 0: nobody does."""

    title: Message
    rows: tuple[StandingRow, ...]
    advance: int = 0


class ComingMatch(Struct, frozen=True):
    """A match that is played or will be; `starts` in seconds since 1970. None: not known yet."""

    match: Name
    home: Name
    away: Name
    title: Message
    table: int | None = None
    starts: int | None = None
    playing: bool = False
    page: str | None = None


class Board(Struct, frozen=True, kw_only=True):
    """A tournament's standings and next matches, told at a time in seconds since 1970."""

    hub: Name
    tournament: Name
    name: Name
    told: int
    frozen: bool = False
    standings: tuple[StandingTable, ...] = ()
    coming: tuple[ComingMatch, ...] = ()


Kind = TypeVar("Kind", bound=Struct)

_encoder = msgspec.msgpack.Encoder()
_decoders: dict[type[Struct], msgspec.msgpack.Decoder[Any]] = {
    kind: msgspec.msgpack.Decoder(kind)
    for kind in (JournalLines, Confirmation, Hello, RollPicture, Hub, Receipts, State, Board)
}
"""Made before there are threads: two that decode the first message of a kind at once make the library crash."""


def encode(message: Struct) -> bytes:
    """The bytes of a message."""
    body = _encoder.encode(message)
    return _COMPRESSED + zlib.compress(body, 1) if len(body) >= _MIN_COMPRESSED_BYTES else _PLAIN + body


def decode(raw: bytes, kind: type[Kind]) -> Kind:
    """The message in some bytes. Raises WireError, whatever they are."""
    try:
        found: Kind = _decoders[kind].decode(_decompress(raw))
    except (msgspec.MsgspecError, zlib.error, ValueError, RecursionError) as error:
        raise WireError(f"{kind.__name__}: {error}") from None
    return found


def _decompress(raw: bytes) -> bytes:
    mark, body = raw[:1], raw[1:]
    if mark == _PLAIN:
        return body
    if mark != _COMPRESSED:
        raise ValueError("neither plain nor packed")
    decompressor = zlib.decompressobj()
    found = decompressor.decompress(body, MAX_MESSAGE_BYTES)
    if decompressor.unconsumed_tail or not decompressor.eof:
        raise ValueError("too long, or cut off")
    return found


def restore_message(received: Message) -> Message:
    """A sentence as it came, with the sentences among its arguments made whole again."""
    return Message(received.id, {key: _restore_argument(value) for key, value in received.args.items()})


def _restore_argument(value: Any) -> Any:
    if isinstance(value, Mapping) and set(value) == {"id", "args"}:
        return Message(str(value["id"]), {key: _restore_argument(each) for key, each in dict(value["args"]).items()})
    return value
