"""Sheets to print from the settings: the game, the kind, and the PDF in the exchange folder."""

from __future__ import annotations

from tests.app.evening import SceneContext
from tests.printing.pdf_text import pages, plain
from tests.screens import whole_after
from tests.screens.scenes import Scene
from tests.screens.scenes_legs import home

MAX_FRAMES = 6000
"""Frames that a slow machine may need to write a sheet."""


async def sheets(evening: SceneContext) -> None:
    """Write a score sheet, a star sheet and a help card of FootClub."""
    table, translate = evening.table, evening.translate
    await home(evening)
    whole_after.furnish(evening)
    await evening.tap("app.home.settings")
    await evening.tap("app.settings.room.data")
    await evening.capture("19-data-sheets")
    game = translate("app.game.footclub")
    for kind in ("score", "stars", "guide"):
        await evening.tap("app.sheets.open")
        await evening.capture("sheets-games")
        await evening.tap("app.game.footclub")
        await evening.capture("sheets-kinds")
        await evening.tap(f"app.sheets.{kind}")
        title = translate(f"sheet.{kind}.title", game=game)
        written = translate("app.report.written", folder="|", file="").split("|")[0]
        await table.until(lambda written=written: any(written in text for text in table.texts()), MAX_FRAMES)
        (file,) = [path for path in evening.folder.rglob("*.pdf") if kind_of(path.read_bytes(), title)]
        assert file.stat().st_size > 0
    await evening.capture("19-sheet-written")
    await evening.tap("app.back")


def kind_of(pdf: bytes, title: str) -> bool:
    """Return True if the PDF has this title."""
    return " ".join(title.split()) in plain(pages(pdf)[0])


SCENES: dict[str, Scene] = {"sheets": sheets}
