"""How far a find can be trusted, as two learned chances: that a die's top face is there, and that it is read right.

Two logistic regressions on what the finder and the face nets say of a find and of the other finds in the picture.
`tools/training/trust.py` fits them; `vision/models/trust.json` holds their coefficients.
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
from vision.classification.face_nets import Look
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
"""Names of the columns of `features`, in order; the coefficients are kept by them."""

_LEAST_CHANCE = 1e-3
"""Chances are kept this far from 0 and 1: nets say 0.9999 of much that is wrong."""

_FAINTEST_OTHER = 0.2
_LEAST_AGREEMENT = 0.02
_SMALL_EDGE = 24.0
"""Edge in pixels under which a die's mark becomes hard to see."""

Rows = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Trust:
    """Chances 0..1 that a `die` of any kind shows its top face here, and that it is `read` right: a die, this mark."""

    die: float
    read: float


@dataclass(frozen=True, slots=True)
class Subject:
    """A place that may show a die: where, what the face nets say, and the chance 0..1 of the mark that is read."""

    one: Candidate
    look: Look
    mark: float


def subject_of(one: Candidate, look: Look) -> Subject:
    """A find before it is known which set's dice lie there: its mark is the likeliest of all classes."""
    return Subject(one, look, look.best / max(look.die, _LEAST_CHANCE))


def features(finds: Sequence[Subject]) -> Rows:
    """One row of FEATURES for each find, the others of the picture beside it."""
    scores = np.array([find.one.score for find in finds])
    edges = np.array([find.one.edge for find in finds])
    rows = np.zeros((len(finds), len(FEATURES)))
    for i, find in enumerate(finds):
        others = np.delete(scores, i)
        firm = np.delete(edges, i)[others >= FIRM_SCORE]
        shown = int(find.look.classes[1:].argmax()) + 1
        pips, plain = float(1 <= shown <= 6), float(shown == PLAIN)
        agreement = float(np.log(find.one.faces[finder_face(shown)] + _LEAST_AGREEMENT))
        score = _logit(find.one.score)
        rows[i] = (
            1.0,
            score,
            _logit(find.look.die),
            _logit(find.mark),
            _logit(find.look.least),
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
"""Score of the finder from which a find tells how large the dice of a picture are."""


def finder_face(shown: int) -> int:
    """What the finder calls a class (`classification.classes`): pips 0 to 5, any other mark 6, nothing on it 7."""
    return shown - 1 if 1 <= shown <= 6 else 7 if shown == PLAIN else 6


class TrustModel:
    """The two regressions. Raises NetError if the file of coefficients is missing or damaged."""

    def __init__(self) -> None:
        self._weights = _weights()

    def chances(self, finds: Sequence[Subject]) -> list[Trust]:
        """The trust in each find, in order."""
        if not finds:
            return []
        chances = 1 / (1 + np.exp(-features(finds) @ self._weights.T))
        return [Trust(float(die), float(min(die, read))) for die, read in chances]


@cache
def _weights() -> Rows:
    """Coefficients (2, features): of a die, of a right reading."""
    path = FOLDER / "trust.json"
    try:
        kept = json.loads(path.read_text("utf-8"))
        return np.array([[float(kept[part][name]) for name in FEATURES] for part in ("die", "read")])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise NetError("vision.trust.damaged" if path.exists() else "vision.trust.missing", path=path) from error


def _logit(chance: float) -> float:
    kept = min(max(chance, _LEAST_CHANCE), 1 - _LEAST_CHANCE)
    return float(np.log(kept / (1 - kept)))
