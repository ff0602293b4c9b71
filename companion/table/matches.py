"""The matches of this table: start, resume and list. Connects the store and the screens."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from companion.games.base import AnyGame, Board, Fields, GameState, Message, Refusal, SideScene
from companion.games.registry import SPECS
from companion.journal.codec import HEADER_LINE
from companion.journal.database import LineDamaged, StoreError
from companion.journal.ledger import AnyLedger, InvalidLine, Ledger, replay_lines
from companion.journal.store import Store
from companion.journal.store import StoredMatch as StoredMatch
from companion.table.dice import DiceSource
from companion.table.misreads import Misreads
from companion.table.ports import DiceMemory, ReaderPort
from companion.table.session import Session, StorageError


class UnknownGame(Exception):
    """A match of a game that this program does not know."""


@dataclass(frozen=True, slots=True)
class MatchSummary:
    """A match as shown in a list.

    `trouble` is why it cannot be resumed completely; `last_good_line` is then its last valid line. A damaged header has
    no such line, and may not tell the names.
    """

    match_id: str
    game_id: str
    names: Mapping[str, str]
    score: Mapping[str, int]
    last_event: Message | None
    at: str
    is_finished: bool
    trouble: Message | None = None
    last_good_line: int | None = None
    is_damaged: bool = False
    """Its file is damaged: what is readable up to there can be viewed (`Matches.view_until`)."""
    sides: tuple[SideScene, ...] = ()
    """The sides at the start of the match: colour and letter. Empty for a header that breaks a rule."""
    is_begun: bool = True
    """False while the match is still prepared, or nothing has happened in it."""
    saved_at: str = ""
    """When its last event was saved; empty before the first one."""
    header: Fields = field(default_factory=dict)
    """Empty if it is damaged."""
    progress: tuple[Message, ...] = ()
    """How far it has come, such as the half and the turn."""


class Matches:
    """Opens sessions on the matches of one store. A store has a single writer, so only one session at a time."""

    def __init__(
        self,
        store: Store,
        games: Mapping[str, AnyGame],
        misreads: Misreads | None = None,
        memories: Mapping[str, DiceMemory] | None = None,
    ) -> None:
        """Create the match list.

        - `misreads`: stores the corrections of players; None: not stored
        - `memories`: the confirmed dice of each game
        """
        self.store = store
        self._memories = memories or {}
        self._misreads = misreads
        self.games = games
        self._summaries: dict[tuple[str, int], MatchSummary] = {}

    def replace_store(self, store: Store) -> None:
        """Use another store from now on, for example one that can be written again. Closes the previous one."""
        self.store.close()
        self.store = store
        self._summaries.clear()

    def start(self, game_id: str, header: Fields, reader: ReaderPort | None = None) -> Session:
        """Start a match. Raises: Refusal for a header that the game rejects; StorageError.

        Stores nothing in these cases.
        """
        game = self._game(game_id)
        memory = self._memories.get(game_id)
        header = header if memory is None else memory.with_known_faces(header)
        ledger = Ledger(game, header)
        try:
            match_id = self.store.create(header)
        except StoreError as trouble:
            raise StorageError(trouble.message) from trouble
        return self._session(match_id, ledger, reader)

    def resume(self, match_id: str, reader: ReaderPort | None = None) -> Session:
        """Resume a match. Raises: InvalidLine if its journal breaks a rule (see `MatchSummary.trouble`)."""
        ledger = self.store.resume(match_id, self.games).ledger
        return self._session(match_id, ledger, reader)

    def resume_until(self, match_id: str, line: int, reader: ReaderPort | None = None) -> Session:
        """Start a new match with the events of a damaged one up to `line`. The damaged one stays unchanged."""
        header = self.store.header(match_id)
        good_lines = self.store.events(match_id, until_line=line)
        ledger = replay_lines(header, good_lines, self.games).ledger
        copy = self.store.create(header, [entry.fields for entry in good_lines])
        return self._session(copy, ledger, reader)

    def view_until(self, match_id: str, line: int) -> Session:
        """Return a damaged match up to `line`, to be looked at: the store refuses every event of this session."""
        good_lines = self.store.events(match_id, until_line=line)
        return self._session(match_id, replay_lines(self.store.header(match_id), good_lines, self.games).ledger, None)

    def summaries(self, game_id: str | None = None) -> Iterator[MatchSummary]:
        """Yield the matches of one game or all, newest first. Lazy, because each may need a replay."""
        return (self._summary(stored) for stored in self.store.matches() if game_id in (None, stored.game))

    def recent(self, limit: int = 50) -> tuple[MatchSummary, ...]:
        """Return the newest matches first."""
        return tuple(self._summary(stored) for stored in self.store.matches()[:limit])

    def newest_matching(self, is_wanted: Callable[[Fields], bool]) -> tuple[MatchSummary, int] | None:
        """Return the newest match whose header satisfies `is_wanted`, and its last line."""
        found = next((match for match in self.store.matches() if match.header_fits and is_wanted(match.header)), None)
        return None if found is None else (self._summary(found), found.lines + HEADER_LINE)

    def last_state(self, match_id: str) -> GameState | Message:
        """Return the state at the end of a journal, or the reason why it cannot be replayed."""
        try:
            return self.store.resume(match_id, self.games).ledger.state
        except (InvalidLine, StoreError) as fault:
            return fault.message

    def remove(self, match_id: str) -> None:
        """Mark a match as removed; its data stays for a while. Raises: StorageError."""
        with _storage_errors():
            self.store.remove(match_id)

    def restore(self, match_id: str) -> None:
        """Restore a removed match. Raises: StorageError."""
        with _storage_errors():
            self.store.restore(match_id)

    def forget_summaries(self) -> None:
        """Build every summary anew, after headers were rewritten."""
        self._summaries.clear()

    def _summary(self, stored: StoredMatch) -> MatchSummary:
        key = (stored.id, stored.lines)
        if key not in self._summaries:
            self._summaries[key] = self._build_summary(stored)
        return self._summaries[key]

    def _build_summary(self, stored: StoredMatch) -> MatchSummary:
        names = {side: side_header["name"] for side, side_header in stored.header["sides"].items()}
        summary = MatchSummary(
            stored.id, stored.game, names, {}, None, stored.created.isoformat(), stored.ended is not None
        )
        if not stored.header_fits:
            return replace(summary, is_finished=True, trouble=Message("table.header_trouble"))
        summary = replace(summary, header=stored.header)
        if stored.game in self.games:
            summary = replace(summary, sides=_sides(self.games[stored.game], stored.header))
        try:
            ledger = self.store.resume(stored.id, self.games).ledger
        except (InvalidLine, LineDamaged) as fault:
            reason = Message("table.resume_trouble", {"reason": fault.message})
            damaged = isinstance(fault, LineDamaged)
            return replace(summary, trouble=reason, last_good_line=fault.line - 1, is_damaged=damaged)
        except StoreError as fault:
            return replace(summary, trouble=fault.message)
        newest = ledger.newest
        last = newest and ledger.game.describe(newest.state_after, newest.fields, newest.outcome)
        score = ledger.game.view(ledger.state).get("score") or {}
        return replace(
            summary,
            score=score,
            last_event=last or None,
            is_begun=newest is not None and not _is_prepared(stored.game, ledger.state),
            saved_at="" if newest is None else str(newest.fields.get("at", "")),
            progress=_progress(stored.game, ledger.game.scene(ledger.state).board),
        )

    def _session(self, match_id: str, ledger: AnyLedger, reader: ReaderPort | None) -> Session:
        game, memory = ledger.game, self._memories.get(ledger.game.id)
        return Session(game, self.store, match_id, ledger, DiceSource(reader, memory=memory), self._misreads)

    def _game(self, game_id: str) -> AnyGame:
        if game_id not in self.games:
            raise UnknownGame(game_id)
        return self.games[game_id]


@contextmanager
def _storage_errors() -> Iterator[None]:
    try:
        yield
    except StoreError as trouble:
        raise StorageError(trouble.message) from trouble


FOLLOWS = "follows"
"""Key of a header that holds the id of the match before, in a series of matches at this table."""


def unfollowed_matches(matches: Matches) -> Iterator[StoredMatch]:
    """Yield the finished matches that no other match follows, newest first."""
    stored = matches.store.matches()
    followed = {match.header.get(FOLLOWS) for match in stored}
    return (match for match in stored if match.ended is not None and match.id not in followed)


def _is_prepared(game: str, state: GameState) -> bool:
    return game in SPECS and state.phase in SPECS[game].screens.preparation_phases


def _progress(game: str, board: Board) -> tuple[Message, ...]:
    """Return the clock of the board in words, and the turn where the clock does not tell it."""
    if game not in SPECS:
        return ()
    clock, (_, current_turn) = SPECS[game].clock(board), SPECS[game].turns(board)
    return (*([clock] if clock else []), *([Message("table.turn", {"n": current_turn})] if current_turn else []))


def _sides(game: AnyGame, header: Fields) -> tuple[SideScene, ...]:
    try:
        return game.scene(game.initial_state(header)).sides
    except Refusal:
        return ()
