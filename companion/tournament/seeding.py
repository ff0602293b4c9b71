"""Who sits where: the order of seeds in a bracket, entries spread over groups, and groups crossed in a knock-out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product

from companion.tournament.values import Entry


def size(entries: int) -> int:
    """The places of the smallest bracket that holds so many entries: a power of two, at least 2."""
    return max(2, 1 << (entries - 1).bit_length())


def places(size: int) -> tuple[int, ...]:
    """The seeds down the bracket: the first two can meet in the final only, the first four in the semi-finals.

    >>> places(8)
    (1, 8, 4, 5, 2, 7, 3, 6)
    """
    order = [1]
    while len(order) < size:
        order = [each for seed in order for each in (seed, 2 * len(order) + 1 - seed)]
    return tuple(order)


def by_seed(entries: Sequence[Entry]) -> tuple[str, ...]:
    """Those with a seed first, by it; the others as they entered."""
    return tuple(entry.id for entry in sorted(entries, key=lambda each: (each.seed is None, each.seed or 0)))


def group_names(groups: int) -> tuple[str, ...]:
    """A, B, C and so on, for up to 26 groups."""
    return tuple(chr(ord("A") + number) for number in range(groups))


def spread(entries: Sequence[Entry], groups: int) -> dict[str, tuple[str, ...]]:
    """The groups by name. An entry goes to the group it asks for; the others are dealt out to and fro by seed."""
    names = group_names(groups)
    members: dict[str, list[str]] = {name: [] for name in names}
    asked = {entry.id: entry.group for entry in entries if entry.group in members}
    turn = 0
    for id in by_seed(entries):
        group = asked.get(id)
        if group is None:
            lap, step = divmod(turn, groups)
            group = names[groups - 1 - step if lap % 2 else step]
            turn += 1
        members[group].append(id)
    return {name: tuple(ids) for name, ids in members.items()}


def crossed(qualified: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """The seeds of a knock-out from the qualified of each group, best first: winners, then seconds, and so on.

    The seconds and later ones are turned round so that as few as possible of one group meet in the first round.
    """
    group_of = {id: number for number, group in enumerate(qualified) for id in group}
    most = max((len(group) for group in qualified), default=0)
    pots = [[group[rank] for group in qualified if rank < len(group)] for rank in range(most)]
    turns = [range(1 if rank == 0 or most > 4 else len(pot)) for rank, pot in enumerate(pots)]
    orders = (
        tuple(id for pot, by in zip(pots, turned, strict=True) for id in pot[by:] + pot[:by])
        for turned in product(*turns)
    )
    return _least_clashes(orders, group_of)


def _least_clashes(orders: Iterable[tuple[str, ...]], group_of: dict[str, int]) -> tuple[str, ...]:
    """The first order with the fewest matches within a group; the search ends at one without any."""
    best: tuple[str, ...] = ()
    fewest: int | None = None
    for order in orders:
        clashes = _clashes(order, group_of)
        if fewest is None or clashes < fewest:
            best, fewest = order, clashes
        if clashes == 0:
            break
    return best


def _clashes(order: tuple[str, ...], group_of: dict[str, int]) -> int:
    down = places(size(len(order)))
    pairs = [(one - 1, other - 1) for one, other in zip(down[::2], down[1::2], strict=True)]
    return sum(group_of[order[one]] == group_of[order[other]] for one, other in pairs if max(one, other) < len(order))
