"""Check of the exact odds shown to players: each against a million simulated throws, for every game."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from companion.games.folders import game_folders
from tools.benchmarks.odds_figures import THROWS, Sampler

Z_LIMIT = 4.0
"""Maximum deviation in standard errors. A correct figure exceeds it by chance once in about sixteen thousand."""
SEED = 21

SAMPLERS: Mapping[str, Sampler] = {
    game: import_module(f"tests.games.{game}.odds_trials").figures
    for game in game_folders()
    if find_spec(f"tests.games.{game}.odds_trials") is not None
}
"""Games that show odds, each with a sampler module in its tests."""


def measure(throws: int = THROWS) -> dict[str, Any]:
    """Return every exact figure of every game, the simulated result, and the deviation in standard errors."""
    games = {game: _game(sampler, throws) for game, sampler in SAMPLERS.items()}
    largest = max(game["largest_z"] for game in games.values())
    return {"throws": throws, "games": games, "largest_z": largest, "limit_z": Z_LIMIT, "right": largest <= Z_LIMIT}


def _game(sampler: Sampler, throws: int) -> dict[str, Any]:
    rows = [figure.printed() for figure in sampler(np.random.default_rng(SEED), throws)]
    return {"count": len(rows), "largest_z": max(row["z"] for row in rows), "figures": rows}
