"""What games draw themselves, loaded by the names in their specs (`companion.games.spec.Screens`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from companion.games.base import Choice, JsonObject
from companion.games.registry import SPECS

if TYPE_CHECKING:
    from companion.app.context import AppContext
    from companion.app.figures.scoreboard import Panel
    from companion.app.widgets.marks import Mark
    from vision.roll import Face

PREPARE = "prepare"
"""The page that prepares a match of every game without one of its own."""


@dataclass(frozen=True, slots=True)
class Tile:
    """A way to a page of a game beside its catalogues; `brass` where something is under way."""

    text: str
    detail: str
    icon: str
    page: str
    brass: bool = False


def load_object(name: str) -> Any:
    """What a dotted name (`package.module:name`) stands for."""
    module, _, attribute = name.partition(":")
    return getattr(import_module(module), attribute)


def panel_of(game: str) -> Panel:
    """The scoreboard of a game."""
    panel: Panel = load_object(SPECS[game].screens.board)
    return panel


def face_drawer(kind: str) -> Callable[[Face, float, str], Mark] | None:
    """What draws the faces of a kind of dice, if its game draws them itself."""
    name = _drawers().get(kind)
    return None if name is None else load_object(name)


def page_names() -> dict[str, str]:
    """The dotted names of the games' own pages."""
    return {name: target for spec in SPECS.values() for name, target in spec.screens.pages.items()}


def preparation_of(game: str) -> tuple[str, JsonObject]:
    """The page that prepares a match of a game, and its arguments."""
    page = SPECS[game].screens.prepare
    return (page, {}) if page else (PREPARE, {"game": game})


def editor_of(game: str, choice: Choice) -> str | None:
    """The page on which this choice is made; None where its asks are answered one by one."""
    return SPECS[game].screens.editor or None if any(ask.kind == "lineup" for ask in choice.asks) else None


def catalogue_tile(game: str, app: AppContext) -> Tile | None:
    """What a game offers beside its catalogues."""
    name = SPECS[game].screens.catalogue_tile
    tile: Tile | None = load_object(name)(app) if name else None
    return tile


@cache
def _drawers() -> dict[str, str]:
    return {kind: spec.screens.dice for spec in SPECS.values() for kind in spec.screens.kinds}
