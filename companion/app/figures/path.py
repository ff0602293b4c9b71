"""The path of an attack in the centre: its zones as tiles towards the goal, with the posts that count in each."""

from __future__ import annotations

from typing import Any

from kivy.graphics import Color, Line
from kivy.metrics import dp
from kivy.uix.widget import Widget

from companion.app.display import display, text
from companion.app.theme import faded
from companion.app.widgets.components import bind_geometry, fill
from companion.app.widgets.marks import Framed, draw_fitted, draw_text, text_width
from companion.games.figures import PathZone, ZonePath

_TILE_DP, _UPRIGHT_TILE_DP = 44, 60
"""Height of a tile in landscape and in portrait; one with a player is half as high again."""
_ROW_GAP_DP = 4
_COLUMN_GAP_DP = 18
_GOAL_DP = 16
_TITLE = 1.3
"""Height of the title as a multiple of its type."""


class PathFigure(Widget):
    """Zones in columns towards the goal, joined where one leads to the next.

    `mirrored` draws the goal at the left, for an attack from the right; `low` keeps the tiles low in portrait too.
    """

    def __init__(
        self, figure: ZonePath, tones: dict[str, str], mirrored: bool = False, low: bool = False, **kwargs: Any
    ) -> None:
        super().__init__(size_hint_y=None, **kwargs)
        self._figure, self._tones, self._mirrored = figure, tones, mirrored
        self._tiles = {zone.id: ZoneTile(zone, figure.side, tones) for row in figure.rows for zone in row}
        fill(self, *self._tiles.values())
        tall = dp(_UPRIGHT_TILE_DP if display.portrait and not low else _TILE_DP)
        kept = any(zone.player for row in figure.rows for zone in row)
        self._tile_height = tall * (1.5 if kept else 1)
        most = max(map(len, figure.rows), default=1)
        self._title = text(figure.title)
        self._title_height = display.theme.type("corps") * _TITLE if self._title else 0.0
        self.height = most * self._tile_height + (most - 1) * dp(_ROW_GAP_DP) + self._title_height
        self.spoken = self._title
        bind_geometry(self, self._place)

    def _place(self) -> None:
        columns = len(self._figure.rows)
        width = (self.width - dp(_GOAL_DP)) / max(1, columns) - dp(_COLUMN_GAP_DP)
        if width < dp(20):
            return
        middle = self.y + (self.height - self._title_height) / 2
        for number, row in enumerate(self._figure.rows):
            along = number * (width + dp(_COLUMN_GAP_DP))
            left = self.right - along - width if self._mirrored else self.x + along
            step = self._tile_height + dp(_ROW_GAP_DP)
            for place, zone in enumerate(row):
                tile = self._tiles[zone.id]
                tile.size = (width, self._tile_height)
                tile.pos = (left, middle - self._tile_height / 2 + step * ((len(row) - 1) / 2 - place))
        self._draw(middle)

    def _draw(self, middle: float) -> None:
        """Draw the title, the lines between zones, and the goal."""
        theme = display.theme
        canvas = self.canvas.before
        canvas.clear()
        towards = -1 if self._mirrored else 1
        goal = self.x + dp(2) if self._mirrored else self.right - dp(2)
        tall = min(self.height - self._title_height, dp(_TILE_DP))
        with canvas:
            if self._title:
                size = theme.type("corps")
                wide = min(self.width, text_width(self._title, size))
                x = self.right - wide / 2 if self._mirrored else self.x + wide / 2
                draw_fitted(self._title, size, theme.craie, x, self.top - self._title_height / 2, wide)
            Color(*faded(theme.craie, 0.5))
            deep = goal - towards * dp(_GOAL_DP - 4)
            Line(points=(deep, middle - tall / 2, goal, middle - tall / 2), width=dp(1.4))
            Line(points=(deep, middle + tall / 2, goal, middle + tall / 2), width=dp(1.4))
            Line(points=(goal, middle - tall / 2, goal, middle + tall / 2), width=dp(1.4))
            for tile in self._tiles.values():
                end = tile.x if self._mirrored else tile.right
                if tile.zone.shot:
                    Line(points=(end, tile.center_y, deep, middle), width=dp(1.4))
                for other in (self._tiles[id] for id in tile.zone.next if id in self._tiles):
                    start = other.right if self._mirrored else other.x
                    Line(points=(end, tile.center_y, start, other.center_y), width=dp(1.4))


class ZoneTile(Framed, Widget):
    """A zone: filled where the ball is, brass where it may go, outlined ahead, faint behind."""

    def __init__(self, zone: PathZone, side: str, tones: dict[str, str], **kwargs: Any) -> None:
        super().__init__(radius=10, line_width=2, **kwargs)
        theme = display.theme
        self.zone = zone
        attack = theme.sides[tones[side]]
        self._posts = [(text(posts), theme.sides[tones[whose]].main) for posts, whose in zone.posts]
        self.fill, self.line, self._ink = theme.creux, theme.craie3, theme.craie
        if zone.state == "here":
            self.fill, self.line, self._ink = attack.main, attack.main, attack.ink
            self._posts = [(label, attack.ink) for label, _ in self._posts]
        elif zone.state == "option":
            self.line = theme.laiton
        elif zone.state == "past":
            self.fill, self.line, self._ink = (0, 0, 0, 0), faded(theme.craie3, 0.5), theme.craie2
        self.spoken = " ".join((zone.id, *(label for label, _ in self._posts), zone.player)).strip()
        bind_geometry(self, self._draw)

    def _draw(self) -> None:
        self.canvas.clear()
        if self.width < dp(20):
            return
        lines = 1 + bool(self._posts) + bool(self.zone.player)
        size = min(display.theme.type("corps"), self.height / (lines * 1.25 + 0.3))
        step = self.height / (lines + 0.4)
        top = self.top - step * 0.7
        space = self.width - dp(8)
        with self.canvas:
            draw_fitted(self.zone.id, size, self._ink, self.center_x, top, space)
            if self._posts:
                self._draw_posts(top - step, size, space)
            if self.zone.player:
                draw_fitted(self.zone.player, size, self._ink, self.center_x, top - step * (lines - 1), space)

    def _draw_posts(self, y: float, size: float, space: float) -> None:
        """Draw the posts of both sides beside each other, each in its colour, smaller if they do not fit."""
        between = "\N{MIDDLE DOT}"
        parts = [(label, colour) for label, colour in self._posts if label]
        wanted = sum(text_width(label, size) for label, _ in parts) + dp(12) * (len(parts) - 1)
        if wanted > space:
            size *= space / wanted
        widths = [text_width(label, size) for label, _ in parts]
        gap = min(dp(12), space * 0.1)
        x = self.center_x - (sum(widths) + gap * (len(parts) - 1)) / 2
        for number, ((label, colour), width) in enumerate(zip(parts, widths, strict=True)):
            if number:
                draw_text(between, size, self._ink, x - gap / 2, y)
            draw_text(label, size, colour, x + width / 2, y)
            x += width + gap
