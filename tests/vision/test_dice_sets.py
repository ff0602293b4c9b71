"""Dice sets: the bundled files are right, and an invalid file is refused with its location."""

import re
from pathlib import Path

import pytest

from vision import dice_sets
from vision.classification.illuminant import BODY_COLOURS
from vision.roll import Face


def test_the_sets_of_the_contract_are_there() -> None:
    assert set(dice_sets.names()) == {"pips", "numerals", "ball", "footclub", "nba", "hoops21"}
    for name in dice_sets.names():
        assert dice_sets.load(name).name == name


def test_footclub_has_classic_dice_and_the_ball() -> None:
    made = dice_sets.load("footclub")
    assert [kind.name for kind in made.kinds] == ["pips", "ball"]
    assert made.kind("pips").faces == tuple(Face(value) for value in range(1, 7))
    assert [face.colour for face in made.kind("ball").faces] == ["red", "orange", "yellow", "green", "blue", "violet"]


def test_nba_faces_are_those_of_rule_2_2() -> None:
    made = dice_sets.load("nba")
    assert [face.value for face in made.kind("three_points").faces] == [0, 0, 0, 2, 6, 9]
    assert Face(3, "red") in made.kind("block").faces
    assert len(made.kinds) == 6


def test_the_bodies_are_those_that_the_reader_tells_apart() -> None:
    assert tuple(BODY_COLOURS) == dice_sets.BODIES


def test_a_path_to_a_file_is_a_set_too(tmp_path: Path) -> None:
    text = (dice_sets.FOLDER / "pips.toml").read_text("utf-8").replace("kinds.pips", "kinds.mine")
    path = tmp_path / "my dice.toml"
    path.write_text(text, "utf-8-sig")
    assert dice_sets.load(str(path)).kinds[0].name == "mine"


GOOD = '[kinds.d]\nmarks = "pips"\nfaces = [{value=1},{value=2},{value=3},{value=4},{value=5},{value=6}]\n'


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("colour = 1\n" + GOOD, "the file has an unknown key 'colour'"),
        (GOOD + "weight = 3\n", r"\[kinds.d\] has an unknown key 'weight'"),
        (GOOD.replace("{value=3}", "{value=3, pips=2}"), r"\[kinds.d\] faces, number 3 has an unknown key 'pips'"),
        (GOOD.replace("{value=3}", '{value="three"}'), r"\[kinds.d\] faces, number 3 value: must be a whole number"),
        (GOOD.replace("{value=3}", "{value=9}"), r"\[kinds.d\] faces, number 3 value: a face with pips shows 1 to 6"),
        (GOOD.replace("pips", "plain"), r"\[kinds.d\] faces, number 1 colour: a plain face is one of red, orange"),
        (
            GOOD.replace("{value=3}", "{value=3, colour='mauve'}"),
            r"\[kinds.d\] faces, number 3 colour: 'mauve' is not among white",
        ),
        (GOOD.replace("{value=3}", "{colour=3}"), r"\[kinds.d\] faces, number 3 colour: must be a text"),
        (GOOD.replace(",{value=6}", ""), r"\[kinds.d\] faces: must be a list of six faces"),
        (GOOD.replace('"pips"', '"runes"'), r"\[kinds.d\] marks: must be one of"),
        (GOOD + "bodies = 4\n", r"\[kinds.d\] bodies: must be a list"),
        (GOOD + 'inks = ["red"]\n', r"\[kinds.d\] inks: only numbers have them, not pips"),
        (GOOD.replace("pips", "digits") + 'inks = ["beige"]\n', r"\[kinds.d\] inks: 'beige' is not among white"),
        (GOOD + "underlined = 1\n", r"\[kinds.d\] underlined: must be true or false"),
        (GOOD.replace("pips", "digits").replace("{value=3}", "{}"), r"\[kinds.d\] faces, number 3 value: is missing"),
        (GOOD.replace("pips", "symbols"), r"\[kinds.d\] faces, number 1 symbol: is missing"),
        (GOOD.replace("pips", "digits").replace("{value=3}", "{value=9999999999}"), "number 3 value: must be from"),
        (re.sub(r"value=\d", "value=1", GOOD), r"\[kinds.d\] faces: all six are the same"),
        (GOOD + 'bodies = ["white", "beige"]\n', r"\[kinds.d\] bodies: 'beige' is not among white"),
        (GOOD.replace('"pips"', "0x" + "f" * 5000), r"\[kinds.d\] marks: must be one of .* not so large a number"),
        (GOOD.replace('"pips"', "9" * 5000), "x.toml: not a TOML file: Exceeds the limit"),
        ("a = " + "[" * 10_000, "x.toml: not a TOML file: .*recursion"),
        (GOOD.replace("kinds.d", 'kinds.""'), r"kinds.'': a kind's name has 1 to 40 signs"),
        (GOOD.replace("kinds.d", "kinds." + "d" * 41), "a kind's name has 1 to 40 signs"),
        ("kinds = 3", "needs at least one section"),
        ("[kinds]\nd = 1\n", r"kinds.d must be a section \[kinds.d\]"),
        ("[[[", "not a TOML file"),
    ],
)
def test_a_wrong_set_is_refused_and_the_place_named(text: str, expected: str) -> None:
    with pytest.raises(dice_sets.DiceSetError, match=expected):
        dice_sets.parse(text, "x", "x.toml")


def test_an_unknown_set_is_refused() -> None:
    for name in ("backgammon", "", "x" * 5000):
        with pytest.raises(dice_sets.DiceSetError, match="known are ball, footclub"):
            dice_sets.load(name)
    with pytest.raises(
        dice_sets.DiceSetError, match=r"set nowhere/none\.toml cannot be read: No such file or directory$"
    ):
        dice_sets.load("nowhere/none.toml")
    with pytest.raises(dice_sets.DiceSetError, match="cannot be read: no file can have such a name"):
        dice_sets.load("a\0b.toml")


def test_a_file_may_be_named_in_capitals_and_must_be_text(tmp_path: Path) -> None:
    (tmp_path / "DICE.TOML").write_text(GOOD)
    assert dice_sets.load(str(tmp_path / "DICE.TOML")).name == "DICE"
    (tmp_path / "bad.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(dice_sets.DiceSetError, match=r"bad.toml cannot be read: it is not text in UTF-8"):
        dice_sets.load(str(tmp_path / "bad.toml"))


def test_a_number_has_one_of_the_inks_of_its_kind() -> None:
    faces = ", ".join(f"{{ value = {value}, colour = 'blue' }}" for value in range(6))
    text = f"[kinds.own]\nmarks = 'digits'\ninks = ['red', 'white']\nfaces = [{faces}]\n"
    expected = r"own\.toml: \[kinds\.own\] faces, number 1 colour: 'blue' is not among the inks red, white"
    with pytest.raises(dice_sets.DiceSetError, match=expected):
        dice_sets.parse(text, "own", "own.toml")
    assert dice_sets.parse(text.replace("'red', 'white'", "'red', 'blue'"), "own", "own.toml").kinds[0].name == "own"
