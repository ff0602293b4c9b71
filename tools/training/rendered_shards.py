"""Convert rendered throws to training shards.

`python -m tools train rendered_shards FOLDER OUT`.

FOLDER is the output of `tools.training.rendered`. The positions of the tops and the view are not stored there but
derived again from the seeds, so the images must come from this version. Never train on seeds that are used to measure
the reader.
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

from tools.training import lighting_effects, paints, rendered
from tools.training.dataset import SCENE, save_shard
from tools.training.labels import UNLABELLED, Label
from tools.training.rendered_dice import Points
from tools.training.rendered_scene import SHAPE, DieFootprint, RenderCamera, RestingDie
from vision import dice_sets
from vision.classification.face_probabilities import class_of_face
from vision.pictures import Picture, UnreadablePicture, load_picture

_LEFTS = (0, SHAPE[1] - SCENE)
"""Left edges of the two squares of an image, one at each end."""

_SIDE = 0.2
"""Minimum cosine at which a side face is visible."""


class RenderVersionMismatch(Exception):
    """Error: the throw of an image differs in this version."""


def labels_of(dice: Sequence[RestingDie], camera: RenderCamera) -> list[Label]:
    """Return labels for the dice of a rendered image, in its pixels, as fully visible."""
    return [_label(die, camera) for die in dice]


def _label(die: RestingDie, camera: RenderCamera) -> Label:
    spot, camera_position = die.spot, np.array(camera.position)
    top = np.array([spot.x, spot.y, spot.edge])
    x, y = camera.pixels(top[None])[0]
    view_ray = top - camera_position
    down = camera.pixels(top[None] - [0, 0, 0.01])[0] - (x, y)
    down *= np.hypot(*view_ray[:2]) / np.linalg.norm(view_ray) / max(float(np.hypot(*down)), 1e-9)
    truth = die.truth(camera)
    assert truth.box is not None
    left, top_edge, width, height = truth.box
    face = class_of_face(die.kind, truth.face)
    paint = truth.face.colour if die.kind.marks == "plain" else next(iter(die.kind.bodies), None)
    ink = truth.face.colour if die.kind.marks in ("digits", "symbols") else None
    return Label(
        float(x),
        float(y),
        camera.focal * spot.edge / float(view_ray @ camera.axes()[2]),
        float(down[0]),
        float(down[1]),
        (left, top_edge, left + width, top_edge + height),
        UNLABELLED if face is None else face,
        UNLABELLED if paint is None or len(die.kind.bodies) > 1 else paints.colour_index(paint),
        UNLABELLED if ink is None else paints.colour_index(ink),
        sides=tuple((float(a), float(b)) for a, b in camera.pixels(_sides(spot, camera_position))),
    )


def _sides(spot: DieFootprint, camera_position: Points) -> Points:
    """Return the centres (N, 3) of the upright faces that the camera sees."""
    angles = spot.yaw + np.arange(4) * np.pi / 2
    normals = np.stack([np.cos(angles), np.sin(angles), np.zeros(4)], 1)
    middles = np.array([spot.x, spot.y, spot.edge / 2]) + normals * spot.edge / 2
    toward = camera_position - middles
    return np.asarray(middles[(normals * toward).sum(1) > _SIDE * np.linalg.norm(toward, axis=1)])


def visible_share(die: RestingDie, dice: Sequence[RestingDie], camera: RenderCamera, left: int, upper: int) -> float:
    """Return the share of a die's top that is inside the square with that corner and not occluded by another die."""
    x, y = (part.ravel() for part in np.meshgrid(*[np.linspace(-0.35, 0.35, 7) * die.spot.edge] * 2))
    points = np.stack([die.spot.x + x, die.spot.y + y, np.full(x.size, die.spot.edge)], 1)
    free = ((camera.pixels(points) - (left, upper)) // SCENE == 0).all(1)
    for other in dice:
        if other is not die:
            free &= ~_in_the_way(other.spot, points, np.array(camera.position) - points)
    return float(free.mean())


def _in_the_way(spot: DieFootprint, points: Points, directions: Points) -> npt.NDArray[np.bool_]:
    """Return for each point (N, 3) whether the line along `directions` passes through the cube at that spot."""
    c, s = np.cos(spot.yaw), np.sin(spot.yaw)
    rotation = np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
    origins = (points - [spot.x, spot.y, spot.edge / 2]) @ rotation.T
    along = directions @ rotation.T
    along = np.where(np.abs(along) < 1e-9, 1e-9, along)
    slabs = np.stack([(-spot.edge / 2 - origins) / along, (spot.edge / 2 - origins) / along])
    enter, leave = slabs.min(0).max(1), slabs.max(0).min(1)
    return np.asarray(leave > np.maximum(enter, 1e-6))


def crop_squares(
    picture: Picture, dice: Sequence[RestingDie], camera: RenderCamera, rng: np.random.Generator
) -> Iterator[tuple[Picture, list[Label]]]:
    """Yield squares of SCENE pixels with the labels of the dice that are at least partly inside."""
    for left in _LEFTS:
        upper = int(rng.integers(SHAPE[0] - SCENE + 1))
        square = picture[upper : upper + SCENE, left : left + SCENE]
        labels = []
        for die, label in zip(dice, labels_of(dice, camera), strict=True):
            seen = visible_share(die, dice, camera, left, upper)
            if seen > 0:
                labels.append(_moved(replace(label, seen=seen), left, upper))
        yield square, lighting_effects.ignore_washed_out_marks(labels, square)


def _moved(label: Label, left: int, upper: int) -> Label:
    x0, y0, x1, y1 = label.box
    box = (x0 - left, y0 - upper, x1 - left, y1 - upper)
    sides = tuple((x - left, y - upper) for x, y in label.sides)
    return replace(label, x=label.x - left, y=label.y - upper, box=box, sides=sides)


def pictures_in(folder: Path) -> Iterator[tuple[Path, list[RestingDie], RenderCamera]]:
    """Yield every rendered image below `folder` with its throw. Raises RenderVersionMismatch."""
    for manifest in sorted(folder.glob(f"*/{rendered.MANIFEST}")):
        for line in manifest.read_text("utf-8").splitlines():
            row = json.loads(line)
            seed, number = (int(part) for part in Path(row["image"]).stem.split("_"))
            known = dice_sets.load(row["set"])
            for dice_set in (known, rendered.in_any_colours(known, seed, number)):
                environment, camera, dice, _ = rendered.scene_of(dice_set, seed, number)
                if row.items() >= rendered.manifest_row(row["image"], row["set"], environment, camera, dice).items():
                    break
            else:
                raise RenderVersionMismatch(
                    f"{manifest}: {row['image']} was rendered by another version: render it again"
                )
            yield manifest.parent / row["image"], dice, camera


def main() -> None:
    """Parse the arguments and write one shard."""
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
            scenes += crop_squares(load_picture(path), dice, camera, rng)
    except (RenderVersionMismatch, UnreadablePicture) as error:
        parser.error(str(error))
    if not scenes:
        parser.error(f"{args.folder}: no rendered pictures are there")
    print(f"{len(scenes)} scenes, {save_shard(args.out, args.shard, len(scenes), scenes)} dice")


if __name__ == "__main__":
    main()
