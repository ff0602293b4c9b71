"""A match played again: the same sides, line-ups and choices, and nothing that belongs to the match before."""

from __future__ import annotations

from random import Random

import pytest

from companion.games.footclub.squads import header, sample_clubs
from companion.games.registry import GAMES, SPECS
from companion.journal.ledger import AnyLedger, Ledger
from companion.table.autoplay import play
from companion.table.opponents import OPPONENTS
from companion.table.profiles import PLAYED_BY
from companion.table.rematch import can_repeat, rematch
from companion.tournament.headers import MARK


def played(game_id: str, seed: int) -> AnyLedger:
    game = GAMES[game_id]
    first, *events = play(game, Random(seed))
    return with_events(game_id, first, [{**event, "at": "2026-03-14T20:00:00", "by": "touch"} for event in events])


def with_events(game_id: str, first: dict, events: list) -> AnyLedger:
    ledger: AnyLedger = Ledger(GAMES[game_id], first)
    for fields in events:
        ledger.commit(ledger.propose(fields))
    return ledger


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("game_id", GAMES)
def test_the_new_match_is_ready_to_begin(game_id: str, seed: int) -> None:
    before = played(game_id, seed)
    again = rematch(before)
    begun = with_events(game_id, again.header, list(again.events))
    assert begun.header["sides"] == before.header["sides"]
    assert not GAMES[game_id].finished(begun.state)
    assert all("at" not in fields and "by" not in fields for fields in again.events)
    assert not any(GAMES[game_id].dice_from_event(fields) for fields in again.events)


def test_the_same_persons_and_opponents_play_again() -> None:
    before = played("hoops21", 3)
    first, second = before.header["sides"]
    seats = {
        PLAYED_BY: {first: {"id": "a", "name": "Anna"}},
        OPPONENTS: {second: {"strength": "sound", "dice": "drawn"}},
    }
    again = rematch(with_events("hoops21", {**before.header, **seats, "season": {"id": "s", "name": "S"}}, []))
    assert {key: again.header.get(key) for key in (*seats, "season")} == {**seats, "season": None}


def test_team_sheets_and_tactics_are_taken_over_or_chosen_anew() -> None:
    before = played("footclub", 5)
    sheets = [event.fields for event in before.events if event.fields["event"] == "team_sheet"]
    again = rematch(before)
    assert [fields["lineup"] for fields in again.events if fields["event"] == "team_sheet"] == [
        fields["lineup"] for fields in sheets[:2]
    ]
    assert sum(fields["event"] == "tactics" for fields in again.events) == 2
    anew = rematch(before, with_all_choices=False)
    assert {fields["event"] for fields in anew.events} == {"team_sheet"}
    assert with_events("footclub", anew.header, list(anew.events)).state.phase == "pre_match"


def test_a_rematch_of_a_second_leg_is_a_single_match() -> None:
    blue, red = sample_clubs()[:2]
    setup = header(blue, red)["setup"]
    leg = {**setup, "format": "leg2", "first_leg": {"score": {"blue": 1, "red": 0}}}
    again = SPECS["footclub"].rematch.set_up(leg)
    assert again["format"] == "single"
    assert "first_leg" not in again


def test_only_a_match_of_its_own_is_repeated() -> None:
    blue, red = sample_clubs()[:2]
    single = header(blue, red)
    assert can_repeat(single)
    assert not can_repeat({**single, MARK: {"tournament": "t", "match": "m"}})
    assert not can_repeat({**single, "setup": {**single["setup"], "format": "leg1"}})
    assert not can_repeat({**single, "game": "chess"})


def test_keys_of_a_series_stay_behind() -> None:
    blue, red = sample_clubs()[:2]
    first = {**header(blue, red), "follows": "m-1", "toss": {"home": "blue"}}
    assert set(rematch(with_events("footclub", first, [])).header) == {"journal", "game", "sides", "setup"}


def test_a_drafted_deck_is_shuffled_anew() -> None:
    again = SPECS["nba"].rematch.set_up
    assert again({"market_list": ["a"], "variants": {"draft": True}}) == {"variants": {"draft": True}}
    assert again({"market_list": ["a"]}) == {"market_list": ["a"]}
