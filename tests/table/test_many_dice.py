"""Rolls of many dice: both teams in a race, a thousand readings, faces that no die of the match has."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

from companion.games.base import Die
from companion.games.hoops21 import HOOPS21
from companion.games.nba import NBA
from companion.table import throws
from companion.table.throws import MAX_COMBINATIONS, AskFace, NoEvent, Recordable, dice_to_throw
from tests.games.hoops21.kit import Match, dice
from vision.roll import DieReading, Doubt, Face, Roll, Status

NBA_HEADER = {"journal": 1, "game": "nba", "sides": {"one": {"name": "A"}, "two": {"name": "B"}}}


def lie(kind: str, *faces: Face, x: float = 0.0) -> list[DieReading]:
    """Return certain dice of a kind, side by side."""
    return [
        DieReading(kind, face, (x + 60.0 * index, 0.0, 40.0, 40.0), 1.0, possible=((face, 1.0),))
        for index, face in enumerate(faces)
    ]


def team(side: str, letters: str) -> list[DieReading]:
    return lie(side, *(Face(symbol=symbol) for symbol in dice(letters)), x=0.0 if side == "orange" else 1000.0)


def race() -> Match:
    match = Match()
    match.play("jump_ball", orange=dice("bbbppp"), white=dice("bppppp"))
    match.play("ruling", text="x", restart="inbound", team="orange")
    return match


def judged(state: Any, on_table: list[DieReading], game: Any = HOOPS21) -> throws.Verdict:
    return throws.judge(game, state, game.decision(state), on_table)


def test_twelve_dice_are_one_throw() -> None:
    found = judged(Match().state, team("orange", "bbpssf") + team("white", "bppssf"))
    assert isinstance(found, Recordable)
    assert found.fields["event"] == "jump_ball"


def test_a_missing_die_of_twelve_is_told() -> None:
    found = judged(Match().state, team("orange", "bbpssf") + team("white", "bppss"))
    assert isinstance(found, NoEvent)
    assert found.reason.args == {"n": 1, "total": 12}


def test_both_teams_of_a_race_at_once_make_two_events() -> None:
    match = race()
    white, orange = team("white", "sspppp"), team("orange", "bpppss")
    first = judged(match.state, white + orange)
    assert isinstance(first, Recordable)
    assert (first.fields["team"], first.rest) == ("orange", (0, 1, 2, 3, 4, 5))
    match.play(**first.fields)
    second = judged(match.state, white)
    assert isinstance(second, Recordable)
    assert (second.fields["team"], second.rest) == ("white", ())


def test_a_team_in_a_race_is_recorded_while_the_dice_of_the_other_are_not_complete() -> None:
    found = judged(race().state, team("orange", "bpppss") + team("white", "ss"))
    assert isinstance(found, Recordable)
    assert found.rest == (6, 7)


def test_dice_of_the_other_team_that_a_throw_pushed_are_not_thrown() -> None:
    """White dice are in the tray; orange is thrown and pushes one white die across the tray."""
    before = team("white", "sspppp")
    pushed = replace(before[0], box=(100.0, 300.0, 40.0, 40.0))
    now = Roll(Status.OK, (pushed, *before[1:], *team("orange", "bpppss")), again=True)
    fresh, old = throws.split_new_dice(before, now, due=6)
    assert fresh == (6, 7, 8, 9, 10, 11)
    assert old == (0, 1, 2, 3, 4, 5)


def test_a_whole_team_pushed_by_the_other_is_not_thrown_either() -> None:
    """All six white dice were hit; their faces are those already counted."""
    before = team("white", "sspppp")
    moved = [replace(die, box=(die.box[0] + 50, 60.0, 40.0, 40.0)) for die in before]
    now = Roll(Status.OK, (*moved, *team("orange", "bpppss")), again=True)
    fresh, _ = throws.split_new_dice(before, now, due=6)
    assert fresh == (6, 7, 8, 9, 10, 11)


def test_seven_dice_of_a_team_in_a_race_are_one_too_many() -> None:
    assert isinstance(judged(race().state, team("orange", "bpppssb")), throws.AskExtra)


def test_thousands_of_readings_are_not_all_tried() -> None:
    tried: Counter[str] = Counter()

    def count_throw(state: Any, on_table: Any) -> Any:
        tried["throws"] += 1
        return HOOPS21.event_from_dice_fn(state, on_table)

    every = tuple((Face(symbol=symbol), 0.25) for symbol in dice("bpsf"))
    unread = [DieReading("orange", Face(), (60.0 * i, 0, 40, 40), 0.25, Doubt.HIDDEN, possible=every) for i in range(6)]
    on_table = unread + team("white", "bbbbbb")
    found = judged(Match().state, on_table, replace(HOOPS21, event_from_dice_fn=count_throw))
    assert isinstance(found, AskFace)
    assert tried["throws"] <= MAX_COMBINATIONS + 1 + 6 * 4


def test_a_die_is_asked_about_that_makes_a_difference() -> None:
    """A jump ball counts balls: pass or steal makes no difference, ball or pass does."""
    on_table = team("orange", "bbpssf") + team("white", "bppssf")
    for index, others in ((2, "ps"), (7, "pb")):
        ways = tuple((Face(symbol=symbol), 0.5) for symbol in dice(others))
        on_table[index] = DieReading(
            on_table[index].kind, ways[0][0], on_table[index].box, 0.5, Doubt.FACE, possible=ways
        )
    assert judged(Match().state, on_table) == AskFace(7)


def test_a_face_that_no_die_of_the_match_shows_is_asked_about() -> None:
    """NBA-2.4: an interception die has no 3, even if the reader is certain of it."""
    state = NBA.initial_state(NBA_HEADER)
    found = judged(state, lie("interception", Face(2, "blue"), Face(3, "red")), NBA)
    assert found == AskFace(1, may_be_no_die=True)


def test_thirty_dice_of_three_kinds_are_an_attack() -> None:
    state = NBA.initial_state(NBA_HEADER)
    kinds = ("three_points", "inside", "penetration")
    on_table = [die for n, kind in enumerate(kinds) for die in lie(kind, *[Face(6)] * 10, x=1000.0 * n)]
    found = judged(state, on_table, NBA)
    assert isinstance(found, Recordable)
    assert len(found.fields["dice"]) == 30


def test_a_number_of_open_colour_can_be_of_each() -> None:
    """NBA-2.4: an unknown face accepts each of the three colours."""
    state = NBA.initial_state(NBA_HEADER)
    assert set(NBA.faces(state, "interception")) >= {Die("interception", 4, c) for c in ("blue", "yellow", "red")}
    assert Die("block", 3, "blue") not in NBA.faces(state, "block")


def test_where_players_choose_some_dice_are_thrown_that_make_an_event() -> None:
    state = NBA.initial_state(NBA_HEADER)
    thrown = dice_to_throw(NBA, state, NBA.decision(state))
    assert thrown
    assert all(await_.min_count is None for await_ in thrown)
    assert sum(await_.count for await_ in thrown) <= 12
