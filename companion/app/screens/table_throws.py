"""Many dice at once on the table: places for both sides' throws, a race without places, dice told by their numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kivy.app import App
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.app.asks.tell import MANY, counted_rows
from companion.app.figures.slots import SlotGrid
from companion.app.figures.words import text
from companion.app.widgets.text import Head, Text
from companion.games.base import Awaits
from companion.games.figures import Throws
from companion.table.dice import DiceDesk

if TYPE_CHECKING:
    from companion.app.screens.table import TablePage
    from companion.app.screens.table_centre import Centre


def by_the_dozen(awaits: Awaits) -> bool:
    """Whether the dice awaited are too many for a row, or thrown in a race, or some of those that lie there."""
    return _without_places(awaits) or sum(await_.count for await_ in awaits.dice) > MANY


def _without_places(awaits: Awaits) -> bool:
    return any(await_.apart or await_.staying for await_ in awaits.dice)


def add_dice(centre: Centre, page: TablePage, awaits: Awaits, titled: bool) -> None:
    """What is awaited, a place for every die, and the tray; of a race the tray alone, as large as there is room."""
    desk = page.session.dice
    upright = App.get_running_app().portrait
    if desk.notice is not None:
        centre.add(Head(text(desk.notice), kind="bouton", tone="laiton", halign="left"), spare=2)
    elif titled:
        centre.add(Head(text(awaits.title), kind="titre", tone="laiton", halign="left", leading=0.95), spare=4)
        if awaits.detail is not None:
            centre.add(Text(text(awaits.detail), tone="craie2", halign="left"), spare=6)
    if _without_places(awaits):
        beside = sum(len(one.rows) for one in page.session.scene().figures if isinstance(one, Throws))
        low = 84 if beside > 1 else 100
        _add_tray(centre, desk, dp(low + (10 if beside else 80) if upright else low))
        return
    slots = desk.slots()
    missing = any(slot.face for slot in slots) and not all(slot.face for slot in slots)
    grid = SlotGrid(slots, page.sides(), 38 if upright else 32, missing, pos_hint={"center_y": 0.5})
    row = BoxLayout(size_hint_y=None, height=max(grid.height, dp(72)), spacing=dp(12))
    row.add_widget(grid)
    if desk.camera is not None:
        tray = centre.tray(0)
        tray.size_hint_x = 1
        row.add_widget(tray)
    centre.add(row)


def _add_tray(centre: Centre, desk: DiceDesk, height: float) -> None:
    if desk.camera is None or not desk.camera.present:
        return
    tray = centre.tray(0)
    tray.size_hint_x, tray.size_hint_y, tray.height = 1, None, height
    centre.add(tray)


def add_told(centre: Centre, page: TablePage, awaits: Awaits) -> None:
    """The faces of every kind with a count each."""
    told = counted_rows(page.session, awaits.dice, page.enter_dice)
    told.size_hint_y, told.height = None, told.tall
    centre.add(told)
