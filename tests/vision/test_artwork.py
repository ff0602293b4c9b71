"""The artwork of the custom dice: every mark is distinct from every other in any rotation."""

from __future__ import annotations

from itertools import combinations

import cv2
import numpy as np
import pytest

from vision.drawing import design

SMALL, LARGE = 12, 32
"""Face edges in pixels: about the smallest readable size, and a usual one."""


def seen(name: str, edge: int, shift: tuple[float, float] = (0.0, 0.0)) -> np.ndarray:
    """Return the mark as a camera sees it, shifted by `shift` pixels."""
    scale = edge / design.SIZE
    moved = np.float32([[1, 0, shift[0] / scale], [0, 1, shift[1] / scale]])
    whole = cv2.warpAffine(design.mark(name), moved, (design.SIZE, design.SIZE))
    return cv2.resize(whole, (edge, edge), interpolation=cv2.INTER_AREA)


def likeness(one: np.ndarray, other: np.ndarray) -> float:
    """Return the maximum correlation of two faces over the four 90-degree rotations."""
    return max(float(np.corrcoef(one.ravel(), np.rot90(other, turns).ravel())[0, 1]) for turns in range(4))


@pytest.mark.parametrize(("edge", "most"), [(SMALL, 0.83), (LARGE, 0.79)])
def test_no_two_marks_are_alike_in_any_rotation(edge: int, most: float) -> None:
    pairs = {(a, b): likeness(seen(a, edge), seen(b, edge)) for a, b in combinations(design.NAMES, 2)}
    assert max(pairs.values()) < most, max(pairs, key=lambda pair: pairs[pair])


@pytest.mark.parametrize("name", design.NAMES)
def test_a_mark_is_nearer_to_itself_seen_otherwise_than_to_any_other(name: str) -> None:
    aside = seen(name, SMALL, (0.3, -0.3))
    itself = likeness(aside, seen(name, SMALL))
    others = max(likeness(aside, seen(other, SMALL)) for other in design.NAMES if other != name)
    assert itself > 0.87
    assert itself > others + 0.1


@pytest.mark.parametrize("symbol", design.SYMBOLS)
def test_symbols_of_one_die_differ_far(symbol: str) -> None:
    others = [likeness(seen(symbol, SMALL), seen(other, SMALL)) for other in design.SYMBOLS if other != symbol]
    assert max(others) < 0.6


def test_ink_stays_within_the_face_and_is_bold() -> None:
    for name in design.NAMES:
        ink = design.mark(name)
        rim = design.SIZE // 12
        inner = ink[rim:-rim, rim:-rim]
        assert ink.sum() == pytest.approx(float(inner.sum())), name
        assert 0.1 < float(ink.mean()) < 0.45, name


def test_holes_are_not_inked() -> None:
    middle = design.SIZE // 2
    assert design.mark("digit_0")[middle, middle] == 0
    assert design.mark("digit_0")[middle, int(0.31 * design.SIZE)] == 1


def test_six_and_nine_have_their_line_below() -> None:
    below = slice(int(0.80 * design.SIZE), int(0.88 * design.SIZE))
    lined = {name for name in design.DIGITS if design.mark(name)[below, design.SIZE // 2].min() == 1}
    gap = int(0.755 * design.SIZE)
    assert {name for name in lined if design.mark(name)[gap].max() == 0} == {"digit_6", "digit_9"}


def test_an_unknown_mark_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        design.mark("digit_10")
