"""Screen parts that games provide, loaded by the names in their specs (`companion.games.spec.Screens`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from companion.games.base import Choice, Fields, JsonObject, Message
from companion.games.registry import SPECS
from companion.games.spec import FollowUp
from companion.table.season import SEASON, season_of
from companion.tournament.headers import MARK

if TYPE_CHECKING:
    from companion.app.context import AppContext
    from companion.app.figures.scoreboard import ScorePanel
    from companion.app.widgets.marks import Mark
    from vision.roll import Face

PREPARE = "prepare"
"""The default page that prepares a match, for games without their own."""


@dataclass(frozen=True, slots=True)
class Tile:
    """A tile beside a game's catalogues that opens one of its pages. `brass` marks something in progress."""

    text: str
    detail: str
    icon: str
    page: str
    brass: bool = False


def load_object(name: str) -> Any:
    """Return the object with a dotted name (`package.module:name`)."""
    module, _, attribute = name.partition(":")
    return getattr(import_module(module), attribute)


def panel_of(game: str) -> ScorePanel:
    """Return the scoreboard of a game."""
    panel: ScorePanel = load_object(SPECS[game].screens.board)
    return panel


def face_drawer(kind: str) -> Callable[[Face, float, str], Mark] | None:
    """Return the function that draws die faces of a kind, or None if the game does not provide one."""
    name = _drawers().get(kind)
    return None if name is None else load_object(name)


def page_names() -> dict[str, str]:
    """Return the dotted names of the games' own pages, by page name."""
    return {name: target for spec in SPECS.values() for name, target in spec.screens.pages.items()}


def preparation_of(game: str) -> tuple[str, JsonObject]:
    """Return the page that prepares a match of a game, and its arguments."""
    page = SPECS[game].screens.preparation_page
    return (page, {}) if page else (PREPARE, {"game": game})


def follow_up_of(header: Fields, match_id: str) -> tuple[FollowUp, JsonObject] | None:
    """Return what follows a finished match at the same table and the arguments of its page, or None.

    The game says so, as for a second leg; otherwise the match's season follows.
    """
    follow_up = None if MARK in header else SPECS[header["game"]].follow_up(header)
    if follow_up is not None:
        return follow_up, {**follow_up.args, "follows": match_id}
    season = season_of(header)
    return None if season is None else (FollowUp(Message("app.season.title"), SEASON), {SEASON: season})


def editor_of(game: str, choice: Choice) -> str | None:
    """Return the page that edits this choice, or None if its inputs are asked one by one."""
    return SPECS[game].screens.editor or None if any(prompt.kind == "lineup" for prompt in choice.prompts) else None


def catalogue_tile(game: str, app: AppContext) -> Tile | None:
    """Return the tile that a game adds to its catalogues, or None."""
    name = SPECS[game].screens.catalogue_tile
    tile: Tile | None = load_object(name)(app) if name else None
    return tile


@cache
def _drawers() -> dict[str, str]:
    return {kind: spec.screens.dice for spec in SPECS.values() for kind in spec.screens.dice_kinds}
