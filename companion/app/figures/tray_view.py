"""The camera's whole picture while it is set up: corners to be dragged, how light each part is, where the card lies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kivy.app import App
from kivy.graphics import Color, Ellipse, Line, Rectangle, RoundedRectangle
from kivy.metrics import dp
from kivy.properties import ObjectProperty
from kivy.uix.widget import Widget

from companion.app.figures.placing import whenever_placed
from companion.app.figures.tray import picture_texture
from companion.app.theme import faded
from vision.calibration_words import Place

_HANDLE, _GRASP = 27, 40
"""Radius in dp of the ring about a corner, and of what a finger may miss it by."""


class TrayView(Widget):
    """Shows JPEG pictures whole. Places are pixels of the camera's picture of `size_of`, whatever the JPEG's size."""

    texture = ObjectProperty(None, allownone=True)
    corners = ObjectProperty(())
    card = ObjectProperty(())
    cells = ObjectProperty(())

    def __init__(self, dragged: Callable[[tuple[Place, ...]], None] | None = None, **kwargs: Any) -> None:
        """`dragged` is told the four corners when one was dragged; without it they stay where they are."""
        self._dragged = dragged
        self._size_of = (0, 0)
        self._columns = 1
        self._held: int | None = None
        super().__init__(**kwargs)
        whenever_placed(self, self._draw, "texture", "corners", "card", "cells")

    def show(self, jpeg: bytes) -> None:
        """Another picture."""
        self.texture = picture_texture(jpeg)

    def mark(
        self,
        size: tuple[int, int],
        corners: Sequence[Place] = (),
        card: Sequence[Place] = (),
        cells: Sequence[float] = (),
        columns: int = 1,
    ) -> None:
        """What was found, in pixels of a picture of `size`."""
        self._size_of, self._columns = size, max(1, columns)
        if self._held is None:
            self.corners = tuple(corners)
        self.card, self.cells = tuple(card), tuple(cells)

    def place_of(self, number: int) -> tuple[float, float]:
        """Where the corner of that number is on the screen."""
        return self._on_screen(self.corners[number])

    def on_touch_down(self, touch: Any) -> bool:
        if self._dragged is None or not self.corners or not self.collide_point(*touch.pos):
            return bool(super().on_touch_down(touch))
        gaps = [_gap(self._on_screen(corner), touch.pos) for corner in self.corners]
        nearest = min(range(len(gaps)), key=gaps.__getitem__)
        if gaps[nearest] > dp(_GRASP):
            return bool(super().on_touch_down(touch))
        self._held = nearest
        touch.grab(self)
        return True

    def on_touch_move(self, touch: Any) -> bool:
        if touch.grab_current is not self or self._held is None:
            return bool(super().on_touch_move(touch))
        corners = list(self.corners)
        corners[self._held] = self._in_picture(touch.pos)
        self.corners = tuple(corners)
        return True

    def on_touch_up(self, touch: Any) -> bool:
        if touch.grab_current is not self or self._held is None:
            return bool(super().on_touch_up(touch))
        touch.ungrab(self)
        self._held = None
        if self._dragged is not None:
            self._dragged(tuple(self.corners))
        return True

    # From the picture to the screen and back

    def _frame(self) -> tuple[float, float, float]:
        """Left and top of the picture on the screen, and pixels of the screen to one of the camera's."""
        width, height = self._size_of if min(self._size_of) > 0 else (self.texture.width, self.texture.height)
        scale = min(self.width / width, self.height / height)
        return self.center_x - width * scale / 2, self.center_y + height * scale / 2, scale

    def _on_screen(self, place: Place) -> tuple[float, float]:
        left, top, scale = self._frame()
        return left + place[0] * scale, top - place[1] * scale

    def _in_picture(self, pos: tuple[float, float]) -> Place:
        left, top, scale = self._frame()
        x, y = (pos[0] - left) / scale, (top - pos[1]) / scale
        width, height = self._size_of
        return min(max(0.0, x), width - 1.0), min(max(0.0, y), height - 1.0)

    # Drawing

    def _draw(self) -> None:
        theme = App.get_running_app().theme
        self.canvas.clear()
        if self.width < 4 or self.height < 4:
            return
        with self.canvas:
            Color(*theme.creux)
            RoundedRectangle(pos=self.pos, size=self.size, radius=[dp(8)])
            if self.texture is None:
                return
            left, top, scale = self._frame()
            width, height = self._size_of if min(self._size_of) > 0 else self.texture.size
            Color(1, 1, 1, 1)
            Rectangle(
                texture=self.texture,
                pos=(left, top - height * scale),
                size=(width * scale, height * scale),
                tex_coords=(0, 1, 1, 1, 1, 0, 0, 0),
            )
            self._draw_cells(theme)
            self._draw_outline(theme, self.card, False)
            self._draw_outline(theme, self.corners, self._dragged is not None)

    def _draw_outline(self, theme: Any, places: Sequence[Place], handles: bool) -> None:
        if len(places) < 3:
            return
        points = [value for place in places for value in self._on_screen(place)]
        Color(*theme.nuit)
        Line(points=points, close=True, width=dp(2.4))
        Color(*theme.laiton)
        Line(points=points, close=True, width=dp(1.5))
        for place in places if handles else ():
            x, y = self._on_screen(place)
            Color(*faded(theme.nuit, 0.35))
            Ellipse(pos=(x - dp(_HANDLE), y - dp(_HANDLE)), size=(dp(2 * _HANDLE), dp(2 * _HANDLE)))
            Color(*theme.laiton)
            Line(circle=(x, y, dp(_HANDLE)), width=dp(1.6))
            Ellipse(pos=(x - dp(5), y - dp(5)), size=(dp(10), dp(10)))

    def _draw_cells(self, theme: Any) -> None:
        """Parts of the tray that are much darker or brighter than the usual, with their share in per cent of it."""
        if len(self.corners) != 4 or not self.cells:
            return
        rows = len(self.cells) // self._columns
        for number, share in enumerate(self.cells):
            if 0.6 <= share <= 1.6:
                continue
            row, column = divmod(number, self._columns)
            corner = self._within((column + 0.1) / self._columns, (row + 0.1) / rows)
            other = self._within((column + 0.9) / self._columns, (row + 0.9) / rows)
            Color(*faded(theme.nuit if share < 1 else theme.craie, 0.55))
            Rectangle(pos=(corner[0], other[1]), size=(other[0] - corner[0], corner[1] - other[1]))

    def _within(self, across: float, down: float) -> tuple[float, float]:
        """A place of the tray, by shares of its sides, on the screen."""
        a, b, c, d = (self._on_screen(corner) for corner in self.corners)
        top = (a[0] + (b[0] - a[0]) * across, a[1] + (b[1] - a[1]) * across)
        foot = (d[0] + (c[0] - d[0]) * across, d[1] + (c[1] - d[1]) * across)
        return top[0] + (foot[0] - top[0]) * down, top[1] + (foot[1] - top[1]) * down


def _gap(one: tuple[float, float], other: tuple[float, float]) -> float:
    return float(((one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2) ** 0.5)
