"""The tournament report file: what a reader finds in the columns of FIDE's handbook (C.04 annex 2)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from random import Random

import pytest

from companion.tournament import facts as fa
from companion.tournament.facts import TournamentState, initial_state
from companion.tournament.progress import progress_of
from companion.tournament.report_file import report_file
from companion.tournament.values import Plan
from tests.tournament import plans
from tests.tournament.playing import better_seed, chance, play_all, ready, started, with_facts


@dataclass(frozen=True)
class Player:
    """A line 001 of a report file."""

    name: str
    points: float
    rank: int
    rounds: tuple[tuple[int, str, str], ...]


def read(text: str) -> tuple[dict[str, str], dict[int, Player]]:
    """Return the lines about the tournament and the players by number; columns count from 1 in the handbook."""
    head, players = {}, {}
    for line in text.removesuffix("\r\n").split("\r\n"):
        if not line.startswith("001 "):
            head[line[:3]] = line[4:]
            continue
        assert line[8:14] == " " * 6
        assert line[47:80] == " " * 33
        assert line[84] == " "
        rounds = []
        for at in range(91, len(line), 10):
            assert line[at - 2 : at] == "  "
            assert line[at + 4] == line[at + 6] == " "
            rounds.append((int(line[at : at + 4]), line[at + 5], line[at + 7]))
        points, rank = float(line[80:84]), int(line[85:89])
        players[int(line[4:8])] = Player(line[14:47].rstrip(), points, rank, tuple(rounds))
    return head, players


def report(state: TournamentState) -> str:
    """Return the report file of a tournament that has one."""
    text = report_file(state, progress_of(state))
    assert text is not None
    return text


@pytest.mark.parametrize("plan", [plans.swiss("S", "hoops21", 5), plans.round_robin("R", "footclub", legs=2)])
def test_points_ranks_and_opponents_are_read_back(plan: Plan) -> None:
    state = play_all(started(plan, 7), chance(Random(4), draws=True))
    _, players = read(report(state))
    stage = progress_of(state).stages[0]
    points = stage.plan.points
    value = {"1": points.win, "=": points.draw, "0": points.loss, "U": points.bye, "Z": 0}
    rows = {row.entry: row for row in stage.tables["A"]}
    assert len(players) == len(rows) == 7
    for number, player in players.items():
        row = rows[f"e{number}"]
        assert (player.name, player.points, player.rank) == (f"E{number}", row.points, row.rank)
        assert sum(value[sign] for _, _, sign in player.rounds) == row.points
        for round, (other, side, sign) in enumerate(player.rounds):
            if other:
                opposite = {"1": "0", "0": "1", "=": "="}[sign]
                assert players[other].rounds[round] == (number, "b" if side == "w" else "w", opposite)
            else:
                assert side == "-"


def test_rounds_without_play_have_their_signs() -> None:
    state = started(plans.swiss("S", "hoops21", 2), 5)
    state = with_facts(state, fa.Draw(1, (("e1", "e2"), ("e3", "e4")), "e5", by_hand=True))
    first, second = ready(state)
    state = with_facts(state, fa.Forfeit(first.id, "away"), fa.DoubleForfeit(second.id), fa.Withdraw("e2"))
    _, players = read(report(state))
    assert [players[number].rounds[0] for number in range(1, 6)] == [
        *((2, "w", "+"), (1, "b", "-"), (4, "w", "-"), (3, "b", "-"), (0, "-", "U"))
    ]
    state = with_facts(state, fa.Draw(2, (("e5", "e1"), ("e3", "e4")), None, by_hand=True))
    _, players = read(report(state))
    assert players[2].rounds[1] == (0, "-", "Z")
    assert players[1].rounds[1] == (5, "b", " ")


def test_the_tournament_is_described() -> None:
    plan = replace(plans.swiss("Coupe d’été", "hoops21", 3), date="2026-06-01", place="Valcendre")
    names = [fa.Enter("e1", "Zoé\N{COMBINING ACUTE ACCENT}  " + "M" * 60), fa.Enter("e2", "Ben", seed=1)]
    state = with_facts(initial_state(plan), *names, fa.Start())
    head, players = read(report(state))
    assert head["012"] == "Coupe d’été"
    assert (head["022"], head["042"], head["052"]) == ("Valcendre", "2026/06/01", "2026/06/01")
    assert (head["062"], head["XXR"]) == ("2", "3")
    assert players[1].name == "Ben"
    assert len(players[2].name) == 33


def test_the_dates_are_those_of_the_first_and_the_last_result() -> None:
    plan = replace(plans.round_robin("Ligue", "hoops21"), date="2026-06-01")
    state = started(plan, 4)
    days = [date(2026, 6, 12), date(2026, 6, 2), date(2026, 6, 5)]
    text = report_file(state, progress_of(state), days)
    assert text is not None
    head, _ = read(text)
    assert (head["042"], head["052"]) == ("2026/06/02", "2026/06/12")


def test_a_final_after_the_league_is_not_in_the_file() -> None:
    """Its points and its opponents are those of the rounds that everyone plays; so the ranking stays that of these."""
    league = play_all(started(plans.round_robin("L", "hoops21"), 4), better_seed)
    with_final = play_all(started(plans.groups_then_knock_out("L", "hoops21", 1, 2), 4), better_seed)
    assert read(report(with_final))[1] == read(report(league))[1]


def test_other_formats_have_no_report() -> None:
    for plan in (plans.knock_out("K", "hoops21"), plans.groups_then_knock_out("G", "hoops21", 2, 1)):
        state = play_all(started(plan, 6), better_seed)
        assert report_file(state, progress_of(state)) is None
    assert report_file(initial_state(plans.swiss("S", "hoops21", 2)), progress_of(initial_state(plan))) is None
