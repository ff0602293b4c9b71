"""Chapter 17: the league table."""

from __future__ import annotations

from companion.games.footclub.league import LeagueResult, league_table


def result(text: str) -> LeagueResult:
    """Parse `A-B 2:1` with A at home."""
    clubs, goals = text.split()
    home, away = clubs.split("-")
    first, second = map(int, goals.split(":"))
    return LeagueResult(home, away, first, second)


def order(*matches: str) -> list[tuple[str, int, int]]:
    return [(row.club, row.rank, row.points) for row in league_table("ABCD", map(result, matches))]


def test_FC_17_1_three_points_for_a_win_and_one_for_a_draw() -> None:
    assert order("A-B 2:1", "C-D 0:0") == [("A", 1, 3), ("C", 2, 1), ("D", 2, 1), ("B", 4, 0)]


def test_FC_17_3_then_the_goal_difference_then_goals_scored() -> None:
    assert [club for club, _, _ in order("A-B 1:0", "C-D 3:1")] == ["C", "A", "B", "D"]
    assert [club for club, _, _ in order("A-B 1:0", "C-D 2:1")] == ["C", "A", "D", "B"]


def test_FC_17_3_then_the_matches_between_the_clubs_level() -> None:
    table = order("A-B 0:1", "A-C 2:1", "B-D 1:2", "C-D 0:0")
    assert [(club, rank, points) for club, rank, points in table] == [
        ("D", 1, 4),
        ("B", 2, 3),
        ("A", 3, 3),
        ("C", 4, 1),
    ]
    level = order("A-B 1:0", "C-A 1:0", "B-D 1:0")
    assert [(club, rank, points) for club, rank, points in level] == [
        ("C", 1, 3),
        ("A", 2, 3),
        ("B", 3, 3),
        ("D", 4, 0),
    ]


def test_FC_17_3_then_level() -> None:
    rows = league_table("ABCD", map(result, ["A-B 1:1", "B-A 1:1", "C-D 0:0", "D-C 0:0"]))
    assert [(row.club, row.rank) for row in rows] == [("A", 1), ("B", 1), ("C", 3), ("D", 3)]
    assert [(row.played, row.drawn, row.goals_for, row.difference) for row in rows] == [(2, 2, 2, 0)] * 2 + [
        (2, 2, 0, 0)
    ] * 2


def test_FC_17_3_a_forfeit_counts_three_to_nil() -> None:
    (first, *_) = league_table("AB", [LeagueResult("A", "B", 0, 3)])
    assert (first.club, first.won, first.goals_for, first.difference) == ("B", 1, 3, 3)


def test_a_league_without_matches_is_level() -> None:
    assert {row.rank for row in league_table("ABCD", [])} == {1}
