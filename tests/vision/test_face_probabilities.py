"""Face probabilities within a dice set: the network output combined with the possible faces of the set."""

from dataclasses import replace

import numpy as np
import pytest

from vision import dice_sets
from vision.classification import classes
from vision.classification.face_nets import Classification
from vision.classification.face_probabilities import (
    PartChances,
    body_chance,
    class_of_face,
    face_chances,
    known_classes,
    part_chances,
)
from vision.dice_sets import BODIES, with_every_ink
from vision.roll import Face

NBA = dice_sets.load("nba")


def classified(
    of_classes: dict[int, float], paint: str = "white", ink: str = "black", sure: float = 0.98
) -> Classification:
    seen = np.full(classes.CLASSES, 1e-4, np.float32)
    for number, chance in of_classes.items():
        seen[number] = chance
    states = np.array([0.97, 0.01, 0.01, 0.01], np.float32)
    return Classification(seen, 0.9, _named(paint, sure), _named(ink, sure), states, (0.0, 0.0))


def _named(name: str, sure: float) -> np.ndarray:
    chances = np.full(len(BODIES), (1 - sure) / (len(BODIES) - 1), np.float32)
    chances[BODIES.index(name)] = sure
    return chances


def best(dice_set: str, seen: Classification) -> tuple[str, Face, float]:
    found = face_chances(seen, dice_sets.load(dice_set).kinds)
    (kind, face), chance = max(found.items(), key=lambda item: item[1])
    return kind.name, face, chance


def test_pips_are_taken_as_seen() -> None:
    assert best("pips", classified({4: 0.9}))[:2] == ("pips", Face(4))


def test_a_die_of_figures_is_none_of_the_pips() -> None:
    assert best("pips", classified({classes.of_digit(4): 0.98}))[2] < 0.01


def test_the_body_tells_which_die_of_the_set_it_is() -> None:
    two = classified({classes.of_digit(2): 0.97}, paint="red")
    assert best("nba", two)[:2] == ("penetration", Face(2))
    assert best("nba", classified({classes.of_digit(2): 0.97}, paint="blue"))[0] == "three_points"


def test_the_kind_is_as_likely_as_the_colour_of_its_body() -> None:
    nba = {kind.name: kind for kind in dice_sets.load("nba").kinds}
    seen = classified({classes.of_digit(2): 0.97}, paint="ivory", sure=0.7)
    ivory, grey = (body_chance(seen, nba[name], tuple(nba.values())) for name in ("interception", "block"))
    assert 0.7 < ivory < 0.9
    assert grey < 0.1
    (pips,) = dice_sets.load("pips").kinds
    assert body_chance(seen, pips, (pips,)) == 1.0


def test_a_body_that_no_die_of_the_set_has_is_not_certain() -> None:
    assert best("nba", classified({classes.of_digit(2): 0.99}, paint="pink"))[2] < 0.5


@pytest.mark.parametrize(("ink", "colour"), [("blue", "blue"), ("black", None)])
def test_the_number_s_colour_tells_faces_of_one_value_apart(ink: str, colour: str | None) -> None:
    kind, face, chance = best("nba", classified({classes.of_digit(2): 0.98}, paint="ivory", ink=ink))
    assert (kind, face) == ("interception", Face(2, colour))
    assert chance > 0.9


def test_an_empty_face_is_worth_nothing() -> None:
    assert best("nba", classified({classes.PLAIN: 0.98}, paint="brown"))[:2] == ("stop", Face(0))


def test_an_unmarked_six_or_nine_is_open_where_the_die_has_both() -> None:
    chances = face_chances(classified({classes.SIX_OR_NINE: 0.98}, paint="blue"), dice_sets.load("nba").kinds)
    blue = {face.value: chance for (kind, face), chance in chances.items() if kind.name == "three_points"}
    assert blue[6] == pytest.approx(blue[9])
    assert blue[6] < 0.5


def test_an_unmarked_six_is_a_six_where_the_die_has_no_nine() -> None:
    assert best("numerals", classified({classes.SIX_OR_NINE: 0.98}))[1:] == (Face(6), pytest.approx(0.98, abs=0.01))


def test_the_ball_s_colours_are_shared_out_among_the_six() -> None:
    kind, face, chance = best("ball", classified({classes.PLAIN: 0.99}, paint="orange", sure=0.9))
    assert (kind, face) == ("ball", Face(colour="orange"))
    assert chance > 0.9


def test_symbols_go_by_the_body_too() -> None:
    seen = classified({classes.of_symbol("steal"): 0.98}, paint="orange")
    assert best("hoops21", seen)[:2] == ("orange", Face(symbol="steal"))


def test_a_face_that_the_net_was_not_taught_has_no_class_and_the_unknown_s_chance() -> None:
    text = '[kinds.odd]\nmarks = "digits"\nfaces = [' + ", ".join(f"{{ value = {v} }}" for v in range(8, 14)) + "]"
    kind = dice_sets.parse(text, "odd", "odd.toml").kinds[0]
    assert [class_of_face(kind, face) is None for face in kind.faces] == [False, False, True, True, True, True]
    chances = face_chances(classified({classes.UNKNOWN: 0.8}), (kind,))
    assert chances[kind, Face(12)] == pytest.approx(0.2)


def test_the_classes_of_a_set() -> None:
    assert known_classes(dice_sets.load("footclub").kinds) == {1, 2, 3, 4, 5, 6, classes.PLAIN}
    assert classes.SIX_OR_NINE in known_classes(dice_sets.load("numerals").kinds)


def parts(seen: Classification) -> tuple[str, Face, PartChances]:
    """Return the most likely NBA die and face, and the partial probabilities."""
    kinds = dice_sets.load("nba").kinds
    (kind, face), _ = max(face_chances(seen, kinds).items(), key=lambda item: item[1])
    return kind.name, face, part_chances(seen, kinds, kind, face)


def between(first: str, share: float, second: str) -> np.ndarray:
    """Return a body that is one of two colours."""
    return share * _named(first, 1.0) + (1 - share) * _named(second, 1.0)


def test_a_mark_that_only_one_of_two_bodies_bears_tells_the_kind() -> None:
    four = replace(classified({classes.of_digit(4): 0.98}), paints=between("ivory", 0.6, "grey"))
    kind, face, how = parts(four)
    assert (kind, face.value) == ("interception", 4)
    assert how.body > 0.95  # no grey die has a four
    assert parts(replace(four, paints=between("ivory", 0.3, "grey")))[2].body < 0.7  # rather another figure misread
    assert parts(replace(classified({classes.of_digit(2): 0.98}), paints=between("ivory", 0.6, "grey")))[2].body < 0.75


def test_no_ink_makes_a_kind_likelier_than_its_body_does() -> None:
    """Any ink may be on a body: a red one on an ivory die does not make it a grey die."""
    one = replace(classified({classes.of_digit(1): 0.98}), paints=between("ivory", 0.45, "grey"))
    for ink in ("red", "black", "blue", "yellow"):
        for kinds in (NBA.kinds, with_every_ink(NBA).kinds):
            seen = replace(one, inks=_named(ink, 0.98))
            (kind, face), _ = max(face_chances(seen, kinds).items(), key=lambda item: item[1])
            assert part_chances(seen, kinds, kind, face).body < 0.6


def test_an_ink_that_rather_another_kind_has_makes_one_doubtful() -> None:
    brown = replace(classified({classes.of_digit(3): 0.98}), paints=between("brown", 0.85, "grey"))
    red, yellow = (replace(brown, inks=_named(ink, 0.98)) for ink in ("red", "yellow"))
    assert parts(red)[2].body < 0.4  # its threes are yellow and blue
    assert parts(yellow)[2].body == pytest.approx(0.85, abs=0.02)


def test_a_colour_is_judged_by_itself() -> None:
    (kind,) = dice_sets.load("ball").kinds
    seen = classified({classes.PLAIN: 0.78, classes.NOTHING: 0.2}, paint="blue")
    how = part_chances(seen, (kind,), kind, Face(colour="blue"))
    assert how.mark == pytest.approx(0.78, abs=0.02)
    assert how.colour > 0.97


def test_what_no_die_of_the_set_shows_counts_little_against_a_face() -> None:
    (kind,) = dice_sets.load("pips").kinds
    seen = classified({4: 0.82, classes.of_digit(4): 0.15})
    assert part_chances(seen, (kind,), kind, Face(4)).mark > 0.95
    assert part_chances(classified({4: 0.5, classes.of_digit(4): 0.48}), (kind,), kind, Face(4)).mark < 0.65
    assert part_chances(classified({4: 0.7, classes.UNKNOWN: 0.28}), (kind,), kind, Face(4)).mark < 0.75
