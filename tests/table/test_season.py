"""Seasons at one table: their matches, what passes on between legs, and the records come from the journals alone."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.clock import ManualClock
from companion.games.footclub import FOOTCLUB
from companion.games.footclub.legs import carry_over
from companion.games.footclub.second_leg import second_leg
from companion.games.footclub.squads import header, sample_clubs
from companion.games.hoops21 import HOOPS21
from companion.games.registry import DICE_STATISTICS, GAMES
from companion.journal.store import Store
from companion.table.history import MatchHistory
from companion.table.matches import Matches
from companion.table.season import SEASON, Season, awaited_matches, matches_of, new_season, season_of, seasons

SEEDS = range(200)


@pytest.fixture
def matches(tmp_path: Any) -> Any:
    with Store.open(tmp_path / "matches.db", ManualClock()) as store:
        yield Matches(store, GAMES)


def first_leg_header() -> dict[str, Any]:
    return header(*sample_clubs()[:2], format="leg1")


def played(made: dict[str, Any], seed: int) -> tuple[list[Any], Any]:
    state, events, random = FOOTCLUB.initial_state(made), [], Random(seed)
    while not FOOTCLUB.finished(state):
        fields = FOOTCLUB.random_event(state, random)
        state, _ = FOOTCLUB.apply(state, FOOTCLUB.parse(fields))
        events.append(fields)
    return events, state


def with_absentees() -> tuple[list[Any], Any]:
    """Return a first leg in which a player is sent off and another is seriously injured."""
    for seed in SEEDS:
        events, state = played(first_leg_header(), seed)
        facts = carry_over(state) or {}
        if facts["suspended"] and facts["injured"]:
            return events, state
    raise AssertionError("no such match")


def test_a_season_holds_the_matches_that_name_it(matches: Matches) -> None:
    autumn, spring = new_season("Autumn"), new_season("Spring")
    made = first_leg_header()
    ids = [matches.store.create({**made, SEASON: season.fields()}) for season in (autumn, spring, autumn)]
    matches.store.create(made)
    matches.store.create({**HOOPS21.random_header(Random(1)), SEASON: new_season("Summer").fields()})
    assert seasons(matches, "footclub") == {autumn: 2, spring: 1}
    assert list(seasons(matches, "footclub")) == [autumn, spring]
    assert [match.id for match in matches_of(matches, autumn.id)] == [ids[2], ids[0]]


@pytest.mark.parametrize("found", [None, "Autumn", {}, {"id": 1, "name": "Autumn"}, {"id": "a"}])
def test_a_header_without_a_readable_season_belongs_to_none(found: object) -> None:
    assert season_of({SEASON: found}) is None
    assert season_of({SEASON: {"id": "a", "name": "Autumn"}}) == Season("a", "Autumn")


def test_FC_16_3_to_5_a_first_leg_of_the_season_says_what_it_carries_over(matches: Matches) -> None:
    season = new_season("Autumn")
    events, state = with_absentees()
    made = {**first_leg_header(), SEASON: season.fields()}
    first = matches.store.create(made, events, ended=True)
    (awaited,) = awaited_matches(matches, season.id)
    assert (awaited.previous.id, awaited.follow_up.page) == (first, "clubs")
    assert [message.id.rpartition(".")[2] for message in awaited.carried if message.id.endswith("suspended")]
    assert [message.id.rpartition(".")[2] for message in awaited.carried if message.id.endswith("injured")]
    decided = second_leg(made, state)
    assert decided is not None
    second = {"journal": 1, "game": "footclub", **decided, "setup": {"kop": "K01", **decided["setup"]}}
    matches.store.create({**second, "follows": first, SEASON: season.fields()})
    assert awaited_matches(matches, season.id) == ()
    assert awaited_matches(matches, "another") == ()


def test_the_records_of_a_season_count_its_matches_and_marks_only(matches: Matches) -> None:
    season = new_season("Autumn")
    events, state = with_absentees()
    matches.store.create({**first_leg_header(), SEASON: season.fields()}, events, ended=True)
    matches.store.create(first_leg_header(), played(first_leg_header(), 1)[0], ended=True)
    history = MatchHistory(matches.store, matches.games, DICE_STATISTICS)
    for _ in history.count_matches():
        pass
    assert {len(record.matches) for record in history.clubs("footclub")} == {2}
    assert {len(record.matches) for record in history.clubs("footclub", season.id)} == {1}
    facts = carry_over(state) or {}
    people = history.people("footclub", season.id)
    assert sum(record.marks["red"] for record in people) == len(facts["suspended"])
    assert sum(record.marks["injured"] for record in people) == len(facts["injured"])
    yellow = sum(player.yellow for club in state.clubs for player in club.players.values())
    assert sum(record.marks["yellow"] for record in people) == yellow
