"""Labelled photographs by where the camera stands and what lies beside the dice, with the number of dice told and not.

The views are taken from the tags of the manifest; each picture is of one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tools import ROOT
from tools.training.evaluate import Read, by_source, chosen, read_all
from tools.training.rendered_fates import request_of, rows_of
from vision.decision.labels import Labelled
from vision.roll import RollRequest

USUAL = ROOT.parent / "shared" / "dice" / "photos.jsonl"
"""The manifest that lies beside the project on machines that measure."""

VIEWS = ("above", "oblique", "clutter", "crops", "no_dice")

_TAGS: Mapping[str, frozenset[str]] = {
    "crops": frozenset({"crop"}),
    "clutter": frozenset({"clutter", "clutter-as-die", "text", "missed-die-on-letter", "backlit-keyboard"}),
    "oblique": frozenset({"oblique", "steep"}),
}
"""By which tags a picture is of a view: the first one that has any of them, `above` if none has."""


def not_told(_labelled: Labelled) -> RollRequest | None:
    """Any number of any kind."""
    return None


MODES: Mapping[str, Callable[[Labelled], RollRequest | None]] = {"not_told": not_told, "told": request_of}


def usual_manifest() -> Path | None:
    """The manifest beside the project, None where there is none."""
    return USUAL if USUAL.exists() else None


def view_of(labelled: Labelled, tags: Sequence[str]) -> str:
    """One of VIEWS."""
    if not labelled.dice:
        return "no_dice"
    return next((view for view, marks in _TAGS.items() if not marks.isdisjoint(tags)), "above")


def viewed(manifest: Path) -> Iterator[tuple[Labelled, str]]:
    """Every picture of a manifest and its view. Raises ManifestError."""
    for labelled, (tags, _) in zip(chosen(manifest), rows_of(manifest), strict=True):
        yield labelled, view_of(labelled, tags)


def measure_photographs(manifest: Path, err: Callable[[str], None]) -> dict[str, Any]:
    """Pictures and dice, told and not, by view and source, and the mean of the sources.

    Reads every picture once for each mode. Raises ManifestError, DiceSetError.
    """
    seen = list(viewed(manifest))
    pictures, views = [labelled for labelled, _ in seen], [view for _, view in seen]
    return {mode: _figures(read_all(pictures, False, err, request), views) for mode, request in MODES.items()}


def _figures(done: Sequence[Read], views: Sequence[str]) -> dict[str, Any]:
    of_view = {view: [read for read, its in zip(done, views, strict=True) if its == view] for view in VIEWS}
    return by_source(done) | {"views": {view: by_source(reads) for view, reads in of_view.items() if reads}}


def lost_in(figures: Mapping[str, Any]) -> int:
    """How many pictures of `measure_photographs` could not be opened."""
    sources: Mapping[str, Mapping[str, int]] = figures.get("not_told", {}).get("sources", {})
    return sum(row["not_read"] for row in sources.values())
