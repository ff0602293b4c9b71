"""Renders photograph-like pictures of throws by path tracing, to measure the reader's realism:
`python -m tools train rendered FOLDER --set SET [--set SET ...] --count N --seed S [--steepest DEGREES]`.

With `--any-colours` any ink that shows stands on a body, whatever the set says.

They share nothing with the drawn scenes but the artwork of the faces. Only the net that names colours has learnt on
some, of another seed (`tools.training.rendered_shards`). Each set gets a folder with pictures and a manifest
`photos.jsonl` (`vision/decision/labels.py`), which `tools.training.evaluate`, `tools.training.rendered_fates` and
`python -m tools bench reader --photos` measure. Beside each picture lie those of a camera that lets in less light,
`darker` in the manifest, down to the least that the product's does (`vision.detection.exposure`). What is there already
is not rendered again. Needs the `train` extra.
"""

from __future__ import annotations

import argparse
import json
import time
import zlib
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from math import floor, log
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from tools.training.own_dice import with_any_colours
from tools.training.rendered_room import RIM, Room, on_table, random_room
from tools.training.rendered_scene import EDGES, SHAPE, Camera, RestingDie, box_of, free_of, paths, random_throw
from tools.training.rendered_sensor import develop, without_grain
from vision import dice_sets
from vision.cameras.protocol import LEAST_LIGHT
from vision.detection.exposure import DIMMING_STEP
from vision.dice_sets import DiceSet
from vision.pictures import Picture, quieten

MANIFEST = "photos.jsonl"


def seeds_of(dice_set: str, seed: int, number: int) -> list[int]:
    """From what the picture of that number is drawn; sets have their own throws."""
    return [zlib.crc32(dice_set.encode()), seed, number]


def in_any_colours(dice_set: DiceSet, seed: int, number: int) -> DiceSet:
    """The set whose dice the picture of that number shows with `--any-colours`: marks in any ink that shows on their
    body, plain faces in any order. Marks on bodies that the set leaves open stay as they are."""
    rng = np.random.default_rng([*seeds_of(dice_set.name, seed, number), 1])
    kinds = (
        with_any_colours(kind, kind.bodies[0] if kind.bodies else "white", rng)
        if kind.bodies or kind.marks == "plain"
        else kind
        for kind in dice_set.kinds
    )
    return replace(dice_set, kinds=tuple(kinds))


def row(name: str, dice_set: str, room: Room, camera: Camera, dice: Sequence[RestingDie]) -> dict[str, Any]:
    """The manifest's line for a picture."""
    tags = [room.ground.name, f"lamps{len(room.lamps)}", "steep" if camera.tilt > 34 else "above"]
    shown = [die.truth(camera).shown() for die in dice]
    said = [{key: value for key, value in die.items() if value is not None} for die in shown]
    return {
        "image": name,
        "source": f"rendered {dice_set}",
        "set": dice_set,
        "dice": said,
        "n": len(dice),
        "tags": tags + (["tray"] if room.rim else []),
        "size": [SHAPE[1], SHAPE[0]],
        "labels": "rendered",
    }


def scene_of(
    dice_set: DiceSet, seed: int, number: int, steepest: float = 90.0
) -> tuple[Room, Camera, list[RestingDie], np.random.Generator]:
    """The scene of that number and the generator that the camera's faults go on from; always with dice, and seen by a
    camera that is tilted by `steepest` degrees at most."""
    rng = np.random.default_rng(seeds_of(dice_set.name, seed, number))
    while True:
        edge = float(np.exp(rng.uniform(*np.log(EDGES))))
        camera = Camera.random(edge, rng)
        if camera.tilt > steepest:
            continue
        dice = random_throw(dice_set, camera, edge, rng)
        if dice:
            room = random_room(SHAPE[0] / 2 / edge, rng)
            rim = max(room.rim, free_of(dice, camera, *RIM)) if room.rim else 0.0
            return replace(room, rim=rim), camera, dice, rng


def render(
    dice_set: DiceSet, seed: int, number: int, samples: int, steepest: float = 90.0
) -> tuple[list[Picture], Mapping[str, Any]]:
    """One picture, the same in less and less light, and its manifest line. The same seed gives the same picture."""
    from tools.training.path_tracing import trace  # what is known of a scene without it needs no renderer

    room, camera, dice, rng = scene_of(dice_set, seed, number, steepest)
    counts = paths([box_of(die.spot, die.made.form, camera) for die in dice], samples)
    light, albedo, lifted = trace(room, dice, camera, counts, number)
    lit = np.sum([on_table(lamp) for lamp in room.lamps], 0)
    clean = without_grain(light, albedo, lifted * (counts == samples), counts)
    pictures = [develop(clean, lit, deepcopy(rng), share) for share in shares()]
    names = [_named(seed, number, step) for step in range(len(pictures))]
    return pictures, row(names[0], dice_set.name, room, camera, dice) | {"darker": names[1:]}


def shares() -> list[float]:
    """The shares of its usual light that the product's camera lets in, one after the other."""
    steps = floor(log(LEAST_LIGHT) / log(DIMMING_STEP))
    return [DIMMING_STEP**step for step in range(steps + 1)]


def _named(seed: int, number: int, step: int) -> str:
    return f"{seed}_{number:04d}" + (f"_darker{step}" if step else "") + ".jpg"


def render_set(folder: Path, dice_set: DiceSet, seed: int, number: int, samples: int, steepest: float = 90.0) -> bool:
    """Adds picture `number` to the set's folder; False if it is there already."""
    place = folder / dice_set.name
    place.mkdir(parents=True, exist_ok=True)
    manifest = place / MANIFEST
    named = _named(seed, number, 0)
    lines = manifest.read_text("utf-8").splitlines() if manifest.exists() else []
    if any(json.loads(line)["image"] == named for line in lines):
        return False
    pictures, line = render(dice_set, seed, number, samples, steepest)
    for step, picture in enumerate(pictures):
        cv2.imwrite(str(place / _named(seed, number, step)), picture, [cv2.IMWRITE_JPEG_QUALITY, 97])
    with manifest.open("a", encoding="utf-8") as out:
        out.write(json.dumps(line, ensure_ascii=False) + "\n")
    return True


def main() -> None:
    """Reads the command line and renders; sets take turns, so that what is there at any time is of all of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--set", dest="sets", action="append", choices=dice_sets.names(), required=True)
    parser.add_argument("--count", type=int, default=40, help="pictures of each set")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--samples", type=int, default=48, help="paths of light a pixel of a die")
    parser.add_argument("--steepest", type=float, default=90.0, help="degrees that the camera is tilted by at most")
    parser.add_argument("--any-colours", action="store_true", help="of marks and plain faces, whatever the set says")
    args = parser.parse_args()
    quieten()
    for number in range(args.count):
        for name in args.sets:
            dice_set = dice_sets.load(name)
            dice_set = in_any_colours(dice_set, args.seed, number) if args.any_colours else dice_set
            if render_set(args.folder, dice_set, args.seed, number, args.samples, args.steepest):
                print(name, number, f"{time.process_time():.1f} s", flush=True)


if __name__ == "__main__":
    main()
