"""NBA dice simulated by the rules, for comparison with the exact figures of chapter 14 and of the mismatch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from companion.games.nba import odds
from companion.games.nba.dice_set import RULEBOOK_DICE
from companion.games.nba.greedy_player import mean_points
from companion.games.nba.odds import READINGS, Pool, Reading
from companion.games.nba.reroll_advice import RollPart, defence_advice, offence_advice
from companion.games.nba.tables import (
    BODY_COLOURS,
    COLOURS,
    DEFENCE,
    MAX_DICE_PER_KIND,
    OFFENCE,
    RULEBOOK_FACES,
    UNKNOWN_COLOUR,
)
from tools.benchmarks.odds_figures import Figure, Sample, chance_of, mean_of

COUNTS = (1, 2, 3, 4, 5, 6, 8, 10)
KEPT = (1, 2, 3)
SMALL = ((1, 1), (2, 1), (3, 2))
"""Dice thrown and kept in the table of defences."""
Keeps = Mapping[str, tuple[int, int]]
"""Kind → dice thrown and dice kept."""
OFFENCES: tuple[Keeps, ...] = (
    {"three_points": (4, 3)},
    {"inside": (2, 1), "penetration": (5, 2)},
    {"three_points": (3, 2), "inside": (4, 2), "penetration": (2, 1)},
)
DEFENCES: tuple[tuple[Keeps, str], ...] = (
    ({"interception": (3, 1), "stop": (2, 1)}, "yellow"),
    ({"block": (2, 1), "stop": (2, 1)}, "blue red"),
    ({"interception": (4, 2), "block": (3, 1), "stop": (5, 2)}, "blue yellow red"),
)
OPEN_OFFENCES: tuple[tuple[dict[str, tuple[int, ...]], int, int], ...] = (
    ({"three_points": (0, 2, 9, 0)}, 3, 1),
    ({"inside": (4, 0, 2), "penetration": (6, 2, 0)}, 2, 2),
    ({"three_points": (6, 0), "inside": (0, 0, 7)}, 2, 3),
)
"""Dice on the table of each kind, dice kept of each, dice that may be rolled again."""
OPEN_DEFENCES: tuple[tuple[dict[str, tuple[int, ...]], str, int], ...] = (
    ({"interception": (2, 0, 1), "stop": (0, 3)}, "blue", 3),
    ({"block": (0, 1), "stop": (2, 0)}, "yellow red", 2),
)
"""Values of the dice of each kind, the attacking colours, dice that may be rolled again; one is kept of each."""
DUELS: tuple[tuple[dict[str, int], dict[str, int]], ...] = (
    ({"three_points": 2, "inside": 0, "penetration": 1}, {"interception": 1, "block": 1, "stop": 0}),
    ({"three_points": 0, "inside": 3, "penetration": 2}, {"interception": 0, "block": 2, "stop": 3}),
)


def figures(chance: np.random.Generator, throws: int) -> Iterator[Figure]:
    """Yield means by kind, dice and dice kept; whole tactics; defences by colour and reading; advice; mismatches."""
    for kind in OFFENCE:
        yield from _means(chance, throws, kind)
    for keeps in OFFENCES:
        yield from _offence(chance, throws, keeps)
    for kind in DEFENCE:
        for colour in COLOURS:
            for dice, keep in SMALL:
                yield from _defence(chance, throws, {kind: (dice, keep)}, frozenset({colour}))
    for keeps, colours in DEFENCES:
        yield from _defence(chance, throws, keeps, frozenset(colours.split()))
    yield from _advice(chance, throws)
    for attack, defence in DUELS:
        yield _mismatch(chance, throws, attack, defence)


def _thrown(
    chance: np.random.Generator, throws: int, kind: str, dice: int, colours: frozenset[str], reading: Reading = "even"
) -> Sample:
    """Return the value of each die (one row per die, one column per throw); in defence, only sought colours count."""
    faces = RULEBOOK_FACES[kind]
    face_indices = chance.integers(0, len(faces), (dice, throws), dtype=np.int8)
    values = np.array([value for value, _ in faces], np.int8)[face_indices]
    if kind in OFFENCE:
        return values
    known = np.array([colour in colours for _, colour in faces])[face_indices]
    unknown = np.array([colour == UNKNOWN_COLOUR for _, colour in faces])[face_indices]
    if reading == "even":
        sought = np.array([colour in colours for colour in COLOURS])
        unknown &= sought[chance.integers(0, len(COLOURS), face_indices.shape, dtype=np.int8)]
    else:
        unknown &= reading == "high" and bool(colours)
    return values * (known | unknown)


def _best(values: Sample, keep: int) -> Sample:
    """Return the sum of the highest dice of each throw."""
    left = list(values)
    total = np.zeros(values.shape[1], np.int16)
    for _ in range(min(keep, len(left))):
        highest = left.pop()
        for place, row in enumerate(left):
            left[place] = np.minimum(row, highest)
            highest = np.maximum(row, highest)
        total += highest
    return total


def _pool(kind: str, dice: int, keep: int, colours: frozenset[str], reading: Reading) -> Pool:
    faces = RULEBOOK_FACES[kind]
    law = odds.scoring_law(faces) if kind in OFFENCE else odds.counting_law(faces, colours, reading)
    return Pool(law, dice, keep)


def _means(chance: np.random.Generator, throws: int, kind: str) -> Iterator[Figure]:
    values = _thrown(chance, throws, kind, MAX_DICE_PER_KIND, frozenset())
    for dice in COUNTS:
        for keep in KEPT:
            if keep <= dice:
                exact = odds.expected_total([_pool(kind, dice, keep, frozenset(), "even")])
                yield mean_of(f"{kind} {dice}, best {keep}", exact, _best(values[:dice], keep))


def _total(
    chance: np.random.Generator, throws: int, keeps: Keeps, colours: frozenset[str], reading: Reading
) -> tuple[list[Pool], Sample]:
    """Return the pools of a tactic and the kept total of each throw."""
    total = np.zeros(throws, np.int16)
    for kind, (dice, keep) in keeps.items():
        total = total + _best(_thrown(chance, throws, kind, dice, colours, reading), keep)
    return [_pool(kind, dice, keep, colours, reading) for kind, (dice, keep) in keeps.items()], total


def _named(keeps: Keeps) -> str:
    return " + ".join(f"{kind} {dice} best {keep}" for kind, (dice, keep) in keeps.items())


def _offence(chance: np.random.Generator, throws: int, keeps: Keeps) -> Iterator[Figure]:
    pools, total = _total(chance, throws, keeps, frozenset(), "even")
    yield mean_of(_named(keeps), odds.expected_total(pools), total)
    for points, exact in odds.distribution(pools):
        yield chance_of(f"{_named(keeps)}: {points}", exact, total == points)


def _defence(chance: np.random.Generator, throws: int, keeps: Keeps, colours: frozenset[str]) -> Iterator[Figure]:
    name = f"{_named(keeps)} against {' '.join(sorted(colours))}"
    pools: dict[Reading, list[Pool]] = {}
    totals: dict[Reading, Sample] = {}
    for reading in READINGS:
        pools[reading], totals[reading] = _total(chance, throws, keeps, colours, reading)
        yield mean_of(f"{name}, {reading}", odds.expected_total(pools[reading]), totals[reading])
    for points, low, high in odds.chances_at_least(pools["low"], pools["high"]):
        yield chance_of(f"{name}, at least {points}, low", low, totals["low"] >= points)
        yield chance_of(f"{name}, at least {points}, high", high, totals["high"] >= points)


def _advice(chance: np.random.Generator, throws: int) -> Iterator[Figure]:
    for pool, keep, rerolls in OPEN_OFFENCES:
        best = offence_advice(_parts(pool, keep, frozenset()), rerolls)
        total = _again(chance, throws, pool, keep, Rethrow(best.dice, frozenset(), "even"))
        yield mean_of(f"{pool} again {list(best.dice)}", best.expected, total)
    for pool, colours, rerolls in OPEN_DEFENCES:
        sought = frozenset(colours.split())
        for step in defence_advice(_parts(pool, 1, sought), rerolls):
            exact: Sequence[Fraction] = (step.low, step.even, step.high)
            for reading, mean in zip(READINGS, exact, strict=True):
                total = _again(chance, throws, pool, 1, Rethrow(step.dice, sought, reading))
                yield mean_of(f"{pool} against {colours} again {list(step.dice)}, {reading}", mean, total)


def _parts(pool: Mapping[str, tuple[int, ...]], keep: int, colours: frozenset[str]) -> list[RollPart]:
    parts, start = [], 0
    for kind, values in pool.items():
        low, even, high = (_pool(kind, 0, 0, colours, reading).law for reading in READINGS)
        parts.append(RollPart(keep, tuple(enumerate(values, start)), (low, even, high)))
        start += len(values)
    return parts


@dataclass(frozen=True, slots=True)
class Rethrow:
    """The dice thrown again (by index), the colours sought, and the reading of a double colour."""

    dice: Sequence[int]
    colours: frozenset[str]
    reading: Reading


def _again(
    chance: np.random.Generator,
    throws: int,
    pool: Mapping[str, tuple[int, ...]],
    keep: int,
    rethrow: Rethrow,
) -> Sample:
    """Return the best total of each kind after these dice were thrown again, with the others unchanged."""
    total, start = np.zeros(throws, np.int16), 0
    for kind, values in pool.items():
        again = [index - start for index in rethrow.dice if start <= index < start + len(values)]
        table = np.repeat(np.array(values, np.int8)[:, None], throws, axis=1)
        table[again] = _thrown(chance, throws, kind, len(again), rethrow.colours, rethrow.reading)
        total = total + _best(table, keep)
        start += len(values)
    return total


def _mismatch(
    chance: np.random.Generator, throws: int, attack: Mapping[str, int], defence: Mapping[str, int]
) -> Figure:
    colours = frozenset(BODY_COLOURS[kind] for kind, dice in attack.items() if dice)
    scored, stopped = (
        sum((_thrown(chance, throws, kind, dice, colours).sum(axis=0, dtype=np.int16) for kind, dice in rolled.items()))
        for rolled in (attack, defence)
    )
    exact = mean_points(RULEBOOK_DICE, attack, defence)
    return mean_of(f"mismatch {attack} against {defence}", exact, np.maximum(0, scored - stopped))
