"""Layout widgets: boxes, fitting columns, cards, chips, segmented controls, steppers, scrollers, page headers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar

from kivy.clock import Clock
from kivy.effects.scroll import ScrollEffect
from kivy.metrics import dp
from kivy.properties import BooleanProperty, NumericProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.scrollview import ScrollView
from kivy.uix.widget import Widget

from companion.app.display import context_of, display, translate
from companion.app.widgets.button import PushButton
from companion.app.widgets.marks import Framed, text_width
from companion.app.widgets.sized import Sized
from companion.app.widgets.text import BoldText, Text

Value = TypeVar("Value")


def fill(place: Widget, *pieces: Widget) -> None:
    """Add widgets to a container in order."""
    for piece in pieces:
        place.add_widget(piece)


class Box(Sized, BoxLayout):
    """A row of widgets, or a column with `orientation="vertical"`. With `grows` its height fits the content."""

    def __init__(self, *pieces: Widget, grows: bool = False, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        _add_pieces(self, pieces, grows)


class HBox(Box):
    """A row of widgets."""


class VBox(Box):
    """A column of widgets."""

    def __init__(self, *pieces: Widget, **kwargs: Any) -> None:
        super().__init__(*pieces, orientation="vertical", **kwargs)


class Grid(Sized, GridLayout):
    """A grid of widgets. With `grows` its height fits the content."""

    def __init__(self, *pieces: Widget, grows: bool = False, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        _add_pieces(self, pieces, grows)


def _add_pieces(place: Widget, pieces: Sequence[Widget], grows: bool) -> None:
    if grows:
        place.size_hint_y, place.height = None, 0  # an empty place would keep the 100 pixels of every Kivy widget
        place.bind(minimum_height=place.setter("height"))
    fill(place, *pieces)


class Card(Framed, BoxLayout):
    """A raised panel in a theme colour (`surface`), or with `side` in that side's panel colour.

    With `grows` its height fits the content.
    """

    surface = StringProperty("feutre")
    side = StringProperty("")

    def __init__(self, *pieces: Widget, grows: bool = False, **kwargs: Any) -> None:
        kwargs.setdefault("orientation", "vertical")
        super().__init__(**kwargs)
        self.fbind("surface", self._apply_style)
        self.fbind("side", self._apply_style)
        self._apply_style()
        _add_pieces(self, pieces, grows)

    def _apply_style(self, *_: object) -> None:
        theme = display.theme
        self.fill = theme.sides[self.side].panel if self.side else theme.tone(self.surface)


class Chip(Framed, BoxLayout):
    """A label with a value, as wide as its text."""

    def __init__(self, label: str, value: str = "", tone: str = "craie", kind: str = "corps", **kwargs: Any) -> None:
        super().__init__(size_hint=(None, None), height=dp(26), padding=(dp(8), 0), spacing=dp(5), radius=6, **kwargs)
        self.fill = display.theme.creux
        self.parts = [Text(label, kind=kind, flow="line", plain=False)] if label else []
        if value:
            self.parts.append(BoldText(value, flow="line", kind=kind, tone=tone))
        for part in self.parts:
            part.texture_update()
            part.size = part.texture_size
            part.pos_hint = {"center_y": 0.5}
            self.add_widget(part)
        self.width = sum(part.width for part in self.parts) + dp(16) + dp(5) * (len(self.parts) - 1)
        self.height = max(dp(26), *(part.height for part in self.parts))


_MIN_SEGMENT_DP = 52


class SegmentedControl(Framed, BoxLayout):
    """A choice between a few visible values; the current value is filled with chalk.

    The values are equally wide, unless a word needs more.
    """

    def __init__(
        self, options: Sequence[tuple[Value, str]], value: Value, choose: Callable[[Value], None], **kwargs: Any
    ) -> None:
        kind = kwargs.pop("kind", "bouton")
        super().__init__(padding=dp(3), spacing=dp(3), **kwargs)
        self.fill = display.theme.creux
        self.pushes: dict[object, PushButton] = {}
        pad = 6 if len(options) < 5 else 3
        for option, label in options:
            push = PushButton(label, style="chalk" if option == value else "quiet", kind=kind, pad=pad, radius=9)
            push.bind(on_tap=lambda _, option=option: choose(option))
            self.pushes[option] = push
            self.add_widget(push)
        size = display.theme.type(kind)
        longest = [max((text_width(word, size) for word in label.split()), default=0) for _, label in options]
        self._needed = [max(dp(_MIN_SEGMENT_DP), width + 2 * dp(pad)) for width in longest]
        self.fbind("width", self._share)

    def _share(self, *_: object) -> None:
        count = len(self._needed)
        is_narrow = max(self._needed, default=0) > (self.width - dp(3) * (count + 1)) / max(1, count)
        for push, needed in zip(self.pushes.values(), self._needed, strict=True):
            push.size_hint_x = needed if is_narrow else 1


class Stepper(Box):
    """A number between minus and plus. `tap` receives the step, `name` is the counted thing, `colour` is the side's."""

    def __init__(
        self,
        colour: str,
        tap: Callable[[int], object],
        name: str,
        *,
        kind: str = "grand",
        button: tuple[int, int] = (54, 26),
        **kwargs: Any,
    ) -> None:
        """`button` is the height of both buttons and the size of their icons, in dp."""
        super().__init__(**{"tall": 58, "spacing": dp(4), **kwargs})
        self._number = BoldText("0", kind=kind, flow="box", halign="center")
        self._buttons = [
            PushButton(
                icon=icon,
                icon_side=button[1],
                side=colour or "blue",
                tone=colour,
                spoken=f"{sign} {name}",
                middle=True,
                wide=56,
                tall=button[0],
                act=partial(tap, by),
            )
            for icon, sign, by in (("minus", "\N{MINUS SIGN}", -1), ("plus", "+", 1))
        ]
        fill(self, self._buttons[0], self._number, self._buttons[1])

    def show(self, value: int, less: bool, more: bool) -> None:
        """Show a new number, and whether the minus and plus steps are possible."""
        self._number.text = str(value)
        for push, may in zip(self._buttons, (less, more), strict=True):
            push.style = "side_outlined" if may else "dashed"


def bounded_stepper(
    value: int, limits: range, on_value: Callable[[int], object], name: str, *, colour: str = "", **kwargs: Any
) -> Stepper:
    """Return a stepper limited to `limits`; `on_value` receives the new value."""

    def step(by: int) -> None:
        if value + by in limits:
            on_value(value + by)

    steps = Stepper(colour, step, name, **kwargs)
    steps.show(value, value > limits.start, value < limits.stop - 1)
    return steps


class Scroller(ScrollView):
    """A column that scrolls if needed, with a thin chalk scroll bar."""

    def __init__(self, *content: Widget, **kwargs: Any) -> None:
        kwargs.setdefault("effect_cls", ScrollEffect)  # the damped effect oscillates without end when frames are slow
        super().__init__(do_scroll_x=False, bar_width=dp(5), scroll_type=["bars", "content"], **kwargs)
        theme = display.theme
        self.bar_color = theme.craie3
        self.bar_inactive_color = theme.craie3
        fill(self, *content)


_LEAST_WIDTH_DP = 320
"""No screen is narrower than this, in dp."""


class HeaderBar(Framed, BoxLayout):
    """The header of a page. `title` and `sub` are its texts; `at_end` and `mark` add widgets."""

    title = StringProperty("")
    sub = StringProperty("")

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            padding=(dp(8), dp(2), dp(12), dp(2)), spacing=dp(8), tall=60 if display.portrait else 56, **kwargs
        )
        self.fill, self.radius = display.theme.nuit, 0
        self.back = PushButton(icon="left", icon_side=28, style="quiet", spoken=translate("app.back"), wide=52)
        self.back.bind(on_tap=lambda back: context_of(back).back())
        self._title = BoldText(kind="titre", flow="line", middle=True)
        self._sub = Text(flow="line", tone="craie2", middle=True)
        self._front: list[Widget] = [self.back]
        self._end: list[Widget] = []
        self._fill_soon = Clock.create_trigger(self._fill, -1)
        for name in ("title", "sub", "width"):
            self.fbind(name, self._fill_soon)
        self._fill()

    def _fill(self, *_: object) -> None:
        """Lay out the header. If it does not fit, drop `sub`, then shrink the title, then wrap it, then show only the
        icons of buttons, then drop the title.
        """
        self._title.text, self._sub.text = self.title, self.sub
        visible = [label for label in (self._sub, self._title) if label.text]
        fixed = [*self._front, *self._end]
        for kind in ("titre", "bouton", "corps"):
            self._title.kind = kind
            if kind != "titre" and self._sub in visible:
                visible.remove(self._sub)
            for label in visible:
                label.texture_update()
                label.size = label.texture_size
            if self._needs([*fixed, *visible]) <= self.width:
                break
        title: Text | None = self._title
        if self._needs([*fixed, *visible]) > self.width:
            title = self._wrapped_title(self.width - self._needs([*fixed, self._title]) + self._title.width)
            visible.clear()
            if title is None and self._hide_text():
                return  # the width of the button has changed, so this runs again
        self.clear_widgets()
        titled = [title] if title is not None and title.text else []
        quiet = [self._sub] if self._sub in visible else []
        for piece in (*self._front, *titled, Widget(), *quiet, *self._end):
            self.add_widget(piece)

    def _hide_text(self) -> bool:
        """Show the first button that has an icon and a text without its text. Returns False if there is none."""
        if self.width < dp(_LEAST_WIDTH_DP) or not self._title.text:
            return False  # not laid out yet, or nothing to save
        for piece in self._end:
            if isinstance(piece, PushButton) and piece.hug and piece.icon and piece.text:
                piece.spoken = piece.spoken or piece.text
                piece.text = ""
                self._fill_soon()
                return True
        return False

    def _wrapped_title(self, width: float) -> Text | None:
        """Return the title on two lines of this width in pixels, in small type if needed; None if it does not fit."""
        for kind in ("corps", "mini"):
            label = BoldText(self._title.text, kind=kind, halign="left", leading=0.95, middle=True, size_hint_x=None)
            if not label.text or any(label._label.get_extents(word)[0] > width for word in label.text.split()):
                continue
            label.width = width
            label.text_size = (width, None)
            label.texture_update()
            if label.texture_size[1] <= self.height - dp(4):
                return label
        return None

    def _needs(self, pieces: list[Widget]) -> float:
        return sum(float(piece.width) for piece in pieces) + dp(20) + dp(8) * len(pieces)

    def at_end(self, *pieces: Widget) -> None:
        """Add widgets at the right end."""
        for piece in pieces:
            self._end.append(piece)
            piece.fbind("width", self._fill_soon)
        self._fill_soon()

    def warn(self, sentence: str) -> None:
        """Show a warning in brass at the right end, in place of `sub`."""
        self._sub.tone, self._sub.plain, self._sub.strong, self._sub.kind = "laiton", False, True, "bouton"
        self.sub = sentence

    def mark(self, badge: Widget) -> None:
        """Show a side's badge before the title."""
        badge.pos_hint = {"center_y": 0.5}
        self._front.append(badge)
        self._fill_soon()


_MIN_GAP_DP = 5
"""Gap between widgets if some are dropped, in dp."""
_LEAST_GAP_DP = 3
"""The smallest gap that shows every widget, in dp."""
_MAX_KEPT_FIGURES = 3
"""Maximum number of unused figures that are kept through states that do not show them (`kept_longer`)."""
_LAST_SPARED = 2
"""Widgets with at most this `spare` are worth more than the facts at the edges."""
_ROUNDING_TOLERANCE_PX = 1
"""Tolerance for rounding, in pixels."""


class Spacer(Widget):
    """A widget that fills the remaining space, so that the following widgets are at the bottom."""


class FitColumn(BoxLayout):
    """A column of widgets with fixed heights, from top to bottom. Gaps shrink when space is short.

    `add(piece, spare)` sets the priority: if space is still short, widgets with the highest `spare` are dropped first
    and those with 0 never. After that, widgets with a method `brief` are asked to show less; it returns True if it
    changed something.
    """

    shortage = NumericProperty(0)
    overflows = BooleanProperty(False)
    """True if the space is short although each widget shows its least."""
    need = NumericProperty(0)
    """Height of all content with normal gaps, independent of the current height."""
    bare = NumericProperty(0)
    """Height without all optional content."""
    worth = NumericProperty(0)
    """Height with the optional content that is dropped last."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(orientation="vertical", **kwargs)
        self._roomy: float = self.spacing
        self._brief_soon = Clock.create_trigger(self._brief, 0)
        self._pieces: list[tuple[Widget, int]] = []

    def add(self, piece: Widget, spare: int = 0) -> Widget:
        has_own_height = isinstance(piece, Text) and piece.flow == "box" and piece.size_hint_y is None
        if isinstance(piece, Text) and not has_own_height:
            piece.height = piece.font_size * 1.25  # first estimate, until the text is laid out
        self._append(piece, spare)
        return piece

    def refill(self, pieces: Sequence[tuple[Widget, int]]) -> None:
        """Set the widgets and their order. Widgets that are kept are not recreated."""
        if list(pieces) == self._pieces:
            return
        for piece, _ in self._pieces:
            piece.funbind("height", self._trigger_layout)
        self._pieces = []
        self.clear_widgets()
        for piece, spare in pieces:
            self._append(piece, spare)

    def _append(self, piece: Widget, spare: int) -> None:
        self._pieces.append((piece, spare))
        piece.fbind("height", self._trigger_layout)
        self.add_widget(piece)

    def do_layout(self, *args: object) -> None:
        """Decide which widgets to show, then place them. Hidden widgets are measured as if they were shown."""
        for piece, _ in self._pieces:
            if piece.parent is None and piece.size_hint_x is not None:
                piece.width = self.width - self.padding[0] - self.padding[2]
        whole = self._needed(set(), self._roomy)
        around = float(self.padding[1] + self.padding[3])
        self.bare = self._needed({id(piece) for piece, spare in self._pieces if spare}, self._roomy) + around
        self.worth = (
            self._needed({id(piece) for piece, spare in self._pieces if spare > _LAST_SPARED}, self._roomy) + around
        )
        self.need = whole + around
        self.spacing = gap = self._fitting_gap()
        stay = self._staying(gap)
        if self.shortage > _ROUNDING_TOLERANCE_PX:
            self._brief_soon()
        else:
            self.overflows = False
        if list(reversed(self.children)) != stay:
            super().clear_widgets()
            for piece in stay:
                super().add_widget(piece)
        super().do_layout(*args)

    def _brief(self, *_: object) -> None:
        """Show less, unless there is enough space by now: texts get their final width one frame after adding."""
        if self.shortage <= _ROUNDING_TOLERANCE_PX:
            return
        if any(_briefed(piece) for piece in reversed(self.children) if hasattr(piece, "brief")):
            self._trigger_layout()  # the widget may be as tall as before, because another part of it takes the space
        else:
            self.overflows = True

    def _staying(self, gap: float) -> list[Widget]:
        available_height = self._available_height()
        removed: set[int] = set()
        for piece, spare in sorted(self._pieces, key=lambda entry: -entry[1]):
            if not spare or self._needed(removed, gap) <= available_height:
                break
            removed.add(id(piece))
        self.shortage = max(0, self._needed(removed, gap) - available_height)
        return [piece for piece, _ in self._pieces if id(piece) not in removed]

    def _fitting_gap(self) -> float:
        """Return the gap that shows every widget, or a small one if some must be dropped."""
        gaps = max(1, len(self._pieces) - 1)
        fitting = (self._available_height() - self._needed(set(), 0)) // gaps
        return float(min(self._roomy, fitting if fitting >= dp(_LEAST_GAP_DP) else dp(_MIN_GAP_DP)))

    def _available_height(self) -> float:
        return float(self.height - self.padding[1] - self.padding[3])

    def _needed(self, removed: set[int], gap: float) -> float:
        staying = [piece for piece, _ in self._pieces if id(piece) not in removed]
        heights = [0 if isinstance(piece, Spacer) else piece.height for piece in staying]
        return float(sum(heights) + gap * max(0, len(heights) - 1))


class ReusingColumn(FitColumn):
    """A column that is rebuilt for each state and reuses the figures of the previous column that are unchanged."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._drawn: list[tuple[Any, Widget]] = []
        self._known: list[tuple[Any, Widget]] = []

    def take_over(self, before: ReusingColumn | None) -> None:
        """Take the figures of another column, which is empty afterwards. Figures that were shortened are not reused."""
        if before is not None:
            before.refill(())
            drawn = [made for made in before._drawn if not getattr(made[1], "briefed", False)]
            longer = [made for made in before._known if getattr(made[1], "kept_longer", False)]
            self._known = [*drawn, *longer[:_MAX_KEPT_FIGURES]]

    def figure(self, make: Callable[..., Widget], *of: object, spare: int = 0, **options: Any) -> Widget:
        """Return a figure made from these values; reuses a known figure that was made from the same values."""
        made_of = (make, of, options)
        place = next((place for place, (known, _) in enumerate(self._known) if known == made_of), None)
        piece = make(*of, **options) if place is None else self._known.pop(place)[1]
        self._drawn.append((made_of, piece))
        return self.add(piece, spare)


def _briefed(piece: Any) -> bool:
    """Ask a widget to show less. Marks it as shortened if it did, so that it is not reused as a complete one."""
    if not piece.brief():
        return False
    piece.briefed = True
    return True


def bind_geometry(widget: Widget, place: Callable[[], None], *also: str) -> None:
    """Call `place` before the next frame whenever pos, size or a property in `also` changes.

    An immediate call would be too early: Kivy updates `top`, `right` and `center` after it dispatches the size.
    """
    trigger = Clock.create_trigger(lambda *_: place(), -1)
    for name in ("pos", "size", *also):
        widget.fbind(name, trigger)
    trigger()
