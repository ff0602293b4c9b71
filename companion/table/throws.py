"""Rules of a throw: which dice are new, which event they make, and what to ask about uncertain ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice, permutations, product
from typing import Any

from companion.games.base import AnyGame, Decision, DiceRequest, Die, Fields, GameState, Message, Refusal
from vision.roll import DieReading, Doubt, Face, Roll

DEFAULT_DICE_COUNT = 2
"""Number of dice of a kind thrown at a simulated table where players choose how many."""


@dataclass(frozen=True, slots=True)
class Group:
    """Dice that make a throw together, with a minimum and maximum for each kind. `apart`: other dice are ignored."""

    min_counts: Mapping[str, int]
    max_counts: Mapping[str, int]
    apart: bool = False

    @property
    def capacity(self) -> int:
        """Maximum number of dice."""
        return sum(self.max_counts.values())

    def is_enough(self, seen: Mapping[str, int]) -> bool:
        """Return True if no die is missing."""
        return any(seen.values()) and all(seen.get(kind, 0) >= count for kind, count in self.min_counts.items())

    def accepts(self, seen: Mapping[str, int]) -> bool:
        """Return True if exactly these dice can make the throw."""
        return self.is_enough(seen) and all(count <= self.max_counts.get(kind, 0) for kind, count in seen.items())


def groups(dice: Sequence[DiceRequest]) -> list[Group]:
    """Return every complete throw: dice of the first order alone, or with each further order; then separate dice."""
    found: list[Group] = []
    min_counts: Counter[str] = Counter()
    max_counts: Counter[str] = Counter()
    together = [request for request in dice if not request.independent]
    for order in sorted({request.order for request in together}):
        for request in together:
            if request.order == order:
                min_counts[request.kind] += min_count(request)
                max_counts[request.kind] += request.count
        found.append(Group(dict(min_counts), dict(max_counts)))
    separate = [request for request in dice if request.independent]
    return [*found, *(Group({a.kind: min_count(a)}, {a.kind: a.count}, apart=True) for a in separate)]


def min_count(request: DiceRequest) -> int:
    """Return the minimum number of dice."""
    return request.count if request.min_count is None else request.min_count


def max_dice_at_once(dice: Sequence[DiceRequest]) -> int:
    """Return the maximum number of dice in one throw: all that are awaited; in a race, those of one side."""
    together = sum(request.count for request in dice if not request.independent)
    return max([together, *(request.count for request in dice if request.independent)])


def due_counts(dice: Sequence[DiceRequest]) -> tuple[tuple[str, int | None], ...]:
    """Return the awaited kinds and counts for the reader. All counts are None if the number is open."""
    counts: Counter[str] = Counter()
    for request in dice:
        counts[request.kind] += request.count
    is_open = any(request.independent or request.min_count is not None for request in dice)
    return tuple((kind, None if is_open else count) for kind, count in counts.items())


def faces_of(game: AnyGame, state: GameState, kind: str) -> tuple[Face, ...]:
    """Return every face of this kind in this match, in the order offered by a question."""
    return tuple(Face(die.value, die.colour, die.symbol) for die in game.faces(state, kind))


def dice_to_throw(
    game: AnyGame, state: GameState, decision: Decision, placed_kinds: Sequence[str] = ()
) -> tuple[DiceRequest, ...]:
    """Return the dice to throw next where nobody chooses their number: a set that the game accepts as an event.

    Of separate dice, returns those of a kind that is not in the tray yet. Empty if no number of dice makes an event.
    """
    first = min((request.order for request in decision.dice), default=0)
    first_dice = [request for request in decision.dice if request.order == first]
    separate = sorted(
        (request for request in first_dice if request.independent), key=lambda request: request.kind in placed_kinds
    )
    if separate:
        return (separate[0],)
    if all(request.min_count is None for request in first_dice):
        return tuple(first_dice)
    options = (
        tuple(replace(a, count=count, min_count=None) for a, count in zip(first_dice, counts, strict=True) if count)
        for counts in _dice_counts(first_dice)
    )
    return next((dice for dice in options if _is_event(game, state, dice)), ())


def _is_event(game: AnyGame, state: GameState, thrown_dice: Sequence[DiceRequest]) -> bool:
    """Return True if the game accepts these dice as an event, whatever they show."""
    dice = [Die(a.kind, f.value, f.colour, f.symbol) for a in thrown_dice for f in _first_face(game, state, a)]
    return bool(dice) and game.event_from_dice(state, dice) is not None


def _dice_counts(dice: Sequence[DiceRequest]) -> Iterator[tuple[int, ...]]:
    """Yield the numbers of dice to try, small ones first."""
    counts = [dict.fromkeys((min(max(DEFAULT_DICE_COUNT, min_count(a)), a.count), min_count(a), a.count)) for a in dice]
    yield from product(*counts)


def _first_face(game: AnyGame, state: GameState, request: DiceRequest) -> list[Face]:
    return [faces_of(game, state, request.kind)[0]] * request.count


MAX_SAME_PLACE_GAP = 0.35
"""A die counts as unmoved if its centre moved by less than this fraction of its width."""

MAX_NUDGE_GAP = 1.5
"""Dice with unchanged faces count as nudged, not thrown, if they moved by less than this many widths."""

MAX_COMBINATIONS = 1296
"""Maximum number of combinations tried (four dice of six faces). Beyond it, an uncertain die is always asked about."""


@dataclass(frozen=True, slots=True)
class Recordable:
    """The dice make this event. `is_doubtful`: a die was uncertain, but the result is the same for all its faces.

    `rest` are the indices of dice for another event: both sides of a race threw at once.
    """

    fields: Fields
    is_doubtful: bool = False
    rest: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class AskFace:
    """Ask for the face of die `index`. `may_be_no_die`: the throw is complete without it, so it may not be a die."""

    index: int
    may_be_no_die: bool = False


@dataclass(frozen=True, slots=True)
class AskExtra:
    """Ask which die does not count: there are more than are due."""


@dataclass(frozen=True, slots=True)
class AskWhose:
    """Ask which die comes first: dice of both sides were thrown at once."""


@dataclass(frozen=True, slots=True)
class NoEvent:
    """These dice make no event: one is missing, of a wrong kind or still moving, or none is awaited."""

    reason: Message


Verdict = Recordable | AskFace | AskExtra | AskWhose | NoEvent


def split_new_dice(
    placed_dice: Sequence[DieReading], roll: Roll, due: int = 0
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the indices of the new dice of `roll`, and of those already in the tray (`placed_dice`).

    An old die has not moved, or was pushed if there are more dice than `due`.
    """
    unmatched = list(placed_dice)
    if roll.again and len(roll.dice) == len(unmatched) and _are_nudged(unmatched, roll.dice):
        return (), tuple(range(len(roll.dice)))
    new_indices: list[int] = []
    counted_indices: list[int] = []
    for index, die in enumerate(roll.dice):
        match = min(unmatched, key=die.gap, default=None)
        if match is not None and die.gap(match) <= MAX_SAME_PLACE_GAP and _may_be_same_die(die, match):
            unmatched.remove(match)
            counted_indices.append(index)
        else:
            new_indices.append(index)
    if roll.again and len(roll.dice) > due:
        for pushed in (
            _find_pushed_die(die, [(index, roll.dice[index]) for index in new_indices]) for die in unmatched
        ):
            if pushed is not None and pushed in new_indices:
                new_indices.remove(pushed)
                counted_indices.append(pushed)
    return tuple(new_indices), tuple(sorted(counted_indices))


def _find_pushed_die(before: DieReading, new_dice: Sequence[tuple[int, DieReading]]) -> int | None:
    """Return the die that `before` became after a push: same kind, body and face, and unambiguous.

    A push rarely turns a die over. Two dice of one body may have changed places, so only a short move counts, unless
    dice of another kind came in and may have pushed it any distance.
    """
    alike = [(index, die) for index, die in new_dice if die.kind == before.kind and die.body == before.body]
    same_face = [(index, die) for index, die in alike if die.certain and before.certain and die.face == before.face]
    if not same_face:
        return None
    index, nearest = min(same_face, key=lambda pair: pair[1].gap(before))
    was_pushed = any(die.kind != before.kind for _, die in new_dice)
    return index if len(alike) == 1 or was_pushed or nearest.gap(before) <= MAX_NUDGE_GAP else None


def _are_nudged(before: Sequence[DieReading], after: Sequence[DieReading]) -> bool:
    rest = list(before)
    for die in after:
        match = min((other for other in rest if _may_be_same_die(die, other)), key=die.gap, default=None)
        if match is None or die.gap(match) > MAX_NUDGE_GAP:
            return False
        rest.remove(match)
    return True


def is_same_place(one: DieReading, other: DieReading) -> bool:
    """Return True if two readings are in the same place, whatever they show."""
    return one.gap(other) <= MAX_SAME_PLACE_GAP


def is_known_object(die: DieReading, known_objects: Sequence[DieReading]) -> bool:
    """Return True if this is a known foreign object in its old place. It is not reported again."""
    return not die.certain and any(is_same_place(die, thing) for thing in known_objects)


def _may_be_same_die(one: DieReading, other: DieReading) -> bool:
    """Return False if both readings are certain and show different faces."""
    return not (one.certain and other.certain) or (one.kind == other.kind and one.face == other.face)


EventOfDice = Callable[[Sequence[Die]], Fields | None]
"""Returns the event that dice make, in the order given; None if they make none."""


def judge(
    game: AnyGame,
    state: GameState,
    decision: Decision,
    dice: Sequence[DieReading],
    *,
    ordered: bool = False,
    event_of: EventOfDice | None = None,
) -> Verdict:
    """Return the verdict on the new dice in this state, with the players' answers filled in.

    - `ordered`: the dice are already in the order in which the game awaits them.
    - `event_of`: the event of the dice if they carry out a choice; by default what the game makes of them
    """
    event_of = event_of or partial(game.event_from_dice, state)
    accepted = groups(decision.dice)
    unusable = _unusable(dice, accepted)
    if unusable is not None:
        return unusable
    dice = [doubt_impossible_face(die, faces_of(game, state, die.kind)) for die in dice]
    kind_counts = Counter(die.kind for die in dice)
    if not _is_complete(kind_counts, accepted):
        side_group = _find_race_group(kind_counts, accepted)
        return (
            _mismatch(kind_counts, accepted)
            if side_group is None
            else _judge_race(game, state, dice, side_group, event_of)
        )
    spare_index = next(
        (index for index, die in enumerate(dice) if not die.certain and _can_spare(die, kind_counts, accepted)), None
    )
    if spare_index is not None:
        return AskFace(spare_index, may_be_no_die=True)  # it is never ignored, whatever the event would be
    orders = 1 if ordered else len({request.order for request in decision.dice})
    return _judge_combinations(game, state, dice, orders, event_of)


def _unusable(dice: Sequence[DieReading], accepted: Sequence[Group]) -> Verdict | None:
    """Return the verdict if faces do not matter yet: no dice awaited, none new, one moving or foreign."""
    if not accepted:
        return NoEvent(Message("table.dice_not_awaited"))
    if not dice:
        return NoEvent(Message("table.no_new_dice"))
    if any(die.doubt is Doubt.BLURRED for die in dice):
        return NoEvent(Message("table.still_moving"))
    if any(die.doubt is Doubt.FOREIGN for die in dice):
        known = Counter(die.kind for die in dice if die.doubt is not Doubt.FOREIGN)
        return AskExtra() if _is_complete(known, accepted) else NoEvent(Message("table.foreign_die"))
    return None


def doubt_impossible_face(die: DieReading, all_faces: Sequence[Face]) -> DieReading:
    """Return a reading with doubt added if the match has no die with its face, however certain the reader was."""
    if die.face in all_faces and all(face in all_faces for face, _ in die.possible):
        return die
    possible = tuple((face, chance) for face, chance in die.possible if face in all_faces)
    return replace(die, doubt=die.doubt or Doubt.FACE, possible=possible)


def doubt_unconfirmed_face(die: DieReading, all_faces: Sequence[Face]) -> DieReading:
    """Return a reading with doubt added for an unconfirmed face: likeliest, but other colours remain possible."""
    alike = [face for face in all_faces if (face.value, face.symbol) == (die.face.value, die.face.symbol)]
    share = (1 - die.confidence) / max(1, len(alike) - 1)
    possible = ((die.face, die.confidence), *((face, share) for face in alike if face != die.face))
    return replace(die, doubt=Doubt.FACE, possible=possible)


def as_die(kind: str, face: Face) -> Die:
    """Return a die of this kind with this face on top."""
    return Die(kind, face.value, face.colour, face.symbol)


def possible_faces(die: DieReading, all_faces: Sequence[Face]) -> tuple[Face, ...]:
    """Return the possible faces, most likely first; all faces of its kind if nothing is known."""
    if die.certain:
        return (die.face,)
    return tuple(face for face, _ in die.possible) or tuple(all_faces) or (die.face,)


def _is_complete(kind_counts: Counter[str], accepted: Sequence[Group]) -> bool:
    return any(group.accepts(kind_counts) for group in accepted)


def _can_spare(die: DieReading, kind_counts: Counter[str], accepted: Sequence[Group]) -> bool:
    """Return True if the throw is complete without this die, which may then not be a die at all."""
    return _is_complete(kind_counts - Counter({die.kind: 1}), accepted)


def _find_race_group(kind_counts: Counter[str], accepted: Sequence[Group]) -> Group | None:
    """Return the throw of one side of a race among dice of several sides."""
    candidates = ((group, {kind: kind_counts[kind] for kind in group.max_counts}) for group in accepted if group.apart)
    return next((group for group, own in candidates if group.accepts(own)), None)


def _judge_race(
    game: AnyGame, state: GameState, dice: Sequence[DieReading], group: Group, event_of: EventOfDice
) -> Verdict:
    """Judge the dice of one side alone. The others wait for the next state."""
    own = [index for index, die in enumerate(dice) if die.kind in group.max_counts]
    verdict = _judge_combinations(game, state, [dice[index] for index in own], 1, event_of)
    if isinstance(verdict, AskFace):
        return AskFace(own[verdict.index], verdict.may_be_no_die)
    if isinstance(verdict, Recordable):
        return replace(verdict, rest=tuple(index for index in range(len(dice)) if index not in own))
    return verdict


def _mismatch(kind_counts: Counter[str], accepted: Sequence[Group]) -> Verdict:
    together = [group for group in accepted if not group.apart]
    whole = [Group(together[0].min_counts, together[-1].max_counts)] if together else []
    if any(
        group.is_enough(kind_counts) and kind_counts.total() > group.capacity
        for group in (*whole, *accepted[len(together) :])
    ):
        return AskExtra()
    min_counts = accepted[0].min_counts
    missing = (Counter(min_counts) - kind_counts).total()
    if missing and kind_counts.total() < sum(min_counts.values()):
        return NoEvent(Message("table.dice_missing", {"n": missing, "total": sum(min_counts.values())}))
    return NoEvent(Message("table.wrong_kind"))


def _dice_with_faces(dice: Sequence[DieReading], faces: Sequence[Face]) -> tuple[Die, ...]:
    return tuple(as_die(die.kind, face) for die, face in zip(dice, faces, strict=True))


def _combinations(
    faces_by_die: Sequence[Sequence[Face]], dice: Sequence[DieReading], orders: int
) -> Iterator[tuple[Die, ...]]:
    """Yield every combination of possible faces, likeliest first.

    Includes all orders of the dice if the order matters.
    """
    for faces in product(*faces_by_die):
        faces_up = _dice_with_faces(dice, faces)
        yield from permutations(faces_up) if orders > 1 and len(faces_up) > 1 else [faces_up]


def _judge_combinations(
    game: AnyGame, state: GameState, dice: Sequence[DieReading], orders: int, event_of: EventOfDice
) -> Verdict:
    """Return the event if all possible readings give the same result; otherwise the question to ask."""
    faces_by_die = [possible_faces(die, faces_of(game, state, die.kind)) for die in dice]
    doubtful = [index for index, die in enumerate(dice) if not die.certain]
    results, tried = _distinct_results(
        game, state, islice(_combinations(faces_by_die, dice, orders), MAX_COMBINATIONS + 1), event_of
    )
    if len(results) == 1 and tried <= MAX_COMBINATIONS:
        fields, result = results[0]
        return (
            NoEvent(Message("table.wrong_kind")) if result is None else Recordable(fields, is_doubtful=bool(doubtful))
        )
    if not doubtful:
        return AskWhose()
    likeliest = [faces[0] for faces in faces_by_die]
    for index in doubtful:
        variants = [(*likeliest[:index], face, *likeliest[index + 1 :]) for face in faces_by_die[index]]
        readings = [_dice_with_faces(dice, faces) for faces in variants]
        if len(_distinct_results(game, state, readings, event_of)[0]) > 1:
            return AskFace(index)
    return AskFace(doubtful[0])


def _distinct_results(
    game: AnyGame, state: GameState, readings: Iterable[tuple[Die, ...]], event_of: EventOfDice
) -> tuple[list[tuple[Fields, Any]], int]:
    """Return the first two different results with an event for each, and the number of readings tried.

    The result is the state; None if the dice make no event that the rules accept.
    """
    found: list[tuple[Fields, Any]] = []
    tried_count = 0
    for reading in readings:
        tried_count += 1
        fields = event_of(reading)
        result = None if fields is None else _result(game, state, fields)
        if all(result != other for _, other in found):
            found.append((fields or {}, result))
        if len(found) > 1:
            break
    return found, tried_count


def _result(game: AnyGame, state: GameState, fields: Fields) -> Any:
    """Return the state after an event; None if the rules refuse it."""
    try:
        event = game.parse(fields)
        game.validate(state, event)
    except Refusal:
        return None
    return game.apply(state, event)[0]
