"""Commands for printable sheets: dice stickers, the calibration card, and the sheets of a game."""

from __future__ import annotations

import sys
from pathlib import Path

from companion.commands.exit_codes import DONE, FAILED, REFUSED
from companion.commands.settings import language_of
from companion.games.registry import SPECS
from companion.language import LANGUAGES, Language, reason_of
from companion.printing.play_sheets import play_sheet, sheets_of
from companion.printing.sheets import MAX_COPIES, MAX_STICKER_MM, MIN_STICKER_MM, calibration_card, dice_sheet
from vision import dice_sets
from vision.drawing.design import ArtworkError
from vision.files import write_atomically


def run_card_sheet(config: Path | None, calibration: bool, out: Path, language: str | None) -> int:
    """Write the card's sheet to `out`, in the configured language if None. Returns the exit status."""
    terminal = language_of(config)
    if language is not None and language not in LANGUAGES:
        return _print_refusal(_unknown_language(terminal, language))
    translate = terminal if language is None else Language(language)
    if not calibration:
        return _print_refusal(terminal("cli.card_sheet.which"))
    return _write(out, calibration_card(translate), terminal)


# `companion dice-sheet`: the stickers of a dice set as a PDF.


def run_dice_sheet(config: Path | None, name: str, out: Path, size: float, copies: int, language: str | None) -> int:
    """Write the sheet of the set `name` to `out`, in the configured language if None. Returns the exit status."""
    terminal = language_of(config)
    if language is not None and language not in LANGUAGES:
        return _print_refusal(_unknown_language(terminal, language))
    if not MIN_STICKER_MM <= size <= MAX_STICKER_MM:
        return _print_refusal(terminal("cli.dice_sheet.size", least=MIN_STICKER_MM, most=MAX_STICKER_MM, size=size))
    if not 1 <= copies <= MAX_COPIES:
        return _print_refusal(terminal("cli.dice_sheet.copies", most=MAX_COPIES, copies=copies))
    try:
        dice_set = dice_sets.load(name)
        translate = terminal if language is None else Language(language)
        proposed = {kind: faces for spec in SPECS.values() for kind, faces in spec.proposed_faces.items()}
        sheet = dice_sheet(dice_set, translate, size, copies, proposed)
    except dice_sets.DiceSetError as error:
        return _print_refusal(terminal.text(error.message))
    except ArtworkError as error:
        return _print_refusal(f"{name}: {terminal.text(error.message)}")
    return _write(out, sheet, terminal)


# `companion play-sheet`: score sheets, star sheets and help cards.


def run_play_sheet(config: Path | None, game: str, kind: str, out: Path, language: str | None) -> int:
    """Write a sheet of a game to `out`, in the configured language if None. Returns the exit status."""
    terminal = language_of(config)
    if language is not None and language not in LANGUAGES:
        return _print_refusal(_unknown_language(terminal, language))
    if game not in SPECS:
        return _print_refusal(terminal("cli.play_sheet.game", name=game, known=", ".join(SPECS)))
    spec, translate = SPECS[game], terminal if language is None else Language(language)
    known = {str(each): each for each in sheets_of(spec)}
    if kind not in known:
        return _print_refusal(terminal("cli.play_sheet.kind", name=kind, game=game, known=", ".join(known)))
    return _write(out, play_sheet(spec, known[kind], translate), terminal)


def _write(out: Path, content: bytes, terminal: Language) -> int:
    try:
        write_atomically(out, content)
    except OSError as error:
        print(terminal("cli.not_written", file=out, reason=reason_of(error)), file=sys.stderr)
        return FAILED
    print(out, file=sys.stderr)
    return DONE


def _unknown_language(terminal: Language, named: str) -> str:
    return terminal("cli.unknown_language", name=named, known=", ".join(LANGUAGES))


def _print_refusal(sentence: str) -> int:
    print(sentence, file=sys.stderr)
    return REFUSED
