"""The table display of hoops21: the board of the design, the figures of each phase, and complete odds."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from companion.games.base import Message
from companion.games.figures import Headline, NoticeFigure, OddsBar, Race, Sum, Throws
from companion.games.hoops21 import HOOPS21
from companion.games.hoops21.scene import BoardMark, BoardRace, HoopsBoard, scene
from companion.language import Language
from tests.games.hoops21.kit import ADVANCED, MIXED, Match, dice, shooting, under_way
from tests.games.hoops21.test_decisions import states


def figures(match: Match, kind: type[Any]) -> list[Any]:
    return [one for one in scene(match.state).figures if isinstance(one, kind)]


def text_of(message: Any) -> str:
    return Language("fr").text(message)


def test_the_board_of_the_design() -> None:
    match = under_way(12, court={"modifiers": {"2": -1}})
    match.throw("bbbpsf", "sspbfp")
    board = HOOPS21.scene(match.state).board
    assert isinstance(board, HoopsBoard)
    orange, white = board.sides
    assert (orange.name, orange.role, orange.token, orange.dice) == ("Les Huppes", "attack", False, 6)
    assert (white.name, white.role, white.token) == ("Quai Nord", "defence", True)
    assert (board.score, board.target, board.sections, board.arcs) == ((0, 0), 21, 16, (5, 12))
    assert (board.pawn, board.attack, board.reachable_sections) == (12, "orange", (15,))
    assert board.marks == (BoardMark(3, -1), BoardMark(14, -1))
    mine, theirs = board.throws
    assert mine.groups == (("ball", 3), ("pass", 1), ("steal", 1), ("free_throw", 1))
    assert (mine.count, mine.playing) == (3, ("ball",))
    assert theirs.groups == (("pass", 2), ("steal", 2), ("ball", 1), ("free_throw", 1))
    assert (theirs.count, theirs.playing) == (2, ("pass", "steal"))


def test_before_the_jump_ball_there_is_no_pawn() -> None:
    board = scene(Match().state).board
    assert (board.pawn, board.attack, board.throws, board.sides[0].role) == (None, None, (), None)


def test_the_target_of_an_advance_to_the_basket_is_the_basket() -> None:
    match = under_way(14)
    match.throw("bbbpsf", MIXED)
    assert scene(match.state).board.reachable_sections == (16,)
    assert scene(shooting(14).state).board.reachable_sections == (11,)
    assert scene(shooting(9).state).board.reachable_sections == ()


def test_the_race_on_the_board() -> None:
    match = shooting()
    match.shot("pssssf", "pssssf")
    match.inbound("orange", "sspppf")
    match.inbound("white", "bbpssf")
    assert scene(match.state).board.race == BoardRace("white", 6, 2)
    crossed, stolen = figures(match, OddsBar)[0].parts
    assert (crossed.side, stolen.side) == ("white", "orange")
    assert Fraction(crossed.chance) + Fraction(stolen.chance) == 1


def test_a_shot_shows_what_is_added_and_what_stepping_out_is_worth() -> None:
    match = shooting(12, court={"modifiers": {"4": 1}})
    (added,) = figures(match, Sum)
    assert (added.total, [(text_of(term.label), term.value) for term in added.terms]) == (
        2,
        [("dans l’arc", 1), ("case marquée", 1)],
    )
    here, outside = figures(match, OddsBar)
    assert text_of(outside.parts[0].label) == "Tir à 3 points"
    assert text_of(here.parts[0].label) == "Tir réussi"
    assert here.parts[1].side is None
    notices = [text_of(notice.text) for notice in figures(match, NoticeFigure)]
    assert notices == [
        "En cas d’égalité, le jeton décide : Quai Nord".replace(" :", "\N{NO-BREAK SPACE}:"),
        "En 100 tirs d’ici : 164 points en moyenne ; de l’extérieur : 53".replace(" :", "\N{NO-BREAK SPACE}:").replace(
            " ;", "\N{NARROW NO-BREAK SPACE};"
        ),
    ]


def test_a_tied_shot_shows_both_throws_with_what_the_section_adds() -> None:
    match = shooting(12)
    match.shot("bbbpsf", "bbbbsf")
    own, against = figures(match, Throws)[0].rows
    assert (own.number, text_of(own.label)) == (4, "3 Ballons, +1")
    assert (against.number, text_of(against.label)) == (4, "Ballons")
    assert [(group.die.symbol, group.count) for group in against.groups if group.counts] == [("ball", 4)]


def test_a_throw_to_choose_from_is_sorted_with_the_counting_symbols_first() -> None:
    match = under_way(12)
    match.throw("psbbbf", "sspbfp")
    mine, theirs = figures(match, Throws)[0].rows
    assert [(group.die.symbol, group.count, group.counts) for group in mine.groups] == [
        ("ball", 3, True),
        ("pass", 1, False),
        ("steal", 1, False),
        ("free_throw", 1, False),
    ]
    assert (mine.number, text_of(mine.label)) == (3, "Ballons")
    assert (theirs.number, text_of(theirs.label)) == (2, "Passes, S")


def test_the_race_has_a_lane_for_the_line_and_one_for_the_steals() -> None:
    match = shooting()
    match.shot("pssssf", "pssssf")
    match.inbound("white", "bbpssf")
    match.inbound("orange", "sspppf")
    line, aside = figures(match, Race)[0].lanes
    assert (line.side, line.done, line.due) == ("white", 2, 8)
    assert (aside.side, aside.done, aside.due) == ("orange", 2, 6)


def test_the_race_says_what_to_do_before_the_first_throw_and_then_how_its_odds_are_meant() -> None:
    match = shooting()
    match.shot("pssssf", "pssssf")
    (headline,) = figures(match, Headline)
    assert headline.detail == Message("hoops21.notice.race")
    assert figures(match, NoticeFigure) == []
    match.inbound("orange", "sspppf")
    assert figures(match, Headline)[0].detail is None
    assert [notice.text.id for notice in figures(match, NoticeFigure)] == ["hoops21.notice.one_pace"]


def test_the_advice_stands_with_its_odds() -> None:
    match = shooting(13, **ADVANCED)
    match.play("ruling", text="x", token="orange")
    match.shot("bbbpsf", "bbbbbs")
    assert [notice.rule for notice in figures(match, NoticeFigure)] == ["HB-11.1"]
    assert [(part.chance, part.side) for part in figures(match, OddsBar)[0].parts] == [
        ("7/27", "orange"),
        ("20/27", "white"),
    ]


def test_facts_of_a_team() -> None:
    match = shooting(12)
    match.shot("bbbbsf", MIXED)
    facts = {text_of(fact.label): fact.value for fact in scene(match.state).sides[0].stats}
    assert facts == {"Lancers gagnés": "1", "Dunks": "0", "Tirs": "1/1", "Lancers francs": "0/0", "Interceptions": "0"}


@pytest.mark.parametrize("seed", range(3))
def test_odds_are_whole_and_sums_are_their_terms(seed: int) -> None:
    for state in states(seed):
        seen = scene(state)
        assert isinstance(hash(seen.board), int)
        assert all(len(side.stats) <= 5 for side in seen.sides)
        for figure in seen.figures:
            if isinstance(figure, OddsBar):
                assert sum(Fraction(part.chance) for part in figure.parts) == 1
            elif isinstance(figure, Sum):
                assert figure.total == sum(term.value for term in figure.terms)


def test_the_end() -> None:
    match = under_way()
    match.play("concede", team="orange")
    (headline,) = figures(match, Headline)
    assert text_of(headline.text) == "Victoire\N{NO-BREAK SPACE}: Quai Nord"


def test_a_level_throw_says_why_it_is_won() -> None:
    """After a reroll that ends level the team that threw again loses (HB-11.5); else the token decided."""
    match = under_way(9, **ADVANCED)
    match.throw("bbbpsf", "sspbfp")
    match.play("reroll", kept=dice("spb"), rolled=dice("ppf"))
    assert match.phase == "choose"
    assert "HB-11.5" in [notice.rule for notice in figures(match, NoticeFigure)]
    match = under_way(9)
    match.throw("bbbpsf", "sssbfp")
    match.play("token", use=False)
    assert match.phase == "choose"
    assert "HB-5.1" in [notice.rule for notice in figures(match, NoticeFigure)]
