"""What it tells that as many dice lie there as are due, and how many of each kind: the roll request as stated evidence.

Two bodies whose colours one lamp makes alike, such as ivory and grey, may be told apart by nothing but the number of
dice of each that the game awaits. People do take up a wrong die, so one in the place of another is reckoned with.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import exp, factorial, log, prod

import numpy as np

from vision.classes import NOTHING
from vision.read import Look

_NONE_OF_THEM = 0.05
"""How much likelier it is that a die is one of those that are due than that it is nothing while one was not found."""

_EXACTLY, _ONE_SWAPPED, _ANYHOW = 0.97, 0.029, 0.001
"""How often the dice that lie there are those that are due, one of them is of another kind, or any may lie there."""

_RULED_OUT = 1e-4
"""Share of a die's best chance under which a kind is left out: what is clear costs no time."""

Chances = Mapping[str, float]
"""By kind: how well what was seen fits it."""

_Counts = tuple[int, ...]


def kinds_by_count(dice: Sequence[Chances], due: Mapping[str, int]) -> list[dict[str, float]]:
    """For each of `dice` how likely it is of each kind that it can be, given that `due` dice of each kind are awaited.

    Every die needs the same kinds, those of the whole set, and one at least with a chance above 0; there must be as
    many dice as are due. Otherwise: ValueError.
    """
    return kinds_in_lights([(0.0, dice)], due)


def kinds_in_lights(
    lights: Iterable[tuple[float, Sequence[Chances]]], due: Mapping[str, int]
) -> list[dict[str, float]]:
    """The same where the light is one of several: by the logarithm of each one's chance, up to a constant, how well
    the dice fit in it.

    A light in which as many dice of each kind lie there as are due is the likelier for it, and a light is the same for
    all dice: those of alike bodies are told apart together. Errors as in `kinds_by_count`.
    """
    told = []
    for chance, dice in lights:
        evidence, kinds = _counted(dice, due)
        told.append((chance + evidence, kinds))
    best = max(chance for chance, _ in told)
    shares = [exp(chance - best) for chance, _ in told]
    answers: list[dict[str, float]] = [{} for _ in told[0][1]]
    for share, (_, kinds) in zip(shares, told, strict=True):
        for answer, likely in zip(answers, kinds, strict=True):
            for name, chance in likely.items():
                answer[name] = answer.get(name, 0.0) + share / sum(shares) * chance
    return answers


def _counted(dice: Sequence[Chances], due: Mapping[str, int]) -> tuple[float, list[dict[str, float]]]:
    """The logarithm of how well the dice fit what is due, and the kinds of each.

    All arrangements of the kinds over the dice count alike; they are summed by the number of dice of each kind so far,
    forwards and backwards (Rabiner 1989, forward-backward).
    """
    if len(dice) != sum(due.values()) or not all(max(chances.values(), default=0.0) > 0 for chances in dice):
        raise ValueError("as many dice as are due, each with a chance, are needed")
    names = tuple(dice[0]) if dice else ()
    fits = [_kept(chances, names) for chances in dice]
    forwards: list[dict[_Counts, float]] = [{(0,) * len(names): 1.0}]
    for fit in fits:
        forwards.append(_onwards(forwards[-1], fit))
    weights = _weights(tuple(due.get(name, 0) for name in names))
    ways = {counts: weights[counts] for counts in forwards[-1] if counts in weights}
    told = sum(chance * ways.get(counts, 0.0) for counts, chance in forwards[-1].items())
    anyhow = _ANYHOW * prod(sum(fit.values()) / len(names) for fit in fits)
    whole = told + anyhow
    answers: list[dict[str, float]] = []
    for before, fit in zip(reversed(forwards[:-1]), reversed(fits), strict=True):
        shares = {
            kind: chance * sum(value * ways.get(_one_more(counts, kind), 0.0) for counts, value in before.items())
            for kind, chance in fit.items()
        }
        apart = anyhow / sum(fit.values())
        answers.append({names[kind]: (shares[kind] + apart * chance) / whole for kind, chance in fit.items()})
        ways = _backwards(before, fit, ways)
    return log(whole) + sum(log(max(chances.values())) for chances in dice), answers[::-1]


def as_due(look: Look) -> Look:
    """A look at one of exactly as many dice as are due: for it to be nothing, another one must have been missed too."""
    odds = np.ones_like(look.classes)
    odds[NOTHING] = _NONE_OF_THEM
    classes = look.classes * odds
    return replace(look, classes=classes / classes.sum())


def _kept(chances: Chances, names: Sequence[str]) -> dict[int, float]:
    """By number of the kind: the chances that count, the best of them 1."""
    best = max(chances.values())
    return {kind: chances[name] / best for kind, name in enumerate(names) if chances[name] > _RULED_OUT * best}


def _one_more(counts: _Counts, kind: int) -> _Counts:
    return (*counts[:kind], counts[kind] + 1, *counts[kind + 1 :])


def _onwards(before: Mapping[_Counts, float], fit: Mapping[int, float]) -> dict[_Counts, float]:
    after: dict[_Counts, float] = {}
    for counts, value in before.items():
        for kind, chance in fit.items():
            there = _one_more(counts, kind)
            after[there] = after.get(there, 0.0) + value * chance
    return after


def _backwards(
    before: Mapping[_Counts, float], fit: Mapping[int, float], ways: Mapping[_Counts, float]
) -> dict[_Counts, float]:
    return {
        counts: sum(chance * ways.get(_one_more(counts, kind), 0.0) for kind, chance in fit.items())
        for counts in before
    }


def _weights(due: _Counts) -> dict[_Counts, float]:
    """By the number of dice of each kind: how likely one single arrangement of so many is before anything is seen."""
    swapped = [
        _one_more((*due[:less], due[less] - 1, *due[less + 1 :]), more)
        for less in range(len(due))
        for more in range(len(due))
        if less != more and due[less]
    ]
    weights = {counts: _ONE_SWAPPED / len(swapped) / _arrangements(counts) for counts in swapped}
    return weights | {due: _EXACTLY / _arrangements(due)}


def _arrangements(counts: _Counts) -> int:
    return factorial(sum(counts)) // prod(factorial(number) for number in counts)
