"""Withdrawals in every format: settled walkovers stay, no withdrawn entry wins by walkover, and all entries may
leave."""

from __future__ import annotations

from itertools import permutations
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from companion.games.base import Refusal
from companion.language import LANGUAGES, Language
from companion.tournament import facts as fa
from companion.tournament.facts import TournamentState
from companion.tournament.progress import progress_of
from companion.tournament.rules import RANKING_CHOICES, propose_draw, propose_seed
from companion.tournament.values import NOBODY, Plan
from tests.tournament import plans
from tests.tournament.playing import (
    better_seed,
    chance,
    next_round,
    play_all,
    ready,
    refused,
    result,
    started,
    with_facts,
)

BRACKETS = [
    plans.knock_out("K", "hoops21"),
    plans.knock_out("Z", "footclub", legs=2, final_legs=2),
    plans.double_knock_out("D", "hoops21"),
    plans.double_knock_out("E", "hoops21", reset=False),
]
FORMATS = [
    *BRACKETS,
    plans.round_robin("R", "hoops21"),
    plans.footclub_league("L"),
    plans.swiss("S", "hoops21", 3),
    plans.groups_then_knock_out("G", "footclub", 2, 2),
]


def name(plan: Plan) -> str:
    return plan.name


@pytest.mark.parametrize("plan", BRACKETS, ids=name)
@pytest.mark.parametrize("order", list(permutations(("e1", "e2", "e3"))), ids="".join)
def test_the_last_one_in_a_bracket_wins_it_and_when_he_leaves_too_nobody_does(
    plan: Plan, order: tuple[str, ...]
) -> None:
    state = with_facts(started(plan, 3), fa.Withdraw(order[0]), fa.Withdraw(order[1]))
    assert progress_of(state).over
    assert progress_of(state).champion == order[2]
    assert progress_of(state).notice is None
    state = with_facts(state, fa.Withdraw(order[2]))
    assert progress_of(state).over
    assert progress_of(state).champion is None
    assert progress_of(state).notice is not None


@pytest.mark.parametrize("plan", BRACKETS, ids=name)
def test_a_walkover_stands_when_its_winner_leaves_as_well(plan: Plan) -> None:
    state = with_facts(started(plan, 5), fa.Withdraw("e4"))
    tie = progress_of(state).ties["s1-w1-2"].node.id
    assert progress_of(state).ties[tie].winner == "e5"
    before = progress_of(state).ties[tie]
    state = with_facts(state, fa.Withdraw("e5"))
    assert progress_of(state).ties[tie] == before
    assert progress_of(state).ties["s1-w2-1"].winner == "e1"
    back = with_facts(state, fa.Readmit("e4"))
    assert progress_of(back).ties[tie].winner == "e4", "who comes back meets one who is gone"
    assert progress_of(with_facts(back, fa.Readmit("e5"))).ties[tie].matches[0].status == "ready"


def test_two_who_left_and_come_to_meet_both_lose() -> None:
    state = with_facts(started(plans.knock_out("K", "hoops21", third_place=False), 8))
    first, second = (match for match in ready(state) if match.tie in ("s1-w1-1", "s1-w1-2"))
    state = with_facts(state, result(first, (1, 0)))
    state = with_facts(state, fa.Withdraw(str(first.home)), result(second, (1, 0)))
    semi = progress_of(state).matches["s1-w2-1"]
    assert (semi.seats, semi.winner) == ((first.home, second.home), "away"), "settled as soon as both are known"
    early = with_facts(started(plans.knock_out("K", "hoops21", third_place=False), 8), result(first, (1, 0)))
    early = with_facts(early, fa.Withdraw(str(first.home)), fa.Withdraw(str(second.away)))
    corrected = with_facts(early, fa.Withdraw(str(second.home)))
    assert progress_of(corrected).ties["s1-w1-2"].winner == second.home
    assert progress_of(corrected).matches["s1-w2-1"].winner == "away"


def test_both_gone_before_they_are_drawn_together_send_nobody_on() -> None:
    state = started(plans.knock_out("K", "hoops21", third_place=False), 4)
    one, two = ready(state)
    state = with_facts(state, result(one, (1, 0)), result(two, (1, 0)))
    moved = with_facts(state, fa.Withdraw(str(one.away)), fa.Withdraw(str(two.away)))
    for match in (one, two):
        moved = with_facts(moved, fa.Correct(match.id, str(match.home), str(match.away), (0, 1)))
    final = progress_of(moved).matches["s1-final"]
    assert (final.seats, final.status, final.winner, final.by) == (
        (one.away, two.away),
        "walkover",
        None,
        "double_forfeit",
    )
    assert progress_of(moved).ties["s1-final"].winner == NOBODY
    assert progress_of(moved).champion is None


def test_who_left_does_not_go_on_when_the_other_place_turns_out_to_be_empty() -> None:
    state = started(plans.knock_out("K", "hoops21", third_place=False), 4)
    one, two = ready(state)
    state = with_facts(state, result(one, (1, 0)), fa.Withdraw(str(one.home)), fa.DoubleForfeit(two.id))
    assert progress_of(state).ties["s1-final"].winner == NOBODY
    assert progress_of(state).over
    assert progress_of(state).champion is None
    assert progress_of(with_facts(state, fa.Readmit(str(one.home)))).champion == one.home


@pytest.mark.parametrize("plan", FORMATS, ids=name)
def test_what_was_played_stands_when_the_winner_leaves(plan: Plan) -> None:
    state = play_all(started(plan, 6), better_seed)
    assert progress_of(state).champion == "e1"
    for entry in ("e1", "e2", "e3", "e4", "e5", "e6"):
        state = with_facts(state, fa.Withdraw(entry))
        assert progress_of(state).over
        assert progress_of(state).champion == "e1"
        assert progress_of(state).questions == ()


@pytest.mark.parametrize("plan", FORMATS, ids=name)
def test_where_everybody_leaves_the_tournament_is_over_and_says_so(plan: Plan) -> None:
    state = started(plan, 4)
    for entry in tuple(state.entries):
        assert progress_of(state).notice is None
        state = with_facts(state, fa.Withdraw(entry))
    standing = progress_of(state)
    assert standing.over
    assert standing.champion is None
    assert standing.notice is not None
    assert [rows for stage in standing.stages for rows in stage.tables.values() if rows] == []
    for code in LANGUAGES:
        assert Language(code).text(standing.notice) != standing.notice.id
    for propose in (propose_draw, propose_seed):
        with pytest.raises(Refusal):
            propose(state)


def test_a_swiss_of_one_is_over_until_somebody_joins() -> None:
    state = started(plans.swiss("S", "hoops21", 3), 2)
    state = with_facts(state, fa.Withdraw("e1"))
    assert (progress_of(state).over, progress_of(state).champion) == (True, "e2")
    assert [row.entry for row in progress_of(state).stages[0].tables["A"]] == ["e2"]
    state = with_facts(state, fa.Enter("e3", "E3"))
    assert (progress_of(state).over, progress_of(state).champion) == (False, None)
    assert propose_draw(state).pairs == (("e2", "e3"),)


def test_a_swiss_that_all_left_keeps_what_was_played_without_a_champion() -> None:
    state = started(plans.swiss("S", "hoops21", 3), 4)
    state = with_facts(state, propose_draw(state))
    state = with_facts(state, *(result(match, (1, 0)) for match in ready(state)))
    rows = progress_of(state).stages[0].tables["A"]
    state = with_facts(state, *(fa.Withdraw(entry) for entry in tuple(state.entries)))
    assert progress_of(state).stages[0].tables["A"] == rows
    assert (progress_of(state).over, progress_of(state).champion) == (True, None)
    assert refused(state, fa.Draw(2, (("e1", "e2"),), by_hand=True)) == "too_few_entries"


def test_who_left_a_round_robin_early_is_not_in_its_table() -> None:
    state = with_facts(started(plans.round_robin("R", "hoops21"), 4), fa.Withdraw("e2"))
    assert [row.entry for row in progress_of(state).stages[0].tables["A"]] == ["e1", "e3", "e4"]


def test_a_place_in_a_bracket_is_filled_until_it_is_begun_and_then_lost_by_leaving() -> None:
    state = started(plans.groups_then_knock_out("G", "footclub", 2, 2, third_place=False), 6)
    state = with_facts(state, *(result(match, better_seed(match)) for match in ready(state)))
    state = with_facts(state, propose_seed(state), fa.Withdraw("e1"))
    semis = [match for match in ready(state) if match.stage == 2]
    assert sorted(str(seat) for match in semis for seat in match.seats) == ["e2", "e3", "e4", "e5"]
    state = with_facts(state, result(semis[0], (1, 0)))
    assert progress_of(state).questions == (), "the one who was put in is the one who qualified"
    assert [match.seats for match in progress_of(state).matches.values() if match.id == semis[0].id] == [semis[0].seats]
    state = with_facts(state, fa.Withdraw(str(semis[1].home)))
    assert progress_of(state).questions == ()
    assert progress_of(state).ties[semis[1].tie].winner == semis[1].away
    assert refused(state, fa.Readmit("e1")) == "played_on"


def faults(plan: Plan, entries: int, random: Random) -> list[str]:
    """Play at random with withdrawals, also after the end, and return the violated conditions."""
    state, champion, gone_before, found = started(plan, entries), None, frozenset[str](), list[str]()
    for _ in range(12 * entries):
        state = step(state, random)
        standing = progress_of(state)
        now = standing.champion
        if champion is not None and now not in (None, champion) and now in gone_before:
            found.append(f"{now} had left before {champion} was champion")
        if champion is None and now is not None:
            gone_before = frozenset(state.withdrawn)
            final = [tie for tie in standing.stages[-1].ties if tie.winner and tie.node.kind in ("final", "reset")]
            if now in gone_before and final and final[-1].matches[-1].status == "walkover":
                found.append(f"{now} is champion by a walkover after leaving")
        champion = now or champion
        both = [tie for tie in standing.ties.values() if tie.matches[-1].by == "double_forfeit"]
        found += [f"{tie.winner} goes on from {tie.node.id}" for tie in both if tie.winner not in (None, NOBODY)]
        if standing.over and set(state.withdrawn) == set(state.entries):
            return found + (["nothing is said"] if (now is None) != (standing.notice is not None) else [])
    return found


def step(state: TournamentState, random: Random) -> TournamentState:
    """Apply one possible step: a result, a withdrawal with its walkover, the next round, an answer."""
    standing = progress_of(state)
    staying = [entry for entry in state.entries if entry not in state.withdrawn]
    open_now = ready(state)
    if staying and (standing.over or random.random() < 0.25):
        return with_facts(state, fa.Withdraw(random.choice(staying)))
    if standing.questions:
        asked = random.choice(standing.questions)
        choice = random.choice(asked.choices)
        return with_facts(state, fa.Rule(asked.id, choice, asked.entries if choice in RANKING_CHOICES else ()))
    if open_now:
        match = random.choice(open_now)
        return with_facts(state, result(match, chance(random, draws=match.kind in ("group", "swiss"))(match)))
    return state if standing.over else with_facts(state, next_round(state))


@given(st.sampled_from(FORMATS), st.integers(4, 9), st.integers(0, 2**32))
@example(plans.groups_then_knock_out("G", "footclub", 2, 2), 5, 24092630)  # lots decide who is level at the cut
@settings(max_examples=60, deadline=None)
def test_no_champion_is_ever_followed_by_one_who_had_left_before(plan: Plan, entries: int, seed: int) -> None:
    assert faults(plan, entries, Random(seed)) == []


@pytest.mark.slow
@given(st.sampled_from(FORMATS), st.integers(4, 17), st.integers(0, 2**32))
@settings(max_examples=500, deadline=None)
def test_no_champion_in_thousands_is_followed_by_one_who_had_left(plan: Plan, entries: int, seed: int) -> None:
    assert faults(plan, entries, Random(seed)) == []
