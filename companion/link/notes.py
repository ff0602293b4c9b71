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
from companion.journal.files import write_whole
from companion.messages.wire import Board, Called, Confirmation, State, message
from companion.table.hub_port import (
    HubLook,
    LinkState,
    Side,
    Signer,
    TableMatch,
)
from companion.tournament.headers import Mark, mark_of

log = logging.getLogger(__name__)

FILE = "hub.json"
MOST_MATCHES = 200
"""Of which it is remembered who came and who confirmed; the hub may ask again after a restored backup."""


class Notes(Struct):
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

    def called(self, match: Called) -> None:
        """A match was called here: what was said of another game of it is no longer true."""
        mark = mark_of(match.header)
        if mark is not None and self.games.get(mark.key, mark) != mark:
            self.present.pop(mark.key, None)
            self.confirmations.pop(mark.key, None)
        if mark is not None:
            self.games[mark.key] = mark

    def shorten(self) -> None:
        """Drops the oldest matches where there are too many."""
        for kept in (self.present, self.confirmations, self.games):
            for match in list(kept)[:-MOST_MATCHES]:
                del kept[match]


_NOTES = msgspec.json.Decoder(Notes)  # made here: two threads that make the first one at once crash the library


def load(folder: Path) -> Notes:
    """The notes in a folder, empty ones where there are none. A damaged file is put aside and the table joins anew."""
    path = folder / FILE
    try:
        return _NOTES.decode(path.read_bytes())
    except FileNotFoundError:
        return Notes()
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as fault:
        log.warning("%s cannot be used and is put aside: %s", path, fault)
        try:
            path.replace(path.with_suffix(".damaged"))
        except OSError as worse:
            log.warning("%s cannot be put aside: %s", path, worse)
        return Notes()


def peek(folder: Path) -> Notes | None:
    """As `load`, for whoever only looks: None where the file cannot be used. Raises OSError."""
    try:
        return _NOTES.decode((folder / FILE).read_bytes())
    except FileNotFoundError:
        return Notes()
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None


def encoded(notes: Notes) -> bytes:
    """The content of the file."""
    return msgspec.json.encode(notes)


def save(folder: Path, content: bytes) -> None:
    """Writes encoded notes; on the disk on return. A disk that takes nothing is logged; the table plays on."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(folder / FILE, content, mode=0o600)
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
    twice: int = field(default=0, compare=False)
    """The last line that may have gone more than once."""
    acknowledged: int = field(default=0, compare=False)
    confirmed: int = 0
    """The last line that the hub has a confirmation for."""
    problem: str | None = field(default=None, compare=False)


class TableNotes:
    """The notes of a table with the picture that its screens see of them. `woken` is called when there is work."""

    def __init__(self, notes: Notes, clock: Clock, woken: Callable[[], None]) -> None:
        self.notes = notes
        self.lock = RLock()
        self.changed = False
        """Whether the notes are newer than the disk."""
        self._clock, self._woken = clock, woken
        self._link = LinkState(joined=notes.address is not None)
        self._cursors: dict[str, Cursor] = {}
        self._look: HubLook | None = None
        self.grown = 0
        """How often the store was said to have more."""

    def look(self) -> HubLook:
        """How things stand; the same object until something changes."""
        with self.lock:
            if self._look is None:
                self._look = self._picture()
            return self._look

    # From the screens.

    def joined(self, address: str | None, token: str | None) -> None:
        """Another hub, or none: what the old one said is forgotten, unless it is the same token again."""
        with self.lock:
            if token != self.notes.token:
                self.notes.forget_hub()
            self.notes.address, self.notes.token = address, token
            self._link = LinkState(joined=address is not None)
            self._touched()
        self._woken()

    def check_in(self, match: str, side: Side, present: bool) -> None:
        """A side of a match is there, or is not."""
        with self.lock:
            key = self._key(match)
            if key is None:
                return
            there = [each for each in self.notes.present.get(key, []) if each != side]
            self.notes.present[key] = [*there, side] if present else there
            self._touched()
        self._woken()

    def confirm(self, match: str, journal: str, line: int, by: Signer, given: bool) -> None:
        """Somebody confirms a journal at its last line, or takes that back as long as it was not sent."""
        with self.lock:
            key, known = self._key(match), self._cursors.get(journal)
            if key is None or (known is not None and line < known.length):
                return
            found = self.notes.confirmations.get(key)
            called = self.notes.state.match if self.notes.state else None
            referee = called is not None and called.match == match and called.referee
            if found is None or (found.journal, found.seq) != (journal, line):
                needs = ("home", "away", "referee") if referee else ("home", "away")
                found = Confirmation(journal=journal, seq=line, by=(), needs=needs)
            if not given and found.complete:
                return
            everyone = (*(each for each in found.by if each != by), *([by] if given else []))
            self.notes.confirmations.pop(key, None)
            self.notes.confirmations[key] = msgspec.structs.replace(found, by=everyone)
            self._touched()
        self._woken()

    def grew(self) -> None:
        """The store has more: something waits until the link has looked."""
        with self.lock:
            self.grown += 1
            if self._link.waiting == 0:
                self._link, self._look = replace(self._link, waiting=1), None

    # From the link.

    def told_state(self, state: State) -> None:
        """What the hub says of this table. A match that was confirmed stays in sight until the next one is called.

        The hub may say that it is no longer called before its receipt for the confirmation has come.
        """
        with self.lock:
            last = self.notes.state
            if (
                state.match is None
                and last is not None
                and last.match is not None
                and _confirmed(self.notes, last.match)
            ):
                state = _with_match(state, last.match)
            if state != last:
                if state.match is not None:
                    self.notes.called(state.match)
                self.notes.state = state
                self._touched()

    def told_board(self, board: Board) -> None:
        """What the hub says of a tournament; of another one than this table's it is passed over."""
        with self.lock:
            wanted = self.notes.state.tournament if self.notes.state else None
            if wanted in (None, board.tournament) and board != self.notes.board:
                self.notes.board = board
                self._touched()

    def progressed(self, waiting: int, cursors: Iterable[Cursor], grown: int | None = None) -> None:
        """How far the journals are, and how many lines wait, as of the time of that `grown`."""
        journals = {each.id: replace(each) for each in cursors}  # the link's own ones change under its thread
        with self.lock:
            if grown not in (None, self.grown):
                waiting = max(1, waiting)
            if (waiting, journals) != (self._link.waiting, self._cursors):
                self._link, self._cursors = replace(self._link, waiting=waiting), journals
                self._look = None

    def network(self, online: bool, trouble: Message | None = None) -> None:
        """Whether the hub is heard, and what else is in the way."""
        with self.lock:
            if online == self._link.online and trouble == self._link.trouble:
                return
            turned = online != self._link.online or self._link.since is None
            since = self._clock.now() if turned else self._link.since
            self._link = replace(self._link, online=online, since=since, trouble=trouble)
            self._look = None

    def due_confirmations(self) -> list[Confirmation]:
        """The confirmations that the hub does not have yet and that are whole."""
        with self.lock:
            return [
                each
                for each in self.notes.confirmations.values()
                if each.complete
                and (known := self._cursors.get(each.journal)) is not None
                and known.length == each.seq > known.confirmed
            ]

    def _key(self, match: str) -> str | None:
        """By what a match is noted: its id is unique within its tournament alone. None for one that is not called."""
        called = self.notes.state.match if self.notes.state else None
        return key_of(called) if called is not None and called.match == match else None

    def _touched(self) -> None:
        self.notes.shorten()
        self.changed, self._look = True, None

    def _sent(self, match: Called) -> bool:
        found = self.notes.confirmations.get(key_of(match))
        known = self._cursors.get(found.journal) if found else None
        return found is not None and known is not None and found.complete and known.confirmed >= found.seq

    def _picture(self) -> HubLook:
        state, board, zone = self.notes.state, self.notes.board, self._clock.now().tzinfo
        if not self._link.joined or state is None:
            return HubLook(self._link)
        look = HubLook(
            link=self._link,
            tournament=state.name,
            table=state.table,
            match=self._match(state.match) if state.match else None,
            address=state.pages,
            pages=_pages(state, None),
        )
        if board is None or state.tournament not in (None, board.tournament):
            return look
        return replace(
            look,
            tournament=state.name or board.name,
            standings=tuple(msgspec.structs.replace(each, title=message(each.title)) for each in board.standings),
            coming=tuple(msgspec.structs.replace(each, title=message(each.title)) for each in board.coming),
            told=_time(board.told, zone),
            frozen=board.frozen,
            pages=_pages(state, board),
        )

    def _match(self, called: Called) -> TableMatch:
        found = self.notes.confirmations.get(key_of(called))
        known = self._cursors.get(found.journal) if found else None
        stands = found is not None and (known is None or known.length <= found.seq)
        told = {**msgspec.structs.asdict(called), "title": message(called.title)}
        return TableMatch(
            **told,
            present=frozenset(self.notes.present.get(key_of(called), ())),
            confirmed=frozenset(cast("tuple[Signer, ...]", found.by)) if found and stands else frozenset(),
            sent=stands and self._sent(called),
        )


def key_of(called: Called) -> str:
    """By what a match is noted at the table, and told to the hub in `Hello.present`."""
    return f"{called.tournament}/{called.match}"


def _confirmed(notes: Notes, match: Called) -> bool:
    found = notes.confirmations.get(key_of(match))
    return found is not None and found.complete


def _with_match(state: State, match: Called) -> State:
    return msgspec.structs.replace(state, match=match)


def _time(seconds: int, zone: tzinfo | None) -> datetime:
    return datetime.fromtimestamp(seconds, zone)


def _pages(state: State, board: Board | None) -> dict[str, str]:
    """Addresses of the public pages of matches."""
    pages = {each.match: each.page for each in board.coming if each.page} if board else {}
    if state.match is not None and state.match.page:
        pages[state.match.match] = state.match.page
    return pages
