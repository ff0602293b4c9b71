"""The sheets that choose a score sheet, a star sheet or a help card, and write it as PDF to a folder or USB drive."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from kivy.clock import Clock

from companion.app.display import translate
from companion.app.platform import ExportConfig, SheetWriter, file_name, folder_label
from companion.app.screens.report import write_in_background, written_text
from companion.app.widgets.sheet import SheetEntry, list_sheet
from companion.games.base import Message

if TYPE_CHECKING:
    from companion.app.context import AppContext

StatusCallback = Callable[[str], None]
"""Receives a sentence on the progress."""
ICONS = {"score": "list", "stars": "star", "guide": "help"}


def show_games_sheet(app: AppContext, on_status: StatusCallback) -> None:
    """Ask for the game, then for the kind of sheet and the target."""
    config = app.export_config
    if config is None or config.sheets is None:
        return
    entries = [
        SheetEntry(translate(f"app.game.{game}"), partial(_show_kinds, app, config, config.sheets, game, on_status))
        for game in app.matches.games
        if config.sheets.kinds(game)
    ]
    app.show_sheet(list_sheet(translate("app.sheets.which_game"), entries))


def _show_kinds(
    app: AppContext, config: ExportConfig, sheets: SheetWriter, game: str, on_status: StatusCallback
) -> None:
    """Ask for the kind of sheet, and the target if there are several."""
    places = config.list_folders()
    entries = []
    for place in places:
        where = folder_label(place, places[0], translate)
        for kind in sheets.kinds(game):
            path = place / _name(game, kind)
            write = partial(_write, path, partial(sheets.pdf, game, kind, app.translate), on_status)
            detail = where if len(places) > 1 else translate(f"app.sheets.{kind}.detail")
            entries.append(SheetEntry(translate(f"app.sheets.{kind}"), write, detail, ICONS[kind]))
    app.show_sheet(list_sheet(translate(f"app.game.{game}"), entries))


def _name(game: str, kind: str) -> str:
    return file_name("", translate(f"sheet.{kind}.title", game=translate(f"app.game.{game}")), "pdf")


def _write(path: Path, content: Callable[[], bytes], on_status: StatusCallback) -> None:
    on_status(translate("app.report.writing", file=path.name))

    def done(reason: Message | None) -> None:
        Clock.schedule_once(lambda *_: on_status(written_text(path, reason)))

    write_in_background(path, content, done)
