"""Whether the exact odds shown to players are right: each beside a million simulated throws."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from companion.games.footclub import odds

THROWS = 1_000_000
Z_LIMIT = 4.5
"""Standard errors. Of some hundred figures one is beyond this by chance once in a thousand runs."""


def measure() -> dict[str, Any]:
    """Every shot from -5 to +5 and every duel: exact chances, simulated ones, and how many standard errors apart."""
    chance = np.random.default_rng(21)
    rows = []
    for bonus in range(-5, 6):
        exact = odds.shot(bonus)
        rows += [_row(f"shot {bonus:+d} {name}", exact[name], share) for name, share in _shots(chance, bonus).items()]
    for mode in ("regular", "aggressive"):
        for modifier in (-1, 0, 1):
            exact = odds.duel(mode, modifier)
            shares = _duels(chance, mode == "aggressive", modifier)
            rows += [_row(f"duel {mode} {modifier:+d} {name}", exact[name], share) for name, share in shares.items()]
    return {
        "game": "footclub",
        "throws": THROWS,
        "figures": rows,
        "largest_z": max(row["z"] for row in rows),
        "limit_z": Z_LIMIT,
    }


def _row(name: str, exact: Fraction, share: float) -> dict[str, Any]:
    error = (float(exact) * (1 - float(exact)) / THROWS) ** 0.5
    z = abs(share - float(exact)) / error if error else float(share != float(exact))
    return {"figure": name, "exact": str(exact), "simulated": round(share, 6), "z": round(z, 2)}


def _shots(chance: np.random.Generator, bonus: int) -> dict[str, float]:
    """Shots thrown as FC-11 says: a second throw without bonus after equality, repeated after a post."""
    defence, attack = chance.integers(1, 7, THROWS), chance.integers(1, 7, THROWS) + bonus
    goal, save = attack > defence, attack < defence
    corner = np.zeros(THROWS, bool)
    open_ = attack == defence
    while open_.any():
        defence, attack = chance.integers(1, 7, THROWS), chance.integers(1, 7, THROWS)
        goal |= open_ & (attack > defence)
        corner |= open_ & (attack < defence)
        open_ &= attack == defence
    return {"goal": float(goal.mean()), "corner": float(corner.mean()), "save": float(save.mean())}


def _duels(chance: np.random.Generator, aggressive: bool, modifier: int) -> dict[str, float]:
    """Duels thrown as FC-7 and FC-10 say: 7 and more, then 8 and more; two ones always fail."""
    first, second = chance.integers(1, 7, (2, THROWS)), chance.integers(1, 7, (2, THROWS))
    ones, ones_again = (first == 1).all(axis=0), (second == 1).all(axis=0)
    success = (first.sum(axis=0) + modifier >= 7) & ~ones
    if not aggressive:
        yellow, red = ones, np.zeros(THROWS, bool)
    else:
        late = ~success & (second.sum(axis=0) + modifier >= 8) & ~ones_again
        yellow, red = ~success & ~late & ~ones_again, ~success & ones_again
        success = success | late
    shares = {"success": success, "foul": ~success, "yellow": yellow, "red": red}
    return {name: float(share.mean()) for name, share in shares.items()}
