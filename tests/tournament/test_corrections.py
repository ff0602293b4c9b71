"""Corrected results: the standings and the bracket follow; where later matches were played, the organiser is asked."""

from __future__ import annotations

from companion.tournament import facts as fa
from companion.tournament.facts import TournamentState
from companion.tournament.progress import progress_of
from companion.tournament.rules import propose_draw, propose_seed
from tests.tournament import plans
from tests.tournament.playing import home_wins, ready, refused, result, started, with_facts


def correct(state: TournamentState, match: str, score: tuple[int, int]) -> fa.Correct:
    sat = progress_of(state).matches[match]
    return fa.Correct(match, str(sat.home), str(sat.away), score, why="relu")


def semi_finals() -> TournamentState:
    """Return both semi-finals of four played: e1 beat e4, e2 beat e3."""
    state = started(plans.knock_out("K", "footclub"), 4)
    return with_facts(state, *(result(match, (1, 0)) for match in ready(state)))


def final_played() -> TournamentState:
    state = semi_finals()
    return with_facts(state, fa.Result("s1-final", "e1", "e2", (2, 0)))


def test_a_correction_moves_the_table() -> None:
    state = started(plans.round_robin("R", "footclub"), 4)
    state = with_facts(state, *(result(match, home_wins(match)) for match in ready(state)))
    before = progress_of(state).stages[0].tables["A"]
    first = next(iter(progress_of(state).matches))
    after = progress_of(with_facts(state, correct(state, first, (0, 5)))).stages[0].tables["A"]
    assert before != after
    assert {row.entry: row.points for row in after}["e4"] == {row.entry: row.points for row in before}["e4"] + 3
    assert state.reports[first][0].score == (2, 1)


def test_a_bracket_that_nobody_played_follows_by_itself() -> None:
    state = semi_finals()
    state = with_facts(state, correct(state, "s1-w1-1", (0, 1)))
    ties = progress_of(state).ties
    assert (ties["s1-final"].home, ties["s1-third"].home) == ("e4", "e1")
    assert progress_of(state).questions == ()


def test_a_bracket_that_was_played_asks_and_keeps() -> None:
    state = final_played()
    state = with_facts(state, correct(state, "s1-w1-1", (0, 1)))
    standing = progress_of(state)
    assert [(asked.kind, asked.subject, asked.choices) for asked in standing.questions] == [
        ("corrected", "s1-w1-1", ("keep", "replay"))
    ]
    assert standing.matches["s1-w1-1"].score == (0, 1)
    assert standing.matches["s1-final"].status == "done"
    assert standing.champion is None
    kept = with_facts(state, fa.Rule(standing.questions[0].id, "keep"))
    kept = with_facts(kept, fa.Result("s1-third", "e4", "e3", (1, 0)))
    assert progress_of(kept).champion == "e1"


def test_a_bracket_that_was_played_asks_and_is_played_again() -> None:
    state = final_played()
    state = with_facts(state, correct(state, "s1-w1-1", (0, 1)))
    state = with_facts(state, fa.Rule(progress_of(state).questions[0].id, "replay"))
    final = progress_of(state).matches["s1-final"]
    assert (final.seats, final.status) == (("e4", "e2"), "ready")
    state = with_facts(state, fa.Result("s1-final", "e4", "e2", (3, 0)), fa.Result("s1-third", "e1", "e3", (1, 0)))
    assert progress_of(state).champion == "e4"
    back = with_facts(state, correct(state, "s1-w1-1", (2, 1)))
    assert [asked.kind for asked in progress_of(back).questions] == ["corrected"]


def test_a_correction_to_a_draw_asks_who_goes_on_and_leaves_the_rest() -> None:
    state = final_played()
    state = with_facts(state, correct(state, "s1-w1-1", (1, 1)))
    standing = progress_of(state)
    assert [asked.kind for asked in standing.questions] == ["drawn"]
    assert standing.matches["s1-final"].status == "done"
    home = with_facts(state, fa.Rule(standing.questions[0].id, "home"))
    assert progress_of(home).questions == ()
    away_goes_on = with_facts(state, fa.Rule(standing.questions[0].id, "away"))
    assert [asked.kind for asked in progress_of(away_goes_on).questions] == ["corrected"]


def test_a_correction_among_losers_and_winners_of_a_double_knock_out_asks_once() -> None:
    state = started(plans.double_knock_out("D", "hoops21"), 4)
    state = with_facts(state, *(result(match, (1, 0)) for match in ready(state)))
    state = with_facts(state, *(result(match, (1, 0)) for match in ready(state)))
    state = with_facts(state, correct(state, "s1-w1-1", (0, 1)))
    asked = progress_of(state).questions
    assert [question.kind for question in asked] == ["corrected"]
    state = with_facts(state, fa.Rule(asked[0].id, "replay"))
    ties = progress_of(state).ties
    assert (ties["s1-w2-1"].home, ties["s1-l1-1"].home) == ("e4", "e1")
    assert {ties[id].matches[0].status for id in ("s1-w2-1", "s1-l1-1")} == {"ready"}


def groups_played() -> TournamentState:
    state = started(plans.groups_then_knock_out("G", "footclub", 2, 1), 4)
    state = with_facts(state, *(result(match, (1, 0)) for match in ready(state)))
    return with_facts(state, propose_seed(state))


def test_a_corrected_group_changes_who_qualified_until_the_bracket_is_played() -> None:
    state = groups_played()
    group = next(match for match in progress_of(state).matches.values() if match.group == "A")
    final = progress_of(state).ties["s2-final"]
    assert final.home == group.home
    moved = with_facts(state, correct(state, group.id, (0, 1)))
    assert progress_of(moved).ties["s2-final"].home == group.away
    assert progress_of(moved).questions == ()
    played = with_facts(state, fa.Result("s2-final", str(final.home), str(final.away), (1, 0)))
    played = with_facts(played, correct(played, group.id, (0, 1)))
    assert [asked.kind for asked in progress_of(played).questions] == ["qualified"]
    asked = progress_of(played).questions[0].id
    assert progress_of(with_facts(played, fa.Rule(asked, "keep"))).champion == group.home
    again = progress_of(with_facts(played, fa.Rule(asked, "replay"))).matches["s2-final"]
    assert (again.home, again.status) == (group.away, "ready")


def test_a_swiss_round_drawn_on_other_results_may_be_drawn_anew_until_it_is_begun() -> None:
    state = started(plans.swiss("S", "hoops21", 3), 8)
    state = with_facts(state, propose_draw(state))
    state = with_facts(state, *(result(match, (1, 0)) for match in ready(state)))
    state = with_facts(state, propose_draw(state))
    assert refused(state, fa.Annul("s1-r1-1")) == "played_on"
    changed = with_facts(state, correct(state, "s1-r1-1", (0, 1)))
    asked = progress_of(changed).questions[0]
    assert (asked.kind, asked.choices) == ("redraw", ("keep", "redraw"))
    assert progress_of(with_facts(changed, fa.Rule(asked.id, "keep"))).questions == ()
    anew = with_facts(changed, fa.Rule(asked.id, "redraw"))
    assert len(anew.draws) == 1
    assert propose_draw(anew) != state.draws[-1].draw
    begun = with_facts(state, fa.Call("s1-r2-1", 1, 0))
    assert progress_of(with_facts(begun, correct(begun, "s1-r1-1", (0, 1)))).questions == ()


def test_a_result_may_be_taken_away_until_something_was_played_on_it() -> None:
    state = semi_finals()
    assert progress_of(with_facts(state, fa.Annul("s1-w1-1"))).matches["s1-w1-1"].status == "ready"
    assert refused(final_played(), fa.Annul("s1-w1-1")) == "played_on"
    assert refused(state, fa.Annul("s1-final")) == "no_result"
    assert refused(state, fa.Result("s1-w1-1", "e1", "e4", (1, 0))) == "over_already"
    assert refused(state, fa.Correct("s1-w1-1", "e1", "e2", (1, 0))) == "other_sides"
    assert refused(state, fa.Correct("s1-final", "e1", "e2", (1, 0))) == "no_result"
