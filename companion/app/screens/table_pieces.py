"""What stands on the table, kept from one state to the next: the board, the two edges, the centre and the bar."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.app.boards.registry import PANELS
from companion.app.screens.table_bar import Bar
from companion.app.screens.table_centre import Centre
from companion.app.screens.table_edge import Edge, Offer
from companion.app.screens.table_offers import edge_offers, role
from companion.app.screens.table_plan import PORTRAIT_FITS
from companion.games.base import Awaits, Scene, SideScene

if TYPE_CHECKING:
    from companion.app.figures.choice import ChoiceButton
    from companion.app.screens.table import TablePage


class Pieces:
    """Shows a state of the match with the widgets of the state before, as far as they can show it."""

    def __init__(self, page: TablePage) -> None:
        self._page = page
        self._board: Any = None
        self._on_board: tuple[Any, ...] = ()
        self._edges: tuple[Edge, ...] = ()
        self._bar: Bar | None = None
        self.centre: Centre | None = None

    def show(self, scene: Scene, awaits: Awaits, either: list[Offer]) -> None:
        """Everything; `either` are the choices that belong to no side."""
        order = self._page.order
        self._show_board(scene, order, awaits)
        self._show_edges(order, awaits)
        self.centre = Centre(self._page, scene, awaits, either, before=self.centre)
        self.centre.fbind("worth", self._level)
        self._page.put("centre", self.centre)
        self.show_bar()

    def show_bar(self) -> None:
        """The bar as it must be now."""
        if self._bar is None or not self._bar.show():
            self._bar = Bar(self._page)
            self._page.put("bar", self._bar)

    @property
    def buttons(self) -> list[list[ChoiceButton]]:
        """The choices at each edge."""
        return [edge.buttons for edge in self._edges]

    def sheet_place(self, side: str | None) -> dict[str, Any]:
        """Where a sheet that asks a side opens: over the centre and that side's column, from its edge."""
        page = self._page
        left, right = page.ids.left.width, page.ids.right.width
        if page.portrait:
            edge, insets = "bottom", (0.0, 0.0)
        elif side is None:
            edge, insets = "bottom", (left, right)
        else:
            first = side == page.order[0].side
            edge, insets = ("left", (0.0, right)) if first else ("right", (left, 0.0))
        return {"edge": edge, "inset": (insets[0], page.bar_height, insets[1], page.board_height)}

    def _show_board(self, scene: Scene, order: tuple[SideScene, SideScene], awaits: Awaits) -> None:
        """The panel of the match shows the state, unless it shows it already."""
        kept = self._page.kept
        named = tuple((side.side, side.name, side.colour, side.letter) for side in order)
        if (scene.board, named, awaits.sides) == self._on_board:
            return
        self._on_board = (scene.board, named, awaits.sides)
        shown = (scene.board, order, awaits.sides, kept.score)
        if self._board is not None:
            self._board.show(*shown)
        else:
            self._board = PANELS[type(scene.board)].make(*shown)
            self._page.put("board", self._board)
        kept.score = scene.board.score

    def _show_edges(self, order: tuple[SideScene, SideScene], awaits: Awaits) -> None:
        page = self._page
        if tuple(edge.colour for edge in self._edges) != tuple(side.colour for side in order):
            self._edges = tuple(Edge(side.colour, right=place == 1) for place, side in enumerate(order))
            for name, edge in zip(("left", "right"), self._edges, strict=True):
                edge.fbind("need", self._level)
                page.put(name, edge)
        fits = PORTRAIT_FITS if page.portrait else PANELS[type(page.session.scene().board)].fits
        for edge, side in zip(self._edges, order, strict=True):
            edge.show(side, role(awaits, side.side), edge_offers(page, awaits, side.side, fits))
        self._level()

    def _level(self, *_: object) -> None:
        """In portrait both edges are as tall as the fuller one needs; for the middle they go without their facts."""
        page = self._page
        if page.portrait:
            room = page.height - page.board_height - page.bar_height - (self.centre.worth if self.centre else 0)
            least = max(edge.bare for edge in self._edges)
            page.edge_height = max(least, min(room, max(edge.need for edge in self._edges)))
