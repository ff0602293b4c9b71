"""Pairings: Swiss rounds of minimum cost, round robins by the Berger tables, seeding of brackets and groups."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import nsmallest
from itertools import product

from companion.tournament.facts import Draw, DrawnRound, Swap, TournamentState
from companion.tournament.standings import StandingsRow
from companion.tournament.values import NOBODY, Entry, Stage

Cost = tuple[int, ...]
"""Cost of a pair, most important criterion first. Each criterion is summed; no sum outweighs a more important one."""

HARD = 3
"""Number of leading criteria that must be zero if any pairing achieves that."""

NEAREST = 16
"""Number of cheapest partners considered for each player at first, to pair large fields quickly."""


def cheapest_pairs(count: int, cost: Callable[[int, int], Cost]) -> tuple[tuple[int, int], ...]:
    """Return the pairs of minimum total cost among 0 … count − 1 (an even number), sorted, lower number first.

    The search starts with the nearest partners. If a player stays unpaired, or a pair violates a hard criterion,
    more partners are considered, finally all of them; then the cost is the global minimum. Integers only, so
    that the result depends on neither rounding nor hash order.
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
    # A table shows standings but never computes pairings: import here to keep its start fast.
    import networkx

    weights = _weights(costs)
    graph = networkx.Graph()
    for (one, other), weight in weights.items():
        graph.add_edge(one, other, weight=weight)
    found = networkx.max_weight_matching(graph, maxcardinality=True)
    return tuple(sorted((min(pair), max(pair)) for pair in found))


def _weights(costs: dict[tuple[int, int], Cost]) -> dict[tuple[int, int], int]:
    """Return one integer per pair, larger for a lower cost."""
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


# Home and away in a Swiss round, chosen so that the next round can be balanced without a rematch.


MAX_ATTEMPTS = 12
"""Maximum number of searches for the predicted next round, when its sides cannot alternate."""

Pairs = Sequence[tuple[int, int]]


def assign_home(field: SwissField, pairs: Pairs, bye: int | None, more_rounds: bool) -> list[tuple[int, int]]:
    """Return the pairs, home first, in the given order."""
    wish = [_usual(field, board, pair) for board, pair in enumerate(pairs)]
    free = [pair for pair in wish if field.players[pair[0]].balance == field.players[pair[1]].balance == 0]
    if not more_rounds or not free or _roomy(field):
        return wish
    homes = _homes(field, wish, free, bye)
    return [(home, away) if homes.get(home, True) else (away, home) for home, away in wish]


def _usual(field: SwissField, board: int, pair: tuple[int, int]) -> tuple[int, int]:
    """Give home to the lower balance, then to the player who was away last, then alternate by board."""
    one, other = (field.players[number] for number in pair)
    keys = (one.balance, one.last), (other.balance, other.last)
    first = keys[0] < keys[1] if keys[0] != keys[1] else board % 2 == 0
    return pair if first else (pair[1], pair[0])


def _roomy(field: SwissField) -> bool:
    """Return whether a balanced round without rematch always remains (Hall's theorem).

    This is so if each player has met few of the others.
    """
    met = max(len(player.met) for player in field.players)
    return 4 * (met + 2) <= len(field.players)


def _homes(field: SwissField, wish: Pairs, free: Pairs, bye: int | None) -> dict[int, bool]:
    """Return for each player of the free pairs whether it is at home; the last attempt if each has a conflict."""
    after = _after(field, wish, free)
    forbidden: set[tuple[int, int]] = set()
    homes: dict[int, bool] = {}
    for _ in range(MAX_ATTEMPTS):
        following = _foreseen(field, wish, bye, after, forbidden)
        homes, conflict = _in_turn(free, following, after)
        if conflict is None:
            return homes
        forbidden.add(conflict)
    return homes


def _after(field: SwissField, wish: Pairs, free: Pairs) -> dict[int, int]:
    """Return the balances after this round of the players without a choice."""
    chosen = {number for pair in free for number in pair}
    after = {number: player.balance for number, player in enumerate(field.players) if number not in chosen}
    for home, away in wish:
        if home not in chosen:
            after[home] += 1
            after[away] -= 1
    return after


def _foreseen(
    field: SwissField, wish: Pairs, bye: int | None, after: dict[int, int], forbidden: set[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Predict the pairs of the next round.

    Criteria in order: no rematch, no two players who need the same side, preferred sides.
    """
    now = {frozenset(pair) for pair in wish}
    hoped = {number: 1 - 2 * away for pair in wish for away, number in enumerate(pair)} | after
    last = len(field.players)

    def cost(one: int, other: int) -> Cost:
        player = field.players[one]
        if other == last:
            return (player.byes + (one == bye), 0, 0, 0)
        again = player.met.count(field.players[other].entry) + (frozenset((one, other)) in now)
        alike = one in after and other in after and after[one] * after[other] > 0
        against_wish = hoped.get(one, 0) * hoped.get(other, 0) > 0
        return (0, again, int(alike) + ((one, other) in forbidden), int(against_wish))

    return [pair for pair in cheapest_pairs(field.seats, cost) if pair[1] < last]


def _in_turn(free: Pairs, following: Pairs, after: dict[int, int]) -> tuple[dict[int, bool], tuple[int, int] | None]:
    """Alternate home and away along the graph. Returns also a pair of the next round with a conflict, if any."""
    partner = {one: other for home, away in free for one, other in ((home, away), (away, home))}
    foe = {one: other for low, high in following for one, other in ((low, high), (high, low))}
    homes: dict[int, bool] = {}
    conflict: tuple[int, int] | None = None
    bound = [number for number in partner if after.get(foe.get(number, -1), 0)]
    for number in [*bound, *(home for home, _ in free)]:
        if number not in homes:
            at_home = after[foe[number]] < 0 if number in bound else True
            conflict = _alternate(number, at_home, partner, foe, after, homes) or conflict
    return homes, conflict


def _alternate(
    number: int,
    at_home: bool,
    partner: Mapping[int, int],
    foe: Mapping[int, int],
    after: Mapping[int, int],
    homes: dict[int, bool],
) -> tuple[int, int] | None:
    """Set `homes` alternately along the graph from one player on. Returns the conflicting pair at its end, if any."""
    while True:
        homes[number], homes[partner[number]] = at_home, not at_home
        other = foe.get(partner[number])
        if other is None or (other in after and after[other] == 0):
            return None
        fixed_home = after[other] > 0 if other in after else homes.get(other)
        if fixed_home is not None:
            return None if fixed_home == at_home else (min(partner[number], other), max(partner[number], other))
        number = other


# The pairings of a Swiss round as one minimum: no second bye, no rematch, balanced home and away.


@dataclass(frozen=True, slots=True)
class SwissPlayer:
    """An entry's data for the pairing.

    - `balance`: home matches minus away matches
    - `last`: +1 if the last match was at home, −1 if away, 0 before the first
    """

    entry: str
    points: int = 0
    met: tuple[str, ...] = ()
    balance: int = 0
    last: int = 0
    byes: int = 0


@dataclass(frozen=True, slots=True)
class SwissRound:
    """A round: its pairs, home first, in the order of the standings, and the bye."""

    pairs: tuple[tuple[str, str], ...]
    bye: str | None = None


def pair_round(players: Sequence[SwissPlayer], more_rounds: bool = True) -> SwissRound:
    """Pair the players, given in the order of the standings.

    With `more_rounds` the sides are chosen so that the next round can keep the balance without a rematch.

    Raises: ValueError, for fewer than two players.
    """
    if len(players) < 2:
        raise ValueError("a round needs two players")
    field = SwissField(tuple(players), Counter(player.points for player in players))
    found = cheapest_pairs(field.seats, field.cost)
    bye = next((one for one, other in found if other == len(players)), None)
    pairs = [(one, other) for one, other in found if other < len(players)]
    sides = assign_home(field, pairs, bye, more_rounds)
    return SwissRound(
        tuple((players[home].entry, players[away].entry) for home, away in sides),
        None if bye is None else players[bye].entry,
    )


@dataclass(frozen=True, slots=True)
class SwissField:
    """The players of a round and the size of each score group. With an odd number an extra seat represents the bye."""

    players: tuple[SwissPlayer, ...]
    alike: Mapping[int, int]

    @property
    def seats(self) -> int:
        """Number of players, plus one for a bye: an even number."""
        return len(self.players) + len(self.players) % 2

    def cost(self, one: int, other: int) -> Cost:
        """Return the cost of a pair; `one` is higher in the standings."""
        player = self.players[one]
        if other == len(self.players):
            lowest = self.players[-1].points
            return (player.byes, 0, 0, max(0, player.points - lowest), 0, len(self.players) - 1 - one)
        opponent = self.players[other]
        apart = player.points - opponent.points
        return (
            0,
            player.met.count(opponent.entry),
            balance_excess(player.balance, opponent.balance),
            0,
            apart * apart,
            self._from_fold(one, other),
        )

    def _from_fold(self, one: int, other: int) -> int:
        """Return the squared distance from the ideal: half a score group apart, or neighbours if the scores differ."""
        points = self.players[one].points
        ideal = max(1, self.alike[points] // 2) if points == self.players[other].points else 1
        return (other - one - ideal) ** 2


def balance_excess(one: int, other: int) -> int:
    """Return by how much the balances of a pair would exceed one, with the better choice of sides."""
    low, high = sorted((one, other))
    return max(0, abs(low + 1) - 1) + max(0, abs(high - 1) - 1)


# Proposes the next Swiss round from the standings and the earlier rounds. The organiser makes the draw.


def swiss_players(
    state: TournamentState, rows: Sequence[StandingsRow], draws: Sequence[DrawnRound]
) -> tuple[SwissPlayer, ...]:
    """Return the players to pair, in the order of the standings."""
    met: dict[str, list[str]] = {row.entry: [] for row in rows}
    sides: dict[str, list[int]] = {row.entry: [] for row in rows}
    byes = dict.fromkeys(met, 0)
    for drawn in draws:
        for home, away in drawn.draw.pairs:
            met[home].append(away)
            met[away].append(home)
            sides[home].append(1)
            sides[away].append(-1)
        if drawn.draw.bye is not None:
            byes[drawn.draw.bye] += 1
    return tuple(
        SwissPlayer(
            row.entry,
            row.points,
            tuple(met[row.entry]),
            sum(sides[row.entry]),
            sides[row.entry][-1] if sides[row.entry] else 0,
            byes[row.entry],
        )
        for row in rows
        if row.entry not in state.withdrawn
    )


def propose_round(
    state: TournamentState, plan: Stage, rows: Sequence[StandingsRow], draws: Sequence[DrawnRound]
) -> Draw:
    """Propose the next round. Raises: ValueError, if fewer than two players are left."""
    number = len(draws) + 1
    found = pair_round(swiss_players(state, rows, draws), number < plan.rounds)
    return Draw(number, found.pairs, found.bye)


def swapped(draw: Draw, swap: Swap) -> Draw:
    """Return the draw after two entries have changed places."""
    places = {swap.one: swap.other, swap.other: swap.one}
    pairs = tuple((places.get(home, home), places.get(away, away)) for home, away in draw.pairs)
    return replace(draw, pairs=pairs, bye=None if draw.bye is None else places.get(draw.bye, draw.bye), by_hand=True)


# Round robins by the Berger tables (FIDE Handbook C.05, annex 1).


def berger_rounds(entries: Sequence[str], cycles: int = 1) -> tuple[tuple[tuple[str, str], ...], ...]:
    """Return the rounds with their pairs, home first. With an odd number one entry per round has no pair.

    The second cycle repeats the first with home and away swapped.

    >>> rounds(["a", "b", "c", "d"])
    ((('a', 'd'), ('b', 'c')), (('d', 'c'), ('a', 'b')), (('b', 'd'), ('c', 'a')))
    """
    seats = [*entries, *([NOBODY] if len(entries) % 2 else [])]
    if len(seats) < 2:
        return ()
    first = [_round(seats, number) for number in range(len(seats) - 1)]
    second = [tuple((away, home) for home, away in pairs) for pairs in first]
    return tuple(pairs for cycle in range(cycles) for pairs in (second if cycle % 2 else first))


def _round(seats: list[str], number: int) -> tuple[tuple[str, str], ...]:
    """Return a round: the last seat's opponent advances by half the field; the others pair symmetrically around it."""
    circle = len(seats) - 1
    centre = number * (len(seats) // 2) % circle
    last = seats[-1]
    pairs = [(last, seats[centre]) if number % 2 else (seats[centre], last)]
    for apart in range(1, len(seats) // 2):
        pairs.append((seats[(centre + apart) % circle], seats[(centre - apart) % circle]))
    return tuple(pair for pair in pairs if NOBODY not in pair)


# Seeding: the order of seeds in a bracket, entries spread over groups, groups crossed in a knock-out.


def bracket_size(entries: int) -> int:
    """Return the size of the smallest bracket for a number of entries: a power of two, at least 2."""
    return max(2, 1 << (entries - 1).bit_length())


def bracket_order(size: int) -> tuple[int, ...]:
    """Return the seeds in bracket order: the first two can meet only in the final, the first four in the semi-finals.

    >>> places(8)
    (1, 8, 4, 5, 2, 7, 3, 6)
    """
    order = [1]
    while len(order) < size:
        order = [each for seed in order for each in (seed, 2 * len(order) + 1 - seed)]
    return tuple(order)


def entries_by_seed(entries: Sequence[Entry]) -> tuple[str, ...]:
    """Return the ids: seeded entries by seed, then the others in order of registration."""
    return tuple(entry.id for entry in sorted(entries, key=lambda each: (each.seed is None, each.seed or 0)))


def group_names(groups: int) -> tuple[str, ...]:
    """Return the names A, B, C and so on, for up to 26 groups."""
    return tuple(chr(ord("A") + number) for number in range(groups))


def assign_groups(entries: Sequence[Entry], groups: int) -> dict[str, tuple[str, ...]]:
    """Return the groups by name.

    Requested groups are honoured; the other entries are distributed by seed in snake order.
    """
    names = group_names(groups)
    members: dict[str, list[str]] = {name: [] for name in names}
    asked = {entry.id: entry.group for entry in entries if entry.group in members}
    dealt_count = 0
    for id in entries_by_seed(entries):
        group = asked.get(id)
        if group is None:
            lap, step = divmod(dealt_count, groups)
            group = names[groups - 1 - step if lap % 2 else step]
            dealt_count += 1
        members[group].append(id)
    return {name: tuple(ids) for name, ids in members.items()}


def cross_groups(qualified: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Return the seeds of a knock-out from each group's qualified entries, best first.

    The winners come first, then the runners-up, and so on. Runners-up and lower ranks are rotated to minimise
    first-round matches within a group.
    """
    group_of = {id: number for number, group in enumerate(qualified) for id in group}
    most = max((len(group) for group in qualified), default=0)
    pots = [[group[position] for group in qualified if position < len(group)] for position in range(most)]
    turns = [range(1 if rank == 0 or most > 4 else len(pot)) for rank, pot in enumerate(pots)]
    orders = (
        tuple(id for pot, by in zip(pots, turned, strict=True) for id in pot[by:] + pot[:by])
        for turned in product(*turns)
    )
    return _least_clashes(orders, group_of)


def _least_clashes(orders: Iterable[tuple[str, ...]], group_of: dict[str, int]) -> tuple[str, ...]:
    """Return the first order with the fewest matches within a group; stop at an order without any."""
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
    down = bracket_order(bracket_size(len(order)))
    pairs = [(one - 1, other - 1) for one, other in zip(down[::2], down[1::2], strict=True)]
    return sum(group_of[order[one]] == group_of[order[other]] for one, other in pairs if max(one, other) < len(order))
