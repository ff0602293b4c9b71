"""Every game's folder has the same shape, and no game knows another."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

import companion.games
from companion.games.base import Fields
from companion.games.registry import GAMES, PLAYERS, SPECS, player_of
from vision import dice_sets

FOLDER = Path(companion.games.__file__).parent
CORE = (
    *("__init__", "awaits", "describe", "events", "invention", "luck", "odds", "refusing"),
    *("rulebook", "scene", "setup", "sound_player", "state", "tables", "throws", "view", "words"),
)
BESIDE = {"base", "catalogue", "engine", "figures", "forms", "preparing", "random_player", "refusals"}
BESIDE |= {"spec", "wording"}
"""What a game may import of `companion.games` besides itself."""


def imported(path: Path) -> Iterator[str]:
    """The modules of `companion` that a file imports, by their full names."""
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
    assert all(spec.sound_player is not None for spec in SPECS.values())
    for game in GAMES.values():
        assert all(callable(player_of(game, name)) for name in PLAYERS)


@pytest.mark.parametrize("game", GAMES)
def test_dice_awaited_have_faces(game: str) -> None:
    """From the opening on: a kind that is awaited is one whose faces the game can tell."""
    rules, random = GAMES[game], Random(1)
    for seed in range(5):
        header: Fields = rules.random_header(Random(seed))
        state = rules.begin(json.loads(json.dumps(header)))
        for _ in range(60):
            if rules.finished(state):
                break
            assert all(rules.faces(state, await_.kind) for await_ in rules.awaits(state).dice)
            event = rules.parse(rules.random_event(state, random))
            state, _ = rules.apply(state, event)
        assert rules.faces(state, "nothing") == ()


@pytest.mark.parametrize("game", GAMES)
def test_what_a_game_draws_itself_is_there(game: str) -> None:
    """The names in a spec are loaded when they are first shown; each stands for something in the module it names."""
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
    assert {screens.prepare, screens.editor} - {""} <= set(screens.pages)
    assert set(screens.early) <= set(SPECS[game].phases)
