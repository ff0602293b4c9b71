"""Replays a journal from a file, from lines or from the store, and writes the report of `companion replay`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from companion.games.base import Fields, Game, Message, Refusal
from companion.journal.codec import TORN, FileUnreadable, LineUnreadable, read_file, read_lines
from companion.journal.envelope import HEADER_LINE, VERSION, Entry, is_whole
from companion.journal.ledger import AnyLedger, Ledger, Standing
from companion.language import Language

Games = Mapping[str, Game[Any, Any]]
"""The games by id."""

NO_GAME = "JOURNAL"
"""Stands where a rule's number would, when not even the game is known."""

DONE, REFUSED = 0, 2


class LineRefused(Exception):
    """A line that breaks a rule; the journal ends before it. `line` counts every line of the file from 1."""

    def __init__(self, line: int, rule: str, message: Message) -> None:
        super().__init__(f"{line}: {rule}: {message}")
        self.line = line
        self.rule = rule
        self.message = message


@dataclass(frozen=True, slots=True)
class Replay:
    """A whole journal, played: its header, and the ledger with every state."""

    header: Fields
    ledger: AnyLedger

    @property
    def game(self) -> Game[Any, Any]:
        return self.ledger.game


def replay(source: Path | Iterable[bytes], games: Games) -> Replay:
    """Plays a journal file (or its lines). Raises LineRefused at the first bad line, FileUnreadable for a bad file.

    A file whose header names no known game is refused with the number that its name suggests (`footclub-….jsonl`).
    """
    if isinstance(source, Path):
        return _replay(read_file(source), games, _named_after(source, games))
    return _replay(read_lines(source), games, None)


def replay_entries(header: Fields, entries: Iterable[Entry], games: Games) -> Replay:
    """Plays a journal that is already decoded, such as one of the store. Raises LineRefused."""

    def all_entries() -> Iterator[Entry]:
        yield Entry(HEADER_LINE, header)
        yield from entries

    return _replay(all_entries(), games, None)


def replay_report(played: Replay) -> dict[str, Any]:
    """The object that `companion replay` prints (rules/README.md)."""
    ledger = played.ledger
    newest = ledger.newest
    return {
        "game": ledger.game.id,
        "sides": played.header["sides"],
        "state": {**ledger.game.view(ledger.state), "last": _log_entry(newest) if newest else None},
        "log": [_log_entry(event) for event in ledger.standing],
    }


def run_replay(path: Path, games: Games, out: TextIO, err: TextIO, language: Language) -> int:
    """`companion replay PATH`: the report on `out`, or one sentence on `err` alone. Returns the exit status."""
    try:
        report = json.dumps(replay_report(replay(path, games)))
    except LineRefused as refused:
        print(f"{path}:{refused.line}: {refused.rule}: {language.text(refused.message)}", file=err)
        return REFUSED
    except FileUnreadable as unreadable:
        print(f"{path}: {language.text(unreadable.message)}", file=err)
        return REFUSED
    print(report, file=out)
    return DONE


def _replay(entries: Iterator[Entry], games: Games, guess: Game[Any, Any] | None) -> Replay:
    ledger = _begin(entries, games, guess)
    rules = ledger.game.journal_rules
    try:
        for entry in entries:
            try:
                ledger.commit(ledger.propose(entry.fields, entry.line))
            except Refusal as refusal:
                raise LineRefused(entry.line, refusal.rule, refusal.message) from None
    except LineUnreadable as fault:
        raise LineRefused(fault.line, rules.unreadable, fault.message) from None
    return Replay(ledger.header, ledger)


def _begin(entries: Iterator[Entry], games: Games, guess: Game[Any, Any] | None) -> AnyLedger:
    if guess is None and len(games) == 1:
        guess = next(iter(games.values()))
    try:
        first = next(entries, None)
    except LineUnreadable as fault:
        torn = fault.message.id == TORN
        message = Message("journal.header.torn") if torn else fault.message
        raise LineRefused(fault.line, _bad_header(guess), message) from None
    if first is None:
        raise LineRefused(HEADER_LINE, _bad_header(guess), Message("journal.header.empty"))
    header = first.fields
    id = header.get("game")
    game = games.get(id) if isinstance(id, str) else None
    version = header.get("journal")
    if not is_whole(version) or version != VERSION:
        newer = is_whole(version) and version > VERSION
        message = Message("journal.header.newer", {"version": version}) if newer else Message("journal.header.version")
        raise LineRefused(first.line, _bad_header(game or guess), message)
    if game is None:
        named = id if isinstance(id, str) else json.dumps(id)
        message = Message("journal.header.game", {"game": named, "known": ", ".join(games)})
        raise LineRefused(first.line, _bad_header(guess), message)
    try:
        return Ledger(game, header, first.line)
    except Refusal as refusal:
        raise LineRefused(first.line, refusal.rule, refusal.message) from None


def _bad_header(game: Game[Any, Any] | None) -> str:
    """The game's number for a bad header; for three of the four it is not that of a bad line, so the game is asked."""
    if game is None:
        return NO_GAME
    try:
        game.begin({})
    except Refusal as refusal:
        return refusal.rule
    return game.journal_rules.unreadable


def _named_after(path: Path, games: Games) -> Game[Any, Any] | None:
    return next((game for id, game in games.items() if path.name.startswith(id)), None)


def _log_entry(event: Standing[Any, Any]) -> dict[str, Any]:
    return {"line": event.line, "event": event.fields["event"], "outcome": event.outcome}
