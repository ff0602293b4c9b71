"""From dice as they lie to the event they make: which are new, what they may show, whether anybody must be asked.

Pure. If every reading still possible leads to the same state under the rules, nobody is asked (DESIGN.md, "One idea").
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, permutations, product
from typing import Any

from companion.games.base import Awaits, DiceAwait, Die, Fields, Game, Message, Refusal
from vision.roll import BALL_COLOURS, DieReading, Doubt, Face, Roll

FACES: dict[str, tuple[Face, ...]] = {
    "pips": tuple(Face(value=value) for value in range(1, 7)),
    "ball": tuple(Face(colour=colour) for colour in BALL_COLOURS),
}
"""Every face of a kind of die, in the order in which a question offers them."""

SAME_PLACE = 0.35
"""A die whose centre moved by less than this part of its width did not move."""

NUDGED = 1.5
"""Dice read anew that moved by less than this many widths and all show the same faces were nudged, not thrown."""

MOST_READINGS = 1296
"""Readings tried at most (four dice of six faces); beyond that the first doubtful die is asked about."""


@dataclass(frozen=True, slots=True)
class Recordable:
    """The dice make this event. `doubtful` tells that a die was uncertain but made no difference."""

    fields: Fields
    doubtful: bool = False


@dataclass(frozen=True, slots=True)
class AskFace:
    """The face of die `index` decides. `spare`: the throw would do without it, so it may be no die at all."""

    index: int
    spare: bool = False


@dataclass(frozen=True, slots=True)
class AskExtra:
    """More dice than are due: which one does not count."""


@dataclass(frozen=True, slots=True)
class AskWhose:
    """Dice of both sides thrown at once: which is the first one due."""


@dataclass(frozen=True, slots=True)
class NotYet:
    """These dice make no event: one is missing, of a wrong kind or still moving, or none is awaited."""

    reason: Message


Verdict = Recordable | AskFace | AskExtra | AskWhose | NotYet


def split_fresh(lying: Sequence[DieReading], roll: Roll, due: int = 0) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Indices of the dice of `roll` that are new, and of those that lay there before (`lying`).

    An old die has not moved; or it was pushed, if more dice lie there than are `due`.
    """
    free = list(lying)
    if roll.again and len(roll.dice) == len(free) and _nudged(free, roll.dice):
        return (), tuple(range(len(roll.dice)))
    fresh: list[int] = []
    old: list[int] = []
    for index, die in enumerate(roll.dice):
        match = min(free, key=die.gap, default=None)
        if match is not None and die.gap(match) <= SAME_PLACE and _may_be_same(die, match):
            free.remove(match)
            old.append(index)
        else:
            fresh.append(index)
    if roll.again and len(roll.dice) > due:
        for knocked in (_knocked(die, [(index, roll.dice[index]) for index in fresh]) for die in free):
            if knocked is not None and knocked in fresh:
                fresh.remove(knocked)
                old.append(knocked)
    return tuple(fresh), tuple(sorted(old))


def _knocked(before: DieReading, fresh: Sequence[tuple[int, DieReading]]) -> int | None:
    """The die that `before` has become when another one pushed it: same kind, body and face, and no doubt about which.

    A push hardly ever turns a die over; with two dice of one body, that may have changed places, only a short way
    counts.
    """
    alike = [(index, die) for index, die in fresh if die.kind == before.kind and die.body == before.body]
    same_face = [(index, die) for index, die in alike if die.certain and before.certain and die.face == before.face]
    if not same_face:
        return None
    index, nearest = min(same_face, key=lambda pair: pair[1].gap(before))
    return index if len(alike) == 1 or nearest.gap(before) <= NUDGED else None


def _nudged(before: Sequence[DieReading], after: Sequence[DieReading]) -> bool:
    rest = list(before)
    for die in after:
        match = min((other for other in rest if _may_be_same(die, other)), key=die.gap, default=None)
        if match is None or die.gap(match) > NUDGED:
            return False
        rest.remove(match)
    return True


def same_place(one: DieReading, other: DieReading) -> bool:
    """Whether two readings lie in one place, whatever they show."""
    return one.gap(other) <= SAME_PLACE


def known_thing(die: DieReading, things: Sequence[DieReading]) -> bool:
    """Whether this is something strange that was named before and lies where it lay: it is not said again."""
    return not die.certain and any(same_place(die, thing) for thing in things)


def _may_be_same(one: DieReading, other: DieReading) -> bool:
    """False when both are certain and show different faces."""
    return not (one.certain and other.certain) or (one.kind == other.kind and one.face == other.face)


def judge(
    game: Game[Any, Any], state: Any, awaits: Awaits, dice: Sequence[DieReading], *, ordered: bool = False
) -> Verdict:
    """What the new dice come to in this state, answers of players filled in.

    `ordered` says that the dice already stand in the order in which the game awaits them.
    """
    due = _due(awaits.dice)
    if not due:
        return NotYet(Message("table.dice_not_awaited"))
    if not dice:
        return NotYet(Message("table.no_new_dice"))
    if any(die.doubt is Doubt.BLURRED for die in dice):
        return NotYet(Message("table.still_moving"))
    accepted = _accepted_counts(awaits.dice)
    if any(die.doubt is Doubt.FOREIGN for die in dice):
        known = Counter(die.kind for die in dice if die.doubt is not Doubt.FOREIGN)
        return AskExtra() if dict(known) in accepted else NotYet(Message("table.foreign_die"))
    seen = Counter(die.kind for die in dice)
    if dict(seen) not in accepted:
        return _mismatch(dice, seen, due, accepted)
    doubtful = next((index for index, die in enumerate(dice) if not die.certain), None)
    if doubtful is not None and dict(seen) != accepted[0]:
        return AskFace(doubtful, spare=True)  # it is not passed over in silence, whatever it would make
    orders = 1 if ordered else len({await_.order for await_ in awaits.dice})
    return _by_readings(game, state, dice, orders)


def _due(dice: Sequence[DiceAwait]) -> Counter[str]:
    due: Counter[str] = Counter()
    for await_ in dice:
        due[await_.kind] += await_.count
    return due


def due_kinds(dice: Sequence[DiceAwait]) -> tuple[tuple[str, int], ...]:
    """The kinds of dice awaited and how many of each, for the reader."""
    return tuple(_due(dice).items())


def _accepted_counts(dice: Sequence[DiceAwait]) -> list[dict[str, int]]:
    """How many dice of each kind make a throw: those of the first order alone, or with each further order."""
    accepted: list[dict[str, int]] = []
    so_far: Counter[str] = Counter()
    for order in sorted({await_.order for await_ in dice}):
        so_far += _due([await_ for await_ in dice if await_.order == order])
        accepted.append(dict(so_far))
    return accepted


def _mismatch(
    dice: Sequence[DieReading], seen: Counter[str], due: Counter[str], accepted: Sequence[dict[str, int]]
) -> Verdict:
    missing = Counter(accepted[0])
    missing.subtract(seen)
    short = sum(count for count in missing.values() if count > 0)
    if len(dice) > sum(due.values()) and not short:
        return AskExtra()
    if short and len(dice) < sum(accepted[0].values()):
        return NotYet(Message("table.dice_missing", {"n": short, "seen": len(dice)}))
    return NotYet(Message("table.wrong_kind"))


def possible_faces(die: DieReading) -> tuple[Face, ...]:
    """The faces that cannot be ruled out, most likely first; all of its kind when nothing is known."""
    if die.certain:
        return (die.face,)
    return tuple(face for face, _ in die.possible) or FACES.get(die.kind, (die.face,))


def _readings(dice: Sequence[DieReading], orders: int) -> Iterator[tuple[Die, ...]]:
    """Every combination of faces still possible, in every order of the dice if their order matters; likeliest first."""
    for faces in product(*(possible_faces(die) for die in dice)):
        lying = [Die(die.kind, face.value, face.colour, face.symbol) for die, face in zip(dice, faces, strict=True)]
        yield from permutations(lying) if orders > 1 and len(lying) > 1 else [tuple(lying)]


def _by_readings(game: Game[Any, Any], state: Any, dice: Sequence[DieReading], orders: int) -> Verdict:
    doubtful = [index for index, die in enumerate(dice) if not die.certain]
    first: Fields | None = None
    results: list[Any] = []
    tried = 0
    for reading in islice(_readings(dice, orders), MOST_READINGS + 1):
        tried += 1
        fields = game.throw(state, reading)
        result = None if fields is None else _result(game, state, fields)
        first = fields if first is None else first
        if result not in results:
            results.append(result)
        if len(results) > 1:
            break
    if len(results) == 1 and tried <= MOST_READINGS:
        if first is None or results[0] is None:
            return NotYet(Message("table.wrong_kind"))
        return Recordable(first, doubtful=bool(doubtful))
    return AskFace(doubtful[0]) if doubtful else AskWhose()


def _result(game: Game[Any, Any], state: Any, fields: Fields) -> Any:
    """The state that an event leads to; None if the rules refuse it."""
    try:
        event = game.parse(fields)
        game.decide(state, event)
    except Refusal:
        return None
    return game.apply(state, event)[0]
