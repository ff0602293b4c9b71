"""Trust in a find, as two learnt probabilities: that it shows a die's top face, and that the reading is right.

Two logistic regressions on the output of the finder and the face networks for a find and the other finds of the image.
`tools/training/trust.py` fits them. `vision/models/trust.json` holds their coefficients.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from vision import NetError
from vision.classification.classes import PLAIN
from vision.classification.face_nets import Classification
from vision.detection.finder import Candidate
from vision.models import FOLDER

FEATURES = (
    "one",
    "score",
    "die",
    "mark",
    "least",
    "agreement",
    "other_score",
    "alone",
    "size",
    "plain",
    "pips",
    "plain_score",
    "pips_agreement",
    "small",
)
"""Column names of `features`, in order. The coefficients are stored under these names."""

_LEAST_CHANCE = 1e-3
"""Probabilities are clipped to this distance from 0 and 1, because networks give 0.9999 to many wrong answers."""

_FAINTEST_OTHER = 0.2
_LEAST_AGREEMENT = 0.02
_SMALL_EDGE = 24.0
"""Edge in pixels below which a die's mark is hard to see."""

Rows = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Trust:
    """Probabilities 0..1 that a `die` of any kind shows its top face here, and that it is `read` correctly."""

    die: float
    read: float


@dataclass(frozen=True, slots=True)
class Subject:
    """A possible die: its position, the face networks' output, and the probability 0..1 of the mark that is read."""

    one: Candidate
    classification: Classification
    mark: float


def subject_of(one: Candidate, classification: Classification) -> Subject:
    """Return a find whose dice set is not known yet. Its mark is the most likely of all classes."""
    return Subject(one, classification, classification.best_chance / max(classification.die_chance, _LEAST_CHANCE))


def features(finds: Sequence[Subject]) -> Rows:
    """Return one row of FEATURES per find, computed with the other finds of the image."""
    scores = np.array([find.one.score for find in finds])
    edges = np.array([find.one.edge for find in finds])
    rows = np.zeros((len(finds), len(FEATURES)))
    for i, find in enumerate(finds):
        others = np.delete(scores, i)
        firm = np.delete(edges, i)[others >= FIRM_SCORE]
        best_class = int(find.classification.classes[1:].argmax()) + 1
        pips, plain = float(1 <= best_class <= 6), float(best_class == PLAIN)
        agreement = float(np.log(find.one.faces[finder_class(best_class)] + _LEAST_AGREEMENT))
        score = _logit(find.one.score)
        rows[i] = (
            1.0,
            score,
            _logit(find.classification.die_chance),
            _logit(find.mark),
            _logit(find.classification.min_view_chance),
            agreement,
            _logit(max([_FAINTEST_OTHER, *others])),
            float(not len(others)),
            min(1.0, abs(float(np.log(find.one.edge / np.median(firm))))) if len(firm) else 0.0,
            plain,
            pips,
            plain * score,
            pips * agreement,
            min(0.0, float(np.log(find.one.edge / _SMALL_EDGE))),
        )
    return rows


FIRM_SCORE = 0.6
"""Minimum finder score of a find that is used to estimate the size of the dice."""


def finder_class(face_class: int) -> int:
    """Return the finder's number for a class (`classification.classes`): pips 0 to 5, other marks 6, blank 7."""
    return face_class - 1 if 1 <= face_class <= 6 else 7 if face_class == PLAIN else 6


class TrustModel:
    """The two regressions. Raises: NetError if the file of coefficients is missing or damaged."""

    def __init__(self) -> None:
        self._weights = _weights()

    def chances(self, finds: Sequence[Subject]) -> list[Trust]:
        """Return the trust in each find, in order."""
        if not finds:
            return []
        chances = 1 / (1 + np.exp(-features(finds) @ self._weights.T))
        return [Trust(float(die), float(min(die, read))) for die, read in chances]


@cache
def _weights() -> Rows:
    """Return the coefficients (2, features): of a die, and of a correct reading."""
    path = FOLDER / "trust.json"
    try:
        kept = json.loads(path.read_text("utf-8"))
        return np.array([[float(kept[part][name]) for name in FEATURES] for part in ("die", "read")])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise NetError("vision.trust.damaged" if path.exists() else "vision.trust.missing", path=path) from error


def _logit(chance: float) -> float:
    kept = min(max(chance, _LEAST_CHANCE), 1 - _LEAST_CHANCE)
    return float(np.log(kept / (1 - kept)))
