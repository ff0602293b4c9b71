"""Fit the trust model for finds.

`python -m tools train trust OUT [--manifest PHOTOS.jsonl] [--scenes N] [--seed S]`.

Reads drawn scenes and the photographs that may be used for training, with mild augmentation and the shipped networks.
Then fits the two logistic regressions of `vision/decision/trust.py` to the true labels of the finds. Writes OUT
(trust.json). Prints for each source, left out of the fit, how many correct readings and how many wrong ones are
certain.
"""

from __future__ import annotations

import argparse
import itertools
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from tools.training.bold_scenes import bold_scene
from tools.training.labels import UNLABELLED, Label
from tools.training.own_scenes import own_scene
from tools.training.photographs import box_kind, labels_of
from tools.training.scenes import bare_scene, random_scene
from vision import dice_sets
from vision.classification.classes import UNKNOWN
from vision.decision.reader import Reader, distinct_finds
from vision.decision.thresholds import Thresholds, evidence
from vision.decision.trust import FEATURES, features, subject_of
from vision.files import write_atomically
from vision.pictures import Picture, load_picture

Rows = npt.NDArray[np.float64]

_SCENE = 448
"""Edge of a drawn scene in pixels."""

_DRAWN = (("any", random_scene, 0.44), ("own", own_scene, 0.2), ("bold", bold_scene, 0.12), ("bare", bare_scene, 0.24))
"""Kinds of drawn scenes with their shares."""

_LEAST_EVIDENCE = 0.4
"""Minimum evidence of a training example: the reader does not ask about finds with less."""

_NEAR = 0.4
"""Maximum distance of a find from the centre of its die, in edges."""

_ALIKE = 0.55
"""Minimum ratio of the smaller to the larger edge of a find and its die."""

_SEEN = 0.6
"""Minimum visible share of a top face. Dice that are more occluded are not used."""

_PENALTY = 1e-3
"""Weight of the squared standardised coefficients relative to the mean log loss."""

_STEPS = 30
"""Maximum number of steps. Newton's method converges in under ten."""

_FITS, _FAULT = 3, 0.9
"""Number of fits, and maximum error probability of a label.

Each fit drops the label errors of the one before: labels with a probability under 0.1.
"""


@dataclass(slots=True)
class Examples:
    """Finds as training examples.

    Fields: features (n, FEATURES), whether there was a die, whether its mark was read correctly, and the source.
    """

    rows: Rows
    is_die: npt.NDArray[np.bool_]
    is_read_right: npt.NDArray[np.bool_]
    source: npt.NDArray[np.str_]


def augment(picture: Picture, rng: np.random.Generator) -> tuple[Picture, float]:
    """Return an augmented image (smaller, darker, tinted, blurred or noisy, JPEG compressed) and its new scale."""
    way, scale = int(rng.integers(6)), 1.0
    if way < 2:
        scale = float(rng.uniform(0.45, 1.0))
        picture = np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    if way in (1, 2):
        picture = _clipped(picture * rng.uniform(0.6, 1.35))
    elif way == 3:
        picture = _clipped(picture * np.exp(rng.normal(0, 0.12, 3)))
    elif way == 4:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), float(rng.uniform(0.5, 1.3))), np.uint8)
    elif way == 5:
        picture = _clipped(picture + rng.normal(0, rng.uniform(3, 12), picture.shape))
    _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(60, 95))])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8), scale


def _clipped(picture: npt.NDArray[Any]) -> Picture:
    return np.asarray(np.clip(picture, 0, 255), np.uint8)


def drawn(scenes: int, seed: int) -> Iterator[tuple[str, Picture, list[Label]]]:
    """Yield drawn scenes of every kind: source, image, labels."""
    for number, (name, make, share) in enumerate(_DRAWN):
        for scene in range(round(scenes * share)):
            yield name, *make(_SCENE, np.random.default_rng([seed, number, scene]))


def photographed(reader: Reader, manifest: Path, seed: int) -> Iterator[tuple[str, Picture, list[Label]]]:
    """Yield the photographs of a manifest that may be used for training, each with one augmentation."""
    lines = (json.loads(line) for line in manifest.read_text("utf-8").splitlines())
    for number, truth in enumerate(line for line in lines if line["train"]):
        picture = load_picture(manifest.parent / truth["image"])
        labels = labels_of(truth, *reader.detect(picture), box_kind(truth))
        if labels is None:
            continue
        augmented, scale = augment(picture, np.random.default_rng([seed, 100, number]))
        yield truth["source"], augmented, [_scaled(label, scale) for label in labels]


def _scaled(label: Label, scale: float) -> Label:
    return replace(label, x=label.x * scale, y=label.y * scale, edge=label.edge * scale)


def examples_of(
    reader: Reader, picture: Picture, labels: Sequence[Label]
) -> list[tuple[npt.NDArray[np.float64], bool, bool]]:
    """Return the training examples of an image: features, whether there is a die, whether it is read correctly."""
    finds = distinct_finds(
        *reader.detect(picture), lambda one, classification: evidence(one, classification) >= _LEAST_EVIDENCE
    )
    rows = features([subject_of(one, classification) for one, classification in finds])
    out = []
    for (one, classification), row in zip(finds, rows, strict=True):
        near = [
            label
            for label in labels
            if np.hypot(label.x - one.x, label.y - one.y) < _NEAR * max(label.edge, one.edge)
            and _ALIKE < label.edge / one.edge < 1 / _ALIKE
        ]
        face_class = int(classification.classes[1:].argmax()) + 1
        if any(_teaches_nothing(label, face_class) for label in near):
            continue
        read = any(label.face == face_class for label in near)
        out.append((row, bool(near), read))
    return out


def _teaches_nothing(label: Label, face_class: int) -> bool:
    """Return True for a die that is half occluded, has no label, or whose unknown mark may look like a known one."""
    return label.seen < _SEEN or label.face == UNLABELLED or (label.face == UNKNOWN and face_class != UNKNOWN)


def collect(reader: Reader, pictures: Iterator[tuple[str, Picture, list[Label]]]) -> Examples:
    """Collect the examples of all images."""
    rows: list[Rows] = []
    there: list[bool] = []
    read: list[bool] = []
    sources: list[str] = []
    for source, picture, labels in pictures:
        for row, is_there, is_read in examples_of(reader, picture, labels):
            rows.append(row)
            there.append(is_there)
            read.append(is_read)
            sources.append(source)
    return Examples(np.array(rows).reshape(-1, len(FEATURES)), np.array(there), np.array(read), np.array(sources))


def fit(rows: Rows, true: npt.NDArray[np.bool_]) -> Rows:
    """Fit a logistic regression with a small quadratic penalty by Newton's method.

    Return the coefficients (features,).
    """
    mean, spread = rows.mean(0), rows.std(0)
    constant = spread < 1e-9
    mean[constant], spread[constant] = 0.0, 1.0
    scaled = (rows - mean) / spread
    penalty = np.where(constant, 0.0, _PENALTY)
    weights = np.zeros(rows.shape[1])
    for _ in range(_STEPS):
        chance = _chances(scaled, weights)
        slope = scaled.T @ (chance - true) / len(rows) + penalty * weights
        curve = (scaled * (chance * (1 - chance))[:, None]).T @ scaled / len(rows)
        weights -= np.linalg.solve(curve + np.diag(penalty + 1e-9), slope)
    out = weights / spread
    out[0] -= float(weights @ (mean / spread))
    return np.asarray(out)


def fit_without_faults(examples: Examples, true: npt.NDArray[np.bool_]) -> tuple[Rows, npt.NDArray[np.bool_]]:
    """Fit without label errors. Return the coefficients and a mask of the examples used.

    Photographs are labelled by hand, and some of their dice not at all. Labels that a fit finds almost impossible are
    treated as errors and left out of the next fit.
    """
    photographed = np.array(["/" in source for source in examples.source])
    counts = np.ones(len(true), bool)
    for _ in range(_FITS):
        weights = fit(examples.rows[counts], true[counts])
        counts = ~(photographed & (np.abs(true - _chances(examples.rows, weights)) > _FAULT))
    return weights, counts


def coefficients(examples: Examples) -> dict[str, dict[str, float]]:
    """Return the file's content: both regressions by feature name."""
    return {
        part: dict(zip(FEATURES, np.round(fit_without_faults(examples, true)[0], 4).tolist(), strict=True))
        for part, true in (("die", examples.is_die), ("read", examples.is_read_right))
    }


def leave_one_out(examples: Examples, certain: float) -> dict[str, dict[str, float]]:
    """Return scores for each source with a fit that leaves this source out.

    The scores are the share of correct readings that are certain, and the number of certain wrong readings as a share
    of the correct ones. Label errors are left out.
    """
    _, counts = fit_without_faults(examples, examples.is_read_right)
    out = {}
    for source in sorted(set(examples.source)):
        own = examples.source == source
        others = Examples(
            *(part[~own] for part in (examples.rows, examples.is_die, examples.is_read_right, examples.source))
        )
        weights, _ = fit_without_faults(others, others.is_read_right)
        own &= counts
        sure, read = _chances(examples.rows[own], weights) >= certain, examples.is_read_right[own]
        whole = max(1, int(read.sum()))
        out[source] = {"certain": float((sure & read).sum() / whole), "wrong": float((sure & ~read).sum() / whole)}
    return out


def _chances(rows: Rows, weights: Rows) -> Rows:
    return np.asarray(1 / (1 + np.exp(-np.clip(rows @ weights, -30, 30))))


def main() -> None:
    """Parse the arguments, collect examples, fit the model and write it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--manifest", type=Path, help="labelled photographs; those marked train are used")
    parser.add_argument("--scenes", type=int, default=1000, help="drawn scenes of all kinds together")
    parser.add_argument("--seed", type=int, default=9100)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    reader = Reader(dice_sets.load("pips"))
    photographs = photographed(reader, args.manifest, args.seed) if args.manifest else iter(())
    found = collect(reader, itertools.chain(drawn(args.scenes, args.seed), photographs))
    write_atomically(args.out, (json.dumps(coefficients(found), indent=1) + "\n").encode())
    print(json.dumps({"finds": len(found.rows), "left_out": leave_one_out(found, Thresholds().trusted)}))


if __name__ == "__main__":
    main()
