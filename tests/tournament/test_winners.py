"""A winner that contradicts the score is refused, unless a shoot-out or the game itself decides."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.base import Fields
from companion.language import LANGUAGES, Language
from companion.tournament import facts as fa
from companion.tournament.facts import TournamentState
from companion.tournament.headers import result as result_of
from companion.tournament.progress import progress_of
from companion.tournament.rules import decide, propose_draw
from companion.tournament.values import Side
from tests.tournament import plans
from tests.tournament.playing import ready, refused, started, with_facts


def swiss() -> TournamentState:
    state = started(plans.swiss("S", "hoops21", 3), 4)
    return with_facts(state, propose_draw(state))


def entered(state: TournamentState, score: tuple[int, int], winner: Side | None, by: str = "") -> fa.Result:
    match = ready(state)[0]
    return fa.Result(match.id, str(match.home), str(match.away), score, winner, by)


@pytest.mark.parametrize(
    ("score", "winner"), [((1, 2), "home"), ((2, 1), "away"), ((2, 1), None)], ids=["behind", "ahead", "draw"]
)
def test_a_winner_against_the_score_is_refused_in_every_format(score: tuple[int, int], winner: Side | None) -> None:
    formats = (
        plans.round_robin("R", "footclub"),
        plans.knock_out("K", "footclub"),
        plans.double_knock_out("D", "nba"),
    )
    for state in (swiss(), *(started(plan, 4) for plan in formats)):
        assert refused(state, entered(state, score, winner)) == "winner_against_score"
        assert decide(state, entered(state, score, "home" if score[0] > score[1] else "away")) is None
        played = with_facts(state, replace(entered(state, score, None), winner="score"))
        first = ready(state)[0]
        correct = fa.Correct(first.id, str(first.home), str(first.away), score, winner)
        assert refused(played, correct) == "winner_against_score"


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_refusal_names_the_field_and_the_score(code: str) -> None:
    reason = decide(swiss(), entered(swiss(), (1, 2), "home"))
    assert reason is not None
    told_as = Language(code).text(reason.message)
    assert "1–2" in told_as
    assert ("Vainqueur" if code == "fr" else "Winner") in told_as


def test_a_level_match_has_a_winner_where_a_shoot_out_may_follow_it() -> None:
    cup = started(plans.knock_out("K", "footclub"), 4)
    assert decide(cup, entered(cup, (1, 1), "away")) is None
    assert decide(cup, entered(cup, (1, 1), None)) is None
    assert refused(swiss(), entered(swiss(), (1, 1), "away")) == "winner_of_level"
    assert decide(swiss(), entered(swiss(), (1, 1), None)) is None


def test_of_two_legs_the_second_alone_has_a_shoot_out_and_only_when_all_is_level() -> None:
    state = started(plans.knock_out("K", "footclub", legs=2, final_legs=2), 2)
    assert refused(state, entered(state, (1, 1), "home")) == "winner_of_level"
    state = with_facts(state, fa.Result("s1-final/1", "e1", "e2", (1, 0)))
    second = fa.Result("s1-final/2", "e2", "e1", (1, 0))
    assert progress_of(with_facts(state, replace(second, winner="away"))).champion == "e1", (
        "one to nought each, then kicks"
    )
    assert refused(state, replace(second, score=(2, 0), winner="away")) == "winner_against_score"
    assert refused(state, replace(second, score=(1, 1), winner="home")) == "winner_of_level"


@pytest.mark.parametrize("by", ["concession", "forfeit", "shootout"])
def test_a_game_that_says_how_it_ended_is_believed(by: str) -> None:
    assert decide(swiss(), entered(swiss(), (1, 2), "home", by)) is None


@pytest.mark.parametrize(
    ("game", "view", "by"),
    [
        ("hoops21", {"phase": "over", "score": {"orange": 5, "white": 15}, "winner": "orange"}, "concession"),
        ("hoops21", {"phase": "over", "score": {"orange": 21, "white": 15}, "winner": "orange"}, ""),
        ("occasion", {"phase": "over", "score": {"home": 0, "away": 0}, "winner": "away"}, "concession"),
        ("nba", {"phase": "over", "over": True, "score": {"home": 9, "away": 9}, "winner": None}, ""),
    ],
)
def test_a_match_that_was_conceded_at_the_table_counts(game: str, view: Fields, by: str) -> None:
    state = started(plans.round_robin("R", game), 4)
    found = result_of(game, view, ready(state)[0])
    assert found is not None
    assert found.by == by
    assert decide(state, found) is None
