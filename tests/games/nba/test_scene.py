"""What there is to see: facts, board and figures, and that every text of them is in both catalogues."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from companion.games.base import Headline, Message, Notice, Ruler, Sum
from companion.games.nba import NBA
from companion.games.nba.scene import scene
from companion.language import LANGUAGES, Language
from tests.games.nba.kit import Match, dice, full, header, solo

GAP = re.compile(r"\{|\bnba\.|\bcommon\.")


def messages(value: Any) -> Iterator[Message]:
    """Every text inside a value."""
    if isinstance(value, Message):
        yield value
    elif isinstance(value, tuple | list):
        for each in value:
            yield from messages(each)
    elif is_dataclass(value):
        for field in fields(value):
            yield from messages(getattr(value, field.name))


def said(value: Any, code: str = "fr") -> list[str]:
    """What is said, with ordinary spaces."""
    return [Language(code).text(message).replace("\N{NO-BREAK SPACE}", " ") for message in messages(value)]


def figure(match: Match, kind: type[Any]) -> Any:
    return next(one for one in scene(match.state).figures if isinstance(one, kind))


def test_a_pending_attack_shows_every_die() -> None:
    match = Match()
    match.play("attack", dice=dice("inside 7 0"))
    match.play("end_turn")
    match.play("defend", dice=dice("stop 3y 3b"))
    total = figure(match, Sum)
    assert (total.total, [(term.value, term.side) for term in total.terms]) == (
        4,
        [(7, "ann"), (0, "ann"), (-3, "ben")],
    )
    assert said(total) == [
        "Anne contre Benoît, si rien ne change",
        "Jeu Intérieur 7",
        "Jeu Intérieur 0",
        "Stop 3 jaune",
    ]


def test_a_sum_never_falls_below_nothing() -> None:
    match = Match()
    match.play("attack", dice=dice("inside 2"))
    match.play("end_turn")
    match.play("defend", dice=dice("stop 3y"))
    total = figure(match, Sum)
    assert (total.total, [term.value for term in total.terms]) == (0, [2, -3, 1])


def test_a_tactic_shows_its_chances_before_it_is_chosen() -> None:
    match = Match(full()).reshape("ann", prepared=("t-out",))
    ruler = figure(match, Ruler)
    assert [(cell.total, cell.chance) for cell in ruler.cells][:2] == [(0, "1/8"), (2, "1/8")]
    assert said(ruler.title) == ["t-out : 8,1 points en moyenne"]
    assert said(ruler.title, "en") == ["t-out: 8.1 points on average"]


def test_an_open_roll_says_what_a_reroll_promises() -> None:
    match = Match(full(coaches={"ann": {"power": "rebounds"}})).reshape("ann", prepared=("t-out",))
    match.play("activate", tactic="t-out", dice=dice("three_points 9 2 0"))
    notices = [said(one.text)[0] for one in scene(match.state).figures if isinstance(one, Notice)]
    assert notices[:2] == ["À garder maintenant : 11", "En relançant 1 dé : 12,8 en moyenne"]


def test_facts() -> None:
    sides = scene(Match(full(variants={"mismatch": 3})).state).sides
    assert [(said(fact.label)[0], fact.value) for fact in sides[0].facts] == [
        ("Niveau collectif", "6"),
        ("Rebonds", "4"),
        ("Relances", "0"),
        ("Fatigue", "0"),
        ("Mismatch", "3"),
    ]
    ai = scene(Match(solo()).state).sides[1]
    assert (said(ai.facts[-1].label)[0], ai.facts[-1].value) == ("Ressources", "2")


def test_the_board() -> None:
    match = Match(full(variants={"money_time": True})).reshape("ann", prepared=("t-hard", "t-trap"))
    board = scene(match.state).board
    ann = board.sides[0]
    assert [(one.name, one.usable) for one in ann.tactics] == [("t-hard", False), ("t-trap", True)]
    assert (ann.skills, ann.collective, ann.rebounds, ann.score) == ((3, 3, 3, 2, 2, 3), 6, 4, 0)
    assert board.track == ("?", "?", None, None, None, None)
    assert (board.turn, board.limit, board.pile, board.money_time) == (1, 24, 9, False)


def test_the_end_says_who_won_and_the_ranking() -> None:
    match = Match()
    match.play("concede", side="ben")
    assert said(figure(match, Headline)) == ["Victoire : Anne"]
    three = Match(header("ann", "ben", "cat", market_cards=6)).pass_turns(14)
    assert said(scene(three.state).figures) == ["Match nul", "1 – Anne : 0", "2 – Benoît : 0", "3 – Chloé : 0"]


@pytest.mark.parametrize("seed", range(6))
def test_every_text_of_a_match_is_said_in_both_languages(seed: int) -> None:
    random = Random(seed)
    state = NBA.begin(NBA.random_header(random))
    languages = [Language(code) for code in LANGUAGES]
    found: list[Any] = []
    while not NBA.finished(state):
        fields_ = NBA.random_event(state, random)
        event = NBA.parse(fields_)
        NBA.decide(state, event)
        state, outcome = NBA.apply(state, event)
        found += [NBA.describe(state, fields_, outcome), NBA.describe(state, fields_, {})]
        if random.random() < 0.15:
            shown = NBA.scene(state)
            found += [*messages((shown.sides, shown.figures)), *messages(NBA.awaits(state))]
            assert all(len(side.facts) <= 5 for side in shown.sides)
            for one in shown.figures:
                if isinstance(one, Sum):
                    assert sum(term.value for term in one.terms) == one.total
                if isinstance(one, Ruler):
                    assert sum(Fraction(cell.chance) for cell in one.cells) == 1
    sentences = [language.text(message) for language in languages for message in found]
    assert [sentence for sentence in sentences if GAP.search(sentence)] == []
