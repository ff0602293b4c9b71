"""Render photorealistic images of throws by path tracing, to measure the reader.

`python -m tools train rendered FOLDER --set SET [--set SET ...] --count N --seed S [--steepest DEGREES]`.

With `--any-colours`, marks have any readable ink on any body, whatever the set defines.

The rendered scenes share only the face artwork with the drawn scenes. Only the colour network was trained on some of
them, with another seed (`tools.training.rendered_shards`). Each set gets a folder with images and a manifest
`photos.jsonl` (`vision/decision/labels.py`), which `tools.training.evaluate`, `tools.training.rendered_fates` and
`python -m tools bench reader --photos` read. Each image also has darker exposures, listed under `darker` in the
manifest, down to the lowest exposure of the product's camera (`vision.detection.exposure`). Existing images are not
rendered again. Needs the `train` extra.
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
from tools.training.rendered_environment import RIM, Environment, on_table, random_environment
from tools.training.rendered_scene import (
    EDGES,
    SHAPE,
    RenderCamera,
    RestingDie,
    box_of,
    free_of,
    path_counts,
    random_throw,
)
from tools.training.rendered_sensor import denoise, develop
from vision import dice_sets
from vision.cameras.protocol import MIN_LIGHT_SHARE
from vision.detection.exposure import DIMMING_STEP
from vision.dice_sets import DiceSet
from vision.pictures import Picture, silence_opencv

MANIFEST = "photos.jsonl"


def seeds_of(dice_set: str, seed: int, number: int) -> list[int]:
    """Return the seeds of an image. Each set has its own throws."""
    return [zlib.crc32(dice_set.encode()), seed, number]


def in_any_colours(dice_set: DiceSet, seed: int, number: int) -> DiceSet:
    """Return the set that an image shows with `--any-colours`.

    Marks have any readable ink on their body; plain faces are in any order. Marks on bodies that the set leaves open
    stay unchanged.
    """
    rng = np.random.default_rng([*seeds_of(dice_set.name, seed, number), 1])
    kinds = (
        with_any_colours(kind, kind.bodies[0] if kind.bodies else "white", rng)
        if kind.bodies or kind.marks == "plain"
        else kind
        for kind in dice_set.kinds
    )
    return replace(dice_set, kinds=tuple(kinds))


def manifest_row(
    name: str, dice_set: str, environment: Environment, camera: RenderCamera, dice: Sequence[RestingDie]
) -> dict[str, Any]:
    """Return the manifest entry of an image."""
    tags = [environment.ground.name, f"lamps{len(environment.lamps)}", "steep" if camera.tilt > 34 else "above"]
    labels = [die.truth(camera).as_json() for die in dice]
    dice_fields = [{key: value for key, value in die.items() if value is not None} for die in labels]
    return {
        "image": name,
        "source": f"rendered {dice_set}",
        "set": dice_set,
        "dice": dice_fields,
        "n": len(dice),
        "tags": tags + (["tray"] if environment.rim else []),
        "size": [SHAPE[1], SHAPE[0]],
        "labels": "rendered",
    }


def scene_of(
    dice_set: DiceSet, seed: int, number: int, max_tilt: float = 90.0
) -> tuple[Environment, RenderCamera, list[RestingDie], np.random.Generator]:
    """Return the scene of an image and the generator for its camera effects.

    The scene always has dice. The camera tilts by at most `max_tilt` degrees.
    """
    rng = np.random.default_rng(seeds_of(dice_set.name, seed, number))
    while True:
        edge = float(np.exp(rng.uniform(*np.log(EDGES))))
        camera = RenderCamera.random(edge, rng)
        if camera.tilt > max_tilt:
            continue
        dice = random_throw(dice_set, camera, edge, rng)
        if dice:
            environment = random_environment(SHAPE[0] / 2 / edge, rng)
            rim = max(environment.rim, free_of(dice, camera, *RIM)) if environment.rim else 0.0
            return replace(environment, rim=rim), camera, dice, rng


def render(
    dice_set: DiceSet, seed: int, number: int, samples: int, max_tilt: float = 90.0
) -> tuple[list[Picture], Mapping[str, Any]]:
    """Return one image, its darker exposures, and its manifest entry. The same seed gives the same image."""
    from tools.training.path_tracing import trace  # other functions describe a scene without the renderer

    environment, camera, dice, rng = scene_of(dice_set, seed, number, max_tilt)
    counts = path_counts([box_of(die.spot, die.made.form, camera) for die in dice], samples)
    light, albedo, lifted = trace(environment, dice, camera, counts, number)
    lit = np.sum([on_table(lamp) for lamp in environment.lamps], 0)
    clean = denoise(light, albedo, lifted * (counts == samples), counts)
    pictures = [develop(clean, lit, deepcopy(rng), share) for share in light_shares()]
    names = [_named(seed, number, step) for step in range(len(pictures))]
    return pictures, manifest_row(names[0], dice_set.name, environment, camera, dice) | {"darker": names[1:]}


def light_shares() -> list[float]:
    """Return the exposures of the product's camera as shares of the automatic exposure, in descending order."""
    steps = floor(log(MIN_LIGHT_SHARE) / log(DIMMING_STEP))
    return [DIMMING_STEP**step for step in range(steps + 1)]


def _named(seed: int, number: int, step: int) -> str:
    return f"{seed}_{number:04d}" + (f"_darker{step}" if step else "") + ".jpg"


def render_set(folder: Path, dice_set: DiceSet, seed: int, number: int, samples: int, max_tilt: float = 90.0) -> bool:
    """Add image `number` to the set's folder. Return False if it exists already."""
    place = folder / dice_set.name
    place.mkdir(parents=True, exist_ok=True)
    manifest = place / MANIFEST
    named = _named(seed, number, 0)
    lines = manifest.read_text("utf-8").splitlines() if manifest.exists() else []
    if any(json.loads(line)["image"] == named for line in lines):
        return False
    pictures, line = render(dice_set, seed, number, samples, max_tilt)
    for step, picture in enumerate(pictures):
        cv2.imwrite(str(place / _named(seed, number, step)), picture, [cv2.IMWRITE_JPEG_QUALITY, 97])
    with manifest.open("a", encoding="utf-8") as out:
        out.write(json.dumps(line, ensure_ascii=False) + "\n")
    return True


def main() -> None:
    """Parse the arguments and render. Sets take turns, so a partial result covers all of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--set", dest="sets", action="append", choices=dice_sets.names(), required=True)
    parser.add_argument("--count", type=int, default=40, help="pictures of each set")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--samples", type=int, default=48, help="paths of light a pixel of a die")
    parser.add_argument("--steepest", type=float, default=90.0, help="degrees that the camera is tilted by at most")
    parser.add_argument("--any-colours", action="store_true", help="of marks and plain faces, whatever the set says")
    args = parser.parse_args()
    silence_opencv()
    for number in range(args.count):
        for name in args.sets:
            dice_set = dice_sets.load(name)
            dice_set = in_any_colours(dice_set, args.seed, number) if args.any_colours else dice_set
            if render_set(args.folder, dice_set, args.seed, number, args.samples, args.steepest):
                print(name, number, f"{time.process_time():.1f} s", flush=True)


if __name__ == "__main__":
    main()
