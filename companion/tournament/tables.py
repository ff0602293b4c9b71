"""The points and the chain of each stage of a tournament, as its game has them."""

from __future__ import annotations

from dataclasses import replace

from companion.games.registry import SPECS
from companion.tournament.values import Stage

SWISS_CHAIN = ("points", "buchholz_cut1", "buchholz", "sonneborn", "direct_points", "difference", "scored")


def stage_of(game: str, stage: Stage) -> Stage:
    """A stage with the points of a game, and its chain."""
    own = SPECS[game].tournament
    return replace(stage, points=own.points, chain=SWISS_CHAIN if stage.kind == "swiss" else own.chain)
