"""Who is at home in each pair of a Swiss round, chosen so that the next round can be balanced without a rematch.

A pair whose balances differ has no choice: who had fewer matches at home is at home. Where both are in balance, the
round after is looked at: its pairs, as far as they can be foreseen without points, and the pairs of this round form a
graph of paths and even circles; home and away in turn along it leaves no pair of the next round with two alike. With an
even number of players and nobody leaving, this keeps everyone's balance within one in every round for as long as there
is a round without rematches at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from companion.tournament.matching import Cost, cheapest

if TYPE_CHECKING:
    from companion.tournament.swiss import Field

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

    def walk(start: int, at_home: bool) -> tuple[int, int] | None:
        number, home = start, at_home
        while True:
            homes[number], homes[partner[number]] = home, not home
            other = foe.get(partner[number])
            if other is None or (other in after and after[other] == 0):
                return None
            ended = partner[number], other
            if other in after:
                return None if (after[other] > 0) == home else (min(ended), max(ended))
            if other in homes:
                return None if homes[other] == home else (min(ended), max(ended))
            number = other

    bound = [number for number in partner if after.get(foe.get(number, -1), 0)]
    for number in [*bound, *(home for home, _ in free)]:
        if number not in homes:
            at_home = after[foe[number]] < 0 if number in bound else True
            conflict = walk(number, at_home) or conflict
    return homes, conflict
