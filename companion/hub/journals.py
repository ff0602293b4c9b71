"""Journals in the database: rows, lines and pictures within a transaction, and their caches."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from threading import Lock
from typing import Any, Generic, TypeVar

import msgspec
from sqlalchemy import Column, Connection, Row, bindparam, delete, func, insert, select, update

from companion.games.base import Message
from companion.hub.database import UnitOfWork
from companion.hub.match_replay import LineUpdate, MatchReplay, resume
from companion.hub.models import JournalHead, LiveMatch
from companion.hub.schema import CONFIRMATIONS, JOURNALS, LINES, PICTURES, STANDS, WAITING
from companion.journal.codec import CHAIN_START
from companion.journal.ledger import Games
from companion.messages.wire import RollPicture

LINE_COLUMNS = ("journal", "seq", "line", "chain", "told", "fate", "side")
MOVED_COLUMNS = ("seq", "chain", "over", "refused_line", "last", "revision")
"""Fields of a head that change with every line."""

_MARKS = {"sqlite": "?", "postgresql": "%s"}


def _insert(mark: str) -> str:
    return f"INSERT INTO {LINES.name} ({', '.join(LINE_COLUMNS)}) VALUES ({', '.join([mark] * len(LINE_COLUMNS))})"


def _move(mark: str) -> str:
    changes = ", ".join(f"{name} = {mark}" for name in MOVED_COLUMNS)
    return f"UPDATE {JOURNALS.name} SET {changes} WHERE id = {mark}"


_INSERT = {dialect: _insert(mark) for dialect, mark in _MARKS.items()}
_MOVE = {dialect: _move(mark) for dialect, mark in _MARKS.items()}


def insert_lines(connection: Connection, rows: Sequence[tuple[object, ...]]) -> None:
    """Insert lines; each row is as `LINE_COLUMNS`."""
    _execute(connection, _INSERT, rows)


def move_heads(connection: Connection, rows: Sequence[tuple[object, ...]]) -> None:
    """Update advanced heads; each row is as `MOVED_COLUMNS` plus the id."""
    _execute(connection, _MOVE, rows)


def _execute(connection: Connection, statements: dict[str, str], rows: Sequence[tuple[Any, ...]]) -> None:
    """Execute a statement. The driver takes a single row directly, several as a list."""
    connection.exec_driver_sql(statements[connection.dialect.name], rows[0] if len(rows) == 1 else list(rows))


# The head of each journal: its owner, its cursor, its result; stored as rows and cached.


MAX_BRANCHES = 8
"""Maximum number of branches that a copied card may create under one number; more indicates abuse."""

_COLUMN_NAMES = {"table": "table_id", "result": "outcome", "counted_result": "counted"}
"""Fields of a head whose column has a different name."""
_NAMES = {each.name: _COLUMN_NAMES.get(each.name, each.name) for each in fields(JournalHead)}
_COLUMNS = [JOURNALS.c[name] for name in _NAMES.values()]
_OF_EPOCH = (
    select(*_COLUMNS)
    .where(JOURNALS.c.table_id == bindparam("t"), JOURNALS.c.epoch == bindparam("e"))
    .order_by(JOURNALS.c.branch)
)
_CHAIN = select(LINES.c.chain).where(LINES.c.journal == bindparam("j"), LINES.c.seq == bindparam("s"))
_RAW = (
    select(LINES.c.line).where(LINES.c.journal == bindparam("j"), LINES.c.seq <= bindparam("s")).order_by(LINES.c.seq)
)
_INSERT_HEAD = insert(JOURNALS)
_UPDATE = (
    update(JOURNALS)
    .where(JOURNALS.c.id == bindparam("the_id"))
    .values({name: bindparam(name) for name in _NAMES.values() if name != "id"})
)


def head_of(row: Row) -> JournalHead:
    """Return the head of a row selected with `head_columns`."""
    return JournalHead(*row)


def head_columns() -> list[Column]:
    """Return the columns of a head, in order."""
    return list(_COLUMNS)


def heads_of(connection: Connection, table: str, epoch: int) -> tuple[JournalHead, ...]:
    """Return the journals of one number: first the one that counts, then those of a copied card."""
    return tuple(head_of(row) for row in connection.execute(_OF_EPOCH, {"t": table, "e": epoch}))


def insert_head(connection: Connection, head: JournalHead) -> int:
    """Insert a row and return its id; the id of `head` is ignored."""
    made = connection.execute(_INSERT_HEAD, _values(head)).inserted_primary_key
    assert made is not None  # always set by a plain insert into a table with an auto-increment key
    return int(made[0])


def update_head(connection: Connection, head: JournalHead) -> None:
    """Update the row."""
    connection.execute(_UPDATE, {"the_id": head.id} | _values(head))


def _values(head: JournalHead) -> dict[str, Any]:
    return {column: getattr(head, name) for name, column in _NAMES.items() if name != "id"}


def moved_row(head: JournalHead) -> tuple[object, ...]:
    """Return the fields that change with every line, as a row for `move_heads`."""
    return head.seq, head.chain, head.over, head.refused_line, head.last, head.revision, head.id


def read_chain(connection: Connection, head: JournalHead, seq: int) -> bytes | None:
    """Return the chain after a line of a journal, or None beyond its end."""
    found: bytes | None = connection.scalar(_CHAIN, {"j": head.id, "s": seq})
    return None if found is None else bytes(found)


def games_counted(connection: Connection, tournament: str) -> dict[str, int]:
    """Return how many games of each match of a tournament were ever counted; matches without one are left out."""
    # The journals of a copied card are one game, whichever of them counted.
    games = (
        select(JOURNALS.c.match, JOURNALS.c.table_id, JOURNALS.c.epoch)
        .where(JOURNALS.c.tournament == tournament, JOURNALS.c.counted.is_not(None))
        .distinct()
        .subquery()
    )
    rows = select(games.c.match, func.count()).group_by(games.c.match)
    return {str(match): int(games) for match, games in connection.execute(rows)}


def raw_lines(connection: Connection, journal: int, until: int) -> list[bytes]:
    """Return the lines of a journal up to a number, without deleted ones."""
    return [bytes(line) for (line,) in connection.execute(_RAW, {"j": journal, "s": until}) if line is not None]


Key = TypeVar("Key")
Value = TypeVar("Value")


class LruCache(Generic[Key, Value]):
    """A thread-safe cache of limited size that drops the least recently used values."""

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._values: OrderedDict[Key, Value] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Key) -> Value | None:
        """Return the value of a key, or None."""
        with self._lock:
            value = self._values.get(key)
            if value is not None:
                self._values.move_to_end(key)
            return value

    def put(self, values: Mapping[Key, Value]) -> None:
        """Store or replace some values."""
        with self._lock:
            for key, value in values.items():
                self._values[key] = value
                self._values.move_to_end(key)
            while len(self._values) > self._capacity:
                self._values.popitem(last=False)

    def drop(self, keys: Iterable[Key]) -> None:
        """Remove some values."""
        with self._lock:
            for key in keys:
                self._values.pop(key, None)

    def clear(self) -> None:
        """Remove all values."""
        with self._lock:
            self._values.clear()

    def __len__(self) -> int:
        return len(self._values)


# Messages as text for the database: `{"id": …, "args": {…}}`, with nested messages in the same form.


_ENCODER = msgspec.json.Encoder(enc_hook=str)
"""Values without a JSON type (a fraction, a path) are stored as displayed."""


def message_text(message: Message) -> str:
    """Return a message as JSON."""
    return _ENCODER.encode(message).decode()


def parse_message(text: str) -> Message:
    """Parse a message written by `message_text`. Raises: ValueError, for any other text."""
    try:
        return _message(msgspec.json.decode(text))
    except (msgspec.DecodeError, TypeError, KeyError, AttributeError) as fault:
        raise ValueError(f"no message: {fault}") from None


def sanitize_text(text: str) -> str:
    """Return a typed or received text without characters that a database cannot store."""
    return text.replace("\0", "").encode(errors="replace").decode()


def _message(value: dict[str, Any]) -> Message:
    args = value["args"].items()
    return Message(value["id"], {key: _message(each) if isinstance(each, dict) else each for key, each in args})


# Lines to be written to the database, with their texts.


_UPDATE_LINE = (
    update(LINES)
    .where(LINES.c.journal == bindparam("j"), LINES.c.seq == bindparam("s"))
    .values(told=bindparam("t"), fate=bindparam("f"), side=bindparam("a"))
)


class LineWriter:
    """Collects the writes of a transaction for many journals, because a statement costs more than its rows."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._new: list[tuple[Any, ...]] = []
        self._updates: list[dict[str, Any]] = []
        self._moved: dict[int, JournalHead] = {}

    def add(self, journal: int, raw: bytes, link: bytes, updates: tuple[LineUpdate, ...]) -> None:
        """Add a line and its changes to earlier lines."""
        first, *others = updates
        self._new.append((journal, first.line, raw, link, _text(first), first.status, first.side))
        self._updates += [_update_values(journal, each) for each in others]

    def move(self, head: JournalHead) -> None:
        """Add a head in which only the fields of `MOVED_COLUMNS` changed."""
        self._moved[head.id] = head

    def drop_move(self, head: JournalHead) -> None:
        """Drop the pending update of a head that was written completely elsewhere."""
        self._moved.pop(head.id, None)

    def flush(self) -> None:
        """Write everything collected."""
        if self._new:
            insert_lines(self._connection, self._new)
            self._new = []
        if self._updates:
            self._connection.execute(_UPDATE_LINE, self._updates)
            self._updates = []
        if self._moved:
            move_heads(self._connection, [moved_row(head) for head in self._moved.values()])
            self._moved = {}


def update_lines(connection: Connection, journal: int, updates: Iterable[LineUpdate]) -> None:
    """Rewrite the texts of some lines."""
    rows = [_update_values(journal, each) for each in updates]
    if rows:
        connection.execute(_UPDATE_LINE, rows)


def insert_links(connection: Connection, journal: int, first: int, links: Sequence[bytes]) -> None:
    """Insert lines with only their chain links, without their content."""
    insert_lines(connection, [(journal, seq, None, link, None, STANDS, None) for seq, link in enumerate(links, first)])


def _update_values(journal: int, line_update: LineUpdate) -> dict[str, Any]:
    texts = {"t": _text(line_update), "f": line_update.status, "a": line_update.side}
    return {"j": journal, "s": line_update.line} | texts


def _text(line_update: LineUpdate) -> str | None:
    return None if line_update.message is None else message_text(line_update.message)


# Heads and replays within one transaction, and their caches between transactions.


MAX_CACHED_EPOCHS = 1024
MAX_CACHED_REPLAYS = 1024
MAX_CACHED_LIVES = 1024
"""Cache sizes: epochs, replays of the match at each table, and live matches for the pages.

Enough for several hundred tables with one match each; older matches are read again on demand.
"""

JournalKey = tuple[str, int]
"""A table's id and an epoch."""


@dataclass(frozen=True, slots=True)
class JournalBranches:
    """The journals of one number, first the one that counts; whether lines or confirmations wait for them."""

    heads: tuple[JournalHead, ...] = ()
    has_waiting_lines: bool = False
    has_waiting_confirmations: bool = False


class ReplayCache:
    """Cache of the replay of each table's newest match; one per copy of its card."""

    def __init__(self, capacity: int = MAX_CACHED_REPLAYS) -> None:
        self._replays: LruCache[tuple[str, int], tuple[JournalHead, MatchReplay]] = LruCache(capacity)

    def get(self, head: JournalHead) -> MatchReplay | None:
        """Return the replay of a journal, if it is its table's newest."""
        kept = self._replays.get((head.table, head.branch))
        return None if kept is None or kept[0].id != head.id else kept[1]

    def put(self, played: Iterable[tuple[JournalHead, MatchReplay]]) -> None:
        """Store the replays that are newest, each replacing its table's previous one."""
        for head, replay in played:
            key = head.table, head.branch
            kept = self._replays.get(key)
            if kept is None or kept[0].epoch <= head.epoch:
                self._replays.put({key: (head, replay)})

    def drop(self, heads: Iterable[JournalHead]) -> None:
        """Remove the replays of some journals' tables."""
        self._replays.drop((head.table, head.branch) for head in heads)

    def clear(self) -> None:
        """Remove all replays."""
        self._replays.clear()


@dataclass(frozen=True)
class JournalCache:
    """Caches between transactions. All can be rebuilt from the database."""

    branches: LruCache[JournalKey, JournalBranches] = field(default_factory=lambda: LruCache(MAX_CACHED_EPOCHS))
    replays: ReplayCache = field(default_factory=ReplayCache)
    lives: LruCache[int, tuple[int, LiveMatch]] = field(default_factory=lambda: LruCache(MAX_CACHED_LIVES))

    def clear(self) -> None:
        """Clear the caches after a failed transaction."""
        self.branches.clear()
        self.replays.clear()
        self.lives.clear()


class JournalStore:
    """The journals within one transaction."""

    def __init__(self, work: UnitOfWork, cache: JournalCache, games: Games) -> None:
        self.work = work
        self.games = games
        self._cache = cache
        self._branches: dict[JournalKey, JournalBranches] = {}
        self._replays: dict[int, tuple[JournalHead, MatchReplay]] = {}
        self.line_writer = LineWriter(work.connection)
        work.after.append(self._publish)

    @property
    def connection(self) -> Connection:
        """The connection for reads. Collected writes are flushed first."""
        self.line_writer.flush()
        return self.work.connection

    def chain_at(self, head: JournalHead, seq: int) -> bytes | None:
        """Return the chain after a line of a journal, or None beyond its end."""
        if seq == 0:
            return CHAIN_START
        return head.chain if seq == head.seq else read_chain(self.connection, head, seq)

    def branches(self, key: JournalKey) -> JournalBranches:
        """Return the journals of one number as of this transaction."""
        found = self._branches.get(key) or self._cache.branches.get(key)
        if found is None:
            found = _load_branches(self.work.connection, key)
            self._branches[key] = found
        return found

    def put(self, head: JournalHead) -> JournalHead:
        """Write a changed head."""
        head = replace(head, revision=self.work.revision)
        update_head(self.work.connection, head)
        self.line_writer.drop_move(head)
        self._update_branches(head)
        return head

    def move(self, head: JournalHead) -> JournalHead:
        """Update a head in which only cursor, chain, time and status changed; its revision is already set."""
        self.line_writer.move(head)
        self._update_branches(head)
        return head

    def add(self, head: JournalHead) -> JournalHead:
        """Insert a head and return it with its id."""
        head = replace(head, revision=self.work.revision)
        head = replace(head, id=insert_head(self.work.connection, head))
        self._update_branches(head)
        return head

    def mark_waiting(
        self, key: JournalKey, *, has_waiting_lines: bool | None = None, has_waiting_confirmations: bool | None = None
    ) -> None:
        """Store whether lines or confirmations wait for the journals of a number."""
        branches = self.branches(key)
        self._branches[key] = replace(
            branches,
            has_waiting_lines=branches.has_waiting_lines if has_waiting_lines is None else has_waiting_lines,
            has_waiting_confirmations=branches.has_waiting_confirmations
            if has_waiting_confirmations is None
            else has_waiting_confirmations,
        )

    def replay(self, head: JournalHead) -> MatchReplay:
        """Return the replay of a journal up to its head. Not available for a deleted journal."""
        played = self._replays.get(head.id)
        found = self._cache.replays.get(head) if played is None else played[1]
        if found is None or found.seq != head.seq:
            found = resume(raw_lines(self.connection, head.id, head.seq), self.games)
            self.put_replay(head, found)
        return found

    def put_replay(self, head: JournalHead, replay: MatchReplay) -> None:
        """Store the current replay of a journal."""
        self._replays[head.id] = head, replay

    def _update_branches(self, head: JournalHead) -> None:
        key = head.table, head.epoch
        branches = self.branches(key)
        others = [each for each in branches.heads if each.id != head.id]
        heads = (head, *others) if not others else tuple(sorted([head, *others], key=lambda each: each.branch))
        self._branches[key] = JournalBranches(heads, branches.has_waiting_lines, branches.has_waiting_confirmations)
        self.work.changed = True

    def _publish(self) -> None:
        self._cache.branches.put(self._branches)
        self._cache.replays.put(self._replays.values())


def _load_branches(connection: Connection, key: JournalKey) -> JournalBranches:
    table, epoch = key
    heads = heads_of(connection, table, epoch)
    waiting = select(func.count()).where(WAITING.c.table_id == table, WAITING.c.epoch == epoch)
    known = max((head.confirmed for head in heads), default=0)
    asking = select(func.count()).where(
        CONFIRMATIONS.c.table_id == table, CONFIRMATIONS.c.epoch == epoch, CONFIRMATIONS.c.seq > known
    )
    return JournalBranches(heads, bool(connection.scalar(waiting)), bool(connection.scalar(asking)))


# Pictures of the newest roll of each match, for pages that may show them.


MAX_PICTURE_BYTES = 512 * 1024
"""Maximum size of a picture in bytes; the cut-out of a die has about 20,000."""

MAX_PICTURES_PER_ROLL = 24
"""Maximum number of pictures of one roll: each die and the tray."""

_WHAT = re.compile(r"[a-z_]{1,40}")

_SIGNS = (b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n")
"""Signatures of JPEG and PNG, the only formats accepted."""


def store_picture(work: UnitOfWork, journals: JournalStore, picture: RollPicture) -> bool:
    """Store a picture of an existing journal unless a newer roll has pictures already; older pictures are deleted."""
    heads = journals.branches((picture.table, picture.epoch)).heads
    if not heads or heads[0].forgotten is not None or not _is_valid_picture(picture):
        return False
    head, connection = heads[0], work.connection
    newest, count = connection.execute(
        select(func.max(PICTURES.c.seq), func.count()).where(PICTURES.c.journal == head.id)
    ).one()
    if newest is not None and newest > picture.seq:
        return False
    if newest == picture.seq:
        this = (PICTURES.c.journal == head.id, PICTURES.c.what == picture.what)
        same = select(PICTURES.c.id).where(*this, PICTURES.c.die.is_not_distinct_from(picture.die))
        if count >= MAX_PICTURES_PER_ROLL or connection.scalar(same) is not None:
            return False
    connection.execute(delete(PICTURES).where(PICTURES.c.journal == head.id, PICTURES.c.seq < picture.seq))
    connection.execute(
        insert(PICTURES).values(
            journal=head.id, seq=picture.seq, what=picture.what, die=picture.die, image=picture.image, at=work.now
        )
    )
    journals.put(head)
    return True


def picture_of(connection: Connection, journal: int, number: int) -> bytes | None:
    """Return the picture with a number, if it belongs to this journal."""
    found = select(PICTURES.c.image).where(PICTURES.c.journal == journal, PICTURES.c.id == number)
    image = connection.scalar(found)
    return None if image is None else bytes(image)


def picture_ids(connection: Connection, rolls: Iterable[tuple[int, int]]) -> dict[int, tuple[int, ...]]:
    """Return the numbers of the pictures of rolls, in order of arrival, by journal.

    Each roll is the number of its journal and of its line; a journal has the pictures of one roll only.
    """
    lines = dict(rolls)
    rows = select(PICTURES.c.journal, PICTURES.c.seq, PICTURES.c.id).where(PICTURES.c.journal.in_(list(lines)))
    found: dict[int, tuple[int, ...]] = {}
    for journal, seq, id in connection.execute(rows.order_by(PICTURES.c.id)) if lines else ():
        if seq == lines[journal]:
            found[journal] = (*found.get(journal, ()), id)
    return found


def _is_valid_picture(picture: RollPicture) -> bool:
    return (
        0 < picture.seq < 2**31
        and len(picture.image) <= MAX_PICTURE_BYTES
        and _WHAT.fullmatch(picture.what) is not None
        and (picture.die is None or 0 <= picture.die < 1000)
        and picture.image.startswith(_SIGNS)
    )
