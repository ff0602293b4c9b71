"""hoops21 throws, shots, rerolls and races simulated by the rules, for comparison with the exact odds of section 13."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from companion.games.hoops21 import odds
from companion.games.hoops21.tables import (
    BALL,
    DEFAULT_FACES,
    DICE,
    FREE_THROW,
    FREE_THROW_BALLS,
    MARKS,
    PASS,
    REDUCED_DICE,
    SIDES,
    STEAL,
    SYMBOLS,
)
from tools.benchmarks.odds_figures import Figure, Sample, chance_of, chances_of

DIE = np.repeat(np.arange(len(SYMBOLS), dtype=np.int8), DEFAULT_FACES)
"""The six faces of a die as symbols."""
MODIFIERS = (*MARKS, -2, 2)
REROLLS = (
    ("throw", (3, 1, 1, 1), 4),
    ("throw", (2, 0, 2, 2), 3),
    ("throw", (1, 3, 1, 1), 4),
    ("shot", (2, 1, 2, 1), 3),
    ("shot", (1, 2, 2, 1), 4),
    ("free_throw", (1, 2, 2, 1), 3),
)
"""Kinds of contest, dice on the table by symbol, balls needed (for a throw: dice alike)."""
RACES = ((8, 0), (8, 3), (3, 0), (1, 5))
"""Sections to cross, dice that the defence has set aside."""


def figures(chance: np.random.Generator, throws: int) -> Iterator[Figure]:
    """Yield the odds of throws by dice, shots by modifier, the free throw, every reroll, and the races."""
    for dice in ((DICE, DICE), (DICE, REDUCED_DICE), (REDUCED_DICE, DICE), (REDUCED_DICE, REDUCED_DICE)):
        one, two = (_counts(chance, throws, count).max(axis=0) for count in dice)
        thrown = {SIDES[0]: one > two, "tie": one == two, SIDES[1]: one < two}
        yield from chances_of(f"throw {dice[0]} against {dice[1]}", odds.throw_odds(DEFAULT_FACES, dice), thrown)
    for modifier in MODIFIERS:
        attack = _counts(chance, throws, DICE)[BALL] + modifier
        defence = _counts(chance, throws, DICE)[BALL]
        shots = {"made": attack > defence, "tie": attack == defence, "missed": attack < defence}
        yield from chances_of(f"shot {modifier:+d}", odds.shot_odds(DEFAULT_FACES, modifier), shots)
    balls = _counts(chance, throws, DICE)[BALL]
    yield chance_of("free throw", odds.free_throw_chance(DEFAULT_FACES), balls >= FREE_THROW_BALLS)
    for kind, symbol_counts, needed in REROLLS:
        for way in odds.all_rerolls(DEFAULT_FACES, kind, symbol_counts, needed):
            kept = np.array(way.keep, np.int8)[:, None]
            after = _counts(chance, throws, sum(symbol_counts) - sum(way.keep)) + kept
            reached = (after.max(axis=0) if kind == "throw" else after[BALL]) >= needed
            yield chance_of(f"reroll {kind} {_named(symbol_counts)}, keeping {_named(way.keep)}", way.win, reached)
    for to_cross, aside in RACES:
        yield from chances_of(
            f"race over {to_cross}, {aside} aside",
            odds.race_odds(DEFAULT_FACES, to_cross, aside),
            _race(chance, throws, to_cross, aside),
        )


def _thrown(chance: np.random.Generator, throws: int, dice: int) -> Sample:
    """Return the symbol of each die: one row per die, one column per throw."""
    return DIE[chance.integers(0, len(DIE), (dice, throws), dtype=np.int8)]


def _counts(chance: np.random.Generator, throws: int, dice: int) -> Sample:
    """Count the dice of each throw by symbol: one row per symbol."""
    thrown = _thrown(chance, throws, dice)
    return np.stack([(thrown == symbol).sum(axis=0, dtype=np.int8) for symbol in (BALL, PASS, STEAL, FREE_THROW)])


def _named(counts: tuple[int, ...]) -> str:
    return "/".join(map(str, counts))


def _race(chance: np.random.Generator, throws: int, to_cross: int, aside: int) -> dict[str, Sample]:
    """HB-9: both throw at the same pace; the attack uses all dice, the defence those that it has not set aside."""
    steps, found = np.zeros(throws, np.int16), np.full(throws, aside, np.int16)
    crossed, stolen = np.zeros(throws, bool), np.zeros(throws, bool)
    while not (crossed | stolen).all():
        going = ~(crossed | stolen)
        steps += going * (_thrown(chance, throws, DICE) == BALL).sum(axis=0, dtype=np.int16)
        crossed |= going & (steps >= to_cross)
        left = np.arange(DICE)[:, None] < DICE - found
        found += going * ((_thrown(chance, throws, DICE) == STEAL) & left).sum(axis=0, dtype=np.int16)
        stolen |= going & ~crossed & (found == DICE)
    return {"crossed": crossed, "stolen": stolen}
