"""`python -m vision.training.draw FOLDER FIRST LAST COUNT`: draws shards FIRST to LAST of COUNT scenes each."""

from __future__ import annotations

import sys
from pathlib import Path

import cv2
import numpy as np

from vision.training.dataset import SCENE, row, save_labels
from vision.training.scenes import random_scene


def draw_shard(folder: Path, number: int, count: int) -> None:
    """Draws `count` scenes from seeds that belong to shard `number`, and saves them in `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    pictures = np.lib.format.open_memmap(folder / f"{number:04d}.part.npy", "w+", np.uint8, (count, SCENE, SCENE, 3))
    dice: list[list[float]] = []
    sides: list[list[float]] = []
    for scene in range(count):
        pictures[scene], labels = random_scene(SCENE, np.random.default_rng([number, scene]))
        dice.extend(row(scene, label) for label in labels)
        sides.extend([scene, x, y, label.edge] for label in labels for x, y in label.sides)
    pictures.flush()
    del pictures
    save_labels(folder, number, dice, sides)
    (folder / f"{number:04d}.part.npy").rename(folder / f"{number:04d}.npy")


if __name__ == "__main__":
    cv2.setNumThreads(1)
    shards, first, last, count = Path(sys.argv[1]), *map(int, sys.argv[2:5])
    for number in range(first, last + 1):
        if not (shards / f"{number:04d}.npy").exists():
            draw_shard(shards, number, count)
