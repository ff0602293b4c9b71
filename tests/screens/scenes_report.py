"""Scenes of the review pages: saved matches, one match, its timeline, statistics, line-ups, export, records."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from companion.app.display import text
from companion.app.platform import ExportConfig
from companion.games.registry import GAMES
from companion.printing.report import report_pdf
from companion.table.autoplay import play
from companion.table.board import match_figures
from companion.table.report import score_course
from tests.app.evening import SceneContext
from tests.screens import stage
from tests.screens.scenes import open_table, watched

Scene = Callable[["SceneContext"], Awaitable[None]]

KICK_OFF = datetime(2026, 3, 14, 20, 0, tzinfo=UTC)
SEEDS = {"footclub": (1, 7), "nba": (3, 5), "hoops21": (3,), "occasion": (3,)}
"""Seeds of the saved matches; the second NBA match has three sides."""


def keep_matches(app: Any, long: bool = False) -> None:
    """Save finished matches of all games to the store, one with extremely long names."""
    for game, seeds in SEEDS.items():
        for seed in seeds:
            header, *events = play(GAMES[game], Random(seed))
            timed = [
                {**event, "at": (KICK_OFF + timedelta(seconds=20 * at)).isoformat(), "by": "touch"}
                for at, event in enumerate(events)
            ]
            if long:
                for side, name in zip(header["sides"].values(), stage.LONG_NAMES, strict=False):
                    side["name"] = name
            app.matches.store.create(header, timed, ended=True)


def hand_in(evening: SceneContext) -> None:
    """Inject the export services that `companion run` provides."""
    folder = evening.folder / "exchange"
    evening.table.app.export_config = ExportConfig(report_pdf, lambda: [folder], {"tapis-vert": "9.9"})


async def look_back(evening: SceneContext) -> None:
    """Empty list, then six matches of all games; then of one game only."""
    table, app = evening.table, evening.table.app
    await opened(evening, "matches")
    await evening.capture("20-matches-empty")
    await evening.tap("app.back")
    keep_matches(app)
    await opened(evening, "matches")
    await wait_for_rows(evening, 6)
    await evening.capture("20-matches")
    if not table.has(evening.translate("app.matches.game.nba")):
        await evening.tap("app.matches.all")
        await evening.capture("20-matches-which")
    await table.tap(evening.translate("app.matches.game.nba"))
    await wait_for_rows(evening, 2)
    await evening.capture("20-matches-nba")
    app.navigator.go_home()


async def opened(evening: SceneContext, name: str, **args: Any) -> None:
    """Open a page and wait until it is shown."""
    evening.table.app.open(name, **args)
    await evening.table.frames(6)


async def wait_for_rows(evening: SceneContext, count: int) -> None:
    """Wait until `count` matches are listed."""
    rows = evening.table.app.navigator.page.ids.rows
    await evening.table.until(lambda: len(rows.children) == count)


async def one_match(evening: SceneContext) -> None:
    """For each game: the match page, statistics, line-ups, and the read-only timeline."""
    app = evening.table.app
    hand_in(evening)
    if not any(match.is_finished for match in app.matches.recent()):
        keep_matches(app)
    for match in app.matches.recent():
        await opened(evening, "report", match=match, session=app.matches.resume(match.match_id))
        name = f"{match.game_id}-{len(match.names)}"
        await evening.table.seconds(0.2)
        await evening.capture(f"21-report-{name}")
        if evening.table.has(evening.translate("app.report.line_ups")):
            await evening.tap("app.report.line_ups")
            await evening.capture(f"21-line-ups-{name}")
            await evening.tap("app.close")
        await evening.tap("app.report.statistics")
        await wait_for_statistics(evening)
        await evening.capture(f"22-score-{name}")
        for tab in ("sides", "luck", "dice"):
            if not evening.table.has(evening.translate(f"app.statistics.{tab}")):
                assert match.game_id == "occasion", "only a game without dice has no luck and no dice to show"
                continue
            await evening.tap(f"app.statistics.{tab}")
            await wait_for_statistics(evening)
            await evening.capture(f"22-{tab}-{name}")
            if tab == "sides":
                counts = match_figures(app.navigator.page.session.ledger).rows
                missing = [row.label for row in counts if text(row.label) not in evening.table.texts()]
                assert not missing, f"counts of the final board that the statistics lack: {missing}"
        app.navigator.go_home()
        session = app.matches.resume(match.match_id)
        await opened(evening, "timeline", session=session, read_only=True)
        await evening.capture(f"12-read-only-{name}")
        scored = score_course(session.ledger).changes
        app.navigator.page.show_line(scored[-1].line if scored else session.ledger.events[-1].line)
        await evening.capture(f"12-scored-{name}")
        app.navigator.go_home()


async def wait_for_statistics(evening: SceneContext) -> None:
    """Wait until the statistics are there."""
    counting_text = evening.translate("app.statistics.counting")
    await evening.table.until(lambda: counting_text not in evening.table.texts())


async def pictured(evening: SceneContext) -> None:
    """A running match with the picture of a roll behind its line; a picture deleted to save space."""
    app, table = evening.table.app, evening.table
    hand_in(evening)
    reader = watched()
    session = await open_table(evening, "duel", reader)
    reader.throw((stage.die_at(5, 110, 120), stage.die_at(6, 400, 60)))
    await table.frames(8)
    thrown = next(standing.line for standing in reversed(session.ledger.events) if standing.fields["event"] == "roll")
    app.navigator.go_home()
    match = next(each for each in app.matches.recent() if each.match_id == session.match_id)
    await opened(evening, "report", match=match, session=session)
    await evening.capture("21-report-going")
    await evening.tap("app.report.timeline")
    app.navigator.page.pick(thrown)
    await evening.capture("12-read-only-picture")
    app.matches.store.purge_pictures()
    app.navigator.page.pick(thrown)
    await evening.capture("12-read-only-purged")
    assert evening.translate("app.timeline.purged") in table.texts()
    app.navigator.go_home()


async def ended(evening: SceneContext) -> None:
    """A finished match: its report is one tap away from the table."""
    app = evening.table.app
    hand_in(evening)
    await open_table(evening, "finished")
    await evening.capture("04-ended")
    await evening.tap("app.report.open")
    await evening.table.seconds(0.3)
    await evening.capture("21-report-ended")
    assert not evening.table.has(evening.translate("app.report.remove")), "nothing is removed straight from the table"
    app.navigator.go_home()


async def broken(evening: SceneContext) -> None:
    """A journal that breaks a rule is reported with the reason; it can be resumed up to the broken line or removed."""
    app, table = evening.table.app, evening.table
    hand_in(evening)
    header, *events = play(GAMES["footclub"], Random(1))
    broken = app.matches.store.create(header, [*events[:20], {"event": "dance"}])
    await opened(evening, "matches")
    await table.until(lambda: any("dance" in text for text in table.texts()))
    await evening.capture("20-matches-broken")
    match = next(each for each in app.matches.recent() if each.match_id == broken)
    assert match.last_good_line == 21
    await table.tap_widget(next(tap for tap in table.taps() if type(tap).__name__ == "MatchRow"))
    await evening.capture("21-report-broken")
    assert table.has(evening.translate("app.home.resume_until"))
    await evening.tap("app.report.journal")
    await table.until(lambda: any(evening.folder.glob("exchange/*.jsonl")))
    (written,) = evening.folder.glob("exchange/*.jsonl")
    assert b"dance" in written.read_bytes().splitlines()[21]
    written.unlink()
    await table.hold(evening.translate("app.report.remove"))
    await table.frames(4)
    assert broken not in [each.match_id for each in app.matches.recent()]
    app.navigator.go_home()


async def damaged(evening: SceneContext) -> None:
    """A damaged match is in the list and can be looked at up to the damage. Without its header it has no names."""
    app, table = evening.table.app, evening.table
    hand_in(evening)
    store = app.matches.store
    header, *events = play(GAMES["footclub"], Random(1))
    changed, headless = store.create(header, events[:30]), store.create(header, events[:3])
    change = "UPDATE entries SET fields = replace(fields, 'event', 'EVENT') WHERE match = ? AND seq = 21"
    store._connection.execute(change, (changed,))
    store._connection.execute("UPDATE matches SET header = '?' WHERE id = ?", (headless,))
    await opened(evening, "matches")
    await table.until(lambda: evening.translate("app.matches.damaged") in table.texts())
    await evening.capture("20-matches-damaged")
    rows = [tap for tap in table.taps() if type(tap).__name__ == "MatchRow"]
    await table.tap_widget(rows[1])
    await table.seconds(0.3)
    await evening.capture("21-report-damaged")
    assert table.has(evening.translate("app.report.timeline"))
    rest = evening.translate("table.resume_trouble", reason="|").partition("|")[0]
    assert any(text.startswith(rest) for text in table.texts())
    for match in (changed, headless):
        store._connection.execute("DELETE FROM entries WHERE match = ?", (match,))
        store._connection.execute("DELETE FROM matches WHERE id = ?", (match,))
    app.navigator.go_home()


async def exported(evening: SceneContext) -> None:
    """Export all four files to the exchange folder."""
    app, table = evening.table.app, evening.table
    hand_in(evening)
    if not any(match.is_finished for match in app.matches.recent()):
        keep_matches(app)
    match = next(each for each in app.matches.recent() if each.is_finished)
    await opened(evening, "report", match=match, session=app.matches.resume(match.match_id))
    for kind in ("pdf", "csv", "jsonl", "zip"):
        await evening.tap("app.report.export")
        if kind == "pdf":
            await evening.capture("21-export")
        await table.tap(evening.translate(f"app.report.kind.{kind}"))
        await table.until(lambda kind=kind: any(evening.folder.glob(f"exchange/*.{kind}")))
    await table.frames(4)
    await evening.capture("21-exported")
    app.navigator.go_home()


async def removed(evening: SceneContext) -> None:
    """Remove a match by a held button, and restore it."""
    app, table = evening.table.app, evening.table
    if not any(match.is_finished for match in app.matches.recent()):
        keep_matches(app)
    before = [match.match_id for match in app.matches.recent()]
    match = next(each for each in app.matches.recent() if each.is_finished)
    await opened(evening, "matches")
    await wait_for_rows(evening, len(before))
    await opened(evening, "report", match=match, session=app.matches.resume(match.match_id))
    await evening.tap("app.report.remove")
    assert [each.match_id for each in app.matches.recent()] == before, "a short touch removes nothing"
    await table.hold(evening.translate("app.report.remove"))
    await wait_for_rows(evening, len(before) - 1)
    await evening.capture("20-removed")
    await evening.tap("app.matches.restore")
    await wait_for_rows(evening, len(before))
    assert [each.match_id for each in app.matches.recent()] == before
    app.navigator.go_home()


async def records(evening: SceneContext) -> None:
    """Teams and players over all matches; the page of a team; no records yet."""
    app, table = evening.table.app, evening.table
    await opened(evening, "history")
    await table.frames(6)
    await evening.capture("23-records-empty") if not app.matches.recent() else None
    app.navigator.go_home()
    if not any(match.is_finished for match in app.matches.recent()):
        keep_matches(app)
    await opened(evening, "history")
    await table.until(lambda: table.has(evening.translate("app.history.clubs")), frames=3000)
    await evening.capture("23-records")
    await table.tap_widget(next(tap for tap in table.taps() if getattr(tap, "end", "") == "right"))
    await table.until(lambda: evening.translate("app.history.last") in table.texts(), frames=3000)
    await evening.capture("23-records-team")
    await evening.tap("app.back")
    await table.until(lambda: table.has(evening.translate("app.history.people")), frames=3000)
    await evening.tap("app.history.people")
    await table.until(lambda: table.has(evening.translate("app.history.clubs")), frames=3000)
    await evening.capture("23-records-people")
    app.navigator.go_home()


async def long_report(evening: SceneContext) -> None:
    """All pages with the longest names."""
    app = evening.table.app
    hand_in(evening)
    keep_matches(app, long=True)
    await look_back_long(evening)
    await records(evening)


async def look_back_long(evening: SceneContext) -> None:
    """The list, one match, its statistics."""
    app = evening.table.app
    await opened(evening, "matches")
    await evening.table.frames(40)
    await evening.capture("20-matches-long")
    match = app.matches.recent()[-1]
    await opened(evening, "report", match=match, session=app.matches.resume(match.match_id))
    await evening.capture("21-report-long")
    await evening.tap("app.report.statistics")
    await wait_for_statistics(evening)
    await evening.tap("app.statistics.luck")
    await wait_for_statistics(evening)
    await evening.capture("22-luck-long")
    app.navigator.go_home()


SCENES: dict[str, Scene] = {
    "look_back": look_back,
    "one_match": one_match,
    "pictured": pictured,
    "ended": ended,
    "broken": broken,
    "damaged": damaged,
    "exported": exported,
    "removed": removed,
    "records": records,
    "long_report": long_report,
}
