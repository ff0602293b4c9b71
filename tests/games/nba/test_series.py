"""A series at one table (13): from a finished match to the header of the next, and the preparation between them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.games.nba import NBA
from companion.games.nba.decisions import catalogue_players
from companion.games.nba.market import is_available, is_on_sale
from companion.games.nba.preparation import NbaPreparation
from companion.games.nba.series import (
    Choice,
    SeriesMark,
    following_header,
    goes_on,
    memory_of,
    next_threshold,
    offered_cards,
    read_mark,
)
from companion.games.nba.state import Result, State
from companion.games.nba.team_builder import TeamDraft, TeamRules, most_copies, with_kept_cards
from companion.table.catalogues.card_store import SampleCards
from tests.games.nba.kit import BASE_TACTICS, CARDS, ROSTER, SUBSTITUTES, rule_of_header

CAMPAIGN = SeriesMark("campaign", 1)
BOUGHT = ("nba-01", "nba-02", "tac-undeux")


def first_match(mode: str, **rows: Any) -> dict[str, Any]:
    """Return the header of the first match of a series as the preparation makes it."""
    plan = NbaPreparation({}, SampleCards())
    for row, value in {"mode": mode, "duration": "short", **rows}.items():
        plan.choose(row, value)
    assert plan.missing() == ()
    return dict(plan.header())


def ended(header: dict[str, Any], winner: str | None, **bought: tuple[str, ...]) -> State:
    """Return the finished match of a header with the cards bought by each side."""
    state: State = NBA.initial_state(header)
    for side, ids in bought.items():
        state = replace(state, teams=state.with_teams(replace(state.team(side), bought=ids)))
    return replace(state, phase="over", active=None, result=Result(winner))


def prepared_again(header: dict[str, Any], mark: SeriesMark) -> NbaPreparation:
    return NbaPreparation(memory_of(header, "before", mark), SampleCards())


def test_NBA_13_1_a_campaign_goes_on_only_after_a_win() -> None:
    header = first_match("campaign", resources=4)
    assert (header["setup"]["solo"]["resources"], header["series"]) == (4, {"kind": "campaign", "match": 1})
    assert [goes_on(CAMPAIGN, ended(header, winner)) for winner in ("one", "two", None)] == [True, False, False]
    assert not goes_on(CAMPAIGN, NBA.initial_state(header))
    assert next_threshold(CAMPAIGN, ended(header, "one")) == 5


def test_NBA_13_1_the_next_match_has_the_kept_cards_and_all_options_of_the_first() -> None:
    rows = {
        "resources": 9,
        "money_time": True,
        "coach.one": "discount.stop",
        "discount_least.one": 4,
        "clock": "market",
    }
    header = first_match("campaign", **rows, **{"name.one": "Zoé", "removed_to": "box", "profile": "bigs"})
    state = ended(header, "one", one=BOUGHT)
    offered = offered_cards(CAMPAIGN, header, state, "one", 10)
    assert (offered.players, offered.tactics) == (BOUGHT[:2], BOUGHT[2:])
    made = following_header(CAMPAIGN, header, state, {"one": Choice("nba-02", "tac-undeux")}, 10)
    plan = prepared_again(made, SeriesMark("campaign", 2, "first"))
    assert plan.missing() == ()
    again = dict(plan.header())
    assert again["series"] == {"kind": "campaign", "match": 2, "first": "first"}
    assert again["follows"] == "before"
    assert again["setup"] == made["setup"]
    assert again["sides"] == header["sides"]
    assert rule_of_header(again) is None
    legacy = again["setup"]["legacy"]
    assert legacy == {"stage": 2, "threshold": 10, "kept": {"one": ["nba-02", "tac-undeux"]}}
    roster = again["setup"]["rosters"]["one"]
    assert "nba-02" in roster["bench"]
    assert "tac-undeux" in roster["tactics"]
    assert again["setup"]["solo"]["resources"] == 10


def test_a_kept_player_is_not_on_sale_again() -> None:
    header = first_match("campaign", resources=9)
    made = following_header(CAMPAIGN, header, ended(header, "one", one=BOUGHT), {"one": Choice("nba-01")}, 10)
    state = NBA.initial_state(made)
    on_sale = [card.id for card in catalogue_players(state) if is_on_sale(state, card)]
    available = [card.id for card in catalogue_players(state) if is_available(state, card)]
    assert [id for id in available if id not in on_sale] == ["nba-01"]
    plan = prepared_again(made, SeriesMark("campaign", 2, "first"))
    assert "nba-01" in plan.settings.reserved_cards


def test_NBA_13_2_both_sides_of_a_legacy_series_keep_up_to_the_threshold_they_choose() -> None:
    header = first_match("legacy")
    mark = SeriesMark("legacy", 1)
    assert header["setup"]["legacy"] == {"stage": 1, "threshold": 0, "kept": {}}
    assert header["setup"]["level"] == "full"
    state = ended(header, None, one=("nba-01",), two=("nba-02", "tac-undeux"))
    assert goes_on(mark, state)
    assert next_threshold(mark, state) == 0
    assert offered_cards(mark, header, state, "two", 0).tactics == ()
    choices = {"one": Choice("nba-01"), "two": Choice(None, "tac-undeux")}
    made = following_header(mark, header, state, choices, 9)
    again = dict(prepared_again(made, SeriesMark("legacy", 2, "first")).header())
    assert again["setup"] == made["setup"]
    assert again["setup"]["legacy"]["kept"] == {"one": ["nba-01"], "two": ["tac-undeux"]}
    assert next_threshold(SeriesMark("legacy", 2), NBA.initial_state(again)) == 9


def test_a_side_without_a_base_card_left_keeps_no_more() -> None:
    header = first_match("legacy")
    bench = [f"nba-{n:02}" for n in range(10, 17)]
    header["setup"]["rosters"]["one"]["bench"] = bench
    header["setup"]["legacy"] = {"stage": 9, "threshold": 20, "kept": {"one": bench}}
    offered = offered_cards(SeriesMark("legacy", 9), header, ended(header, "one", one=BOUGHT), "one", 20)
    assert (offered.players, offered.tactics) == ((), BOUGHT[2:])


def test_NBA_13_2_a_tournament_decides_the_kept_cards() -> None:
    plan = NbaPreparation({}, SampleCards())
    legacy = {"stage": 2, "threshold": 5, "kept": {"home": ["nba-03"], "away": ["tac-undeux"]}}
    plan.decide({"legacy": legacy}, {"one": "home", "two": "away"})
    rows = {row.id for column in plan.columns() for row in column.rows}
    assert not {"mode", "level"} & rows
    assert plan.missing() == ()
    header = plan.header()
    assert header["setup"]["legacy"]["kept"] == {"one": ["nba-03"], "two": ["tac-undeux"]}
    assert "nba-03" in header["setup"]["rosters"]["one"]["bench"]
    assert rule_of_header(dict(header)) is None
    plan.decide({"legacy": {**legacy, "kept": {"home": ["nba-unknown"]}}}, {"one": "home", "two": "away"})
    assert [message.id for message in plan.missing()] == ["app.nba.prepare.kept_unknown"]


def test_a_series_keeps_its_cards_when_the_catalogue_of_the_table_changes() -> None:
    class OtherCards(SampleCards):
        """A table whose own catalogue is empty."""

        def is_own(self, kind: Any) -> bool:
            return False

    header = first_match("campaign")
    made = following_header(CAMPAIGN, header, ended(header, "one"), {}, 3)
    plan = NbaPreparation(memory_of(made, "before", SeriesMark("campaign", 2, "first")), OtherCards())
    assert plan.cards == header["setup"]["cards"]
    plan.choose("team.one", plan.settings.team("two").id)
    assert plan.settings.team_draft("one").court == plan.settings.team("two").roster["court"]


def test_kept_cards_take_the_places_of_the_weakest_and_of_copies() -> None:
    rules = TeamRules(kept=("n-ace", "t-five", "t-five", "t-wall"))
    draft = TeamDraft(dict(ROSTER["court"]), list(SUBSTITUTES), ["t-out", "t-out", "t-drive", "t-switch", "t-trap"])
    made = with_kept_cards(CARDS, rules, draft)
    assert made.bench == ["b-pg", "n-ace", "b-sg2", "b-sf", "b-pf", "b-pf2", "b-c"]
    assert sorted(made.tactics) == ["t-five", "t-five", "t-out", "t-switch", "t-wall"]
    assert draft.bench == list(SUBSTITUTES)
    assert with_kept_cards(CARDS, rules, made) == made
    assert [most_copies(CARDS, rules, id) for id in ("t-out", "t-five", "t-wall", "t-hard")] == [5, 2, 1, 0]
    assert set(BASE_TACTICS) <= CARDS.keys()


@pytest.mark.parametrize(
    "fields",
    [
        None,
        [],
        {"kind": "cup", "match": 1},
        {"kind": "legacy", "match": "1"},
        {"kind": "legacy", "match": 1, "first": 3},
    ],
)
def test_a_header_without_a_valid_series_names_none(fields: Any) -> None:
    assert read_mark({"series": fields}) is None
    assert read_mark({}) is None
    assert read_mark({"series": SeriesMark("legacy", 3, "x").header()}) == SeriesMark("legacy", 3, "x")
