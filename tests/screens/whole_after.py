"""What players do when a match is over: its report, statistics and files, then every other room, all by touch."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from companion.table.history import headline_of, score_of
from tests.app.evening import Evening
from tests.printing.pdf_text import pages, plain
from tests.screens.scenes_tournament import attached
from tests.screens.staged_hub import StagedHub, cup
from tests.screens.whole_log import home

SETTINGS = ("sound", "dice", "seats", "tournament", "data", "screen", "house")
SLOW = 6000
"""Frames that a slow machine may take to count or to write."""


def furnish(evening: Evening) -> None:
    """What `companion run` hands the app: where files go and who writes them, and a look at every part."""
    from companion.commands.make_platform import export_config, make_platform

    app = evening.table.app
    app.export_config = export_config(evening.folder, "auto")
    diagnose = make_platform(evening.folder, frozenset({"camera"}), False, evening.folder / "config.toml").diagnose
    app.idle_monitor.platform = replace(app.idle_monitor.platform, diagnose=diagnose, export_config=app.export_config)


async def report(evening: Evening, session: Any) -> None:
    """From the end of a match to its report: line-ups, statistics, timeline, its files with the result in them."""
    await evening.tap("app.report.open")
    await evening.table.seconds(0.3)
    await evening.look(f"21-whole-{session.game.id}")
    await evening.tap("app.report.line_ups")
    await evening.tap("app.close")
    await statistics(evening, session)
    await timeline(evening)
    for kind, holds in (("pdf", pdf_holds), ("csv", csv_holds)):
        await evening.tap("app.report.export")
        await evening.table.tap(evening.words(f"app.report.kind.{kind}"))
        holds(evening, session, await written(evening, kind))
    await home(evening)


async def statistics(evening: Evening, session: Any) -> None:
    """Every tab, and the next measure of luck where there are several."""
    table = evening.table
    await evening.tap("app.report.statistics")
    for tab in ("luck", "dice", "score"):
        await evening.tap(f"app.statistics.{tab}")
        await table.until(lambda: evening.words("app.statistics.counting") not in table.words(), SLOW)
        if table.has(evening.words("app.statistics.next")):
            await evening.tap("app.statistics.next")
    await evening.look(f"22-whole-{session.game.id}")
    await evening.tap("app.back")


async def timeline(evening: Evening) -> None:
    """From a report the timeline can be looked at and nothing more."""
    table = evening.table
    await evening.tap("app.report.timeline")
    await table.frames(4)
    lines = [tap for tap in table.taps() if type(tap).__name__ == "TimelineEventRow"]
    await table.tap_widget(lines[len(lines) // 2])
    for word in ("correct", "correct_dice", "undo_last"):
        assert not table.has(evening.words(f"app.timeline.{word}")), f"{word} can be touched in a match looked back at"
    await evening.tap("app.back")


async def written(evening: Evening, kind: str) -> Path:
    """The file of that kind in the exchange folder, once the players are told that it is there."""
    folder = evening.folder / "exchange"
    await evening.table.until(lambda: any(folder.glob(f"*.{kind}")), SLOW)
    (file,) = folder.glob(f"*.{kind}")
    said = evening.words("app.report.written", folder=folder.name, file=file.name)
    await evening.table.until(lambda: said in evening.table.words(), SLOW)
    return file


def csv_holds(evening: Evening, session: Any, file: Path) -> None:
    """The row of the result names the sides and has the points of each; every fact that stands has a row."""
    text = file.read_bytes().decode("utf-8-sig")
    separator = ";" if evening.table.app.preferences.language == "fr" else ","
    rows = list(csv.DictReader(io.StringIO(text), delimiter=separator))
    (result,) = [row for row in rows if row[evening.words("report.csv.part")] == evening.words("report.part.result")]
    score = score_of(session.game, session.state)
    for number, (side, told) in enumerate(session.header["sides"].items(), 1):
        assert told["name"] in result[evening.words("report.csv.match")]
        assert result[evening.words("report.csv.score", number=number)] == str(score[side])
    parts = {evening.words("report.part.roll"), evening.words("report.part.fact")}
    facts = [row for row in rows if row[evening.words("report.csv.part")] in parts]
    assert len(facts) >= len(session.ledger.events)


def pdf_holds(evening: Evening, session: Any, file: Path) -> None:
    """The first page names the sides, the points of each and what the game says of the end."""
    first = plain(pages(file.read_bytes())[0])
    score = score_of(session.game, session.state)
    for side, told in session.header["sides"].items():
        assert plain(told["name"]) in first, first
        assert str(score[side]) in first.split(), first
    said = headline_of(session.game, session.state)
    assert said is not None
    assert plain(evening.table.app.text(said.text)) in first, first


async def look_back(evening: Evening, session: Any) -> None:
    """The match is found among those kept, its report again, and the records count it."""
    table = evening.table
    await evening.tap("app.home.look_back")
    rows = partial(touchable, evening, "MatchRow")
    await table.until(rows)
    score = " – ".join(str(points) for points in score_of(session.game, session.state).values())
    assert score in table.words()
    await evening.look(f"20-whole-{session.game.id}")
    await table.tap_widget(rows()[0])
    await timeline(evening)
    await evening.tap("app.back")
    await evening.tap("app.history.open")
    await table.until(lambda: table.has(evening.words("app.history.people")), SLOW)
    first = next(iter(session.header["sides"].values()))["name"]
    assert any(first in words for words in table.words())
    await evening.tap("app.history.people")
    await table.until(lambda: table.has(evening.words("app.history.people")), SLOW)
    await evening.look(f"23-whole-{session.game.id}")
    await home(evening)


async def house_rooms(evening: Evening) -> None:
    """Settings and the questions of a first start, the camera's set-up, the diagnostic; a part opened."""
    table = evening.table
    await evening.tap("app.home.settings")
    for room in SETTINGS:
        await evening.tap(f"app.settings.room.{room}")
    await evening.tap("app.settings.first_steps")
    await evening.tap("app.welcome.next")
    await evening.tap("app.welcome.later")
    await home(evening)
    await evening.tap("app.home.calibration")
    await evening.tap("app.back")
    await evening.tap("app.home.diagnostic")
    parts = partial(touchable, evening, "PartTile")
    await table.until(parts, SLOW)
    await table.tap_widget(parts()[0])
    await home(evening)


async def tournament(evening: Evening) -> None:
    """The table takes part in one: home leads to its page."""
    app = evening.table.app
    kiosk, house = app.tournament_follower, app.idle_monitor.platform
    attached(evening, StagedHub(cup()))
    app.redraw()
    await evening.table.frames(3)
    await evening.tap("app.tournament.title")
    await evening.look("17-whole")
    await evening.tap("app.table.menu")
    await evening.tap("app.table.menu_home")
    app.tournament_follower, app.idle_monitor.platform = kiosk, house
    app.redraw()
    await evening.table.frames(3)


async def catalogues(evening: Evening, kind: str | None = None) -> None:
    """The room of all catalogues, the tables from elsewhere, and a card of one catalogue."""
    table = evening.table
    await evening.tap("app.home.catalogues")
    await evening.tap("app.exchange.import")
    await evening.tap("app.back")
    if kind is not None:
        await evening.tap(f"catalogues.kind.{kind}")
        await table.frames(8)
        while table.app.navigator.back_stack[-1].name == "catalogue":
            await table.tap_widget(touchable(evening, "ChoiceButton")[0])
        assert table.app.navigator.back_stack[-1].name == "card"
    await home(evening)


async def clubs(evening: Evening) -> None:
    """A club in its builder and one of its cards; a market begun, a pick made and taken back, given up."""
    table, tap = evening.table, evening.tap
    await tap("app.home.catalogues")
    await tap("catalogues.kind.footclub-clubs")
    await table.frames(8)
    await table.tap_widget(touchable(evening, "ChoiceButton")[0])
    assert table.app.navigator.back_stack[-1].name == "squad"
    await table.frames(8)
    await table.tap_widget(touchable(evening, "ChoiceButton")[0])
    await tap("app.squad.edit")
    assert table.app.navigator.back_stack[-1].name == "card"
    for _ in range(3):
        await tap("app.back")
    await tap("app.market.title")
    await tap("app.market.begin")
    column = next(widget for widget in table.walk() if type(widget).__name__ == "MarketTable")
    for what in ("take", "pair"):
        await table.tap_widget(next(tile for kind, _, tile in column._tiles if kind == what))
    await tap("app.market.undo")
    await table.hold(evening.words("app.market.give_up"))
    assert table.has(evening.words("app.market.begin"))
    await home(evening)


def touchable(evening: Evening, kind: str) -> list[Any]:
    """What can be touched now of a class of widgets, in its order on the screen; barred ones are left out."""
    taps = [tap for tap in evening.table.taps() if type(tap).__name__ == kind]
    return [tap for tap in taps if not getattr(tap, "is_unavailable", False)]
