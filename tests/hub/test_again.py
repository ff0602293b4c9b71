"""Replayed matches: the table, the hub and the organiser distinguish the new game from the first one."""

from __future__ import annotations

from companion.hub.core import Core
from companion.tournament import facts as fa
from companion.tournament.headers import parse_mark
from tests.hub.desk_kit import GAME, RunningTournament, evening, ledger_of, score_of, view_of
from tests.tournament import plans


def first_match(cup: RunningTournament) -> str:
    return next(id for id, match in cup.core.tournaments.progress(cup.id).matches.items() if match.status == "ready")


def drawn(cup: RunningTournament, table: str) -> int:
    """Return a seed with which the called match of a table ends in a draw."""
    return next(seed for seed in range(400) if view_of(cup.played(table, seed=seed))["winner"] is None)


def results(cup: RunningTournament) -> int:
    return sum(isinstance(each.fact, fa.Result) for each in cup.core.tournaments.trace(cup.id))


def again(cup: RunningTournament, table: str) -> int:
    assignment = cup.core.tournaments.assignment(table)
    assert assignment is not None
    mark = parse_mark({"tournament": assignment.mark})
    assert mark is not None
    return mark.again


def knock_out(core: Core) -> tuple[RunningTournament, str]:
    """Play a final that ends in a draw and is replayed by the organiser."""
    cup = evening(core, plans.knock_out("Cup", GAME.id, third_place=False), entries=2)
    match = first_match(cup)
    cup.call(match, 1)
    assert again(cup, "t1") == 0
    cup.send(cup.played("t1", seed=drawn(cup, "t1")))
    (question,) = cup.core.tournaments.progress(cup.id).questions
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
    assert cup.core.tournaments.progress(cup.id).questions == ()


def test_a_second_draw_counts_as_well_though_it_says_the_same(core: Core) -> None:
    cup, match = knock_out(core)
    second = cup.played("t1", seed=drawn(cup, "t1"))
    cup.send(second)
    assert results(cup) == 2
    assert cup.status(match) == "done"
    assert [question.kind for question in cup.core.tournaments.progress(cup.id).questions] == ["drawn"]


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
    seated = cup.core.tournaments.progress(cup.id).matches[match]
    cup.decide(fa.Result(match, seated.home or "", seated.away or "", (9, 0), "home"))
    cup.decide(fa.Annul(match), "typed at the wrong match")
    cup.call(match, 1)
    assert again(cup, "t1") == 0
    cup.send(card)
    assert (cup.status(match), cup.score(match)) == ("done", score_of(card))
