"""One side of the table, as an edge or a half of the screen: its role, choices and facts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from kivy.clock import Clock
from kivy.core.text import Label as CoreLabel
from kivy.graphics import Color, Rectangle
from kivy.metrics import dp
from kivy.properties import NumericProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app import textures
from companion.app.display import display, text
from companion.app.figures.choice import ChoiceButton
from companion.app.fonts import CONDENSED
from companion.app.prompts.sheet import Keypad
from companion.app.widgets.components import FitColumn, Grid, HBox, Spacer, VBox, bind_geometry, fill
from companion.app.widgets.marks import SideBadge
from companion.app.widgets.text import BoldText, Name, Text
from companion.games.base import Prompt, SideScene, SideStat

_MAX_CACHED_SHAPES = 3
"""Number of cached sets of fact rows."""
_COMPACT_BUTTON_HEIGHT_DP = 51
"""Button height in dp when space is short."""
_LEAST_BUTTON_HEIGHT_DP = 48
"""Button height in dp when space is still short without details and effects. The 7 inch display, with a density of 1,
keeps 51: its pixels are wider than high (SCREENS 2)."""
_MANY_OFFERS = 5
"""From this many buttons on those of a portrait edge have their smallest height."""


@dataclass(frozen=True, slots=True)
class KeypadOffer:
    """A number keypad at the edge: the prompt, the callback of a key, and the callback for larger numbers."""

    prompt: Prompt
    answer: Callable[[int], object]
    more: Callable[[], object]


@dataclass(frozen=True, slots=True)
class Offer:
    """A button of an edge: its content and its action."""

    text: str
    tap: Callable[[], None]
    prominence: int = 2
    detail: str = ""
    effect: str = ""
    is_unavailable: bool = False
    needs_long_press: bool = False
    marked: bool = False
    """The big hardware button plays this choice."""
    keys: KeypadOffer | None = None


def _later(rows: Sequence[tuple[Widget, int]]) -> list[tuple[Widget, int]]:
    """Return rows that give way one step later than they would on their own."""
    return [(row, spare + bool(spare)) for row, spare in rows]


class Edge(FitColumn):
    """One edge, created once and updated in place. `right` puts the coloured band at the right (in portrait: top)."""

    def __init__(self, colour: str, right: bool, **kwargs: Any) -> None:
        self._upright = display.portrait
        super().__init__(spacing=dp(8), **kwargs)
        self.colour, self._right = colour, right
        self.padding = self._padding()
        self._role = BoldText(kind="corps", tone=colour, halign="left")
        self._role.height = self._role.font_size * 1.25
        self._spring = Spacer()
        self._offers: Sequence[Offer] = ()
        self._pool: list[ChoiceButton] = []
        self.buttons: list[ChoiceButton] = []
        self._keypad: Keypad | None = None
        self._facts: tuple[Any, ...] = ()
        self._rows: list[tuple[Widget, int]] = []
        self._shapes: list[tuple[Any, list[tuple[Widget, int]]]] = []
        with self.canvas.before:
            theme = display.theme
            Color(*theme.sides[colour].panel)
            self._panel = Rectangle()
            Color(*theme.sides[colour].main)
            self._band = Rectangle()
        bind_geometry(self, self._paint)
        self.fbind("shortage", self._tighten)
        self._tighten_on = Clock.create_trigger(self._tighten, 0)

    def show(self, scene: SideScene, role: str, offers: Sequence[Offer]) -> None:
        """Show the role, choices and facts of the side."""
        keys = next((offer.keys for offer in offers if offer.keys), None)
        offers = [offer for offer in offers if not offer.keys]
        self._role.text, self._offers = text(keys.prompt.title) if keys else role, offers
        while len(self._pool) < len(offers):
            self._pool.append(self._new_button(len(self._pool)))
        self.buttons = self._pool[: len(offers)]
        is_compact = self._upright and len(offers) >= _MANY_OFFERS
        for button, offer in zip(self.buttons, offers, strict=True):
            show_offer(button, offer)
            button.least = _COMPACT_BUTTON_HEIGHT_DP if is_compact else button.least
        self._show_facts(scene.stats, big=len(offers) < 2)
        row: list[tuple[Widget, int]] = [(button, 0) for button in self.buttons]
        if keys:
            row.insert(0, (self._keys(keys), 0))
        facts = [] if keys and self._upright else _later(self._rows)
        self.refill([(self._role, 1 if row else 0), *row, *facts])  # the choices say what the role would

    def _padding(self) -> tuple[float, float, float, float]:
        if self._upright:
            inner, outer = dp(8), dp(12)
            return (inner, dp(12), outer, dp(8)) if self._right else (outer, dp(12), inner, dp(8))
        return (dp(12), dp(8), dp(16), dp(8)) if self._right else (dp(16), dp(8), dp(12), dp(8))

    def _keys(self, keys: KeypadOffer) -> Keypad:
        if self._keypad is None:
            self._keypad = Keypad(self.colour)
        if self._keypad.parent is None:
            self._keypad.sleep()
        self._keypad.show(keys.prompt, keys.answer, keys.more)
        return self._keypad

    def _new_button(self, place: int) -> ChoiceButton:
        return _reused_button(place, lambda: self._offers, side=self.colour, height=dp(58))

    def _tighten(self, *_: object) -> None:
        """If space is short even without facts, take one step: reduce button heights, hide details one by one, shrink
        effects, hide effects and the details that tell buttons apart, shrink labels.
        """
        if self.shortage <= 0 or self.height <= dp(160) or self._upright:
            return
        # The shortage may not change with the next layout, so no property event would follow.
        if not self._is_laid_out():
            self._tighten_on()  # texts that are not at their final width do not show the real shortage
        elif self._shorten():
            Clock.schedule_once(self._tighten_on)

    def _shorten(self) -> bool:
        """Save height by one step. Returns False if nothing is left to save."""
        least = _LEAST_BUTTON_HEIGHT_DP if dp(1) > 1 else _COMPACT_BUTTON_HEIGHT_DP
        return (
            self._limit_heights(_COMPACT_BUTTON_HEIGHT_DP)
            or self.condense()
            or self._set_buttons(dense=True)
            or self._set_buttons(effect="", detail="")
            or self._limit_heights(least)
            or self._set_buttons(small=True)
        )

    def _limit_heights(self, most: int) -> bool:
        """Limit the minimum height of the buttons, in dp. Returns False if nothing changes."""
        higher = [button for button in self.buttons if button.least > most]
        for button in higher:
            button.least = most
        return bool(higher)

    def _set_buttons(self, **values: object) -> bool:
        """Set these properties of all buttons. Returns False if nothing changes."""
        before = [(button, name) for button in self.buttons for name in values if getattr(button, name) != values[name]]
        for button, name in before:
            setattr(button, name, values[name])
        return bool(before)

    def condense(self) -> bool:
        """Hide the detail of the tallest button whose label says enough. Returns False if there is none."""
        labels = Counter(button.text for button in self.buttons)
        detailed = [button for button in self.buttons if button.detail and labels[button.text] == 1]
        if not detailed:
            return False
        tallest = max(detailed, key=lambda button: button.height)
        tallest.detail, tallest.least = "", _COMPACT_BUTTON_HEIGHT_DP
        return True

    def _is_laid_out(self) -> bool:
        """True if the buttons have their final width."""
        available_width = self.width - self.padding[0] - self.padding[2]
        return not any(button.parent is self and abs(button.width - available_width) > 1 for button in self.buttons)

    def _show_facts(self, facts: Sequence[SideStat], big: bool) -> None:
        """Show facts. Rows are reused while their labels are unchanged; only the numbers are updated."""
        shape = (tuple(fact.label for fact in facts), big)
        if shape != self._facts:
            self._facts = shape
            known = next((rows for other, rows in self._shapes if other == shape), None)
            self._rows = known or self._fact_rows(facts, big)
            self._shapes = [(shape, self._rows), *(one for one in self._shapes if one[0] != shape)][:_MAX_CACHED_SHAPES]
        for row, _ in self._rows:
            if isinstance(row, FactLine):
                row.show(facts[:2])
        rows = [row for row, _ in self._rows if isinstance(row, FactRow)]
        for row, fact in zip(rows, facts, strict=False):
            row.show(fact)

    def _fact_rows(self, facts: Sequence[SideStat], big: bool) -> list[tuple[Widget, int]]:
        if not facts:
            return [(self._spring, 0)]
        if self._upright and not big:
            return [(FactLine(facts[:2]), 1), (self._spring, 0)]
        block = facts[:2] if self._upright else facts
        return [(self._spring, 0), *((FactRow(fact, big), 1 + index) for index, fact in enumerate(block))]

    def _paint(self) -> None:
        self._panel.pos, self._panel.size = self.pos, self.size
        if self._upright:
            self._band.pos, self._band.size = (self.x, self.top - dp(6)), (self.width, dp(6))
        else:
            self._band.pos = (self.right - dp(6) if self._right else self.x, self.y)
            self._band.size = (dp(6), self.height)


def _reused_button(place: int, offers: Callable[[], Sequence[Offer]], **options: Any) -> ChoiceButton:
    """Return a reusable button for the offer at an index. A tap runs the offer that was shown when the touch began.

    If the offers have changed before the release, that offer is stale and is rejected by its sequence number.
    """
    touched: list[Offer] = []

    def come_down(*_: object) -> None:
        touched[:] = offers()[place : place + 1]

    def tap() -> None:
        for offer in touched or offers()[place : place + 1]:
            offer.tap()
        touched.clear()

    button = ChoiceButton(act=tap, **options)
    button.bind(on_press=come_down)
    return button


def offer_button(offer: Offer, side: str = "", least: int | None = None) -> ChoiceButton:
    """Return a button for an offer; `least` overrides its minimum height in dp."""
    button = ChoiceButton(side=side, act=lambda: offer.tap())
    show_offer(button, offer)
    if least is not None:
        button.least = least
    return button


def show_offer(button: ChoiceButton, offer: Offer) -> None:
    """Show an offer on a button, replacing the previous one."""
    button.text, button.detail, button.effect = offer.text, offer.detail, offer.effect
    button.dense = button.small = False
    button.prominence, button.is_unavailable, button.needs_long_press, button.marked = (
        offer.prominence,
        offer.is_unavailable,
        offer.needs_long_press,
        offer.marked,
    )
    button.least = 52 if offer.is_unavailable or not (offer.detail or offer.effect) else 58


class FactRow(Widget):
    """A label on the left and its number on the right of a line."""

    def __init__(self, fact: SideStat, big: bool, **kwargs: Any) -> None:
        super().__init__(size_hint_y=None, **kwargs)
        theme = display.theme
        self.height = theme.type("corps" if big else "mini") * 1.2
        kinds = ["corps", "mini"] if big else ["mini"]
        self._label = Name(text(fact.label), kinds=kinds, tone="craie2", halign="left", strong=False, plain=True)
        self._number = BoldText(fact.value, kind="bouton" if big else "corps", flow="line")
        fill(self, self._label, self._number)
        self._number.fbind("size", lambda *_: self._place())
        bind_geometry(self, self._place)

    def show(self, fact: SideStat) -> None:
        """Update the number."""
        self._number.text = fact.value

    def _place(self) -> None:
        number, label = self._number, self._label
        number.right, number.center_y = self.right, self.center_y
        label.pos, label.size = self.pos, (self.width - number.width - dp(6), self.height)


class FactLine(BoxLayout):
    """A few facts on one line, as many as fit."""

    def __init__(self, facts: Sequence[SideStat], **kwargs: Any) -> None:
        super().__init__(size_hint_y=None, height=dp(21), spacing=dp(6), **kwargs)
        self._pairs = []
        for fact in facts:
            label = Text(text(fact.label), kind="mini", tone="craie2", flow="line", middle=True)
            number = BoldText(fact.value, kind="corps", flow="line", middle=True)
            self._pairs.append((label, number))
            fill(self, label, number)
        bind_geometry(self, self._show)

    def show(self, facts: Sequence[SideStat]) -> None:
        """Update the numbers."""
        for (_, number), fact in zip(self._pairs, facts, strict=True):
            number.text = fact.value
        self._show()

    def _show(self) -> None:
        used = 0.0
        for pair in self._pairs:
            used += sum(piece.width + self.spacing for piece in pair)
            for piece in pair:
                piece.opacity = 1.0 if used - self.spacing <= self.width else 0.0


BAND, PAD = 6, 8
"""Width of the side's colour band at the inner edge, and padding, in dp."""
GAP = 8
HEAD_BESIDE = 270
"""Width of name and score in dp when they are beside the choices."""


class SideName(Name):
    """A side's name, with a brass chalk underline while the side has to act."""

    def __init__(self, name: str, awaited: bool, **kwargs: Any) -> None:
        super().__init__(
            name, kinds=["bouton", "corps", "mini"], halign="left", valign="middle", initials=True, **kwargs
        )
        self._awaited = awaited
        bind_geometry(self, self._underline, "texture_size")

    def _underline(self) -> None:
        self.canvas.after.clear()
        if not self._awaited:
            return
        probe = CoreLabel(font_name=CONDENSED, font_size=self.font_size, bold=True)
        width = round(min(self.width, probe.get_extents(self.text)[0] + dp(6)))
        height = max(5, round(self.font_size * 0.2))
        if width < dp(8):
            return
        with self.canvas.after:
            Color(*display.theme.laiton)
            texture = textures.chalk_stroke(width, height)
            Rectangle(texture=texture, pos=(round(self.x - dp(2)), round(self.y - height * 0.4)), size=(width, height))


class Half(BoxLayout):
    """One half of a face-to-face table. `need` is its height; the colour band is at the edge towards the centre."""

    need = NumericProperty(0)

    def __init__(self, colour: str, **kwargs: Any) -> None:
        upright = display.portrait
        super().__init__(orientation="vertical" if upright else "horizontal", spacing=dp(GAP), **kwargs)
        self.padding = (dp(PAD + 4), dp(PAD + BAND), dp(PAD + 4), dp(PAD))
        self.colour = colour
        self._head_state: tuple[object, ...] = ()
        self._offers: Sequence[Offer] = ()
        self._pool: list[ChoiceButton] = []
        self.buttons: list[ChoiceButton] = []
        self._upright = upright
        theme = display.theme
        tall = max(dp(52), 1.3 * (theme.type("bouton") + theme.type("mini")))
        self._head = HBox(size_hint_y=None, height=tall, spacing=dp(10))
        if not upright:
            self._head.size_hint_x, self._head.width = None, dp(HEAD_BESIDE)
        self._grid = Grid(cols=2 if upright else 4, spacing=dp(GAP), height=0, grows=True)
        self._measure_soon = Clock.create_trigger(self._measure, -1)
        self._grid.fbind("height", self._measure_soon)
        with self.canvas.before:
            Color(*theme.sides[colour].panel)
            self._panel = Rectangle()
            Color(*theme.sides[colour].main)
            self._band = Rectangle()
        bind_geometry(self, self._paint)
        fill(self, self._head, self._grid)

    def show(self, scene: SideScene, score: tuple[str, str], role: str, awaited: bool, offers: Sequence[Offer]) -> None:
        """Show the side; `score` is its own and the opponent's score."""
        head_state = (scene.name, scene.colour, scene.letter, scene.crest, score, role, awaited)
        if head_state != self._head_state:
            self._head_state = head_state
            self._fill_head(scene, score, role, awaited)
        self._offers = offers
        while len(self._pool) < len(offers):
            self._pool.append(self._new_button(len(self._pool)))
        if len(self.buttons) != len(offers):
            self.buttons = self._pool[: len(offers)]
            self._grid.clear_widgets()
            self._grid.cols = 2 if self._upright else max(1, len(offers))
            fill(self._grid, *self.buttons)
        for button, offer in zip(self.buttons, offers, strict=True):
            show_offer(button, offer)
        self._measure_soon()

    def _new_button(self, place: int) -> ChoiceButton:
        return _reused_button(place, lambda: self._offers, side=self.colour)

    def _fill_head(self, scene: SideScene, score: tuple[str, str], role: str, awaited: bool) -> None:
        middle = {"center_y": 0.5}
        self._head.clear_widgets()
        badge = SideBadge(side=36, colour=scene.colour, letter=scene.letter, crest=scene.crest, pos_hint=middle)
        self._head.add_widget(badge)
        line = Name(role, kinds=["mini"], tone="laiton" if awaited else "craie2", halign="left")
        text_box = VBox(SideName(scene.name, awaited), line)
        fill(self._head, text_box, BoldText(score[0], kind="grand", tone=scene.colour, flow="line", pos_hint=middle))
        self._head.add_widget(BoldText(f"– {score[1]}", kind="grand", flow="line", pos_hint=middle))

    def _measure(self, *_: object) -> None:
        head, grid = float(self._head.height), float(self._grid.height)
        inner = head + grid + dp(GAP) * bool(self.buttons) if self._upright else max(head, grid)
        self.need = inner + dp(2 * PAD + BAND)

    def _paint(self) -> None:
        self._panel.pos, self._panel.size = self.pos, self.size
        self._band.pos, self._band.size = (self.x, self.top - dp(BAND)), (self.width, dp(BAND))
