"""`companion card-sheet --calibration`: the card that tells the camera the light's colour, as a PDF."""

from __future__ import annotations

import sys
from pathlib import Path

from companion.commands.settings import language_of
from companion.journal.files import write_whole
from companion.language import LANGUAGES, Language
from companion.printing.calibration_card import calibration_card

DONE, FAILED, REFUSED = 0, 1, 2


def run_card_sheet(config: Path | None, calibration: bool, out: Path, language: str | None) -> int:
    """Writes the card's sheet to `out`, in the configuration's language if None. Returns the exit status."""
    if language is not None and language not in LANGUAGES:
        print(f"unknown language {language!r}; known: {', '.join(LANGUAGES)}", file=sys.stderr)
        return REFUSED
    words = language_of(config) if language is None else Language(language)
    if not calibration:
        print(words("cli.card_sheet.which"), file=sys.stderr)
        return REFUSED
    try:
        write_whole(out, calibration_card(words))
    except OSError as error:
        print(f"{out}: cannot be written: {error.strerror}", file=sys.stderr)
        return FAILED
    print(out, file=sys.stderr)
    return DONE
