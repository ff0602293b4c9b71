"""What the standings say about themselves: byes apart, the tie-breaks in use, why one is before the other."""

from __future__ import annotations

from companion.games.spec import Points
from companion.tournament import facts as fa
from companion.tournament import planning
from companion.tournament.progress import progress_of
from companion.tournament.standings import (
    CountedMatch,
    PointsLedger,
    Separation,
    SwissRounds,
    direct_encounter,
    separation,
    standings,
    tie_breaks_used,
    value_of,
)
from companion.tournament.values import BYE, NOBODY, Side
from tests.tournament import plans
from tests.tournament.playing import ready, result, started, with_facts

POINTS = Points(win=2, bye=2)


def played(home: str, away: str, winner: Side | None = "home", round: int = 1) -> CountedMatch:
    return CountedMatch(home, away, (1, 0) if winner == "home" else (0, int(winner == "away")), winner, round=round)


def test_a_bye_gives_its_points_and_is_no_match() -> None:
    games = [played("a", "b"), CountedMatch("c", NOBODY, (0, 0), "home", BYE, 1)]
    rows = {row.entry: row for row in standings(("a", "b", "c"), games, POINTS, ("points",))}
    assert (rows["c"].points, rows["c"].byes) == (2, 1)
    for row in rows.values():
        assert row.played == row.won + row.drawn + row.lost
    assert (rows["c"].played, rows["a"].played) == (0, 1)


def test_the_columns_end_with_the_tie_break_that_was_needed_last() -> None:
    games = [played("a", "b"), played("c", "d"), played("a", "c", round=2), played("b", "d", round=2)]
    rows = standings(("a", "b", "c", "d"), games, POINTS, planning.SWISS_CHAIN, SwissRounds(2, {}, 2024))
    assert [row.points for row in rows] == [4, 2, 2, 0]
    b, c = rows[1], rows[2]
    assert {b.entry, c.entry} == {"b", "c"}
    why = separation(b, c)
    assert why is None or why.criterion == "difference"
    assert tie_breaks_used(rows)[0] == "buchholz_cut1"
    apart = standings(("a", "b"), [played("a", "b")], POINTS, planning.SWISS_CHAIN, SwissRounds(1, {}, 2024))
    assert separation(*apart) == Separation("points", 2, 0)
    assert tie_breaks_used(apart) == ("buchholz_cut1",)
    assert tie_breaks_used(()) == ()


def test_direct_matches_have_a_value_only_among_those_who_are_level() -> None:
    games = [played("a", "b"), played("b", "c"), played("a", "c", None)]
    rows = standings(("a", "b", "c"), games, POINTS, ("points", "direct_points"))
    assert [(row.entry, row.points, value_of(rows, row, "direct_points")) for row in rows] == [
        ("a", 3, None),
        ("b", 2, None),
        ("c", 1, None),
    ]
    level = standings(("a", "b", "c", "d"), [*games, played("c", "d")], POINTS, ("points", "direct_points"))
    values = {row.entry: value_of(level, row, "direct_points") for row in level}
    assert values == {"a": 1, "c": 1, "b": None, "d": None}


def test_the_direct_encounter_waits_for_matches_that_were_not_played() -> None:
    """Handbook C.07, article 6: a has beaten b and c; b and c have not met, so nothing parts them."""
    games = [played("a", "b"), played("a", "c", round=2)]
    ledger = PointsLedger(
        {id: tuple(each for each in games if id in (each.home, each.away)) for id in "abc"}, POINTS, SwissRounds()
    )
    assert direct_encounter(ledger, "abc") == {"a": 2, "b": 0, "c": 0}
    less = PointsLedger({"a": (games[0],), "b": (games[0],), "c": ()}, POINTS, SwissRounds())
    assert direct_encounter(less, "abc") == {"a": 0, "b": 0, "c": 0}, "c could still be ahead of a"


def test_a_plan_of_before_keeps_its_standings() -> None:
    """Its stages have no year of the handbook: an opponent who left counts with the points that it had."""
    plan = plans.swiss("S", "hoops21", 3)
    fields = planning.to_json(plan)
    stage = dict(fields["stages"][0])
    assert stage.pop("handbook") == 2024
    old = planning.parse({**fields, "stages": [stage]})
    assert old.stages[0].handbook == 0
    values = {}
    for each in (plan, old):
        state = started(each, 4)
        state = with_facts(state, fa.Draw(1, (("e1", "e2"), ("e3", "e4")), by_hand=True))
        state = with_facts(state, *(result(match, (1, 0)) for match in ready(state)), fa.Withdraw("e2"))
        state = with_facts(state, fa.Draw(2, (("e1", "e3"),), "e4", by_hand=True))
        state = with_facts(state, *(result(match, (1, 0)) for match in ready(state)))
        rows = {row.entry: dict(row.values) for row in progress_of(state).stages[0].tables["A"]}
        values[each.stages[0].handbook] = rows["e1"]["buchholz"]
    assert values == {2024: 3, 0: 2}, "e2 left after a defeat: its missed round is a draw for e1, by the handbook"
