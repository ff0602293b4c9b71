"""What a screen is: a page built from its place, built anew when the language, the theme or the window changes."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from kivy.lang import Builder
from kivy.properties import BooleanProperty
from kivy.uix.floatlayout import FloatLayout

from companion.app import widgets  # noqa: F401  (the .kv files name its classes)
from companion.games.preparing import Memory

PageArgs = dict[str, Any]
"""What a page is opened with, by name."""

if TYPE_CHECKING:
    from companion.app.context import AppContext


@dataclass(slots=True)
class Route:
    """Where the players are: a page's name, what it is about (`args`), and what it must not forget (`memory`)."""

    name: str
    args: PageArgs = field(default_factory=dict)
    memory: Memory = field(default_factory=dict)


class Overlay(Protocol):
    """What lies over a page: a sheet, a question, the curtain."""

    def slide_in(self) -> None: ...

    def leave(self) -> None: ...


class Page(FloatLayout):
    """One screen. `place.args` are its arguments; whatever a player has begun is kept in `memory`, never in widgets."""

    portrait = BooleanProperty(False)

    def __init__(self, app: AppContext, route: Route) -> None:
        self.app = app
        self.route = route
        self.memory = route.memory
        super().__init__(portrait=app.portrait)
        self.build()

    def build(self) -> None:
        """Fills the page; the rule of its .kv file has been applied already."""

    @property
    def far_side(self) -> str | None:
        """The side that sits at the far edge of a screen that lies flat: what is for it is turned round."""
        return None

    def leave(self) -> None:
        """The page is being taken away: ends its subscriptions and clocks."""

    def back(self) -> bool:
        """Back was asked for; True when the page dealt with it itself."""
        return False


def load_kv(module_file: str) -> None:
    """Loads the .kv file that lies beside a screen's module; it may name the classes of `companion.app.widgets`."""
    Builder.load_file(str(Path(module_file).with_suffix(".kv")))
