"""Random training dice of all kinds: no attribute predicts another, and a person can read every die."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from itertools import combinations

import cv2
import numpy as np
import pytest

from tests.tools.test_any_colours import bits
from tools.training import lettering, paints, random_dice, substances, wear
from tools.training.labels import UNLABELLED
from tools.training.own_dice import random_own
from tools.training.patterns import PATTERNS
from tools.training.random_dice import RandomDie
from vision.classification import classes
from vision.drawing.faces import TEXTURE, FloatImage
from vision.drawing.rendering import Light, View, pose, render, shade

DICE = 3000
MAKERS: dict[str, Callable[[np.random.Generator], RandomDie]] = {
    "pips": random_dice.random_pips,
    "ball": random_dice.random_ball,
    "numbers": random_dice.random_numbers,
    "symbols": random_dice.random_symbols,
    "blank": random_dice.random_blank,
    "unreadable": random_dice.random_unreadable,
}
MAX_MUTUAL_BITS = 0.06
"""Maximum mutual information in bits that may occur by chance."""


@pytest.fixture(scope="module")
def dice() -> list[tuple[str, RandomDie]]:
    """Return kinds and dice with empty artwork, since artwork takes most of the rendering time."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("pips_face", "lettered_face", "polygon_face", "_own_face", "engraved", "empty_face"):
            patch.setattr(random_dice, name, lambda *_: np.zeros((1, 1, 4), np.float32))
        patch.setattr(wear, "painted", lambda *_: np.zeros((1, 1, 4), np.float32))
        for name in ("aged", "on_stickers"):
            patch.setattr(wear, name, lambda art, *_, **__: art)
        rng = np.random.default_rng(41)
        return [(kind, MAKERS[kind](rng)) for _ in range(DICE // len(MAKERS)) for kind in MAKERS]


def attributes_of(kind: str, die: RandomDie) -> dict[str, Hashable]:
    """Return the attributes of a die; typeface, paint and ink only where they apply."""
    made = die.made
    assert made is not None
    found: dict[str, Hashable] = {
        "kind": kind,
        "substance": made.substance,
        "contrast": made.contrast,
        "worn": made.worn,
        "sticker": made.sticker,
        "typeface": made.typeface or None,
        "paint": die.paint[0] if kind != "ball" else UNLABELLED,
        "ink": die.ink[0],
    }
    return {name: value for name, value in found.items() if value not in (None, UNLABELLED)}


BY_DESIGN = {
    ("contrast", "kind"),  # blank dice have no contrast
    ("ink", "paint"),  # no ink in the colour of the body
    ("kind", "typeface"),  # unreadable dice never use the product's own figures
}


def test_no_attribute_predicts_another(dice: list[tuple[str, RandomDie]]) -> None:
    drawn = [attributes_of(kind, die) for kind, die in dice]
    for first, second in combinations(sorted({name for one in drawn for name in one}), 2):
        pairs = [(one[first], one[second]) for one in drawn if first in one and second in one]
        if (first, second) in BY_DESIGN or len(pairs) < 200:
            continue
        # Expected mutual information by chance: (values - 1) * (values - 1) / (2 n ln 2) bits.
        values = [len({pair[place] for pair in pairs}) - 1 for place in (0, 1)]
        chance = values[0] * values[1] / (2 * len(pairs) * np.log(2))
        assert bits(pairs) < MAX_MUTUAL_BITS + 1.3 * chance, (first, second)


def test_every_kind_is_made_of_every_substance_in_every_way(dice: list[tuple[str, RandomDie]]) -> None:
    for table, name in ((substances.SUBSTANCES, "substance"), (wear.WEARS, "worn"), (substances.CONTRASTS, "contrast")):
        counts = Counter((kind, attributes_of(kind, die)[name]) for kind, die in dice)
        for kind in MAKERS:
            for value, share in table.items():
                if (name, kind) != ("contrast", "blank"):
                    assert abs(counts[kind, value] * len(MAKERS) / DICE - share) < 0.07, (kind, value)
                    assert counts[kind, value] > 0


def test_only_colours_that_have_a_name_are_named(dice: list[tuple[str, RandomDie]]) -> None:
    for kind, die in dice:
        made = die.made
        assert made is not None
        if made.substance != "solid" and not made.sticker and kind != "ball":
            assert set(die.paint) == {UNLABELLED}
        if made.contrast != "strong" and kind != "ball":
            assert set(die.ink) == {UNLABELLED}


def test_faint_inks_differ_little_from_their_bodies(dice: list[tuple[str, RandomDie]]) -> None:
    least, most = paints.FAINT
    faint = [
        (die.model.material.body, die.model.material.inks[1])
        for kind, die in dice
        if kind != "ball" and die.made is not None and die.made.contrast == "faint" and not die.made.sticker
    ]
    assert len(faint) > 60
    for body, ink in faint:
        assert least - 0.5 < abs(paints.lightness(body) - paints.lightness(ink)) < most + 0.5


def test_veins_leave_the_marks_readable(dice: list[tuple[str, RandomDie]]) -> None:
    marbled = [
        die.model.material
        for kind, die in dice
        if kind in ("pips", "numbers", "symbols") and die.made is not None and not die.made.sticker
    ]
    marbled = [material for material in marbled if material.marble not in (None, material.body)]
    assert len(marbled) > 150
    assert {material.marble_pattern for material in marbled} == set(PATTERNS.values())
    for material in marbled:
        assert material.marble is not None
        for ink in material.inks:
            assert paints.difference(material.marble, ink) > 0.45 * paints.difference(material.body, ink)


@pytest.mark.parametrize("kind", [*MAKERS, "own"])
def test_the_same_generator_gives_the_same_die(kind: str) -> None:
    maker = MAKERS.get(kind, random_own)
    for seed in range(6):
        first, again = (maker(np.random.default_rng(seed)) for _ in range(2))
        assert np.array_equal(first.model.artwork, again.model.artwork)
        assert (first.model.material, first.shows, first.paint) == (again.model.material, again.shows, again.paint)
        assert first.model.artwork.shape == (6, TEXTURE, TEXTURE, 4)
        assert first.model.artwork.dtype == np.float32


def top_of(die: RandomDie, face: int) -> FloatImage:
    """Return the top face from straight above, BGR."""
    layers = render(die.model.artwork, pose(face, 0.0), die.model.shape, View(0.0, 8.0, 60.0))
    picture = shade(layers, die.model.material, Light())
    middle = picture.shape[0] // 2
    return np.clip(picture[middle - 20 : middle + 20, middle - 20 : middle + 20, :3], 0, 1)


@pytest.mark.parametrize("kind", ["pips", "numbers", "symbols"])
def test_marks_show(kind: str) -> None:
    """Marks are visible even if they differ from the body only in shade. One in fifty may be hidden by a reflection."""
    rng = np.random.default_rng(17)
    hidden = 0
    for number in range(50):
        die = MAKERS[kind](rng)
        face = number % 6
        if die.shows[face] != classes.PLAIN:
            light, dark = np.percentile(top_of(die, face + 1).reshape(-1, 3), (98, 2), axis=0)
            hidden += float((light - dark).max()) < 0.05
    assert hidden <= 1


@pytest.mark.parametrize("typeface", lettering.TYPEFACES)
@pytest.mark.parametrize("mark", lettering.MARKS)
def test_a_mark_tells_six_from_nine(typeface: str, mark: str) -> None:
    """The mark is separate from the figure and completely on the face."""
    for height in (0.28, 0.55, 0.8):
        style = lettering.Lettering(
            typeface, lettering.fonts()[0], height, mark, rotation=15, aside=(0.12, 0.12), depth=0
        )
        ink = (lettering.lettered_face("6", style)[..., 0] > 0.4).astype(np.uint8)
        assert not ink[0].any()
        assert not ink[-1].any()
        count, _ = cv2.connectedComponents(ink)
        assert (count > 2) == (mark != "") or typeface == "outlined"
