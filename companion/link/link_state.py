"""What a link keeps on the disk, and what screens see of it and tell it: made of notes, cursors and the network."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime, tzinfo
from pathlib import Path
from threading import RLock
from typing import cast

import msgspec
from msgspec import Struct

from companion.clock import Clock
from companion.games.base import JsonObject, Message
from companion.journal.codec import CHAIN_START
from companion.journal.files import write_atomically
from companion.messages.wire import Board, CalledMatch, Confirmation, State, restore_message
from companion.table.hub_port import (
    HubSnapshot,
    LinkState,
    Side,
    Signer,
    TableMatch,
)
from companion.tournament.headers import Mark, mark_of

log = logging.getLogger(__name__)

STATE_FILE = "hub.json"
MAX_REMEMBERED_MATCHES = 200
"""Of which it is remembered who came and who confirmed; the hub may ask again after a restored backup."""


class PersistedState(Struct):
    """All that outlives a restart. `configured` is the address and token that were last taken from the settings."""

    address: str | None = None
    token: str | None = None
    configured: tuple[str, str] | None = None
    state: State | None = None
    board: Board | None = None
    present: dict[str, list[Side]] = {}
    confirmations: dict[str, Confirmation] = {}
    games: dict[str, Mark] = {}
    """Of each match the game that the two above are about; a match may have to be played again, or by others."""
    signed: dict[str, JsonObject] = {}
    """The confirmations in notes of an older version, which names `seq` `line`; moved to `confirmations` when read."""

    def __post_init__(self) -> None:
        for key, older in self.signed.items():
            self.confirmations[key] = msgspec.convert({**older, "seq": older.get("line")}, Confirmation)
        self.signed = {}

    def forget_hub(self) -> None:
        """What another hub said and was told."""
        self.state, self.board, self.present, self.confirmations, self.games = None, None, {}, {}, {}

    def forget_earlier_game(self, match: CalledMatch) -> None:
        """A match was called here: what was said of another game of it is no longer true."""
        mark = mark_of(match.header)
        if mark is not None and self.games.get(mark.key, mark) != mark:
            self.present.pop(mark.key, None)
            self.confirmations.pop(mark.key, None)
        if mark is not None:
            self.games[mark.key] = mark

    def drop_oldest(self) -> None:
        """Drops the oldest matches where there are too many."""
        for table in (self.present, self.confirmations, self.games):
            for match in list(table)[:-MAX_REMEMBERED_MATCHES]:
                del table[match]


_DECODER = msgspec.json.Decoder(
    PersistedState
)  # made here: two threads that make the first one at once crash the library


def load_state(folder: Path) -> PersistedState:
    """The notes in a folder, empty ones where there are none. A damaged file is put aside and the table joins anew."""
    path = folder / STATE_FILE
    try:
        return _DECODER.decode(path.read_bytes())
    except FileNotFoundError:
        return PersistedState()
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as fault:
        log.warning("%s cannot be used and is put aside: %s", path, fault)
        try:
            path.replace(path.with_suffix(".damaged"))
        except OSError as worse:
            log.warning("%s cannot be put aside: %s", path, worse)
        return PersistedState()


def peek_state(folder: Path) -> PersistedState | None:
    """As `load`, for whoever only looks: None where the file cannot be used. Raises OSError."""
    try:
        return _DECODER.decode((folder / STATE_FILE).read_bytes())
    except FileNotFoundError:
        return PersistedState()
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None


def encode_state(state: PersistedState) -> bytes:
    """The content of the file."""
    return msgspec.json.encode(state)


def save_state(folder: Path, content: bytes) -> None:
    """Writes encoded notes; on the disk on return. A disk that takes nothing is logged; the table plays on."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_atomically(folder / STATE_FILE, content, mode=0o600)
    except OSError as fault:
        log.warning("the link's notes could not be written: %s", fault)


# What the screens see of the link and tell it: the picture (`HubLook`) made of the notes, the cursors and the network.


@dataclass
class Cursor:
    """A journal of a tournament's match: how long it is, how far it was sent, how far the hub has it.

    Two cursors are equal if screens show the same of them.
    """

    id: str
    epoch: int
    length: int
    ended: bool = field(compare=False)
    chain: list[bytes] = field(default_factory=lambda: [CHAIN_START], compare=False)
    """After each line, the first being before the header; as far as lines were read."""
    sent: int = field(default=0, compare=False)
    sent_at: float = field(default=0.0, compare=False)
    resent_until: int = field(default=0, compare=False)
    """The last line that may have gone more than once."""
    acknowledged: int = field(default=0, compare=False)
    confirmed: int = 0
    """The last line that the hub has a confirmation for."""
    problem: str | None = field(default=None, compare=False)


class SharedLinkState:
    """The notes of a table with the picture that its screens see of them. `woken` is called when there is work."""

    def __init__(self, persisted: PersistedState, clock: Clock, wake: Callable[[], None]) -> None:
        self.persisted = persisted
        self.lock = RLock()
        self.is_dirty = False
        """Whether the notes are newer than the disk."""
        self._clock, self._wake = clock, wake
        self._link = LinkState(joined=persisted.address is not None)
        self._cursors: dict[str, Cursor] = {}
        self._snapshot: HubSnapshot | None = None
        self.append_count = 0
        """How often the store was said to have more."""

    def snapshot(self) -> HubSnapshot:
        """How things stand; the same object until something changes."""
        with self.lock:
            if self._snapshot is None:
                self._snapshot = self._build_snapshot()
            return self._snapshot

    # From the screens.

    def set_hub(self, address: str | None, token: str | None) -> None:
        """Another hub, or none: what the old one said is forgotten, unless it is the same token again."""
        with self.lock:
            if token != self.persisted.token:
                self.persisted.forget_hub()
            self.persisted.address, self.persisted.token = address, token
            self._link = LinkState(joined=address is not None)
            self._mark_dirty()
        self._wake()

    def check_in(self, match: str, side: Side, present: bool) -> None:
        """A side of a match is there, or is not."""
        with self.lock:
            key = self._match_key(match)
            if key is None:
                return
            present_sides = [each for each in self.persisted.present.get(key, []) if each != side]
            self.persisted.present[key] = [*present_sides, side] if present else present_sides
            self._mark_dirty()
        self._wake()

    def confirm(self, match: str, journal: str, line: int, by: Signer, given: bool) -> None:
        """Somebody confirms a journal at its last line, or takes that back as long as it was not sent."""
        with self.lock:
            key, cursor = self._match_key(match), self._cursors.get(journal)
            if key is None or (cursor is not None and line < cursor.length):
                return
            confirmation = self.persisted.confirmations.get(key)
            called = self.persisted.state.match if self.persisted.state else None
            referee = called is not None and called.match == match and called.referee
            if confirmation is None or (confirmation.journal, confirmation.seq) != (journal, line):
                needs = ("home", "away", "referee") if referee else ("home", "away")
                confirmation = Confirmation(journal=journal, seq=line, by=(), needs=needs)
            if not given and confirmation.complete:
                return
            signers = (*(each for each in confirmation.by if each != by), *([by] if given else []))
            self.persisted.confirmations.pop(key, None)
            self.persisted.confirmations[key] = msgspec.structs.replace(confirmation, by=signers)
            self._mark_dirty()
        self._wake()

    def notify_appended(self) -> None:
        """The store has more: something waits until the link has looked."""
        with self.lock:
            self.append_count += 1
            if self._link.waiting == 0:
                self._link, self._snapshot = replace(self._link, waiting=1), None

    # From the link.

    def update_state(self, state: State) -> None:
        """What the hub says of this table. A match that was confirmed stays in sight until the next one is called.

        The hub may say that it is no longer called before its receipt for the confirmation has come.
        """
        with self.lock:
            last = self.persisted.state
            if (
                state.match is None
                and last is not None
                and last.match is not None
                and _is_confirmed(self.persisted, last.match)
            ):
                state = _with_match(state, last.match)
            if state != last:
                if state.match is not None:
                    self.persisted.forget_earlier_game(state.match)
                self.persisted.state = state
                self._mark_dirty()

    def update_board(self, board: Board) -> None:
        """What the hub says of a tournament; of another one than this table's it is passed over."""
        with self.lock:
            wanted = self.persisted.state.tournament if self.persisted.state else None
            if wanted in (None, board.tournament) and board != self.persisted.board:
                self.persisted.board = board
                self._mark_dirty()

    def update_progress(self, waiting: int, cursors: Iterable[Cursor], append_count: int | None = None) -> None:
        """How far the journals are, and how many lines wait, as of the time of that `grown`."""
        journals = {each.id: replace(each) for each in cursors}  # the link's own ones change under its thread
        with self.lock:
            if append_count not in (None, self.append_count):
                waiting = max(1, waiting)
            if (waiting, journals) != (self._link.waiting, self._cursors):
                self._link, self._cursors = replace(self._link, waiting=waiting), journals
                self._snapshot = None

    def update_network(self, online: bool, trouble: Message | None = None) -> None:
        """Whether the hub is heard, and what else is in the way."""
        with self.lock:
            if online == self._link.online and trouble == self._link.trouble:
                return
            has_changed = online != self._link.online or self._link.since is None
            since = self._clock.now() if has_changed else self._link.since
            self._link = replace(self._link, online=online, since=since, trouble=trouble)
            self._snapshot = None

    def due_confirmations(self) -> list[Confirmation]:
        """The confirmations that the hub does not have yet and that are whole."""
        with self.lock:
            return [
                each
                for each in self.persisted.confirmations.values()
                if each.complete
                and (known := self._cursors.get(each.journal)) is not None
                and known.length == each.seq > known.confirmed
            ]

    def _match_key(self, match: str) -> str | None:
        """By what a match is noted: its id is unique within its tournament alone. None for one that is not called."""
        called = self.persisted.state.match if self.persisted.state else None
        return match_key(called) if called is not None and called.match == match else None

    def _mark_dirty(self) -> None:
        self.persisted.drop_oldest()
        self.is_dirty, self._snapshot = True, None

    def _is_sent(self, match: CalledMatch) -> bool:
        confirmation = self.persisted.confirmations.get(match_key(match))
        cursor = self._cursors.get(confirmation.journal) if confirmation else None
        return (
            confirmation is not None
            and cursor is not None
            and confirmation.complete
            and cursor.confirmed >= confirmation.seq
        )

    def _build_snapshot(self) -> HubSnapshot:
        state, board, zone = self.persisted.state, self.persisted.board, self._clock.now().tzinfo
        if not self._link.joined or state is None:
            return HubSnapshot(self._link)
        snapshot = HubSnapshot(
            link=self._link,
            tournament=state.name,
            table=state.table,
            match=self._table_match(state.match) if state.match else None,
            address=state.pages,
            pages=_pages(state, None),
        )
        if board is None or state.tournament not in (None, board.tournament):
            return snapshot
        return replace(
            snapshot,
            tournament=state.name or board.name,
            standings=tuple(
                msgspec.structs.replace(each, title=restore_message(each.title)) for each in board.standings
            ),
            coming=tuple(msgspec.structs.replace(each, title=restore_message(each.title)) for each in board.coming),
            reported_at=_to_datetime(board.told, zone),
            frozen=board.frozen,
            pages=_pages(state, board),
        )

    def _table_match(self, called: CalledMatch) -> TableMatch:
        confirmation = self.persisted.confirmations.get(match_key(called))
        cursor = self._cursors.get(confirmation.journal) if confirmation else None
        is_current = confirmation is not None and (cursor is None or cursor.length <= confirmation.seq)
        fields = {**msgspec.structs.asdict(called), "title": restore_message(called.title)}
        return TableMatch(
            **fields,
            present=frozenset(self.persisted.present.get(match_key(called), ())),
            confirmed=frozenset(cast("tuple[Signer, ...]", confirmation.by))
            if confirmation and is_current
            else frozenset(),
            sent=is_current and self._is_sent(called),
        )


def match_key(called: CalledMatch) -> str:
    """By what a match is noted at the table, and told to the hub in `Hello.present`."""
    return f"{called.tournament}/{called.match}"


def _is_confirmed(persisted: PersistedState, match: CalledMatch) -> bool:
    confirmation = persisted.confirmations.get(match_key(match))
    return confirmation is not None and confirmation.complete


def _with_match(state: State, match: CalledMatch) -> State:
    return msgspec.structs.replace(state, match=match)


def _to_datetime(seconds: int, zone: tzinfo | None) -> datetime:
    return datetime.fromtimestamp(seconds, zone)


def _pages(state: State, board: Board | None) -> dict[str, str]:
    """Addresses of the public pages of matches."""
    pages = {each.match: each.page for each in board.coming if each.page} if board else {}
    if state.match is not None and state.match.page:
        pages[state.match.match] = state.match.page
    return pages
