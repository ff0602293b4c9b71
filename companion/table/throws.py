"""From dice as they lie to the event they make: which are new, what they may show, whether anybody must be asked.

Pure. If every reading still possible leads to the same state under the rules, nobody is asked (DESIGN.md, "One idea").
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, permutations, product
from typing import Any

from companion.games.base import Awaits, Die, Fields, Game, Message, Refusal
from companion.table.awaited import Group, faces_of, groups
from vision.roll import DieReading, Doubt, Face, Roll

SAME_PLACE = 0.35
"""A die whose centre moved by less than this part of its width did not move."""

NUDGED = 1.5
"""Dice read anew that moved by less than this many widths and all show the same faces were nudged, not thrown."""

MOST_READINGS = 1296
"""Readings tried at most (four dice of six faces), however many dice lie there; beyond it a doubtful die is asked
about, whether or not it would have made a difference."""


@dataclass(frozen=True, slots=True)
class Recordable:
    """The dice make this event. `doubtful` tells that a die was uncertain but made no difference.

    `rest` are the indices of dice that lie there for another event: both sides of a race threw at once.
    """

    fields: Fields
    doubtful: bool = False
    rest: tuple[int, ...] = ()


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
    counts, unless dice of another kind came in and may have pushed it any way.
    """
    alike = [(index, die) for index, die in fresh if die.kind == before.kind and die.body == before.body]
    same_face = [(index, die) for index, die in alike if die.certain and before.certain and die.face == before.face]
    if not same_face:
        return None
    index, nearest = min(same_face, key=lambda pair: pair[1].gap(before))
    pushed = any(die.kind != before.kind for _, die in fresh)
    return index if len(alike) == 1 or pushed or nearest.gap(before) <= NUDGED else None


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
    accepted = groups(awaits.dice)
    unusable = _unusable(dice, accepted)
    if unusable is not None:
        return unusable
    dice = [believed(die, faces_of(game, state, die.kind)) for die in dice]
    seen = Counter(die.kind for die in dice)
    if not _complete(seen, accepted):
        own = _one_of_a_race(seen, accepted)
        return _mismatch(seen, accepted) if own is None else _raced(game, state, dice, own)
    spare = next((index for index, die in enumerate(dice) if not die.certain and _can_spare(die, seen, accepted)), None)
    if spare is not None:
        return AskFace(spare, spare=True)  # it is not passed over in silence, whatever it would make
    orders = 1 if ordered else len({await_.order for await_ in awaits.dice})
    return _by_readings(game, state, dice, orders)


def _unusable(dice: Sequence[DieReading], accepted: Sequence[Group]) -> Verdict | None:
    """The verdict on dice whose faces do not matter yet: none awaited, none new, one moving or foreign."""
    if not accepted:
        return NotYet(Message("table.dice_not_awaited"))
    if not dice:
        return NotYet(Message("table.no_new_dice"))
    if any(die.doubt is Doubt.BLURRED for die in dice):
        return NotYet(Message("table.still_moving"))
    if any(die.doubt is Doubt.FOREIGN for die in dice):
        known = Counter(die.kind for die in dice if die.doubt is not Doubt.FOREIGN)
        return AskExtra() if _complete(known, accepted) else NotYet(Message("table.foreign_die"))
    return None


def believed(die: DieReading, every: Sequence[Face]) -> DieReading:
    """A reading of a face that no die of the match can show is in doubt, however certain the reader was of it."""
    if die.face in every and all(face in every for face, _ in die.possible):
        return die
    possible = tuple((face, chance) for face, chance in die.possible if face in every)
    return replace(die, doubt=die.doubt or Doubt.FACE, possible=possible)


def unconfirmed(die: DieReading, every: Sequence[Face]) -> DieReading:
    """A reading of a face that nobody has confirmed yet: likeliest, but a face with another colour may lie there."""
    alike = [face for face in every if (face.value, face.symbol) == (die.face.value, die.face.symbol)]
    share = (1 - die.confidence) / max(1, len(alike) - 1)
    possible = ((die.face, die.confidence), *((face, share) for face in alike if face != die.face))
    return replace(die, doubt=Doubt.FACE, possible=possible)


def as_die(kind: str, face: Face) -> Die:
    """A die of this kind with this face on top."""
    return Die(kind, face.value, face.colour, face.symbol)


def possible_faces(die: DieReading, every: Sequence[Face]) -> tuple[Face, ...]:
    """The faces that cannot be ruled out, most likely first; `every` face of its kind when nothing is known."""
    if die.certain:
        return (die.face,)
    return tuple(face for face, _ in die.possible) or tuple(every) or (die.face,)


def _complete(seen: Counter[str], accepted: Sequence[Group]) -> bool:
    return any(group.holds(seen) for group in accepted)


def _can_spare(die: DieReading, seen: Counter[str], accepted: Sequence[Group]) -> bool:
    """Whether the throw would do without this die, so that it may be no die at all."""
    return _complete(seen - Counter({die.kind: 1}), accepted)


def _one_of_a_race(seen: Counter[str], accepted: Sequence[Group]) -> Group | None:
    """The throw of one side of a race among dice of several sides."""
    alone = ((group, {kind: seen[kind] for kind in group.most}) for group in accepted if group.apart)
    return next((group for group, own in alone if group.holds(own)), None)


def _raced(game: Game[Any, Any], state: Any, dice: Sequence[DieReading], group: Group) -> Verdict:
    """The dice of one side by themselves; the others wait for the state that these lead to."""
    own = [index for index, die in enumerate(dice) if die.kind in group.most]
    verdict = _by_readings(game, state, [dice[index] for index in own], orders=1)
    if isinstance(verdict, AskFace):
        return AskFace(own[verdict.index], verdict.spare)
    if isinstance(verdict, Recordable):
        return replace(verdict, rest=tuple(index for index in range(len(dice)) if index not in own))
    return verdict


def _mismatch(seen: Counter[str], accepted: Sequence[Group]) -> Verdict:
    usual = [group for group in accepted if not group.apart]
    whole = [Group(usual[0].least, usual[-1].most)] if usual else []
    if any(group.enough(seen) and seen.total() > group.room for group in (*whole, *accepted[len(usual) :])):
        return AskExtra()
    least = accepted[0].least
    short = (Counter(least) - seen).total()
    if short and seen.total() < sum(least.values()):
        return NotYet(Message("table.dice_missing", {"n": short, "total": sum(least.values())}))
    return NotYet(Message("table.wrong_kind"))


def _lying(dice: Sequence[DieReading], faces: Sequence[Face]) -> tuple[Die, ...]:
    return tuple(as_die(die.kind, face) for die, face in zip(dice, faces, strict=True))


def _readings(ways: Sequence[Sequence[Face]], dice: Sequence[DieReading], orders: int) -> Iterator[tuple[Die, ...]]:
    """Every combination of faces still possible, in every order of the dice if their order matters; likeliest first."""
    for faces in product(*ways):
        lying = _lying(dice, faces)
        yield from permutations(lying) if orders > 1 and len(lying) > 1 else [lying]


def _by_readings(game: Game[Any, Any], state: Any, dice: Sequence[DieReading], orders: int) -> Verdict:
    """The event of the dice if all readings still possible come to the same; else what must be asked."""
    ways = [possible_faces(die, faces_of(game, state, die.kind)) for die in dice]
    doubtful = [index for index, die in enumerate(dice) if not die.certain]
    results, tried = _different(game, state, islice(_readings(ways, dice, orders), MOST_READINGS + 1))
    if len(results) == 1 and tried <= MOST_READINGS:
        fields, result = results[0]
        return NotYet(Message("table.wrong_kind")) if result is None else Recordable(fields, doubtful=bool(doubtful))
    if not doubtful:
        return AskWhose()
    likeliest = [faces[0] for faces in ways]
    for index in doubtful:
        alone = [(*likeliest[:index], face, *likeliest[index + 1 :]) for face in ways[index]]
        if len(_different(game, state, [_lying(dice, faces) for faces in alone])[0]) > 1:
            return AskFace(index)
    return AskFace(doubtful[0])


def _different(
    game: Game[Any, Any], state: Any, readings: Iterable[tuple[Die, ...]]
) -> tuple[list[tuple[Fields, Any]], int]:
    """The first two different results that readings come to, each with the event that leads to it; readings tried.

    The result is the state, None if the dice make no event that the rules let pass.
    """
    found: list[tuple[Fields, Any]] = []
    tried = 0
    for reading in readings:
        tried += 1
        fields = game.throw(state, reading)
        result = None if fields is None else _result(game, state, fields)
        if all(result != other for _, other in found):
            found.append((fields or {}, result))
        if len(found) > 1:
            break
    return found, tried


def _result(game: Game[Any, Any], state: Any, fields: Fields) -> Any:
    """The state that an event leads to; None if the rules refuse it."""
    try:
        event = game.parse(fields)
        game.decide(state, event)
    except Refusal:
        return None
    return game.apply(state, event)[0]
