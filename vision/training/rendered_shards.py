"""Rendered scenes to learn from: `python -m vision.training.rendered_shards FOLDER FIRST LAST COUNT [--samples N]`.

The same throws, rooms and camera as the pictures of `vision.training.rendered`, of seeds that those never have, with
the labels that training needs. Slower than drawing by far; what they add are solid dice with round edges, hollow pips,
several lamps and what is mirrored. Needs the `train` extra.
"""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision import dice_sets
from vision.chances import class_of
from vision.classes import PLAIN
from vision.dice_sets import Kind
from vision.pictures import quieten
from vision.training import paints
from vision.training.draw import draw_shard
from vision.training.labels import NOT_SAID, Label
from vision.training.rendered import render
from vision.training.rendered_dice import FRAMES
from vision.training.rendered_scene import SHAPE, Camera, RestingDie

_SETS = (("nba", 0.38), ("pips", 0.22), ("ball", 0.2), ("numerals", 0.1), ("hoops21", 0.06), ("footclub", 0.04))
"""How often a throw is of a set."""

_SEEDS = (1_000_000, 2**31)
"""Between these are the seeds of what is learned from; what is measured has smaller ones."""


def rendered_scene(size: int, rng: np.random.Generator, samples: int = 24) -> tuple[npt.NDArray[np.uint8], list[Label]]:
    """A part (size, size, 3) uint8 BGR of a rendered picture and the labels of its dice."""
    name = str(rng.choice([name for name, _ in _SETS], p=[share for _, share in _SETS]))
    seed = int(rng.integers(*_SEEDS))
    scene = render(dice_sets.load(name), seed, 0, samples)
    top, left = (int(rng.integers(0, length - size + 1)) for length in SHAPE)
    part = np.ascontiguousarray(scene.picture[top : top + size, left : left + size])
    labels = [moved(label_of(die, scene.camera), left, top, size) for die in scene.dice]
    return part, [label for label in labels if label is not None]


def label_of(die: RestingDie, camera: Camera) -> Label:
    """What a die shows, in pixels of the whole picture."""
    stood = die.placed(np.vstack([np.zeros((1, 3)), 0.5 * FRAMES[:, 2]]))
    middles, outwards = stood[1:], stood[1:] - stood[0]
    top = middles[die.face - 1]
    to_eye = np.asarray(camera.eye) - top
    foot = camera.pixels(np.array([[camera.eye[0], camera.eye[1], 0.0]]))[0] - camera.pixels(top[None])[0]
    tilt = float(np.hypot(to_eye[0], to_eye[1]) / np.linalg.norm(to_eye))
    lean = foot / max(float(np.linalg.norm(foot)), 1e-6) * tilt
    depth = float((top - camera.eye) @ camera.axes()[2])
    seen = [
        camera.pixels(middle[None])[0]
        for number, (middle, out) in enumerate(zip(middles, outwards, strict=True), 1)
        if number != die.face and out @ (np.asarray(camera.eye) - middle) > 0.1 * np.linalg.norm(camera.eye - middle)
    ]
    left, upper, width, height = die.truth(camera).box or (0.0, 0.0, 0.0, 0.0)
    x, y = camera.pixels(top[None])[0]
    face = class_of(die.kind, die.kind.faces[die.face - 1])
    assert face is not None  # every face of the product's sets has its class
    paint, ink = _colours(die.kind, die.made.body, die.face - 1)
    return Label(
        float(x),
        float(y),
        camera.focal * die.spot.edge / depth,
        float(lean[0]),
        float(lean[1]),
        (left, upper, left + width, upper + height),
        face,
        paint,
        ink,
        sides=tuple((float(at[0]), float(at[1])) for at in seen),
    )


def _colours(kind: Kind, body: str, index: int) -> tuple[int, int]:
    """The numbers of a face's ground and mark; a mark whose colour the set leaves open is not taught."""
    face = kind.faces[index]
    if kind.marks == "plain":
        return paints.number_of(face.colour or body), NOT_SAID
    teaches = kind.marks != "pips" and class_of(kind, face) != PLAIN and face.colour is not None
    return paints.number_of(body), paints.number_of(face.colour or body) if teaches else NOT_SAID


def moved(label: Label, left: int, top: int, size: int) -> Label | None:
    """The label in pixels of a square part of the picture; None for a die that lies outside of it."""
    x, y = label.x - left, label.y - top
    inside = min(x, y, size - x, size - y)
    if inside < -label.edge:
        return None
    share = float(np.clip(0.5 + inside / (0.8 * label.edge), 0, 1))
    box = (label.box[0] - left, label.box[1] - top, label.box[2] - left, label.box[3] - top)
    sides = tuple((a - left, b - top) for a, b in label.sides)
    return Label(x, y, label.edge, label.lean_x, label.lean_y, box, label.face, label.paint, label.ink, 0, share, sides)


def main() -> None:
    """Reads the command line and renders the shards that are not there yet."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    for name in ("first", "last", "count"):
        parser.add_argument(name, type=int)
    parser.add_argument("--samples", type=int, default=24, help="paths of light a pixel of a die")
    args = parser.parse_args()
    quieten()
    cv2.setNumThreads(1)
    for number in range(args.first, args.last + 1):
        if not (args.folder / f"{number:04d}.npy").exists():
            draw_shard(args.folder, number, args.count, partial(rendered_scene, samples=args.samples))


if __name__ == "__main__":
    main()
