"""FootClub's shots and duels simulated by the rules, for comparison with the exact odds of chapter 21."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from companion.games.footclub import odds
from tools.benchmarks.odds_figures import Figure, Sample, chances_of

BONUSES = range(-5, 6)
PIPS = range(1, 7)
MODIFIERS = (-1, 0, 1)


def figures(chance: np.random.Generator, throws: int) -> Iterator[Figure]:
    """Yield every shot by bonus, throw and defence die, and every duel by mode, modifier and throw."""
    for bonus in BONUSES:
        yield from chances_of(f"shot {bonus:+d}", odds.shot(bonus), _shots(chance, throws, bonus))
        for die in PIPS:
            exact = odds.shot(bonus, 1, die)
            yield from chances_of(f"shot {bonus:+d}, defence {die}", exact, _shots(chance, throws, bonus, die))
    for die in (None, *PIPS):
        name = "second shot" if die is None else f"second shot, defence {die}"
        yield from chances_of(name, odds.shot(0, 2, die), _second_shots(chance, throws, die))
    for modifier in MODIFIERS:
        for mode in ("regular", "aggressive"):
            exact = odds.duel(mode, modifier)
            yield from chances_of(f"duel {mode} {modifier:+d}", exact, _duels(chance, throws, mode, modifier))
        exact = odds.duel("aggressive", modifier, 2)
        yield from chances_of(f"second duel {modifier:+d}", exact, _second_duels(chance, throws, modifier))


def _dice(chance: np.random.Generator, throws: int, fixed_value: int | None = None) -> Sample:
    return chance.integers(1, 7, throws) if fixed_value is None else np.full(throws, fixed_value)


def _shots(chance: np.random.Generator, throws: int, bonus: int, fixed_value: int | None = None) -> dict[str, Sample]:
    """FC-11: after a tie, a second throw without bonus."""
    defence, attack = _dice(chance, throws, fixed_value), _dice(chance, throws) + bonus
    even = attack == defence
    again = _second_shots(chance, throws)
    goal = (attack > defence) | (even & again["goal"])
    return {"goal": goal, "corner": even & again["corner"], "save": attack < defence}


def _second_shots(chance: np.random.Generator, throws: int, fixed_value: int | None = None) -> dict[str, Sample]:
    """FC-11: repeated while equal."""
    defence, attack = _dice(chance, throws, fixed_value), _dice(chance, throws)
    goal, corner, even = attack > defence, attack < defence, attack == defence
    while even.any():
        defence, attack = _dice(chance, throws), _dice(chance, throws)
        goal |= even & (attack > defence)
        corner |= even & (attack < defence)
        even &= attack == defence
    return {"goal": goal, "corner": corner, "save": np.zeros(throws, bool)}


def _pairs(chance: np.random.Generator, throws: int, needed: int) -> tuple[Sample, Sample]:
    """Return whether two dice reach the needed total, and whether they are two ones, which always fail."""
    dice = chance.integers(1, 7, (2, throws))
    ones = (dice == 1).all(axis=0)
    return (dice.sum(axis=0) >= needed) & ~ones, ones


def _duels(chance: np.random.Generator, throws: int, mode: str, modifier: int) -> dict[str, Sample]:
    """FC-7 and FC-10: success from 7; a failed aggressive attempt is thrown again with success from 8."""
    success, ones = _pairs(chance, throws, 7 - modifier)
    if mode == "regular":
        return {"success": success, "foul": ~success, "yellow": ones, "red": np.zeros(throws, bool)}
    again = _second_duels(chance, throws, modifier)
    won = success | again["success"]
    return {"success": won, "foul": ~won, "yellow": ~success & again["yellow"], "red": ~success & again["red"]}


def _second_duels(chance: np.random.Generator, throws: int, modifier: int) -> dict[str, Sample]:
    success, ones = _pairs(chance, throws, 8 - modifier)
    return {"success": success, "foul": ~success, "yellow": ~success & ~ones, "red": ones}
