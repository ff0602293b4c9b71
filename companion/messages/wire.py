"""Messages of the link, as MessagePack maps: unknown fields are ignored, missing ones have defaults.

A message is one byte and a body: `0` plain, `1` compressed with zlib. Decoders reject more than `MAX_MESSAGE_BYTES`.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from companion.games.base import JsonObject, Message

VERSION = 1
"""Protocol version. A different one in `Hello` or `Hub` means that the two are incompatible."""

MAX_MESSAGE_BYTES = 24 << 20
"""Maximum uncompressed size of a message: three lines of the maximum journal line length."""
MAX_LINES = 2000
"""Maximum number of lines of one journal in one message."""
_MIN_COMPRESSED_BYTES = 512
"""Bytes; shorter messages are not compressed."""
_PLAIN, _COMPRESSED = b"\x00", b"\x01"

Line = Annotated[int, Meta(ge=0, le=2**53)]
Chain = Annotated[bytes, Meta(max_length=64)]
Name = Annotated[str, Meta(max_length=200)]
Side = Literal["home", "away"]
Seconds = Annotated[int, Meta(ge=0, le=253_370_764_800)]
"""Seconds since 1970, to the year 9999: what a date of Python can hold in every time zone."""


Problem = Literal["unknown_table", "malformed", "too_long", "too_many_branches"]
"""Why the hub rejects a journal. A newer hub may send other values."""


class WireError(Exception):
    """Bytes that are not a message of the expected kind. The text is for the log."""


class JournalLines(Struct, frozen=True, omit_defaults=True):
    """Consecutive lines of a table's journal, without newlines, as stored at the table.

    - `epoch`: the journal's number in that store
    - `seq`: number of the first line (1: the header)
    - `before`: chain value (`journal.codec`) of all lines before it
    - `table`: set by the hub from the subject, never sent
    """

    epoch: Line
    seq: Line
    before: Chain
    lines: Annotated[tuple[bytes, ...], Meta(max_length=MAX_LINES)]
    table: Name = ""


class Confirmation(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Confirmation at the table of a match result, by both sides (and the referee, where required).

    - `epoch`: the journal's number in the table's store
    - `seq`: the last line they saw
    - `chain`: chain value after that line
    - `by`: names or roles of those who confirmed
    - `at`: when each of them did, in seconds since 1970; never sent
    - `table`: set by the hub from the subject, never sent
    - `journal`: id in the table's store; never sent
    - `needs`: those who must confirm; never sent

    Without epoch and chain it is a local record of the table.
    """

    epoch: Line = 0
    seq: Line
    chain: Chain = b""
    by: Annotated[tuple[Name, ...], Meta(max_length=8)]
    at: Annotated[tuple[Seconds, ...], Meta(max_length=8)] = ()
    table: Name = ""
    journal: Name = ""
    needs: Annotated[tuple[Name, ...], Meta(max_length=8)] = ()

    def __post_init__(self) -> None:
        if not (self.journal or self.chain):
            raise ValueError("a confirmation without a journal")

    @property
    def complete(self) -> bool:
        """True if everyone required has confirmed."""
        return set(self.needs) <= set(self.by)


DisputeReason = Literal["dice", "entry", "rule", "other"]
"""Why a side does not agree: dice read wrongly, something entered wrongly, a rule applied wrongly, something else."""


class Dispute(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A side does not agree with the result of a journal.

    - `epoch`: the journal's number in the table's store
    - `seq`: the last line that the side saw
    - `journal`: id in the table's store; never sent
    """

    epoch: Line = 0
    seq: Line
    by: Side
    why: Name = "other"
    journal: Name = ""


class Hello(Struct, frozen=True, kw_only=True):
    """Announcement of a table: on connecting, then every few seconds.

    - `run`: random id of each program start
    - `ask`: requests receipts, state and board
    - `present`: the sides that checked in, by match
    - `disputes`: the side that does not agree with the result, by match
    - `confirmed`: who has confirmed the result of the called match so far, and when, by match
    """

    run: Name
    version: int = VERSION
    ask: bool = False
    waiting: Line = 0
    present: dict[Name, tuple[Side, ...]] = {}
    disputes: dict[Name, Dispute] = {}
    confirmed: dict[Name, dict[Name, Seconds]] = {}


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
    """Announcement of the hub.

    `hub` is a random id of each start; when it changes, the table asks for everything again.
    """

    hub: Name
    version: int = VERSION


class Receipt(Struct, frozen=True, omit_defaults=True):
    """How much of a journal the hub has.

    - `seq`: the last line up to which it has everything (0: none)
    - `chain`: chain value there; if it differs from the table's own, the lines come from another store with this name
    - `branch`: 0 for the journal that counts
    - `confirmed`: the last line with a stored confirmation
    - `problem`: the hub rejects this journal, and sending it again does not help
    - `table`: owner of the journal, for the hub; never sent
    """

    epoch: Line
    seq: Line
    chain: Chain
    branch: int = 0
    confirmed: Line = 0
    problem: Name | None = None
    table: Name = ""


class Receipts(Struct, frozen=True, kw_only=True):
    """How much the hub has of a table's journals. With `all` it has no others."""

    hub: Name
    receipts: tuple[Receipt, ...]
    all: bool = False


class CalledMatch(Struct, frozen=True, kw_only=True):
    """The match called to a table.

    - `header`: the journal header fields set by the tournament
    - `home_side`, `away_side`: the game's sides
    - `called`: time of the call, in seconds since 1970
    - `review`: the organiser has to decide; the result is shown and no new game is started
    - `page`: the public page
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
    called: Seconds | None = None
    review: bool = False
    page: str | None = None


class Ruling(Struct, frozen=True, kw_only=True):
    """What the organiser decided about the match that was called to a table last.

    - `score`: the result that counts, home first; None: the match is played again
    - `why`: the reason that the organiser gave, or an empty text
    """

    tournament: Name
    match: Name
    home: Name
    away: Name
    score: tuple[int, int] | None = None
    why: Name = ""


class TableState(Struct, frozen=True, kw_only=True):
    """State of one table. `tournament` is the one whose board it shows, None if there is none.

    `referee_pin`: argon2 hash of the PIN that the organiser gave to all tables, None without one.
    """

    hub: Name
    table: int
    tournament: Name | None = None
    name: Name | None = None
    match: CalledMatch | None = None
    pictures: bool = False
    pages: str | None = None
    referee_pin: Annotated[str, Meta(max_length=400)] | None = None
    twin: bool = False
    """True if another computer uses this table's token at the same time."""
    ruling: Ruling | None = None


class StandingRow(Struct, frozen=True):
    """A row of the standings, with the entry's name. Tied rows share a `rank`."""

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
        """Scored minus conceded."""
        return self.scored - self.conceded


class StandingTable(Struct, frozen=True):
    """The standings of a stage or group. The first `advance` entries advance to the next stage; 0: none."""

    title: Message
    rows: tuple[StandingRow, ...]
    advance: int = 0


class ComingMatch(Struct, frozen=True):
    """A match in play or to come. `starts`: seconds since 1970. None: not known yet."""

    match: Name
    home: Name
    away: Name
    title: Message
    table: int | None = None
    starts: Seconds | None = None
    playing: bool = False
    page: str | None = None


class PodiumStep(Struct, frozen=True):
    """The names of the entries with one of the first ranks."""

    rank: int
    names: tuple[Name, ...]


class StandingsBoard(Struct, frozen=True, kw_only=True):
    """A tournament's standings and next matches.

    - `told`: time of the report, in seconds since 1970
    - `podium`: the first ranks once everything is played and answered, empty if nobody has won; not sent before
    """

    hub: Name
    tournament: Name
    name: Name
    told: Seconds
    frozen: bool = False
    standings: tuple[StandingTable, ...] = ()
    coming: tuple[ComingMatch, ...] = ()
    podium: tuple[PodiumStep, ...] | UnsetType = UNSET

    @property
    def ended(self) -> bool:
        """Whether everything is played and answered."""
        return self.podium is not UNSET


Kind = TypeVar("Kind", bound=Struct)

_encoder = msgspec.msgpack.Encoder()
_decoders: dict[type[Struct], msgspec.msgpack.Decoder[Any]] = {
    kind: msgspec.msgpack.Decoder(kind)
    for kind in (JournalLines, Confirmation, Hello, RollPicture, Hub, Receipts, TableState, StandingsBoard)
}
"""Created before any thread: the library crashes if two threads decode the first message of a kind at once."""


def encode(message: Struct) -> bytes:
    """Return the encoded message."""
    body = _encoder.encode(message)
    return _COMPRESSED + zlib.compress(body, 1) if len(body) >= _MIN_COMPRESSED_BYTES else _PLAIN + body


def decode(raw: bytes, kind: type[Kind]) -> Kind:
    """Decode a message. Raises: WireError for any invalid bytes."""
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
    """Return a received message with its nested messages restored."""
    return Message(received.id, {key: _restore_argument(value) for key, value in received.args.items()})


def _restore_argument(value: Any) -> Any:
    if isinstance(value, Mapping) and set(value) == {"id", "args"} and isinstance(value["args"], Mapping):
        return Message(str(value["id"]), {key: _restore_argument(each) for key, each in value["args"].items()})
    return value
