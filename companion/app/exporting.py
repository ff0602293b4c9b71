"""Writes a match into a file of a folder or stick, out of the screen's way."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from companion.app.papers import Papers, file_name
from companion.games.registry import CHANCES
from companion.journal.codec import file_bytes
from companion.journal.files import write_whole
from companion.journal.store import Store
from companion.language import Language
from companion.table.audit import audit
from companion.table.dice import pictures_of
from companion.table.report import report, report_csv
from companion.table.session import Session

Kind = Literal["pdf", "csv", "jsonl", "zip"]
KINDS: tuple[Kind, ...] = ("pdf", "csv", "jsonl", "zip")
PROGRAM = "tapis-vert"

log = logging.getLogger(__name__)


def named(session: Session, day: str, kind: Kind) -> str:
    """The name of the file that a match becomes."""
    return titled(day, [str(side["name"]) for side in session.header["sides"].values()], kind)


def titled(day: str, names: Sequence[str], kind: Kind) -> str:
    """The name of a file from those of the sides."""
    return file_name(day, " – ".join(names), kind)


def content_of(session: Session, store: Store, kind: Kind, papers: Papers, language: Language) -> Callable[[], bytes]:
    """What makes the file. The store is read at once, in the caller's thread; the rest may be done in another."""
    ledger, match = session.ledger, session.match_id
    if kind == "jsonl":
        return lambda: file_bytes(ledger.header, (entry.fields for entry in ledger.entries))
    kept = {line: store.pictures(match, line) for line in store.lines_with_pictures(match)}
    if kind == "zip":
        made = store.clock.now().isoformat(timespec="seconds")
        return lambda: audit(ledger, kept, match=match, made=made, versions=papers.versions)

    def told() -> Any:
        program = papers.versions.get(PROGRAM, "")
        return report(ledger, CHANCES[ledger.game.id], program, lambda line: pictures_of(kept.get(line, ())))

    if kind == "csv":
        return lambda: report_csv([told()], language, papers.separator)
    return lambda: papers.pdf([told()], language)


def journal_of(store: Store, match_id: str) -> Callable[[], bytes]:
    """A journal as it was written, also one that the rules refuse. Raises StoreError."""
    header, entries = store.header(match_id), store.entries(match_id)
    return lambda: file_bytes(header, (entry.fields for entry in entries))


def write_aside(path: Path, content: Callable[[], bytes], told: Callable[[str | None], None]) -> threading.Thread:
    """Makes and writes the file in a thread; `told` gets the reason why not, or None, in that thread."""

    def work() -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, content())
        except OSError as fault:
            log.warning("not exported: %s", fault)
            told(fault.strerror or str(fault))
        except Exception as fault:
            log.exception("not exported")
            told(type(fault).__name__)
        else:
            told(None)

    thread = threading.Thread(target=work, name="export")
    thread.start()
    return thread


def day_of(at: str | None) -> str:
    """The day of a moment as the journal writes it; today's has no meaning for a match without one."""
    try:
        return f"{datetime.fromisoformat(at).astimezone():%Y-%m-%d}" if at else ""
    except ValueError:
        return ""
