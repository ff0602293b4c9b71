"""Collects what the present finder takes for dice and what are none: `python -m tools train mine OUT FOLDER...`.

The classifier trains on these false finds instead of on chance places only.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tools.training.crops import Scenes
from tools.training.dataset import load_shards
from vision.detection.finder import Finder

_SCORE = 0.12


def main() -> None:
    """Reads the command line and writes {name of a scene: (n, 3) array of x, y, edge}."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--every", type=int, default=1, help="look at one scene in so many")
    args = parser.parse_args()
    finder = Finder()
    scenes = Scenes([shard for folder in args.folders for shard in load_shards(folder)])
    found: dict[str, npt.NDArray[np.float32]] = {}
    for index in range(0, len(scenes), args.every):
        scene = scenes[index]
        false = []
        for one in finder.find(scene.picture):
            gap = np.hypot(scene.dice[:, 1] - one.x, scene.dice[:, 2] - one.y) / np.maximum(scene.dice[:, 3], 1)
            ratio = np.abs(np.log(np.maximum(scene.dice[:, 3], 1) / one.edge))
            if one.score > _SCORE and not ((gap < 0.4) & (ratio < 0.6)).any():
                false.append([one.x, one.y, one.edge])
        if false:
            found[scene.name] = np.asarray(false, np.float32)
    np.savez(args.out, allow_pickle=False, **found)
    print(f"{sum(len(rows) for rows in found.values())} false finds in {len(found)} scenes")


if __name__ == "__main__":
    main()
