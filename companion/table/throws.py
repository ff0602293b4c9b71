"""Dice that a game awaits, and the throw that dice in the tray make: which are new, what they show, what is asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, permutations, product
from typing import Any

from companion.games.base import AnyGame, Awaits, DiceAwait, Die, Fields, GameState, Message, Refusal
from vision.roll import DieReading, Doubt, Face, Roll

USUAL_DICE = 2
"""Where players choose how many dice they throw, so many of a kind are thrown at a simulated table."""


@dataclass(frozen=True, slots=True)
class Group:
    """Dice that together make a throw: of each kind from `least` to `most`. `apart`: whatever else lies there."""

    least: Mapping[str, int]
    most: Mapping[str, int]
    apart: bool = False

    @property
    def room(self) -> int:
        """The most dice in all."""
        return sum(self.most.values())

    def enough(self, seen: Mapping[str, int]) -> bool:
        """Whether no die is missing."""
        return any(seen.values()) and all(seen.get(kind, 0) >= count for kind, count in self.least.items())

    def holds(self, seen: Mapping[str, int]) -> bool:
        """Whether these dice, all of them, are such a throw."""
        return self.enough(seen) and all(count <= self.most.get(kind, 0) for kind, count in seen.items())


def groups(dice: Sequence[DiceAwait]) -> list[Group]:
    """Every throw that is complete: dice of the first order alone, or with each further order; then dice apart."""
    found: list[Group] = []
    least: Counter[str] = Counter()
    most: Counter[str] = Counter()
    usual = [await_ for await_ in dice if not await_.apart]
    for order in sorted({await_.order for await_ in usual}):
        for await_ in usual:
            if await_.order == order:
                least[await_.kind] += fewest(await_)
                most[await_.kind] += await_.count
        found.append(Group(dict(least), dict(most)))
    alone = [await_ for await_ in dice if await_.apart]
    return [*found, *(Group({a.kind: fewest(a)}, {a.kind: a.count}, apart=True) for a in alone)]


def fewest(await_: DiceAwait) -> int:
    """The least dice that are enough."""
    return await_.count if await_.least is None else await_.least


def at_once(dice: Sequence[DiceAwait]) -> int:
    """The most dice that one throw brings: all that are awaited, of a race those of one side."""
    usual = sum(await_.count for await_ in dice if not await_.apart)
    return max([usual, *(await_.count for await_ in dice if await_.apart)])


def due_kinds(dice: Sequence[DiceAwait]) -> tuple[tuple[str, int | None], ...]:
    """The kinds of dice awaited and how many of each, for the reader; None of every kind where the number is open."""
    counts: Counter[str] = Counter()
    for await_ in dice:
        counts[await_.kind] += await_.count
    open_ = any(await_.apart or await_.least is not None for await_ in dice)
    return tuple((kind, None if open_ else count) for kind, count in counts.items())


def faces_of(game: AnyGame, state: GameState, kind: str) -> tuple[Face, ...]:
    """Every face that a die of this kind can show in this match, in the order in which a question offers them."""
    return tuple(Face(die.value, die.colour, die.symbol) for die in game.faces(state, kind))


def to_throw(game: AnyGame, state: GameState, awaits: Awaits, lying: Sequence[str] = ()) -> tuple[DiceAwait, ...]:
    """The dice that are thrown next where nobody chooses how many: some that the game takes for an event.

    Of dice apart those of a kind that is not `lying` yet; none where no number of dice is enough to know the event.
    """
    first = min((await_.order for await_ in awaits.dice), default=0)
    now = [await_ for await_ in awaits.dice if await_.order == first]
    alone = sorted((await_ for await_ in now if await_.apart), key=lambda await_: await_.kind in lying)
    if alone:
        return (alone[0],)
    if all(await_.least is None for await_ in now):
        return tuple(now)
    thrown = (
        tuple(replace(a, count=count, least=None) for a, count in zip(now, counts, strict=True) if count)
        for counts in _amounts(now)
    )
    return next((dice for dice in thrown if _makes_event(game, state, dice)), ())


def _makes_event(game: AnyGame, state: GameState, thrown: Sequence[DiceAwait]) -> bool:
    """True if the game takes these dice for an event, whatever they show."""
    dice = [Die(a.kind, f.value, f.colour, f.symbol) for a in thrown for f in _first_face(game, state, a)]
    return bool(dice) and game.throw(state, dice) is not None


def _amounts(dice: Sequence[DiceAwait]) -> Iterator[tuple[int, ...]]:
    """Numbers of dice to try, few first."""
    ways = [dict.fromkeys((min(max(USUAL_DICE, fewest(a)), a.count), fewest(a), a.count)) for a in dice]
    yield from product(*ways)


def _first_face(game: AnyGame, state: GameState, await_: DiceAwait) -> list[Face]:
    return [faces_of(game, state, await_.kind)[0]] * await_.count


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
    game: AnyGame, state: GameState, awaits: Awaits, dice: Sequence[DieReading], *, ordered: bool = False
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


def _raced(game: AnyGame, state: GameState, dice: Sequence[DieReading], group: Group) -> Verdict:
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


def _by_readings(game: AnyGame, state: GameState, dice: Sequence[DieReading], orders: int) -> Verdict:
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
    game: AnyGame, state: GameState, readings: Iterable[tuple[Die, ...]]
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


def _result(game: AnyGame, state: GameState, fields: Fields) -> Any:
    """The state that an event leads to; None if the rules refuse it."""
    try:
        event = game.parse(fields)
        game.decide(state, event)
    except Refusal:
        return None
    return game.apply(state, event)[0]
