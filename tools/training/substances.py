"""Substances of random dice: solid, marbled, speckled, clear, wood or metal, independent of their faces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from tools.training import paints
from tools.training.labels import UNLABELLED
from tools.training.patterns import PATTERNS
from vision.drawing.rendering import BODIES, Colour, Material, Shape

SUBSTANCES: Mapping[str, float] = {
    "solid": 0.60,
    "marbled": 0.14,
    "speckled": 0.06,
    "clear": 0.09,
    "wood": 0.06,
    "metal": 0.05,
}
"""Share of each substance."""

CONTRASTS: Mapping[str, float] = {"strong": 0.82, "faint": 0.08, "shade": 0.05, "hollow": 0.05}
"""Shares of the contrasts of marks: strong, faint in lightness, a shade of the body, or only a hollow."""

_WOODS: tuple[Colour, ...] = ((0.45, 0.66, 0.82), (0.28, 0.47, 0.68), (0.16, 0.3, 0.48), (0.1, 0.16, 0.28))
_METALS: tuple[Colour, ...] = ((0.66, 0.65, 0.64), (0.36, 0.66, 0.8), (0.32, 0.46, 0.68), (0.25, 0.24, 0.23))
_CASINO: tuple[Colour, ...] = ((0.12, 0.08, 0.72), (0.66, 0.24, 0.08), (0.22, 0.5, 0.1))
_NATURAL = 0.6
"""Share of wood, metal and clear dice in a usual colour. The others are stained or anodised in any colour."""

_USUAL: Mapping[str, tuple[Colour, ...]] = {"wood": _WOODS, "metal": _METALS, "clear": _CASINO}

_MARBLES: Mapping[str, tuple[tuple[str, ...], tuple[float, float]]] = {
    "marbled": (("waves", "waves", "swirl", "swirl", "veins"), (0.5, 2.2)),
    "speckled": (("speckles",), (0.6, 2.2)),
    "wood": (("grain",), (0.6, 2.0)),
    "clear": (("waves", "swirl", "speckles"), (0.5, 1.6)),
}
"""Patterns of a substance, and the range of their fineness."""

_MARBLED_CLEAR = 0.3
"""Share of clear dice with a swirl or speckles."""


@dataclass(frozen=True, slots=True)
class BodySubstance:
    """A die's body: its substance, its colour and the number of the colour's name (UNLABELLED if it has none)."""

    substance: str
    colour: Colour
    paint: int


def random_colour(rng: np.random.Generator) -> tuple[Colour, int]:
    """Return a usual body colour, most often white, and the number of its name."""
    at = rng.random()
    if at < 0.26:
        name = "white" if rng.random() < 0.7 else "ivory"
        return paints.vary_colour(BODIES[name], rng, 0.03), paints.colour_index(name)
    return paints.any_named(rng) if at < 0.8 else (paints.any_colour(rng), UNLABELLED)


def random_body(substance: str, rng: np.random.Generator) -> BodySubstance:
    """Return a body of a substance. Only a solid one's colour has a name."""
    colour, paint = random_colour(rng)
    usual = _USUAL.get(substance)
    if usual and rng.random() < _NATURAL:
        colour = paints.vary_colour(usual[int(rng.integers(len(usual)))], rng, 0.04)
    return BodySubstance(substance, colour, paint if substance == "solid" else UNLABELLED)


def made_of(material: Material, body: BodySubstance, inks: Sequence[Colour], rng: np.random.Generator) -> Material:
    """Return the material with the body's colour and the effects of its substance.

    Marks in `inks` stay readable on it.
    """
    material = replace(material, body=body.colour)
    pattern = _MARBLES.get(body.substance)
    if body.substance == "clear":
        material = replace(material, clear=float(rng.uniform(0.15, 0.6)))
        pattern = pattern if rng.random() < _MARBLED_CLEAR else None
    if body.substance == "metal":
        material = replace(
            material,
            gloss=float(rng.uniform(0.5, 1.0)),
            window=float(rng.uniform(0.1, 0.6)) if rng.random() < 0.6 else 0.0,
            convex=float(rng.uniform(0.1, 0.6)),
        )
    if pattern is None:
        return material
    names, scales = pattern
    vein = paints.vein(body.colour, inks, rng)
    if body.substance == "wood":
        material = replace(material, gloss=material.gloss * float(rng.uniform(0, 0.5)), window=0.0)
        vein = paints.between(paints.mixed(body.colour, paints.DARK, float(rng.uniform(0.2, 0.5))), body.colour, inks)
    return replace(
        material,
        marble=vein,
        marble_seed=int(rng.integers(1 << 30)),
        marble_pattern=PATTERNS[str(rng.choice(names))],
        marble_scale=float(np.exp(rng.uniform(*np.log(scales)))),
    )


def shaped(shape: Shape, body: BodySubstance, rng: np.random.Generator) -> Shape:
    """Return the shape, but with sharp edges for most clear dice, as in casinos."""
    if body.substance == "clear" and rng.random() < 0.6:
        return replace(shape, corner=float(rng.uniform(0.015, 0.04)), ball=0.9)
    return shape


def finished(body: Colour, ink: Colour, rng: np.random.Generator) -> Material:
    """Return a finish: matt to glossy, with reflections of windows and tubes on curved faces."""
    window = rng.random() < 0.3
    tube = rng.random() < 0.5
    size = (rng.uniform(0.015, 0.05), rng.uniform(0.2, 0.9)) if tube else rng.uniform(0.05, 0.22, 2)
    return Material(
        body=body,
        ink=ink,
        gloss=float(rng.uniform(0, 0.9)) if rng.random() < 0.7 else 0.0,
        window=float(rng.uniform(0.15, 1.0)) if window else 0.0,
        window_size=(float(size[0]), float(size[1])),
        window_at=(float(rng.normal(0, 0.25)), float(rng.normal(0, 0.25))),
        window_turn=float(rng.uniform(0, np.pi)),
        convex=float(rng.uniform(0.1, 0.6)) if window else float(rng.uniform(0, 0.15)),
    )
