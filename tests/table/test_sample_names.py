"""The sample cards have names in both languages, and are the same cards in both."""

from __future__ import annotations

import pytest

from companion.games.catalogue import sample_names
from companion.games.nba.card_sets import match_cards, sample_cards
from companion.games.nba.catalogues import TACTICS
from companion.games.nba.preparation import NbaPreparation
from companion.games.occasion.catalogues import CHANCES, PLAYERS
from companion.games.occasion.preparation import OccasionPreparation
from companion.games.registry import SPECS
from companion.language import LANGUAGES
from companion.table.catalogues.card_store import CardStore, SampleCards, sample

SHARED_ABILITIES = {"cross", "wall", "vision", "sprint"}
"""Abilities of the rules, and those that have the same name in both languages."""


def chance_names(language):
    """Return the words of the chances: cards, zones, abilities with a name of each language."""
    rows = sample(CHANCES, language).rows
    abilities = {ability for row in sample(PLAYERS, language).rows for ability in row.get("abilities", ())}
    return {row["name"] for row in rows} | {row["zone"] for row in rows} | (abilities - SHARED_ABILITIES)


def tactic_names(language):
    """Return the names of the tactics and of the teams."""
    return {row["name"] for row in sample(TACTICS, language).rows} | {
        team.name for team in sample_cards(language).teams
    }


@pytest.mark.parametrize(("game", "names_in"), [("nba", tactic_names), ("occasion", chance_names)])
def test_every_word_of_a_sample_has_its_english_name(game, names_in):
    names = sample_names(game, "en")
    assert names_in("fr") == set(names)
    assert names_in("en") == set(names.values())
    assert len(set(names.values())) == len(names)


@pytest.mark.parametrize(
    "kind", [kind for spec in SPECS.values() for kind in spec.catalogues], ids=lambda kind: kind.name
)
def test_the_samples_are_valid_in_every_language(kind):
    for language in LANGUAGES:
        reading = sample(kind, language)
        assert reading.faults == ()
        assert len(reading.rows) == len(sample(kind).rows)


def without_names(value):
    """Return a part of a header without the names on cards, which a language may change."""
    if isinstance(value, dict):
        return {key: without_names(part) for key, part in value.items() if key not in ("name", "sides")}
    return [without_names(part) for part in value] if isinstance(value, list | tuple) else value


def test_a_match_set_up_in_either_language_has_the_same_cards():
    headers = {code: NbaPreparation({}, SampleCards(code)).header() for code in LANGUAGES}
    for header in headers.values():
        SPECS["nba"].game.initial_state(header)
    assert headers["fr"] != headers["en"]
    assert without_names(headers["fr"]) == without_names(headers["en"])


def test_a_chance_set_up_in_english_reads_its_zones():
    headers = {code: OccasionPreparation({}, SampleCards(code)).header()["setup"] for code in LANGUAGES}
    french, english = (headers[code]["occasions"] for code in LANGUAGES)
    assert list(french) == list(english)
    assert headers["fr"]["visible"] == headers["en"]["visible"]
    names = sample_names("occasion", "en")
    for id, card in french.items():
        assert english[id]["name"] == names[card["name"]]
        assert [zone["id"] for zone in english[id]["zones"]] == [names[zone["id"]] for zone in card["zones"]]
        bare = [{key: part for key, part in zone.items() if key != "id"} for zone in card["zones"]]
        assert [{key: part for key, part in zone.items() if key != "id"} for zone in english[id]["zones"]] == bare


def test_a_store_without_own_cards_has_the_samples_of_its_language(tmp_path):
    store = CardStore(tmp_path, tmp_path, "en")
    assert store.rows(CHANCES)[0]["name"] == "Right wing"
    assert match_cards(store).cards["base-arc"]["name"] == "Basic shot"
    store.save(CHANCES, sample(CHANCES).rows)
    assert store.rows(CHANCES)[0]["name"] == "Aile droite"
