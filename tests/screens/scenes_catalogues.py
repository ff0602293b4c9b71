"""Scenes of clubs and cards: catalogues, card form, import and export of tables, squads, market and draft."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from random import Random
from typing import Any

import cv2
import numpy as np

from companion.app.cards.rows import card_store, exchange
from companion.games.footclub import draft, mercato
from companion.games.footclub.catalogues import TEAM
from companion.games.footclub.screens.selection_store import selection_store
from companion.table.catalogues.card_store import sample
from companion.table.catalogues.csv_tables import CLUBS, KINDS, format_table
from tests.app.evening import SceneContext

Scene = Callable[[SceneContext], Awaitable[None]]
LONG = "Maximilien-Alexandre de Saint-Symphorien"


async def fresh(evening: SceneContext, page: str, **args: Any) -> None:
    """Open a page from home with an empty memory."""
    app = evening.table.app
    app.navigator.go_home()
    app.open(page, **args)
    await evening.table.frames(4)


async def rooms(evening: SceneContext) -> None:
    """The list of catalogues, and each catalogue."""
    await fresh(evening, "catalogues")
    await evening.capture("20-catalogues")
    for kind in KINDS.values():
        await fresh(evening, "catalogue", kind=kind.name)
        await evening.capture(f"20-list-{kind.name}")
    await fresh(evening, "catalogue", kind="occasion-chances", group="contre")
    await evening.capture("20-list-zones")


async def forms(evening: SceneContext) -> None:
    """The form of a card of every kind, with and without faults, and its sheets."""
    app, table = evening.table.app, evening.table
    for kind in KINDS.values():
        if kind.name == CLUBS:
            continue
        row = sample(kind).rows[-1]
        await fresh(evening, "card", kind=kind.name, identity=kind.identity_of(row))
        await evening.capture(f"21-card-{kind.name}")
    coach = next(row for row in sample(TEAM).rows if row["sort"] == "coach")
    await fresh(evening, "card", kind=TEAM.name, identity=TEAM.identity_of(coach))
    await evening.capture("21-card-coach")
    app.navigator.page.memory.update(row={**coach, "style.tactical": 9, "id": "", "name": LONG * 2}, touched=True)
    app.redraw()
    await evening.capture("21-card-faults")
    await evening.tap("app.cards.save")
    await evening.capture("21-card-refused")
    await evening.tap("app.close")
    app.back()
    await table.rest()
    await evening.capture("21-card-unsaved")
    row = sample(TEAM).rows[3]
    await fresh(evening, "card", kind=TEAM.name, identity=TEAM.identity_of(row))
    for column in ("posts", "strength", "name"):
        label = evening.translate(f"catalogues.column.{column}")
        await table.tap_widget(next(tap for tap in table.taps() if tap.spoken_name().startswith(label)))
        await evening.capture(f"21-sheet-{column}")
        await evening.tap("app.close")
    picture = np.full((300, 200, 3), (60, 120, 90), dtype=np.uint8)
    cv2.circle(picture, (100, 120), 60, (200, 220, 240), -1)
    card_store(app).save_picture(TEAM, row, cv2.imencode(".jpg", picture)[1].tobytes())
    app.redraw()
    app.navigator.page.ids.scroller.scroll_y = 0
    await evening.capture("21-card-photo")


async def tables(evening: SceneContext) -> None:
    """Files in the exchange folder: none, valid ones, one with faults; the imported rows, and the way back."""
    app, table = evening.table.app, evening.table
    await fresh(evening, "exchange")
    await evening.capture("22-exchange-empty")
    folder = exchange(app).folder
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "cartes.csv").write_bytes(format_table(TEAM, sample(TEAM).rows[:30], app.translate, ";"))
    spoilt = (
        format_table(TEAM, sample(TEAM).rows[:20]).replace(b",4,", b",quatre,").replace(b"sort,", b"sorte de carte,")
    )
    (folder / "fautes.csv").write_bytes(spoilt.replace(b"technical", b"tecnique", 3))
    (folder / "club.toml").write_text('name = "Fautif"\nplayrs = []\n')
    app.redraw()
    await evening.capture("22-exchange")
    for name in ("cartes.csv", "fautes.csv", "club.toml"):
        await table.tap(name)
        await evening.capture(f"22-read-{name.partition('.')[0]}")
        await evening.tap("app.close")
    await table.tap("fautes.csv")
    await evening.tap("app.exchange.add_rest")
    await evening.capture("22-taken")
    await fresh(evening, "catalogue", kind=TEAM.name)
    await evening.capture("22-own")
    await evening.tap("app.exchange.export")
    await evening.capture("22-where")
    await evening.tap("app.report.place.table")
    await evening.capture("22-written")
    with card_store(app).path(TEAM).open("ab") as file:
        file.write(b"player,x1,,nine,fb,technical,,,,,,,,,\r\nplayer,,,3,,,,,,,,,,,\r\n")
    await fresh(evening, "catalogue", kind=TEAM.name)
    await evening.table.tap(evening.translate("app.catalogues.faults", n=4))
    await evening.capture("22-own-faults")


def offered(evening: SceneContext) -> list[Any]:
    """Return the catalogue cards that a club can take, as shown on the squad builder page."""
    lists = [widget for widget in evening.table.walk() if type(widget).__name__ == "Listing"]
    rows = [row for row in evening.table.walk(lists[-1]) if type(row).__name__ == "ChoiceButton"]
    return [row for row in rows if not row.is_unavailable]


async def squads(evening: SceneContext) -> None:
    """A club started, filled and complete; a sample opened; one removed."""
    app, table = evening.table.app, evening.table
    if card_store(app).is_own(TEAM):
        card_store(app).restore_sample(TEAM)
    await fresh(evening, "squad", kind=CLUBS, club="Étoile de Villefranche-de-Rouergue", new=True)
    await evening.capture("23-squad-new")
    if app.portrait:
        app.navigator.page.memory["side"] = "pool"
        app.redraw()
    for _ in range(5):
        await table.tap_widget(offered(evening)[1])
    await evening.capture("23-squad-begun")
    await fresh(evening, "catalogue", kind=CLUBS)
    await evening.capture("23-clubs-unfinished")
    await fresh(evening, "squad", kind=CLUBS, club="Valcendre")
    await evening.capture("23-squad-sample")
    await table.tap_widget(next(tap for tap in table.taps() if type(tap).__name__ == "ChoiceButton"))
    await evening.capture("23-squad-card")


async def market(evening: SceneContext) -> None:
    """The market and the draft: before, during and after."""
    app, table = evening.table.app, evening.table
    rows, names = sample(TEAM).rows, ("Étoile de Villefranche", "Port-Mélian")
    selection_store(app).clear()
    await fresh(evening, "market")
    await evening.capture("24-market-begin")
    await evening.tap("app.market.way.draft")
    await evening.capture("24-draft-begin")
    selection = mercato.open_market(rows, names, Random(3))
    for picks in (0, 5, 10):
        while selection.picks < picks:
            selection = selection.pick(selection.revealed[0], selection.pairs[0])
        selection_store(app).save(selection)
        await fresh(evening, "market")
        await evening.capture(f"24-market-{picks}")
        if picks == 5:
            tile = next(tap for tap in table.taps() if type(tap).__name__ == "ChoiceButton")
            await table.tap_widget(tile)
            await evening.capture("24-market-half")
    other = draft.start_draft(rows, names)
    for _ in range(9):
        other = other.pick(next(row["id"] for row in other.left if other.disabled_reason(row) is None))
    selection_store(app).save(other)
    await fresh(evening, "market")
    await evening.capture("24-draft")
    selection_store(app).clear()


SCENES: dict[str, Scene] = {
    "cards_rooms": rooms,
    "cards_forms": forms,
    "cards_tables": tables,
    "cards_squads": squads,
    "cards_market": market,
}
