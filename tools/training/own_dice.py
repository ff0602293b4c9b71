"""The dice of the product's own sets as drawn and printed (`vision.drawing.design`), each time of another make.

A net learns whatever predicts the label: where red figures lay on grey bodies alone, it took an ivory die with a red
figure for a grey one. So body, mark and ink are drawn independently of each other, whatever dice the set holds.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tools.games import shares
from tools.training import paints, substances, wear
from tools.training.drawn_table import random_body
from tools.training.labels import NOT_SAID
from tools.training.random_dice import RandomDie, random_shape
from vision import dice_sets
from vision.classification.classes import PLAIN
from vision.classification.face_probabilities import class_of
from vision.dice_sets import Kind
from vision.drawing.design import INK_NAMES, DieModel, die_model, face_designs, plain_ink
from vision.drawing.rendering import BODIES, Colour

_SHARES = shares("own")


def random_own(rng: np.random.Generator) -> RandomDie:
    """A die of one of the sets, of another make."""
    kinds = kinds_of_one(_SHARES, rng)
    kind = kinds[int(rng.integers(len(kinds)))]
    body = any_body(kind, kinds, rng)
    return _labelled(*_another_make(*in_any_colours(kind, body, rng), rng), body)


def kinds_of_one(sets: Sequence[tuple[str, float]], rng: np.random.Generator) -> tuple[Kind, ...]:
    """The kinds of one of `sets`, names and how often each is taken."""
    name = str(rng.choice([name for name, _ in sets], p=[share for _, share in sets]))
    return dice_sets.load(name).kinds


def any_of(kinds: Sequence[Kind], rng: np.random.Generator) -> RandomDie:
    """A die of one of the kinds, of any make, on a body of any of them."""
    kind = kinds[int(rng.integers(len(kinds)))]
    return of_any_make(kind, rng, any_body(kind, kinds, rng))


def any_body(kind: Kind, kinds: Sequence[Kind], rng: np.random.Generator) -> str:
    """A body that some of `kinds` with the same marks may have: what stands on a face tells nothing of its ground."""
    alike = (other for other in kinds if other.marks == kind.marks)
    bodies = tuple(dict.fromkeys(body for other in alike for body in other.bodies))
    return random_body(replace(kind, bodies=bodies), rng)


def of_any_make(kind: Kind, rng: np.random.Generator, body: str, *, coloured: bool = False) -> RandomDie:
    """A die of the kind's faces with that body; every other one just as it was designed but for its colours.

    `coloured`: in the colours that its faces give, else in any (`in_any_colours`).
    """
    made = (kind, die_model(kind, body)) if coloured else in_any_colours(kind, body, rng)
    return _labelled(*(made if rng.random() < 0.5 else _another_make(*made, rng)), body)


def in_any_colours(kind: Kind, body: str, rng: np.random.Generator) -> tuple[Kind, DieModel]:
    """The kind and its die as designed, in colours drawn whatever the set says (`with_any_colours`)."""
    made, look = with_any_colours(kind, body, rng), die_model(kind, body)
    if kind.marks == "pips":
        return made, look
    designs = face_designs(made, body)
    if kind.marks == "plain":
        return made, replace(look, material=replace(look.material, fills=tuple(face.ground for face in designs)))
    inks = tuple(face.ink for face in designs)
    return made, replace(look, material=replace(look.material, ink=inks[0], inks=inks))


def with_any_colours(kind: Kind, body: str, rng: np.random.Generator) -> Kind:
    """The kind with each mark in any ink that is told from the body, on every other die all in the same; with plain
    faces in any order."""
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
    """The inks in which a person can tell a mark of the kind from that body."""
    looks = {
        ink: face_designs(replace(kind, faces=(replace(kind.faces[0], colour=ink),)), body)[0] for ink in INK_NAMES
    }
    return tuple(ink for ink, face in looks.items() if paints.refined(face.ink, face.ground))


def _another_make(kind: Kind, look: DieModel, rng: np.random.Generator) -> tuple[Kind, DieModel]:
    """The die with colours, shape and gloss that vary; it may be of stickers on a cube of any substance, or worn."""
    made = look.material
    colour = paints.near(made.body, rng, 0.03)
    material = replace(
        substances.finished(colour, made.ink, rng),
        fills=tuple(paints.near(fill, rng, 0.03) for fill in made.fills),
        inks=tuple(paints.near(ink, rng, 0.03) for ink in made.inks),
    )
    artwork, shape = look.artwork, random_shape(rng) if rng.random() < 0.6 else look.shape
    if rng.random() < 0.5:
        artwork = wear.on_stickers(artwork, rng)
        if kind.marks != "plain":
            material = replace(material, fills=wear.papers(colour, rng))
        body = substances.random_body(paints.pick(substances.SUBSTANCES, rng), rng)
        if body.substance == "solid":
            body = replace(body, colour=colour if rng.random() < 0.4 else paints.random_base(rng))
        material = substances.made_of(material, body, (), rng)
        shape = substances.shaped(shape, body, rng)
    filled = bool(material.fills)
    if not filled:
        material = replace(material, fills=(paints.speck(colour, rng),) * 6)
    artwork = wear.aged(artwork, paints.pick(wear.WEARS, rng), rng, filled=filled)
    return kind, DieModel(artwork, shape, material)


def _labelled(kind: Kind, look: DieModel, body: str) -> RandomDie:
    """`look`, a die of `kind` with that body, with what each of its faces shows."""
    shows = tuple(class_of(kind, face) for face in kind.faces)
    inks = tuple(_ink(kind, index, shown, BODIES[body]) for index, shown in enumerate(shows))
    paint = tuple(
        paints.number_of(face.colour or body) if kind.marks == "plain" else paints.number_of(body)
        for face in kind.faces
    )
    return RandomDie(look, shows, paint, inks)  # type: ignore[arg-type]


def _ink(kind: Kind, index: int, shown: int | None, ground: Colour) -> int:
    """The number of the mark's colour: that which the set gives, or black or white by the ground."""
    if shown == PLAIN or kind.marks == "pips":
        return NOT_SAID
    plain = "black" if plain_ink(ground)[1] < 0.5 else "white"
    return paints.number_of(kind.faces[index].colour or plain)
