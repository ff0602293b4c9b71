"""Screen 04, face to face: the screen is flat between the players and the far half is rotated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from kivy.metrics import dp
from kivy.properties import NumericProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.figures.choice import ChoiceButton
from companion.app.figures.table import OddsFigure
from companion.app.idle_monitor import names_and_scores
from companion.app.page import load_kv
from companion.app.prompts.sheet import SheetPlacement
from companion.app.screens.table import TablePage
from companion.app.screens.table_bar import TableBar
from companion.app.screens.table_centre import Centre
from companion.app.screens.table_edge import Half, Offer
from companion.app.widgets.components import fill
from companion.app.widgets.marks import RotatedBox
from companion.games.base import Decision, Scene
from companion.games.figures import OddsBar

load_kv(__file__)

MIN_HEIGHT_FOR_BOTH_DP = 330
"""Minimum height of the centre, in dp, for showing the odds twice."""
MAX_CHOICES, MAX_CHOICES_WIDE, MAX_CHOICES_ENLARGED = 4, 3, 2
"""Maximum visible choices of a side: in two columns (SCREENS 4.1), beside its name, with enlarged text."""


class FacingTablePage(TablePage):
    """The table page for two players face to face. The first side is near, the second far; *Places* swaps them."""

    has_scoreboard = False
    far_bar_height = NumericProperty(0)
    far_height = NumericProperty(0)
    near_height = NumericProperty(0)

    def compose(self) -> None:
        super().compose()
        self.far_bar_height = dp(64) if self.portrait else 0
        self.pieces = FacingPieces(self)

    @property
    def far_side(self) -> str:
        return self.order[1].side


class Figures(Centre):
    """The figures without dice, for a wide and low centre that shows the dice beside them."""

    def _add_dice(self, crowded: bool) -> None:
        """Do nothing: the dice are shown beside the figures."""


class Middle(BoxLayout):
    """The shared centre, facing the acting player. If there is space, the odds are repeated for the other player."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(orientation="vertical", **kwargs)
        self._turned = RotatedBox()
        self._beside = RotatedBox(size_hint_y=None, padding=(dp(16), dp(8)))
        self._odds: tuple[Any, ...] = ()
        self.add_widget(self._turned)
        self.fbind("height", self._place)

    def show(self, pieces: Sequence[Widget], far: bool, odds: tuple[Any, ...]) -> None:
        """Show widgets in a row, rotated to the far side if `far`. `odds` are the arguments of the odds figure."""
        self._turned.clear_widgets()
        fill(self._turned, *pieces)
        if self._turned.over != far:
            self._turned.over, self._beside.over = far, not far
            self.remove_widget(self._beside)
        if odds != self._odds:
            self._odds = odds
            self._beside.clear_widgets()
            if odds:
                again = OddsFigure(*odds)
                again.fbind("height", self._fit)
                self._beside.add_widget(again)
                self._fit(again, again.height)
        self._place()

    def _fit(self, _: Any, height: float) -> None:
        self._beside.height = height + dp(16)

    def _place(self, *_: object) -> None:
        wanted = bool(self._odds) and self.height >= dp(MIN_HEIGHT_FOR_BOTH_DP)
        if wanted and self._beside.parent is None:
            self.add_widget(self._beside, index=0 if self._turned.over else len(self.children))
        elif not wanted and self._beside.parent is not None:
            self.remove_widget(self._beside)


class FacingPieces:
    """Face-to-face layout. Updates the widgets of the previous state where possible."""

    def __init__(self, page: FacingTablePage) -> None:
        self._page = page
        self._halves: tuple[Half, ...] = ()
        self._middle: Middle | None = None
        self._figures: Centre | None = None
        """The column of figures: the same as `centre`, or beside it."""
        self.centre: Centre | None = None
        self._bar: TableBar | None = None
        self._far_bar: FarBar | None = None

    @property
    def buttons(self) -> list[list[ChoiceButton]]:
        """The choice buttons of each half."""
        return [half.buttons for half in self._halves]

    def show(self, scene: Scene, decision: Decision, either: list[Offer]) -> None:
        """Show a state. `either` are the choices that belong to no side."""
        self._show_halves(decision)
        if self._middle is None:
            self._middle = Middle()
            self._page.put("centre", self._middle)
        self._middle.show(self._columns(scene, decision, either), self._is_far_side_acting(decision), _odds_args(scene))
        self.show_bar()

    def show_end(self, scene: Scene, decision: Decision) -> None:
        """Show the final board instead of everything but the bar; it is read from the near side."""
        self._halves, self._middle, self._figures, self.centre, self._far_bar = (), None, None, None, None
        self._page.show_end_board("far_bar", "far", "near", "centre")
        self.show_bar()

    def show_bar(self) -> None:
        """Update the bars: the full bar for the near side, last event and undo for the far side."""
        if self._bar is None or not self._bar.show():
            self._bar = TableBar(self._page)
            self._page.put("bar", self._bar)
        has_far_bar = bool(self._page.far_bar_height) and not self._page.ids.end.children
        if has_far_bar and (self._far_bar is None or not self._far_bar.show()):
            self._far_bar = FarBar(self._page)
            turned = RotatedBox()
            turned.add_widget(self._far_bar)
            self._page.put("far_bar", turned)

    def _columns(self, scene: Scene, decision: Decision, either: list[Offer]) -> list[Widget]:
        """Return figures and dice in one column, or side by side if the centre is wide and low."""
        figures, centre = self._figures, self.centre
        if self._page.portrait or not decision.dice:
            self.centre = self._figures = Centre(self._page, scene, decision, either, before=figures)
            return [self.centre]
        short = decision if self._page.app.theme.roomy else replace(decision, detail=None)
        beside = centre if centre is not figures else None
        self._figures = Figures(self._page, scene, decision, either, before=figures)
        self.centre = Centre(self._page, replace(scene, figures=()), short, [], before=beside)
        return [self._figures, self.centre]

    def sheet_place(self, side: str | None) -> SheetPlacement:
        """Return the area of a sheet: the centre and the asking half, seen from that half."""
        page = self._page
        if side == page.far_side:
            outer, other = page.far_bar_height, page.bar_height + page.near_height
        else:
            outer, other = page.bar_height, page.far_bar_height + page.far_height
        return SheetPlacement((0.0, outer, 0.0, other))

    def _is_far_side_acting(self, decision: Decision) -> bool:
        """True if the centre faces the far side, because that side rolls the dice or is the only one that may act."""
        thrower = min(decision.dice, key=lambda dice: dice.order).side if decision.dice else None
        acting = thrower or (decision.sides[0] if len(decision.sides) == 1 else None)
        return acting == self._page.far_side

    @property
    def _fits(self) -> int:
        if not self._page.app.theme.roomy:
            return MAX_CHOICES_ENLARGED
        return MAX_CHOICES if self._page.portrait else MAX_CHOICES_WIDE

    def _show_halves(self, decision: Decision) -> None:
        page = self._page
        order = page.order
        if tuple(half.colour for half in self._halves) != tuple(side.colour for side in order):
            self._halves = tuple(Half(side.colour) for side in order)
            turned = RotatedBox()
            turned.add_widget(self._halves[1])
            page.put("near", self._halves[0])
            page.put("far", turned)
            for name, half in zip(("near_height", "far_height"), self._halves, strict=True):
                half.fbind("need", lambda _, need, name=name: setattr(page, name, need))
        names, points = names_and_scores(page.session)
        score = dict(zip(names, points, strict=True))
        for half, side, other in zip(self._halves, order, reversed(order), strict=True):
            score_pair = (score.get(side.name, ""), score.get(other.name, ""))
            offers = page.edge_offers(decision, side.side, self._fits)
            half.show(side, score_pair, page.role(decision, side.side), side.side in decision.sides, offers)


def _odds_args(scene: Scene) -> tuple[Any, ...]:
    """Return the arguments of the odds figure; empty if there are no odds."""
    bar = next((figure for figure in scene.figures if isinstance(figure, OddsBar)), None)
    return () if bar is None else (bar, {side.side: side.colour for side in scene.sides})


class FarBar(TableBar):
    """The bar of the far player: last event and undo."""

    def _menu(self) -> list[Widget]:
        return []

    def _camera(self) -> list[Widget]:
        return []
