"""Touchable widgets: taps, long presses, one tap guard for the whole screen, and the button in all its styles."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from kivy.animation import Animation
from kivy.clock import Clock
from kivy.graphics import Color, Rectangle
from kivy.input import MotionEvent
from kivy.metrics import dp
from kivy.properties import BooleanProperty, NumericProperty, OptionProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior

from companion.app.display import break_at_hyphen, display
from companion.app.theme import RGBA, Theme, faded
from companion.app.widgets.marks import Framed, Icon, Mark
from companion.app.widgets.text import BoldText, Text

TAP_DEBOUNCE_S = 0.3
"""Seconds within which a second tap anywhere is ignored (SCREENS 4.7)."""
TAP_DEAD_TIME_S = 0.25
"""Seconds during which a widget that has just appeared or moved ignores touches (SCREENS 4.7)."""


class TapGuard:
    """Debounce of taps: a tap that follows another too soon is rejected. `clock` returns monotonic seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self.last_tap_at = float("-inf")
        """Time of the last accepted tap."""

    def accepts_tap(self) -> bool:
        """Return True if the tap counts."""
        now = self._clock()
        if now - self.last_tap_at < TAP_DEBOUNCE_S:
            return False
        self.last_tap_at = now
        return True


class Tappable(ButtonBehavior):
    """Mixin that adds `on_tap` to a widget.

    - `needs_long_press`: a tap requires a hold of 0.8 s, shown as a bar that fills.
    - `spoken`: the name that the voice says.
    - `wakes_at`: time of Kivy's clock before which touches are ignored.
    - `explored`: if everything is spoken, the first tap only says the name.

    Disabled widgets still accept taps, which explain why; the widget itself sets its look.
    """

    spoken = StringProperty("")
    needs_long_press = BooleanProperty(False)
    explored = BooleanProperty(True)
    wakes_at = NumericProperty(0.0)
    progress = NumericProperty(0.0)
    guard: ClassVar[TapGuard] = TapGuard(Clock.get_time)
    """One guard for the whole screen; the app replaces it for each window."""
    allows: ClassVar[Callable[[Tappable], bool]] = staticmethod(lambda tap: True)
    """Returns True if a tap triggers the action, False if it only announces it."""

    __events__ = ("on_tap",)

    def __init__(self, act: Callable[[], object] | None = None, **kwargs: Any) -> None:
        """`act` is called on a tap, in addition to callbacks bound to `on_tap`."""
        super().__init__(**kwargs)
        if act is not None:
            self.bind(on_tap=lambda *_: act())
        self._filling: Animation | None = None
        self._filled = False
        self.fbind("progress", self._draw_progress)

    def on_tap(self) -> None:
        """Event of a tap; bound by the creator of the widget."""

    def sleep(self, seconds: float = TAP_DEAD_TIME_S) -> None:
        """Ignore touches for a moment, because the widget has just appeared under a finger."""
        self.wakes_at = Clock.get_time() + seconds

    def on_press(self) -> None:
        self.show_pressed(True)
        self._filled = False
        if self.needs_long_press:
            self._filling = Animation(progress=1.0, duration=display.theme.seconds("hold"))
            self._filling.bind(on_complete=lambda *_: self._on_long_press())
            self._filling.start(self)

    def on_release(self) -> None:
        if not self.needs_long_press:
            self._dispatch_tap()
        elif not self._filled:
            Tappable.allows(self)

    def on_touch_up(self, touch: MotionEvent) -> bool:
        taken: bool = super().on_touch_up(touch)
        if touch.grab_current is self:
            self.cancel_press()
        return taken

    def _on_long_press(self) -> None:
        self._filled = True
        self.cancel_press()
        self._dispatch_tap()

    def cancel_press(self) -> None:
        """Cancel a press: reset the progress bar and the highlight."""
        if self._filling:
            self._filling.cancel(self)
            self._filling = None
        self.progress = 0.0
        flash = display.theme.seconds("tap")
        Clock.schedule_once(lambda *_: self.show_pressed(False), flash)

    def _dispatch_tap(self) -> None:
        if Clock.get_time() >= self.wakes_at and self.accepts_tap():
            self.dispatch("on_tap")

    def accepts_tap(self) -> bool:
        """Return True if the tap counts: it passes the guard and does not only announce the action."""
        return Tappable.guard.accepts_tap() and Tappable.allows(self)

    def show_pressed(self, on: bool) -> None:
        """Show the pressed state. Widgets with a surface override this to highlight it."""

    def _draw_progress(self, *_: object) -> None:
        self.canvas.after.remove_group("hold")
        if self.progress <= 0:
            return
        theme = display.theme
        with self.canvas.after:
            Color(*theme.laiton, group="hold")
            Rectangle(pos=self.pos, size=(self.width * self.progress, max(4.0, self.height * 0.08)), group="hold")

    def text_name(self) -> str:
        """Return the visible text without the second line."""
        return str(getattr(self, "text", ""))

    def spoken_name(self) -> str:
        """Return the text for the voice: the spoken name, else all visible text."""
        return self.spoken or " ".join(part for part in (self.text_name(), getattr(self, "detail", "")) if part)


STYLES = (
    "chalk", "brass", "outlined", "dashed", "quiet", "well", "side", "side_outlined", "side_thin", "todo", "raised",
)  # fmt: skip
_CLEAR: RGBA = (0.0, 0.0, 0.0, 0.0)
_STYLE_PROPERTIES = (
    "text",
    "detail",
    "icon",
    "end",
    "style",
    "side",
    "kind",
    "tone",
    "detail_tone",
    "end_tone",
    "icon_side",
)
"""Properties that affect the style of a button."""
_MIN_WIDTH = 48
"""Width in dp below which a button that fits its content is hard to hit."""
_MIN_SHRINK = 0.7
"""Minimum scale of the font for a word that is too wide."""


def style_colours(theme: Theme, style: str, side: str) -> tuple[RGBA, RGBA, bool, str]:
    """Return fill, line colour, whether the line is dashed, and text tone of a style in the colours of `side`.

    Without a side, the styles of a side are those in chalk.
    """
    if not side:
        style = {"side": "chalk", "side_outlined": "outlined", "side_thin": "outlined"}.get(style, style)
        side = "blue"
    tone = theme.sides[side]
    plain: dict[str, tuple[RGBA, RGBA, bool, str]] = {
        "chalk": (theme.craie, _CLEAR, False, "encre"),
        "brass": (theme.laiton, _CLEAR, False, "laiton_encre"),
        "outlined": (_CLEAR, theme.craie3, False, "craie"),
        "dashed": (_CLEAR, faded(theme.craie3, 0.7), True, "craie3"),
        "quiet": (_CLEAR, _CLEAR, False, "craie"),
        "well": (theme.creux, theme.bord, False, "craie"),
        "side": (tone.main, _CLEAR, False, "ink"),
        "side_outlined": (_CLEAR, tone.main, False, "craie"),
        "side_thin": (_CLEAR, faded(tone.main, 0.6), False, "craie"),
        "todo": (_CLEAR, theme.laiton, True, "craie"),
        "raised": (theme.feutre, theme.laiton, False, "craie"),
    }
    return plain[style]


class PushButton(Tappable, Framed):
    """A button.

    - `style`: one of STYLES.
    - `detail`: a second, smaller line.
    - `end`: an icon at the right edge.
    - `hug`: the width fits the content, but is at least that of a fingertip.
    - `left`: the content is left-aligned instead of centred.

    The default spoken name is text and detail.
    """

    text = StringProperty("")
    detail = StringProperty("")
    icon = StringProperty("")
    end = StringProperty("")
    style = OptionProperty("outlined", options=STYLES)
    side = StringProperty("blue")
    badge = StringProperty("")
    kind = StringProperty("bouton")
    tone = StringProperty("")
    detail_tone = StringProperty("")
    end_tone = StringProperty("")
    left = BooleanProperty(False)
    stacked = BooleanProperty(False)
    hug = BooleanProperty(False)
    pad = NumericProperty(12)
    icon_side = NumericProperty(24)

    def __init__(self, text: str = "", **kwargs: Any) -> None:
        self._head = BoldText(flow="free", size_hint=(None, None))
        self._small = Text(flow="free", kind="mini", leading=1.0, size_hint=(None, None))
        self._mark: Mark | None = None
        self._end: Icon | None = None
        if kwargs.get("hug"):
            kwargs.setdefault("size_hint_x", None)
        super().__init__(**kwargs)
        self.add_widget(self._head)
        self.add_widget(self._small)
        self._arrange_soon = Clock.create_trigger(self._arrange, -1)
        for name in ("pos", "size", "left", "stacked", "pad"):
            self.fbind(name, self._arrange_soon)
        self._apply_style_soon = Clock.create_trigger(self._apply_style, -1)
        for name in _STYLE_PROPERTIES:
            self.fbind(name, self._apply_style_soon)
        self.text = text or self.text
        self._apply_style()

    def mark(self, mark: Mark) -> None:
        """Show a badge, die or other mark instead of the icon."""
        if self._mark:
            self.remove_widget(self._mark)
        self._mark = mark
        self.add_widget(mark)
        self._arrange_soon()

    def show_pressed(self, on: bool) -> None:
        theme = display.theme
        if on and self.style != "chalk":
            self.fill = faded(theme.craie, 0.9)
            self._head.color = self._small.color = theme.encre
        elif on:
            self.fill = theme.craie2
        else:
            self._apply_style()

    def _apply_style(self, *_: object) -> None:
        theme = display.theme
        self.fill, self.line, dashed, tone = style_colours(theme, self.style, self.side)
        self.dash = 5 if dashed else 0
        ink = theme.sides[self.side].ink if tone == "ink" else theme.tone(self.tone or tone)
        self._head.kind = self.kind
        self._head.text = self.text
        self._head.color = ink
        self._small.text = self.detail
        quiet = self.style in ("outlined", "quiet", "well", "side_outlined", "side_thin")
        self._small.color = theme.tone(self.detail_tone) if self.detail_tone else (theme.craie2 if quiet else ink)
        if self.style == "todo" and not self.detail_tone:
            self._small.color = theme.laiton
        self._apply_icon_style(self.tone or tone)
        self._arrange_soon()

    def _apply_icon_style(self, tone: str) -> None:
        if self.icon:
            icon = self._mark if isinstance(self._mark, Icon) else Icon(self.icon)
            if icon is not self._mark:
                self.mark(icon)
            icon.name, icon.side, icon.tone = self.icon, self.icon_side, tone if tone != "ink" else "encre"
        if self.end:
            if self._end is None:
                self._end = Icon()
                self.add_widget(self._end)
            self._end.name = self.end
            self._end.tone = self.end_tone or (tone if tone != "ink" else "encre")
        elif self._end is not None:
            self.remove_widget(self._end)
            self._end = None

    def _arrange(self, *_: object) -> None:
        pad, gap = dp(self.pad), dp(10)
        marked = float(self._mark.size[0]) if self._mark else 0.0
        beside = 0.0 if self.stacked else marked + gap * bool(marked and (self.text or self.detail))
        after = dp(8) + float(self._end.width) if self._end else 0.0
        available_width = max(1.0, self.width - 2 * pad - beside - after)
        wide = max(
            _measure(self._head, self.text, None if self.hug else available_width),
            _measure(self._small, self.detail, None if self.hug else available_width),
        )
        if self.hug:
            self.setter("width")(self, max(dp(_MIN_WIDTH), wide + 2 * pad + beside + after))
            available_width = wide
        tall = self._text_height()
        if tall > self.height * 1.02 + dp(4):  # lines are a little higher than their letters
            wide, tall = self._shrink(self.height / tall)
        if self.stacked and self._mark:
            whole = tall + marked + dp(4)
            self._mark.pos = (self.center_x - marked / 2, self.center_y + whole / 2 - marked)
            self._place_text(self.center_x - wide / 2, self._mark.y - dp(4), wide, tall)
        else:
            start = self.x + pad if self.left else self.x + (self.width - after - beside - wide) / 2
            if self._mark:
                self._mark.pos = (start, self.center_y - self._mark.height / 2)
            self._place_text(start + beside, self.center_y + tall / 2, wide, tall)
        if self._end:
            self._end.pos = (self.right - pad - self._end.width, self.center_y - self._end.height / 2)

    def _shrink(self, ratio: float) -> tuple[float, float]:
        """Set both labels smaller, so that wrapped lines stay inside the button. Returns their width and height."""
        for label in (self._head, self._small):
            label.font_size *= max(_MIN_SHRINK, ratio)
            label.texture_update()
            label.size = label.texture_size
        return max(self._head.width, self._small.width), self._text_height()

    def _text_height(self) -> float:
        return float(self._head.height * bool(self.text) + self._small.height * bool(self.detail))

    def _place_text(self, text_x: float, top: float, wide: float, tall: float) -> None:
        """Place both labels in the box of `wide` x `tall` pixels with its top left corner at (`text_x`, `top`)."""
        self._head.halign = self._small.halign = "left" if self.left else "center"
        inset = 0 if self.left else (wide - self._head.width) / 2
        self._head.pos = (text_x + inset, top - self._head.height)
        inset = 0 if self.left else (wide - self._small.width) / 2
        self._small.pos = (text_x + inset, top - tall)


def _measure(label: Text, text: str, available_width: float | None) -> float:
    """Lay out a text in the available width, wrapping only if needed, and return its width.

    A word that is too wide breaks at its hyphen only; then the font size shrinks.
    """
    label.text = text
    label.font_size = display.theme.type(label.kind)
    label.text_size = (None, None)
    label.texture_update()
    if available_width is not None and label.texture_size[0] > available_width:
        width_of = label._label.get_extents
        label.text = " ".join(
            break_at_hyphen(word) if width_of(word)[0] > available_width else word for word in text.split(" ")
        )
        longest = max((width_of(word)[0] for word in label.text.split()), default=0)
        if longest > available_width:
            label.font_size *= max(_MIN_SHRINK, 0.98 * available_width / longest)
        label.text_size = (available_width, None)
        label.texture_update()
    label.size = label.texture_size
    return float(label.width)


class LongPressable(Tappable):
    """Mixin that dispatches `on_tap` on release before the hold time, and `on_hold` when the hold time is reached."""

    __events__ = ("on_hold",)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._stays: Any = None
        self._stayed = False

    def on_hold(self) -> None:
        """Event of a long press; bound by the creator of the widget."""

    def on_press(self) -> None:
        super().on_press()
        self._stayed = False
        self._stays = Clock.schedule_once(self._stay, display.theme.seconds("hold"))

    def on_release(self) -> None:
        if not self._stayed:
            super().on_release()

    def on_touch_up(self, touch: MotionEvent) -> bool:
        if touch.grab_current is self and self._stays is not None:
            self._stays.cancel()
        return bool(super().on_touch_up(touch))

    def cancel_press(self) -> None:
        """Cancel a press, including the pending hold."""
        if self._stays is not None:
            self._stays.cancel()
        super().cancel_press()

    def _stay(self, *_: object) -> None:
        self._stayed = True
        self.cancel_press()
        if Clock.get_time() >= self.wakes_at and self.accepts_tap():
            self.dispatch("on_hold")
