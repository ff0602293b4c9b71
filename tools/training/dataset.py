"""Scenes drawn in advance and kept on disk in shards, so that training never waits for a drawing."""

from __future__ import annotations

from collections.abc import Iterable
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
"""What a row of a shard's `dice` array holds after the index of its scene."""

POSE = 30
"""Numbers of a pose: lean, flat (2), off_axis (2), axes (9), hull (16); see `labels.Pose`."""


@dataclass(frozen=True)
class Shard:
    """`pictures` (N, SCENE, SCENE, 3) uint8 BGR, mapped from disk; `dice` (M, 15): scene and COLUMNS; `sides` (K, 4):
    scene, x, y and edge of side faces that can be seen; `poses` (M, POSE), beside `dice`, no rows if not all of these
    have one."""

    name: str
    pictures: npt.NDArray[np.uint8]
    dice: npt.NDArray[np.float32]
    sides: npt.NDArray[np.float32]
    poses: npt.NDArray[np.float32]


def _pose_row(pose: Pose) -> list[float]:
    return [pose.lean, *pose.flat, *pose.off_axis, *pose.axes, *pose.hull]


def row(scene: int, label: Label) -> list[float]:
    """A label as a row of `Shard.dice`."""
    return [
        scene,
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
    """Writes `count` scenes, pictures and their labels, as shard `number`; gives how many dice they hold. What is not
    finished is no shard."""
    folder.mkdir(parents=True, exist_ok=True)
    under_way = folder / f"{number:04d}.part.npy"
    pictures = np.lib.format.open_memmap(under_way, "w+", np.uint8, (count, SCENE, SCENE, 3))
    dice: list[list[float]] = []
    sides: list[list[float]] = []
    poses: list[list[float]] = []
    for scene, (picture, labels) in enumerate(scenes):
        pictures[scene] = picture
        dice.extend(row(scene, label) for label in labels)
        poses.extend(_pose_row(label.pose) for label in labels if label.pose is not None)
        sides.extend([scene, x, y, label.edge] for label in labels for x, y in label.sides)
    pictures.flush()
    del pictures
    np.savez(
        folder / f"{number:04d}.npz",
        dice=np.asarray(dice, np.float32).reshape(-1, 15),
        sides=np.asarray(sides, np.float32).reshape(-1, 4),
        poses=np.asarray(poses if len(poses) == len(dice) else [], np.float32).reshape(-1, POSE),
    )
    under_way.rename(folder / f"{number:04d}.npy")
    return len(dice)


def load_shards(folder: Path) -> list[Shard]:
    """Every finished shard of `folder`, pictures mapped, not read."""
    shards = []
    for path in sorted(folder.glob("[0-9]*[0-9].npy")):
        with np.load(path.with_suffix(".npz")) as labels:
            poses = labels["poses"] if "poses" in labels else np.zeros((0, POSE), np.float32)
            pictures = np.load(path, mmap_mode="r")
            shards.append(Shard(f"{folder.name}_{path.stem}", pictures, labels["dice"], labels["sides"], poses))
    return shards
