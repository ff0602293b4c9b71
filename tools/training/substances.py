"""What random dice are made of: solid, marbled, speckled, clear, wood or metal, whatever stands on their faces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from tools.training import paints
from tools.training.labels import NOT_SAID
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
"""How often a die is of a substance."""

CONTRASTS: Mapping[str, float] = {"strong": 0.82, "faint": 0.08, "shade": 0.05, "hollow": 0.05}
"""How often marks differ from the body strongly, little in lightness, as a shade of it, or by nothing but a hollow."""

_WOODS: tuple[Colour, ...] = ((0.45, 0.66, 0.82), (0.28, 0.47, 0.68), (0.16, 0.3, 0.48), (0.1, 0.16, 0.28))
_METALS: tuple[Colour, ...] = ((0.66, 0.65, 0.64), (0.36, 0.66, 0.8), (0.32, 0.46, 0.68), (0.25, 0.24, 0.23))
_CASINO: tuple[Colour, ...] = ((0.12, 0.08, 0.72), (0.66, 0.24, 0.08), (0.22, 0.5, 0.1))
_NATURAL = 0.6
"""How often wood, metal and clear dice have one of their usual colours: the rest are stained or anodised in any."""

_USUAL: Mapping[str, tuple[Colour, ...]] = {"wood": _WOODS, "metal": _METALS, "clear": _CASINO}

_MARBLES: Mapping[str, tuple[tuple[str, ...], tuple[float, float]]] = {
    "marbled": (("waves", "waves", "swirl", "swirl", "veins"), (0.5, 2.2)),
    "speckled": (("speckles",), (0.6, 2.2)),
    "wood": (("grain",), (0.6, 2.0)),
    "clear": (("waves", "swirl", "speckles"), (0.5, 1.6)),
}
"""The patterns of a substance and how fine they are, at least and at most."""

_MARBLED_CLEAR = 0.3
"""How often a clear die has a swirl or speckles in it."""


@dataclass(frozen=True, slots=True)
class Body:
    """A die's body: its substance, its colour and the number of the colour's name (NOT_SAID if it has none)."""

    substance: str
    colour: Colour
    paint: int


def random_colour(rng: np.random.Generator) -> tuple[Colour, int]:
    """Bodies of all usual colours, white ones oftenest, and the number of the colour's name."""
    at = rng.random()
    if at < 0.26:
        name = "white" if rng.random() < 0.7 else "ivory"
        return paints.near(BODIES[name], rng, 0.03), paints.number_of(name)
    return paints.any_named(rng) if at < 0.8 else (paints.any_colour(rng), NOT_SAID)


def random_body(substance: str, rng: np.random.Generator) -> Body:
    """A body of a substance; only a solid one's colour has a name."""
    colour, paint = random_colour(rng)
    usual = _USUAL.get(substance)
    if usual and rng.random() < _NATURAL:
        colour = paints.near(usual[int(rng.integers(len(usual)))], rng, 0.04)
    return Body(substance, colour, paint if substance == "solid" else NOT_SAID)


def made_of(material: Material, body: Body, inks: Sequence[Colour], rng: np.random.Generator) -> Material:
    """The material with the body's colour and what its substance does; marks in `inks` stay readable on it."""
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


def shaped(shape: Shape, body: Body, rng: np.random.Generator) -> Shape:
    """The shape, but with sharp edges for most clear dice, as casinos have them."""
    if body.substance == "clear" and rng.random() < 0.6:
        return replace(shape, corner=float(rng.uniform(0.015, 0.04)), ball=0.9)
    return shape


def finished(body: Colour, ink: Colour, rng: np.random.Generator) -> Material:
    """How the surface takes the light: matt to glossy, with mirrored windows and tubes on bulging faces."""
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
