"""Shows moments over the centre of the table: one after the other, for a short time, until a tap or the next event.

A moment is complete in its first frame: it does not fade in, so that nobody waits to read the dice.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from kivy.clock import Clock, ClockEvent
from kivy.input import MotionEvent
from kivy.metrics import dp
from kivy.uix.widget import Widget

from companion.app.figures.choice import ChoiceButton
from companion.app.figures.moment import MomentFigure
from companion.app.widgets.marks import RotatedBox
from companion.games.moments import ResultMoment

if TYPE_CHECKING:
    from companion.app.screens.table import TablePage

SECONDS = {"score": 2.0, "end": 2.0, "card": 1.8, "result": 1.5}
"""Seconds for which each kind of moment is shown."""
MIN_HEIGHT_DP = 168
"""The tray below a moment stays visible if at least this height is left."""


class MomentLayer:
    """The moments over the centre of a table page. The table below is complete and already shows the new state."""

    def __init__(self, page: TablePage) -> None:
        self._page = page
        self._queue: list[ResultMoment] = []
        self._figure: MomentFigure | None = None
        self._holder: Widget | None = None
        self._hidden: list[Widget] = []
        self._watched: list[tuple[Widget, str]] = []
        self._end: ClockEvent | None = None
        self._cover_soon = Clock.create_trigger(self._cover, -1)

    @property
    def current(self) -> ResultMoment | None:
        """The moment on the screen, if any."""
        return self._queue[0] if self._queue else None

    @property
    def sentence(self) -> str:
        """The headline on the screen; empty without a moment."""
        return self._figure.sentence if self._figure is not None else ""

    def show(self, moments: Sequence[ResultMoment]) -> None:
        """Show moments one after the other, instead of those that are shown now."""
        self.clear()
        self._queue = list(moments)
        self._show_next()

    def clear(self) -> None:
        """Remove all moments and show the centre of the table again."""
        self._queue = []
        self._remove()

    def skip(self) -> None:
        """Go on to the next moment, or back to the table after the last one."""
        self._queue = self._queue[1:]
        self._show_next()

    def before_redraw(self) -> None:
        """Show the parts of the centre again that a moment hides, so that they can be reused."""
        for widget, name in self._watched:
            widget.funbind(name, self._cover_soon)
        for piece in self._hidden:
            piece.opacity = 1.0
        self._watched, self._hidden = [], []

    def after_redraw(self) -> None:
        """Put the moment over the new centre."""
        if self._holder is not None:
            self._watch()

    def take_touch(self, touch: MotionEvent) -> bool:
        """End the moment at a touch. Returns True if the touch was on it, so that nothing below it is pressed."""
        if self._holder is None:
            return False
        if self._holder.collide_point(*touch.pos):
            self.skip()
            return True
        self.clear()
        return False

    def covers(self, x: float, y: float) -> bool:
        """Return True if a moment is shown at a point of the page."""
        return self._holder is not None and bool(self._holder.collide_point(x, y))

    def _show_next(self) -> None:
        self._remove()
        if not self._queue:
            return
        moment = self._queue[0]
        self._figure = MomentFigure(moment, self._page.sides(), size_hint=(1, 1))
        self._holder = holder = RotatedBox(size_hint=(None, None), padding=(dp(10), dp(8)))
        holder.over = moment.side is not None and moment.side == self._page.far_side
        holder.add_widget(self._figure)
        self._page.add_widget(holder)
        self._watch()
        self._end = Clock.schedule_once(self._on_time_over, SECONDS[moment.kind])

    def _on_time_over(self, *_: object) -> None:
        """Go on by itself; the choices below ignore a finger that was on its way to the moment."""
        covered = [widget for piece in self._hidden for widget in piece.walk() if isinstance(widget, ChoiceButton)]
        self.skip()
        for button in covered:
            button.sleep()

    def _remove(self) -> None:
        if self._end is not None:
            self._end.cancel()
            self._end = None
        self.before_redraw()
        if self._holder is not None:
            self._page.remove_widget(self._holder)
        self._figure = self._holder = None

    def _watch(self) -> None:
        """Follow the layout of the centre: it is not known yet when the moment is put over it."""
        place, centre, kept = self._place, self._page.pieces.centre, self._tray_row()
        self._watched = [(place, "size"), (place, "pos")]
        if centre is not None:
            self._watched.append((centre, "children"))
        if kept is not None:
            self._watched += [(kept, "size"), (kept, "pos")]
        for widget, name in self._watched:
            widget.fbind(name, self._cover_soon)
        self._cover()

    def _cover(self, *_: object) -> None:
        """Hide the centre of the table below the moment, except the row with the tray if there is space for both."""
        if self._holder is None:
            return
        place, kept = self._place, self._tray_row()
        if kept is not None and place.top - kept.top < dp(MIN_HEIGHT_DP):
            kept = None
        low = place.y if kept is None else kept.top
        self._holder.pos, self._holder.size = (place.x, low), (place.width, place.top - low)
        covered = place.children if kept is None else [piece for piece in kept.parent.children if piece is not kept]
        for piece in {*self._hidden, *covered}:
            piece.opacity = 0.0 if piece in covered else 1.0
        self._hidden = list(covered)

    @property
    def _place(self) -> Widget:
        """The part of the page below the moment: the centre, or the final board."""
        ids = self._page.ids
        return ids.end if "end" in ids and ids.end.children else ids.centre

    def _tray_row(self) -> Widget | None:
        """Return the row of the centre with the tray picture; None in a layout that turns the centre around."""
        centre = self._page.pieces.centre
        if self._place is not self._page.ids.centre:
            return None
        if centre is None or centre.photograph is None or centre.parent is not self._page.ids.centre:
            return None
        piece = centre.photograph
        while piece.parent is not None and piece.parent is not centre:
            piece = piece.parent
        return piece if piece.parent is centre else None
