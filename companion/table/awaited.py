"""What a game awaits as counts of dice: which numbers of which kinds lie together before a throw is complete. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from companion.games.base import Awaits, DiceAwait, Die, Game
from vision.roll import Face

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


def faces_of(game: Game[Any, Any], state: Any, kind: str) -> tuple[Face, ...]:
    """Every face that a die of this kind can show in this match, in the order in which a question offers them."""
    return tuple(Face(die.value, die.colour, die.symbol) for die in game.faces(state, kind))


def to_throw(game: Game[Any, Any], state: Any, awaits: Awaits, lying: Sequence[str] = ()) -> tuple[DiceAwait, ...]:
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


def _makes_event(game: Game[Any, Any], state: Any, thrown: Sequence[DiceAwait]) -> bool:
    """True if the game takes these dice for an event, whatever they show."""
    dice = [Die(a.kind, f.value, f.colour, f.symbol) for a in thrown for f in _first_face(game, state, a)]
    return bool(dice) and game.throw(state, dice) is not None


def _amounts(dice: Sequence[DiceAwait]) -> Iterator[tuple[int, ...]]:
    """Numbers of dice to try, few first."""
    ways = [dict.fromkeys((min(max(USUAL_DICE, fewest(a)), a.count), fewest(a), a.count)) for a in dice]
    yield from product(*ways)


def _first_face(game: Game[Any, Any], state: Any, await_: DiceAwait) -> list[Face]:
    return [faces_of(game, state, await_.kind)[0]] * await_.count
