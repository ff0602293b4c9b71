"""What was decided and has not begun can be taken back: a draw, two of its places, the seeds, the start."""

from __future__ import annotations

from companion.tournament import facts as fa
from companion.tournament.facts import TournamentState
from companion.tournament.progress import progress_of
from companion.tournament.rules import propose_draw, propose_seed
from tests.tournament import plans
from tests.tournament.playing import play_all, ready, refused, result, started, with_facts


def drawn(entries: int = 5) -> TournamentState:
    state = started(plans.swiss("S", "hoops21", 3), entries)
    return with_facts(state, propose_draw(state))


def test_a_draw_is_taken_back_while_none_of_its_matches_has_begun() -> None:
    before = started(plans.swiss("S", "hoops21", 3), 5)
    assert refused(before, fa.Undraw(1)) == "nothing_drawn"
    state = drawn()
    assert refused(state, fa.Undraw(2)) == "not_the_newest"
    back = with_facts(state, fa.Undraw(1, "Chloé is late"))
    assert progress_of(back).stages[0].ties == ()
    assert propose_draw(back) == propose_draw(before)
    first = ready(state)[0]
    called = with_facts(state, fa.Call(first.id, 1, 0))
    assert refused(called, fa.Undraw(1)) == "is_called"
    assert with_facts(called, fa.Uncall(first.id), fa.Undraw(1)).draws == ()
    assert refused(with_facts(state, result(first, (1, 0))), fa.Undraw(1)) == "has_result"


def test_an_absent_entry_is_withdrawn_after_the_draw_and_the_round_drawn_anew() -> None:
    state = with_facts(drawn(6), fa.Withdraw("e2"), fa.Undraw(1), fa.Enter("e7", "E7"))
    state = with_facts(state, propose_draw(state))
    assert {id for pair in state.draws[0].draw.pairs for id in pair} == {"e1", "e3", "e4", "e5", "e6", "e7"}
    assert play_all(state, lambda match: (1, 0)).draws


def test_two_entries_change_places_and_the_draw_is_by_hand() -> None:
    state = drawn(6)
    (a, b), (c, d), rest = state.draws[0].draw.pairs
    swapped = with_facts(state, fa.Swap(1, b, c, "same club")).draws[0].draw
    assert (swapped.pairs, swapped.by_hand) == (((a, c), (b, d), rest), True)
    assert with_facts(state, fa.Swap(1, a, b)).draws[0].draw.pairs[0] == (b, a)
    assert refused(state, fa.Swap(1, a, a)) == "not_in_round"
    assert refused(state, fa.Swap(1, a, "nobody")) == "not_in_round"
    called = with_facts(state, fa.Call("s1-r1-1", 1, 0))
    assert refused(called, fa.Swap(1, a, c)) == "is_called"
    assert with_facts(called, fa.Swap(1, c, d)).draws[0].draw.pairs[1] == (d, c), "the others have not begun"


def test_a_swap_gives_nobody_a_second_bye() -> None:
    state = drawn(5)
    first = state.draws[0].draw
    swapped = with_facts(state, fa.Swap(1, str(first.bye), first.pairs[0][0]))
    assert swapped.draws[0].draw.bye == first.pairs[0][0]
    state = with_facts(state, *(result(match, (1, 0)) for match in ready(state)))
    state = with_facts(state, propose_draw(state))
    second = state.draws[1].draw
    assert refused(state, fa.Swap(2, str(second.bye), str(first.bye))) == "second_bye"


def test_the_start_is_taken_back_while_nothing_has_come_of_it() -> None:
    plan = plans.round_robin("R", "hoops21")
    state = with_facts(started(plan, 4), fa.Withdraw("e4"))
    back = with_facts(state, fa.Unstart("too early"))
    assert (back.started, list(back.entries), back.withdrawn) == (False, ["e1", "e2", "e3"], ())
    again = with_facts(back, fa.Enter("e5", "E5"), fa.Start())
    assert len(progress_of(again).matches) == 6
    assert refused(back, fa.Unstart()) == "not_started"
    assert refused(with_facts(state, fa.Call(ready(state)[0].id, 1, 0)), fa.Unstart()) == "is_called"
    assert refused(drawn(), fa.Unstart()) == "round_drawn"
    assert with_facts(drawn(), fa.Undraw(1), fa.Unstart()).started is False


def test_the_seeds_are_taken_back_while_no_match_of_the_bracket_has_begun() -> None:
    state = started(plans.groups_then_knock_out("G", "hoops21", 2, 2), 8)
    state = with_facts(state, *(result(match, (2, 1)) for match in ready(state)))
    while progress_of(state).questions:
        asked = progress_of(state).questions[0]
        state = with_facts(state, fa.Rule(asked.id, "lot", asked.entries))
    assert refused(state, fa.Unseed(2)) == "no_such_stage"
    seeded = with_facts(state, propose_seed(state))
    assert with_facts(seeded, fa.Unseed(2)).seeded == {}
    assert refused(with_facts(seeded, result(ready(seeded)[0], (1, 0))), fa.Unseed(2)) == "has_result"


def test_an_id_is_given_once() -> None:
    state = started(plans.swiss("S", "hoops21", 3), 3)
    before = with_facts(state, fa.Unstart(), fa.Withdraw("e3", "entered twice"))
    assert "e3" not in before.entries
    assert refused(before, fa.Enter("e3", "Chloé")) == "id_given_before"
    assert with_facts(before, fa.Enter("e4", "Chloé")).entered == ("e1", "e2", "e3", "e4")
