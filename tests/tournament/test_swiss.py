"""Swiss tournaments: no avoidable rematch, one bye each, home balance within one, the same with any hash seed."""

from __future__ import annotations

import os
import subprocess
import sys
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pairing_core import DUTCH_TILL2026_COMPAT, CanonicalPlayer, CanonicalRequest, pair_canonical
from pairing_core.fide2026 import P26Player, P26Request, pair_2026

from companion.tournament import facts as fa
from companion.tournament.pairing import SwissPlayer, pair_round, swiss_players
from companion.tournament.progress import progress_of
from companion.tournament.rules import propose_draw
from tests.tournament import plans
from tests.tournament.playing import chance, play_all, ready, refused, result, started, with_facts
from tests.tournament.random_swiss import check_tournament
from tests.tracked import ROOT

FIELDS = st.integers(2, 13)
SEEDS = st.integers(0, 10**9)


@given(FIELDS, SEEDS)
@settings(max_examples=25)
def test_random_tournaments(entries: int, seed: int) -> None:
    check_tournament(entries, seed)


@pytest.mark.parametrize("entries", range(2, 41))
def test_the_first_round_has_the_pairs_and_the_bye_of_the_second_opinion(entries: int) -> None:
    ours = pair_round([SwissPlayer(f"e{number}") for number in range(1, entries + 1)])
    theirs = second_opinion(tuple(SwissPlayer(f"e{number}") for number in range(1, entries + 1)), 1)
    assert {frozenset(each) for each in ours.pairs} == theirs[0]
    assert ours.bye == theirs[1]


@pytest.mark.parametrize("entries", range(8, 41, 2))
def test_the_first_round_has_home_and_away_as_fide_has_the_colours(entries: int) -> None:
    ours = pair_round([SwissPlayer(str(number)) for number in range(1, entries + 1)])
    field = tuple(P26Player(number, number) for number in range(1, entries + 1))
    theirs = pair_2026(P26Request(field, "dutch-2026", 1, total_rounds=5))
    assert list(ours.pairs) == [(str(each.white_id), str(each.black_id)) for each in theirs.pairs]


@pytest.mark.parametrize("seed", range(12))
def test_later_rounds_spread_points_no_more_than_the_second_opinion_does(seed: int) -> None:
    """In odd rounds of an even field all are balanced, so both methods only consider rematches and points."""
    random = Random(seed)
    state = started(plans.swiss("S", "hoops21", 3), random.choice((8, 10, 12)))
    for round in range(1, 4):
        field = swiss_players(state, progress_of(state).stages[0].tables["A"], state.draws)
        draw = propose_draw(state)
        if round == 3:
            points = {player.entry: player.points for player in field}
            theirs, _ = second_opinion(field, round)
            ours = sum((points[home] - points[away]) ** 2 for home, away in draw.pairs)
            other = sum((points[one] - points[two]) ** 2 for one, two in map(tuple, theirs))
            assert ours <= other
        state = with_facts(state, draw)
        for match in ready(state):
            state = with_facts(state, result(match, chance(random)(match)))


def second_opinion(field: tuple[SwissPlayer, ...], round: int) -> tuple[set[frozenset[str]], str | None]:
    """Return the pairs and the bye of the Dutch system; before odd rounds all have had both colours equally often."""
    request = CanonicalRequest(
        players=tuple(
            CanonicalPlayer(
                id=int(player.entry[1:]),
                pairing_no=int(player.entry[1:]),
                rating=2000 - int(player.entry[1:]),
                points=player.points / 2,
                color_hist=("bw" if player.last > 0 else "wb") * (round // 2),
                opponents=tuple(int(id[1:]) for id in player.met),
            )
            for player in field
        ),
        ruleset=DUTCH_TILL2026_COMPAT,
        round_number=round,
    )
    boards = pair_canonical(request).pairings
    pairs = {frozenset((f"e{board.white_id}", f"e{board.black_id}")) for board in boards if not board.is_bye}
    return pairs, next((f"e{board.white_id}" for board in boards if board.is_bye), None)


def test_draws_by_hand_and_their_refusals() -> None:
    state = started(plans.swiss("S", "hoops21", 2), 5)
    assert refused(state, fa.Draw(1, (("e1", "e2"), ("e3", "e4")), "e5")) == "not_the_draw"
    assert refused(state, fa.Draw(2, (("e1", "e2"), ("e3", "e4")), "e5", by_hand=True)) == "wrong_round"
    assert refused(state, fa.Draw(1, (("e1", "e2"), ("e3", "e1")), "e5", by_hand=True)) == "not_each_once"
    state = with_facts(state, fa.Draw(1, (("e1", "e2"), ("e3", "e4")), "e5", by_hand=True))
    assert refused(state, fa.Draw(2, (("e1", "e2"), ("e3", "e4")), "e5", by_hand=True)) == "round_not_over"
    state = with_facts(state, *(result(match, (1, 0)) for match in ready(state)))
    assert refused(state, fa.Draw(2, (("e1", "e3"), ("e2", "e4")), "e5", by_hand=True)) == "second_bye"
    state = play_all(state, lambda match: (1, 0))
    assert refused(state, fa.Draw(3, (("e1", "e2"), ("e3", "e4")), "e5", by_hand=True)) == "no_more_rounds"
    other = started(plans.round_robin("R", "hoops21"), 4)
    assert refused(other, fa.Draw(1, (("e1", "e2"), ("e3", "e4")))) == "no_draw"


def test_a_withdrawn_entry_is_paired_no_more_and_a_late_one_is() -> None:
    state = started(plans.swiss("S", "hoops21", 3), 6)
    state = with_facts(state, propose_draw(state))
    state = with_facts(state, *(result(match, (1, 0)) for match in ready(state)))
    state = with_facts(state, fa.Withdraw("e1"), fa.Enter("late", "Late"))
    seated = {id for each in propose_draw(state).pairs for id in each}
    assert seated == {"e2", "e3", "e4", "e5", "e6", "late"}


PLAYED = """
from random import Random
from tests.tournament.random_swiss import check_tournament
from tests.tournament.playing import chance, play_all, started
from companion.tournament import facts
from tests.tournament import plans
from companion.tournament.progress import progress_of
for entries in (7, 12):
    state = play_all(started(plans.swiss("S", "hoops21", 5), entries), chance(Random(entries)))
    print([facts.to_json(drawn.draw) for drawn in state.draws], progress_of(state).stages[0].tables["A"])
"""


def test_the_answer_is_the_same_under_any_hash_seed() -> None:
    answers = {
        subprocess.run(
            [sys.executable, "-c", PLAYED],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "4711")
    }
    assert len(answers) == 1
    assert "'pairs'" in answers.pop()


def test_a_large_field_is_paired_among_nearest_partners_without_a_rematch() -> None:
    field = [SwissPlayer(str(number), points=number // 8, met=(str(number ^ 1),)) for number in range(64)]
    found = pair_round(field[::-1])
    assert len(found.pairs) == 32
    assert all(int(home) ^ 1 != int(away) for home, away in found.pairs)
    assert {int(home) // 8 - int(away) // 8 for home, away in found.pairs} == {0}
