"""One match looked back at: how it stands, its timeline, statistics and line-ups, its way out on paper, its removal."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from kivy.clock import Clock
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.exporting import day_of
from companion.app.figures.curves import Curve, curves_chart
from companion.app.figures.key import Key
from companion.app.figures.line_ups import line_ups_sheet
from companion.app.figures.words import say, text
from companion.app.handing_out import export_broken, lay_export
from companion.app.looking import written_day
from companion.app.page import Page, load_kv
from companion.app.widgets.marks import SideBadge
from companion.app.widgets.push import Push
from companion.app.widgets.text import Head, Name, Text
from companion.journal.database import StoreError
from companion.table.history import headline_of, score_of
from companion.table.matches import MatchSummary
from companion.table.report import score_course
from companion.table.session import Session

load_kv(__file__)

_LEAST_CURVE = 105
"""Height in dp from which a curve says something."""


class ReportPage(Page):
    """`args`: `session` (None for a journal that breaks a rule) and, from the list of matches, `match`, its summary."""

    def build(self) -> None:
        self.ids.bar.title = say("app.report.title")
        pieces = self._trouble() if self.session is None else self._result(self.session)
        for piece in pieces:
            self.ids.result.add_widget(piece)
        self._told = Text("", kind="mini", tone="craie2", halign="left")
        self.ids.result.add_widget(self._told)
        self._tell(self.memory.get("told", ""))
        ways = self._ways()
        for way in ways:
            self.ids.ways.add_widget(way)
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
        self._middle = BoxLayout()
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
        line = BoxLayout(size_hint_y=None, height=dp(48), spacing=dp(8))
        for at, side in enumerate(session.scene().sides if session else ()):
            badge = SideBadge(colour=side.colour, letter=side.letter, side=34, pos_hint={"center_y": 0.5})
            label = Name(
                side.name,
                kinds=["titre", "bouton", "corps", "mini"],
                initials=True,
                halign=("left", "right")[at],
                leading=0.9,
            )
            for piece in (badge, label) if at == 0 else (label, badge):
                line.add_widget(piece)
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
    push = Push(words, icon=icon, look=look, left=True, pad=16)
    push.bind(on_tap=lambda *_: action())
    return push
