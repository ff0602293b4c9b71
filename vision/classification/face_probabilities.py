"""How likely each face of each kind of a dice set is, by one look and by the number of dice awaited.

Two bodies whose colours one lamp makes alike, such as ivory and grey, may be told apart by nothing but the number of
dice of each that the game awaits. People do take up a wrong die, so one in the place of another is reckoned with.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp, factorial, log, prod

import numpy as np

from vision.classification import classes
from vision.classification.classes import NOTHING
from vision.classification.face_nets import Look
from vision.dice_sets import BODIES, Kind
from vision.roll import Face

_OTHER_COLOURS = 0.6
"""Share of the paint's chances that the set's colours must have at least, before they are taken for the whole."""

_OTHER_MARKS = 0.8
"""The same share of a mark's chances: what else than the set's marks a face may show."""

_OTHER_KINDS = 0.5
"""The same share of the body's chances for the kinds that have the mark which is seen."""

_ANY_INK, _OTHER_INK = 1 / 3, 0.03
"""How likely a number whose colour the set leaves open has the ink that is seen, and one with a colour another ink."""

_LEAST_FIT = 1e-6


@dataclass(frozen=True, slots=True)
class PartChances:
    """How likely the parts of one reading are, 0..1: the `mark`, that the die is of this kind by its `body`, and that
    the face with this mark is the one of this `colour`, each if the parts before it are right."""

    mark: float
    body: float
    colour: float

    @property
    def whole(self) -> float:
        """The chance of the reading."""
        return self.mark * self.body * self.colour


def class_of(kind: Kind, face: Face) -> int | None:
    """The net's class of a face, None for one that it was not taught (a number over 9, another symbol)."""
    if kind.marks == "pips" and face.value is not None:
        return face.value
    if kind.marks == "plain":
        return classes.PLAIN
    if kind.marks == "digits" and face.value is not None and 0 <= face.value <= 9:
        return classes.of_digit(face.value) if face.value else classes.PLAIN
    if kind.marks == "symbols" and face.symbol in classes.SYMBOLS:
        return classes.of_symbol(face.symbol)
    return None


def face_chances(look: Look, kinds: Sequence[Kind], *, body: bool = True) -> dict[tuple[Kind, Face], float]:
    """How likely each face of each of `kinds` is; what the dice cannot show is left out, so the sum may be under 1.

    `body`: whether the colour of the body has a say.
    """
    chances: dict[tuple[Kind, Face], float] = {}
    for kind in kinds:
        share = body_chance(look, kind, kinds) if body else 1.0
        for face in kind.faces:
            chances[kind, face] = share * _mark_chance(look, kind, face) * _colour_chance(look, kind, face)
    return chances


def part_chances(look: Look, kinds: Sequence[Kind], kind: Kind, face: Face, *, body: bool = True) -> PartChances:
    """What the look tells of `face` of `kind` among the dice of `kinds`.

    What none of these dice can be is not counted against it, up to a point: a four on a body that is ivory or grey is
    of the ivory die if the grey one has no four. `body`: whether the body has a say.
    """
    marks = sum(float(look.classes[number]) for number in known_classes(kinds))
    marks += float(look.classes[classes.UNKNOWN] + look.classes[classes.NOTHING])
    mark = _mark_chance(look, kind, face) / max(marks, _OTHER_MARKS)
    colour = _colour_chance(look, kind, face) if needs_colour(kind, face) else 1.0
    return PartChances(mark, _kind_chance(look, kinds, kind, face) if body else 1.0, colour)


def _kind_chance(look: Look, kinds: Sequence[Kind], kind: Kind, face: Face) -> float:
    """The chance of the kind among those that have the mark of this face, by its body; an ink that rather another kind
    has lowers it. None raises it: on dice that a set leaves open any ink may stand on any body."""
    number = class_of(kind, face)
    inks = {other: [_ink(look, other, one) for one in other.faces if class_of(other, one) == number] for other in kinds}
    alike = [other for other in kinds if inks[other]]
    bodies = {other: body_chance(look, other, kinds) for other in alike}
    both = {other: bodies[other] * sum(inks[other]) / len(inks[other]) for other in alike}
    share = min(shares[kind] / max(sum(shares.values()), _LEAST_FIT) for shares in (bodies, both))
    if not all(other.bodies for other in kinds):
        return share
    of_these, of_all = (_paint_share(look, _bodies(among)) for among in (alike, kinds))
    return share * min(1.0, of_these / (_OTHER_KINDS * max(of_all, _OTHER_COLOURS)))


def _ink(look: Look, kind: Kind, face: Face) -> float:
    """How well the ink fits the face by itself."""
    if kind.marks == "plain" or face.colour is None:
        return _ANY_INK
    return max(float(look.inks[BODIES.index(face.colour)]), _OTHER_INK)


def _bodies(kinds: Sequence[Kind]) -> tuple[str, ...]:
    """The bodies of all kinds, each once, in an order that is always the same: chances are summed in it."""
    return tuple(dict.fromkeys(body for kind in kinds for body in kind.bodies))


def kind_fits(look: Look, kinds: Sequence[Kind]) -> dict[str, float]:
    """By name of each of `kinds` how well its body and its six faces, each as likely as another, fit what is seen."""
    chances = face_chances(look, kinds)
    return {
        kind.name: _LEAST_FIT
        + sum(chances[kind, face] * _ink(look, kind, face) for face in kind.faces) / len(kind.faces)
        for kind in kinds
    }


def body_chance(look: Look, kind: Kind, kinds: Sequence[Kind]) -> float:
    """How likely a die of one of `kinds` is of `kind` by the colour of its body; 1 for a kind of any colour."""
    within = max(_paint_share(look, _bodies(kinds)), _OTHER_COLOURS)
    return _paint_share(look, kind.bodies) / within if kind.bodies else 1.0


def has_turned(kind: Kind, face: Face) -> bool:
    """Whether the die has the same figure upside down too: a 6 and a 9."""
    return (
        kind.marks == "digits" and face.value in (6, 9) and any(other.value == 15 - face.value for other in kind.faces)
    )


def needs_colour(kind: Kind, face: Face) -> bool:
    """Whether the die has another face that only its colour tells from this one."""
    return len(_mark_colours(kind, face)) > 1


def known_classes(kinds: Sequence[Kind]) -> frozenset[int]:
    """The classes that dice of `kinds` can show."""
    known = {class_of(kind, face) for kind in kinds for face in kind.faces}
    if known & {classes.of_digit(6), classes.of_digit(9)}:
        known.add(classes.SIX_OR_NINE)
    return frozenset(number for number in known if number is not None)


def _paint_share(look: Look, names: Sequence[str]) -> float:
    return float(sum(look.paints[BODIES.index(name)] for name in names))


def _mark_chance(look: Look, kind: Kind, face: Face) -> float:
    """The chance of the mark alone; a six or nine that nothing marks is either, or the one that the kind has."""
    number = class_of(kind, face)
    if number is None:
        unknown = sum(class_of(kind, other) is None for other in kind.faces)
        return float(look.classes[classes.UNKNOWN]) / unknown
    chance = float(look.classes[number])
    if kind.marks == "digits" and face.value in (6, 9):
        chance += float(look.classes[classes.SIX_OR_NINE]) * (0.5 if has_turned(kind, face) else 1.0)
    return chance


def _mark_colours(kind: Kind, face: Face) -> tuple[str | None, ...]:
    """The colours in which the kind has the mark of this face; of a plain one, all its colours."""
    alike = (other for other in kind.faces if (other.value, other.symbol) == (face.value, face.symbol))
    return tuple(dict.fromkeys(other.colour for other in alike))


def _colour_chance(look: Look, kind: Kind, face: Face) -> float:
    """The chance of the face's colour among those that the kind has for the same mark."""
    ways = _mark_colours(kind, face)
    chances = look.paints if kind.marks == "plain" else look.inks
    if len(ways) < 2:
        return min(1.0, _ink(look, kind, face) / _ANY_INK)
    told = {way: float(chances[BODIES.index(way)]) for way in ways if way is not None}
    if face.colour is None:
        return 1.0 - sum(told.values())
    if None in ways:
        return told[face.colour]
    return told[face.colour] / max(sum(told.values()), _OTHER_COLOURS)


_NONE_OF_THEM = 0.05
"""How much likelier it is that a die is one of those that are due than that it is nothing while one was not found."""

_EXACTLY, _ONE_SWAPPED, _ANYHOW = 0.97, 0.029, 0.001
"""How often the dice that lie there are those that are due, one of them is of another kind, or any may lie there."""

_RULED_OUT = 1e-4
"""Share of a die's best chance under which a kind is left out: what is clear costs no time."""

Chances = Mapping[str, float]
"""By kind: how well what was seen fits it."""

_Counts = tuple[int, ...]


def kinds_in_lights(
    lights: Iterable[tuple[float, Sequence[Chances]]], due: Mapping[str, int]
) -> list[dict[str, float]]:
    """For each die how likely it is of each kind that it can be, given that `due` dice of each kind are awaited.

    `lights`: by the logarithm of the chance of each light, up to a constant, how well the dice fit in it. A light in
    which as many dice of each kind lie there as are due is the likelier for it, and a light is the same for all dice:
    those of alike bodies are told apart together. Every die needs the same kinds, those of the whole set, and one at
    least with a chance above 0; there must be as many dice as are due. Otherwise: ValueError.
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
    if len(dice) != sum(due.values()) or any(max(chances.values(), default=0.0) <= 0 for chances in dice):
        raise ValueError("as many dice as are due, each with a chance, are needed")
    names = tuple(dice[0]) if dice else ()
    fits = [_kept(chances, names) for chances in dice]
    forwards: list[dict[_Counts, float]] = [{(0,) * len(names): 1.0}]
    for fit in fits:
        forwards.append(_forwards(forwards[-1], fit))
    weights = _weights(tuple(due.get(name, 0) for name in names))
    ways = {counts: weights[counts] for counts in forwards[-1] if counts in weights}
    counted = sum(chance * ways.get(counts, 0.0) for counts, chance in forwards[-1].items())
    anyhow = _ANYHOW * prod(sum(fit.values()) / len(names) for fit in fits)
    whole = counted + anyhow
    answers: list[dict[str, float]] = []
    for before, fit in zip(reversed(forwards[:-1]), reversed(fits), strict=True):
        apart = anyhow / sum(fit.values())
        answers.append(
            {
                names[kind]: (chance * _onwards(before, kind, ways) + apart * chance) / whole
                for kind, chance in fit.items()
            }
        )
        ways = _backwards(before, fit, ways)
    return log(whole) + sum(log(max(chances.values())) for chances in dice), answers[::-1]


def _onwards(before: Mapping[_Counts, float], kind: int, ways: Mapping[_Counts, float]) -> float:
    """How likely all dice are, apart from one that is of this kind."""
    return sum(value * ways.get(_one_more(counts, kind), 0.0) for counts, value in before.items())


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
