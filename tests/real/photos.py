"""The labelled photographs beside the project, by how many classic dice lie in them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2].parent / "shared" / "dice"


@dataclass(frozen=True, slots=True)
class Photo:
    """One photograph and the values on top of its dice."""

    path: Path
    source: str
    values: tuple[int, ...]


def load(folder: Path = FOLDER) -> list[Photo]:
    """Every labelled photograph. Raises FileNotFoundError where there are none."""
    photos = []
    for line in (folder / "photos.jsonl").read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        values = tuple(die["value"] for die in entry["dice"])
        photos.append(Photo(folder / entry["image"], entry["source"], values))
    return photos


def in_turn(photos: list[Photo]) -> Iterator[Photo]:
    """The photographs one source after the other, so that the first dozen are not all of one camera."""
    by_source: dict[str, list[Photo]] = {}
    for photo in photos:
        by_source.setdefault(photo.source, []).append(photo)
    for row in zip_longest(*by_source.values()):
        yield from (photo for photo in row if photo is not None)
