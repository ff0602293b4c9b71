"""The simulated table: dice of every game, and a demo of each game that reads its own throws."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from companion.commands.demo import match_reader
from companion.commands.simulated_table import face_on_top, with_random_colours
from companion.games.base import Die
from companion.games.hoops21 import HOOPS21
from companion.games.registry import GAMES
from tests.commands.test_commands import DONE, companion
from tests.games.hoops21.kit import Match
from vision import dice_sets
from vision.roll import Face, SeenRoll


@pytest.mark.parametrize(
    ("set_name", "die"),
    [
        ("footclub", Die("pips", 4)),
        ("footclub", Die("ball", colour="violet")),
        ("hoops21", Die("white", symbol="steal")),
        ("nba", Die("three_points", 9)),
        ("nba", Die("stop", 3, "blue")),
        ("nba", Die("interception", 4, "red")),
        ("nba", Die("block", 8, "yellow")),
    ],
)
def test_any_face_lies_on_top(set_name: str, die: Die) -> None:
    kind, number = face_on_top(dice_sets.load(set_name).kind(die.kind), die)
    assert kind.faces[number - 1] == Face(die.value, die.colour, die.symbol)
    assert len(kind.faces) == 6


def test_dice_are_made_with_every_number_coloured() -> None:
    made = with_random_colours(dice_sets.load("nba"), Random(3))
    assert all(face.colour for kind in made.kinds if kind.inks for face in kind.faces if face.value)


def test_symbols_of_both_teams_are_read_from_the_drawn_tray() -> None:
    reader = match_reader(HOOPS21, Match().state, dice_sets.load("hoops21"), 5)
    thrown = [Die("orange", symbol="ball"), Die("orange", symbol="pass"), Die("white", symbol="steal")]
    reader.throw(thrown)
    rolls: list[SeenRoll] = []

    def roll_seen() -> bool:
        rolls.extend(news for news in reader.poll() if isinstance(news, SeenRoll))
        return bool(rolls)

    reader.advance_until(roll_seen)
    read = [(die.kind, die.face.symbol) for die in rolls[-1].roll.dice]
    assert sorted(read) == [("orange", "ball"), ("orange", "pass"), ("white", "steal")]
    for die in rolls[-1].roll.dice:
        assert reader.truth_at(die.box) == Die(die.kind, symbol=die.face.symbol)


def test_the_demo_of_a_game_without_dice_plays_and_tells(tmp_path: Path) -> None:
    result = companion("demo", "occasion", "--seed", "2", "--fast", home=tmp_path)
    assert result.returncode == DONE, result.stderr
    summary = json.loads(result.stdout)
    assert (summary["dice"], summary["misread"], summary["replayed"]) == (0, 0, True)
    assert set(summary["score"]) == set(GAMES["occasion"].sides)
