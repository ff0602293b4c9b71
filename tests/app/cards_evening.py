"""Scenarios with catalogues by real touches: table import and export, card editing, a club, a market across a power
cut.

Run as `python -m tests.app.cards_evening SCENE FOLDER SIZE LANGUAGE`.
"""

from __future__ import annotations

import errno
import os
import signal
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from companion.table.catalogues.csv_tables import CLUBS, KINDS, format_table
from tests.app import driver
from tests.app.evening import Scene, SceneContext, make_app

PICKS_BEFORE_THE_CUT = 4


def rows_of(evening: SceneContext, at: int = -1) -> list[Any]:
    """Return the tappable cards in one of the lists on the screen."""
    lists = [widget for widget in evening.table.walk() if type(widget).__name__ == "Listing"]
    rows = [row for row in evening.table.walk(lists[at]) if type(row).__name__ == "ChoiceButton"]
    return [row for row in rows if not row.is_unavailable]


async def to_catalogues(evening: SceneContext) -> None:
    await evening.tap("app.home.catalogues")
    assert evening.table.app.navigator.back_stack[-1].name == "catalogues"


async def write_cards(evening: SceneContext) -> None:
    """Change, copy, delete and restore a sample card; a fault disables saving; the search finds the card."""
    from companion.app.cards.rows import card_store

    table, app, tap = evening.table, evening.table.app, evening.tap
    kind = KINDS["footclub-team"]
    await to_catalogues(evening)
    await tap("catalogues.kind.footclub-team")
    table.type_over("Tolvan")
    await table.frames(6)
    assert len(rows_of(evening)) == 1
    await table.tap_widget(rows_of(evening)[0])
    await tap("catalogues.column.name")
    table.type_over("Régis Tolvanec")
    await tap("app.done")
    plus = next(one for one in table.taps() if one.spoken_name().startswith("+"))
    await table.tap_widget(plus)
    await tap("catalogues.column.posts")
    await table.tap(evening.translate("footclub.post.fw"))
    await tap("app.done")
    await tap("app.cards.save")
    assert any("FC-1.5" in text for text in table.texts()), "two posts without being versatile"
    await tap("app.close")
    await tap("catalogues.column.posts")
    await table.tap(f"2. {evening.translate('footclub.post.fw')}")
    await tap("app.done")
    await tap("app.cards.save")
    kept = {row["id"]: row for row in card_store(app).load(kind).rows}
    assert (kept["mb-tolvan"]["name"], kept["mb-tolvan"]["level"]) == ("Régis Tolvanec", 4)
    assert len(kept) == 72
    await table.tap_widget(rows_of(evening)[0])
    await tap("app.cards.delete")
    assert len(card_store(app).load(kind).rows) == 71
    await tap("app.cards.restore")
    assert {row["id"]: row for row in card_store(app).load(kind).rows} == kept
    await tap("app.cards.add")
    assert app.navigator.back_stack[-1].name == "card"
    await tap("catalogues.column.name")
    table.type_over("Nouveau")
    await tap("app.done")
    await tap("app.back")
    await table.tap(evening.translate("app.cards.forget"))
    assert app.navigator.back_stack[-1].name == "catalogue"
    assert len(card_store(app).load(kind).rows) == 72


async def exchange_tables(evening: SceneContext) -> None:
    """Import a table with faults: faulty rows are reported, the rest is imported, undone, imported again; then
    export."""
    from companion.app.cards.rows import card_store, exchange
    from companion.app.screens.catalogues import MAX_LISTED_FAULTS
    from companion.table.catalogues.card_store import sample

    table, app, tap = evening.table, evening.table.app, evening.tap
    kind = KINDS["nba-players"]
    folder = exchange(app).folder
    folder.mkdir(parents=True)
    rows = [{**row, "name": f"{row.get('name', '')} B", "id": f"n-{row['id']}"} for row in sample(kind).rows[:10]]
    (folder / "mes-cartes.csv").write_bytes(
        format_table(kind, rows, app.translate, ";").replace(b"n-", b"fatigue;x", 1)
    )
    await to_catalogues(evening)
    faulty = [{"id": f"p{number}"} for number in range(600)]
    (folder / "fautes.csv").write_bytes(format_table(kind, faulty, app.translate, ";"))
    await tap("app.exchange.import")
    await table.tap("fautes.csv")
    messages = [text for text in table.texts() if text.startswith("fautes.csv, ")]
    assert 0 < len(messages) <= MAX_LISTED_FAULTS, "thousands of sentences would hold up the screen"
    await tap("app.close")
    await table.tap("mes-cartes.csv")
    assert any("2" in text and "mes-cartes.csv" in text for text in table.texts())
    await tap("app.exchange.add_rest")
    assert len(card_store(app).load(kind).rows) == 9
    await tap("app.cards.restore")
    assert not card_store(app).is_own(kind)
    await table.tap("mes-cartes.csv")
    await tap("app.exchange.replace")
    assert card_store(app).is_own(kind)
    await tap("app.back")
    app.open("catalogue", kind=kind.name)
    await table.frames(4)
    await tap("app.exchange.export")
    await tap("app.report.place.table")
    assert (folder / "nba-players.csv").exists()
    await tap("app.cards.sample")
    assert not card_store(app).is_own(kind)
    await tap("app.cards.restore")
    assert len(card_store(app).load(kind).rows) == 9


async def build_a_club(evening: SceneContext) -> None:
    """Fill a club from the catalogue until the rules are met; then it can be chosen for a match."""
    table, app, tap = evening.table, evening.table.app, evening.tap
    await to_catalogues(evening)
    await tap("catalogues.kind.footclub-clubs")
    await tap("app.cards.add")
    table.type_over("Les Essais")
    await tap("app.done")
    for sort, count in (
        ("app.squad.staff", 2),
        ("footclub.post.cb", 3),
        ("footclub.post.fb", 2),
        ("footclub.post.dm", 2),
    ):
        await tap(sort)
        for _ in range(count):
            await table.tap_widget(rows_of(evening)[0])
    assert any("FC-3.2" in text for text in table.texts())
    for sort, count in (("footclub.post.am", 2), ("footclub.post.fw", 3)):
        await tap(sort)
        for _ in range(count):
            await table.tap_widget(rows_of(evening)[0])
    assert not any("FC-" in text for text in table.texts())
    await tap("app.cards.restore")
    assert any("FC-1.11" in text or "FC-3.2" in text for text in table.texts()) or len(squad(app)) == 13
    await table.tap_widget(rows_of(evening)[0])
    assert len(squad(app)) == 14
    await tap("app.back")
    await tap("app.back")
    await tap("app.back")
    await tap("app.home.new")
    await tap("app.game.footclub")
    await tap("app.clubs.squad", evening.translate("app.side.blue"))
    await table.tap("Les Essais")
    assert "Les Essais" in table.texts()


def squad(app: Any) -> tuple[Any, ...]:
    """Return the cards of the players' only own club."""
    from companion.app.cards.rows import card_store

    return next(club.rows for club in card_store(app).all_clubs() if club.path)


async def deal_until_the_cut(evening: SceneContext) -> None:
    """Start a market and cut the power after a few picks."""
    await to_catalogues(evening)
    await evening.tap("app.market.title")
    await evening.tap("app.market.begin")
    await pick(evening, PICKS_BEFORE_THE_CUT)
    os.kill(os.getpid(), signal.SIGKILL)


async def deal_to_the_end(evening: SceneContext) -> None:
    """Resume the market, undo a pick, and finish with two clubs that may play each other."""
    from companion.app.cards.rows import card_store
    from companion.games.footclub.screens.selection_store import selection_store

    table, app, tap = evening.table, evening.table.app, evening.tap
    await to_catalogues(evening)
    await tap("app.market.title")
    selection = selection_store(app).load()
    assert selection is not None
    assert selection.picks == PICKS_BEFORE_THE_CUT
    await tap("app.market.undo")
    assert selection_store(app).load().picks == PICKS_BEFORE_THE_CUT - 1
    await pick(evening, 10 - PICKS_BEFORE_THE_CUT + 1)
    assert selection_store(app).load().finished
    await tap("app.market.save")
    assert app.navigator.back_stack[-1].args["kind"] == CLUBS
    own = [club for club in card_store(app).all_clubs() if club.path]
    assert [(len(club.rows), club.fault) for club in own] == [(17, None), (17, None)]
    assert selection_store(app).load() is None
    for _ in range(2):
        await tap("app.back")
    await tap("app.home.new")
    await tap("app.game.footclub")
    for side, club in zip(("blue", "red"), own, strict=True):
        await tap("app.clubs.squad", evening.translate(f"app.side.{side}"))
        await table.tap(club.name)
    await tap("app.clubs.sheet", own[0].name)
    assert app.navigator.back_stack[-1].name in ("lineup", "clubs")


async def draft_and_give_up(evening: SceneContext) -> None:
    """Pick cards in turns and undo one; an abandoned draft is archived and another may start."""
    from companion.games.footclub.screens.selection_store import selection_store

    table, app, tap = evening.table, evening.table.app, evening.tap
    await to_catalogues(evening)
    await tap("app.market.title")
    await tap("app.market.way.draft")
    await tap("app.market.begin")
    first = selection_store(app).load().next
    await tap("app.squad.staff")
    for _ in range(3):
        await table.tap_widget(rows_of(evening)[0])
    assert len(selection_store(app).load().picks) == 3
    assert selection_store(app).load().next != first
    await tap("app.market.undo")
    assert len(selection_store(app).load().picks) == 2
    await table.hold(evening.translate("app.market.give_up"))
    assert selection_store(app).load() is None
    assert table.has(evening.translate("app.market.begin"))


async def show_a_card(evening: SceneContext) -> None:
    """Set a card's photo: no file to choose, one from the exchange folder, an invalid file, the camera's."""
    import cv2
    import numpy as np

    from companion.app.cards.rows import card_store, exchange
    from tests.picture_bombs import restated_jpeg

    table, app, tap = evening.table, evening.table.app, evening.tap
    kind = KINDS["occasion-players"]
    row = card_store(app).load(kind).rows[0]
    app.open("card", kind=kind.name, identity=kind.identity_of(row))
    await table.frames(4)
    await tap("app.photo.add")
    assert any("exchange" in text for text in table.texts())
    await tap("app.close")
    folder = exchange(app).folder
    folder.mkdir(parents=True)
    jpeg = cv2.imencode(".jpg", np.full((40, 30, 3), 90, dtype=np.uint8))[1].tobytes()
    (folder / "carte.jpg").write_bytes(jpeg)
    (folder / "autre.jpg").write_bytes(b"\xff\xd8\xff no picture at all")
    (folder / "grande.jpg").write_bytes(restated_jpeg(jpeg, 30_000, 30_000))
    await tap("app.photo.add")
    await table.tap("autre.jpg")
    assert evening.translate("app.photo.no_picture") in table.texts()
    await tap("app.close")
    await tap("app.photo.add")
    await table.tap("grande.jpg")
    assert evening.translate("app.photo.large", megapixels=16, megabytes=12) in table.texts()
    await tap("app.close")
    await tap("app.photo.add")
    await table.tap("carte.jpg")
    assert card_store(app).picture(kind, row).read_bytes() == jpeg
    app.idle_monitor.platform = replace(app.idle_monitor.platform, take_photo=lambda: jpeg + b" ")
    await tap("app.photo.change")
    await tap("app.photo.take")
    await table.until(lambda: card_store(app).picture(kind, row).read_bytes() == jpeg + b" ")
    app.idle_monitor.platform = replace(app.idle_monitor.platform, take_photo=unplugged)
    await tap("app.photo.change")
    await tap("app.photo.take")
    refused = evening.translate("app.photo.failed", why=evening.translate("system.enodev"))
    await table.until(lambda: refused in table.texts())
    assert card_store(app).picture(kind, row).read_bytes() == jpeg + b" "


def unplugged() -> bytes:
    raise OSError(errno.ENODEV, "unplugged")


async def pick(evening: SceneContext, times: int) -> None:
    """Play `times` market turns: the first of the two players, the first open pair."""
    table = evening.table
    for _ in range(times):
        tiles = [tap for tap in table.taps() if type(tap).__name__ == "ChoiceButton"]
        await table.tap_widget(tiles[0])
        await table.tap_widget(tiles[2])


SCENES: dict[str, Scene] = {
    "write": write_cards,
    "exchange": exchange_tables,
    "build": build_a_club,
    "cut": deal_until_the_cut,
    "deal": deal_to_the_end,
    "draft": draft_and_give_up,
    "photo": show_a_card,
}


def main(scene: str, folder: str, size: str, language: str) -> int:
    """Play one scene and return 0 if there were no faults."""
    from companion.app.app import prepare_window

    prepare_window(driver.SIZES[size])
    app = make_app(Path(folder), language)

    async def play(table: driver.AppDriver) -> None:
        await SCENES[scene](
            SceneContext(table, lambda id, **args: app.context.translate(id, **args), Path(folder), None, size, [])
        )

    driver.drive(app, play)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
