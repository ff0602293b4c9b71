"""hoops21's scoreboard panel: the score above the court track with baskets, arcs, the pawn and its possible moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kivy.graphics import BorderImage, Color, Rectangle
from kivy.metrics import dp
from kivy.properties import ObjectProperty
from kivy.uix.widget import Widget

from companion.app import textures
from companion.app.display import display, signed, translate
from companion.app.figures.scoreboard import BoardPanel, ClockLine, Drawing, Order, ScorePanel
from companion.app.theme import RGBA, Theme, faded
from companion.app.widgets.components import bind_geometry
from companion.app.widgets.marks import draw_text
from companion.games.hoops21.scene import BoardSide, HoopsBoard
from companion.games.hoops21.tables import DICE

_SECTION_HEIGHT = 26
_NUMBER_SIZE = 15
_MIN_NUMBERED_WIDTH = 21
"""The minimum width in dp of a section that shows its number; on a narrower track every fifth one does."""
_NUMBER_INTERVAL = 5
_ARC_PATH = "M9 1c3 20 3 38 0 58"


class CourtTrack(Widget):
    """The court track.

    `mirrored` puts the first section at the right end, under the seat of the team whose basket it is.
    """

    board = ObjectProperty(None, allownone=True)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._mirrored = False
        self.spoken = ""
        bind_geometry(self, self._draw, "board")

    def show(self, board: HoopsBoard, mirrored: bool) -> None:
        """Draw the current court."""
        if mirrored != self._mirrored:
            self._mirrored, self.board = mirrored, None
        self.board = board
        self.spoken = "" if board.pawn is None else translate("app.hoops21.board.pawn", section=board.pawn)

    @property
    def _section_width(self) -> float:
        return float(self.width) / int(self.board.sections)

    def _section_left(self, section: int) -> float:
        """Return the left edge of a section, in pixels."""
        place = self.board.sections - section if self._mirrored else section - 1
        return float(self.x) + place * self._section_width

    def _draw(self) -> None:
        self.canvas.clear()
        if self.board is None or self.width < dp(60):
            return
        theme = display.theme
        with self.canvas:
            for section in range(1, self.board.sections + 1):
                self._draw_section(theme, section)
            self._draw_lines(theme)

    def _draw_section(self, theme: Theme, section: int) -> None:
        board = self.board
        gap = dp(2 if self._section_width > dp(_MIN_NUMBERED_WIDTH) else 1)
        left, width = round(self._section_left(section) + gap), round(self._section_width - 2 * gap)
        height, bottom = round(dp(_SECTION_HEIGHT)), round(self.center_y - dp(_SECTION_HEIGHT) / 2)
        side = theme.sides.get(board.attack or "")
        here, aimed = (
            section == board.pawn and side is not None,
            section in board.reachable_sections and side is not None,
        )
        radius = max(1, min(round(dp(6)), width // 3))
        ink = theme.craie if aimed else theme.craie2
        fill = faded(theme.creux, 0.8)
        if side is not None and here:
            fill, ink = side.main, side.ink
        Color(*fill)
        _draw_rounded(textures.rounded(radius), radius, left, bottom, width, height)
        if side is not None and aimed:
            Color(*side.main)
            picture = textures.dashed(width, height, radius, max(2.0, dp(2.5)), dp(4))
            Rectangle(texture=picture, pos=(left, bottom), size=(width, height))
        elif not here:
            Color(*faded(theme.craie, 0.4))
            _draw_rounded(textures.edge(radius, max(1.0, dp(1.2))), radius, left, bottom, width, height)
        middle = left + width / 2
        if section in (1, board.sections) and width >= dp(_MIN_NUMBERED_WIDTH) * 0.7:
            self._draw_basket(middle, round(min(dp(22), width)), ink)
        else:
            self._draw_number(section, middle, ink, always=here)
        mark = self._mark(section)
        if mark:
            draw_text(signed(mark), dp(12), theme.craie, middle, bottom + height + dp(6))

    def _mark(self, section: int) -> int:
        """Return the value marked at a section, 0 without a mark."""
        return next((mark.value for mark in self.board.marks if mark.section == section), 0)

    def _draw_number(self, section: int, middle: float, ink: RGBA, always: bool) -> None:
        """Number a section; on a narrow track only every `_NUMBER_INTERVAL` sections unless `always`."""
        small = self._section_width < dp(_MIN_NUMBERED_WIDTH)
        if always or not small or section % _NUMBER_INTERVAL == 0:
            draw_text(str(section), dp(_NUMBER_SIZE - 4 if small else _NUMBER_SIZE), ink, middle, self.center_y)

    def _draw_basket(self, middle: float, icon: int, ink: RGBA) -> None:
        """Draw the basket's icon of `icon` pixels about `middle`."""
        Color(*ink)
        Rectangle(
            texture=textures.icon("basket", icon),
            pos=(round(middle - icon / 2), round(self.center_y - icon / 2)),
            size=(icon, icon),
        )

    def _draw_lines(self, theme: Theme) -> None:
        """Draw the half line, and the arcs bent towards their baskets."""
        board, half = self.board, self.board.sections // 2
        orange, white = board.arcs
        width, height = round(dp(20)), round(self.height)
        straight, bent = "M10 1v58", _ARC_PATH
        faint, clear = 0.3, 0.92
        for between, path, flipped, strength in (
            (half, straight, False, faint),
            (orange, bent, False, clear),
            (white - 1, bent, True, clear),
        ):
            x = self._section_left(between) + (0 if self._mirrored else self._section_width)
            picture = textures.chalk_lines(path, width, height, (20.0, 60.0), 2.6)
            Color(*faded(theme.craie, strength))
            start, size = (x - width / 2, width) if flipped == self._mirrored else (x + width / 2, -width)
            Rectangle(texture=picture, pos=(round(start), round(self.y)), size=(size, height))


def _draw_rounded(texture: Any, radius: int, x: int, y: int, width: int, height: int) -> None:
    """Draw a texture with rounded corners, stretched between them."""
    BorderImage(texture=texture, border=[radius] * 4, pos=(x, y), size=(width, height))


_COURT = "M400 -30v140M442 60a42 42 0 1 1 -84 0a42 42 0 1 1 84 0"
_COURT_UPRIGHT = (
    "M225 -10v166M271 104a46 46 0 1 1 -92 0a46 46 0 1 1 92 0M-4 30c70 0 70 116 0 116M454 30c-70 0-70 116 0 116"
)


class HoopsPanel(BoardPanel[HoopsBoard]):
    """Teams with their roles, the points that win, the score, and the track as a strip below."""

    drawings = (Drawing(_COURT, 800, 114), Drawing(_COURT_UPRIGHT, 450, 156))
    strength = 0.22
    strips = (44, 60)
    middle = 230
    score_at = (70, 67, 112)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._track = CourtTrack(size_hint=(None, None))
        super().__init__(*args, **kwargs)
        self.add_widget(self._track)

    def show(
        self,
        board: HoopsBoard,
        order: Order,
        awaited: tuple[str, ...],
        before: Sequence[int] | None = None,
    ) -> None:
        sides = {side.side: side for side in board.sides}
        self.show_sides(order, awaited, lambda side: (False, side_details(sides[side])))
        self.part("clock", (clock_text(board), "", 0, None), ClockLine)
        self.show_score(order, tuple(sides), board.score, before)
        self._track.show(board, mirrored=order[0].side != board.sides[0].side)

    def place(self) -> None:
        super().place()
        self._track.pos = (self.x + dp(10), self.y + dp(4))
        self._track.size = (self.width - dp(20), self.strip)


def clock_text(board: HoopsBoard) -> str:
    """Return the points that win; once they are reached, the end."""
    if board.winner is not None:
        return translate("app.board.finished")
    return translate("app.hoops21.board.target", n=board.target)


def side_details(side: BoardSide) -> tuple[tuple[str, str], ...]:
    """Return the labels under a team's name: its role, the token, and its number of dice if one is held back."""
    found = []
    if side.role is not None:
        found.append((translate(f"app.hoops21.board.{side.role}"), ""))
    if side.token:
        found.append(("", translate("app.hoops21.board.token")))
    if side.dice != DICE:
        found.append((translate("app.hoops21.board.dice", n=side.dice), ""))
    return tuple(found)


PANEL = ScorePanel(HoopsPanel, landscape=158, low=142, portrait=216, max_choices=3)
