"""The labelled photographs next to the project, grouped by their number of classic dice."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2].parent / "shared" / "dice"


@dataclass(frozen=True, slots=True)
class Photo:
    """One photograph and the top values of its dice."""

    path: Path
    source: str
    values: tuple[int, ...]


def load(folder: Path = FOLDER) -> list[Photo]:
    """Return every labelled photograph.

    Raises: FileNotFoundError if there are none.
    """
    photos = []
    for line in (folder / "photos.jsonl").read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        values = tuple(die["value"] for die in entry["dice"])
        photos.append(Photo(folder / entry["image"], entry["source"], values))
    return photos


def in_turn(photos: list[Photo]) -> Iterator[Photo]:
    """Yield the photographs with alternating sources, so that the first twelve are not all from one camera."""
    by_source: dict[str, list[Photo]] = {}
    for photo in photos:
        by_source.setdefault(photo.source, []).append(photo)
    for row in zip_longest(*by_source.values()):
        yield from (photo for photo in row if photo is not None)
