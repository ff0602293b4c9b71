"""The table display and the timeline of occasion: all texts exist in both languages, and no secret is shown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from companion.games.base import Message
from companion.games.figures import DuelScene, Headline, NoticeFigure, OddsBar, PathZone, ZonePath
from companion.games.occasion import OCCASION, odds
from companion.games.occasion.decisions import card_form
from companion.games.occasion.messages import full_post_message
from companion.games.occasion.scene import OccasionBoard, scene
from companion.games.occasion.state import State
from companion.games.occasion.tables import DEFAULT_POSTS
from companion.games.registry import SPECS
from companion.games.summary import PlayedEvent
from companion.language import LANGUAGES, Language, messages
from tests.games.occasion.kit import Match, in_phase, opposed, revealing, states, verdict

MISSING = Message("occasion.form.missing")
"""The message of the card form for an empty field."""
SAMPLED_SHARE = 0.1
"""Share of a match's situations whose choices and figures are read."""
APART = ("occasion.refusal.", "occasion.card_fault.")


def messages_in(value: Any) -> Iterator[Message]:
    """Yield every message within a value, including nested ones."""
    if isinstance(value, Message):
        yield value
        for arg in value.args.values():
            yield from messages_in(arg)
    elif is_dataclass(value) and not isinstance(value, type):
        for each in fields(value):
            yield from messages_in(getattr(value, each.name))
    elif isinstance(value, (tuple, list)):
        for entry in value:
            yield from messages_in(entry)
    elif isinstance(value, Mapping):
        for entry in value.values():
            yield from messages_in(entry)


def everything_said(seed: int) -> Iterator[Message]:
    """Yield all messages of a random match: choices, figures, each line with and without its outcome, results."""
    random = Random(seed)
    state = OCCASION.initial_state(OCCASION.random_header(random))
    played: list[PlayedEvent[Any]] = []
    while not OCCASION.finished(state):
        if random.random() < SAMPLED_SHARE:
            yield from messages_in((OCCASION.decision(state), OCCASION.scene(state)))
        event = OCCASION.random_event(state, random)
        before = state
        state, outcome = OCCASION.apply(state, OCCASION.parse(event))
        played.append(PlayedEvent(before, event, outcome, state))
        yield from messages_in(OCCASION.describe(state, event, outcome))
        yield from messages_in(OCCASION.describe(state, event, {}))
        yield from messages_in(SPECS["occasion"].moments(before, event, outcome, state))
    yield from messages_in(SPECS["occasion"].summary(played))
    yield from messages_in((OCCASION.decision(state), OCCASION.scene(state)))


def test_every_text_is_in_both_languages_and_has_no_gap() -> None:
    messages_by_id = {}
    for seed in range(25):
        for message in everything_said(seed):
            messages_by_id[message.id] = message
    for state in (verdict(1, 1).state, doubled().state, Match(players={}).at("M", "posts").state):
        for message in messages_in((OCCASION.decision(state), OCCASION.scene(state))):
            messages_by_id[message.id] = message
    form = card_form(Match().state, "occasion", None)
    parts = form.part_fields([{"id": "A"}, {}], 1), form.part_title({}), form.part_title({"shot": True}), MISSING
    for message in messages_in(parts):
        messages_by_id[message.id] = message
    recovered = {"event": "cards_recovered", "side": "home"}, {}
    scored = {"event": "goal_scored", "player": "1"}, {"goal": True, "score": {"home": 1, "away": 0}}
    for event, outcome in (recovered, scored):
        for message in messages_in(OCCASION.describe(Match().state, event, outcome)):
            messages_by_id[message.id] = message
    for post in DEFAULT_POSTS:
        for message in messages_in(full_post_message(Match().state, post)):
            messages_by_id[message.id] = message
    drawn = {"event": "match_ended"}, {"winner": None}
    for message in messages_in(OCCASION.describe(Match().state, *drawn)):
        messages_by_id[message.id] = message
    for code in LANGUAGES:
        known = messages(code)
        assert sorted(set(messages_by_id) - set(known)) == []
        sentences = {id: Language(code).text(message) for id, message in messages_by_id.items()}
        assert {id: text for id, text in sentences.items() if re.search(r"\{\w+\}", text) or not text} == {}
        unused = {id for id in known if id.startswith("occasion.") and not id.startswith(APART)} - set(messages_by_id)
        assert unused == set()


def doubled() -> Match:
    """Return a match in which the attack's base energy, which counts double, is about to be revealed."""
    return Match().at("L1").move("lb").let_pass().move("cm").oppose("rb").no_support()


def figure(state: State, kind: type[Any]) -> Any:
    return next(one for one in scene(state).figures if isinstance(one, kind))


def columns(state: State) -> list[list[tuple[str, int | None, str]]]:
    """Return the lines of both columns of a duel."""
    return [
        [(french(one.label), one.value, one.mark) for one in column.lines]
        for column in figure(state, DuelScene).columns
    ]


def notices(state: State) -> list[str | None]:
    return [one.rule for one in scene(state).figures if isinstance(one, NoticeFigure)]


@pytest.mark.parametrize("seed", range(6))
def test_totals_are_their_lines_and_no_chances_show(seed: int) -> None:
    for state in states(seed):
        displayed = scene(state)
        assert isinstance(displayed.board, OccasionBoard)
        assert not any(isinstance(one, OddsBar) for one in displayed.figures)
        assert all(len(side.stats) <= 5 for side in displayed.sides)
        for one in displayed.figures:
            if isinstance(one, DuelScene):
                for column in one.columns:
                    known = [line.value for line in column.lines if line.value is not None]
                    assert column.total is None if not column.lines else sum(known) == column.total
        if state.duel is not None:
            assert figure(state, DuelScene).margin == OCCASION.view(state)["duel"]["margin"]


def test_the_columns_of_a_duel_line_by_line() -> None:
    match = Match().at("L1").move("lb").let_pass().move("cm").oppose("rb")
    match.play("ability_used", side="home", player="cm", ability="vision", points=2)
    match.play("add_support", side="home", players=["st"])
    match.no_support().reveal(4, 3, 1)
    assert columns(match.state) == [
        [
            ("Points", 5, ""),
            ("Bonus ligne", 1, "bonus"),
            ("Capacités", 2, "bonus"),
            ("Énergie ×2", 8, "bonus"),
            ("Iris", 1, "bonus"),
        ],
        [("Points", 4, ""), ("Bonus poste", 2, "bonus"), ("Énergie", 3, "bonus")],
    ]
    assert figure(match.state, DuelScene).margin == 8


def test_the_energy_to_turn_up_is_marked_and_the_others_are_hidden() -> None:
    match = opposed()
    match.play("add_support", side="home", players=["cm"])
    assert [mark for _, _, mark in columns(match.state)[0]] == ["", "bonus", "hidden", "hidden"]
    match.no_support().reveal(3)
    attack, defence = columns(match.state)
    assert [mark for _, _, mark in attack] == ["", "bonus", "bonus", "hidden"]
    assert [mark for _, _, mark in defence] == ["", "bonus", "due"]


def test_before_the_defence_opposes_its_column_is_empty() -> None:
    match = Match().at("L1").move("lb")
    duel = figure(match.state, DuelScene)
    assert (duel.margin, [column.total for column in duel.columns]) == (None, [6, None])
    assert columns(match.state) == [[("Points", 4, ""), ("Bonus poste", 2, "bonus"), ("Énergie", None, "hidden")], []]


def test_what_is_worth_a_notice() -> None:
    assert notices(Match().at("L1").move("lb").let_pass().state) == ["OC-7.3"]
    assert notices(Match().at("C1").move("lw", "cross").state) == ["OC-4.5"]
    assert notices(verdict(1, 1).state) == ["OC-9.2"]
    assert notices(verdict(2, 1).state) == []


def test_a_duel_is_certain_only_when_no_energy_can_turn_it() -> None:
    match = opposed()
    match.play("add_support", side="home", players=["cm"])
    match.no_support()
    assert odds.margin_range(match.state) == (-99, 198)
    assert odds.attack_win_chance(match.state) is None
    match.reveal(3, 2)
    assert odds.margin_range(match.state) == (1, 100)
    assert odds.attack_win_chance(match.state) == Fraction(1)
    assert notices(match.state) == ["OC-9.2"]
    behind = revealing().reveal(1)
    assert odds.attack_win_chance(behind.state) is None
    assert odds.attack_win_chance(behind.reveal(1).state) == Fraction(0)
    assert odds.margin_range(Match().at("L1").move("lb").state) is None


def test_the_double_energy_counts_twice_in_what_may_still_come() -> None:
    match = doubled()
    margin = match.view["duel"]["margin"]
    assert odds.margin_range(match.state) == (margin - 99, margin + 198)


def test_the_board_shows_the_card_and_the_duel() -> None:
    match = Match(goals_to_win=3).at("C1").move("cm", "dribble").oppose("rb")
    match.play("add_support", side="home", players=["st"])
    match.no_support().reveal(4)
    board = scene(match.state).board
    assert (board.chance, board.goals_to_win, board.turn, board.margin) == ("Aile gauche", 3, 1, 5)
    assert [[zone.id for zone in row] for row in board.rows] == [["L1", "C1"], ["L2"], ["box"]]
    assert [zone.id for row in board.rows for zone in row if zone.here] == ["C1"]
    attack, defence = board.duel
    assert (attack.player, attack.stat, attack.support, attack.energy) == ("Maya", "dribble", ("Iris",), (4, None))
    assert (defence.player, defence.stat, defence.energy, defence.total) == ("Tom", "tak", (None,), 5)
    assert board.sides[0].visible == ("posts",)


def test_the_board_while_a_zone_is_chosen() -> None:
    board = scene(Match().at("M", "posts").move("cm", "dribble").let_pass().state).board
    assert [zone.id for row in board.rows for zone in row if zone.option] == ["L", "R"]
    assert (board.carrier, board.bonus_x2, board.duel) == ("Maya", True, ())


def french(message: Message) -> str:
    """Return the sentence with ordinary spaces; the catalogue tests check the other kinds."""
    return Language("fr").text(message).replace("\N{NO-BREAK SPACE}", " ")


def line(match: Match, event: str, **given: Any) -> str:
    outcome = match.play(event, **given)
    return french(OCCASION.describe(match.state, {"event": event, **given}, outcome))


def test_lines_of_the_timeline() -> None:
    match = Match()
    assert line(match, "occasion_played", card="wing", zone="C1") == "Dom joue l’occasion Aile gauche, zone C1"
    assert line(match, "attack_move", player="cm", move="dribble") == "Maya : Dribble, 4 et poste +2"
    assert line(match, "defence_choice", choice="let_pass") == "La défense laisse passer, l’occasion passe en zone L2"
    match.move("cm", "pass").oppose("rb").no_support()
    assert line(match, "reveal", side="home", value=3) == "Dom révèle 3, qui compte 6 : 12 à 6"
    assert line(match, "reveal", side="away", value=1) == "Ext révèle 1 : 12 à 7"
    foul = "Faute : Ext, Tom, carton jaune, le duel continue"
    assert line(match, "foul_called", side="away", effect="none", player="rb", card="yellow") == foul
    assert line(match, "resolve") == "12 à 7 : Dom gagne le duel, tir depuis la zone box"
    assert line(match, "goal_scored", player="st") == "But pour Dom\N{NARROW NO-BREAK SPACE}! Iris"
    ruling = {"text": "But refusé", "goals": {"home": -1}, "next_attack": "home"}
    assert line(match, "ruling", **ruling) == "Décision de table : But refusé, Dom −1, Dom attaque"


def test_an_event_taken_back_says_the_bare_fact() -> None:
    match = Match().at("C1")
    text = OCCASION.describe(match.state, {"event": "attack_move", "player": "cb", "move": "pass"}, {})
    assert french(text) == "cb : Passe"  # both sides have a cb
    text = OCCASION.describe(match.state, {"event": "attack_move", "player": "lb", "move": "pass"}, {})
    assert french(text) == "Lou : Passe"
    assert Language("en").text(OCCASION.describe(match.state, {"event": "resolve"}, {})) == "Duel confirmed"


@pytest.mark.parametrize("phase", ["attack_move", "shot"])
def test_outside_a_duel_a_headline_says_where_the_chance_is(phase: str) -> None:
    assert figure(in_phase(phase).state, Headline).text.id.startswith("occasion.headline.")


def test_there_are_no_dice() -> None:
    state = in_phase("reveal").state
    assert OCCASION.event_from_dice(state, ()) is None
    assert OCCASION.dice_from_event({"event": "reveal", "side": "home", "value": 3}) == ()


def zones(state: State) -> dict[str, PathZone]:
    return {zone.id: zone for row in figure(state, ZonePath).rows for zone in row}


def test_the_path_shows_where_the_chance_is_and_where_it_may_go() -> None:
    state = Match().at("L1").state
    found = zones(state)
    here = [zone for zone in found.values() if zone.state == "here"]
    assert [zone.id for zone in here] == ["L1"]
    assert {id for zone in found.values() for id in zone.next} <= set(found)
    assert here[0].next
    sides = [side for _, side in here[0].posts]
    assert sides == [state.attack, state.defence]
    assert any(zone.shot and not zone.posts for zone in found.values())


def test_before_a_chance_is_played_the_path_of_each_is_shown_with_its_name() -> None:
    state = in_phase("choose_occasion").state
    paths = [one for one in scene(state).figures if isinstance(one, ZonePath)]
    names = [state.occasions[id].name for id in state.visible_to(state.attack) if id in state.occasions]
    assert [french(path.title) for path in paths if path.title is not None] == names
    for path in paths:
        assert {zone.state for zone in path.rows[0]} == {"option"}
        assert {zone.state for row in path.rows[1:] for zone in row} <= {"ahead"}


def test_the_headline_explains_the_abbreviations_of_posts() -> None:
    detail = figure(Match().at("L1").state, Headline).detail
    assert detail is not None
    assert re.search(r"\w+ \w+ \([A-Z]+\)", french(detail))


@pytest.mark.parametrize("seed", range(6))
def test_no_path_and_no_doubled_energy_remain_once_the_match_is_over(seed: int) -> None:
    over = [state for state in states(seed) if state.phase == "over"]
    assert over
    for state in over:
        board = scene(state).board
        assert isinstance(board, OccasionBoard)
        assert (board.rows, board.bonus_x2) == ((), False)
