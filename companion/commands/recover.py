"""`companion recover`: what can be read of damaged matches, event by event, into a new file."""

from __future__ import annotations

import sys
from pathlib import Path

from companion.commands.exit_codes import DONE, FAILED, REFUSED
from companion.commands.settings import data_folder_of, language_of
from companion.games.base import Message
from companion.journal.database import StoreError, StoreForeign
from companion.journal.recovery import RecoveredMatch, Recovery, recover_in_place, recover_to
from companion.journal.store_files import STORE_FILE
from companion.language import Language


def run_recover(chosen: Path | None, file: Path | None, out: Path | None) -> int:
    """Recover the matches of this table or of a file. Without `out` they replace it, and it is set aside whole.

    Prints a sentence for each damaged match. Returns the exit status: 2 for a file that is no store, or an existing
    `out`.
    """
    language = language_of(chosen)
    path = data_folder_of(chosen) / STORE_FILE if file is None else file
    if not path.is_file():
        return _print_status(language("cli.recover.nothing", file=path), FAILED)
    if out is not None and out.exists():
        return _print_status(language("cli.recover.exists", file=out), REFUSED)
    aside: Path | None = None
    try:
        if out is None:
            recovery, aside = recover_in_place(path)
        else:
            recovery = recover_to(path, out)
    except StoreForeign as refused:
        return _print_status(language.text(refused.message), REFUSED)
    except StoreError as trouble:
        return _print_status(language.text(trouble.message), FAILED)
    _print_recovery(language, recovery, path if out is None else out)
    if aside is not None:
        print(language("cli.recover.aside", file=aside), file=sys.stderr)
    return DONE


def _print_recovery(language: Language, recovery: Recovery, file: Path) -> None:
    for match in recovery.matches:
        if not match.is_whole:
            print(language.text(_match_message(match)), file=sys.stderr)
    if recovery.homeless:
        print(language("cli.recover.homeless", n=recovery.homeless), file=sys.stderr)
    if recovery.lost is not None:
        print(language.text(recovery.lost.message()), file=sys.stderr)
    lines = sum(match.lines for match in recovery.matches)
    print(language("cli.recover.done", file=file, n=len(recovery.matches), lines=lines), file=sys.stderr)


def _match_message(match: RecoveredMatch) -> Message:
    """Return what was recovered of a damaged match, and what was not."""
    id = "cli.recover.match" if match.header_fits else "cli.recover.no_header"
    numbers = {"lines": match.lines, "missing": match.missing, "changed": match.changed}
    return Message(id, {"names": match.names or match.id[:8], "day": match.day, **numbers})


def _print_status(sentence: str, status: int) -> int:
    print(sentence, file=sys.stderr)
    return status
