"""Draws scenes: `python -m tools train draw FOLDER FIRST LAST COUNT [KIND]`.

COUNT of them a shard. With `--bare` there are no dice in them, and many things that may be taken for one; with `--own`
the dice are those of the product's own sets, as its camera sees them, with `--coloured` most often those that are told
by their colours; with `--figures` most show a six or a nine; with `--bold` many show a plain face on a ground that
hides it; with `--leaning` half of the dice lean on what lifts them.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from tools.training.bold_scenes import bold_scene
from tools.training.dataset import SCENE, save_shard
from tools.training.figure_scenes import figure_scene
from tools.training.labels import Label
from tools.training.leaning import leaning_scene
from tools.training.own_scenes import coloured_scene, own_scene
from tools.training.scenes import bare_scene, random_scene
from vision.pictures import Picture

Draw = Callable[[int, np.random.Generator], tuple[Picture, list[Label]]]


def draw_shard(folder: Path, number: int, count: int, make: Draw = random_scene) -> None:
    """Draws `count` scenes by `make` from seeds that belong to shard `number`, and saves them in `folder`."""
    save_shard(folder, number, count, (make(SCENE, np.random.default_rng([number, scene])) for scene in range(count)))


def main() -> None:
    """Reads the command line and draws the shards that are not there yet."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    for name in ("first", "last", "count"):
        parser.add_argument(name, type=int)
    made = parser.add_mutually_exclusive_group()
    made.add_argument("--bare", action="store_const", dest="make", const=bare_scene, help="tables without dice")
    made.add_argument("--own", action="store_const", dest="make", const=own_scene, help="the product's own dice")
    made.add_argument("--coloured", action="store_const", dest="make", const=coloured_scene, help="told by colours")
    made.add_argument("--figures", action="store_const", dest="make", const=figure_scene, help="sixes and nines")
    made.add_argument("--bold", action="store_const", dest="make", const=bold_scene, help="grounds that hide dice")
    made.add_argument("--leaning", action="store_const", dest="make", const=leaning_scene, help="half the dice lean")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    for number in range(args.first, args.last + 1):
        if not (args.folder / f"{number:04d}.npy").exists():
            draw_shard(args.folder, number, args.count, args.make or random_scene)


if __name__ == "__main__":
    main()
