"""Who meets whom: Swiss rounds of least cost, round robins by the Berger tables, seeds of brackets and groups."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from itertools import product

from companion.tournament.facts import Draw, Drawn, State
from companion.tournament.standings import Row
from companion.tournament.values import NOBODY, Entry, Stage

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


# Who is at home in each pair of a Swiss round, chosen so that the next round can be balanced without a rematch.


TRIES = 12
"""How often the foreseen round is looked for anew when its pairs cannot be had in turn."""

Pairs = Sequence[tuple[int, int]]


def orient(field: Field, pairs: Pairs, bye: int | None, more_rounds: bool) -> list[tuple[int, int]]:
    """The pairs, home first, in the order given."""
    wish = [_usual(field, board, pair) for board, pair in enumerate(pairs)]
    free = [pair for pair in wish if field.players[pair[0]].balance == field.players[pair[1]].balance == 0]
    if not more_rounds or not free or _roomy(field):
        return wish
    homes = _homes(field, wish, free, bye)
    return [(home, away) if homes.get(home, True) else (away, home) for home, away in wish]


def _usual(field: Field, board: int, pair: tuple[int, int]) -> tuple[int, int]:
    """Home for the lower balance, then for who was away last, then in turn down the boards."""
    one, other = (field.players[number] for number in pair)
    keys = (one.balance, one.last), (other.balance, other.last)
    first = keys[0] < keys[1] if keys[0] != keys[1] else board % 2 == 0
    return pair if first else (pair[1], pair[0])


def _roomy(field: Field) -> bool:
    """Whether so few have met so few that a balanced round without rematch is always left (Hall's theorem)."""
    met = max(len(player.met) for player in field.players)
    return 4 * (met + 2) <= len(field.players)


def _homes(field: Field, wish: Pairs, free: Pairs, bye: int | None) -> dict[int, bool]:
    """For the players of free pairs whether they are at home; the last try if none is without conflict."""
    after = _after(field, wish, free)
    barred: set[tuple[int, int]] = set()
    homes: dict[int, bool] = {}
    for _ in range(TRIES):
        following = _foreseen(field, wish, bye, after, barred)
        homes, conflict = _in_turn(free, following, after)
        if conflict is None:
            return homes
        barred.add(conflict)
    return homes


def _after(field: Field, wish: Pairs, free: Pairs) -> dict[int, int]:
    """The balances after this round of those who have no choice in it."""
    chosen = {number for pair in free for number in pair}
    after = {number: player.balance for number, player in enumerate(field.players) if number not in chosen}
    for home, away in wish:
        if home not in chosen:
            after[home] += 1
            after[away] -= 1
    return after


def _foreseen(
    field: Field, wish: Pairs, bye: int | None, after: dict[int, int], barred: set[tuple[int, int]]
) -> list[tuple[int, int]]:
    """The pairs of the next round: no rematch, nobody against one who must have the same side, then as one wishes."""
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
        return (0, again, int(alike) + ((one, other) in barred), int(against_wish))

    return [pair for pair in cheapest(field.seats, cost) if pair[1] < last]


def _in_turn(free: Pairs, following: Pairs, after: dict[int, int]) -> tuple[dict[int, bool], tuple[int, int] | None]:
    """Home and away in turn along the graph, and a pair of the next round where that does not come out, if any."""
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
    """Sets `homes` in turn along the graph from one number on; the pair at its end where that does not come out."""
    while True:
        homes[number], homes[partner[number]] = at_home, not at_home
        other = foe.get(partner[number])
        if other is None or (other in after and after[other] == 0):
            return None
        settled = after[other] > 0 if other in after else homes.get(other)
        if settled is not None:
            return None if settled == at_home else (min(partner[number], other), max(partner[number], other))
        number = other


# The pairings of a Swiss round, all at once as the cheapest whole: no second bye, no rematch, home and away even.


@dataclass(frozen=True, slots=True)
class Player:
    """An entry as the pairing sees it. `balance` is the matches at home less those away, `last` +1 when the last was at
    home, −1 when it was away, 0 before the first.
    """

    entry: str
    points: int = 0
    met: tuple[str, ...] = ()
    balance: int = 0
    last: int = 0
    byes: int = 0


@dataclass(frozen=True, slots=True)
class Round:
    """A round: its pairs, home first, in the order of the table, and who pauses."""

    pairs: tuple[tuple[str, str], ...]
    bye: str | None = None


def pair(players: Sequence[Player], more_rounds: bool = True) -> Round:
    """The round for the players in the order of their table. Raises ValueError for fewer than two.

    With `more_rounds` the sides of this one are chosen so that the next can keep the balance without a rematch.
    """
    if len(players) < 2:
        raise ValueError("a round needs two players")
    field = Field(tuple(players), Counter(player.points for player in players))
    found = cheapest(field.seats, field.cost)
    bye = next((one for one, other in found if other == len(players)), None)
    pairs = [(one, other) for one, other in found if other < len(players)]
    sides = orient(field, pairs, bye, more_rounds)
    return Round(
        tuple((players[home].entry, players[away].entry) for home, away in sides),
        None if bye is None else players[bye].entry,
    )


@dataclass(frozen=True, slots=True)
class Field:
    """The players of a round and how many have so many points; for an odd number one seat more stands for the bye."""

    players: tuple[Player, ...]
    alike: Mapping[int, int]

    @property
    def seats(self) -> int:
        """The players, and the bye if there is one: an even number."""
        return len(self.players) + len(self.players) % 2

    def cost(self, one: int, other: int) -> Cost:
        """Why the two should not be paired, `one` being the higher in the table."""
        player = self.players[one]
        if other == len(self.players):
            lowest = self.players[-1].points
            return (player.byes, 0, 0, max(0, player.points - lowest), 0, len(self.players) - 1 - one)
        opponent = self.players[other]
        apart = player.points - opponent.points
        return (
            0,
            player.met.count(opponent.entry),
            strain(player.balance, opponent.balance),
            0,
            apart * apart,
            self._from_fold(one, other),
        )

    def _from_fold(self, one: int, other: int) -> int:
        """How far the two are from meeting half a score group apart, squared; across groups, from being neighbours."""
        points = self.players[one].points
        ideal = max(1, self.alike[points] // 2) if points == self.players[other].points else 1
        return (other - one - ideal) ** 2


def strain(one: int, other: int) -> int:
    """How far over one the balance of the two would be, whoever is at home."""
    low, high = sorted((one, other))
    return max(0, abs(low + 1) - 1) + max(0, abs(high - 1) - 1)


# Proposes the next Swiss round from the table and the rounds drawn so far. The draw itself is the organiser's.


def players(state: State, rows: Sequence[Row], draws: Sequence[Drawn]) -> tuple[Player, ...]:
    """Those who are to be paired, in the order of the table."""
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
        Player(
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


def proposed(state: State, plan: Stage, rows: Sequence[Row], draws: Sequence[Drawn]) -> Draw:
    """The round after those drawn. Raises ValueError when fewer than two are left."""
    number = len(draws) + 1
    found = pair(players(state, rows, draws), number < plan.rounds)
    return Draw(number, found.pairs, found.bye)


# Round robins by the Berger tables (FIDE Handbook C.05, annex 1).


def rounds(entries: Sequence[str], cycles: int = 1) -> tuple[tuple[tuple[str, str], ...], ...]:
    """The rounds, each with its pairs, home first. Of an odd number one pauses in each round and is in no pair.

    The second cycle is the first with home and away exchanged.

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
    """The last seat meets the others in steps of half the field; around its opponent the others meet crosswise."""
    circle = len(seats) - 1
    centre = number * (len(seats) // 2) % circle
    last = seats[-1]
    pairs = [(last, seats[centre]) if number % 2 else (seats[centre], last)]
    for apart in range(1, len(seats) // 2):
        pairs.append((seats[(centre + apart) % circle], seats[(centre - apart) % circle]))
    return tuple(pair for pair in pairs if NOBODY not in pair)


# Who sits where: the order of seeds in a bracket, entries spread over groups, and groups crossed in a knock-out.


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
