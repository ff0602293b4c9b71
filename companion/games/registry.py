"""The games this program knows, by id: every package in `companion.games` is one, and says what it is in its `spec`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from importlib import import_module
from random import Random
from typing import Any

from companion.games.base import Chances, Game
from companion.games.folders import folders
from companion.games.spec import GameSpec, Player


def found() -> Iterator[GameSpec]:
    """The specifications of the games in the folders of `companion.games`, in the order of their names."""
    for folder in folders():
        spec: GameSpec = import_module(f"companion.games.{folder}.spec").SPEC
        yield spec


SPECS: dict[str, GameSpec] = {spec.id: spec for spec in found()}

GAMES: Mapping[str, Game[Any, Any]] = {id: spec.game for id, spec in SPECS.items()}

CHANCES: Mapping[str, Chances] = {id: spec.chances for id, spec in SPECS.items()}

PLAYERS = ("random", "sound")


def player_of(game: Game[Any, Any], name: str) -> Player:
    """The player of that name, of PLAYERS, for a game. Raises KeyError."""
    players: Mapping[str, Player] = {"random": game.random_event, "sound": partial(_sound_event, game)}
    return players[name]


def _sound_event(game: Game[Any, Any], state: Any, random: Random) -> Mapping[str, Any]:
    """What the sound player takes; a random event where it has no say, or where the game has none."""
    sound = SPECS[game.id].sound_player
    chosen = None if sound is None else sound(state, random)
    return game.random_event(state, random) if chosen is None else chosen
