"""Setup of an NBA match: any choice gives a header that the game accepts, or names what is missing."""

from __future__ import annotations

from random import Random

import pytest

from companion.games.nba import NBA
from companion.games.nba.card_sets import sample_cards
from companion.games.nba.preparation import COACHES, NbaPreparation
from companion.games.nba.tables import MINI_MARKET_SIZE
from companion.language import LANGUAGES, Language
from companion.table.catalogues.card_store import SampleCards


def rows(preparing):
    return {row.id: row for column in preparing.columns() for row in column.rows}


def choose_something(preparing, random):
    """Choose another option in one of the current rows."""
    row = random.choice([row for row in rows(preparing).values() if row.kind != "text"])
    if row.kind == "switch":
        preparing.choose(row.id, not row.value)
    elif row.kind == "count":
        preparing.choose(row.id, random.randint(row.minimum, row.maximum))
    else:
        preparing.choose(
            row.id, random.choice([option.value for option in row.options if option.disabled_reason is None])
        )


def test_the_usual_match_is_ready_at_once():
    memory = {}
    preparing = NbaPreparation(memory, SampleCards())
    assert preparing.missing() == ()
    state = NBA.initial_state(preparing.header())
    assert state.setup.names == {"one": "Comètes", "two": "Mistral"}
    assert (state.limit, state.setup.full, state.setup.dice_set.unknown) == (24, True, 7)
    assert NbaPreparation(memory, SampleCards()).header() == preparing.header()


@pytest.mark.parametrize("seed", range(12))
def test_whatever_is_chosen_begins_or_says_what_is_missing(seed):
    random, preparing = Random(seed), NbaPreparation({}, SampleCards())
    begun = 0
    for _ in range(60):
        choose_something(preparing, random)
        if not preparing.missing():
            NBA.initial_state(preparing.header())
            begun += 1
    assert begun


def test_three_and_four_sides_have_columns_of_their_own():
    preparing = NbaPreparation({}, SampleCards())
    preparing.choose("players", "4")
    columns = preparing.columns()
    assert [column.colour for column in columns] == ["violet", "lime", "orange", "white", ""]
    preparing.choose("first", "four")
    assert NBA.initial_state(preparing.header()).active == "four"
    preparing.choose("players", "2")
    assert NBA.initial_state(preparing.header()).active == "one"


def test_the_solo_opponent_has_its_tactics_and_no_coach():
    preparing = NbaPreparation({}, SampleCards())
    preparing.choose("coach.two", "collective")
    preparing.choose("players", "solo")
    preparing.choose("resources", 4)
    state = NBA.initial_state(preparing.header())
    assert state.setup.solo.side == "two"
    assert state.opponent.resources == 4
    assert state.setup.coach("two").power == ""
    assert len(state.team("two").prepared) == 5


def test_a_draft_needs_five_cards_that_nobody_else_has():
    preparing = NbaPreparation({}, SampleCards())
    preparing.choose("draft", True)
    assert len(preparing.missing()) == 2
    market = sample_cards().market()
    for place in range(MINI_MARKET_SIZE):
        preparing.choose(f"mini.one.{place}", market[place])
        preparing.choose(f"mini.two.{place}", market[place])
    assert len(preparing.missing()) == 2
    for place in range(MINI_MARKET_SIZE):
        preparing.choose(f"mini.two.{place}", market[MINI_MARKET_SIZE + place])
    assert preparing.missing() == ()
    state = NBA.initial_state(preparing.header())
    assert state.team("two").mini == market[MINI_MARKET_SIZE : 2 * MINI_MARKET_SIZE]


def test_two_teams_of_one_name_are_told():
    preparing = NbaPreparation({}, SampleCards())
    preparing.choose("name.two", "comètes")
    assert [message.id for message in preparing.missing()] == ["app.nba.prepare.same_names"]


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_coach_and_row_has_its_words(code):
    language, preparing = Language(code), NbaPreparation({}, SampleCards())
    preparing.choose("draft", True)
    texts = [language.text(label) for _, label in COACHES]
    for row in rows(preparing).values():
        texts += [language.text(row.label), language.text(row.detail)]
        texts += [language.text(option.label) for option in row.options]
    assert len({label for _, label in [(id, language.text(label)) for id, label in COACHES]}) == len(COACHES)
    assert [text for text in texts if "app.nba" in text or "nba." in text or "{" in text] == []
