"""The form of a new card: complete answers make a legal card, and a refusal names its field."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.base import Refusal
from companion.games.occasion import OCCASION
from companion.games.occasion.decisions import CardForm, card_form
from tests.games.occasion.kit import Match

PLAYER = {"id": "x1", "name": "Ana", "post": "LB", "pass": 3, "dribble": 2, "int": 4, "tak": 1}
SHOT = {"id": "box", "row": 2, "shot": True, "attack_posts": ["ST"]}
START = {"id": "wing", "row": 1, "shot": False, "attack_posts": ["LW"]}


def asked(kind: str) -> CardForm:
    return card_form(Match().state, kind, "home" if kind == "player" else None)


def refused(form: CardForm, answers: dict[str, Any], parts: list[dict[str, Any]]) -> tuple[str, str] | None:
    """Return the field and the zone of the refusal of these answers, or None for a legal card."""
    event = {"event": "define_card", "kind": form.kind, **form.fields_of(answers, parts)}
    if form.kind == "player":
        event["side"] = "home"
    state = Match().state
    try:
        OCCASION.validate(state, OCCASION.parse(event))
    except Refusal as refusal:
        return form.fault_location(refusal.message) if refusal.rule == "OC-1.6" else (refusal.rule, "")
    return None


def test_answers_make_a_legal_card() -> None:
    assert refused(asked("player"), PLAYER, []) is None
    assert refused(asked("player"), {**PLAYER, "abilities": ["wall"], "ability": "flair"}, []) is None
    assert refused(asked("occasion"), {"id": "y"}, [START, SHOT]) is None


def test_an_ability_of_its_own_stands_beside_the_known_ones() -> None:
    made = asked("player").fields_of({**PLAYER, "abilities": ["wall"], "ability": "flair"}, [])
    assert made["card"]["abilities"] == ["wall", "flair"]
    assert "ability" not in made["card"]


@pytest.mark.parametrize(
    ("answers", "about"),
    [
        ({**PLAYER, "id": "lb"}, ("id", "")),
        ({key: value for key, value in PLAYER.items() if key != "post"}, ("post", "")),
        ({**PLAYER, "post": "XX"}, ("post", "")),
        ({**PLAYER, "pass": -1}, ("pass", "")),
    ],
)
def test_a_refusal_of_a_player_names_its_field(answers: dict[str, Any], about: tuple[str, str]) -> None:
    assert refused(asked("player"), answers, []) == about


@pytest.mark.parametrize(
    ("parts", "about"),
    [
        ([], ("", "")),
        ([START], ("next", "wing")),
        ([START, {**START}], ("id", "wing")),
        ([{**START, "next": ["nowhere"]}, SHOT], ("next", "wing")),
        ([{"row": 1}, SHOT], ("id", "")),
    ],
)
def test_a_refusal_of_a_chance_names_its_zone(parts: list[dict[str, Any]], about: tuple[str, str]) -> None:
    assert refused(asked("occasion"), {"id": "y"}, parts) == about


def test_the_number_that_is_free_is_proposed_and_the_next_row_too() -> None:
    assert asked("player").fields[0].suggested == "1"
    rows = asked("occasion").part_fields([START, {}], 1)
    assert next(ask for ask in rows if ask.field == "row").suggested == 2
    assert [option.value for ask in rows if ask.field == "next" for option in ask.options] == ["wing"]
