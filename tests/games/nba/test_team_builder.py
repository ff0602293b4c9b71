"""The team that a side begins with: suggestions, limits of both kinds of deck, and what a catalogue cannot give."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.nba.card_sets import sample_cards
from companion.games.nba.tables import POSITIONS
from companion.games.nba.team_builder import TeamDraft, TeamRules, fill_positions, suggest_team
from tests.games.nba.kit import CARDS, full, player, rule_of_header, tactic

PLAIN, SELECTION, SOLO = TeamRules(), TeamRules(selection=True), TeamRules(solo=True)
ALL = [PLAIN, SELECTION, SOLO]


def ids(messages: Any) -> list[str]:
    return [message.id.removeprefix("app.nba.team.") for message in messages]


def header_of(draft: TeamDraft, rules: TeamRules, cards: dict[str, Any] = CARDS) -> dict[str, Any]:
    """Return a header in which both sides have this team; the solo opponent is one of them."""
    roster = draft.roster(rules)
    made = full(rosters={"ann": roster, "ben": roster}, cards=cards, variants={"team_selection": rules.selection})
    if rules.solo:
        made["setup"]["solo"] = {"side": "ben"}
    return made


@pytest.mark.parametrize("rules", ALL)
def test_NBA_3_4_a_suggested_team_is_legal(rules: TeamRules) -> None:
    for cards in (CARDS, dict(sample_cards().cards)):
        draft = suggest_team(cards, rules)
        assert (draft.faults(cards, rules), draft.remarks(cards, rules)) == ((), ())
        assert rule_of_header(header_of(draft, rules, cards)) is None
        assert (draft.count(cards, "offence"), draft.count(cards, "defence")) == (3, 2)


def test_a_suggestion_has_the_strongest_starters_and_a_bench_for_every_position() -> None:
    cards = CARDS | {"s-pg2": player("pg sg", "starter", iq=9), "s-c2": player("c", "starter")}
    draft = suggest_team(cards, PLAIN)
    assert "s-pg2" in draft.court.values()
    assert draft.court["c"] == "s-c"
    assert {position for id in draft.bench for position in cards[id]["positions"]} == set(POSITIONS)


def test_a_card_of_two_positions_makes_room() -> None:
    cards = {"both": player("pg sg", "starter"), "one": player("pg", "starter")}
    assert fill_positions(cards, ["both", "one"]) == {"pg": "one", "sg": "both"}


def test_a_catalogue_without_offence_or_defence_gives_what_it_has() -> None:
    cards = {id: card for id, card in CARDS.items() if card["kind"] == "player" or card["type"] == "defence"}
    draft = suggest_team(cards, PLAIN)
    assert [cards[id]["type"] for id in draft.tactics] == ["defence"] * 5
    assert draft.faults(cards, PLAIN) == ()
    assert ids(draft.remarks(cards, PLAIN)) == ["no_offence_card"]


def test_a_position_that_nobody_covers_is_named() -> None:
    cards = {id: card for id, card in CARDS.items() if id != "s-c"}
    assert ids(suggest_team(cards, PLAIN).faults(cards, PLAIN)) == ["no_starter_card"]
    bare = {id: card for id, card in CARDS.items() if id != "b-sf"} | {"b-x": player("pg", "substitute")}
    remarks = suggest_team(bare, PLAIN).remarks(bare, PLAIN)
    assert ids(remarks) == ["uncovered_card"]
    assert remarks[0].args["positions"].id == "nba.position.sf"


def test_six_substitutes_suffice_only_with_the_selection_of_the_team() -> None:
    cards = {id: card for id, card in CARDS.items() if id != "b-sg2"}
    plain = suggest_team(cards, PLAIN)
    assert ids(plain.faults(cards, PLAIN)) == ["bench_cards"]
    chosen = suggest_team(cards, SELECTION)
    assert (len(chosen.bench), len(chosen.tactics)) == (6, 6)
    assert rule_of_header(header_of(chosen, SELECTION, cards)) is None


@pytest.mark.parametrize(
    ("rules", "bench", "tactics", "fault"),
    [
        (PLAIN, 6, 5, "bench_count"),
        (PLAIN, 7, 4, "tactics_count"),
        (SELECTION, 4, 8, "bench_count_least"),
        (SELECTION, 7, 2, "tactics_count_least"),
        (SELECTION, 7, 8, "tactics_count_most"),
        (SELECTION, 6, 5, "deck_count"),
        (SOLO, 0, 6, "tactics_count"),
    ],
)
def test_NBA_9_2_a_deck_of_another_size_is_a_fault(rules: TeamRules, bench: int, tactics: int, fault: str) -> None:
    draft = suggest_team(CARDS, rules)
    draft.bench = [id for id in CARDS if id.startswith("b-")][:bench]
    draft.tactics = ["t-out"] * tactics
    assert fault in ids(draft.faults(CARDS, rules))
    assert rules.solo or rule_of_header(header_of(draft, rules)) == ("NBA-9.2" if rules.selection else "NBA-3.4")


def test_taps_build_a_team() -> None:
    cards = CARDS | {"s-both": player("pg sg", "starter")}
    draft = suggest_team(CARDS, PLAIN)
    draft.place("sg", "s-both")
    draft.place("pg", "s-both")
    assert "sg" not in draft.court
    assert ids(draft.faults(cards, PLAIN)) == ["no_starter"]
    draft.place("sg", "s-sg")
    draft.toggle("b-c")
    draft.toggle("b-c")
    draft.set_copies("t-out", 3)
    draft.set_copies("t-post", 0)
    draft.set_copies("t-drive", 0)
    assert draft.faults(cards, PLAIN) == ()
    assert rule_of_header(header_of(draft, PLAIN, cards)) is None
    assert TeamDraft.of(draft.roster(PLAIN)) == draft


def test_NBA_13_2_a_kept_card_takes_the_place_of_a_base_card() -> None:
    cards = CARDS | {"t-kept": tactic("offence", 1, 2, inside=2)}
    rules = TeamRules(kept=("n-wing", "t-kept"))
    draft = suggest_team(cards, rules)
    assert "n-wing" in draft.bench
    assert "t-kept" in draft.tactics
    assert (len(draft.bench), len(draft.tactics)) == (7, 5)
