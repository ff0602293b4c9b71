"""An evening with catalogues, touched for real: tables in and out, cards written, a club built, a market through a cut.

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
from tests.app.evening import Evening, Scene, make_app

PICKS_BEFORE_THE_CUT = 4


def rows_of(evening: Evening, at: int = -1) -> list[Any]:
    """The cards in one of the lists on the screen that can be tapped for something."""
    lists = [widget for widget in evening.table.walk() if type(widget).__name__ == "Listing"]
    rows = [row for row in evening.table.walk(lists[at]) if type(row).__name__ == "ChoiceButton"]
    return [row for row in rows if not row.is_unavailable]


async def to_catalogues(evening: Evening) -> None:
    await evening.tap("app.home.catalogues")
    assert evening.table.app.navigator.back_stack[-1].name == "catalogues"


async def write_cards(evening: Evening) -> None:
    """A sample card is changed, copied, deleted and restored; a fault bars its saving; the search finds it."""
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
    await table.tap(evening.words("footclub.post.fw"))
    await tap("app.done")
    await tap("app.cards.save")
    assert any("FC-1.5" in words for words in table.words()), "two posts without being versatile"
    await tap("app.close")
    await tap("catalogues.column.posts")
    await table.tap(f"2. {evening.words('footclub.post.fw')}")
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
    await table.tap(evening.words("app.cards.forget"))
    assert app.navigator.back_stack[-1].name == "catalogue"
    assert len(card_store(app).load(kind).rows) == 72


async def exchange_tables(evening: Evening) -> None:
    """A table with faults is told row by row; the rest is taken, restored, taken again; it goes out and comes in."""
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
    said = [words for words in table.words() if words.startswith("fautes.csv, ")]
    assert 0 < len(said) <= MAX_LISTED_FAULTS, "thousands of sentences would hold up the screen"
    await tap("app.close")
    await table.tap("mes-cartes.csv")
    assert any("2" in words and "mes-cartes.csv" in words for words in table.words())
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
    await table.tap(folder.name)
    assert (folder / "nba-players.csv").exists()
    await tap("app.cards.sample")
    assert not card_store(app).is_own(kind)
    await tap("app.cards.restore")
    assert len(card_store(app).load(kind).rows) == 9


async def build_a_club(evening: Evening) -> None:
    """A club is filled from the catalogue until the rules ask for nothing more; then it can be chosen for a match."""
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
    assert any("FC-3.2" in words for words in table.words())
    for sort, count in (("footclub.post.am", 2), ("footclub.post.fw", 3)):
        await tap(sort)
        for _ in range(count):
            await table.tap_widget(rows_of(evening)[0])
    assert not any("FC-" in words for words in table.words())
    await tap("app.cards.restore")
    assert any("FC-1.11" in words or "FC-3.2" in words for words in table.words()) or len(squad(app)) == 13
    await table.tap_widget(rows_of(evening)[0])
    assert len(squad(app)) == 14
    await tap("app.back")
    await tap("app.back")
    await tap("app.back")
    await tap("app.home.new")
    await tap("app.game.footclub")
    await tap("app.clubs.squad", evening.words("app.side.blue"))
    await table.tap("Les Essais")
    assert "Les Essais" in table.words()


def squad(app: Any) -> tuple[Any, ...]:
    """The cards of the only club of the players' own."""
    from companion.app.cards.rows import card_store

    return next(club.rows for club in card_store(app).all_clubs() if club.path)


async def deal_until_the_cut(evening: Evening) -> None:
    """A market is begun; after a few picks the power goes."""
    await to_catalogues(evening)
    await evening.tap("app.market.title")
    await evening.tap("app.market.begin")
    await pick(evening, PICKS_BEFORE_THE_CUT)
    os.kill(os.getpid(), signal.SIGKILL)


async def deal_to_the_end(evening: Evening) -> None:
    """The market goes on where it stopped; a pick is undone; at the end there are two clubs that may meet."""
    from companion.app.cards.rows import card_store
    from companion.games.footclub.screens.desk import desk

    table, app, tap = evening.table, evening.table.app, evening.tap
    await to_catalogues(evening)
    await tap("app.market.title")
    deal = desk(app).load()
    assert deal is not None
    assert deal.picks == PICKS_BEFORE_THE_CUT
    await tap("app.market.undo")
    assert desk(app).load().picks == PICKS_BEFORE_THE_CUT - 1
    await pick(evening, 10 - PICKS_BEFORE_THE_CUT + 1)
    assert desk(app).load().finished
    await tap("app.market.save")
    assert app.navigator.back_stack[-1].args["kind"] == CLUBS
    own = [club for club in card_store(app).all_clubs() if club.path]
    assert [(len(club.rows), club.fault) for club in own] == [(17, None), (17, None)]
    assert desk(app).load() is None
    for _ in range(2):
        await tap("app.back")
    await tap("app.home.new")
    await tap("app.game.footclub")
    for side, club in zip(("blue", "red"), own, strict=True):
        await tap("app.clubs.squad", evening.words(f"app.side.{side}"))
        await table.tap(club.name)
    await tap("app.clubs.sheet", own[0].name)
    assert app.navigator.back_stack[-1].name in ("lineup", "clubs")


async def draft_and_give_up(evening: Evening) -> None:
    """Cards of a draft are taken in turns, one is undone; given up, the draft is set aside and another may begin."""
    from companion.games.footclub.screens.desk import desk

    table, app, tap = evening.table, evening.table.app, evening.tap
    await to_catalogues(evening)
    await tap("app.market.title")
    await tap("app.market.way.draft")
    await tap("app.market.begin")
    first = desk(app).load().next
    await tap("app.squad.staff")
    for _ in range(3):
        await table.tap_widget(rows_of(evening)[0])
    assert len(desk(app).load().picks) == 3
    assert desk(app).load().next != first
    await tap("app.market.undo")
    assert len(desk(app).load().picks) == 2
    await table.hold(evening.words("app.market.give_up"))
    assert desk(app).load() is None
    assert table.has(evening.words("app.market.begin"))


async def show_a_card(evening: Evening) -> None:
    """A card's photograph: none to choose, one from the exchange folder, a file that is no picture, the camera's."""
    import cv2
    import numpy as np

    from companion.app.cards.rows import card_store, exchange

    table, app, tap = evening.table, evening.table.app, evening.tap
    kind = KINDS["occasion-players"]
    row = card_store(app).load(kind).rows[0]
    app.open("card", kind=kind.name, identity=kind.identity_of(row))
    await table.frames(4)
    await tap("app.photo.add")
    assert any("exchange" in words for words in table.words())
    await tap("app.close")
    folder = exchange(app).folder
    folder.mkdir(parents=True)
    jpeg = cv2.imencode(".jpg", np.full((40, 30, 3), 90, dtype=np.uint8))[1].tobytes()
    (folder / "carte.jpg").write_bytes(jpeg)
    (folder / "autre.jpg").write_bytes(b"\xff\xd8\xff no picture at all")
    await tap("app.photo.add")
    await table.tap("autre.jpg")
    assert evening.words("app.photo.no_picture") in table.words()
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
    refused = evening.words("app.photo.failed", why=evening.words("system.enodev"))
    await table.until(lambda: refused in table.words())
    assert card_store(app).picture(kind, row).read_bytes() == jpeg + b" "


def unplugged() -> bytes:
    raise OSError(errno.ENODEV, "unplugged")


async def pick(evening: Evening, times: int) -> None:
    """So many market turns: the first of the two players, the first open pair."""
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
    """Plays one scene; 0 if nothing was wrong."""
    from companion.app.app import prepare_window

    prepare_window(driver.SIZES[size])
    app = make_app(Path(folder), language)

    async def play(table: driver.Table) -> None:
        await SCENES[scene](
            Evening(table, lambda id, **args: app.context.translate(id, **args), Path(folder), None, size, [])
        )

    driver.drive(app, play)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
