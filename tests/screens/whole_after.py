"""The actions after a match, by touch: report, statistics and files, then all other pages."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from companion.app.start_trouble import StartTrouble
from companion.games.registry import SPECS
from companion.table.history import headline_of, score_of
from tests.app.evening import SceneContext
from tests.printing.pdf_text import pages, plain
from tests.screens.scenes import starting
from tests.screens.scenes_tournament import attached
from tests.screens.scenes_trouble import FAULTS
from tests.screens.staged_hub import StagedHub, cup
from tests.screens.whole_log import home

SETTINGS = ("sound", "dice", "seats", "tournament", "data", "screen", "house")
MAX_FRAMES = 6000
"""Frames that a slow machine may need to compute or to write."""


def furnish(evening: SceneContext) -> None:
    """Inject the services that `companion run` provides: export targets, exporters, and part diagnostics."""
    from companion.commands.make_platform import export_config, make_platform

    app = evening.table.app
    app.export_config = export_config(evening.folder, "auto")
    diagnose = make_platform(evening.folder, frozenset({"camera"}), False, evening.folder / "config.toml").diagnose
    app.idle_monitor.platform = replace(app.idle_monitor.platform, diagnose=diagnose, export_config=app.export_config)


async def report(evening: SceneContext, session: Any) -> None:
    """Go from the end of a match to its picture and report: line-ups, statistics, timeline, files with the result."""
    await evening.tap("app.end.picture")
    await evening.table.seconds(0.3)
    await evening.tap("app.back")
    await evening.tap("app.report.open")
    await evening.table.seconds(0.3)
    await evening.capture(f"21-whole-{session.game.id}")
    if SPECS[session.game.id].line_up(session.state):  # hoops21 has none
        await evening.tap("app.report.line_ups")
        await evening.tap("app.close")
    await statistics(evening, session)
    await timeline(evening)
    for kind, holds in (("pdf", pdf_holds), ("csv", csv_holds)):
        await evening.tap("app.report.export")
        await evening.table.tap(evening.translate(f"app.report.kind.{kind}"))
        holds(evening, session, await written(evening, kind))
    await home(evening)


async def statistics(evening: SceneContext, session: Any) -> None:
    """Open every tab, and the next measure of luck if there are several."""
    table = evening.table
    await evening.tap("app.report.statistics")
    for tab in ("luck", "dice", "score"):
        if not table.has(evening.translate(f"app.statistics.{tab}")):  # a game without dice has no such tab
            continue
        await evening.tap(f"app.statistics.{tab}")
        await table.until(lambda: evening.translate("app.statistics.counting") not in table.texts(), MAX_FRAMES)
        if table.has(evening.translate("app.statistics.next")):
            await evening.tap("app.statistics.next")
    await evening.capture(f"22-whole-{session.game.id}")
    await evening.tap("app.back")


async def timeline(evening: SceneContext) -> None:
    """Open the read-only timeline from a report."""
    table = evening.table
    await evening.tap("app.report.timeline")
    await table.frames(4)
    lines = [tap for tap in table.taps() if type(tap).__name__ == "TimelineEventRow"]
    await table.tap_widget(lines[len(lines) // 2])
    for word in ("correct", "correct_dice", "undo_last"):
        assert not table.has(evening.translate(f"app.timeline.{word}")), (
            f"{word} can be touched in a match looked back at"
        )
    await evening.tap("app.back")


async def written(evening: SceneContext, kind: str) -> Path:
    """Return the exported file of that kind, once the app reports it."""
    folder = evening.folder / "exchange"
    await evening.table.until(lambda: any(folder.glob(f"*.{kind}")), MAX_FRAMES)
    (file,) = folder.glob(f"*.{kind}")
    message = evening.translate("app.report.written", folder=folder.name, file=file.name)
    await evening.table.until(lambda: message in evening.table.texts(), MAX_FRAMES)
    return file


def csv_holds(evening: SceneContext, session: Any, file: Path) -> None:
    """Check that the result row has the sides and their points, and that every valid event has a row."""
    text = file.read_bytes().decode("utf-8-sig")
    separator = ";" if evening.table.app.preferences.language == "fr" else ","
    rows = list(csv.DictReader(io.StringIO(text), delimiter=separator))
    (result,) = [
        row for row in rows if row[evening.translate("report.csv.part")] == evening.translate("report.part.result")
    ]
    score = score_of(session.game, session.state)
    for number, (side, side_header) in enumerate(session.header["sides"].items(), 1):
        assert side_header["name"] in result[evening.translate("report.csv.match")]
        assert result[evening.translate("report.csv.score", number=number)] == str(score[side])
    parts = {evening.translate("report.part.roll"), evening.translate("report.part.fact")}
    facts = [row for row in rows if row[evening.translate("report.csv.part")] in parts]
    assert len(facts) >= len(session.ledger.events)


def pdf_holds(evening: SceneContext, session: Any, file: Path) -> None:
    """Check that the first page has the sides, their points and the game's description of the end."""
    first = plain(pages(file.read_bytes())[0])
    score = score_of(session.game, session.state)
    for side, side_header in session.header["sides"].items():
        assert plain(side_header["name"]) in first, first
        assert str(score[side]) in first.split(), first
    headline = headline_of(session.game, session.state)
    assert headline is not None
    assert plain(evening.table.app.text(headline.text)) in first, first


async def look_back(evening: SceneContext, session: Any) -> None:
    """Find the match among the saved ones, open its report again, and check that the records count it.

    Then open the page of its first side and what can be changed there.
    """
    table = evening.table
    await evening.tap("app.home.look_back")
    rows = partial(touchable, evening, "MatchRow")
    await table.until(rows)
    score = " – ".join(str(points) for points in score_of(session.game, session.state).values())
    assert score in table.texts()
    await evening.capture(f"20-whole-{session.game.id}")
    await table.tap_widget(rows()[0])
    await timeline(evening)
    await evening.tap("app.back")
    await evening.tap("app.history.open")
    await table.until(lambda: table.has(evening.translate("app.history.people")), MAX_FRAMES)
    first = next(iter(session.header["sides"].values()))["name"]
    assert any(first in text for text in table.texts())
    await table.tap_widget(starting(evening, first))
    await table.until(lambda: table.has(evening.translate("app.profile.edit")), MAX_FRAMES)
    await evening.tap("app.profile.edit")
    await evening.tap("app.back")
    await evening.tap("app.back")
    await evening.tap("app.history.people")
    await table.until(lambda: table.has(evening.translate("app.history.people")), MAX_FRAMES)
    await evening.capture(f"23-whole-{session.game.id}")
    await home(evening)


async def house_rooms(evening: SceneContext) -> None:
    """Open the settings, the setup assistant, the calibration, and the diagnostic with one part opened."""
    table = evening.table
    await evening.tap("app.home.settings")
    for section in SETTINGS:
        await evening.tap(f"app.settings.room.{section}")
    await evening.tap("app.settings.first_steps")
    await evening.tap("app.welcome.next")
    await evening.tap("app.welcome.later")
    await home(evening)
    await evening.tap("app.home.calibration")
    await evening.tap("app.back")
    await evening.tap("app.home.diagnostic")
    parts = partial(touchable, evening, "PartTile")
    await table.until(parts, MAX_FRAMES)
    await table.tap_widget(parts()[0])
    await home(evening)
    await warned(evening)


async def warned(evening: SceneContext) -> None:
    """Read at home that the settings have faults, open the page about it, and leave it."""
    app = evening.table.app
    platform = app.idle_monitor.platform
    trouble = StartTrouble(FAULTS, None, lambda: None, lambda: None)
    app.idle_monitor.platform = replace(platform, start_trouble=trouble)
    app.redraw()
    await evening.table.frames(3)
    await evening.tap("app.trouble.settings")
    await evening.tap("app.trouble.home")
    app.idle_monitor.platform = platform
    app.redraw()
    await evening.table.frames(3)


async def tournament(evening: SceneContext) -> None:
    """Open the tournament page from home, at a table that takes part in one."""
    app = evening.table.app
    follower, original_platform = app.tournament_follower, app.idle_monitor.platform
    attached(evening, StagedHub(cup()))
    app.redraw()
    await evening.table.frames(3)
    await evening.tap("app.tournament.table_step", n=3, step=evening.translate("app.tournament.step.ready"))
    await evening.capture("17-whole")
    await evening.tap("app.table.menu")
    await evening.tap("app.table.menu_home")
    app.tournament_follower, app.idle_monitor.platform = follower, original_platform
    app.redraw()
    await evening.table.frames(3)


async def catalogues(evening: SceneContext, kind: str | None = None) -> None:
    """Open the list of catalogues, the import page, and a card of one catalogue."""
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


async def clubs(evening: SceneContext) -> None:
    """Open a club in its builder and one of its cards; start a market, pick, undo, and give up."""
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
    await table.hold(evening.translate("app.market.give_up"))
    assert table.has(evening.translate("app.market.begin"))
    await home(evening)


def touchable(evening: SceneContext, kind: str) -> list[Any]:
    """Return the tappable widgets of a class in screen order; barred ones are excluded."""
    taps = [tap for tap in evening.table.taps() if type(tap).__name__ == kind]
    return [tap for tap in taps if not getattr(tap, "is_unavailable", False)]
