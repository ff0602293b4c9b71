"""Common parts of all scoreboards (chalk lines, two sides, clock, score), and the plain scoreboard."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar, cast

from kivy.animation import Animation
from kivy.clock import Clock
from kivy.graphics import Color
from kivy.graphics.vertex_instructions import RoundedRectangle
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget

from companion.app.display import break_at_hyphen, display, shortened_names, text
from companion.app.theme import faded
from companion.app.widgets.components import bind_geometry
from companion.app.widgets.marks import Icon, SideBadge
from companion.app.widgets.text import BoldText, ChalkLines, Text, Underlined
from companion.games.base import Board, SideScene
from companion.games.figures import PlainBoard

_FOOT = 8
"""Space in dp below the numbers of a side in portrait."""
_SHORT_LINE = 140
"""Width in dp of a line with several of these numbers: the score between the sides keeps its size."""


class TeamCorner(Widget):
    """A side on the scoreboard: badge, name, home mark if it plays at home, and labelled `numbers` below."""

    def __init__(
        self, home: bool, numbers: tuple[tuple[str, str], ...], side: SideScene, right: bool, **kwargs: Any
    ) -> None:
        super().__init__(size_hint=(None, None), **kwargs)
        self._full = side.name
        self._right, self._upright = right, display.portrait
        self._badge = SideBadge(side=32, colour=side.colour, letter=side.letter, crest=side.crest)
        self._name = Underlined(side.name, kind="titre", stroke="", leading=0.88, flow="free")
        self._home = Icon("house", side=22) if home else None
        self._numbers = [Numbers(label, number) for label, number in numbers]
        for piece in (self._badge, self._name, self._home, *self._numbers):
            if piece is not None:
                self.add_widget(piece)

    def mark_awaited(self, awaited: bool) -> None:
        """Underline the name if the side has to act."""
        self._name.stroke = "laiton" if awaited else ""

    @property
    def foot(self) -> float:
        """The lower edge of the name."""
        return float(self._name.y)

    @property
    def inmost(self) -> float:
        """Reach of the numbers, from the outer edge inwards."""
        visible = [numbers for numbers in self._numbers if numbers.opacity]
        reach = [self.right - numbers.x if self._right else numbers.right - self.x for numbers in visible]
        return float(max(reach, default=0.0))

    def arrange(self, low: bool) -> None:
        """Place all widgets from the outer edge inwards. A long name wraps, in smaller type if needed."""
        edge, gap = dp(16), dp(8)
        after = self._home.width + gap if self._home else 0
        self._fit_name(self.width - edge - self._badge.width - gap - after - dp(4))
        top = self.top - (dp(4) if self._upright else dp(4 if low else 11))
        middle = top - max(dp(34), self._name.height) / 2
        x = self._inward(edge, self._badge)
        self._badge.center_y = middle
        x = self._inward(x + gap, self._name)
        self._name.center_y = middle
        if self._home:
            self._inward(x + gap, self._home)
            self._home.center_y = middle
        self._arrange_numbers(edge, middle - max(dp(34), self._name.height) / 2 - dp(6))

    def _inward(self, at: float, piece: Widget) -> float:
        """Place a widget `at` pixels from the outer edge. Returns the distance of its inner edge."""
        if self._right:
            piece.right = round(self.right - at)
        else:
            piece.x = round(self.x + at)
        return at + float(piece.width)

    def _arrange_numbers(self, edge: float, top: float) -> None:
        if self._upright:
            for line in self._stacked(top - self.y - dp(_FOOT)):
                at = edge
                for numbers in reversed(line) if self._right else line:
                    numbers.top = top
                    at = self._inward(at, numbers) + dp(12)
                top -= max(numbers.height for numbers in line)
                for numbers in line:
                    numbers.opacity = 1.0 if top >= self.y - dp(3) else 0.0
            return
        fitting, remaining_width = [], self.width - edge
        for numbers in self._numbers:
            remaining_width -= numbers.width + dp(12)
            numbers.opacity = 1.0 if remaining_width >= -dp(12) else 0.0
            if numbers.opacity:
                fitting.append(numbers)
        at = edge
        for numbers in reversed(fitting) if self._right else fitting:
            numbers.center_y = round(top - dp(11))
            at = self._inward(at, numbers) + dp(12)

    def _stacked(self, height: float) -> list[list[Numbers]]:
        """Return the numbers in lines: one each, or the first short ones together if the lines are too high."""
        lines = [[numbers] for numbers in self._numbers]
        while lines and sum(max(numbers.height for numbers in line) for line in lines) > height:
            pairs = (
                at
                for at in range(len(lines) - 1)
                if sum(numbers.width + dp(12) for numbers in (*lines[at], *lines[at + 1])) <= dp(_SHORT_LINE)
            )
            at = next(pairs, None)
            if at is None:
                break
            lines[at : at + 2] = [[*lines[at], *lines[at + 1]]]
        return lines

    def _fit_name(self, available_width: float) -> None:
        name = self._name
        name.halign = "right" if self._right else "left"
        tallest = dp(46 if self._upright else 60)
        for candidate in shortened_names(self._full):
            for kind, lines in (("titre", 1), ("bouton", 2), ("corps", 2), ("mini", 2)):
                name.kind = kind
                wide = name._label.get_extents
                name.text = " ".join(
                    break_at_hyphen(word) if wide(word)[0] > available_width else word for word in candidate.split(" ")
                )
                name.text_size = (None, None) if lines == 1 else (available_width, None)
                name.texture_update()
                wide, high = name.texture_size
                if wide <= available_width and high <= min(tallest, (lines + 0.4) * name.font_size):
                    name.size = name.texture_size
                    return
        name.font_size *= min(1.0, available_width / name.texture_size[0])
        self._cut_name(tallest)
        name.size = name.texture_size

    def _cut_name(self, max_height: float) -> None:
        """Cut a wrapped name that is too high even in small type, such as 40 Chinese characters without a space."""
        name = self._name
        name.texture_update()
        if name.texture_size[1] > max_height:
            name.font_size = min(name.font_size, display.theme.type("mini") * 100 / display.theme.text)
            name.text = name.beginning_in_box(name.text, name.text_size[0], max_height)
        name.texture_update()


def short_name(name: str, letter: str, max_chars: int = 14) -> str:
    """Return a name for one short line: complete, with initials, its last part, or only its letter."""
    one_line = (candidate for candidate in shortened_names(name) if "\n" not in candidate)
    parts = re.split(r"[\s-]", name)
    return next((words for words in (*one_line, parts[-1]) if len(words) <= max_chars), letter)


class Numbers(BoxLayout):
    """A label and its number on one line, as wide as its text."""

    def __init__(self, label: str, number: str, **kwargs: Any) -> None:
        super().__init__(size_hint=(None, None), spacing=dp(5), **kwargs)
        parts: list[Text] = []
        if label:
            parts.append(Text(label, tone="craie2", flow="line", middle=True))
        if number:
            parts.append(BoldText(number, kind="corps", flow="line", middle=True))
        for part in parts:
            part.texture_update()
            part.size = part.texture_size
            self.add_widget(part)
        self.width = sum(part.width for part in parts) + dp(5) * (len(parts) - 1)
        self.height = max(part.height for part in parts)


class ClockLine(BoxLayout):
    """The current half, and a tick for each of its turns: past, current (brass) and future."""

    def __init__(self, half: str, tally: str, turns: int, turn: int | None, **kwargs: Any) -> None:
        super().__init__(size_hint=(None, None), height=dp(22), spacing=dp(8), **kwargs)
        word = BoldText(" ".join(part for part in (half, tally) if part), kind="corps", flow="line", middle=True)
        word.texture_update()
        word.size = word.texture_size
        self.add_widget(word)
        self.width = word.width
        if turns and turn:
            ticks = Ticks(turns, turn, pos_hint={"center_y": 0.5})
            self.add_widget(ticks)
            self.width += ticks.width + dp(8)


class Ticks(Widget):
    """Ticks for the turns of a half."""

    def __init__(self, turns: int, turn: int, **kwargs: Any) -> None:
        super().__init__(size_hint=(None, None), size=(dp(14) * turns + dp(4) * (turns - 1), dp(6)), **kwargs)
        self._turns, self._turn = turns, turn
        bind_geometry(self, self._draw)

    def _draw(self) -> None:
        theme = display.theme
        self.canvas.clear()
        with self.canvas:
            for number in range(1, self._turns + 1):
                present, past = number == self._turn, number < self._turn
                Color(*(theme.laiton if present else theme.craie if past else faded(theme.craie, 0.3)))
                RoundedRectangle(pos=(self.x + (number - 1) * dp(18), self.y), size=(dp(14), dp(6)), radius=[dp(3)])


_MIN_SHARE = 0.35
"""The smallest type of the score, as a share of the full size: two scores of three digits beside long facts."""


class ScoreLine(Widget):
    """Two large numbers with a dash between them. A changed number fades in."""

    def __init__(self, score: list[int], **kwargs: Any) -> None:
        super().__init__(size_hint=(None, None), size=(dp(200), dp(80)), **kwargs)
        self._numbers = [BoldText(str(number), kind="score", flow="line", leading=0.82) for number in score]
        for number in self._numbers:
            self.add_widget(number)
            number.fbind("size", self._place)
        self.fit(dp(1000), dp(1000))
        with self.canvas:
            Color(*display.theme.craie)
            self._dash = RoundedRectangle(size=(dp(20), dp(6)), radius=[dp(3)])
        bind_geometry(self, self._place)

    def fit(self, max_width: float, max_height: float) -> None:
        """Use the largest type in which each number fits this width and height, whatever the text size setting."""
        full = dp(display.theme.sizes["score"])
        share = 1.0
        for number in self._numbers:
            wide, high = (side * full / number.font_size for side in number._label.get_extents(number.text))
            share = min(share, (max_width - dp(24)) / wide, max_height / (high * number.leading))
        for number in self._numbers:
            number.font_size = full * max(_MIN_SHARE, share)

    @property
    def tall(self) -> float:
        """Height of the numbers in pixels."""
        number = self._numbers[0]
        return float(number._label.get_extents(number.text)[1] * number.leading)

    def write_in(self, changed: list[bool]) -> None:
        """Fade in the numbers that have changed, like chalk."""
        seconds = display.theme.seconds("score")
        for number, new in zip(self._numbers, changed, strict=True):
            if new and seconds:
                number.opacity = 0.0
                Animation(opacity=1.0, duration=seconds).start(number)

    def _place(self, *_: object) -> None:
        left, right = self._numbers
        left.right, right.x = round(self.center_x - dp(24)), round(self.center_x + dp(24))
        for number in self._numbers:
            number.center_y = self.center_y
        self._dash.pos = (self.center_x - dp(10), self.center_y - dp(6))


MAX_LANDSCAPE_CHOICES = 4
MAX_PORTRAIT_CHOICES = 3
"""Maximum choices of a side beside a scoreboard in landscape."""

Order = tuple[SideScene, SideScene]
"""The sides at the left and right edge."""
Part = TypeVar("Part", bound=Widget)
BoardIn = TypeVar("BoardIn")
SideNotes = tuple[tuple[str, str], ...]
"""Labels and numbers below a side's name, the most important first."""

_LOW = 110
"""A panel lower than this in dp, without its strip, has no spare space."""


class Drawing(NamedTuple):
    """Chalk lines as a path, in a view of this size."""

    path: str
    wide: int
    tall: int


class BoardPanel(FloatLayout, Generic[BoardIn]):
    """Base class of all scoreboards. Subclasses build their parts in `show`.

    `awaited` sides get the brass underline; `before` is the score drawn last. `crests` are those of all sides, also of
    those that are not at an edge. Numbers are in dp.
    """

    drawings: ClassVar[tuple[Drawing, Drawing]]
    """Drawings for landscape and portrait."""
    strength: ClassVar[float] = 0.24
    strips: ClassVar[tuple[int, int]] = (0, 0)
    """Height of the strip below the sides, in landscape and portrait."""
    middle: ClassVar[int] = 210
    """Width of the score between the sides in landscape."""
    score_at: ClassVar[tuple[int, int, int]] = (70, 62, 112)
    """Distance of the score's centre from the top: landscape, low landscape, portrait."""

    def __init__(
        self,
        board: BoardIn,
        order: Order,
        awaited: tuple[str, ...],
        before: Sequence[int] | None = None,
        crests: Mapping[str, str | Path] = MappingProxyType({}),
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.crests = crests
        self.upright = display.portrait
        drawing = self.drawings[self.upright]
        self._lines = ChalkLines(
            path=drawing.path,
            view_width=drawing.wide,
            view_height=drawing.tall,
            strength=self.strength,
            size_hint=(None, None),
        )
        self.add_widget(self._lines)
        self._parts: dict[str, tuple[tuple[object, ...], Widget]] = {}
        self.place_soon = Clock.create_trigger(lambda *_: self.place(), -1)
        for name in ("pos", "size"):
            self.fbind(name, self.place_soon)
        self.show(board, order, awaited, before)

    @abstractmethod
    def show(self, board: BoardIn, order: Order, awaited: tuple[str, ...], before: Sequence[int] | None = None) -> None:
        """Show another state of the same match."""

    def part(self, name: str, made_of: tuple[object, ...], make: Callable[..., Part]) -> Part:
        """Return a named part. It is reused if its values are unchanged, otherwise rebuilt."""
        known = self._parts.get(name)
        if known is not None and known[0] == made_of:
            return cast(Part, known[1])
        if known is not None:
            self.remove_widget(known[1])
        part = make(*made_of)
        part.fbind("size", self.place_soon)
        self.add_widget(part)
        self._parts[name] = (made_of, part)
        self.place_soon()
        return part

    def show_sides(
        self, order: Order, awaited: tuple[str, ...], known: Callable[[str], tuple[bool, SideNotes]]
    ) -> None:
        """Show both sides. `known` returns for a side whether it plays at home, and the notes below its name."""
        for place, scene in enumerate(order):
            made_of = (*known(scene.side), replace(scene, stats=()), place == 1)
            self.part(f"side {place}", made_of, TeamCorner).mark_awaited(scene.side in awaited)

    def show_score(self, order: Order, ids: Sequence[str], score: Sequence[int], before: Sequence[int] | None) -> None:
        """Show the score in the order of the edges. `ids` are the sides in the order of `score` and `before`."""
        at = [ids.index(scene.side) for scene in order]
        ordered_score = tuple(score[place] for place in at)
        line = self.part("score", ordered_score, lambda *numbers: ScoreLine(list(numbers)))
        changed = [before is not None and before[place] != score[place] for place in at]
        if any(changed):
            line.write_in(changed)

    # Layout

    @property
    def corners(self) -> list[TeamCorner]:
        """The corners of both sides, left first."""
        return [self._parts[f"side {place}"][1] for place in (0, 1)]

    @property
    def score_line(self) -> ScoreLine:
        line: ScoreLine = self._parts["score"][1]
        return line

    @property
    def clock(self) -> Widget:
        """The line above the score: the half or turn."""
        return self._parts["clock"][1]

    @property
    def low(self) -> bool:
        return bool(self.height - self.strip < dp(_LOW))

    @property
    def strip(self) -> float:
        """Height in pixels of the strip at the bottom that is not used by the sides."""
        return float(dp(self.strips[self.upright]))

    def place(self) -> None:
        """Place the clock above the score in the middle and the sides beside them, all above the strip."""
        self._lines.pos, self._lines.size = (self.x, self.y + self.strip), (self.width, self.height - self.strip)
        self.clock.center_x = self.center_x
        self.clock.top = self.top - dp(8 if self.upright else (2 if self.low else 7))
        if "score" in self._parts:
            self.place_sides(self.middle)
            self.score_line.center_x = self.center_x
            self.score_line.center_y = self.top - dp(self.score_at[2 if self.upright else int(self.low)])
            if self.upright:
                self._sink_score()

    def _sink_score(self) -> None:
        """In portrait, place the score below the names and between the numbers."""
        top, foot = min(corner.foot for corner in self.corners), self.y + self.strip
        line = self.score_line
        line.fit(self.width / 2 - max(corner.inmost for corner in self.corners) - dp(2), top - foot)
        line.center_y = max(foot + line.tall / 2, min(line.center_y, top - line.tall / 2))

    def place_sides(self, middle: float) -> None:
        """Place the corners, with `middle` dp between them in landscape."""
        side_width = self.width / 2 if self.upright else (self.width - dp(middle)) / 2
        for place, corner in enumerate(self.corners):
            corner.size = (side_width, self.height - self.strip - (dp(34) if self.upright else 0))
            corner.pos = (self.x if place == 0 else self.right - side_width, self.y + self.strip)
            corner.arrange(self.low)


@dataclass(frozen=True, slots=True)
class ScorePanel:
    """A game's scoreboard and its heights.

    `make` is called with the board, the sides from left to right, the sides that may act, the score shown before, and
    `crests` by side.
    The widget is kept for the match; its `show` takes the same arguments for another state.

    - `landscape`, `low`, `portrait`: heights in dp (SCREENS 9); `low` applies to screens lower than 460 dp.
    - `max_choices`, `max_choices_portrait`: maximum choices of a side at its edge.
    """

    make: Callable[..., BoardPanel[Board]]
    landscape: int = 120
    low: int = 104
    portrait: int = 156
    max_choices: int = MAX_LANDSCAPE_CHOICES
    max_choices_portrait: int = MAX_PORTRAIT_CHOICES


_LINE, _LINE_UPRIGHT = "M400 -30v190M-10 117h820", "M225 -10v200M-10 153h470"


class PlainPanel(BoardPanel[PlainBoard]):
    """The scoreboard of a `PlainBoard`."""

    drawings = (Drawing(_LINE, 800, 120), Drawing(_LINE_UPRIGHT, 450, 156))

    def show(
        self,
        board: PlainBoard,
        order: Order,
        awaited: tuple[str, ...],
        before: Sequence[int] | None = None,
    ) -> None:
        self.show_sides(order, awaited, lambda _: (False, ()))
        self.part("clock", (text(board.clock), "", 0, None), ClockLine)
        self.show_score(order, board.sides, board.score, before)


PANEL = ScorePanel(PlainPanel)
