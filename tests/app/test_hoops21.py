"""hoops21 in the app: set up and played by touch to the end, every phase's screen, one tap per throw."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from companion.games.base import Message
from companion.games.hoops21.preparation import HoopsPreparation
from companion.games.hoops21.setup import read_header
from companion.table.catalogues.card_store import SampleCards

ROOT = Path(__file__).parents[2]


def play(scenes: str, folder: Path, size: str = "800x480", language: str = "fr", text: str = "100"):
    command = [sys.executable, "-m", "tests.screens.show", scenes, str(folder), size, language, "normal", text]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600)


def named(plan: HoopsPreparation) -> dict:
    header = plan.header()
    for side in header["sides"].values():
        side["name"] = str(side["name"])
    return header


def test_a_match_may_begin_as_the_rules_have_it_with_usual_names():
    plan = HoopsPreparation({}, SampleCards())
    assert plan.missing() == ()
    assert [type(side["name"]) for side in plan.header()["sides"].values()] == [Message, Message]
    setup = read_header(named(plan))
    assert (setup.target, setup.advanced, setup.court.sections, setup.court.arc) == (21, False, 16, 4)


def test_choices_outlive_the_page_and_stand_in_the_header():
    memory: dict = {}
    HoopsPreparation(memory, SampleCards()).choose("name.orange", "Les Huppes")
    for row, value in (("target", 7), ("advanced", True), ("own", True), ("half", 5), ("mark.2", -1), ("mark.4", 1)):
        HoopsPreparation(memory, SampleCards()).choose(row, value)
    setup = read_header(named(HoopsPreparation(memory, SampleCards())))
    assert (setup.names[0], setup.target, setup.advanced) == ("Les Huppes", 7, True)
    assert (setup.court.sections, setup.court.arc, setup.court.marks) == (10, 3, (0, 0, -1, 0, 1))


def test_dice_of_seven_faces_stand_between_the_players_and_the_jump_ball():
    plan = HoopsPreparation({}, SampleCards())
    plan.choose("own", True)
    plan.choose("face.pass", 2)
    (sentence,) = plan.missing()
    assert sentence.args == {"n": 7, "due": 6}
    plan.choose("face.steal", 1)
    assert plan.missing() == ()
    assert read_header(named(plan)).faces == (2, 2, 1, 1)


def test_a_court_that_shrinks_leaves_marks_beyond_it_out():
    plan = HoopsPreparation({}, SampleCards())
    for row, value in (("own", True), ("mark.7", 1), ("half", 2)):
        plan.choose(row, value)
    court = read_header(named(plan)).court
    assert (court.sections, court.arc, court.marks) == (4, 0, (0, 0))


@pytest.mark.parametrize(
    ("scenes", "size", "language", "text"),
    [
        ("hoops21_preparing,hoops21_phases", "800x480", "fr", "100"),
        pytest.param("hoops21_long_names,hoops21_asks,hoops21_doubts", "800x480", "fr", "100", marks=pytest.mark.slow),
        pytest.param("hoops21_preparing,hoops21_phases", "720x1280", "en", "100", marks=pytest.mark.slow),
        pytest.param("hoops21_phases,hoops21_doubts", "1280x720", "fr", "130", marks=pytest.mark.slow),
    ],
)
def test_every_screen_of_a_match_is_whole(tmp_path, scenes, size, language, text):
    played = play(scenes, tmp_path, size, language, text)
    assert (played.returncode, played.stdout) == (0, ""), played.stdout + played.stderr


def test_a_throw_costs_one_tap_on_the_simulated_tray(tmp_path):
    played = play("hoops21_thrown", tmp_path)
    assert (played.returncode, played.stdout) == (0, ""), played.stdout + played.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scene", "size", "language"),
    [("hoops21_match", "800x480", "fr"), ("hoops21_match", "720x1280", "en"), ("hoops21_long_match", "800x480", "fr")],
)
def test_a_match_is_played_by_touch_from_home_to_its_end(tmp_path, scene, size, language):
    played = play(scene, tmp_path, size, language)
    assert (played.returncode, played.stdout) == (0, ""), played.stdout + played.stderr
