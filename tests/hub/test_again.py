"""A match that has to be played again: another game, which the table, the hub and the organiser tell from the first."""

from __future__ import annotations

from companion.hub.core import Core
from companion.tournament import facts as fa
from companion.tournament.headers import mark_of
from tests.hub.desk_kit import GAME, Evening, evening, ledger_of, score_of, view_of
from tests.tournament import plans


def first_match(cup: Evening) -> str:
    return next(id for id, match in cup.core.tournaments.course(cup.id).matches.items() if match.status == "ready")


def drawn(cup: Evening, table: str) -> int:
    """A seed with which the match that a table is called to has no winner."""
    return next(seed for seed in range(400) if view_of(cup.played(table, seed=seed))["winner"] is None)


def results(cup: Evening) -> int:
    return sum(isinstance(each.fact, fa.Result) for each in cup.core.tournaments.trace(cup.id))


def again(cup: Evening, table: str) -> int:
    assignment = cup.core.tournaments.assignment(table)
    assert assignment is not None
    mark = mark_of({"tournament": assignment.mark})
    assert mark is not None
    return mark.again


def knock_out(core: Core) -> tuple[Evening, str]:
    """A final that ended in a draw and that the organiser has played again."""
    cup = evening(core, plans.knock_out("Cup", GAME.id, third_place=False), entries=2)
    match = first_match(cup)
    cup.call(match, 1)
    assert again(cup, "t1") == 0
    cup.send(cup.played("t1", seed=drawn(cup, "t1")))
    (question,) = cup.core.tournaments.course(cup.id).questions
    assert question.kind == "drawn"
    cup.decide(fa.Rule(question.id, "replay"))
    cup.call(match, 1)
    return cup, match


def test_a_match_to_be_played_again_is_another_game(core: Core) -> None:
    cup, match = knock_out(core)
    assert again(cup, "t1") == 1
    seed = next(seed for seed in range(99) if view_of(cup.played("t1", seed=seed))["winner"] is not None)
    second = cup.played("t1", seed=seed)
    cup.send(second)
    assert (cup.status(match), cup.score(match)) == ("done", score_of(second))
    assert cup.core.tournaments.course(cup.id).questions == ()


def test_a_second_draw_counts_as_well_though_it_says_the_same(core: Core) -> None:
    cup, match = knock_out(core)
    second = cup.played("t1", seed=drawn(cup, "t1"))
    cup.send(second)
    assert results(cup) == 2
    assert cup.status(match) == "done"
    assert [question.kind for question in cup.core.tournaments.course(cup.id).questions] == ["drawn"]


def test_an_earlier_game_that_comes_late_does_not_count_for_the_later_one(core: Core) -> None:
    cup = evening(core)
    match = first_match(cup)
    cup.call(match, 1)
    late, first = cup.played("t1", seed=2), cup.played("t1", seed=1)
    cup.send(first)
    cup.decide(fa.Annul(match), "the wrong cards were dealt")
    cup.call(match, 1)
    cup.send(late)
    assert cup.notices() == ["result_differs"]
    assert cup.status(match) == "called"
    second = cup.played("t1", seed=3)
    assert ledger_of(second).header["tournament"]["again"] == 1
    cup.send(second)
    assert (cup.status(match), cup.score(match)) == ("done", score_of(second))
    assert results(cup) == 2


def test_a_result_by_hand_that_is_taken_back_asks_for_no_other_game(core: Core) -> None:
    cup = evening(core)
    match = first_match(cup)
    cup.call(match, 1)
    card = cup.played("t1", seed=1)
    seated = cup.core.tournaments.course(cup.id).matches[match]
    cup.decide(fa.Result(match, seated.home or "", seated.away or "", (9, 0), "home"))
    cup.decide(fa.Annul(match), "typed at the wrong match")
    cup.call(match, 1)
    assert again(cup, "t1") == 0
    cup.send(card)
    assert (cup.status(match), cup.score(match)) == ("done", score_of(card))
