"""What all scoreboards do alike: chalk lines, two sides, a clock, the score; only what changes is made anew."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from kivy.app import App
from kivy.clock import Clock
from kivy.metrics import dp
from kivy.uix.floatlayout import FloatLayout

from companion.app.boards.pieces import ScoreLine, TeamCorner
from companion.app.widgets.text import ChalkLines
from companion.games.base import SideScene

LANDSCAPE_FITS = 4
"""So many choices of a side have room beside a board on a screen that lies."""

Order = tuple[SideScene, SideScene]
"""The sides at the left and at the right edge."""
Under = tuple[tuple[str, str], ...]
"""What stands under a side's name: words and number, the most needed first."""

_LOW = 110
"""A panel that is lower than this without its strip, in dp, has no room to spare."""


class Drawing(NamedTuple):
    """Lines of chalk in a view so wide and so tall."""

    path: str
    wide: int
    tall: int


class BoardPanel(FloatLayout):
    """A scoreboard of any game. Subclasses say in `show` what it is made of, and what else they draw.

    `awaited` sides get the brass stroke; `before` is the score drawn last. Numbers are dp.
    """

    drawings: ClassVar[tuple[Drawing, Drawing]]
    """Lying and upright."""
    strength: ClassVar[float] = 0.24
    strips: ClassVar[tuple[int, int]] = (0, 0)
    """Height of what stands under the sides, lying and upright."""
    middle: ClassVar[int] = 210
    """Room for the score between the sides of a panel that lies."""
    score_at: ClassVar[tuple[int, int, int]] = (70, 62, 112)
    """How far the score's middle is from the top: lying, lying and low, upright."""

    def __init__(self, board: Any, order: Order, awaited: tuple[str, ...], before: Any = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.upright = bool(App.get_running_app().portrait)
        drawing = self.drawings[self.upright]
        self._lines = ChalkLines(
            path=drawing.path,
            view_width=drawing.wide,
            view_height=drawing.tall,
            strength=self.strength,
            size_hint=(None, None),
        )
        self.add_widget(self._lines)
        self._parts: dict[str, tuple[Any, Any]] = {}
        self.place_soon = Clock.create_trigger(lambda *_: self.place(), -1)
        for name in ("pos", "size"):
            self.fbind(name, self.place_soon)
        self.show(board, order, awaited, before)

    @abstractmethod
    def show(self, board: Any, order: Order, awaited: tuple[str, ...], before: Any = None) -> None:
        """Another state of the same match."""

    def part(self, name: str, made_of: tuple[Any, ...], make: Callable[..., Any]) -> Any:
        """The part of that name made of these values: the one that is there if it was made of the same."""
        known = self._parts.get(name)
        if known is not None and known[0] == made_of:
            return known[1]
        if known is not None:
            self.remove_widget(known[1])
        part = make(*made_of)
        part.fbind("size", self.place_soon)
        self.add_widget(part)
        self._parts[name] = (made_of, part)
        self.place_soon()
        return part

    def show_sides(self, order: Order, awaited: tuple[str, ...], known: Callable[[str], tuple[bool, Under]]) -> None:
        """Both corners; `known` says of a side whether it is at home, and what stands under its name."""
        for place, scene in enumerate(order):
            made_of = (*known(scene.side), scene.name, scene.colour, scene.letter, place == 1)
            self.part(f"side {place}", made_of, TeamCorner).awaited(scene.side in awaited)

    def show_score(self, order: Order, ids: Sequence[str], score: Sequence[int], before: Sequence[int] | None) -> None:
        """The score in the order of the edges; `ids` are the sides in the order of `score` and `before`."""
        at = [ids.index(scene.side) for scene in order]
        shown = tuple(score[place] for place in at)
        line = self.part("score", shown, lambda *numbers: ScoreLine(list(numbers)))
        changed = [before is not None and before[place] != score[place] for place in at]
        if any(changed):
            line.write_in(changed)

    # Where everything stands

    @property
    def corners(self) -> list[TeamCorner]:
        """The two sides, the left one first."""
        return [self._parts[f"side {place}"][1] for place in (0, 1)]

    @property
    def score_line(self) -> ScoreLine:
        line: ScoreLine = self._parts["score"][1]
        return line

    @property
    def low(self) -> bool:
        return bool(self.height - self.strip < dp(_LOW))

    @property
    def strip(self) -> float:
        """Pixels at the bottom that do not belong to the sides."""
        return float(dp(self.strips[self.upright]))

    def place(self) -> None:
        """Clock over score in the middle, the sides beside them, all of it over the strip."""
        self._lines.pos, self._lines.size = (self.x, self.y + self.strip), (self.width, self.height - self.strip)
        clock = self._parts["clock"][1]
        clock.center_x = self.center_x
        clock.top = self.top - dp(8 if self.upright else (2 if self.low else 7))
        if "score" in self._parts:
            self.place_sides(self.middle)
            self.score_line.center_x = self.center_x
            self.score_line.center_y = self.top - dp(self.score_at[2 if self.upright else int(self.low)])
            if self.upright:
                self._sink_score()

    def _sink_score(self) -> None:
        """Under the names and between the numbers of a panel that stands upright."""
        top, foot = min(corner.foot for corner in self.corners), self.y + self.strip
        line = self.score_line
        line.fit(self.width / 2 - max(corner.inmost for corner in self.corners) - dp(2), top - foot)
        line.center_y = max(foot + line.tall / 2, min(line.center_y, top - line.tall / 2))

    def place_sides(self, middle: float) -> None:
        """The corners, with `middle` dp between them where the panel lies."""
        room = self.width / 2 if self.upright else (self.width - dp(middle)) / 2
        for place, corner in enumerate(self.corners):
            corner.size = (room, self.height - self.strip - (dp(34) if self.upright else 0))
            corner.pos = (self.x if place == 0 else self.right - room, self.y + self.strip)
            corner.arrange(self.low)


@dataclass(frozen=True, slots=True)
class Panel:
    """A game's scoreboard and how high it stands.

    `make` is called with the board, the sides from left to right, the sides that may act and the score shown before.
    What it makes is kept for the match: its `show` takes the same for another state.

    Heights in dp (SCREENS 9): `landscape`, `low` when the screen is lower than 460 dp, `portrait`. Beside it so many
    choices of a side have room (`fits`) on a screen that lies.
    """

    make: type[BoardPanel]
    landscape: int = 120
    low: int = 104
    portrait: int = 156
    fits: int = LANDSCAPE_FITS
