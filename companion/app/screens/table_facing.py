"""Screen 04, face to face: the screen lies flat between the players and the far half is turned round."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from kivy.metrics import dp
from kivy.properties import NumericProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.figures.odds import OddsFigure
from companion.app.page import load_kv
from companion.app.saver import standing
from companion.app.screens.table import TablePage
from companion.app.screens.table_bar import Bar
from companion.app.screens.table_centre import Centre
from companion.app.screens.table_edge import Offer
from companion.app.screens.table_half import Half
from companion.app.screens.table_offers import edge_offers, role
from companion.app.widgets.turned import Turned
from companion.games.base import Awaits, OddsBar, Scene

load_kv(__file__)

ROOM_FOR_BOTH = 330
"""Height of the middle, in dp, from which on the chances stand there twice."""
FITS, FITS_WIDE, FITS_ENLARGED = 4, 3, 2
"""So many choices of a side are in sight: two by two (SCREENS 4.1), beside its name, with enlarged text."""


class FacingTablePage(TablePage):
    """The first side sits near, the second far; *Places* swaps them."""

    far_bar_height = NumericProperty(0)
    far_height = NumericProperty(0)
    near_height = NumericProperty(0)

    def compose(self) -> None:
        super().compose()
        self.far_bar_height = dp(64) if self.portrait else 0
        self.pieces = FacingPieces(self)

    @property
    def far(self) -> str:
        return self.order[1].side


class Figures(Centre):
    """A wide and low middle has the dice beside the figures."""

    def _add_dice(self, crowded: bool) -> None:
        """They stand beside."""


class Middle(BoxLayout):
    """What both look at, turned to the one who acts; where there is room the chances once more for the other one."""

    def __init__(self, centre: Widget, far: bool, again: OddsFigure | None, **kwargs: Any) -> None:
        super().__init__(orientation="vertical", **kwargs)
        middle = Turned(over=far)
        middle.add_widget(centre)
        self.add_widget(middle)
        self._far, self._again = far, Turned(over=not far, size_hint_y=None, padding=(dp(16), dp(8)))
        if again is not None:
            again.fbind("height", self._fit)
            self._again.add_widget(again)
            self._fit(again, again.height)
            self.fbind("height", self._show)

    def _fit(self, _: Any, height: float) -> None:
        self._again.height = height + dp(16)

    def _show(self, *_: object) -> None:
        wanted = self.height >= dp(ROOM_FOR_BOTH)
        if wanted and self._again.parent is None:
            self.add_widget(self._again, index=0 if self._far else len(self.children))
        elif not wanted and self._again.parent is not None:
            self.remove_widget(self._again)


class FacingPieces:
    """What stands on a table between two players; made anew for each state."""

    def __init__(self, page: FacingTablePage) -> None:
        self._page = page
        self._halves: tuple[Half, ...] = ()
        self.centre: Centre | None = None

    @property
    def buttons(self) -> list[Any]:
        """The choices of each half."""
        return [half.buttons for half in self._halves]

    def show(self, scene: Scene, awaits: Awaits, either: list[Offer]) -> None:
        """Everything; `either` are the choices that belong to no side."""
        self._show_halves(awaits)
        far = self._far_acts(awaits)
        if self._page.portrait or not awaits.dice:
            self.centre = Centre(self._page, scene, awaits, either)
            middle: Widget = self.centre
        else:
            short = awaits if self._page.app.theme.roomy else replace(awaits, detail=None)
            self.centre = Centre(self._page, replace(scene, figures=()), short, [])
            middle = BoxLayout()
            middle.add_widget(Figures(self._page, scene, awaits, either))
            middle.add_widget(self.centre)
        self._page.put("centre", Middle(middle, far, _odds_again(scene)))
        self.show_bar()

    def show_bar(self) -> None:
        """The bars as they must be now, whole for the near side, fact and undo for the far one."""
        self._page.put("bar", Bar(self._page))
        if self._page.far_bar_height:
            turned = Turned()
            turned.add_widget(FarBar(self._page))
            self._page.put("far_bar", turned)

    def sheet_place(self, side: str | None) -> dict[str, Any]:
        """A sheet covers the middle and the asking half, seen from that half."""
        page = self._page
        if side == page.far:
            outer, other = page.far_bar_height, page.bar_height + page.near_height
        else:
            outer, other = page.bar_height, page.far_bar_height + page.far_height
        return {"edge": "bottom", "inset": (0.0, outer, 0.0, other)}

    def _far_acts(self, awaits: Awaits) -> bool:
        """Whether the middle is turned to the far side: to whoever throws, else to the only one who may act."""
        thrower = min(awaits.dice, key=lambda dice: dice.order).side if awaits.dice else None
        acting = thrower or (awaits.sides[0] if len(awaits.sides) == 1 else None)
        return acting == self._page.far

    @property
    def _fits(self) -> int:
        if not self._page.app.theme.roomy:
            return FITS_ENLARGED
        return FITS if self._page.portrait else FITS_WIDE

    def _show_halves(self, awaits: Awaits) -> None:
        page = self._page
        order = page.order
        if tuple(half.colour for half in self._halves) != tuple(side.colour for side in order):
            self._halves = tuple(Half(side.colour) for side in order)
            turned = Turned()
            turned.add_widget(self._halves[1])
            page.put("near", self._halves[0])
            page.put("far", turned)
            for name, half in zip(("near_height", "far_height"), self._halves, strict=True):
                half.fbind("need", lambda _, need, name=name: setattr(page, name, need))
        names, points = standing(page.session)
        score = dict(zip(names, points, strict=True))
        for half, side, other in zip(self._halves, order, reversed(order), strict=True):
            shown = (score.get(side.name, ""), score.get(other.name, ""))
            offers = edge_offers(page, awaits, side.side, self._fits)
            half.show(side, shown, role(awaits, side.side), side.side in awaits.sides, offers)


def _odds_again(scene: Scene) -> OddsFigure | None:
    bar = next((figure for figure in scene.figures if isinstance(figure, OddsBar)), None)
    return None if bar is None else OddsFigure(bar, {side.side: side.colour for side in scene.sides})


class FarBar(Bar):
    """The far player's: the last fact and the way to take it back."""

    def _menu(self) -> list[Any]:
        return []

    def _camera(self) -> list[Any]:
        return []
