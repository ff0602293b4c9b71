"""Makes one reading of several looks at the same resting dice; what the looks disagree about becomes a doubt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from vision.roll import DieReading, Doubt, Face, Roll, Status

SAME_PLACE = 0.5
"""Two readings of one picture or one rest are of one die if their middles are nearer than this share of its width."""


def same_place(one: DieReading, other: DieReading) -> bool:
    """Whether two readings can be of one die: dice have no place twice."""
    return one.gap(other) < SAME_PLACE


def paired(dice: Sequence[DieReading], others: Sequence[DieReading]) -> list[DieReading | None]:
    """For each of `dice` the one of `others` that lies in its place, each of them used once at the most."""
    left = list(others)
    found: list[DieReading | None] = []
    for die in dice:
        match = next((other for other in left if same_place(die, other)), None)
        if match is not None:
            left.remove(match)
        found.append(match)
    return found


def agree(one: Roll, other: Roll) -> bool:
    """Whether two looks say the same with the same certainty: no third one is needed."""
    if one.status is not other.status or len(one.dice) != len(other.dice):
        return False
    pairs = paired(one.dice, other.dice)
    return all(
        match is not None and (match.kind, match.face, match.doubt) == (die.kind, die.face, die.doubt)
        for die, match in zip(one.dice, pairs, strict=True)
    )


def combine(looks: Sequence[Roll]) -> Roll:
    """One roll of several looks at the same dice, the best look first; its boxes and `t` are those of the best look.

    A die is certain only if most looks hold it certain and none prefers another face. A die that some look does not
    show is kept, in doubt: whether it is one must be asked, not guessed. `ms` is the sum. Without looks: ValueError.
    """
    if not looks:
        raise ValueError("a roll needs at least one look")
    looks = [replace(look, dice=_without_doubles(look.dice)) for look in looks]
    best = looks[0]
    if len(looks) == 1:
        return best
    columns = _columns(looks)
    dice = tuple(_one_die(column, len(looks)) for column in columns)
    statuses = [look.status for look in looks]
    status = max(dict.fromkeys(statuses), key=statuses.count)
    if any(not die.certain for die in dice) or (status is Status.EMPTY and dice):
        status = Status.ASK
    return replace(best, status=status, dice=dice, ms=sum(look.ms for look in looks))


def _without_doubles(dice: Sequence[DieReading]) -> tuple[DieReading, ...]:
    """The dice of one look, each place once: of two readings of one place the surer, in doubt if they differ."""
    kept: dict[int, DieReading] = {}
    for index, die in sorted(enumerate(dice), key=lambda pair: -pair[1].confidence):
        double = next((place for place, other in kept.items() if same_place(die, other)), None)
        if double is None:
            kept[index] = die
        elif (die.kind, die.face) != (kept[double].kind, kept[double].face):
            surer = kept[double]
            possible = tuple(dict.fromkeys((*surer.possible, *die.possible)))
            kept[double] = replace(surer, doubt=surer.doubt or Doubt.FACE, possible=possible)
    return tuple(kept[index] for index in sorted(kept))


@dataclass(slots=True)
class _Column:
    """What the looks say about one place: always at least one reading, the first look's first."""

    readings: list[DieReading]


def _columns(looks: Sequence[Roll]) -> list[_Column]:
    columns = [_Column([die]) for die in looks[0].dice]
    for look in looks[1:]:
        pairs = paired([column.readings[0] for column in columns], look.dice)
        for column, match in zip(columns, pairs, strict=True):
            if match is not None:
                column.readings.append(match)
        used = [match for match in pairs if match is not None]
        columns += [_Column([die]) for die in look.dice if not any(die is match for match in used)]
    return columns


def _one_die(column: _Column, looks: int) -> DieReading:
    readings = column.readings
    first = readings[0]
    faces = {(reading.kind, reading.face) for reading in readings}
    certain = [reading for reading in readings if reading.certain]
    if len(faces) == 1 and len(readings) == looks and 2 * len(certain) > looks:
        return replace(certain[0], box=first.box, confidence=min(reading.confidence for reading in certain))
    doubt = next((reading.doubt for reading in readings if reading.doubt is not None), None)
    if len(readings) < looks and doubt is None:
        doubt = Doubt.HIDDEN
    possible = _mean_faces(readings)
    likely = possible[0] if possible else (first.face, first.confidence)
    kind = next((reading.kind for reading in readings if reading.face == likely[0]), first.kind)
    return replace(
        first,
        kind=kind,
        face=likely[0],
        confidence=min(likely[1], *(reading.confidence for reading in readings)),
        doubt=doubt or Doubt.FACE,
        possible=possible,
    )


def _mean_faces(readings: Sequence[DieReading]) -> tuple[tuple[Face, float], ...]:
    weights: dict[Face, float] = {}
    for reading in readings:
        for face, probability in reading.possible or ((reading.face, reading.confidence),):
            weights[face] = weights.get(face, 0.0) + probability / len(readings)
    return tuple(sorted(weights.items(), key=lambda item: -item[1]))
