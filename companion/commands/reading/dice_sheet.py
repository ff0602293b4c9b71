"""`companion dice-sheet`: the stickers of a dice set as a PDF."""

from __future__ import annotations

import sys
from pathlib import Path

from companion.commands.settings import language_of
from companion.games.nba.tables import PROPOSED_FACES
from companion.journal.files import write_whole
from companion.language import LANGUAGES, Language
from companion.printing.dice_sheet import dice_sheet
from vision import dice_sets

DONE, FAILED, REFUSED = 0, 1, 2


def run_dice_sheet(config: Path | None, name: str, out: Path, size: float, copies: int, language: str | None) -> int:
    """Writes the sheet of the set `name` to `out`, in the configuration's language if None. Returns the exit status."""
    if language is not None and language not in LANGUAGES:
        return _refused(f"unknown language {language!r}; known: {', '.join(LANGUAGES)}")
    try:
        dice_set = dice_sets.load(name)
    except dice_sets.DiceSetError as error:
        return _refused(str(error))
    try:
        words = language_of(config) if language is None else Language(language)
        sheet = dice_sheet(dice_set, words, size, copies, PROPOSED_FACES)
    except ValueError as error:
        return _refused(f"{name}: {error}")
    try:
        write_whole(out, sheet)
    except OSError as error:
        print(f"{out}: cannot be written: {error.strerror}", file=sys.stderr)
        return FAILED
    print(out, file=sys.stderr)
    return DONE


def _refused(sentence: str) -> int:
    print(sentence, file=sys.stderr)
    return REFUSED
