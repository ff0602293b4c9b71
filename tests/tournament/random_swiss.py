"""Random Swiss tournaments: draws are held against the rules of pairing, standings against second computations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, pairwise
from random import Random

import networkx

from companion.games.spec import Points
from companion.tournament import facts as fa
from companion.tournament.facts import TournamentState
from companion.tournament.pairing import SwissPlayer, swiss_players
from companion.tournament.progress import Match, progress_of
from companion.tournament.rules import propose_draw
from companion.tournament.standings import StandingsRow
from tests.tournament import plans
from tests.tournament.handbook import History, history, second_standings, third_standings
from tests.tournament.playing import chance, ready, result, started, with_facts

BRUTE_FORCE = 8
"""Up to this many seats every possible round is compared with the draw."""


def check_tournament(entries: int, seed: int) -> int:
    """Play a tournament by chance, with byes, forfeits, late entries and withdrawals. Returns the number of rounds.

    Raises: AssertionError, where a draw breaks a rule or a table of standings is not that of the handbook.
    """
    random = Random(seed)
    rounds = random.randint(1, max(1, min(7, entries - 1)))
    plan = plans.swiss("S", random.choice(("hoops21", "footclub")), rounds)
    points = random.choice((Points(win=3, bye=3), Points(win=2, bye=2)))
    plan = replace(plan, stages=(replace(plan.stages[0], points=points),))
    state = started(plan, entries)
    undisturbed, leaving = entries % 2 == 0, random.random() < 0.3
    for number in range(1, rounds + 1):
        rows = progress_of(state).stages[0].tables["A"]
        draw = propose_draw(state)
        check_round(swiss_players(state, rows, state.draws), draw, undisturbed=undisturbed)
        state = with_facts(state, draw)
        for match in ready(state):
            state = with_facts(state, outcome(match, random))
        check_standings(state)
        if leaving and random.random() < 0.3:
            undisturbed = False
            state = disturbed(state, random)
            check_standings(state)
        if len([id for id in state.entries if id not in state.withdrawn]) < 2:
            return number
    return rounds


def outcome(match: Match, random: Random) -> fa.Fact:
    """Return a result, now and then a forfeit."""
    die = random.random()
    if die < 0.03:
        return fa.DoubleForfeit(match.id)
    if die < 0.1:
        return fa.Forfeit(match.id, random.choice(("home", "away")))
    return result(match, chance(random)(match))


def disturbed(state: TournamentState, random: Random) -> TournamentState:
    """Return the state after a late entry or a withdrawal."""
    if random.random() < 0.5 and len(state.draws) < state.plan.stages[0].rounds:
        return with_facts(state, fa.Enter(f"late{len(state.entries)}", f"Late {len(state.entries)}"))
    here = [id for id in state.entries if id not in state.withdrawn]
    return with_facts(state, fa.Withdraw(random.choice(here)))


# The rules of pairing.


def check_round(field: tuple[SwissPlayer, ...], draw: fa.Draw, *, undisturbed: bool) -> None:
    """Check a round against its field. `undisturbed`: an even field without late entries or withdrawals."""
    by_id = {player.entry: player for player in field}
    seated = [id for each in draw.pairs for id in each] + ([draw.bye] if draw.bye else [])
    assert sorted(seated) == sorted(by_id)
    if draw.bye:
        assert by_id[draw.bye].byes == min(player.byes for player in field)
    again = sum(away in by_id[home].met for home, away in draw.pairs)
    assert again == 0 or not avoidable(field)
    for home, away in draw.pairs:
        over = max(abs(by_id[home].balance + 1), abs(by_id[away].balance - 1))
        assert over <= (1 if undisturbed else 2), (home, away)
    if len(field) <= BRUTE_FORCE:
        best = min(price(field, pairs) for pairs in all_rounds(tuple(by_id) if len(field) % 2 == 0 else (*by_id, None)))
        assert price(field, (*draw.pairs, *([(draw.bye, None)] if draw.bye else []))) == best


def avoidable(field: tuple[SwissPlayer, ...]) -> bool:
    """Return True if a round exists without a rematch and without a bye for an entry that had more than others."""
    graph = networkx.Graph()
    graph.add_edges_from((a.entry, b.entry) for a, b in combinations(field, 2) if b.entry not in a.met)
    if len(field) % 2:
        least = min(player.byes for player in field)
        graph.add_edges_from((player.entry, "bye") for player in field if player.byes == least)
    return 2 * len(networkx.max_weight_matching(graph, maxcardinality=True)) == len(field) + len(field) % 2


Pairs = tuple[tuple[str | None, str | None], ...]


def all_rounds(seats: tuple[str | None, ...]) -> Iterator[Pairs]:
    """Return every way to pair the seats; None is the seat of the bye."""
    if not seats:
        yield ()
        return
    first, *others = seats
    for other in others:
        for rest in all_rounds(tuple(seat for seat in others if seat != other)):
            yield ((first, other), *rest)


def price(field: tuple[SwissPlayer, ...], pairs: Pairs) -> tuple[int, ...]:
    """Return what a round costs: byes again, rematches, uneven sides, the points of the bye, and the floats squared."""
    by_id = {player.entry: player for player in field}
    lowest = field[-1].points
    byes = again = uneven = high = floats = 0
    for one, other in pairs:
        if one is None or other is None:
            alone = by_id[one or other or ""]
            byes, high = byes + alone.byes, high + max(0, alone.points - lowest)
            continue
        a, b = by_id[one], by_id[other]
        again += a.met.count(other)
        low, top = sorted((a.balance, b.balance))
        uneven += max(0, abs(low + 1) - 1) + max(0, abs(top - 1) - 1)
        floats += (a.points - b.points) ** 2
    return byes, again, uneven, high, floats


# The standings.


def check_standings(state: TournamentState) -> None:
    """Hold the standings against the handbook, and with 2 points a win against the program of the field."""
    rows = progress_of(state).stages[0].tables["A"]
    points = state.plan.stages[0].points
    rounds = history(state)
    listed = {row.entry for row in rows}
    for row in rows:
        assert row.played == row.won + row.drawn + row.lost
        assert row.played + row.byes <= len(state.draws)
    if not state.draws:
        return
    values, groups = second_standings(rounds, (points.win, points.draw, points.loss))
    for row in rows:
        ours = dict(row.values)
        theirs = values[row.entry]
        for name in ("points", "buchholz_cut1", "buchholz"):
            assert ours[name] == theirs[name], (row.entry, name)
        assert ours["sonneborn"] == 2 * theirs["sonneborn"], (row.entry, theirs)
    assert ranked(rows) == [each for group in groups if (each := frozenset(group) & listed)]
    if points.win == 2:
        check_third(rows, rounds)


def ranked(rows: tuple[StandingsRow, ...]) -> list[frozenset[str]]:
    """Return the entries that are level up to the direct encounter, in order."""
    found: dict[tuple[int, ...], set[str]] = {}
    for row in rows:
        names = [name for name, _ in row.values]
        key = tuple(value for _, value in row.values[: names.index("direct_encounter") + 1])
        found.setdefault(key, set()).add(row.entry)
    return [frozenset(entries) for entries in found.values()]


def check_third(rows: tuple[StandingsRow, ...], rounds: History) -> None:
    """Compare with the program of the field, whose points are half of these."""
    values, order = third_standings(rounds)
    for row in rows:
        ours, theirs = dict(row.values), values[row.entry]
        found = [ours["buchholz_cut1"] / 2, ours["buchholz"] / 2, ours["sonneborn"] / 4]
        assert found == [theirs[name] for name in ("buchholz_cut1", "buchholz", "sonneborn_berger")], row.entry
    place = {entry: at for at, entry in enumerate(order)}
    tiers = ranked(rows)
    for above, below in pairwise(tiers):
        assert max(place[entry] for entry in above) < min(place[entry] for entry in below)
