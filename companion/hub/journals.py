"""Journals in the database: their rows, lines and pictures within a transaction, and what is kept of them in memory."""

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
from companion.hub.database import Work
from companion.hub.match_replay import LineUpdate, MatchReplay, resume
from companion.hub.models import JournalHead, Live
from companion.hub.schema import CONFIRMATIONS, JOURNALS, LINES, PICTURES, STANDS, WAITING
from companion.journal.codec import CHAIN_START
from companion.journal.ledger import Games
from companion.messages.wire import RollPicture

LINE_COLUMNS = ("journal", "seq", "line", "chain", "told", "fate")
MOVED_COLUMNS = ("seq", "chain", "over", "refused_line", "last", "revision")
"""What of a head changes with every line."""

_MARKS = {"sqlite": "?", "postgresql": "%s"}


def _insert(mark: str) -> str:
    return f"INSERT INTO {LINES.name} ({', '.join(LINE_COLUMNS)}) VALUES ({', '.join([mark] * len(LINE_COLUMNS))})"


def _move(mark: str) -> str:
    changes = ", ".join(f"{name} = {mark}" for name in MOVED_COLUMNS)
    return f"UPDATE {JOURNALS.name} SET {changes} WHERE id = {mark}"


_INSERT = {dialect: _insert(mark) for dialect, mark in _MARKS.items()}
_MOVE = {dialect: _move(mark) for dialect, mark in _MARKS.items()}


def insert_lines(connection: Connection, rows: Sequence[tuple[object, ...]]) -> None:
    """New lines, each as `LINE_COLUMNS`."""
    _execute(connection, _INSERT, rows)


def move_heads(connection: Connection, rows: Sequence[tuple[object, ...]]) -> None:
    """Heads that moved on, each as `MOVED_COLUMNS` and its id."""
    _execute(connection, _MOVE, rows)


def _execute(connection: Connection, words: dict[str, str], rows: Sequence[tuple[Any, ...]]) -> None:
    """The driver takes one row as it is, several as a list."""
    connection.exec_driver_sql(words[connection.dialect.name], rows[0] if len(rows) == 1 else list(rows))


# The head of each journal: whose it is, how far it is whole, what came of it; as rows and, for a while, in memory.


MOST_BRANCHES = 8
"""Journals that a copied card may add under one number; more is mischief."""

_COLUMN_NAMES = {"table": "table_id", "result": "outcome"}
"""The fields of a head whose column has another name."""
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
    """The head in a row that was selected with `columns`."""
    return JournalHead(*row)


def columns() -> list[Column]:
    """The columns of a head, in its order."""
    return list(_COLUMNS)


def heads_of(connection: Connection, table: str, epoch: int) -> tuple[JournalHead, ...]:
    """The journals of one number: the one that counts first, then those of a copied card."""
    return tuple(head_of(row) for row in connection.execute(_OF_EPOCH, {"t": table, "e": epoch}))


def insert_head(connection: Connection, head: JournalHead) -> int:
    """A new row; returns its id (that of `head` does not matter)."""
    made = connection.execute(_INSERT_HEAD, _values(head)).inserted_primary_key
    assert made is not None  # a plain insert into a table with such a key tells it
    return int(made[0])


def update_head(connection: Connection, head: JournalHead) -> None:
    """The row as it is now."""
    connection.execute(_UPDATE, {"the_id": head.id} | _values(head))


def _values(head: JournalHead) -> dict[str, Any]:
    return {column: getattr(head, name) for name, column in _NAMES.items() if name != "id"}


def moved_row(head: JournalHead) -> tuple[object, ...]:
    """What changes with every line, as `move_heads` takes it."""
    return head.seq, head.chain, head.over, head.refused_line, head.last, head.revision, head.id


def read_chain(connection: Connection, head: JournalHead, seq: int) -> bytes | None:
    """The chain after a line of a journal; None after its end."""
    found: bytes | None = connection.scalar(_CHAIN, {"j": head.id, "s": seq})
    return None if found is None else bytes(found)


def games_counted(connection: Connection, tournament: str) -> dict[str, int]:
    """How many games of each match of a tournament were ever counted; matches without one are left out."""
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
    """The lines of a journal up to one, without those that were deleted."""
    return [bytes(line) for (line,) in connection.execute(_RAW, {"j": journal, "s": until}) if line is not None]


Key = TypeVar("Key")
Value = TypeVar("Value")


class LruCache(Generic[Key, Value]):
    """Keeps the values that were used last, so that memory does not grow. Any thread may read and write it."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[Key, Value] = OrderedDict()
        self._turn = Lock()

    def get(self, key: Key) -> Value | None:
        """The value of a key, if it is still there."""
        with self._turn:
            value = self._kept.get(key)
            if value is not None:
                self._kept.move_to_end(key)
            return value

    def put(self, values: Mapping[Key, Value]) -> None:
        """Keeps some values, each in the place of the one before it."""
        with self._turn:
            for key, value in values.items():
                self._kept[key] = value
                self._kept.move_to_end(key)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)

    def drop(self, keys: Iterable[Key]) -> None:
        """Forgets some values."""
        with self._turn:
            for key in keys:
                self._kept.pop(key, None)

    def clear(self) -> None:
        """Forgets everything."""
        with self._turn:
            self._kept.clear()

    def __len__(self) -> int:
        return len(self._kept)


# Messages as text for the database: `{"id": …, "args": {…}}`, a message among the arguments alike.


_ENCODER = msgspec.json.Encoder(enc_hook=str)
"""What JSON has no word for (a fraction, a path) is kept as it would be shown."""


def message_text(message: Message) -> str:
    """A message as JSON."""
    return _ENCODER.encode(message).decode()


def parse_message(text: str) -> Message:
    """The message that `message_text` wrote. Raises ValueError for another text."""
    try:
        return _message(msgspec.json.decode(text))
    except (msgspec.DecodeError, TypeError, KeyError, AttributeError) as fault:
        raise ValueError(f"no message: {fault}") from None


def storable(text: str) -> str:
    """A text that people typed or a table sent, without what a database cannot hold."""
    return text.replace("\0", "").encode(errors="replace").decode()


def _message(value: dict[str, Any]) -> Message:
    args = value["args"].items()
    return Message(value["id"], {key: _message(each) if isinstance(each, dict) else each for key, each in args})


# Lines on their way into the database, with what is told of them.


_RETELL = (
    update(LINES)
    .where(LINES.c.journal == bindparam("j"), LINES.c.seq == bindparam("s"))
    .values(told=bindparam("t"), fate=bindparam("f"))
)


class LineWriter:
    """What a transaction is to write of many journals: together, since a statement costs more than its rows."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._new: list[tuple[Any, ...]] = []
        self._retold: list[dict[str, Any]] = []
        self._moved: dict[int, JournalHead] = {}

    def add(self, journal: int, raw: bytes, link: bytes, told: tuple[LineUpdate, ...]) -> None:
        """One more line and what it changes in those before it."""
        first, *others = told
        self._new.append((journal, first.line, raw, link, _text(first), first.fate))
        self._retold += [_retold(journal, each) for each in others]

    def move(self, head: JournalHead) -> None:
        """A head of which only what every line changes is another."""
        self._moved[head.id] = head

    def written(self, head: JournalHead) -> None:
        """A head that was written by other means, whole."""
        self._moved.pop(head.id, None)

    def flush(self) -> None:
        """Writes what has come together."""
        if self._new:
            insert_lines(self._connection, self._new)
            self._new = []
        if self._retold:
            self._connection.execute(_RETELL, self._retold)
            self._retold = []
        if self._moved:
            move_heads(self._connection, [moved_row(head) for head in self._moved.values()])
            self._moved = {}


def retell(connection: Connection, journal: int, told: Iterable[LineUpdate]) -> None:
    """Writes anew what is told of some lines."""
    rows = [_retold(journal, each) for each in told]
    if rows:
        connection.execute(_RETELL, rows)


def insert_links(connection: Connection, journal: int, first: int, links: Sequence[bytes]) -> None:
    """Lines of which only the links of the chain are kept."""
    insert_lines(connection, [(journal, seq, None, link, None, STANDS) for seq, link in enumerate(links, first)])


def _retold(journal: int, told: LineUpdate) -> dict[str, Any]:
    return {"j": journal, "s": told.line, "t": _text(told), "f": told.fate}


def _text(told: LineUpdate) -> str | None:
    return None if told.message is None else message_text(told.message)


# Heads and matches as they are within one transaction, and what is kept of them in memory after it.


MOST_EPOCHS = 1024
MOST_REPLAYS = 1024
MOST_LIVES = 1024
"""What is kept in memory of the journals used last: their heads, and the match that each table plays. Several hundred
tables have one each under way; what was played before is read anew when it is asked for. The same of what pages show of
a match."""

Number = tuple[str, int]
"""A table's id and an epoch."""


@dataclass(frozen=True, slots=True)
class Epoch:
    """The journals of one number, the one that counts first; whether lines or confirmations wait for them."""

    heads: tuple[JournalHead, ...] = ()
    waits: bool = False
    asks: bool = False


class ReplayCache:
    """Of each table its newest match as it is played; one for each copy of its card."""

    def __init__(self, most: int = MOST_REPLAYS) -> None:
        self._kept: LruCache[tuple[str, int], tuple[JournalHead, MatchReplay]] = LruCache(most)

    def get(self, head: JournalHead) -> MatchReplay | None:
        """The journal as it is played, if it is its table's newest."""
        kept = self._kept.get((head.table, head.branch))
        return None if kept is None or kept[0].id != head.id else kept[1]

    def put(self, played: Iterable[tuple[JournalHead, MatchReplay]]) -> None:
        """Keeps those that are the newest, each in the place of what its table played before."""
        for head, replay in played:
            key = head.table, head.branch
            kept = self._kept.get(key)
            if kept is None or kept[0].epoch <= head.epoch:
                self._kept.put({key: (head, replay)})

    def drop(self, heads: Iterable[JournalHead]) -> None:
        """Forgets what the tables of some journals play."""
        self._kept.drop((head.table, head.branch) for head in heads)

    def clear(self) -> None:
        """Forgets everything."""
        self._kept.clear()


@dataclass(frozen=True)
class JournalCache:
    """What is kept between transactions. All of it can be made anew from the database."""

    epochs: LruCache[Number, Epoch] = field(default_factory=lambda: LruCache(MOST_EPOCHS))
    replays: ReplayCache = field(default_factory=ReplayCache)
    lives: LruCache[int, tuple[int, Live]] = field(default_factory=lambda: LruCache(MOST_LIVES))

    def forget(self) -> None:
        """After a transaction that failed."""
        self.epochs.clear()
        self.replays.clear()
        self.lives.clear()


class JournalStore:
    """The journals within one transaction."""

    def __init__(self, work: Work, memory: JournalCache, games: Games) -> None:
        self.work = work
        self.games = games
        self._memory = memory
        self._epochs: dict[Number, Epoch] = {}
        self._replays: dict[int, tuple[JournalHead, MatchReplay]] = {}
        self.rows = LineWriter(work.connection)
        work.after.append(self._publish)

    @property
    def connection(self) -> Connection:
        """For reading: what was to be written together is written first."""
        self.rows.flush()
        return self.work.connection

    def chain_at(self, head: JournalHead, seq: int) -> bytes | None:
        """The chain after a line of a journal; None after its end."""
        if seq == 0:
            return CHAIN_START
        return head.chain if seq == head.seq else read_chain(self.connection, head, seq)

    def epoch(self, number: Number) -> Epoch:
        """The journals of one number as they are in this transaction."""
        found = self._epochs.get(number) or self._memory.epochs.get(number)
        if found is None:
            found = _load(self.work.connection, number)
            self._epochs[number] = found
        return found

    def put(self, head: JournalHead) -> JournalHead:
        """Writes a head that has changed."""
        head = replace(head, revision=self.work.revision)
        update_head(self.work.connection, head)
        self.rows.written(head)
        self._keep(head)
        return head

    def move(self, head: JournalHead) -> JournalHead:
        """A head of which only cursor, chain, time and standing have changed; its revision is set already."""
        self.rows.move(head)
        self._keep(head)
        return head

    def add(self, head: JournalHead) -> JournalHead:
        """Writes a new head; returns it with its id."""
        head = replace(head, revision=self.work.revision)
        head = replace(head, id=insert_head(self.work.connection, head))
        self._keep(head)
        return head

    def mark(self, number: Number, *, waits: bool | None = None, asks: bool | None = None) -> None:
        """Notes whether something waits for the journals of a number."""
        epoch = self.epoch(number)
        self._epochs[number] = replace(
            epoch,
            waits=epoch.waits if waits is None else waits,
            asks=epoch.asks if asks is None else asks,
        )

    def replay(self, head: JournalHead) -> MatchReplay:
        """The journal as it is played up to its head. Not for one that was forgotten."""
        played = self._replays.get(head.id)
        found = self._memory.replays.get(head) if played is None else played[1]
        if found is None or found.seq != head.seq:
            found = resume(raw_lines(self.connection, head.id, head.seq), self.games)
            self.put_replay(head, found)
        return found

    def put_replay(self, head: JournalHead, replay: MatchReplay) -> None:
        """The journal as it is played now."""
        self._replays[head.id] = head, replay

    def _keep(self, head: JournalHead) -> None:
        number = head.table, head.epoch
        epoch = self.epoch(number)
        others = [each for each in epoch.heads if each.id != head.id]
        heads = (head, *others) if not others else tuple(sorted([head, *others], key=lambda each: each.branch))
        self._epochs[number] = Epoch(heads, epoch.waits, epoch.asks)
        self.work.changed = True

    def _publish(self) -> None:
        self._memory.epochs.put(self._epochs)
        self._memory.replays.put(self._replays.values())


def _load(connection: Connection, number: Number) -> Epoch:
    table, epoch = number
    heads = heads_of(connection, table, epoch)
    waiting = select(func.count()).where(WAITING.c.table_id == table, WAITING.c.epoch == epoch)
    known = max((head.confirmed for head in heads), default=0)
    asking = select(func.count()).where(
        CONFIRMATIONS.c.table_id == table, CONFIRMATIONS.c.epoch == epoch, CONFIRMATIONS.c.seq > known
    )
    return Epoch(heads, bool(connection.scalar(waiting)), bool(connection.scalar(asking)))


# Pictures of the newest roll of each match, for pages that may show them.


LARGEST = 512 * 1024
"""Bytes of a picture; a die's cut-out has some 20,000."""

MOST_OF_A_ROLL = 24
"""Pictures of one roll: each die and the tray."""

_WHAT = re.compile(r"[a-z_]{1,40}")

_SIGNS = (b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n")
"""How JPEG and PNG begin; nothing else is shown to anybody."""


def keep_picture(work: Work, journals: JournalStore, picture: RollPicture) -> bool:
    """Keeps a picture of a journal that is there, unless a newer roll has pictures already; older ones go."""
    heads = journals.epoch((picture.table, picture.epoch)).heads
    if not heads or heads[0].forgotten is not None or not _welcome(picture):
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
        if count >= MOST_OF_A_ROLL or connection.scalar(same) is not None:
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
    """The picture of a number, if it is of this journal."""
    found = select(PICTURES.c.image).where(PICTURES.c.journal == journal, PICTURES.c.id == number)
    image = connection.scalar(found)
    return None if image is None else bytes(image)


def numbers_of(connection: Connection, journal: int, seq: int) -> tuple[int, ...]:
    """The numbers of the pictures of a journal's roll, in the order in which they came."""
    rows = select(PICTURES.c.id).where(PICTURES.c.journal == journal, PICTURES.c.seq == seq)
    return tuple(connection.scalars(rows.order_by(PICTURES.c.id)))


def _welcome(picture: RollPicture) -> bool:
    return (
        0 < picture.seq < 2**31
        and len(picture.image) <= LARGEST
        and _WHAT.fullmatch(picture.what) is not None
        and (picture.die is None or 0 <= picture.die < 1000)
        and picture.image.startswith(_SIGNS)
    )
