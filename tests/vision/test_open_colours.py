"""Numbers whose colour a set leaves open: read in every ink, confirmed once, saved in a file."""

from __future__ import annotations

from vision import dice_sets
from vision.dice_sets import is_open, to_toml, with_confirmed, with_every_ink
from vision.roll import Face

NBA = dice_sets.load("nba")


def test_seven_numbers_of_the_record_set_are_open() -> None:
    """NBA-2.2, section 16."""
    assert sum(len(kind.open_faces) for kind in NBA.kinds) == 7


def test_an_open_number_is_read_in_every_ink() -> None:
    faces = with_every_ink(NBA).kind("interception").faces
    assert [face.colour for face in faces if face.value == 4] == ["blue", "yellow", "red"]
    assert len(set(faces)) == len(faces)
    assert with_every_ink(NBA).kind("block").faces.count(Face(3, "red")) == 1


def test_sets_without_inks_are_read_as_they_are() -> None:
    assert with_every_ink(dice_sets.load("footclub")) == dice_sets.load("footclub")


def test_a_confirmed_colour_is_known_from_then_on() -> None:
    stop = NBA.kind("stop")
    assert is_open(stop, Face(1, "yellow"))
    assert not is_open(stop, Face(1, "red"))
    confirmed = with_confirmed(NBA, "stop", Face(1, "yellow"))
    assert confirmed.kind("stop").open_faces == ()
    assert not is_open(confirmed.kind("stop"), Face(1, "yellow"))
    assert with_confirmed(confirmed, "stop", Face(1, "blue")) == confirmed


def test_of_two_open_numbers_alike_one_is_told_at_a_time() -> None:
    once = with_confirmed(NBA, "interception", Face(1, "blue"))
    assert len(once.kind("interception").open_faces) == 3
    assert with_confirmed(once, "interception", Face(1, "blue")) == once
    twice = with_confirmed(once, "interception", Face(1, "red"))
    assert twice.kind("interception").faces[1:3] == (Face(1, "blue"), Face(1, "red"))


def test_a_set_written_down_is_read_back() -> None:
    for name in dice_sets.names():
        made = dice_sets.load(name)
        assert dice_sets.parse(to_toml(made), name, f"{name}.toml") == made


def test_names_with_any_sign_are_read_back() -> None:
    faces = tuple(Face(None, None, text) for text in ('"', "\\", "\x7f", "\0", "😀", "]"))
    for name in ("my kind", "a.b", 'a"b', "é"):
        made = dice_sets.DiceSet("own", (dice_sets.Kind(name, "symbols", ("white",), faces),))
        assert dice_sets.parse(to_toml(made), "own", "own.toml") == made
