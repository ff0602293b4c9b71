"""hoops21 in the app: set up and played by touch to the end, every phase's screen, one tap per throw."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from companion.games.base import Message
from companion.games.hoops21.catalogues import MATERIAL
from companion.games.hoops21.preparation import HoopsPreparation
from companion.games.hoops21.setup import read_header
from companion.table.catalogues.card_store import CardStore, SampleCards
from companion.table.catalogues.csv_tables import row_faults

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
    for row, value in (("target", 7), ("advanced", True), ("material", "Mini 12")):
        HoopsPreparation(memory, SampleCards()).choose(row, value)
    setup = read_header(named(HoopsPreparation(memory, SampleCards())))
    assert (setup.names[0], setup.target, setup.advanced) == ("Les Huppes", 7, True)
    assert (setup.court.sections, setup.court.arc, setup.court.marks) == (12, 3, (1, 0, 0, 0, 0, -1))


SET = {"name": "Grange", "half": 5, "arc": 3, "plus": ["2"], "minus": ["4"]}
SET |= {"faces.ball": 3, "faces.pass": 1, "faces.steal": 1, "faces.free_throw": 1}


@pytest.mark.parametrize(
    ("change", "column", "rule"),
    [
        ({"faces.pass": 2}, "faces.ball", "HB-2.1"),
        ({"faces.ball": 0, "faces.pass": 4}, "faces.ball", "HB-2.1"),
        ({"arc": 4}, "arc", "HB-2.1"),
        ({"half": 41}, "half", "HB-2.1"),
        ({"plus": ["5"]}, "plus", "HB-2.6"),
        ({"minus": ["2"]}, "minus", "HB-2.6"),
    ],
)
def test_a_set_that_the_rules_do_not_allow_is_refused_at_its_column(change, column, rule):
    assert row_faults(MATERIAL, SET, []) == ()
    fault, *_ = row_faults(MATERIAL, SET | change, [])
    assert (fault.column, fault.rule) == (column, rule)


def test_a_stored_set_gives_faces_and_court_and_one_that_is_gone_is_named(tmp_path):
    store = CardStore(tmp_path, tmp_path)
    store.save(MATERIAL, [SET])
    memory: dict = {}
    HoopsPreparation(memory, store).choose("material", "Grange")
    plan = HoopsPreparation(memory, store)
    assert plan.missing() == ()
    setup = read_header(named(plan))
    assert (setup.faces, setup.court.sections, setup.court.arc) == ((3, 1, 1, 1), 10, 3)
    assert setup.court.marks == (0, 0, 1, 0, -1)
    store.save(MATERIAL, [SET | {"name": "Autre"}])
    (sentence,) = HoopsPreparation(memory, store).missing()
    assert sentence.args == {"set": "Grange"}


def test_another_reading_of_the_rules_stands_in_the_header_and_the_arc_stays_on_the_court():
    plan = HoopsPreparation({}, SampleCards())
    assert "court" not in plan.header()["setup"]
    for row, value in (("faces", (3, 1, 1, 1)), ("arc", 5), ("sections", 12)):
        plan.choose(row, value)
    setup = read_header(named(plan))
    assert (setup.faces, setup.court.sections, setup.court.arc) == ((3, 1, 1, 1), 12, 4)
    listed = [row for row in plan.columns()[-1].rows if row.quotation is not None]
    assert {row.id for row in listed if row.options} == {"faces", "sections", "arc"}
    plan.choose("material", "Mini 12")
    rest = [row for row in plan.columns()[-1].rows if row.quotation is not None]
    assert not any(row.options for row in rest)
    assert len(rest) == len(listed) - 3


@pytest.mark.parametrize(
    ("scenes", "size", "language", "text"),
    [
        ("hoops21_preparing,hoops21_phases,hoops21_entered", "800x480", "fr", "100"),
        pytest.param("hoops21_long_names,hoops21_asks,hoops21_doubts", "800x480", "fr", "100", marks=pytest.mark.slow),
        pytest.param("hoops21_preparing,hoops21_phases", "720x1280", "en", "100", marks=pytest.mark.slow),
        pytest.param("hoops21_phases,hoops21_doubts", "1280x720", "fr", "130", marks=pytest.mark.slow),
        pytest.param("hoops21_material", "800x480", "fr", "100", marks=pytest.mark.slow),
        pytest.param("hoops21_material", "720x1280", "en", "100", marks=pytest.mark.slow),
    ],
)
def test_every_screen_of_a_match_is_whole(tmp_path, scenes, size, language, text):
    played = play(scenes, tmp_path, size, language, text)
    assert (played.returncode, played.stdout) == (0, ""), played.stdout + played.stderr


def test_a_throw_costs_one_tap_on_the_simulated_tray(tmp_path):
    played = play("hoops21_thrown", tmp_path)
    assert (played.returncode, played.stdout) == (0, ""), played.stdout + played.stderr


@pytest.mark.slow
def test_only_the_dice_chosen_are_thrown_again_on_the_simulated_tray(tmp_path):
    played = play("hoops21_rerolled", tmp_path)
    assert (played.returncode, played.stdout) == (0, ""), played.stdout + played.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scene", "size", "language"),
    [
        ("hoops21_match", "800x480", "fr"),
        ("hoops21_match", "720x1280", "en"),
        ("hoops21_long_match", "800x480", "fr"),
        ("hoops21_own", "800x480", "fr"),
        ("hoops21_own", "720x1280", "en"),
    ],
)
def test_a_match_is_played_by_touch_from_home_to_its_end(tmp_path, scene, size, language):
    played = play(scene, tmp_path, size, language)
    assert (played.returncode, played.stdout) == (0, ""), played.stdout + played.stderr
