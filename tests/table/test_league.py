"""A league evening at one table: its plan and table come from the journals alone (chapter 17)."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.clock import ManualClock
from companion.games.footclub import FOOTCLUB
from companion.games.footclub.league import LeagueResult, league_table
from companion.games.footclub.squads import sample_clubs
from companion.games.registry import GAMES
from companion.journal.store import Store
from companion.table.league import LeagueEvening, LeagueMatch, new_league, read_league
from companion.table.matches import Matches

MATCHES = 12


@pytest.fixture
def matches(tmp_path: Any) -> Any:
    with Store.open(tmp_path / "matches.db", ManualClock()) as store:
        yield Matches(store, GAMES)


def header(evening: LeagueEvening, match: LeagueMatch) -> dict[str, Any]:
    decided = evening.header(match)
    return {"journal": 1, "game": "footclub", **decided, "setup": {"kop": "K01", **decided["setup"]}}


def play(matches: Matches, evening: LeagueEvening, seed: int, until: int | None = None) -> str:
    """Play the next match with random events, whole or the first `until` of them, and return its journal's id."""
    assert evening.next is not None
    made, random, events = header(evening, evening.next), Random(seed), []
    state = FOOTCLUB.initial_state(made)
    while not FOOTCLUB.finished(state) and len(events) != until:
        fields = FOOTCLUB.random_event(state, random)
        state, _ = FOOTCLUB.apply(state, FOOTCLUB.parse(fields))
        events.append(fields)
    return matches.store.create(made, events, ended=FOOTCLUB.finished(state))


def reread(matches: Matches, evening: LeagueEvening) -> LeagueEvening:
    found = read_league(matches, evening.id)
    assert found is not None
    return found


def test_FC_17_1_each_pair_meets_twice_in_six_days(matches: Matches) -> None:
    evening = new_league("footclub", sample_clubs())
    assert [len(day) for day in evening.days] == [2] * 6
    assert len({match.seats for day in evening.days for match in day}) == MATCHES
    for day in evening.days:
        assert len({seat for match in day for seat in match.seats}) == 4
    assert read_league(matches, evening.id) is None


def test_FC_17_3_a_whole_evening_has_the_table_of_the_rules(matches: Matches) -> None:
    evening, results, journal = new_league("footclub", sample_clubs()), [], None
    for seed in range(MATCHES):
        match = evening.next
        assert match is not None
        assert header(evening, match).get("follows") == journal
        journal = play(matches, evening, seed)
        evening = reread(matches, evening)
        view = FOOTCLUB.view(matches.store.resume(journal, GAMES).ledger.state)
        home, away = (evening.name(seat) for seat in match.seats)
        results.append(LeagueResult(home, away, view["score"]["blue"], view["score"]["red"]))
    assert evening.next is None
    table = league_table([club.name for club in sample_clubs()], results)
    displayed = {row.name: (row.rank, row.points, row.difference, row.scored) for row in evening.standings.rows}
    assert displayed == {row.club: (row.rank, row.points, row.difference, row.goals_for) for row in table}


def test_a_match_under_way_is_the_next_until_it_ends(matches: Matches) -> None:
    evening = new_league("footclub", sample_clubs())
    first = evening.next
    assert first is not None
    journal = play(matches, evening, 1, until=5)
    evening = reread(matches, evening)
    assert evening.next is not None
    assert evening.next.id == first.id
    assert evening.played[first.id].id == journal


def test_a_removed_match_is_to_be_played_again(matches: Matches) -> None:
    evening = new_league("footclub", sample_clubs())
    play(matches, evening, 1)
    evening = reread(matches, evening)
    second = play(matches, evening, 2)
    waiting = evening.next
    assert waiting is not None
    assert reread(matches, evening).next != waiting
    matches.store.remove(second)
    again = reread(matches, evening).next
    assert again is not None
    assert again.id == waiting.id
