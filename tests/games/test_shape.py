"""Every game's folder has the same structure, and no game depends on another."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

import companion.games
from companion.games.base import Fields
from companion.games.registry import GAMES, PLAYER_NAMES, SPECS, find_player
from vision import dice_sets

FOLDER = Path(companion.games.__file__).parent
CORE = (
    *("__init__", "decisions", "describe", "events", "match_generator", "dice_statistics", "odds", "refusals"),
    *("rulebook", "scene", "setup", "greedy_player", "state", "tables", "throws", "view", "messages"),
)
BESIDE = {"base", "catalogue", "engine", "figures", "event_schema", "preparation", "random_player", "refusals"}
BESIDE |= {"moments", "spec", "summary", "wording"}
"""Modules of `companion.games` that a game may import besides its own."""


def imported(path: Path) -> Iterator[str]:
    """Yield the modules of `companion` that a file imports, by their full names."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
        elif isinstance(node, ast.Import):
            yield from (name.name for name in node.names)


def test_every_game_has_a_folder() -> None:
    assert {path.name for path in FOLDER.iterdir() if (path / "__init__.py").exists()} == set(GAMES)


@pytest.mark.parametrize("game", GAMES)
def test_every_folder_has_the_same_core_files(game: str) -> None:
    core = CORE if game in dice_sets.names() else [name for name in CORE if name != "throws"]
    assert [name for name in core if not (FOLDER / game / f"{name}.py").exists()] == []


@pytest.mark.parametrize("game", GAMES)
def test_no_game_imports_another(game: str) -> None:
    known = {f"companion.games.{name}" for name in BESIDE}
    strange = [
        f"{path.name}: {module}"
        for path in (FOLDER / game).glob("*.py")
        for module in imported(path)
        if module.startswith("companion") and module not in known
        if not f"{module}.".startswith(f"companion.games.{game}.")
    ]
    assert strange == []


def test_every_game_is_played_and_reckoned() -> None:
    assert all(spec.greedy_player is not None for spec in SPECS.values())
    for game in GAMES.values():
        assert all(callable(find_player(game, name)) for name in PLAYER_NAMES)


@pytest.mark.parametrize("game", GAMES)
def test_dice_awaited_have_faces(game: str) -> None:
    """From the opening on, the game knows the faces of every awaited kind."""
    rules, random = GAMES[game], Random(1)
    for seed in range(5):
        header: Fields = rules.random_header(Random(seed))
        state = rules.initial_state(json.loads(json.dumps(header)))
        for _ in range(60):
            if rules.finished(state):
                break
            assert all(rules.faces(state, await_.kind) for await_ in rules.decision(state).dice)
            event = rules.parse(rules.random_event(state, random))
            state, _ = rules.apply(state, event)
        assert rules.faces(state, "nothing") == ()


@pytest.mark.parametrize("game", GAMES)
def test_what_a_game_draws_itself_is_there(game: str) -> None:
    """The names in a spec are loaded lazily; each must exist in the module it names."""
    screens = SPECS[game].screens
    targets = [screens.board, screens.dice, screens.catalogue_tile, *screens.pages.values()]
    missing = []
    for module, _, name in (target.partition(":") for target in targets if target):
        path = FOLDER.parents[1] / module.replace(".", "/")
        defined = ast.parse(path.with_suffix(".py").read_text("utf-8")).body
        names = {getattr(node, "name", None) for node in defined}
        names |= {
            target.id
            for node in defined
            if isinstance(node, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        missing += [] if name in names else [f"{module}:{name}"]
    assert missing == []
    assert {screens.preparation_page, screens.editor} - {""} <= set(screens.pages)
    assert set(screens.preparation_phases) <= set(SPECS[game].phases)
