"""The table display of NBA: facts, board and figures, with all texts in both catalogues."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from companion.games.base import Message
from companion.games.figures import DiceTable, Headline, Lanes, NoticeFigure, Ruler
from companion.games.nba import NBA
from companion.games.nba.scene import scene
from companion.games.nba.tables import SKILLS
from companion.language import LANGUAGES, Language
from tests.games.nba.kit import Match, dice, full, header, solo

GAP = re.compile(r"\{|\bnba\.|\bcommon\.")


def messages(value: Any) -> Iterator[Message]:
    """Yield every text inside a value."""
    if isinstance(value, Message):
        yield value
    elif isinstance(value, tuple | list):
        for each in value:
            yield from messages(each)
    elif is_dataclass(value):
        for field in fields(value):
            yield from messages(getattr(value, field.name))


def texts_of(value: Any, code: str = "fr") -> list[str]:
    """Return the texts of a value, with ordinary spaces."""
    return [Language(code).text(message).replace("\N{NO-BREAK SPACE}", " ") for message in messages(value)]


def figure(match: Match, kind: type[Any]) -> Any:
    return next(one for one in scene(match.state).figures if isinstance(one, kind))


def lanes_of(match: Match) -> dict[str | None, list[list[tuple[int, str]]]]:
    """Return the dice of each row by colour: value and mark."""
    lanes = figure(match, Lanes)
    return {
        colour: [[(one.die.value, one.mark) for one in row.cells[place]] for row in lanes.rows]
        for place, colour in enumerate(lanes.colours)
    }


def test_a_pending_attack_lies_in_lanes_with_the_dice_that_stop_it() -> None:
    match = Match()
    match.play("attack", dice=dice("inside 7 0, penetration 6"))
    match.play("end_turn")
    match.play("defend", dice=dice("stop 3y 3b 0, block 1r"))
    assert lanes_of(match) == {
        "yellow": [[(7, ""), (0, "")], [(3, "yes")]],
        "red": [[(6, "")], [(1, "yes")]],
        None: [[], [(3, "no"), (0, "no")]],
    }
    lanes = figure(match, Lanes)
    assert (lanes.parts, lanes.total, lanes.side, lanes.between) == (((13, "ann"), (4, "ben")), 9, "ann", None)
    assert [row.detail for row in lanes.rows] == ["13", "3 + 1"]
    assert texts_of((lanes.title, lanes.outcome)) == [
        "L’attaque en attente d’Anne",
        "points pour Anne à la fin de ce tour",
    ]
    idle = [texts_of(one.sentence)[0] for one in lanes.rows[1].cells[2]]
    assert idle[0] == "Stop 3 bleu : il n’enlève rien, l’attaque n’a aucun dé de cette couleur (bleu)."


def test_an_attack_never_scores_less_than_nothing() -> None:
    match = Match()
    match.play("attack", dice=dice("inside 2"))
    match.play("end_turn")
    match.play("defend", dice=dice("stop 3y"))
    lanes = figure(match, Lanes)
    assert [row.detail for row in lanes.rows] == ["2", "3"]
    assert (lanes.parts, lanes.total) == (((2, "ann"), (2, "ben")), 0)
    ending = next(one for one in NBA.decision(match.state).choices if one.event == {"event": "end_turn"})
    assert texts_of(ending.detail) == ["0 pour Anne"]


def test_of_three_sides_each_opponent_has_its_lanes() -> None:
    match = Match(header("ann", "ben", "cat"))
    match.play("attack", dice=dice("inside 7"))
    match.play("end_turn")
    match.play("attack", dice=dice("three_points 9"))
    found = [one for one in scene(match.state).figures if isinstance(one, Lanes)]
    assert [(one.between, one.side, one.total) for one in found] == [
        (("ben", "ann"), "ann", 7),
        (("ben", "cat"), "ben", 9),
    ]
    assert texts_of([one.outcome for one in found]) == [
        "points pour Anne quand vient son tour",
        "points pour Benoît quand vient son tour",
    ]


def test_before_the_first_attack_the_dice_of_each_court_are_compared() -> None:
    table = figure(Match(full()), DiceTable)
    assert [die.kind for die in table.dice] == list(SKILLS)
    assert table.rows == (("ann", (3, 3, 3, 2, 2, 3)), ("ben", (3, 3, 3, 2, 2, 3)))
    assert not any(isinstance(one, DiceTable) for one in scene(Match().state).figures)


def test_a_tactic_shows_its_chances_before_it_is_chosen() -> None:
    match = Match(full()).reshape("ann", prepared=("t-out",))
    ruler = figure(match, Ruler)
    assert [(cell.total, cell.chance) for cell in ruler.cells][:2] == [(0, "1/8"), (2, "1/8")]
    assert texts_of(ruler.title) == ["t-out : 8,1 points en moyenne"]
    assert texts_of(ruler.title, "en") == ["t-out: 8.1 points on average"]


def test_an_open_roll_says_what_a_reroll_promises() -> None:
    match = Match(full(coaches={"ann": {"power": "rebounds"}})).reshape("ann", prepared=("t-out",))
    match.play("activate", tactic="t-out", dice=dice("three_points 9 2 0"))
    assert lanes_of(match) == {"blue": [[(9, "yes"), (2, "yes"), (0, "again")]]}
    lanes = figure(match, Lanes)
    assert lanes.total == 11
    assert texts_of(lanes.outcome) == ["points à garder, ou 12,8 en moyenne en relançant 1 dé"]
    choices = {choice.label.id: choice for choice in NBA.decision(match.state).choices}
    assert texts_of(choices["nba.do.reroll"].effect) == ["≈ 13 pts"]
    assert texts_of(choices["nba.do.keep"].effect) == ["11 pts"]
    assert [choices[f"nba.do.{id}"].prominence for id in ("reroll", "keep")] == [1, 2]


def test_a_defence_being_rolled_is_set_against_the_attack() -> None:
    match = Match(full()).reshape("ann", prepared=("t-out",)).reshape("ben", prepared=("t-trap",))
    match.play("activate", tactic="t-out", dice=dice("three_points 9 2 0"))
    match.play("keep", dice=[0, 1])
    match.play("end_turn")
    match.play("activate", tactic="t-trap", dice=dice("block 3r 0, stop 3b 3b 2y"))
    lanes = lanes_of(match)
    assert lanes["blue"] == [[(9, ""), (2, "")], [(3, "yes"), (3, "no")]]
    assert lanes[None][1] == [(3, "no"), (2, "no"), (0, "no")]
    assert figure(match, Lanes).total == 8


def test_a_face_without_a_colour_in_the_rules_is_told_once_it_is_thrown() -> None:
    def notices(match: Match) -> list[str]:
        return [text for one in scene(match.state).figures if isinstance(one, NoticeFigure) for text in texts_of(one)]

    match = Match(full()).reshape("ann", prepared=("t-trap",))
    assert notices(match) == []
    match.play("activate", tactic="t-trap", dice=dice("block 2r 0, stop 3b 0 0"))
    assert notices(match) == ["Contre 2 rouge : couleur absente des règles, vérifiez-la sur le dé"]


def test_facts() -> None:
    match = Match(full(variants={"mismatch": 3})).reshape("ann", prepared=("t-out",))
    names = ["Cartes Fatigue", "Pile Fatigue", "Relances", "Mismatch"]
    facts = scene(match.state).sides[0].stats
    assert [(texts_of(fact.label)[0], fact.value) for fact in facts] == list(zip(names, "0903", strict=True))
    match.play("activate", tactic="t-out", dice=dice("three_points 9 2 0"))
    match.play("keep", dice=[0])
    assert (texts_of(scene(match.state).sides[0].stats[0].label)[0], scene(match.state).sides[0].stats[0].value) == (
        "Attaque",
        "9",
    )
    ai = scene(Match(solo()).state).sides[1]
    assert (texts_of(ai.stats[-1].label)[0], ai.stats[-1].value) == ("Ressources", "2")


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
    assert texts_of(figure(match, Headline)) == ["Victoire : Anne"]
    three = Match(header("ann", "ben", "cat", market_cards=6)).pass_turns(14)
    assert texts_of(scene(three.state).figures) == ["Match nul", "1. Anne : 0, 1. Benoît : 0, 1. Chloé : 0"]


@pytest.mark.parametrize("seed", range(6))
def test_every_text_of_a_match_is_said_in_both_languages(seed: int) -> None:
    random = Random(seed)
    state = NBA.initial_state(NBA.random_header(random))
    languages = [Language(code) for code in LANGUAGES]
    found: list[Any] = []
    while not NBA.finished(state):
        fields_ = NBA.random_event(state, random)
        event = NBA.parse(fields_)
        NBA.validate(state, event)
        state, outcome = NBA.apply(state, event)
        found += [NBA.describe(state, fields_, outcome), NBA.describe(state, fields_, {})]
        if random.random() < 0.15:
            displayed = NBA.scene(state)
            found += [*messages((displayed.sides, displayed.figures)), *messages(NBA.decision(state))]
            assert all(len(side.stats) <= 5 for side in displayed.sides)
            for one in displayed.figures:
                if isinstance(one, Lanes) and one.parts:
                    assert max(0, one.parts[0][0] - one.parts[1][0]) == one.total
                if isinstance(one, Ruler):
                    assert sum(Fraction(cell.chance) for cell in one.cells) == 1
    sentences = [language.text(message) for language in languages for message in found]
    assert [sentence for sentence in sentences if GAP.search(sentence)] == []
