"""Tests of the court editor: swaps, bench cards, removal of fatigue, and the resulting event."""

from __future__ import annotations

from companion.games.nba import NBA
from companion.games.nba.court_draft import CourtDraft
from companion.games.nba.decisions import CourtData
from tests.games.nba.kit import Match, full


def draft(fatigue_held=0):
    match = Match(full())
    data = next(
        ask.data
        for choice in NBA.decision(match.state).choices
        for ask in choice.prompts
        if isinstance(ask.data, CourtData) and choice.side == "ann"
    )
    return match, CourtDraft(CourtData(data.court, data.candidates, fatigue_held, data.owned))


def test_a_card_of_the_bench_takes_a_place():
    match, court = draft()
    court.pick("b-pg")
    court.place("pg")
    assert court.event == {"event": "replace", "court": {"pg": "b-pg"}, "fatigue_removed": 0}
    assert court.bench[0] == "s-pg"
    assert court.entered == ("b-pg",)
    NBA.validate(match.state, NBA.parse(court.event))


def test_cards_on_the_court_change_places():
    _, court = draft()
    court.pick("s-pg")
    court.place("c")
    assert court.event["court"] == {"pg": "s-c", "c": "s-pg"}
    assert court.entered == ()
    court.reset()
    assert court.event["court"] == {}


def test_fatigue_cards_are_removed_only_as_the_players_say():
    _, court = draft(fatigue_held=5)
    for id, position in (("b-pg", "pg"), ("b-sg", "sg")):
        court.pick(id)
        court.place(position)
    assert (court.max_fatigue, court.fatigue) == (2, 0)
    court.removed = 2
    assert court.event["fatigue_removed"] == 2
    court.reset()
    assert court.fatigue == 0


def test_own_cards_come_before_all_others():
    match, court = draft()
    own = set(match.state.setup.rosters["ann"].bench)
    places = [index for index, id in enumerate(court.bench) if id in own]
    assert places == list(range(len(own)))


def test_a_card_is_let_go_by_a_second_tap():
    _, court = draft()
    court.pick("b-pg")
    court.pick("b-pg")
    court.place("pg")
    assert court.event["court"] == {}
