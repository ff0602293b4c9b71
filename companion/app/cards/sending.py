"""A table of cards for elsewhere: the sheet that asks where to, and the note that says where it lies."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.app.cards import notes
from companion.app.cards.shelves import exchange
from companion.app.widgets.choosing import Entry, list_sheet
from companion.table.catalogues.columns import Row
from companion.table.catalogues.kinds import Kind

if TYPE_CHECKING:
    from companion.app.app import TapisVertApp


def export_sheet(app: TapisVertApp, name: str, kind: Kind, rows: Sequence[Row], memory: dict[str, Any]) -> None:
    """Asks for the folder or stick, writes a table there in the players' language, leaves a note in `memory`."""

    def send(place: Path) -> None:
        def write() -> None:
            path = exchange(app).export(place, name, kind, rows, app.say)
            notes.leave(memory, app.say("app.exchange.written", file=path.name, folder=place.name or str(place)))

        if notes.attempt(write):
            app.redraw()

    places = exchange(app).places()
    entries = [Entry(place.name or str(place), partial(send, place), str(place)) for place in places]
    app.lay(list_sheet(app.say("app.exchange.where"), entries))
