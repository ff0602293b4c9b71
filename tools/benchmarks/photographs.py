"""Benchmark on labelled photographs by camera view and clutter, with and without a request for the dice.

The view of each image follows from its tags in the manifest. Each image has one view.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tools import ROOT
from tools.training.evaluate import Read, by_source, read_all, select_pictures
from tools.training.rendered_fates import request_of, rows_of
from vision.decision.labels import Labelled
from vision.roll import RollRequest

DEFAULT_MANIFEST = ROOT.parent / "shared" / "dice" / "photos.jsonl"
"""The default manifest, beside the project."""

VIEWS = ("above", "oblique", "clutter", "crops", "no_dice")

_TAGS: Mapping[str, frozenset[str]] = {
    "crops": frozenset({"crop"}),
    "clutter": frozenset({"clutter", "clutter-as-die", "text", "missed-die-on-letter", "backlit-keyboard"}),
    "oblique": frozenset({"oblique", "steep"}),
}
"""Tags of each view. The first view with a matching tag applies, else `above`."""


def no_request(_labelled: Labelled) -> RollRequest | None:
    """Return no request: any number of any kind."""
    return None


MODES: Mapping[str, Callable[[Labelled], RollRequest | None]] = {"not_told": no_request, "told": request_of}


def default_manifest() -> Path | None:
    """Return the default manifest, or None if it does not exist."""
    return DEFAULT_MANIFEST if DEFAULT_MANIFEST.exists() else None


def view_of(labelled: Labelled, tags: Sequence[str]) -> str:
    """Return one of VIEWS."""
    if not labelled.dice:
        return "no_dice"
    return next((view for view, marks in _TAGS.items() if not marks.isdisjoint(tags)), "above")


def pictures_with_views(manifest: Path) -> Iterator[tuple[Labelled, str]]:
    """Yield every image of a manifest with its view. Raises ManifestError."""
    for labelled, (tags, _) in zip(select_pictures(manifest), rows_of(manifest), strict=True):
        yield labelled, view_of(labelled, tags)


def measure_photographs(manifest: Path, on_error: Callable[[str], None]) -> dict[str, Any]:
    """Return scores for images and dice, with and without a request, by view and source, and the mean of the sources.

    Reads every image once for each mode. Raises ManifestError, DiceSetError.
    """
    seen = list(pictures_with_views(manifest))
    pictures, views = [labelled for labelled, _ in seen], [view for _, view in seen]
    return {mode: _figures(read_all(pictures, False, on_error, request), views) for mode, request in MODES.items()}


def _figures(done: Sequence[Read], views: Sequence[str]) -> dict[str, Any]:
    of_view = {view: [read for read, its in zip(done, views, strict=True) if its == view] for view in VIEWS}
    return by_source(done) | {"views": {view: by_source(reads) for view, reads in of_view.items() if reads}}


def unreadable_count(figures: Mapping[str, Any]) -> int:
    """Return how many images of `measure_photographs` could not be opened."""
    sources: Mapping[str, Mapping[str, int]] = figures.get("not_told", {}).get("sources", {})
    return sum(row["not_read"] for row in sources.values())
