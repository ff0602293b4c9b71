"""What happens at the simulated tray when nobody commands it: random throws of a dice set, one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from vision.cameras.drawn import Action, Die, Drawn
from vision.cameras.protocol import SourceError
from vision.dice_sets import DiceSet, Kind
from vision.drawing.looks import of_kind

BODIES = ("white", "ivory", "red", "blue", "green", "black")
"""Body colours of dice whose set leaves them open."""

MOST = 5
"""Dice of one throw, if no number is asked for."""


def drawable(dice_set: DiceSet) -> list[tuple[Kind, tuple[str, ...]]]:
    """The kinds of a set with their bodies. Raises SourceError if the tray has no drawing of one of them."""
    kinds = []
    for kind in dice_set.kinds:
        bodies = kind.bodies or BODIES
        try:
            of_kind(kind, bodies[0])
        except ValueError as error:
            raise SourceError(
                f"the simulated tray cannot draw the dice of the set {dice_set.name!r}: {error}"
            ) from error
        kinds.append((kind, bodies))
    return kinds


def random_throws(seed: int, dice_set: DiceSet, count: int | None = None) -> Iterator[Action]:
    """Throws of `count` dice of the set (1 to MOST if None) with a clearing hand after each, for ever.

    The same seed gives the same throws. Raises SourceError, before the first throw, if the set cannot be drawn or
    nothing would be thrown.
    """
    if count == 0:
        raise SourceError("the simulated tray throws one die at least: --count 0 leaves it nothing to do")
    return _throws(np.random.default_rng((seed, 1)), drawable(dice_set), count)


def _throws(
    chance: np.random.Generator, kinds: Sequence[tuple[Kind, tuple[str, ...]]], count: int | None
) -> Iterator[Action]:
    while True:
        number = count or int(chance.integers(1, MOST + 1))
        dice: list[Die] = []
        for _ in range(number):
            kind, bodies = kinds[int(chance.integers(len(kinds)))]
            dice.append((kind, int(chance.integers(1, 7)), bodies[int(chance.integers(len(bodies)))]))
        yield partial(Drawn.throw, dice=dice)
        yield Drawn.clear
