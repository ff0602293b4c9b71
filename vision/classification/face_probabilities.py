"""Probabilities of the faces of a dice set, from one look and from the requested number of dice.

Two bodies that look alike under one lamp, such as ivory and grey, may be distinguishable only by the requested number
of each. Players do pick up wrong dice, so the model allows one die to be replaced by another kind.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp, factorial, log, prod

import numpy as np

from vision.classification import classes
from vision.classification.classes import NOTHING
from vision.classification.face_nets import Classification
from vision.dice_sets import BODIES, Kind
from vision.roll import Face

_OTHER_COLOURS = 0.6
"""Minimum total paint probability of the set's colours used for normalisation."""

_OTHER_MARKS = 0.8
"""The same for marks: the rest is left for marks outside the set."""

_OTHER_KINDS = 0.5
"""The same for the bodies of the kinds that have the visible mark."""

_ANY_INK, _OTHER_INK = 1 / 3, 0.03
"""Probability of the visible ink for a number of open colour, and of a wrong ink for a number with a colour."""

_LEAST_FIT = 1e-6


@dataclass(frozen=True, slots=True)
class PartChances:
    """Probabilities 0..1 of the parts of one reading, each given that the parts before it are right.

    - `mark`: the mark.
    - `body`: the kind, by its body colour.
    - `colour`: the face among those with this mark, by its colour.
    """

    mark: float
    body: float
    colour: float

    @property
    def whole(self) -> float:
        """The probability of the reading."""
        return self.mark * self.body * self.colour


def class_of_face(kind: Kind, face: Face) -> int | None:
    """Return the network's class of a face, None for one it was not trained on (a number over 9, another symbol)."""
    if kind.marks == "pips" and face.value is not None:
        return face.value
    if kind.marks == "plain":
        return classes.PLAIN
    if kind.marks == "digits" and face.value is not None and 0 <= face.value <= 9:
        return classes.of_digit(face.value) if face.value else classes.PLAIN
    if kind.marks == "symbols" and face.symbol in classes.SYMBOLS:
        return classes.of_symbol(face.symbol)
    return None


def face_chances(
    classification: Classification, kinds: Sequence[Kind], *, body: bool = True
) -> dict[tuple[Kind, Face], float]:
    """Return the probability of each face of `kinds`. The sum may be below 1, as classes outside the set are left out.

    `body`: whether the body colour counts.
    """
    chances: dict[tuple[Kind, Face], float] = {}
    for kind in kinds:
        share = body_chance(classification, kind, kinds) if body else 1.0
        for face in kind.faces:
            chances[kind, face] = (
                share * _mark_chance(classification, kind, face) * _colour_chance(classification, kind, face)
            )
    return chances


def part_chances(
    classification: Classification, kinds: Sequence[Kind], kind: Kind, face: Face, *, body: bool = True
) -> PartChances:
    """Return the probabilities of the parts of `face` of `kind` among the dice of `kinds`.

    Combinations that none of these dice has do not count against it, up to a limit: a four on a body that is ivory or
    grey is on the ivory die if the grey one has no four. `body`: whether the body colour counts.
    """
    marks = sum(float(classification.classes[number]) for number in known_classes(kinds))
    marks += float(classification.classes[classes.UNKNOWN] + classification.classes[classes.NOTHING])
    mark = _mark_chance(classification, kind, face) / max(marks, _OTHER_MARKS)
    colour = _colour_chance(classification, kind, face) if needs_colour(kind, face) else 1.0
    return PartChances(mark, _kind_chance(classification, kinds, kind, face) if body else 1.0, colour)


def _kind_chance(classification: Classification, kinds: Sequence[Kind], kind: Kind, face: Face) -> float:
    """Return the probability of the kind, by its body, among those with the mark of this face.

    An ink that fits another kind better lowers it. No ink raises it: on dice with open colours any ink may be on any
    body.
    """
    number = class_of_face(kind, face)
    inks = {
        other: [_ink(classification, other, one) for one in other.faces if class_of_face(other, one) == number]
        for other in kinds
    }
    alike = [other for other in kinds if inks[other]]
    bodies = {other: body_chance(classification, other, kinds) for other in alike}
    both = {other: bodies[other] * sum(inks[other]) / len(inks[other]) for other in alike}
    share = min(shares[kind] / max(sum(shares.values()), _LEAST_FIT) for shares in (bodies, both))
    if not all(other.bodies for other in kinds):
        return share
    of_these, of_all = (_paint_share(classification, _bodies(among)) for among in (alike, kinds))
    return share * min(1.0, of_these / (_OTHER_KINDS * max(of_all, _OTHER_COLOURS)))


def _ink(classification: Classification, kind: Kind, face: Face) -> float:
    """Return how well the ink fits the face."""
    if kind.marks == "plain" or face.colour is None:
        return _ANY_INK
    return max(float(classification.inks[BODIES.index(face.colour)]), _OTHER_INK)


def _bodies(kinds: Sequence[Kind]) -> tuple[str, ...]:
    """Return the bodies of all kinds, each once and in a fixed order, in which probabilities are summed."""
    return tuple(dict.fromkeys(body for kind in kinds for body in kind.bodies))


def kind_fits(classification: Classification, kinds: Sequence[Kind]) -> dict[str, float]:
    """Return by kind name how well its body and its six faces, equally likely, fit the look."""
    chances = face_chances(classification, kinds)
    return {
        kind.name: _LEAST_FIT
        + sum(chances[kind, face] * _ink(classification, kind, face) for face in kind.faces) / len(kind.faces)
        for kind in kinds
    }


def body_chance(classification: Classification, kind: Kind, kinds: Sequence[Kind]) -> float:
    """Return the probability of `kind` among `kinds` by body colour; 1 for a kind of any colour."""
    within = max(_paint_share(classification, _bodies(kinds)), _OTHER_COLOURS)
    return _paint_share(classification, kind.bodies) / within if kind.bodies else 1.0


def has_upside_down_twin(kind: Kind, face: Face) -> bool:
    """Return True if the die also has this figure upside down: a 6 and a 9."""
    return (
        kind.marks == "digits" and face.value in (6, 9) and any(other.value == 15 - face.value for other in kind.faces)
    )


def needs_colour(kind: Kind, face: Face) -> bool:
    """Return True if the die has another face that differs from this one only by colour."""
    return len(_mark_colours(kind, face)) > 1


def known_classes(kinds: Sequence[Kind]) -> frozenset[int]:
    """Return the classes that dice of `kinds` can show."""
    known = {class_of_face(kind, face) for kind in kinds for face in kind.faces}
    if known & {classes.of_digit(6), classes.of_digit(9)}:
        known.add(classes.SIX_OR_NINE)
    return frozenset(number for number in known if number is not None)


def _paint_share(classification: Classification, names: Sequence[str]) -> float:
    return float(sum(classification.paints[BODIES.index(name)] for name in names))


def _mark_chance(classification: Classification, kind: Kind, face: Face) -> float:
    """Return the probability of the mark alone.

    An unmarked six or nine counts for both, or for the one that the kind has.
    """
    number = class_of_face(kind, face)
    if number is None:
        unknown = sum(class_of_face(kind, other) is None for other in kind.faces)
        return float(classification.classes[classes.UNKNOWN]) / unknown
    chance = float(classification.classes[number])
    if kind.marks == "digits" and face.value in (6, 9):
        chance += float(classification.classes[classes.SIX_OR_NINE]) * (
            0.5 if has_upside_down_twin(kind, face) else 1.0
        )
    return chance


def _mark_colours(kind: Kind, face: Face) -> tuple[str | None, ...]:
    """Return the colours in which the kind has the mark of this face; for a plain face, all its colours."""
    alike = (other for other in kind.faces if (other.value, other.symbol) == (face.value, face.symbol))
    return tuple(dict.fromkeys(other.colour for other in alike))


def _colour_chance(classification: Classification, kind: Kind, face: Face) -> float:
    """Return the probability of the face's colour among those that the kind has for the same mark."""
    ways = _mark_colours(kind, face)
    chances = classification.paints if kind.marks == "plain" else classification.inks
    if len(ways) < 2:
        return min(1.0, _ink(classification, kind, face) / _ANY_INK)
    by_colour = {way: float(chances[BODIES.index(way)]) for way in ways if way is not None}
    if face.colour is None:
        return 1.0 - sum(by_colour.values())
    if None in ways:
        return by_colour[face.colour]
    return by_colour[face.colour] / max(sum(by_colour.values()), _OTHER_COLOURS)


_NONE_OF_THEM = 0.05
"""Odds factor of "not a die" when exactly as many dice are found as requested."""

_EXACTLY, _ONE_SWAPPED, _ANYHOW = 0.97, 0.029, 0.001
"""Prior probabilities: the requested dice are present, one is of another kind, or any dice are present."""

_RULED_OUT = 1e-4
"""Share of a die's best probability below which a kind is skipped, to save time."""

Chances = Mapping[str, float]
"""By kind: how well the look fits it."""

_Counts = tuple[int, ...]


def kinds_given_count(
    lights: Iterable[tuple[float, Sequence[Chances]]], due: Mapping[str, int]
) -> list[dict[str, float]]:
    """Return for each die the probability of each kind, given the requested number `due` of each kind.

    `lights` gives, by log probability of each light (up to a constant), how well the dice fit in it. A light in which
    the counts match the request becomes more likely. All dice share one light, so similar bodies are told apart
    together.

    Raises: ValueError unless every die has the same kinds (those of the whole set), at least one of them above 0, and
    there are as many dice as `due`.
    """
    by_light = []
    for chance, dice in lights:
        evidence, kinds = _kinds_in_one_light(dice, due)
        by_light.append((chance + evidence, kinds))
    best = max(chance for chance, _ in by_light)
    shares = [exp(chance - best) for chance, _ in by_light]
    answers: list[dict[str, float]] = [{} for _ in by_light[0][1]]
    for share, (_, kinds) in zip(shares, by_light, strict=True):
        for answer, likely in zip(answers, kinds, strict=True):
            for name, chance in likely.items():
                answer[name] = answer.get(name, 0.0) + share / sum(shares) * chance
    return answers


def _kinds_in_one_light(dice: Sequence[Chances], due: Mapping[str, int]) -> tuple[float, list[dict[str, float]]]:
    """Return the log probability of the dice given `due`, and the kind probabilities of each die.

    All arrangements of the kinds over the dice are equally likely. They are summed by the count of each kind so far,
    forwards and backwards (Rabiner 1989, forward-backward).
    """
    if len(dice) != sum(due.values()) or any(max(chances.values(), default=0.0) <= 0 for chances in dice):
        raise ValueError("as many dice as are due, each with a chance, are needed")
    names = tuple(dice[0]) if dice else ()
    fits = [_relevant_chances(chances, names) for chances in dice]
    forwards: list[dict[_Counts, float]] = [{(0,) * len(names): 1.0}]
    for fit in fits:
        forwards.append(_forwards(forwards[-1], fit))
    weights = _weights(tuple(due.get(name, 0) for name in names))
    ways = {counts: weights[counts] for counts in forwards[-1] if counts in weights}
    as_due = sum(chance * ways.get(counts, 0.0) for counts, chance in forwards[-1].items())
    anyhow = _ANYHOW * prod(sum(fit.values()) / len(names) for fit in fits)
    whole = as_due + anyhow
    answers: list[dict[str, float]] = []
    for before, fit in zip(reversed(forwards[:-1]), reversed(fits), strict=True):
        apart = anyhow / sum(fit.values())
        answers.append(
            {
                names[kind]: (chance * _chance_onwards(before, kind, ways) + apart * chance) / whole
                for kind, chance in fit.items()
            }
        )
        ways = _backwards(before, fit, ways)
    return log(whole) + sum(log(max(chances.values())) for chances in dice), answers[::-1]


def _chance_onwards(before: Mapping[_Counts, float], kind: int, ways: Mapping[_Counts, float]) -> float:
    """Return the probability of all dice except one, if that one is of this kind."""
    return sum(value * ways.get(_one_more(counts, kind), 0.0) for counts, value in before.items())


def given_exact_count(classification: Classification) -> Classification:
    """Return the look, given that exactly as many dice were found as requested.

    If this find is no die, another die was missed, which is unlikely.
    """
    odds = np.ones_like(classification.classes)
    odds[NOTHING] = _NONE_OF_THEM
    classes = classification.classes * odds
    return replace(classification, classes=classes / classes.sum())


def _relevant_chances(chances: Chances, names: Sequence[str]) -> dict[int, float]:
    """Return by kind index the probabilities that count, scaled so that the best is 1."""
    best = max(chances.values())
    return {kind: chances[name] / best for kind, name in enumerate(names) if chances[name] > _RULED_OUT * best}


def _one_more(counts: _Counts, kind: int) -> _Counts:
    return (*counts[:kind], counts[kind] + 1, *counts[kind + 1 :])


def _forwards(before: Mapping[_Counts, float], fit: Mapping[int, float]) -> dict[_Counts, float]:
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
    """Return by count of each kind the prior probability of one single arrangement with these counts."""
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
