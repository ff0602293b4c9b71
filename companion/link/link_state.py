"""The persisted link state (`hub.json`), and the snapshot of the link that screens see."""

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
from companion.messages.wire import (
    CalledMatch,
    Confirmation,
    Dispute,
    DisputeReason,
    StandingsBoard,
    TableState,
    restore_message,
)
from companion.table.hub_port import (
    HubSnapshot,
    LinkState,
    Side,
    Signer,
    TableMatch,
)
from companion.tournament.headers import TournamentMark, parse_mark
from vision.files import DECODE_ERRORS, MAX_STATE_BYTES, read_limited, read_state, write_atomically

log = logging.getLogger(__name__)

STATE_FILE = "hub.json"
MAX_REMEMBERED_MATCHES = 200
"""Matches whose check-ins and confirmations are kept. The hub may ask for them again after a restored backup."""


class PersistedState(Struct):
    """State that survives a restart. `configured` is the address and token last taken from the settings."""

    address: str | None = None
    token: str | None = None
    configured: tuple[str, str] | None = None
    state: TableState | None = None
    board: StandingsBoard | None = None
    present: dict[str, list[Side]] = {}
    confirmations: dict[str, Confirmation] = {}
    disputes: dict[str, Dispute] = {}
    games: dict[str, TournamentMark] = {}
    """For each match, the game that `present`, `confirmations` and `disputes` refer to.

    A match may be replayed, or by other players.
    """
    signed: dict[str, JsonObject] = {}
    """Confirmations in the format of an older version, with `line` in place of `seq`.

    Moved to `confirmations` on load.
    """

    def __post_init__(self) -> None:
        for key, older in self.signed.items():
            self.confirmations[key] = msgspec.convert({**older, "seq": older.get("line")}, Confirmation)
        self.signed = {}

    def forget_hub(self) -> None:
        """Discard everything received from or reported to the previous hub."""
        self.state, self.board, self.present, self.confirmations, self.games = None, None, {}, {}, {}
        self.disputes = {}

    def forget_earlier_game(self, match: CalledMatch) -> None:
        """Discard the check-ins and confirmation of an earlier game of the called match."""
        mark = parse_mark(match.header)
        if mark is not None and self.games.get(mark.key, mark) != mark:
            for table in (self.present, self.confirmations, self.disputes):
                table.pop(mark.key, None)
        if mark is not None:
            self.games[mark.key] = mark

    def drop_oldest(self) -> None:
        """Drop the oldest matches beyond the limit."""
        for table in (self.present, self.confirmations, self.disputes, self.games):
            for match in list(table)[:-MAX_REMEMBERED_MATCHES]:
                del table[match]


_DECODER = msgspec.json.Decoder(
    PersistedState
)  # created at import: two threads that create the first decoder at once crash the library


def load_state(folder: Path) -> PersistedState:
    """Load the state from a folder, or an empty one if there is no file.

    A damaged file is set aside, and the table has to join again.
    """
    return read_state(folder / STATE_FILE, _DECODER.decode) or PersistedState()


def peek_state(folder: Path) -> PersistedState | None:
    """Read the state without changing the file; None if it is unusable. Raises: OSError."""
    try:
        return _DECODER.decode(read_limited(folder / STATE_FILE, MAX_STATE_BYTES))
    except FileNotFoundError:
        return PersistedState()
    except DECODE_ERRORS:
        return None


def encode_state(state: PersistedState) -> bytes:
    """Return the content of the file."""
    return msgspec.json.encode(state)


def save_state(folder: Path, content: bytes) -> bool:
    """Write the encoded state, on disk on return. Returns False if that failed; play continues without it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_atomically(folder / STATE_FILE, content, mode=0o600)
    except OSError as fault:
        log.warning("the link's notes could not be written: %s", fault)
        return False
    return True


# State shared with the screens: a snapshot (`HubSnapshot`) built from the persisted state, the cursors and the
# network.


@dataclass
class Cursor:
    """Upload progress of one tournament match's journal.

    Two cursors are equal if screens show the same for them.
    """

    id: str
    epoch: int
    length: int
    ended: bool = field(compare=False)
    chain: list[bytes] = field(default_factory=lambda: [CHAIN_START], compare=False)
    """Chain value after each line that was read. Index 0 is the value before the header."""
    sent: int = field(default=0, compare=False)
    sent_at: float = field(default=0.0, compare=False)
    resent_until: int = field(default=0, compare=False)
    """The last line that may have been sent more than once."""
    acknowledged: int = field(default=0, compare=False)
    confirmed: int = 0
    """The last line for which the hub has a confirmation."""
    problem: str | None = field(default=None, compare=False)


class SharedLinkState:
    """The link state of a table, with the snapshot that its screens see.

    Calls `wake` when there is work for the link.
    """

    def __init__(self, persisted: PersistedState, clock: Clock, wake: Callable[[], None]) -> None:
        self.persisted = persisted
        self.lock = RLock()
        self.is_dirty = False
        """True if the state in memory is newer than the file."""
        self._clock, self._wake = clock, wake
        self._link = LinkState(joined=persisted.address is not None)
        self._cursors: dict[str, Cursor] = {}
        self._snapshot: HubSnapshot | None = None
        self.append_count = 0
        """Number of append notifications so far."""

    def snapshot(self) -> HubSnapshot:
        """Return the current snapshot; the same object until something changes."""
        with self.lock:
            if self._snapshot is None:
                self._snapshot = self._build_snapshot()
            return self._snapshot

    # Called by the screens.

    def set_hub(self, address: str | None, token: str | None) -> None:
        """Set the hub, or none. Discards the state of the previous hub unless the token is the same."""
        with self.lock:
            if token != self.persisted.token:
                self.persisted.forget_hub()
            self.persisted.address, self.persisted.token = address, token
            self._link = LinkState(joined=address is not None)
            self._mark_dirty()
        self._wake()

    def check_in(self, match: str, side: Side, present: bool) -> None:
        """Record whether a side of a match is present."""
        with self.lock:
            key = self._match_key(match)
            if key is None:
                return
            present_sides = [each for each in self.persisted.present.get(key, []) if each != side]
            self.persisted.present[key] = [*present_sides, side] if present else present_sides
            self._mark_dirty()
        self._wake()

    def confirm(self, match: str, journal: str, line: int, by: Signer, given: bool) -> None:
        """Confirm a journal at its last line, or revoke that as long as it was not sent."""
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
            self.persisted.confirmations.pop(key, None)
            self.persisted.confirmations[key] = _signed(confirmation, by, int(self._clock.now().timestamp()), given)
            dispute = self.persisted.disputes.get(key)
            if given and dispute is not None and dispute.by == by:
                del self.persisted.disputes[key]
            self._mark_dirty()
        self._wake()

    def dispute(self, match: str, journal: str, line: int, by: Side, why: DisputeReason | None) -> None:
        """Record that a side does not agree with a journal at its last line, or that it does after all."""
        with self.lock:
            key, cursor = self._match_key(match), self._cursors.get(journal)
            if key is None or (cursor is not None and line < cursor.length):
                return
            confirmation = self.persisted.confirmations.get(key)
            if confirmation is not None and confirmation.complete:
                return
            self.persisted.disputes.pop(key, None)
            if why is not None:
                self.persisted.disputes[key] = Dispute(seq=line, by=by, why=why, journal=journal)
                if confirmation is not None:
                    self.persisted.confirmations[key] = _signed(confirmation, by, 0, given=False)
            self._mark_dirty()
        self._wake()

    def notify_appended(self) -> None:
        """Note that the store has new lines.

        At least one line counts as waiting until the link has scanned the store.
        """
        with self.lock:
            self.append_count += 1
            if self._link.waiting == 0:
                self._link, self._snapshot = replace(self._link, waiting=1), None

    # Called by the link.

    def update_state(self, state: TableState) -> None:
        """Store the hub's state of this table. A confirmed match stays visible until the next one is called.

        The hub may report that it is no longer called before its receipt for the confirmation arrives.
        """
        with self.lock:
            last = self.persisted.state
            if (
                state.match is None
                and last is not None
                and last.match is not None
                and _is_confirmed(self.persisted, last.match)
                and (state.ruling is None or state.ruling.match != last.match.match)
            ):
                state = _with_match(state, last.match)
            if state != last:
                if state.match is not None:
                    self.persisted.forget_earlier_game(state.match)
                self.persisted.state = state
                self._mark_dirty()

    def update_board(self, board: StandingsBoard) -> None:
        """Store the hub's board. Ignores a tournament other than this table's."""
        with self.lock:
            wanted = self.persisted.state.tournament if self.persisted.state else None
            if wanted in (None, board.tournament) and board != self.persisted.board:
                self.persisted.board = board
                self._mark_dirty()

    def update_progress(self, waiting: int, cursors: Iterable[Cursor], append_count: int | None = None) -> None:
        """Update the cursors and the number of waiting lines, as of `append_count`."""
        journals = {each.id: replace(each) for each in cursors}  # copies: the link thread changes its own
        with self.lock:
            if append_count not in (None, self.append_count):
                waiting = max(1, waiting)
            if (waiting, journals) != (self._link.waiting, self._cursors):
                self._link, self._cursors = replace(self._link, waiting=waiting), journals
                self._snapshot = None

    def update_network(self, online: bool, trouble: Message | None = None) -> None:
        """Update whether the hub is reachable, and the current problem, if any."""
        with self.lock:
            if online == self._link.online and trouble == self._link.trouble:
                return
            has_changed = online != self._link.online or self._link.since is None
            since = self._clock.now() if has_changed else self._link.since
            self._link = replace(self._link, online=online, since=since, trouble=trouble)
            self._snapshot = None

    def due_confirmations(self) -> list[Confirmation]:
        """Return the complete confirmations that the hub does not have yet."""
        with self.lock:
            return [
                each
                for each in self.persisted.confirmations.values()
                if each.complete
                and (known := self._cursors.get(each.journal)) is not None
                and known.length == each.seq > known.confirmed
            ]

    def current_disputes(self) -> dict[str, Dispute]:
        """Return the dispute about the called match, by match key, with its journal's number."""
        with self.lock:
            found = {}
            called = self.persisted.state.match if self.persisted.state else None
            dispute = self._current_dispute(called) if called is not None else None
            cursor = self._cursors.get(dispute.journal) if dispute is not None else None
            if called is not None and dispute is not None and cursor is not None:
                found[match_key(called)] = msgspec.structs.replace(dispute, epoch=cursor.epoch, journal="")
            return found

    def confirmed_at(self) -> dict[str, dict[str, int]]:
        """Return who has confirmed the result of the called match, and when (seconds since 1970), by match key."""
        with self.lock:
            called = self.persisted.state.match if self.persisted.state else None
            confirmation = self.persisted.confirmations.get(match_key(called)) if called is not None else None
            if called is None or confirmation is None:
                return {}
            signers = zip(confirmation.by, confirmation.at, strict=False)
            return {match_key(called): dict(signers) if self._is_current(confirmation) else {}}

    def _current_dispute(self, called: CalledMatch) -> Dispute | None:
        """Return the dispute about a match, unless its journal has changed since."""
        dispute = self.persisted.disputes.get(match_key(called))
        return dispute if dispute is not None and self._is_current(dispute) else None

    def _is_current(self, signed: Confirmation | Dispute) -> bool:
        """Return whether a confirmation or dispute is about the last line of its journal."""
        cursor = self._cursors.get(signed.journal)
        return cursor is None or cursor.length <= signed.seq

    def _match_key(self, match: str) -> str | None:
        """Return the match's key: an id is unique only within its tournament. None if the match is not called."""
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
            ruling=state.ruling,
            referee_pin=state.referee_pin,
        )
        if board is None or state.tournament not in (None, board.tournament):
            return snapshot
        podium = None if board.frozen or board.podium is msgspec.UNSET else board.podium
        return replace(
            snapshot,
            tournament=state.name or board.name,
            match=snapshot.match
            if podium is None
            else None,  # a confirmed match stays until the next call: there is none
            standings=tuple(
                msgspec.structs.replace(each, title=restore_message(each.title)) for each in board.standings
            ),
            coming=tuple(msgspec.structs.replace(each, title=restore_message(each.title)) for each in board.coming),
            reported_at=_to_datetime(board.told, zone),
            frozen=board.frozen,
            podium=podium,
            pages=_pages(state, board),
        )

    def _table_match(self, called: CalledMatch) -> TableMatch:
        confirmation = self.persisted.confirmations.get(match_key(called))
        is_current = confirmation is not None and self._is_current(confirmation)
        fields = {**msgspec.structs.asdict(called), "title": restore_message(called.title)}
        return TableMatch(
            **fields,
            present=frozenset(self.persisted.present.get(match_key(called), ())),
            confirmed=frozenset(cast("tuple[Signer, ...]", confirmation.by))
            if confirmation and is_current
            else frozenset(),
            dispute=self._current_dispute(called),
            sent=is_current and self._is_sent(called),
        )


def _signed(confirmation: Confirmation, by: str, at: int, given: bool) -> Confirmation:
    """Return a confirmation with or without one of those who give it. `at`: seconds since 1970."""
    times = dict(zip(confirmation.by, (*confirmation.at, *[at] * len(confirmation.by)), strict=False))
    times.pop(by, None)
    times |= {by: at} if given else {}
    return msgspec.structs.replace(confirmation, by=tuple(times), at=tuple(times.values()))


def match_key(called: CalledMatch) -> str:
    """Return the key of a match in the link state and in `Hello.present`."""
    return f"{called.tournament}/{called.match}"


def _is_confirmed(persisted: PersistedState, match: CalledMatch) -> bool:
    confirmation = persisted.confirmations.get(match_key(match))
    return confirmation is not None and confirmation.complete


def _with_match(state: TableState, match: CalledMatch) -> TableState:
    return msgspec.structs.replace(state, match=match)


def _to_datetime(seconds: int, zone: tzinfo | None) -> datetime:
    return datetime.fromtimestamp(seconds, zone)


def _pages(state: TableState, board: StandingsBoard | None) -> dict[str, str]:
    """Return the addresses of the public pages of matches."""
    pages = {each.match: each.page for each in board.coming if each.page} if board else {}
    if state.match is not None and state.match.page:
        pages[state.match.match] = state.match.page
    return pages
