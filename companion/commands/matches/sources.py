"""Matches named on the command line: a journal file, or a match of this table by its id or the beginning of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from companion.clock import SystemClock
from companion.commands.settings import data_folder_of
from companion.games.base import Message
from companion.games.registry import GAMES
from companion.journal.codec import FileUnreadable
from companion.journal.ledger import AnyLedger, LineRefused, replay
from companion.journal.store import Picture, Store

STORE = "matches.sqlite"


class NoMatch(Exception):
    """A name that leads to no match, or to one that cannot be read. `sentence` begins with the name."""

    def __init__(self, name: str, message: Message, line: int | None = None, rule: str | None = None) -> None:
        super().__init__(f"{name}: {message}")
        self.name, self.message, self.line, self.rule = name, message, line, rule


@dataclass(frozen=True, slots=True)
class Source:
    """A match that was found, with the pictures of its lines (none for a file)."""

    id: str
    ledger: AnyLedger
    pictures: Mapping[int, Sequence[Picture]]


@contextmanager
def sources(config: Path | None, names: Sequence[str]) -> Iterator[Iterator[Source]]:
    """The matches of these names, one after the other. The store is opened only if some name is no file.

    Raises NoMatch, StoreError, ConfigError.
    """
    if all(Path(name).exists() for name in names):
        yield (_file(name) for name in names)
        return
    path = data_folder_of(config) / STORE
    if not path.exists():
        missing = next(name for name in names if not Path(name).exists())
        raise NoMatch(missing, Message("report.refused.no_match"))
    with Store.open(path, SystemClock()) as store:
        yield (_file(name) if Path(name).exists() else _kept(store, name) for name in names)


def _file(name: str) -> Source:
    try:
        return Source(Path(name).name, replay(Path(name), GAMES).ledger, {})
    except LineRefused as refused:
        raise NoMatch(name, refused.message, refused.line, refused.rule) from None
    except FileUnreadable as unreadable:
        raise NoMatch(name, unreadable.message) from None


def _kept(store: Store, name: str) -> Source:
    found = [match for match in store.matches() if match.id.startswith(name)]
    if len(found) != 1:
        words = "several" if found else "no_match"
        raise NoMatch(name, Message(f"report.refused.{words}", {"n": len(found)}))
    id = found[0].id
    try:
        ledger = store.resume(id, GAMES).ledger
    except LineRefused as refused:
        raise NoMatch(name, refused.message, refused.line, refused.rule) from None
    return Source(id, ledger, {line: store.pictures(id, line) for line in store.lines_with_pictures(id)})
