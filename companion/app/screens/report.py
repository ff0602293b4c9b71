"""One match looked back at: how it stands, timeline, line-ups, its files written out, its removal."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from kivy.clock import Clock
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.display import say, text
from companion.app.figures.charts import Curve, Key, curves_chart
from companion.app.house import Papers, file_name
from companion.app.page import Page, load_kv
from companion.app.screens.matches import written_day
from companion.app.widgets.marks import SideBadge
from companion.app.widgets.pieces import HBox, Scroller, VBox, fill
from companion.app.widgets.push import Push
from companion.app.widgets.sheet import Entry, Sheet, list_sheet
from companion.app.widgets.text import Head, Name, Text
from companion.games.base import SideScene
from companion.games.registry import CHANCES, SPECS
from companion.games.spec import Group
from companion.journal.codec import file_bytes
from companion.journal.database import StoreError
from companion.journal.files import write_whole
from companion.journal.store import Store
from companion.language import Language
from companion.table.audit import audit
from companion.table.dice import pictures_of
from companion.table.history import headline_of, score_of
from companion.table.matches import MatchSummary
from companion.table.report import MatchReport, report, report_csv, score_course
from companion.table.session import Session

if TYPE_CHECKING:
    from companion.app.context import AppContext


Kind = Literal["pdf", "csv", "jsonl", "zip"]
KINDS: tuple[Kind, ...] = ("pdf", "csv", "jsonl", "zip")
PROGRAM = "tapis-vert"

log = logging.getLogger(__name__)


def named(session: Session, day: str, kind: Kind) -> str:
    """The name of the file that a match becomes."""
    return titled(day, [str(side["name"]) for side in session.header["sides"].values()], kind)


def titled(day: str, names: Sequence[str], kind: Kind) -> str:
    """The name of a file from those of the sides."""
    return file_name(day, " – ".join(names), kind)


def content_of(session: Session, store: Store, kind: Kind, papers: Papers, language: Language) -> Callable[[], bytes]:
    """What makes the file. The store is read at once, in the caller's thread; the rest may be done in another."""
    ledger, match = session.ledger, session.match_id
    if kind == "jsonl":
        return lambda: file_bytes(ledger.header, (entry.fields for entry in ledger.entries))
    kept = {line: store.pictures(match, line) for line in store.lines_with_pictures(match)}
    if kind == "zip":
        made = store.clock.now().isoformat(timespec="seconds")
        return lambda: audit(ledger, kept, match=match, made=made, versions=papers.versions)

    def told() -> MatchReport:
        program = papers.versions.get(PROGRAM, "")
        return report(ledger, CHANCES[ledger.game.id], program, lambda line: pictures_of(kept.get(line, ())))

    if kind == "csv":
        return lambda: report_csv([told()], language, papers.separator)
    return lambda: papers.pdf([told()], language)


def journal_of(store: Store, match_id: str) -> Callable[[], bytes]:
    """A journal as it was written, also one that the rules refuse. Raises StoreError."""
    header, entries = store.header(match_id), store.entries(match_id)
    return lambda: file_bytes(header, (entry.fields for entry in entries))


def write_aside(path: Path, content: Callable[[], bytes], told: Callable[[str | None], None]) -> threading.Thread:
    """Makes and writes the file in a thread; `told` gets the reason why not, or None, in that thread."""

    def work() -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, content())
        except OSError as fault:
            log.warning("not exported: %s", fault)
            told(fault.strerror or str(fault))
        except Exception as fault:
            log.exception("not exported")
            told(type(fault).__name__)
        else:
            told(None)

    thread = threading.Thread(target=work, name="export")
    thread.start()
    return thread


def day_of(at: str | None) -> str:
    """The day of a moment as the journal writes it; today's has no meaning for a match without one."""
    try:
        return f"{datetime.fromisoformat(at).astimezone():%Y-%m-%d}" if at else ""
    except ValueError:
        return ""


Told = Callable[[str, bool], None]
"""Gets a sentence on how it goes, and whether it failed."""


def lay_export(app: AppContext, session: Session, day: str, told: Told) -> None:
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


def export_broken(app: AppContext, match: MatchSummary, told: Told) -> None:
    """The journal of a match that cannot be played through, into the exchange folder, for somebody to look at."""
    papers = app.papers
    if papers is None:
        app.sorry(say("app.report.no_papers"))
        return
    path = papers.places()[0] / titled(match.at[:10], [*match.names.values()], "jsonl")
    _put(app, path, lambda: journal_of(app.matches.store, match.match_id), told)


def _write(app: AppContext, papers: Papers, session: Session, kind: Kind, path: Path, told: Told) -> None:
    _put(app, path, lambda: content_of(session, app.matches.store, kind, papers, app.say), told)


def _put(app: AppContext, path: Path, gather: Callable[[], Callable[[], bytes]], told: Told) -> None:
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


def line_ups_sheet(session: Session, portrait: bool) -> Sheet:
    """The sides beside each other, or one over the other in portrait."""
    groups = SPECS[session.game.id].line_up(session.state)
    columns = (VBox if portrait else HBox)(spacing=dp(16), padding=(0, 0, dp(10), 0), grows=True)
    fill(columns, *(_side(side, groups.get(side.side, ())) for side in session.scene().sides))
    return Sheet(say("app.report.line_ups"), Scroller(columns))


def _side(side: SideScene, groups: tuple[Group, ...]) -> BoxLayout:
    column = VBox(Key(side, ""), spacing=dp(4), pos_hint={"top": 1}, grows=True)
    for group in groups:
        column.add_widget(Head(text(group.title), kind="corps", tone="laiton", halign="left"))
        for member in group.members:
            notes = ", ".join(text(note) for note in member.notes)
            words = f"{text(member.role)}  {member.name}" + (f", {notes}" if notes else "")
            column.add_widget(Text(words, halign="left"))
    if not groups:
        column.add_widget(Text(say("app.report.no_line_up"), tone="craie2", halign="left"))
    return column


load_kv(__file__)

_LEAST_CURVE = 105
"""Height in dp from which a curve says something."""


class ReportPage(Page):
    """`args`: `session` (None for a journal that breaks a rule) and, from the list of matches, `match`, its summary."""

    def build(self) -> None:
        self.ids.bar.title = say("app.report.title")
        pieces = self._trouble() if self.session is None else self._result(self.session)
        fill(self.ids.result, *pieces)
        self._told = Text("", kind="mini", tone="craie2", halign="left")
        self.ids.result.add_widget(self._told)
        self._tell(self.memory.get("told", ""))
        ways = self._ways()
        fill(self.ids.ways, *ways)
        if self.portrait:
            self.ids.ways.size_hint_y = None
            self.ids.ways.height = len(ways) * dp(66)
        elif len(ways) < 5:
            self.ids.ways.add_widget(Widget(size_hint_y=5 - len(ways)))

    @property
    def session(self) -> Session | None:
        """The match; None if it cannot be played through."""
        session: Session | None = self.place.args.get("session")
        return session

    @property
    def summary(self) -> MatchSummary | None:
        """The match as its list has it; None for one that comes straight from the table."""
        summary: MatchSummary | None = self.place.args.get("match")
        return summary

    # How it stands

    def _result(self, session: Session) -> list[Widget]:
        sides, score = session.scene().sides, score_of(session.game, session.state)
        game = say(f"app.game.{session.game.id}")
        day = written_day(self._day())
        played = say("app.report.played", game=game, day=day) if day else game
        pieces: list[Widget] = [Text(played, tone="craie2", halign="left")]
        if len(sides) == 2:
            pieces += [self._names(), Head(" – ".join(str(score.get(side.side, 0)) for side in sides), **self._large())]
        else:
            pieces += [Key(side, str(score.get(side.side, 0))) for side in sides]
        if session.game.finished(session.state):
            words = headline_of(session.game, session.state)
            pieces.append(Head(text(words.text) if words else "", kind="bouton", tone="laiton", halign="center"))
        else:
            pieces.append(Head(say("app.report.going"), kind="bouton", tone="laiton", halign="center"))
        self._middle = HBox()
        # First the page, then the curve: reckoning the score after every fact takes a moment.
        self._middle.bind(size=Clock.create_trigger(lambda *_: self._draw_course(session), 0.05))
        return [*pieces, self._middle, Text(self._counted(session), tone="craie2", halign="left")]

    def _draw_course(self, session: Session) -> None:
        """How the score went, where there is room for it."""
        if self.parent is None or self._middle.children or self._middle.height < dp(_LEAST_CURVE):
            return
        changes = score_course(session.ledger)
        if changes:
            curves = [
                Curve(side.colour, side.letter, tuple((change.place, change.scores[at]) for change in changes))
                for at, side in enumerate(session.scene().sides)
            ]
            self._middle.add_widget(curves_chart(curves, len(session.ledger.standing)))

    def _large(self) -> dict[str, Any]:
        return {"kind": "score" if self.app.theme.roomy else "fort", "halign": "center", "leading": 0.9}

    def _names(self) -> Widget:
        session = self.session
        line = HBox(spacing=dp(8), tall=48)
        for at, side in enumerate(session.scene().sides if session else ()):
            badge = SideBadge(colour=side.colour, letter=side.letter, side=34, middle=True)
            label = Name(
                side.name,
                kinds=["titre", "bouton", "corps", "mini"],
                initials=True,
                halign=("left", "right")[at],
                leading=0.9,
            )
            fill(line, *((badge, label) if at == 0 else (label, badge)))
        return line

    def _counted(self, session: Session) -> str:
        entries = session.ledger.entries
        amended = sum(entry.fate in ("corrected", "undone") for entry in entries)
        pictures = len(self.app.matches.store.lines_with_pictures(session.match_id))
        told = [say("app.report.facts", n=len(session.ledger.standing))]
        if amended:
            told.append(say("app.report.amended", n=amended))
        if pictures:
            told.append(say("app.report.pictures", n=pictures))
        return ", ".join(told)

    def _trouble(self) -> list[Widget]:
        summary = self.summary
        if summary is None:
            return []
        names = " – ".join(summary.names.values())
        told = Text(text(summary.trouble), tone="laiton", halign="left")
        return [Head(names, kind="titre", halign="left"), told, Widget()]

    def _day(self) -> str:
        entries = self.session.ledger.entries if self.session else ()
        at = next((entry.fields["at"] for entry in entries if entry.fields.get("at")), None)
        return day_of(at) or (self.summary.at[:10] if self.summary else "")

    # What may be done

    def _ways(self) -> list[Push]:
        session, summary = self.session, self.summary
        ways = []
        if summary is not None and not summary.finished:
            word = "app.home.resume" if summary.trouble is None else "app.home.resume_until"
            ways.append(_way(say(word), "play", "chalk", lambda: self._resume(summary)))
        if session is not None:
            open_ = partial(self.app.open, session=session)
            line_ups = partial(line_ups_sheet, session, self.portrait)
            export = partial(lay_export, self.app, session, self._day(), self._tell)
            ways += [
                _way(say("app.report.timeline"), "list", "well", lambda: open_("timeline", read_only=True)),
                _way(say("app.report.statistics"), "pulse", "well", lambda: open_("statistics")),
                _way(
                    say("app.report.line_ups"),
                    "users",
                    "well",
                    lambda: self.app.lay(line_ups()),
                ),
                _way(
                    say("app.report.export"),
                    "right",
                    "well",
                    export,
                ),
            ]
        elif summary is not None:
            export = partial(export_broken, self.app, summary, self._tell)
            ways.append(_way(say("app.report.journal"), "right", "well", export))
        if summary is not None:
            away = _way(say("app.report.remove"), "cross", "outlined", lambda: self._remove(summary))
            away.held, away.detail = True, say("app.report.hold") if self.app.theme.roomy else ""
            ways.append(away)
        return ways

    def _resume(self, summary: MatchSummary) -> None:
        session = self.app.resume(summary)
        if session is not None:
            self.app.room.go_home_to("table", session=session)

    def _remove(self, summary: MatchSummary) -> None:
        if self.app.session is not None and self.app.session.match_id == summary.match_id:
            self.app.end_session()
        try:
            self.app.matches.store.remove(summary.match_id)
        except StoreError as trouble:
            self.app.sorry(text(trouble.message))
            return
        names = " – ".join(summary.names.values())
        self.app.room.go_home_to("matches", removed=(summary.match_id, names))

    def _tell(self, words: str, failed: bool = False) -> None:
        self.memory["told"] = words
        self._told.text = words
        self._told.tone = "laiton" if failed else "craie"


def _way(words: str, icon: str, look: str, action: Callable[[], None]) -> Push:
    return Push(words, icon=icon, look=look, left=True, pad=16, act=lambda: action())
