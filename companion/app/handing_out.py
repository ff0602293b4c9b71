"""What a match may leave the table as, and where to: a sheet to choose from, and the word on how it went."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from kivy.clock import Clock

from companion.app.exporting import KINDS, Kind, content_of, named, write_aside
from companion.app.figures.words import say, text
from companion.app.papers import Papers
from companion.app.widgets.choosing import Entry, list_sheet
from companion.journal.store_errors import StoreError
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


def _write(app: TapisVertApp, papers: Papers, session: Session, kind: Kind, path: Path, told: Told) -> None:
    told(say("app.report.writing", file=path.name), False)

    def done(reason: str | None) -> None:
        where = {"folder": path.parent.name, "file": path.name}
        words = say("app.report.written", **where)
        if reason is not None:
            words = say("app.report.not_written", **where, reason=reason)
        Clock.schedule_once(lambda *_: told(words, reason is not None))

    try:
        content = content_of(session, app.matches.store, kind, papers, app.say)
    except StoreError as trouble:
        app.sorry(text(trouble.message))
        return
    write_aside(path, content, done)
