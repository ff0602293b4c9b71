"""Matches named on the command line: a journal file, or a match of this table by its id or the beginning of it."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from companion import __version__
from companion.clock import SystemClock
from companion.commands.exit_codes import DONE, FAILED, REFUSED
from companion.commands.settings import data_folder_of, language_of
from companion.config import load_config
from companion.games.base import Message
from companion.games.registry import CHANCES, GAMES
from companion.journal.codec import FileUnreadable
from companion.journal.database import StoreError
from companion.journal.files import write_whole
from companion.journal.ledger import AnyLedger, LineRefused, replay
from companion.journal.store import Picture, Store
from companion.language import Language
from companion.table.audit import audit, check
from companion.table.dice import pictures_of
from companion.table.report import MatchReport, report, report_csv
from vision.models import FOLDER as MODELS

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


# What reads and reckons here: the program's version and the start of each net's SHA-256.


def reader_versions() -> dict[str, str]:
    """The versions by name: `tapis-vert`, and every net of the reader."""
    nets = {path.name: hashlib.sha256(path.read_bytes()).hexdigest()[:16] for path in sorted(MODELS.glob("*.onnx"))}
    return {"tapis-vert": __version__, **nets}


# `companion report` and `companion audit`: a match on paper, for a spreadsheet, or with all its evidence.


def run_report(config: Path | None, names: Sequence[str], pdf: Path | None, csv: Path | None) -> int:
    """Writes the reports of the matches named. Returns the exit status: 2 for a match that cannot be read."""
    say = language_of(config)
    if pdf is None and csv is None:
        return _refused(say("report.refused.no_output"))
    try:
        with sources(config, names) as found:
            reports = [told(source) for source in found]
    except NoMatch as missing:
        return _refused(_sentence(missing, say))
    except StoreError as trouble:
        return _failed(say.text(trouble.message))
    made: list[tuple[Path, Callable[[], bytes]]] = []
    if pdf is not None:
        made.append((pdf, lambda: _pdf(reports, say)))
    if csv is not None:
        made.append((csv, lambda: report_csv(reports, say, load_config(config).data.csv)))
    return max(_write(path, content, say) for path, content in made)


def told(source: Source) -> MatchReport:
    """The report of a match that was found."""
    kept = source.pictures
    chances = CHANCES[source.ledger.game.id]
    return report(source.ledger, chances, __version__, lambda line: pictures_of(kept.get(line, ())))


def run_audit_export(config: Path | None, name: str, out: Path) -> int:
    """Writes the audit of a match. Returns the exit status."""
    say = language_of(config)
    try:
        with sources(config, [name]) as found:
            source = next(found)
    except NoMatch as missing:
        return _refused(_sentence(missing, say))
    except StoreError as trouble:
        return _failed(say.text(trouble.message))
    made = SystemClock().now().isoformat(timespec="seconds")
    versions = reader_versions()
    return _write(
        out, lambda: audit(source.ledger, source.pictures, match=source.id, made=made, versions=versions), say
    )


def run_audit_check(config: Path | None, file: Path) -> int:
    """Checks an audit: one line a fault, naming file and line within. Returns 0 for a good one, 2 otherwise."""
    say = language_of(config)
    try:
        raw = file.read_bytes()
    except OSError as fault:
        return _refused(say("report.not_read", file=file, reason=fault.strerror))
    checked = check(raw, GAMES)
    for wrong in checked.faults:
        place = "".join((f"!{wrong.file}" if wrong.file else "", f":{wrong.line}" if wrong.line else ""))
        print(f"{file}{place}: {say.text(wrong.message)}", file=sys.stderr)
    if checked.faults:
        return REFUSED
    print(say("report.audit.good", match=checked.match, made=checked.made, n=checked.facts, pictures=checked.pictures))
    if checked.purged:
        print(say("report.audit.purged", n=checked.purged))
    if checked.versions.get("tapis-vert") != __version__:
        print(say("report.audit.other_program", made=checked.versions.get("tapis-vert", "?"), now=__version__))
    return DONE


def _pdf(reports: Sequence[MatchReport], say: Language) -> bytes:
    from companion.printing.report import report_pdf  # slow to import, and needed here only

    return report_pdf(reports, say)


def _write(path: Path, content: Callable[[], bytes], say: Language) -> int:
    try:
        write_whole(path, content())
    except OSError as fault:
        return _failed(say("report.not_written", file=path, reason=fault.strerror))
    print(path, file=sys.stderr)
    return DONE


def _sentence(missing: NoMatch, say: Language) -> str:
    if missing.line is None:
        return f"{missing.name}: {say.text(missing.message)}"
    return f"{missing.name}:{missing.line}: {missing.rule}: {say.text(missing.message)}"


def _refused(sentence: str) -> int:
    print(sentence, file=sys.stderr)
    return REFUSED


def _failed(sentence: str) -> int:
    print(sentence, file=sys.stderr)
    return FAILED
