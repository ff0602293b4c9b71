"""The games this program knows, by id: every package in `companion.games` is one, and says what it is in its `spec`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from importlib import import_module
from random import Random

from companion.games.base import AnyGame, Chances, Fields, GameState
from companion.games.folders import folders
from companion.games.spec import AnySpec, Player


def found() -> Iterator[AnySpec]:
    """The specifications of the games in the folders of `companion.games`, in the order of their names."""
    for folder in folders():
        spec: AnySpec = import_module(f"companion.games.{folder}.spec").SPEC
        yield spec


SPECS: dict[str, AnySpec] = {spec.id: spec for spec in found()}

GAMES: Mapping[str, AnyGame] = {id: spec.game for id, spec in SPECS.items()}
"""The rules of each game, by its id."""

CHANCES: Mapping[str, Chances[GameState]] = {id: spec.chances for id, spec in SPECS.items()}
"""The exact odds of each game, by its id."""

PLAYERS = ("random", "sound")


def player_of(game: AnyGame, name: str) -> Player[GameState]:
    """The player of that name, of PLAYERS, for a game. Raises KeyError."""
    players: Mapping[str, Player[GameState]] = {"random": game.random_event, "sound": partial(_sound_event, game)}
    return players[name]


def _sound_event(game: AnyGame, state: GameState, random: Random) -> Fields:
    """What the sound player takes; a random event where it has no say, or where the game has none."""
    sound = SPECS[game.id].sound_player
    chosen = None if sound is None else sound(state, random)
    return game.random_event(state, random) if chosen is None else chosen
