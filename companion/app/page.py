"""Base class of screens: a page built from its route, and rebuilt when the language, theme or window changes."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from kivy.lang import Builder
from kivy.properties import BooleanProperty
from kivy.uix.floatlayout import FloatLayout

from companion.app import widgets  # noqa: F401  (the .kv files name its classes)
from companion.games.preparation import Memory

PageArgs = dict[str, Any]
"""Arguments of a page, by name."""

if TYPE_CHECKING:
    from companion.app.context import AppContext


@dataclass(slots=True)
class Route:
    """Navigation entry: page name, arguments (`args`), and state that survives a rebuild (`memory`)."""

    name: str
    args: PageArgs = field(default_factory=dict)
    memory: Memory = field(default_factory=dict)


class Overlay(Protocol):
    """A layer over a page: a sheet, a question or the screen saver."""

    def slide_in(self) -> None: ...

    def leave(self) -> None: ...


class Page(FloatLayout):
    """One screen. `route.args` holds its arguments. Unfinished player input is kept in `memory`, never in widgets."""

    portrait = BooleanProperty(False)
    shows_match = False
    """True if people follow the match of `route.args["session"]` here, so that opponents may act."""

    def __init__(self, app: AppContext, route: Route) -> None:
        self.app = app
        self.route = route
        self.memory = route.memory
        super().__init__(portrait=app.portrait)
        self.build()

    def build(self) -> None:
        """Add the page's widgets. The rule of its .kv file has already been applied."""

    @property
    def far_side(self) -> str | None:
        """The side at the far edge of a flat screen. Its content is rotated by 180 degrees."""
        return None

    def leave(self) -> None:
        """Called when the page is removed. Ends its subscriptions and clock events."""

    def keep_setup(self, game: str) -> None:
        """Keep the page's memory as the open preparation of a game, or continue with the one that is kept."""
        self.memory = self.route.memory = self.app.open_setups.setdefault(game, self.memory)

    def back(self) -> bool:
        """Handle a request to go back. Returns True if the page handled it."""
        return False


def load_kv(module_file: str) -> None:
    """Load the .kv file beside a screen's module. It may use the classes of `companion.app.widgets`."""
    Builder.load_file(str(Path(module_file).with_suffix(".kv")))
