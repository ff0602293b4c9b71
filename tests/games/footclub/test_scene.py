"""The table display of FootClub: the figures of the design's example, the board, and hidden secrets."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from companion.games.base import Message
from companion.games.figures import Headline, OddsBar, Ruler, Sum
from companion.games.footclub import FOOTCLUB
from companion.games.footclub.decisions import decision
from companion.games.footclub.scene import FootClubBoard, ruler, scene
from companion.games.footclub.state import Duel, State
from companion.games.footclub.tables import SUGGESTED_TACTICS, TYPES
from companion.language import Language
from tests.games.footclub.scenes import ATTACK, KICK_OFF, played, states


def after(*events: dict[str, Any]) -> State:
    return played(*KICK_OFF, *events)[0]


def figure(state: State, kind: type[Any]) -> Any:
    return next(one for one in scene(state).figures if isinstance(one, kind))


def terms(state: State) -> list[tuple[str, int, str | None]]:
    total = figure(state, Sum)
    assert sum(term.value for term in total.terms) == total.total
    return [(Language("fr").text(term.label), term.value, term.side) for term in total.terms]


def test_the_board_of_the_design() -> None:
    board = scene(after()).board
    assert isinstance(board, FootClubBoard)
    blue, red = board.clubs
    assert (blue.name, blue.home, blue.att, blue.defence, blue.optimised) == ("Valcendre", True, 24, 23, True)
    assert (red.name, red.home, red.att, red.defence, red.optimised) == ("Port-Mélian", False, 19, 26, False)
    assert blue.formation == "2-2-1-3-2"
    assert [player.short for player in dict(blue.lineup)["fw"]] == ["E. Garance", "B. Norvan"]
    assert [player.id for _, line in blue.lineup for player in line if player.captain] == ["vc-garance"]
    assert len(blue.bench) == 5
    assert (board.score, board.half, board.turn, board.turns) == ((0, 0), 1, 1, 5)
    assert (board.ball_colour, board.possession, board.holder_name) == ("yellow", "red", "Tristan Barsac")


def test_before_the_team_sheets_the_board_has_names_only() -> None:
    board = scene(played(*KICK_OFF[:1])[0]).board
    assert [club.att for club in board.clubs] == [24, None]
    assert board.clubs[1].lineup == ()
    assert board.clubs[0].initial_bonus is None


def test_an_attack_shows_the_start_bonus_and_its_odds() -> None:
    state = after(*ATTACK[:3])
    assert terms(state) == [("ATT", 24, "blue"), ("DEF", -26, "red")]
    goal, corner, save = figure(state, OddsBar).parts
    assert (goal.chance, corner.chance, save.chance) == ("2/9", "1/18", "13/18")  # chapter 21 at -2
    assert (goal.side, corner.side, save.side) == ("blue", None, "red")
    assert figure(state, Headline).badge == "yellow"


def test_an_offensive_shows_every_term() -> None:
    state = after(
        *ATTACK,
        {"event": "spend", "side": "blue", "kop": True},
        {"event": "spend", "side": "blue", "supporters": 1},
        {"event": "attacking_support", "side": "blue"},
        {"event": "spend", "side": "red", "supporters": 2},
        {"event": "defensive_support", "side": "red", "section": "fb_r"},
        {"event": "roll", "dice": [4, 5]},
    )
    assert terms(state) == [
        ("départ", -2, None),
        ("Adroit", 1, "blue"),
        ("Kop", 2, "blue"),
        ("Supporters", 1, "blue"),
        ("Soutien off.", 2, "blue"),
        ("Supporters", -2, "red"),
        ("Soutien déf.", -2, "red"),
    ]
    assert figure(state, OddsBar).parts[0].chance == "1/2"


@pytest.mark.parametrize("seed", range(20))
def test_the_terms_always_sum_to_the_bonus(seed: int) -> None:
    for state in states(seed):
        for one in scene(state).figures:
            if isinstance(one, Sum):
                terms = sum(term.value for term in one.terms)
                assert one.total == (max(-5, min(5, terms)) if one.detail is not None else terms)
            if isinstance(one, OddsBar):
                assert sum(Fraction(part.chance) for part in one.parts) == 1
            if isinstance(one, Ruler):
                assert sum(Fraction(cell.chance) for cell in one.cells) == 1
        assert all(len(side.stats) <= 5 for side in scene(state).sides)


def duel(kind: str, mode: str, modifier: int, throw: int = 1) -> Duel:
    return Duel(kind, "red", "pm-castel", None, mode, modifier, throw)


@pytest.mark.parametrize(
    ("thrown", "results", "marks"),
    [
        (duel("tackle", "regular", 0), "fffff" + "ssssss", {2: "yellow"}),
        (duel("tackle", "aggressive", 0), "ttttt" + "ssssss", {}),
        (duel("tackle", "aggressive", 1, 2), "fffff" + "ssssss", {2: "red"} | dict.fromkeys((4, 5, 6, 7), "yellow")),
        (duel("defensive_support", "regular", -1), "ffffff" + "sssss", {2: "yellow"}),
    ],
)
def test_the_ruler_says_what_each_total_comes_to(thrown: Duel, results: str, marks: dict[int, str]) -> None:
    cells = ruler(thrown).cells
    assert "".join(cell.result[0] if cell.result != "second_throw" else "t" for cell in cells) == results
    assert cells[0].total == 2  # two ones stay two ones
    assert [cell.total for cell in cells[1:]] == [dice + thrown.modifier for dice in range(3, 13)]
    found = {cell.total: cell.mark for cell in reversed(cells) if cell.mark}
    assert found == marks
    sides = {"s": "red", "f": "blue", "t": None}
    assert [cell.side for cell in cells] == [sides[letter] for letter in results]


def test_a_tackle_names_both_players() -> None:
    state = after(ATTACK[0])
    headline = figure(state, Headline)
    assert Language("fr").text(headline.text) == "Tacle régulier"
    assert Language("fr").text(headline.detail) == "Théo Lescure tacle Tristan Barsac"
    foul, won = figure(state, OddsBar).parts
    assert (foul.chance, foul.side, won.chance, won.side) == ("5/12", "red", "7/12", "blue")


def test_facts_as_in_the_design() -> None:
    facts = [(Language("fr").text(fact.label), fact.value) for fact in scene(after()).sides[1].stats]
    assert facts == [("Tribunes", "5"), ("Main", "6"), ("Pioche", "8"), ("Chang. restants", "3"), ("Cartons", "0")]


def told_to_the_app(counts: dict[str, int]) -> State:
    choice = {"event": "tactics", "side": "blue", "cards": counts}
    return played(*KICK_OFF[:2], choice, *KICK_OFF[3:])[0]


def test_a_choice_told_to_the_app_shows_nowhere() -> None:
    """FC-4.5: two different secret choices give the same display and the same offered choices."""
    one = told_to_the_app(SUGGESTED_TACTICS)
    two = told_to_the_app({"defensive_support": 8, "attacking_support": 5, "solo_effort": 1})
    assert one != two
    assert scene(one) == scene(two)
    assert decision(one) == decision(two)


def test_a_type_whose_every_card_was_seen_is_barred_for_all() -> None:
    state = after(*ATTACK[:3])
    club = state.club("blue")
    seen = tuple(4 if type_ == "positional_attack" else 0 for type_ in TYPES)
    left = tuple(0 if type_ == "positional_attack" else 3 for type_ in TYPES)
    state = replace(state, clubs=state.with_clubs(replace(club, discard=seen, cards_left=left)))
    reasons = [
        choice.disabled_reason for choice in decision(state).choices if choice.event.get("kind") == "positional_attack"
    ]
    assert [one and one.rule for one in reasons] == ["FC-4.7"]


def test_a_finished_match_says_who_won_and_how() -> None:
    state = after({"event": "forfeit", "side": "red"})
    headline = figure(state, Headline)
    assert Language("fr").text(headline.text) == "Victoire\u00a0: Valcendre"
    assert Language("fr").text(headline.detail) == "sur tapis vert"
    assert scene(state).board.result.winner == "blue"
    assert FOOTCLUB.finished(state)
    assert state.result is not None
    by_goals = replace(state, result=replace(state.result, by="goals"))
    assert figure(by_goals, Headline).detail is None, "the score says it"


def test_a_player_who_was_placed_is_shown_with_its_place() -> None:
    rows = (state for seed in range(3) for state in states(seed))
    placed = [state for state in rows if state.duel is not None and state.duel.target is None]
    details = [figure(state, Headline).detail for state in placed]
    places = [detail.args.get("what", detail).args["place"] for detail in details]
    assert any(isinstance(place, Message) and place.id.startswith("footclub.place.") for place in places)
