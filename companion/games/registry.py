"""The registry of games: every package in `companion.games` is a game with a `spec` module."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from importlib import import_module
from random import Random

from companion.games.base import AnyGame, DiceStatistics, Fields, GameState
from companion.games.folders import game_folders
from companion.games.spec import AnySpec, AutoPlayer


def load_specs() -> Iterator[AnySpec]:
    """Yield the specifications of all games, in the order of their names."""
    for folder in game_folders():
        spec: AnySpec = import_module(f"companion.games.{folder}.spec").SPEC
        yield spec


SPECS: dict[str, AnySpec] = {spec.id: spec for spec in load_specs()}

GAMES: Mapping[str, AnyGame] = {id: spec.game for id, spec in SPECS.items()}
"""The rules of each game, by its id."""

DICE_STATISTICS: Mapping[str, DiceStatistics[GameState]] = {id: spec.dice_statistics for id, spec in SPECS.items()}
"""The exact odds of each game, by its id."""

PLAYER_NAMES = ("random", "sound")


def find_player(game: AnyGame, name: str) -> AutoPlayer[GameState]:
    """Return the player of that name (one of PLAYER_NAMES) for a game. Raises: KeyError."""
    players: Mapping[str, AutoPlayer[GameState]] = {"random": game.random_event, "sound": partial(_greedy_event, game)}
    return players[name]


def _greedy_event(game: AnyGame, state: GameState, random: Random) -> Fields:
    """Return the event of the greedy player (`sound` on the command line), else a random event."""
    greedy_player = SPECS[game.id].greedy_player
    chosen = None if greedy_player is None else greedy_player(state, random)
    return game.random_event(state, random) if chosen is None else chosen
