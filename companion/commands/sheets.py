"""Writes printable sheets: stickers for dice, cards that the camera knows."""

from __future__ import annotations

import sys
from pathlib import Path

from companion.commands.exit_codes import DONE, FAILED, REFUSED
from companion.commands.settings import language_of
from companion.games.registry import SPECS
from companion.journal.files import write_atomically
from companion.language import LANGUAGES, Language
from companion.printing.sheets import calibration_card, dice_sheet
from vision import dice_sets


def run_card_sheet(config: Path | None, calibration: bool, out: Path, language: str | None) -> int:
    """Writes the card's sheet to `out`, in the configuration's language if None. Returns the exit status."""
    if language is not None and language not in LANGUAGES:
        print(f"unknown language {language!r}; known: {', '.join(LANGUAGES)}", file=sys.stderr)
        return REFUSED
    translate = language_of(config) if language is None else Language(language)
    if not calibration:
        print(translate("cli.card_sheet.which"), file=sys.stderr)
        return REFUSED
    try:
        write_atomically(out, calibration_card(translate))
    except OSError as error:
        print(f"{out}: cannot be written: {error.strerror}", file=sys.stderr)
        return FAILED
    print(out, file=sys.stderr)
    return DONE


# `companion dice-sheet`: the stickers of a dice set as a PDF.


def run_dice_sheet(config: Path | None, name: str, out: Path, size: float, copies: int, language: str | None) -> int:
    """Writes the sheet of the set `name` to `out`, in the configuration's language if None. Returns the exit status."""
    if language is not None and language not in LANGUAGES:
        return _print_refusal(f"unknown language {language!r}; known: {', '.join(LANGUAGES)}")
    try:
        dice_set = dice_sets.load(name)
    except dice_sets.DiceSetError as error:
        return _print_refusal(str(error))
    try:
        translate = language_of(config) if language is None else Language(language)
        proposed = {kind: faces for spec in SPECS.values() for kind, faces in spec.proposed_faces.items()}
        sheet = dice_sheet(dice_set, translate, size, copies, proposed)
    except ValueError as error:
        return _print_refusal(f"{name}: {error}")
    try:
        write_atomically(out, sheet)
    except OSError as error:
        print(f"{out}: cannot be written: {error.strerror}", file=sys.stderr)
        return FAILED
    print(out, file=sys.stderr)
    return DONE


def _print_refusal(sentence: str) -> int:
    print(sentence, file=sys.stderr)
    return REFUSED
