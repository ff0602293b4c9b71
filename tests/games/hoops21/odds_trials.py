"""The 21-point basketball's throws, shots, rerolls and races by its rules, beside the exact odds of its section 13."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from companion.games.hoops21 import odds
from companion.games.hoops21.tables import (
    BALL,
    DICE,
    FACES,
    FEWER,
    FREE_THROW,
    FREE_THROW_BALLS,
    MARKS,
    PASS,
    SIDES,
    STEAL,
    SYMBOLS,
)
from tools.benchmarks.odds_figures import Figure, Sample, chance_of, chances_of

DIE = np.repeat(np.arange(len(SYMBOLS), dtype=np.int8), FACES)
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
"""Kinds of contest, dice that lie there by symbol, balls (throw: dice alike) needed."""
RACES = ((8, 0), (8, 3), (3, 0), (1, 5))
"""Sections to cross, dice that the defence has set aside."""


def figures(chance: np.random.Generator, throws: int) -> Iterator[Figure]:
    """The odds of every throw by dice, every shot by modifier, the free throw, every way to reroll, the races."""
    for dice in ((DICE, DICE), (DICE, FEWER), (FEWER, DICE), (FEWER, FEWER)):
        one, two = (_counts(chance, throws, count).max(axis=0) for count in dice)
        thrown = {SIDES[0]: one > two, "tie": one == two, SIDES[1]: one < two}
        yield from chances_of(f"throw {dice[0]} against {dice[1]}", odds.throw(FACES, dice), thrown)
    for modifier in MODIFIERS:
        attack = _counts(chance, throws, DICE)[BALL] + modifier
        defence = _counts(chance, throws, DICE)[BALL]
        shots = {"made": attack > defence, "tie": attack == defence, "missed": attack < defence}
        yield from chances_of(f"shot {modifier:+d}", odds.shot(FACES, modifier), shots)
    balls = _counts(chance, throws, DICE)[BALL]
    yield chance_of("free throw", odds.free_throw(FACES), balls >= FREE_THROW_BALLS)
    for kind, lying, needed in REROLLS:
        for way in odds.rerolls(FACES, kind, lying, needed):
            kept = np.array(way.keep, np.int8)[:, None]
            after = _counts(chance, throws, sum(lying) - sum(way.keep)) + kept
            reached = (after.max(axis=0) if kind == "throw" else after[BALL]) >= needed
            yield chance_of(f"reroll {kind} {_named(lying)}, keeping {_named(way.keep)}", way.win, reached)
    for to_cross, aside in RACES:
        yield from chances_of(
            f"race over {to_cross}, {aside} aside",
            odds.race(FACES, to_cross, aside),
            _race(chance, throws, to_cross, aside),
        )


def _thrown(chance: np.random.Generator, throws: int, dice: int) -> Sample:
    """The symbol of each die, a row for each, a column for each throw."""
    return DIE[chance.integers(0, len(DIE), (dice, throws), dtype=np.int8)]


def _counts(chance: np.random.Generator, throws: int, dice: int) -> Sample:
    """How many dice of each throw show each symbol: a row for each symbol."""
    thrown = _thrown(chance, throws, dice)
    return np.stack([(thrown == symbol).sum(axis=0, dtype=np.int8) for symbol in (BALL, PASS, STEAL, FREE_THROW)])


def _named(counts: tuple[int, ...]) -> str:
    return "/".join(map(str, counts))


def _race(chance: np.random.Generator, throws: int, to_cross: int, aside: int) -> dict[str, Sample]:
    """HB-9: both throw at one pace, the attack all dice, the defence those that it has not set aside."""
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
