"""Convert labelled photographs to training shards.

`python -m tools train photographs MANIFEST OUT [--but SOURCE]`.

Uses only photographs whose licence allows training ("train": true). None of them is shipped with the product. Boxes of
different annotators mean different things (the whole die, its pips only, or no box at all), so each label is placed
where the current reader finds the die.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from tools.training.dataset import SCENE, save_shard
from tools.training.labels import Label
from vision import dice_sets
from vision.classification.face_nets import Classification
from vision.decision.reader import Reader
from vision.detection.finder import Candidate
from vision.pictures import Picture, load_picture

_SHARD = 5000
_EDGE_OF_BOX = {"pips": 1.25, "die": 0.78}
"""Edge of a die relative to the longer side of a box around its pips, or around the whole die at a random rotation."""


def labels_of(
    truth: dict[str, object], candidates: list[Candidate], classifications: list[Classification], kind: str
) -> list[Label] | None:
    """Return the labels of one photograph in its pixels, or None if dice without boxes cannot be assigned."""
    dice = truth["dice"]
    assert isinstance(dice, list)
    seen = [
        (one, classification)
        for one, classification in zip(candidates, classifications, strict=True)
        if one.score * classification.die_chance > 0.2
    ]
    if all(die.get("box") for die in dice):
        return [_boxed(die["value"], die["box"], seen, kind) for die in dice]
    sure = [
        (one, classification)
        for one, classification in seen
        if float(classification.classes[1:7].max()) > 0.45 and one.score * classification.die_chance > 0.25
    ]
    values = [int(classification.classes[1:7].argmax()) + 1 for _, classification in sure]
    if sorted(values) != sorted(die["value"] for die in dice):
        return None
    return [_label(value, one, classification) for value, (one, classification) in zip(values, sure, strict=True)]


def box_kind(truth: dict[str, Any]) -> str:
    """Return what the boxes of a photograph enclose: `pips` or the whole `die`."""
    return "pips" if any(die.get("box_kind") == "pips" for die in [truth, *truth["dice"]]) else "die"


def _label(value: int, one: Candidate, classification: Classification) -> Label:
    return Label(one.x, one.y, one.edge, classification.lean[0], classification.lean[1], one.box, value)


def _boxed(value: int, box: list[float], seen: list[tuple[Candidate, Classification]], kind: str) -> Label:
    x, y = box[0] + box[2] / 2, box[1] + box[3] / 2
    edge = max(box[2:]) * _EDGE_OF_BOX[kind] if kind == "die" or value > 1 else max(box[2:]) * 4.0
    near = [
        (float(np.hypot(one.x - x, one.y - y)), one, classification)
        for one, classification in seen
        if kind == "pips" or 0.6 < one.edge / edge < 1.5
    ]
    gap, one, classification = min(near, key=lambda item: item[0], default=(1e9, None, None))
    if one is not None and classification is not None and gap < 0.45 * one.edge:
        return _label(value, one, classification)
    half = 0.6 * edge
    return Label(x, y, edge, 0.0, 0.0, (x - half, y - half, x + half, y + half), value)


def cut_scene(
    picture: Picture, labels: list[Label], rng: np.random.Generator
) -> tuple[npt.NDArray[np.uint8], list[Label]]:
    """Return a random square crop of SCENE pixels of a photograph, at a scale that the networks are trained for."""
    shorter = min(picture.shape[:2])
    largest = SCENE / shorter
    edge = float(np.median([label.edge for label in labels])) if labels else shorter / 15
    scale = float(np.clip(np.exp(rng.uniform(np.log(20), np.log(70))) / edge, largest, 1.5))
    reach = SCENE / scale
    about = labels[int(rng.integers(len(labels)))] if labels else None
    middle = (about.x, about.y) if about else (rng.uniform(0, picture.shape[1]), rng.uniform(0, picture.shape[0]))
    left = float(np.clip(middle[0] - reach * rng.uniform(0.2, 0.8), 0, max(0.0, picture.shape[1] - reach)))
    top = float(np.clip(middle[1] - reach * rng.uniform(0.2, 0.8), 0, max(0.0, picture.shape[0] - reach)))
    part = picture[int(top) : int(top + reach), int(left) : int(left + reach)]
    kind = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    out = cv2.resize(part, (SCENE, SCENE), interpolation=kind)
    moved = []
    for one in labels:
        x, y = (one.x - int(left)) * scale, (one.y - int(top)) * scale
        inside = min(x, y, SCENE - x, SCENE - y)
        if inside < -one.edge * scale:
            continue
        box = tuple((v - o) * scale for v, o in zip(one.box, (int(left), int(top)) * 2, strict=True))
        share = float(np.clip(0.5 + inside / (0.8 * one.edge * scale), 0, 1))
        moved.append(
            Label(
                x, y, one.edge * scale, one.lean_x, one.lean_y, (box[0], box[1], box[2], box[3]), one.face, seen=share
            )
        )
    return np.asarray(out, np.uint8), moved


def main() -> None:
    """Parse the arguments and write one shard."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("manifest", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--but", default="", help="leave out the sources whose name contains this")
    parser.add_argument("--only", default="", help="only the sources whose name contains this")
    parser.add_argument("--shard", type=int, default=_SHARD, help="number of the shard written")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    reader, rng = Reader(dice_sets.load("pips")), np.random.default_rng(args.seed)
    scenes: list[tuple[npt.NDArray[np.uint8], list[Label]]] = []
    missed = 0
    for line in args.manifest.read_text("utf-8").splitlines():
        truth = json.loads(line)
        source = truth["source"]
        if not truth["train"] or (args.but and args.but in source) or args.only not in source:
            continue
        picture = load_picture(args.manifest.parent / truth["image"])
        labels = labels_of(truth, *reader.detect(picture), box_kind(truth))
        if labels is None:
            missed += 1
            continue
        scenes += [cut_scene(picture, labels, rng) for _ in range(3 + (not truth["dice"][0].get("box")) * 3)]
    dice = save_shard(args.out, args.shard, len(scenes), scenes)
    print(f"{len(scenes)} scenes, {dice} dice, {missed} photographs left out")


if __name__ == "__main__":
    main()
