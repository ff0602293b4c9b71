"""Round robins: the published Berger tables, comparison with a library, a FootClub league by FC-17."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations
from random import Random

import pairing_core
import pytest

from companion.games.footclub.league import LeagueResult, league_table
from companion.tournament import facts as fa
from companion.tournament import pairing
from companion.tournament.headers import names, setup
from companion.tournament.progress import progress_of
from tests.tournament import plans
from tests.tournament.playing import chance, home_wins, play_all, ready, refused, started, with_facts

PUBLISHED = {
    4: "1-4 2-3 | 4-3 1-2 | 2-4 3-1",
    6: "1-6 2-5 3-4 | 6-4 5-3 1-2 | 2-6 3-1 4-5 | 6-5 1-4 2-3 | 3-6 4-2 5-1",
    8: (
        "1-8 2-7 3-6 4-5 | 8-5 6-4 7-3 1-2 | 2-8 3-1 4-7 5-6 | 8-6 7-5 1-4 2-3 | 3-8 4-2 5-1 6-7 | "
        "8-7 1-6 2-5 3-4 | 4-8 5-3 6-2 7-1"
    ),
}
"""FIDE Handbook C.05, annex 1."""


@pytest.mark.parametrize("size", PUBLISHED)
def test_rounds_are_those_of_the_published_tables(size: int) -> None:
    found = pairing.berger_rounds([str(number) for number in range(1, size + 1)])
    assert " | ".join(" ".join("-".join(pair) for pair in round) for round in found) == PUBLISHED[size]


@pytest.mark.parametrize("size", range(2, 25))
def test_rounds_are_those_of_the_second_opinion(size: int) -> None:
    ours = pairing.berger_rounds([str(number) for number in range(1, size + 1)])
    theirs = [
        {(str(home), str(away)) for home, away in round if away is not None} for round in pairing_core.round_robin(size)
    ]
    assert [set(round) for round in ours] == theirs


@pytest.mark.parametrize("size", range(2, 25))
@pytest.mark.parametrize("cycles", [1, 2])
def test_everyone_meets_everyone_and_home_and_away_are_even(size: int, cycles: int) -> None:
    ids = [str(number) for number in range(size)]
    rounds = pairing.berger_rounds(ids, cycles)
    games = [pair for round in rounds for pair in round]
    assert (
        Counter(games) == Counter(permutations(ids, 2))
        if cycles == 2
        else {frozenset(pair) for pair in games} == {frozenset(pair) for pair in combinations(ids, 2)}
    )
    assert len(games) == cycles * size * (size - 1) // 2
    for round in rounds:
        assert len({id for pair in round for id in pair}) == 2 * (size // 2)
    balance = Counter(home for home, _ in games)
    balance.subtract(away for _, away in games)
    assert all(abs(count) <= (1 if cycles == 1 else 0) for count in balance.values())


def test_a_footclub_league_has_six_matchdays_and_the_table_of_the_rule() -> None:
    state = play_all(started(plans.footclub_league("Ligue"), 4), chance(Random(3)))
    stage = progress_of(state).stages[0]
    matches = list(progress_of(state).matches.values())
    assert {match.round for match in matches} == set(range(1, 7))
    assert len(matches) == 12
    played = [LeagueResult(m.home or "", m.away or "", *(m.score or (0, 0))) for m in matches]
    expected = league_table(["e1", "e2", "e3", "e4"], played)
    assert [(row.entry, row.rank, row.points, row.difference) for row in stage.tables["A"]] == [
        (row.club, row.rank, row.points, row.difference) for row in expected
    ]
    assert setup(state, matches[0]) == {"home": "blue", "format": "league"}
    assert names(state, matches[0]) == {"blue": {"name": "E1"}, "red": {"name": "E4"}}


@pytest.mark.parametrize("seed", range(40))
def test_the_table_is_that_of_the_league_rule_for_any_results(seed: int) -> None:
    random = Random(seed)
    state = started(plans.round_robin("L", "footclub"), 5)
    for match in ready(state):
        if random.random() < 0.8:
            score = random.randrange(2), random.randrange(2)
            state = with_facts(state, fa.Result(match.id, match.home or "", match.away or "", score))
    done = [match for match in progress_of(state).matches.values() if match.status == "done"]
    expected = league_table(
        [f"e{n}" for n in range(1, 6)],
        [LeagueResult(m.home or "", m.away or "", *(m.score or (0, 0))) for m in done],
    )
    rows = progress_of(state).stages[0].tables["A"]
    assert [(row.entry, row.rank) for row in rows] == [(row.club, row.rank) for row in expected]


def test_a_forfeit_counts_three_nil_and_a_double_one_for_nobody() -> None:
    state = started(plans.round_robin("L", "footclub"), 4)
    first, second = ready(state)[:2]
    state = with_facts(state, fa.Forfeit(first.id, "home"), fa.DoubleForfeit(second.id))
    rows = {row.entry: row for row in progress_of(state).stages[0].tables["A"]}
    assert (rows["e4"].points, rows["e4"].scored) == (3, 3)
    assert (rows["e1"].points, rows["e1"].conceded) == (0, 3)
    assert [(rows[id].points, rows[id].played, rows[id].lost) for id in ("e2", "e3")] == [(0, 1, 1)] * 2
    assert refused(state, fa.Forfeit(first.id, "away")) == "over_already"


def test_who_leaves_early_leaves_no_trace_and_who_leaves_late_forfeits() -> None:
    state = started(plans.round_robin("L", "footclub"), 6)
    for match in ready(state):
        if match.round == 1:
            state = with_facts(state, fa.Result(match.id, match.home or "", match.away or "", (1, 0)))
    early = with_facts(state, fa.Withdraw("e1"))
    assert {m.status for m in progress_of(early).matches.values() if "e1" in m.seats} == {"annulled"}
    assert all(
        row.played == (0 if row.entry in ("e1", "e6") else 1) for row in progress_of(early).stages[0].tables["A"]
    )
    for match in ready(state):
        if match.round in (2, 3):
            state = with_facts(state, fa.Result(match.id, match.home or "", match.away or "", (1, 0)))
    late = with_facts(state, fa.Withdraw("e1"))
    assert [m.by for m in progress_of(late).matches.values() if "e1" in m.seats and m.round > 3] == ["withdrawal"] * 2
    assert progress_of(with_facts(late, fa.Readmit("e1"))).matches == progress_of(state).matches


def test_late_entries_make_the_tables_anew_until_something_was_played() -> None:
    state = started(plans.round_robin("L", "footclub"), 4)
    larger = with_facts(state, fa.Enter("e5", "E5"))
    assert len(progress_of(larger).matches) == 10
    state = with_facts(larger, fa.Result("s1-A1-1", *progress_of(larger).matches["s1-A1-1"].seats, (1, 0)))  # type: ignore[arg-type]
    assert refused(state, fa.Enter("e6", "E6")) == "too_late"


def test_a_table_that_nothing_parts_has_no_champion() -> None:
    state = play_all(started(plans.round_robin("L", "footclub", legs=2), 2), home_wins)
    assert progress_of(state).over
    assert progress_of(state).champion is None


@pytest.mark.parametrize("seed", range(5))
def test_won_drawn_and_lost_count_the_results_of_each_entry(seed: int) -> None:
    random = Random(seed)
    state = started(plans.round_robin("L", "footclub"), 5)
    expected = {f"e{n}": Counter[str]() for n in range(1, 6)}
    for match in ready(state):
        score = random.randrange(3), random.randrange(3)
        for entry, own, other in ((match.home, *score), (match.away, *score[::-1])):
            expected[entry or ""]["won" if own > other else "drawn" if own == other else "lost"] += 1
        state = with_facts(state, fa.Result(match.id, match.home or "", match.away or "", score))
    rows = progress_of(state).stages[0].tables["A"]
    found = {row.entry: (row.won, row.drawn, row.lost) for row in rows}
    assert found == {entry: (of["won"], of["drawn"], of["lost"]) for entry, of in expected.items()}
    assert all(row.played == row.won + row.drawn + row.lost == 4 for row in rows)
