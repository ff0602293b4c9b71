"""The pairing of least cost, all of a field at once: a perfect matching of least weight in a graph, by networkx."""

from __future__ import annotations

from collections.abc import Callable
from heapq import nsmallest

Cost = tuple[int, ...]
"""What a pair costs, the heaviest reason first. Reasons of one place are summed; no sum outweighs a heavier one."""

HARD = 3
"""So many of the first reasons must not be there if any pairing does without them."""

NEAREST = 16
"""How many of its cheapest partners each is first offered; a large field is paired among those."""


def cheapest(count: int, cost: Callable[[int, int], Cost]) -> tuple[tuple[int, int], ...]:
    """The pairs of the least total cost among 0 … count − 1 (an even number), the lower first, in order.

    A field is first paired among nearest partners. If that leaves someone alone, or takes a pair that has one of the
    hard reasons against it, more partners are offered, in the end all: then the cost is the least there is. Whole
    numbers only, so the answer depends on neither rounding nor the order of hashes.
    """
    costs = {(one, other): cost(one, other) for one in range(count) for other in range(one + 1, count)}
    offered = NEAREST
    while True:
        edges = costs if offered >= count - 1 else _nearest(count, costs, offered)
        pairs = _matched(edges)
        whole = 2 * len(pairs) == count
        if edges is costs or (whole and not any(any(costs[pair][:HARD]) for pair in pairs)):
            return pairs
        offered *= 4


def _nearest(count: int, costs: dict[tuple[int, int], Cost], offered: int) -> dict[tuple[int, int], Cost]:
    kept: set[tuple[int, int]] = set()
    for one in range(count):
        pairs = ((min(one, other), max(one, other)) for other in range(count) if other != one)
        kept |= set(nsmallest(offered, pairs, key=lambda pair: (costs[pair], pair)))
    return {pair: costs[pair] for pair in sorted(kept)}


def _matched(costs: dict[tuple[int, int], Cost]) -> tuple[tuple[int, int], ...]:
    # A table at the edge of the hall shows standings and never pairs: it is spared the library's start.
    import networkx

    weights = _weights(costs)
    graph = networkx.Graph()
    for (one, other), weight in weights.items():
        graph.add_edge(one, other, weight=weight)
    found = networkx.max_weight_matching(graph, maxcardinality=True)
    return tuple(sorted((min(pair), max(pair)) for pair in found))


def _weights(costs: dict[tuple[int, int], Cost]) -> dict[tuple[int, int], int]:
    """One whole number for each cost, greater for a cheaper pair."""
    if not costs:
        return {}
    nodes = len({node for pair in costs for node in pair})
    scales = [1]
    for most in reversed([max(reason) for reason in zip(*costs.values(), strict=True)][1:]):
        scales.append(scales[-1] * (most * (nodes // 2) + 1))
    scales.reverse()
    totals = {pair: sum(part * scale for part, scale in zip(cost, scales, strict=True)) for pair, cost in costs.items()}
    ceiling = max(totals.values())
    return {pair: ceiling - total for pair, total in totals.items()}
