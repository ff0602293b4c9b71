"""Turns rendered throws into training shards: `python -m tools train rendered_shards FOLDER OUT`.

FOLDER is what `tools.training.rendered` wrote. What it keeps no note of (where each top lies, how it is seen) comes
from the seeds again, so the pictures must be of this version. Seeds that measure the reader are not to be trained on.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from tools.training import paints, rendered, rooms
from tools.training.dataset import SCENE, save_shard
from tools.training.labels import NOT_SAID, Label
from tools.training.rendered_dice import Points
from tools.training.rendered_scene import SHAPE, Camera, RestingDie, Spot
from vision import dice_sets
from vision.classification.face_probabilities import class_of
from vision.pictures import Picture, UnreadablePicture, load_picture

_LEFTS = (0, SHAPE[1] - SCENE)
"""A picture gives two squares, one at each end."""

_SIDE = 0.2
"""Cosine from which a side face is seen."""


class OtherVersion(Exception):
    """A picture whose throw comes out otherwise now."""


def labels_of(dice: Sequence[RestingDie], camera: Camera) -> list[Label]:
    """The dice of a rendered picture in its pixels, wholly seen."""
    return [_label(die, camera) for die in dice]


def _label(die: RestingDie, camera: Camera) -> Label:
    spot, eye = die.spot, np.array(camera.eye)
    top = np.array([spot.x, spot.y, spot.edge])
    x, y = camera.pixels(top[None])[0]
    away = top - eye
    down = camera.pixels(top[None] - [0, 0, 0.01])[0] - (x, y)
    down *= np.hypot(*away[:2]) / np.linalg.norm(away) / max(float(np.hypot(*down)), 1e-9)
    shown = die.truth(camera)
    assert shown.box is not None
    left, top_edge, width, height = shown.box
    face = class_of(die.kind, shown.face)
    paint = shown.face.colour if die.kind.marks == "plain" else next(iter(die.kind.bodies), None)
    ink = shown.face.colour if die.kind.marks in ("digits", "symbols") else None
    return Label(
        float(x),
        float(y),
        camera.focal * spot.edge / float(away @ camera.axes()[2]),
        float(down[0]),
        float(down[1]),
        (left, top_edge, left + width, top_edge + height),
        NOT_SAID if face is None else face,
        NOT_SAID if paint is None or len(die.kind.bodies) > 1 else paints.number_of(paint),
        NOT_SAID if ink is None else paints.number_of(ink),
        sides=tuple((float(a), float(b)) for a, b in camera.pixels(_sides(spot, eye))),
    )


def _sides(spot: Spot, eye: Points) -> Points:
    """Middles (N, 3) of the upright faces that the camera sees."""
    angles = spot.yaw + np.arange(4) * np.pi / 2
    normals = np.stack([np.cos(angles), np.sin(angles), np.zeros(4)], 1)
    middles = np.array([spot.x, spot.y, spot.edge / 2]) + normals * spot.edge / 2
    toward = eye - middles
    return np.asarray(middles[(normals * toward).sum(1) > _SIDE * np.linalg.norm(toward, axis=1)])


def seen_of(die: RestingDie, dice: Sequence[RestingDie], camera: Camera, left: int, upper: int) -> float:
    """The share of a die's top that is in the square with that corner and that no other one hides."""
    x, y = (part.ravel() for part in np.meshgrid(*[np.linspace(-0.35, 0.35, 7) * die.spot.edge] * 2))
    points = np.stack([die.spot.x + x, die.spot.y + y, np.full(x.size, die.spot.edge)], 1)
    free = ((camera.pixels(points) - (left, upper)) // SCENE == 0).all(1)
    for other in dice:
        if other is not die:
            free &= ~_in_the_way(other.spot, points, np.array(camera.eye) - points)
    return float(free.mean())


def _in_the_way(spot: Spot, points: Points, sight: Points) -> npt.NDArray[np.bool_]:
    """Whether the lines from points (N, 3) along `sight` pass through the cube that stands there."""
    c, s = np.cos(spot.yaw), np.sin(spot.yaw)
    turn = np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
    begin = (points - [spot.x, spot.y, spot.edge / 2]) @ turn.T
    along = sight @ turn.T
    along = np.where(np.abs(along) < 1e-9, 1e-9, along)
    slabs = np.stack([(-spot.edge / 2 - begin) / along, (spot.edge / 2 - begin) / along])
    enter, leave = slabs.min(0).max(1), slabs.max(0).min(1)
    return np.asarray(leave > np.maximum(enter, 1e-6))


def squares_of(
    picture: Picture, dice: Sequence[RestingDie], camera: Camera, rng: np.random.Generator
) -> Iterator[tuple[Picture, list[Label]]]:
    """Squares of SCENE pixels and the labels of the dice that are in them at least in part."""
    for left in _LEFTS:
        upper = int(rng.integers(SHAPE[0] - SCENE + 1))
        square = picture[upper : upper + SCENE, left : left + SCENE]
        labels = []
        for die, label in zip(dice, labels_of(dice, camera), strict=True):
            seen = seen_of(die, dice, camera, left, upper)
            if seen > 0:
                labels.append(_moved(replace(label, seen=seen), left, upper))
        yield square, rooms.with_marks_that_show(labels, square)


def _moved(label: Label, left: int, upper: int) -> Label:
    x0, y0, x1, y1 = label.box
    box = (x0 - left, y0 - upper, x1 - left, y1 - upper)
    sides = tuple((x - left, y - upper) for x, y in label.sides)
    return replace(label, x=label.x - left, y=label.y - upper, box=box, sides=sides)


def pictures_in(folder: Path) -> Iterator[tuple[Path, list[RestingDie], Camera]]:
    """Every rendered picture below `folder`, with its throw. Raises OtherVersion."""
    for manifest in sorted(folder.glob(f"*/{rendered.MANIFEST}")):
        for line in manifest.read_text("utf-8").splitlines():
            said = json.loads(line)
            seed, number = (int(part) for part in Path(said["image"]).stem.split("_"))
            known = dice_sets.load(said["set"])
            for dice_set in (known, rendered.in_any_colours(known, seed, number)):
                room, camera, dice, _ = rendered.scene_of(dice_set, seed, number)
                if said.items() >= rendered.row(said["image"], said["set"], room, camera, dice).items():
                    break
            else:
                raise OtherVersion(f"{manifest}: {said['image']} was rendered by another version: render it again")
            yield manifest.parent / said["image"], dice, camera


def main() -> None:
    """Reads the command line and writes one shard."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--shard", type=int, default=0, help="number of the shard written")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    rng = np.random.default_rng(args.shard)
    scenes: list[tuple[Picture, list[Label]]] = []
    try:
        for path, dice, camera in pictures_in(args.folder):
            scenes += squares_of(load_picture(path), dice, camera, rng)
    except (OtherVersion, UnreadablePicture) as error:
        parser.error(str(error))
    if not scenes:
        parser.error(f"{args.folder}: no rendered pictures are there")
    print(f"{len(scenes)} scenes, {save_shard(args.out, args.shard, len(scenes), scenes)} dice")


if __name__ == "__main__":
    main()
