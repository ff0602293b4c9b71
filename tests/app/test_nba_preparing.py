"""Setup of an NBA match: any choice gives a header that the game accepts, or names what is missing."""

from __future__ import annotations

from contextlib import suppress
from random import Random

import pytest

from companion.games.base import Refusal
from companion.games.nba import NBA
from companion.games.nba.card_sets import sample_cards
from companion.games.nba.preparation import COACHES, NbaPreparation
from companion.games.nba.tables import MINI_MARKET_SIZE
from companion.games.nba.team_builder import suggest_team
from companion.language import LANGUAGES, Language
from companion.table.catalogues.card_store import SampleCards


class RenamedCards(SampleCards):
    """The samples under other ids, as a table with its own cards has them."""

    def is_own(self, kind):
        return True

    def rows(self, kind):
        names = ("id", "team")
        return tuple({**row, **{key: f"own-{row[key]}" for key in names if row.get(key)}} for row in super().rows(kind))


def rows(preparing):
    return {row.id: row for column in preparing.columns() for row in column.rows}


def choose_something(preparing, random):
    """Choose another option in one of the current rows; the pages count the deck and deal the draft."""
    row = random.choice([row for row in rows(preparing).values() if row.kind != "text"])
    if row.kind == "page":
        use_page(preparing, row.id, random)
        return
    if row.kind == "switch":
        preparing.choose(row.id, not row.value)
    elif row.kind == "count":
        preparing.choose(row.id, random.randint(row.minimum, row.maximum))
    else:
        preparing.choose(
            row.id, random.choice([option.value for option in row.options if option.disabled_reason is None])
        )


def use_page(preparing, row, random):
    """Do on the page of a row what its buttons do."""
    kind, _, side = row.partition(".")
    if kind == "built":
        preparing.set_team(side, suggest_team(preparing.cards, preparing.settings.team_rules(side)))
    elif kind == "deal":
        with suppress(Refusal):
            preparing.start_draft(random)
            finish_draft(preparing)
    elif random.random() < 0.5:
        preparing.count_deck()
    else:
        with suppress(Refusal):
            preparing.draw_deck(random)


def finish_draft(preparing):
    """Let every side choose the first three cards of its hands."""
    while preparing.draft.side is not None:
        own, *common = preparing.draft.hand[:3]
        preparing.choose_draft_cards(own, common)


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


def test_choices_made_with_other_cards_are_dropped():
    memory = {}
    before = NbaPreparation(memory, SampleCards())
    before.set_team("ann", suggest_team(before.cards, before.settings.team_rules("ann")))
    before.choose("duration", "short")
    after = NbaPreparation(memory, RenamedCards())
    assert after.columns()
    assert not set(after.cards) & set(before.cards)
    assert after.missing() == ()
    NBA.initial_state(after.header())
    assert memory["duration"] == "short"


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
    assert preparing.missing() == ()
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


def test_NBA_9_5_a_coach_has_its_number():
    preparing = NbaPreparation({}, SampleCards())
    preparing.choose("coach.one", "discount.stop")
    preparing.choose("coach.two", "second_tactic")
    assert preparing.header()["setup"]["coaches"] == {
        "one": {"power": "discount", "skill": "stop", "min": 3},
        "two": {"power": "second_tactic", "extra": 1},
    }
    least, extra = rows(preparing)["discount_least.one"], rows(preparing)["surcharge.two"]
    assert (least.kind, least.minimum, extra.kind, extra.minimum) == ("count", 1, "count", 0)
    preparing.choose("discount_least.one", 1)
    preparing.choose("surcharge.two", 0)
    coaches = NBA.initial_state(preparing.header()).setup.coaches
    assert (coaches["one"].least, coaches["two"].extra) == (1, 0)


def test_what_the_book_leaves_open_is_asked_together_with_its_words():
    preparing = NbaPreparation({}, SampleCards())
    found = {row.id: row for row in rows(preparing).values() if row.quotation is not None}
    assert {id: row.value for id, row in found.items()} == {"normal_cards": 20, "clock": "turns", "removed_to": "pile"}
    assert all(row.usual == row.value for row in found.values())
    preparing.choose("normal_cards", 24)
    preparing.choose("players", "3")
    assert NBA.initial_state(preparing.header()).setup.market_cards == 36
    preparing.choose("duration", "short")
    assert "normal_cards" not in rows(preparing)
    assert NBA.initial_state(preparing.header()).setup.market_cards == 18


def test_NBA_3_5_the_deck_is_drawn_or_counted():
    preparing = NbaPreparation({}, SampleCards())
    assert rows(preparing)["deck"].done, "a match may begin with a deck that the app does not know"
    preparing.count_deck()
    assert rows(preparing)["deck"].done
    assert "market_list" not in preparing.header()["setup"]
    preparing.choose("duration", "long")
    assert rows(preparing)["deck"].detail.id == "app.nba.prepare.deck_uncounted"
    preparing.draw_deck(Random(1))
    assert rows(preparing)["deck"].done
    assert len(NBA.initial_state(preparing.header()).setup.market_list) == 32
    preparing.choose("duration", "short")
    assert not rows(preparing)["deck"].done
    assert rows(preparing)["deck"].detail.id == "app.nba.prepare.deck_stale"
    assert [message.id for message in preparing.missing()] == ["app.nba.prepare.deck_todo"]


def test_NBA_9_3_the_app_deals_the_draft():
    preparing = NbaPreparation({}, SampleCards())
    preparing.choose("draft", True)
    preparing.start_draft(Random(2))
    hands = [id for side in ("one", "two") for hand in preparing.draft.hands[side] for id in hand]
    assert len(set(hands)) == 50
    assert (preparing.draft.round, preparing.draft.side) == (1, "one")
    with pytest.raises(Refusal) as refused:
        preparing.choose_draft_cards(preparing.draft.hand[0], preparing.draft.hand[:2])
    assert refused.value.rule == "NBA-9.3"
    finish_draft(preparing)
    preparing.draw_deck(Random(3))
    assert preparing.missing() == ()
    state = NBA.initial_state(preparing.header())
    assert state.team("one").mini == tuple(hand[0] for hand in preparing.draft.hands["one"])
    common = {id for side in ("one", "two") for hand in preparing.draft.hands[side] for id in hand[1:3]}
    assert set(state.setup.market_list) == common
    preparing.choose("draft", False)
    assert [message.id for message in preparing.missing()] == ["app.nba.prepare.deck_todo"]


def test_a_draft_that_asks_for_more_cards_than_there_are_is_refused():
    preparing = NbaPreparation({}, SampleCards())
    preparing.choose("players", "3")
    with pytest.raises(Refusal) as refused:
        preparing.start_draft(Random(1))
    assert refused.value.rule == "NBA-9.3"
    assert refused.value.message.args == {"n": 64, "cards": 75}


def test_the_fatigue_pile_has_the_usual_size_until_another_is_chosen():
    preparing = NbaPreparation({}, SampleCards())
    assert rows(preparing)["fatigue_cards"].value == 9
    preparing.choose("players", "3")
    assert rows(preparing)["fatigue_cards"].value == 18
    assert preparing.header()["setup"]["fatigue"] == {"removed_to": "pile"}
    preparing.choose("fatigue_cards", 12)
    assert preparing.header()["setup"]["fatigue"] == {"removed_to": "pile", "cards": 12}
    assert NBA.initial_state(preparing.header()).setup.fatigue_cards == 12
