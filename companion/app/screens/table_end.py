"""The board that replaces the table's columns once a match is over, and the board so far in a break."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.background import IdleTask
from companion.app.display import display, text, translate
from companion.app.figures.board import BoardLines, ResultHeading, course_chart, result_headline, score_lines
from companion.app.game_screens import follow_up_of
from companion.app.match_runner import start_rematch
from companion.app.people import sides_of
from companion.app.widgets.button import PushButton
from companion.app.widgets.components import Grid, Scroller, Spacer, VBox, fill
from companion.games.base import SideScene
from companion.games.registry import DICE_STATISTICS, SPECS
from companion.table.board import BoardBuilder, MatchBoard
from companion.table.history import score_of, winner_of
from companion.table.rematch import can_repeat
from companion.table.session import Session

if TYPE_CHECKING:
    from companion.app.screens.table import TablePage

_MIN_BREAK_DP = 80
"""Height in dp under which the board of a break is left out."""
_CHART_DP = 140
"""Height of the course of the score in portrait, in dp."""
_TWO_SIDES = 2


@dataclass(frozen=True, slots=True)
class EndAction:
    """A button beside the final board. A `main` one is as wide as the column; the first of these is filled."""

    text: str
    icon: str
    tap: Callable[[], object]
    main: bool = False


def end_actions(page: TablePage) -> list[EndAction]:
    """Return what the players may do after a match: what follows it, a rematch, its papers, home."""
    app, session = page.app, page.session
    actions: list[EndAction] = []
    if app.tournament_follower.is_tournament_match(session):
        confirm = app.tournament_follower.open_page
        actions.append(EndAction(translate("app.tournament.to_confirm"), "cup", confirm, main=True))
    elif (following := follow_up_of(session.header, session.match_id)) is not None:
        follow_up, args = following
        next_page = partial(app.open, follow_up.page, **args)
        actions.append(EndAction(text(follow_up.label), "right", next_page, main=True))
    elif can_repeat(session.header):
        again = partial(start_rematch, app, session.ledger)
        actions.append(EndAction(translate("app.end.rematch"), "roll", again, main=True))
        if SPECS[session.game.id].rematch.chosen_anew:
            anew = partial(start_rematch, app, session.ledger, with_all_choices=False)
            actions.append(EndAction(translate("app.end.same_line_ups"), "users", anew, main=True))
    papers = (
        ("app.report.open", "text", "report"),
        ("app.end.picture", "board", "board"),
        ("app.table.menu_timeline", "list", "timeline"),
    )
    for word, icon, name in papers:
        actions.append(EndAction(translate(word), icon, partial(app.open, name, session=session)))
    return [*actions, EndAction(translate("app.table.menu_home"), "house", app.home)]


def board_sides(page: TablePage) -> tuple[SideScene, ...]:
    """Return the sides in the order of a board: two as they sit at the table."""
    sides = sides_of(page.app, page.session)
    return page.order if len(sides) == _TWO_SIDES else sides


class LazyBoard:
    """Computes the board of a match in idle moments, then calls `on_done` with it."""

    def __init__(self, session: Session, on_done: Callable[[MatchBoard], None]) -> None:
        self._builder = BoardBuilder(session.ledger, DICE_STATISTICS[session.game.id])
        self._task = IdleTask(self._run(), lambda: on_done(self._builder.board))

    def stop(self) -> None:
        """Cancel the remaining work."""
        self._task.stop()

    def _run(self) -> Iterator[None]:
        return self._builder.run()


class EndBoard(BoxLayout):
    """The final board: the winner, the course of the score, scorers, counts and luck, and what may be done next."""

    def __init__(self, page: TablePage, **kwargs: Any) -> None:
        upright = display.portrait
        super().__init__(
            orientation="vertical" if upright else "horizontal",
            padding=(dp(16), dp(8), dp(12), dp(8)),
            spacing=dp(8 if upright else 14),
            **kwargs,
        )
        session = page.session
        self._sides = board_sides(page)
        won = winner_of(session.game, session.state)
        winner = next((side for side in self._sides if side.side == won), None)
        heading = ResultHeading(result_headline(session), winner)
        score = score_of(session.game, session.state)
        top = [] if page.has_scoreboard else score_lines(self._sides, score, stacked=not upright)
        self.board: MatchBoard | None = None
        """The board, once it is computed."""
        self._unit = SPECS[session.game.id].turn_unit
        self._course, self._lines = VBox(), VBox(size_hint_x=1.0 if upright else 1.15)
        if upright:
            self._course.size_hint_y, self._course.height = None, dp(_CHART_DP)
            fill(self, *top, heading, self._course, self._lines, self._buttons(end_actions(page), columns=2))
        else:
            self._course.size_hint_x = 1
            buttons = self._buttons(end_actions(page), columns=1)
            buttons.size_hint_x, buttons.width = None, dp(204)
            fill(self, VBox(*top, heading, self._course, spacing=dp(6), size_hint_x=1.0), self._lines, buttons)
        self._board = LazyBoard(session, self._show)

    def _show(self, board: MatchBoard) -> None:
        self.board = board
        if board.steps:
            self._course.add_widget(course_chart(board, self._sides, self._unit))
        elif self._course.size_hint_y is None:
            self._course.height = 0  # nobody has scored: the counts get the space
        self._lines.add_widget(Scroller(BoardLines(board, self._sides)))

    def _buttons(self, actions: list[EndAction], columns: int) -> Widget:
        """Return the main buttons, each in its own row or two beside each other, and the small ones below."""
        main = [action for action in actions if action.main]
        large = Grid(cols=columns, spacing=dp(8), grows=True)
        for place, action in enumerate(main):
            style = "chalk" if place == 0 else "outlined"
            large.add_widget(PushButton(action.text, icon=action.icon, style=style, pad=8, act=action.tap, tall=56))
        small = Grid(cols=2 * columns, spacing=dp(8), grows=True)
        tall = 62 * max(1.0, display.theme.text / 100)
        for action in actions:
            if not action.main:
                push = PushButton(action.text, icon=action.icon, icon_side=26, kind="mini", stacked=True, pad=2)
                push.bind(on_tap=lambda _, action=action: action.tap())
                push.size_hint_y, push.height = None, dp(tall)
                small.add_widget(push)
        if columns > 1:
            return VBox(large, small, spacing=dp(8), grows=True)
        return Scroller(VBox(large, small, spacing=dp(8), padding=(0, 0, dp(8), 0), grows=True))


class BreakBoard(Spacer, BoxLayout):
    """The board so far, in the space that the centre leaves in a break."""

    def __init__(self, session: Session, sequence: int, sides: Sequence[SideScene], **kwargs: Any) -> None:
        """`sequence` is that of the state: the centre makes a new board for another one."""
        super().__init__(**kwargs)
        self.sequence = sequence
        self._sides = sides
        self._lines: Scroller | None = None
        self._board = LazyBoard(session, self._show)
        self.fbind("height", self._fit)

    def _show(self, board: MatchBoard) -> None:
        if board.figures.rows or board.figures.scorers:
            self._lines = Scroller(BoardLines(board, self._sides))
            self._fit()

    def _fit(self, *_: object) -> None:
        fits = self.height >= dp(_MIN_BREAK_DP)
        if self._lines is not None and fits != bool(self.children):
            if fits:
                self.add_widget(self._lines)
            else:
                self.clear_widgets()
