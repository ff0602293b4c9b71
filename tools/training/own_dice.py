"""Random dice of the product's own sets (`vision.drawing.design`), with varied materials and colours.

A network learns every feature that predicts the label. When red figures occurred only on grey bodies, it read an ivory
die with a red figure as a grey one. Therefore body, mark and ink are drawn independently of each other, whatever dice
the set contains.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tools.games import dice_set_shares
from tools.training import paints, substances, wear
from tools.training.drawn_table import random_body
from tools.training.labels import UNLABELLED
from tools.training.random_dice import RandomDie, random_shape
from vision import dice_sets
from vision.classification.classes import PLAIN
from vision.classification.face_probabilities import class_of_face
from vision.dice_sets import Kind
from vision.drawing.design import INK_NAMES, DieModel, die_model, face_designs, plain_ink
from vision.drawing.rendering import BODIES, Colour

_SHARES = dice_set_shares("own")


def random_own(rng: np.random.Generator) -> RandomDie:
    """Return a random version of a die of one of the sets."""
    kinds = random_set_kinds(_SHARES, rng)
    kind = kinds[int(rng.integers(len(kinds)))]
    body = random_body_for(kind, kinds, rng)
    return _labelled(*_another_make(*in_any_colours(kind, body, rng), rng), body)


def random_set_kinds(sets: Sequence[tuple[str, float]], rng: np.random.Generator) -> tuple[Kind, ...]:
    """Return the kinds of one of `sets`, which gives names and probabilities."""
    name = str(rng.choice([name for name, _ in sets], p=[share for _, share in sets]))
    return dice_sets.load(name).kinds


def random_die_of(kinds: Sequence[Kind], rng: np.random.Generator) -> RandomDie:
    """Return a random version of a die of one of the kinds, with a body of any of them."""
    kind = kinds[int(rng.integers(len(kinds)))]
    return random_make_of(kind, rng, random_body_for(kind, kinds, rng))


def random_body_for(kind: Kind, kinds: Sequence[Kind], rng: np.random.Generator) -> str:
    """Return a body of any of `kinds` with the same marks, so that the mark does not predict the body."""
    alike = (other for other in kinds if other.marks == kind.marks)
    bodies = tuple(dict.fromkeys(body for other in alike for body in other.bodies))
    return random_body(replace(kind, bodies=bodies), rng)


def random_make_of(kind: Kind, rng: np.random.Generator, body: str, *, coloured: bool = False) -> RandomDie:
    """Return a random version of a die with the kind's faces and that body. Half of them change only the colours.

    `coloured`: in the colours of its faces, else in any colours (`in_any_colours`).
    """
    made = (kind, die_model(kind, body)) if coloured else in_any_colours(kind, body, rng)
    return _labelled(*(made if rng.random() < 0.5 else _another_make(*made, rng)), body)


def in_any_colours(kind: Kind, body: str, rng: np.random.Generator) -> tuple[Kind, DieModel]:
    """Return the kind and its die as designed, in random colours independent of the set (`with_any_colours`)."""
    made, model = with_any_colours(kind, body, rng), die_model(kind, body)
    if kind.marks == "pips":
        return made, model
    designs = face_designs(made, body)
    if kind.marks == "plain":
        return made, replace(model, material=replace(model.material, fills=tuple(face.ground for face in designs)))
    inks = tuple(face.ink for face in designs)
    return made, replace(model, material=replace(model.material, ink=inks[0], inks=inks))


def with_any_colours(kind: Kind, body: str, rng: np.random.Generator) -> Kind:
    """Return the kind with each mark in any ink that is readable on the body.

    On half of the dice all marks have the same ink. Plain faces are in any order.
    """
    faces = kind.faces
    if kind.marks == "pips":
        return kind
    if kind.marks == "plain":
        colours = [faces[int(place)].colour for place in rng.permutation(len(faces))]
    else:
        names = rng.choice(readable_inks(kind, body), 1 if rng.random() < 0.5 else len(faces))
        colours = [str(name) for name in np.resize(names, len(faces))]
    return replace(kind, faces=tuple(replace(face, colour=colour) for face, colour in zip(faces, colours, strict=True)))


@functools.cache
def readable_inks(kind: Kind, body: str) -> tuple[str, ...]:
    """Return the inks in which a person can distinguish a mark of the kind from that body."""
    designs = {
        ink: face_designs(replace(kind, faces=(replace(kind.faces[0], colour=ink),)), body)[0] for ink in INK_NAMES
    }
    return tuple(ink for ink, face in designs.items() if paints.refined(face.ink, face.ground))


def _another_make(kind: Kind, model: DieModel, rng: np.random.Generator) -> tuple[Kind, DieModel]:
    """Return the die with varied colours, shape and gloss.

    It may have stickers on a cube of any substance, or be worn.
    """
    made = model.material
    colour = paints.vary_colour(made.body, rng, 0.03)
    material = replace(
        substances.finished(colour, made.ink, rng),
        fills=tuple(paints.vary_colour(fill, rng, 0.03) for fill in made.fills),
        inks=tuple(paints.vary_colour(ink, rng, 0.03) for ink in made.inks),
    )
    artwork, shape = model.artwork, random_shape(rng) if rng.random() < 0.6 else model.shape
    if rng.random() < 0.5:
        artwork = wear.on_stickers(artwork, rng)
        if kind.marks != "plain":
            material = replace(material, fills=wear.papers(colour, rng))
        body = substances.random_body(paints.weighted_choice(substances.SUBSTANCES, rng), rng)
        if body.substance == "solid":
            body = replace(body, colour=colour if rng.random() < 0.4 else paints.random_base(rng))
        material = substances.made_of(material, body, (), rng)
        shape = substances.shaped(shape, body, rng)
    filled = bool(material.fills)
    if not filled:
        material = replace(material, fills=(paints.speck(colour, rng),) * 6)
    artwork = wear.aged(artwork, paints.weighted_choice(wear.WEARS, rng), rng, filled=filled)
    return kind, DieModel(artwork, shape, material)


def _labelled(kind: Kind, model: DieModel, body: str) -> RandomDie:
    """Return `model`, a die of `kind` with that body, with the labels of its faces."""
    shows = tuple(class_of_face(kind, face) for face in kind.faces)
    inks = tuple(_ink(kind, index, face_class, BODIES[body]) for index, face_class in enumerate(shows))
    paint = tuple(
        paints.colour_index(face.colour or body) if kind.marks == "plain" else paints.colour_index(body)
        for face in kind.faces
    )
    return RandomDie(model, shows, paint, inks)  # type: ignore[arg-type]


def _ink(kind: Kind, index: int, face_class: int | None, ground: Colour) -> int:
    """Return the number of the mark's colour: the one of the set, or black or white depending on the ground."""
    if face_class == PLAIN or kind.marks == "pips":
        return UNLABELLED
    plain = "black" if plain_ink(ground)[1] < 0.5 else "white"
    return paints.colour_index(kind.faces[index].colour or plain)
