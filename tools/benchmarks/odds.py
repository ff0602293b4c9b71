"""Whether the exact odds shown to players are right: each beside a million simulated throws, for every game."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from companion.games.folders import folders
from tools.benchmarks.odds_figures import THROWS, Sampler

Z_LIMIT = 4.0
"""Standard errors. A right figure is beyond this by chance once in some sixteen thousand."""
SEED = 21

SAMPLERS: Mapping[str, Sampler] = {
    game: import_module(f"tests.games.{game}.odds_trials").figures
    for game in folders()
    if find_spec(f"tests.games.{game}.odds_trials") is not None
}
"""The games that show chances, each with a module among its tests."""


def measure(throws: int = THROWS) -> dict[str, Any]:
    """Every exact figure of every game, what was thrown, and how many standard errors they are apart."""
    games = {game: _game(sampler, throws) for game, sampler in SAMPLERS.items()}
    largest = max(game["largest_z"] for game in games.values())
    return {"throws": throws, "games": games, "largest_z": largest, "limit_z": Z_LIMIT, "right": largest <= Z_LIMIT}


def _game(sampler: Sampler, throws: int) -> dict[str, Any]:
    rows = [figure.printed() for figure in sampler(np.random.default_rng(SEED), throws)]
    return {"count": len(rows), "largest_z": max(row["z"] for row in rows), "figures": rows}
