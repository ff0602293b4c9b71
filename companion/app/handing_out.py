"""What a match may leave the table as, and where to: a sheet to choose from, and the word on how it went."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from kivy.clock import Clock

from companion.app.exporting import KINDS, Kind, content_of, journal_of, named, titled, write_aside
from companion.app.figures.words import say, text
from companion.app.papers import Papers
from companion.app.widgets.choosing import Entry, list_sheet
from companion.journal.database import StoreError
from companion.table.matches import MatchSummary
from companion.table.session import Session

if TYPE_CHECKING:
    from companion.app.app import TapisVertApp

Told = Callable[[str, bool], None]
"""Gets a sentence on how it goes, and whether it failed."""


def lay_export(app: TapisVertApp, session: Session, day: str, told: Told) -> None:
    """Asks what and where to, and writes it out of the screen's way."""
    papers = app.papers
    if papers is None:
        app.sorry(say("app.report.no_papers"))
        return
    entries = []
    places = papers.places()
    for place in places:
        table = place == places[0]
        where = say("app.report.place.table") if table else say("app.report.place.stick", name=place.name)
        for kind in KINDS:
            detail = say(f"app.report.kind.{kind}.detail")
            detail = f"{detail}. {where}" if len(places) > 1 else detail
            write = partial(_write, app, papers, session, kind, place / named(session, day, kind), told)
            entries.append(Entry(say(f"app.report.kind.{kind}"), write, detail=detail))
    app.lay(list_sheet(say("app.report.export"), entries, cols=1 if app.portrait else 2, height=66))


def export_broken(app: TapisVertApp, match: MatchSummary, told: Told) -> None:
    """The journal of a match that cannot be played through, into the exchange folder, for somebody to look at."""
    papers = app.papers
    if papers is None:
        app.sorry(say("app.report.no_papers"))
        return
    path = papers.places()[0] / titled(match.at[:10], [*match.names.values()], "jsonl")
    _put(app, path, lambda: journal_of(app.matches.store, match.match_id), told)


def _write(app: TapisVertApp, papers: Papers, session: Session, kind: Kind, path: Path, told: Told) -> None:
    _put(app, path, lambda: content_of(session, app.matches.store, kind, papers, app.say), told)


def _put(app: TapisVertApp, path: Path, gather: Callable[[], Callable[[], bytes]], told: Told) -> None:
    """Gathers what the store has, here and now, then makes and writes the file aside."""
    told(say("app.report.writing", file=path.name), False)

    def done(reason: str | None) -> None:
        where = {"folder": path.parent.name, "file": path.name}
        words = say("app.report.written", **where)
        if reason is not None:
            words = say("app.report.not_written", **where, reason=reason)
        Clock.schedule_once(lambda *_: told(words, reason is not None))

    try:
        content = gather()
    except StoreError as trouble:
        app.sorry(text(trouble.message))
        return
    write_aside(path, content, done)
