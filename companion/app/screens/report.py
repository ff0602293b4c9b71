"""A finished or running match in review: result, timeline, line-ups, file export, removal."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from kivy.clock import Clock
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.display import text, translate
from companion.app.figures.board import score_lines
from companion.app.figures.charts import Curve, LegendEntry, score_chart
from companion.app.page import Page, load_kv
from companion.app.people import sides_of
from companion.app.platform import ExportConfig, file_name, folder_label
from companion.app.screens.matches import format_day
from companion.app.widgets.button import PushButton
from companion.app.widgets.components import HBox, Scroller, VBox, fill
from companion.app.widgets.sheet import Sheet, SheetEntry, list_sheet
from companion.app.widgets.text import BoldText, Text
from companion.games.base import Message, SideScene
from companion.games.registry import DICE_STATISTICS, SPECS
from companion.games.spec import LineUpGroup
from companion.journal.codec import encode_file
from companion.journal.database import StoreError
from companion.journal.store import Store
from companion.language import Language, reason_of
from companion.table.audit import audit
from companion.table.dice import pictures_of
from companion.table.history import headline_of, score_of
from companion.table.matches import MatchSummary
from companion.table.opponents import seats_of
from companion.table.profiles import persons_of
from companion.table.report import MatchReport, report, report_csv, score_course
from companion.table.session import Session
from vision.files import write_atomically

if TYPE_CHECKING:
    from companion.app.context import AppContext


Kind = Literal["pdf", "csv", "jsonl", "zip"]
KINDS: tuple[Kind, ...] = ("pdf", "csv", "jsonl", "zip")
PROGRAM = "tapis-vert"

log = logging.getLogger(__name__)


def export_file_name(session: Session, day: str, kind: Kind) -> str:
    """Return the export file name of a match."""
    return file_name_for_sides(day, [str(side["name"]) for side in session.header["sides"].values()], kind)


def file_name_for_sides(day: str, names: Sequence[str], kind: str) -> str:
    """Return a file name made from the names of the sides."""
    return file_name(day, " – ".join(names), kind)


def file_content(
    session: Session, store: Store, kind: Kind, papers: ExportConfig, language: Language
) -> Callable[[], bytes]:
    """Return a function that creates the file.

    The store is read here, in the caller's thread; the returned function may run in another thread.
    """
    ledger, match = session.ledger, session.match_id
    if kind == "jsonl":
        return lambda: encode_file(ledger.header, (entry.fields for entry in ledger.all_events))
    kept = {line: store.pictures(match, line) for line in store.lines_with_pictures(match)}
    if kind == "zip":
        made = store.clock.now().isoformat(timespec="seconds")
        return lambda: audit(ledger, kept, match=match, made=made, versions=papers.versions)

    def build_report() -> MatchReport:
        program = papers.versions.get(PROGRAM, "")
        return report(ledger, DICE_STATISTICS[ledger.game.id], program, lambda line: pictures_of(kept.get(line, ())))

    if kind == "csv":
        return lambda: report_csv([build_report()], language, papers.separator)
    return lambda: papers.pdf([build_report()], language)


def journal_of(store: Store, match_id: str) -> Callable[[], bytes]:
    """Return a journal as it was written, even if it breaks the rules. Raises: StoreError."""
    header, entries = store.header(match_id), store.events(match_id)
    return lambda: encode_file(header, (entry.fields for entry in entries))


def write_in_background(
    path: Path, content: Callable[[], bytes], on_done: Callable[[Message | None], None]
) -> threading.Thread:
    """Create and write a file in a thread. `on_done` receives the error or None, in that thread."""

    def work() -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(path, content())
        except OSError as fault:
            log.warning("not exported: %s", fault)
            on_done(reason_of(fault))
        except Exception as fault:
            log.exception("not exported")
            on_done(reason_of(fault))
        else:
            on_done(None)

    thread = threading.Thread(target=work, name="export")
    thread.start()
    return thread


def written_text(path: Path, reason: Message | None) -> str:
    """Return where a file was written, or the reason why it was not."""
    where = {"folder": path.parent.name, "file": path.name}
    if reason is None:
        return translate("app.report.written", **where)
    return translate("app.report.not_written", **where, reason=reason)


def day_of(at: str | None) -> str:
    """Return the local date of a journal timestamp; empty if there is none."""
    try:
        return f"{datetime.fromisoformat(at).astimezone():%Y-%m-%d}" if at else ""
    except ValueError:
        return ""


StatusCallback = Callable[[str, bool], None]
"""Receives a status sentence and whether the export failed."""


def show_export_sheet(app: AppContext, session: Session, day: str, on_status: StatusCallback) -> None:
    """Ask for format and target, then export in a thread."""
    papers = app.export_config
    if papers is None:
        app.show_error(translate("app.report.no_papers"))
        return
    entries = []
    places = papers.list_folders()
    for place in places:
        where = folder_label(place, places[0], translate)
        for kind in KINDS:
            detail = translate(f"app.report.kind.{kind}.detail")
            detail = f"{detail}. {where}" if len(places) > 1 else detail
            write = partial(_write, app, papers, session, kind, place / export_file_name(session, day, kind), on_status)
            entries.append(SheetEntry(translate(f"app.report.kind.{kind}"), write, detail=detail))
    app.show_sheet(list_sheet(translate("app.report.export"), entries, cols=1 if app.portrait else 2, height=66))


def export_broken(app: AppContext, match: MatchSummary, on_status: StatusCallback) -> None:
    """Export the journal of a match that cannot be replayed to the exchange folder, for analysis."""
    papers = app.export_config
    if papers is None:
        app.show_error(translate("app.report.no_papers"))
        return
    path = papers.list_folders()[0] / file_name_for_sides(match.at[:10], [*match.names.values()], "jsonl")
    _put(app, path, lambda: journal_of(app.matches.store, match.match_id), on_status)


def _write(
    app: AppContext, papers: ExportConfig, session: Session, kind: Kind, path: Path, on_status: StatusCallback
) -> None:
    _put(app, path, lambda: file_content(session, app.matches.store, kind, papers, app.translate), on_status)


def _put(app: AppContext, path: Path, gather: Callable[[], Callable[[], bytes]], on_status: StatusCallback) -> None:
    """Read the data from the store now, then create and write the file in a thread."""
    on_status(translate("app.report.writing", file=path.name), False)

    def done(reason: Message | None) -> None:
        Clock.schedule_once(lambda *_: on_status(written_text(path, reason), reason is not None))

    try:
        content = gather()
    except StoreError as trouble:
        app.show_error(text(trouble.message))
        return
    write_in_background(path, content, done)


def line_ups_sheet(session: Session, portrait: bool) -> Sheet:
    """Return the line-ups of the sides, side by side or one above the other in portrait."""
    groups = SPECS[session.game.id].line_up(session.state)
    columns = (VBox if portrait else HBox)(spacing=dp(16), padding=(0, 0, dp(10), 0), grows=True)
    fill(columns, *(_side(side, groups.get(side.side, ())) for side in session.scene().sides))
    return Sheet(translate("app.report.line_ups"), Scroller(columns))


def _side(side: SideScene, groups: tuple[LineUpGroup, ...]) -> BoxLayout:
    column = VBox(LegendEntry(side, ""), spacing=dp(4), pos_hint={"top": 1}, grows=True)
    for group in groups:
        column.add_widget(BoldText(text(group.title), kind="corps", tone="laiton", halign="left"))
        for member in group.members:
            notes = ", ".join(text(note) for note in member.notes)
            line = f"{text(member.role)}  {member.name}" + (f", {notes}" if notes else "")
            column.add_widget(Text(line, halign="left"))
    if not groups:
        column.add_widget(Text(translate("app.report.no_line_up"), tone="craie2", halign="left"))
    return column


load_kv(__file__)

_MIN_CURVE_HEIGHT_DP = 105
"""Minimum height in dp at which a curve is useful."""


class ReportPage(Page):
    """A match in review.

    `args`: `session` (None for a journal that breaks a rule) and, from the list of matches, `match`, its summary.
    """

    def build(self) -> None:
        self.ids.bar.title = translate("app.report.title")
        pieces = self._trouble() if self.session is None else self._result(self.session)
        fill(self.ids.result, *pieces)
        self._status_label = Text("", kind="mini", tone="craie2", halign="left")
        self.ids.result.add_widget(self._status_label)
        self._show_status(self.memory.get("told", ""))
        ways = self._ways()
        fill(self.ids.ways, *ways)
        if self.portrait:
            self.ids.ways.size_hint_y = None
            self.ids.ways.height = len(ways) * dp(66)
        elif len(ways) < 5:
            self.ids.ways.add_widget(Widget(size_hint_y=5 - len(ways)))

    @property
    def session(self) -> Session | None:
        """The session; None if the match cannot be replayed."""
        session: Session | None = self.route.args.get("session")
        return session

    @property
    def summary(self) -> MatchSummary | None:
        """The summary from the list of matches; None if the page was opened from the table."""
        summary: MatchSummary | None = self.route.args.get("match")
        return summary

    # Result

    @staticmethod
    def _persons(session: Session) -> list[Widget]:
        """Return a line with who played each side, as far as it is known."""
        persons = persons_of(session.header)
        named = [(side.name, persons[side.side].name) for side in session.scene().sides if side.side in persons]
        line = ", ".join(translate("app.report.person", side=side, name=name) for side, name in named)
        return [Text(line, tone="craie2", halign="left")] if line else []

    def _result(self, session: Session) -> list[Widget]:
        sides, score = session.scene().sides, score_of(session.game, session.state)
        game = translate(f"app.game.{session.game.id}")
        day = format_day(self._day())
        played = translate("app.report.played", game=game, day=day) if day else game
        seats = seats_of(session.header)
        if seats:
            names = ", ".join(side.name for side in sides if side.side in seats)
            played = translate("app.report.by_app", played=played, names=names)
        pieces: list[Widget] = [Text(played, tone="craie2", halign="left")]
        pieces += self._persons(session)
        if len(sides) == 2:
            pieces += score_lines(sides_of(self.app, session), score)
        else:
            pieces += [LegendEntry(side, str(score.get(side.side, 0))) for side in sides]
        if session.game.finished(session.state):
            headline = headline_of(session.game, session.state)
            pieces.append(
                BoldText(text(headline.text) if headline else "", kind="bouton", tone="laiton", halign="center")
            )
            if headline is not None and headline.detail is not None:
                pieces.append(Text(text(headline.detail), tone="craie2", halign="center"))
        else:
            pieces.append(BoldText(translate("app.report.going"), kind="bouton", tone="laiton", halign="center"))
        self._middle = HBox()
        # Show the page before the curve: computing the score after every event takes a moment.
        self._middle.bind(size=Clock.create_trigger(lambda *_: self._draw_course(session), 0.05))
        pieces += [self._middle, Text(self._summary_text(session), tone="craie2", halign="left")]
        if self.summary is not None and self.summary.trouble is not None:
            pieces.append(Text(text(self.summary.trouble), tone="laiton", halign="left"))
        return pieces

    def _draw_course(self, session: Session) -> None:
        """Draw the course of the score if there is enough space."""
        if self.parent is None or self._middle.children or self._middle.height < dp(_MIN_CURVE_HEIGHT_DP):
            return
        course = score_course(session.ledger)
        if course.changes:
            curves = [
                Curve(
                    side.colour,
                    side.letter,
                    tuple((change.turn_number, change.scores[at]) for change in course.changes),
                )
                for at, side in enumerate(session.scene().sides)
            ]
            self._middle.add_widget(score_chart(curves, course.turns, course.unit))

    def _summary_text(self, session: Session) -> str:
        entries = session.ledger.all_events
        amended = sum(entry.status in ("corrected", "undone") for entry in entries)
        pictures = len(self.app.matches.store.lines_with_pictures(session.match_id))
        parts = [translate("app.report.facts", n=len(session.ledger.events))]
        if amended:
            parts.append(translate("app.report.amended", n=amended))
        if pictures:
            parts.append(translate("app.report.pictures", n=pictures))
        return ", ".join(parts)

    def _trouble(self) -> list[Widget]:
        summary = self.summary
        if summary is None:
            return []
        names = " – ".join(summary.names.values()) or translate("app.matches.damaged")
        label = Text(text(summary.trouble), tone="laiton", halign="left")
        return [BoldText(names, kind="titre", halign="left"), label, Widget()]

    def _day(self) -> str:
        entries = self.session.ledger.all_events if self.session else ()
        at = next((entry.fields["at"] for entry in entries if entry.fields.get("at")), None)
        return day_of(at) or (self.summary.at[:10] if self.summary else "")

    # Actions

    def _ways(self) -> list[PushButton]:
        session, summary = self.session, self.summary
        ways = []
        if summary is not None and not summary.is_finished:
            word = "app.home.resume" if summary.trouble is None else "app.home.resume_until"
            ways.append(_action_button(translate(word), "play", "chalk", lambda: self._resume(summary)))
        if session is not None:
            open_ = partial(self.app.open, session=session)
            line_ups = partial(line_ups_sheet, session, self.portrait)
            export = partial(show_export_sheet, self.app, session, self._day(), self._show_status)
            ways += [
                _action_button(
                    translate("app.report.timeline"), "list", "well", lambda: open_("timeline", read_only=True)
                ),
                _action_button(translate("app.report.statistics"), "pulse", "well", lambda: open_("statistics")),
            ]
            if SPECS[session.game.id].line_up(session.state):
                ways.append(
                    _action_button(
                        translate("app.report.line_ups"), "users", "well", lambda: self.app.show_sheet(line_ups())
                    )
                )
            ways.append(_action_button(translate("app.report.export"), "out", "well", export))
        elif summary is not None:
            export = partial(export_broken, self.app, summary, self._show_status)
            ways.append(_action_button(translate("app.report.journal"), "out", "well", export))
        if summary is not None:
            remove_button = _action_button(
                translate("app.report.remove"), "bin", "outlined", lambda: self._remove(summary)
            )
            remove_button.needs_long_press, remove_button.detail = (
                True,
                translate("app.report.hold") if self.app.theme.roomy else "",
            )
            ways.append(remove_button)
        return ways

    def _resume(self, summary: MatchSummary) -> None:
        session = self.app.resume(summary)
        if session is not None:
            self.app.navigator.open_from_home("table", session=session)

    def _remove(self, summary: MatchSummary) -> None:
        if self.app.session is not None and self.app.session.match_id == summary.match_id:
            self.app.end_session()
        try:
            self.app.matches.store.remove(summary.match_id)
        except StoreError as trouble:
            self.app.show_error(text(trouble.message))
            return
        names = " – ".join(summary.names.values())
        self.app.navigator.open_from_home("matches", removed=(summary.match_id, names))

    def _show_status(self, message: str, failed: bool = False) -> None:
        self.memory["told"] = message
        self._status_label.text = message
        self._status_label.tone = "laiton" if failed else "craie"


def _action_button(label: str, icon: str, style: str, action: Callable[[], None]) -> PushButton:
    return PushButton(label, icon=icon, style=style, left=True, pad=16, act=lambda: action())
