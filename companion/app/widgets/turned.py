"""What is turned round, so that the player opposite reads it upright."""

from __future__ import annotations

from typing import Any

from kivy.graphics import PopMatrix, PushMatrix, Rotate
from kivy.properties import BooleanProperty
from kivy.uix.boxlayout import BoxLayout


class Turned(BoxLayout):
    """Holds pieces and, while `over`, shows them upside down around its own middle; touches find them there."""

    over = BooleanProperty(True)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        with self.canvas.before:
            PushMatrix()
            self._rotate = Rotate(angle=0, axis=(0, 0, 1))
        with self.canvas.after:
            PopMatrix()
        for name in ("pos", "size", "over"):
            self.fbind(name, self._turn)
        self._turn()

    def to_local(self, x: float, y: float, relative: bool = False) -> tuple[float, float]:
        """From the holder's coordinates to those in which the pieces stand."""
        return self._point(*super().to_local(x, y, relative))

    def to_parent(self, x: float, y: float, relative: bool = False) -> tuple[float, float]:
        """Back again: half a turn is its own opposite."""
        return super().to_parent(*self._point(x, y), relative)

    def on_touch_down(self, touch: Any) -> bool:
        return self._passed(touch, super().on_touch_down)

    def on_touch_move(self, touch: Any) -> bool:
        return self._passed(touch, super().on_touch_move)

    def on_touch_up(self, touch: Any) -> bool:
        return self._passed(touch, super().on_touch_up)

    def _passed(self, touch: Any, on: Any) -> bool:
        touch.push()
        touch.apply_transform_2d(self.to_local)
        try:
            return bool(on(touch))
        finally:
            touch.pop()

    def _point(self, x: float, y: float) -> tuple[float, float]:
        if not self.over:
            return x, y
        return 2 * self.x + self.width - x, 2 * self.y + self.height - y

    def _turn(self, *_: object) -> None:
        self._rotate.angle = 180 if self.over else 0
        self._rotate.origin = (self.x + self.width / 2, self.y + self.height / 2)
