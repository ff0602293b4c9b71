"""Rendered dice of every set: each face in the kind's order, legible, and unique."""

from __future__ import annotations

from itertools import combinations

import cv2
import numpy as np
import pytest

from vision import dice_sets
from vision.dice_sets import Kind
from vision.drawing import design
from vision.drawing.design import LIGHT_INK, bodies_of, face_designs, luminance, plain_ink
from vision.drawing.rendering import BODIES
from vision.drawing.tray import DrawnDie, draw_tray
from vision.roll import Face

KINDS = [kind for name in dice_sets.names() for kind in dice_sets.load(name).kinds]


def top(kind: Kind, face: int) -> np.ndarray:
    """Return the top of a die from straight above, (42, 42, 3) in 0..1."""
    ground = np.full((100, 100, 3), 0.4, np.float32)
    dice = [DrawnDie(kind, bodies_of(kind)[0], face, 50, 50, edge=56)]
    picture = draw_tray(dice, np.random.default_rng(1), ground=ground, noise=0.0)
    return picture[29:71, 29:71].astype(np.float32) / 255


def inked(kind: Kind, face: int) -> np.ndarray:
    """Return the distance of each top pixel from the body colour, taken from the corners, (24, 24)."""
    seen = cv2.resize(top(kind, face), (24, 24), interpolation=cv2.INTER_AREA)
    body = np.median(seen[[0, 0, -1, -1], [0, -1, 0, -1]], axis=0)
    return np.linalg.norm(seen - body, axis=2)


def likeness(one: np.ndarray, other: np.ndarray) -> float:
    return max(float(np.corrcoef(one.ravel(), np.rot90(other, turns).ravel())[0, 1]) for turns in range(4))


@pytest.mark.parametrize("kind", [k for k in KINDS if k.marks in ("digits", "symbols")], ids=lambda kind: kind.name)
def test_a_drawn_face_bears_the_mark_of_its_place_unmirrored(kind: Kind) -> None:
    for number, face in enumerate(kind.faces, 1):
        seen = inked(kind, number)
        if face.value == 0:
            assert seen.max() < 0.05
            continue
        name = f"digit_{face.value}" if kind.marks == "digits" else f"symbol_{face.symbol}"
        part = design.SIZE // 8
        marks = {
            name: cv2.resize(design.mark(name)[part:-part, part:-part], (24, 24), interpolation=cv2.INTER_AREA)
            for name in design.NAMES
        }
        likest = max(marks, key=lambda name: likeness(seen, marks[name]))
        assert likest == name
        mirrored = marks[name][:, ::-1]
        if likeness(marks[name], mirrored) < 0.9:
            assert likeness(seen, marks[name]) > likeness(seen, mirrored) + 0.05


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_different_faces_of_a_kind_look_different(kind: Kind) -> None:
    designs = face_designs(kind, bodies_of(kind)[0])
    for (one, a), (other, b) in combinations(zip(kind.faces, designs, strict=True), 2):
        if one == other:
            continue
        marks = [design.coverage(face.shapes)[::8, ::8] for face in (a, b)]
        unlike = not all(mark.any() for mark in marks) or likeness(*marks) < 0.9
        assert unlike or a.ink != b.ink or a.ground != b.ground, (one, other)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_ink_stands_out_from_its_ground(kind: Kind) -> None:
    for body in kind.bodies or BODIES:
        for face in face_designs(kind, body):
            assert not face.shapes or abs(luminance(face.ink) - luminance(face.ground)) > 0.2, (body, face.ink)


def test_a_number_whose_colour_is_not_known_is_black_or_white() -> None:
    block, stop = (dice_sets.load("nba").kind(name) for name in ("block", "stop"))
    assert face_designs(block, "grey")[4].ink == plain_ink(BODIES["grey"])
    assert face_designs(stop, "brown")[2].ink == LIGHT_INK
    red, neutral = face_designs(stop, "brown")[1].ink, face_designs(stop, "brown")[2].ink
    assert red != neutral
    assert red[2] > 1.5 * max(red[:2])


def test_the_product_s_kinds_are_found_by_name() -> None:
    by_name = design.die_model("stop", "brown")
    itself = design.die_model(dice_sets.load("nba").kind("stop"), "brown")
    assert np.array_equal(by_name.artwork, itself.artwork)
    assert by_name.material == itself.material


def test_a_face_without_artwork_is_refused_with_its_place() -> None:
    faces = tuple(Face(value) for value in (1, 2, 3, 4, 5, 12))
    with pytest.raises(ValueError, match="face 6 of tens, 12: there is 0 to 9"):
        face_designs(Kind("tens", "digits", (), faces), "white")
    with pytest.raises(ValueError, match="face 1 of odd, star: there is ball, pass"):
        face_designs(Kind("odd", "symbols", (), (Face(symbol="star"),) * 6), "white")
    with pytest.raises(ValueError, match="no ink for face 1 of odd, mauve 3"):
        face_designs(Kind("odd", "digits", (), (Face(3, "mauve"),) * 6), "white")
