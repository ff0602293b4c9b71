"""A column that never spills over: what can be spared leaves first, as SCREENS 4.5 orders it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kivy.clock import Clock
from kivy.metrics import dp
from kivy.properties import NumericProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.widgets.text import Text

_NEAR = 5
"""The smallest gap between pieces, in dp."""
_LONGER = 3
"""Figures kept at most though the states in between do not show them; those that say `kept_longer`."""
_LAST = 2
"""Pieces of so little `spare` are worth more than the facts at the edges."""
_TOLERATED = 1
"""Pixels that rounding may take."""


class Spring(Widget):
    """Takes the room that is left, so that what follows stands at the bottom."""


class FitColumn(BoxLayout):
    """Pieces of their own heights from top to bottom, nearer to each other when room is short.

    `add(piece, spare)`: then pieces of higher `spare` leave first, those of 0 never. If that is not enough, pieces that
    can say less (a method `brief` that says whether it changed anything) do.
    """

    shortage = NumericProperty(0)
    need = NumericProperty(0)
    """The height that everything takes with its usual gaps, whatever the present height."""
    bare = NumericProperty(0)
    """The height without what can be spared."""
    worth = NumericProperty(0)
    """The height with what is spared last."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(orientation="vertical", **kwargs)
        self._roomy: float = self.spacing
        self._brief_soon = Clock.create_trigger(self._brief, 0)
        self._pieces: list[tuple[Widget, int]] = []

    def add(self, piece: Widget, spare: int = 0) -> Widget:
        if isinstance(piece, Text):
            piece.height = piece.font_size * 1.25  # a first guess, until its words are laid out
        self._take(piece, spare)
        return piece

    def refill(self, pieces: Sequence[tuple[Widget, int]]) -> None:
        """Other pieces, or the same in another order; those that stay are not made anew."""
        if list(pieces) == self._pieces:
            return
        for piece, _ in self._pieces:
            piece.funbind("height", self._trigger_layout)
        self._pieces = []
        self.clear_widgets()
        for piece, spare in pieces:
            self._take(piece, spare)

    def _take(self, piece: Widget, spare: int) -> None:
        self._pieces.append((piece, spare))
        piece.fbind("height", self._trigger_layout)
        self.add_widget(piece)

    def do_layout(self, *args: Any) -> None:
        """Decides what stays before the pieces are placed; those left out are measured as if they were there."""
        for piece, _ in self._pieces:
            if piece.parent is None and piece.size_hint_x is not None:
                piece.width = self.width - self.padding[0] - self.padding[2]
        whole = self._needed(set(), self._roomy)
        around = float(self.padding[1] + self.padding[3])
        self.bare = self._needed({id(piece) for piece, spare in self._pieces if spare}, self._roomy) + around
        self.worth = self._needed({id(piece) for piece, spare in self._pieces if spare > _LAST}, self._roomy) + around
        self.need = whole + around
        roomy = whole <= self._room()
        self.spacing = gap = self._roomy if roomy else min(self._roomy, dp(_NEAR))
        stay = self._staying(gap)
        if self.shortage > _TOLERATED:
            self._brief_soon()
        if list(reversed(self.children)) != stay:
            super().clear_widgets()
            for piece in stay:
                super().add_widget(piece)
        super().do_layout(*args)

    def _brief(self, *_: object) -> None:
        """Says less, unless the pieces have found room by now: words take their width one frame after they are put."""
        if self.shortage > _TOLERATED:
            any(_briefed(piece) for piece in reversed(self.children) if hasattr(piece, "brief"))

    def _staying(self, gap: float) -> list[Widget]:
        room = self._room()
        gone: set[int] = set()
        for piece, spare in sorted(self._pieces, key=lambda entry: -entry[1]):
            if not spare or self._needed(gone, gap) <= room:
                break
            gone.add(id(piece))
        self.shortage = max(0, self._needed(gone, gap) - room)
        return [piece for piece, _ in self._pieces if id(piece) not in gone]

    def _room(self) -> float:
        return float(self.height - self.padding[1] - self.padding[3])

    def _needed(self, gone: set[int], gap: float) -> float:
        staying = [piece for piece, _ in self._pieces if id(piece) not in gone]
        heights = [0 if isinstance(piece, Spring) else piece.height for piece in staying]
        return float(sum(heights) + gap * max(0, len(heights) - 1))


class KeptColumn(FitColumn):
    """A column made anew for each state, that takes over from the one before the figures that it has as well."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._drawn: list[tuple[Any, Widget]] = []
        self._known: list[tuple[Any, Widget]] = []

    def take_over(self, before: KeptColumn | None) -> None:
        """The figures of another column, that has none from then on; those that had to say less are not worth it."""
        if before is not None:
            before.refill(())
            drawn = [made for made in before._drawn if not getattr(made[1], "briefed", False)]
            longer = [made for made in before._known if getattr(made[1], "kept_longer", False)]
            self._known = [*drawn, *longer[:_LONGER]]

    def figure(self, make: Callable[..., Widget], *of: Any, spare: int = 0, **looks: Any) -> Widget:
        """A figure made of these values: the one known already, if that was made of the same."""
        made_of = (make, of, looks)
        place = next((place for place, (known, _) in enumerate(self._known) if known == made_of), None)
        piece = make(*of, **looks) if place is None else self._known.pop(place)[1]
        self._drawn.append((made_of, piece))
        return self.add(piece, spare)


def _briefed(piece: Any) -> bool:
    """Has a piece say less; one that did is marked, so that it is not taken for a whole one later."""
    if not piece.brief():
        return False
    piece.briefed = True
    return True
