"""Labelled scenes, and shards: datasets of scenes on disk."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tools.training.labels import Label, Pose

SCENE = 448
"""Edge of a stored scene in pixels."""

COLUMNS = (
    "x",
    "y",
    "edge",
    "lean_x",
    "lean_y",
    "left",
    "top",
    "right",
    "bottom",
    "face",
    "paint",
    "ink",
    "state",
    "seen",
)
"""Columns of `LabelledScene.dice`. In a shard, the index of the scene comes first."""

POSE = 30
"""Size of a pose row: lean, flat (2), off_axis (2), axes (9), hull (16); see `labels.Pose`."""


@dataclass(frozen=True, slots=True)
class LabelledScene:
    """An image with its labels.

    - `picture`: (SCENE, SCENE, 3) uint8 BGR.
    - `dice`: (n, 14) in COLUMNS.
    - `sides`: side faces (m, 3): x, y, edge.
    - `poses`: (n, POSE) of its dice, or none (0, POSE).
    - `kind`: name of the generator.
    """

    picture: npt.NDArray[np.uint8]
    dice: npt.NDArray[np.float32]
    sides: npt.NDArray[np.float32]
    poses: npt.NDArray[np.float32]
    kind: str

    @classmethod
    def of(cls, picture: npt.NDArray[np.uint8], labels: Sequence[Label], kind: str) -> LabelledScene:
        """Create a labelled scene from a drawn image and its labels."""
        dice = np.asarray([label_row(label) for label in labels], np.float32).reshape(-1, len(COLUMNS))
        sides = np.asarray([(x, y, label.edge) for label in labels for x, y in label.sides], np.float32)
        poses = np.asarray([pose_row(label.pose) for label in labels if label.pose], np.float32).reshape(-1, POSE)
        return cls(picture, dice, sides.reshape(-1, 3), poses if len(poses) == len(dice) else poses[:0], kind)


def pose_row(pose: Pose) -> list[float]:
    """Return a pose as a row of `LabelledScene.poses`."""
    return [pose.lean, *pose.flat, *pose.off_axis, *pose.axes, *pose.hull]


def label_row(label: Label) -> list[float]:
    """Return a label as a row of `LabelledScene.dice`."""
    return [
        label.x,
        label.y,
        label.edge,
        label.lean_x,
        label.lean_y,
        *label.box,
        label.face,
        label.paint,
        label.ink,
        label.state,
        label.seen,
    ]


def save_shard(
    folder: Path, number: int, count: int, scenes: Iterable[tuple[npt.NDArray[np.uint8], list[Label]]]
) -> int:
    """Write `count` scenes, images and labels, as shard `number`. Return the number of dice.

    An unfinished file does not count as a shard.
    """
    folder.mkdir(parents=True, exist_ok=True)
    under_way = folder / f"{number:04d}.part.npy"
    pictures = np.lib.format.open_memmap(under_way, "w+", np.uint8, (count, SCENE, SCENE, 3))
    dice: list[list[float]] = []
    sides: list[list[float]] = []
    for scene, (picture, labels) in enumerate(scenes):
        pictures[scene] = picture
        dice.extend([scene, *label_row(label)] for label in labels)
        sides.extend([scene, x, y, label.edge] for label in labels for x, y in label.sides)
    pictures.flush()
    del pictures
    np.savez(
        folder / f"{number:04d}.npz",
        dice=np.asarray(dice, np.float32).reshape(-1, 1 + len(COLUMNS)),
        sides=np.asarray(sides, np.float32).reshape(-1, 4),
    )
    under_way.rename(folder / f"{number:04d}.npy")
    return len(dice)


def load_scenes(folder: Path, kind: str) -> Iterator[LabelledScene]:
    """Yield the scenes of every finished shard of `folder`, in order, with images mapped from disk."""
    for path in sorted(folder.glob("[0-9]*[0-9].npy")):
        pictures = np.load(path, mmap_mode="r")
        with np.load(path.with_suffix(".npz")) as labels:
            dice, sides = labels["dice"], labels["sides"]
        for scene, picture in enumerate(pictures):
            here, beside = (rows[rows[:, 0] == scene, 1:] for rows in (dice, sides))
            yield LabelledScene(np.asarray(picture), here, beside, np.zeros((0, POSE), np.float32), kind)
