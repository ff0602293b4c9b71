"""`companion report` and `companion audit`, for a journal file or a stored match by its id or id prefix."""

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
from companion.games.registry import DICE_STATISTICS, GAMES
from companion.journal.codec import FileUnreadable
from companion.journal.database import LineDamaged, StoreError
from companion.journal.ledger import AnyLedger, InvalidLine, replay
from companion.journal.store import Picture, Store
from companion.journal.store_files import STORE_FILE
from companion.language import Language, reason_of
from companion.table.audit import MAX_AUDIT_BYTES, audit, check
from companion.table.dice import pictures_of
from companion.table.report import MatchReport, report, report_csv
from vision.files import FileTooLarge, read_limited, write_atomically
from vision.models import FOLDER as MODELS


class MatchNotFound(Exception):
    """A name that matches no readable match. The exception text starts with the name."""

    def __init__(self, name: str, message: Message, line: int | None = None, rule: str | None = None) -> None:
        super().__init__(f"{name}: {message}")
        self.name, self.message, self.line, self.rule = name, message, line, rule


@dataclass(frozen=True, slots=True)
class MatchSource:
    """A match with the pictures of its lines (none for a file)."""

    id: str
    ledger: AnyLedger
    pictures: Mapping[int, Sequence[Picture]]


@contextmanager
def open_sources(config: Path | None, names: Sequence[str]) -> Iterator[Iterator[MatchSource]]:
    """Open the named matches, one after the other. Opens the store only if a name is not a file.

    Raises: MatchNotFound, StoreError, ConfigError.
    """
    if all(Path(name).exists() for name in names):
        yield (_file_match(name) for name in names)
        return
    path = data_folder_of(config) / STORE_FILE
    if not path.exists():
        missing = next(name for name in names if not Path(name).exists())
        raise MatchNotFound(missing, Message("report.refused.no_match"))
    with Store.open(path, SystemClock()) as store:
        for message in (*store.notices, *([store.lost.message()] if store.lost else [])):
            print(language_of(config).text(message), file=sys.stderr)
        yield (_file_match(name) if Path(name).exists() else _stored_match(store, name) for name in names)


def _file_match(name: str) -> MatchSource:
    try:
        return MatchSource(Path(name).name, replay(Path(name), GAMES).ledger, {})
    except InvalidLine as refused:
        raise MatchNotFound(name, refused.message, refused.line, refused.rule) from None
    except FileUnreadable as unreadable:
        raise MatchNotFound(name, unreadable.message) from None


def _stored_match(store: Store, name: str) -> MatchSource:
    matches = [match for match in store.matches() if match.id.startswith(name)]
    if len(matches) != 1:
        problem = "several" if matches else "no_match"
        raise MatchNotFound(name, Message(f"report.refused.{problem}", {"n": len(matches)}))
    id = matches[0].id
    try:
        ledger = store.resume(id, GAMES).ledger
    except InvalidLine as refused:
        raise MatchNotFound(name, refused.message, refused.line, refused.rule) from None
    except LineDamaged as damage:
        raise MatchNotFound(name, damage.message, damage.line) from None
    return MatchSource(id, ledger, {line: store.pictures(id, line) for line in store.lines_with_pictures(id)})


# Versions of the reader: the program's version, and a SHA-256 prefix for each model.


def reader_versions() -> dict[str, str]:
    """Return the versions by name: `tapis-vert`, and every model of the reader."""
    nets = {path.name: hashlib.sha256(path.read_bytes()).hexdigest()[:16] for path in sorted(MODELS.glob("*.onnx"))}
    return {"tapis-vert": __version__, **nets}


# `companion report` and `companion audit`: a match as PDF, as CSV, or with all its evidence.


def run_report(config: Path | None, names: Sequence[str], pdf: Path | None, csv: Path | None) -> int:
    """Write the reports of the named matches. Returns the exit status: 2 for an unreadable match."""
    language = language_of(config)
    if pdf is None and csv is None:
        return _print_invalid(language("report.refused.no_output"))
    try:
        with open_sources(config, names) as found:
            reports = [report_of(source) for source in found]
    except MatchNotFound as missing:
        return _print_invalid(_error_text(missing, language))
    except StoreError as trouble:
        return _print_failure(language.text(trouble.message))
    outputs: list[tuple[Path, Callable[[], bytes]]] = []
    if pdf is not None:
        outputs.append((pdf, lambda: _pdf(reports, language)))
    if csv is not None:
        outputs.append((csv, lambda: report_csv(reports, language, load_config(config).data.csv)))
    return max(_write(path, content, language) for path, content in outputs)


def report_of(source: MatchSource) -> MatchReport:
    """Return the report of a match."""
    pictures = source.pictures
    chances = DICE_STATISTICS[source.ledger.game.id]
    return report(source.ledger, chances, __version__, lambda line: pictures_of(pictures.get(line, ())))


def run_audit_export(config: Path | None, name: str, out: Path) -> int:
    """Write the audit of a match. Returns the exit status."""
    language = language_of(config)
    try:
        with open_sources(config, [name]) as found:
            source = next(found)
    except MatchNotFound as missing:
        return _print_invalid(_error_text(missing, language))
    except StoreError as trouble:
        return _print_failure(language.text(trouble.message))
    made = SystemClock().now().isoformat(timespec="seconds")
    versions = reader_versions()
    return _write(
        out, lambda: audit(source.ledger, source.pictures, match=source.id, made=made, versions=versions), language
    )


def run_audit_check(config: Path | None, file: Path) -> int:
    """Verify an audit and print one line per fault, with file and line. Returns 0 if it is valid, 2 otherwise."""
    language = language_of(config)
    try:
        raw = read_limited(file, MAX_AUDIT_BYTES)
    except FileTooLarge:
        return _print_invalid(language("report.audit.large", file=file, most=MAX_AUDIT_BYTES // 10**6))
    except OSError as fault:
        return _print_invalid(language("report.not_read", file=file, reason=reason_of(fault)))
    checked = check(raw, GAMES)
    for wrong in checked.faults:
        place = "".join((f"!{wrong.file}" if wrong.file else "", f":{wrong.line}" if wrong.line else ""))
        print(f"{file}{place}: {language.text(wrong.message)}", file=sys.stderr)
    if checked.faults:
        return REFUSED
    print(
        language(
            "report.audit.good",
            match=checked.match,
            made=checked.made,
            n=checked.event_count,
            pictures=checked.picture_count,
        )
    )
    if checked.purged_count:
        print(language("report.audit.purged", n=checked.purged_count))
    if checked.versions.get("tapis-vert") != __version__:
        print(language("report.audit.other_program", made=checked.versions.get("tapis-vert", "?"), now=__version__))
    return DONE


def _pdf(reports: Sequence[MatchReport], language: Language) -> bytes:
    from companion.printing.report import report_pdf  # slow import, needed only here

    return report_pdf(reports, language)


def _write(path: Path, content: Callable[[], bytes], language: Language) -> int:
    try:
        write_atomically(path, content())
    except OSError as fault:
        return _print_failure(language("report.not_written", file=path, reason=reason_of(fault)))
    print(path, file=sys.stderr)
    return DONE


def _error_text(not_found: MatchNotFound, language: Language) -> str:
    if not_found.line is None:
        return f"{not_found.name}: {language.text(not_found.message)}"
    rule = "" if not_found.rule is None else f"{not_found.rule}: "
    return f"{not_found.name}:{not_found.line}: {rule}{language.text(not_found.message)}"


def _print_invalid(sentence: str) -> int:
    print(sentence, file=sys.stderr)
    return REFUSED


def _print_failure(sentence: str) -> int:
    print(sentence, file=sys.stderr)
    return FAILED
