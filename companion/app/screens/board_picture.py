"""The final board as a picture to share: shown as it will be saved, written to a file, with a code for phones."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

from kivy.clock import Clock
from kivy.metrics import dp
from kivy.uix.widget import Widget

from companion.app.display import translate
from companion.app.figures.board import BoardLines, ResultHeading, course_chart, result_headline, score_lines
from companion.app.page import Page, load_kv
from companion.app.people import sides_of
from companion.app.screens.matches import format_day
from companion.app.screens.report import day_of, file_name_for_sides, write_in_background, written_text
from companion.app.screens.table_end import LazyBoard
from companion.app.screens.tournament import public_page_sheet
from companion.app.widgets.button import PushButton
from companion.app.widgets.components import Card, Scroller, VBox, fill
from companion.app.widgets.text import Text
from companion.games.base import Message, SideScene
from companion.games.registry import SPECS
from companion.table.board import MatchBoard
from companion.table.history import score_of, winner_of
from companion.table.session import Session
from companion.tournament.headers import parse_mark

load_kv(__file__)

_CHART_DP = 150


class BoardPicture(Card):
    """The board with its names, score and day, as high as its content."""

    def __init__(self, session: Session, board: MatchBoard, sides: Sequence[SideScene]) -> None:
        super().__init__(
            surface="tapis", radius=0, padding=(dp(18), dp(14)), spacing=dp(10), grows=True, orientation="vertical"
        )
        won = winner_of(session.game, session.state)
        winner = next((side for side in sides if side.side == won), None)
        unit = SPECS[session.game.id].turn_unit
        chart = VBox(course_chart(board, sides, unit), tall=_CHART_DP if board.steps else 0)
        game = translate(f"app.game.{session.game.id}")
        day = format_day(match_day(session))
        foot = translate("app.report.played", game=game, day=day) if day else game
        fill(
            self,
            *score_lines(sides, score_of(session.game, session.state)),
            ResultHeading(result_headline(session), winner),
            chart,
            BoardLines(board, sides),
            Text(foot, kind="mini", tone="craie2", halign="left"),
        )


def match_day(session: Session) -> str:
    """Return the local date of the first event; empty if no event has a time."""
    events = session.ledger.all_events
    return day_of(next((event.fields["at"] for event in events if event.fields.get("at")), None))


class BoardPicturePage(Page):
    """The picture of the final board. `args`: `session`."""

    def build(self) -> None:
        self.ids.bar.title = translate("app.end.picture_title")
        self._picture: BoardPicture | None = None
        self._status = Text("", kind="mini", tone="craie2", halign="left")
        self._board = LazyBoard(self.session, self._show)
        if (address := self._address()) is not None:
            code = PushButton(
                translate("app.tournament.qr.title"), icon="phone", style="outlined", kind="corps", hug=True, pad=12
            )
            code.bind(on_tap=lambda *_: self.app.show_sheet(public_page_sheet(address, is_match=True)))
            self.ids.bar.at_end(code)
        save = PushButton(translate("app.end.save"), icon="in", style="chalk", hug=True, pad=14, act=self._save)
        self.ids.bar.at_end(save)

    @property
    def session(self) -> Session:
        """The session of the match."""
        session: Session = self.route.args["session"]
        return session

    def leave(self) -> None:
        self._board.stop()

    def _show(self, board: MatchBoard) -> None:
        self._picture = BoardPicture(self.session, board, sides_of(self.app, self.session))
        fill(self.ids.body, Scroller(self._picture), self._status)

    def _address(self) -> str | None:
        """Return the address of the match's public page on a tournament hub, or None."""
        desk, mark = self.app.tournament_follower.desk, parse_mark(self.session.header)
        if desk is None or mark is None:
            return None
        pages = desk.hub.snapshot().pages
        return pages.get(mark.match) or pages.get(mark.key)

    def _save(self) -> None:
        """Write the picture as PNG to a USB drive if there is one, otherwise to the exchange folder."""
        papers = self.app.export_config
        if self._picture is None or papers is None:
            self.app.show_error(translate("app.report.no_papers"))
            return
        names = [side.name for side in self.session.scene().sides]
        path = papers.list_folders()[-1] / file_name_for_sides(match_day(self.session), names, "png")
        content = png_of(self._picture)
        write_in_background(path, lambda: content, lambda reason: self._show_status(path, reason))

    def _show_status(self, path: Path, reason: Message | None) -> None:
        Clock.schedule_once(lambda *_: setattr(self._status, "text", written_text(path, reason)))


def png_of(widget: Widget) -> bytes:
    """Return a widget as PNG, in its own size."""
    written = io.BytesIO()
    widget.export_as_image().save(written, flipped=False, fmt="png")
    return written.getvalue()
