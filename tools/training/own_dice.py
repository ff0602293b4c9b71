"""The dice of the product's own sets as drawn and printed (`vision.drawing.design`), each time of another make."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tools.games import shares
from tools.training import paints
from tools.training.drawn_table import random_body
from tools.training.labels import NOT_SAID
from tools.training.lettering import worn
from tools.training.random_dice import RandomDie, finished, random_shape
from vision import dice_sets
from vision.classification.classes import PLAIN
from vision.classification.face_probabilities import class_of
from vision.dice_sets import Kind
from vision.drawing import faces
from vision.drawing.design import DieModel, bodies_of, die_model, plain_ink
from vision.drawing.rendering import BODIES, Colour

_SHARES = shares("own")


def random_own(rng: np.random.Generator) -> RandomDie:
    """A die of one of the sets, of another make."""
    kinds = kinds_of_one(_SHARES, rng)
    kind = kinds[int(rng.integers(len(kinds)))]
    body = str(rng.choice(bodies_of(kind) if kind.bodies else list(BODIES)))
    return labelled(kind, body, another_make(kind, body, rng))


def kinds_of_one(sets: Sequence[tuple[str, float]], rng: np.random.Generator) -> tuple[Kind, ...]:
    """The kinds of one of `sets`, names and how often each is taken."""
    name = str(rng.choice([name for name, _ in sets], p=[share for _, share in sets]))
    return dice_sets.load(name).kinds


def of_any_make(kind: Kind, rng: np.random.Generator, body: str | None = None) -> RandomDie:
    """A die of the kind with that body, or one that it may have; every other one just as it was designed."""
    body = random_body(kind, rng) if body is None else body
    return labelled(kind, body, die_model(kind, body) if rng.random() < 0.5 else another_make(kind, body, rng))


def another_make(kind: Kind, body: str, rng: np.random.Generator) -> DieModel:
    """A die of a kind whose colours, shape and gloss vary; it may be of stickers on another cube, or worn."""
    look = die_model(kind, body)
    made = look.material
    colour = paints.near(made.body, rng, 0.03)
    material = replace(
        finished(colour, made.ink, rng),
        fills=tuple(paints.near(fill, rng, 0.03) for fill in made.fills),
        inks=tuple(paints.near(ink, rng, 0.03) for ink in made.inks),
    )
    artwork = look.artwork
    if kind.marks != "plain" and rng.random() < 0.5:
        artwork, material = _stickers(artwork, rng), replace(material, fills=(colour,) * 6)
        material = replace(material, body=colour if rng.random() < 0.4 else paints.random_base(rng))
    if rng.random() < 0.3:
        artwork = np.stack([worn(face, rng) for face in artwork])
    return DieModel(artwork, random_shape(rng) if rng.random() < 0.6 else look.shape, material)


def labelled(kind: Kind, body: str, look: DieModel) -> RandomDie:
    """`look`, a die of `kind` with that body, with what each of its faces shows."""
    shows = tuple(class_of(kind, face) for face in kind.faces)
    inks = tuple(_ink(kind, index, shown, BODIES[body]) for index, shown in enumerate(shows))
    paint = tuple(
        paints.number_of(face.colour or body) if kind.marks == "plain" else paints.number_of(body)
        for face in kind.faces
    )
    return RandomDie(look, shows, paint, inks)  # type: ignore[arg-type]


def _stickers(artwork: faces.FloatImage, rng: np.random.Generator) -> faces.FloatImage:
    """The same faces on paper that does not reach the cube's edges."""
    paper = faces.coloured_face(float(rng.uniform(0.0, 0.09)))[..., 1]
    return np.stack(
        [np.dstack([face[..., 0] * paper, paper, face[..., 2:] * 0]).astype(np.float32) for face in artwork]
    )


def _ink(kind: Kind, index: int, shown: int | None, ground: Colour) -> int:
    """The number of the mark's colour: that which the set gives, or black or white by the ground."""
    if shown == PLAIN or kind.marks == "pips":
        return NOT_SAID
    plain = "black" if plain_ink(ground)[1] < 0.5 else "white"
    return paints.number_of(kind.faces[index].colour or plain)
