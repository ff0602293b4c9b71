"""Single pictures shown as still throws: a recorded source for tests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, repeat
from pathlib import Path

from vision.cameras.protocol import Camera, EndOfSource, Frame
from vision.cameras.sources import DEFAULT_FPS
from vision.pictures import Picture, load_picture


class Slides(Camera):
    """Pictures as still throws: each is shown for `slide_s` seconds, preceded by `between` (another picture)."""

    def __init__(
        self,
        pictures: Sequence[Picture | Path],
        between: Picture,
        *,
        slide_s: float = 1.0,
        empty: float = 0.6,
        fps: float = DEFAULT_FPS,
    ) -> None:
        self._pictures = pictures
        self._between = between
        self._frames_shown = max(1, round(slide_s * fps))
        self._frames_empty = max(1, round(empty * fps))
        self._fps = fps
        self._stream: Iterator[Picture] = iter(())
        self._count = 0

    @property
    def is_recorded(self) -> bool:
        return True

    def open(self) -> None:
        """Start with the first picture."""
        self._stream = chain.from_iterable(self._one(picture) for picture in self._pictures)
        self._count = 0

    def frame(self, timeout: float) -> Frame:
        """Return the next frame.

        Raises: EndOfSource after the last one, UnreadablePicture for a file that cannot be read.
        """
        picture = next(self._stream, None)
        if picture is None:
            raise EndOfSource
        frame = Frame(picture, self._count / self._fps, self._count)
        self._count += 1
        return frame

    def close(self) -> None:
        """Stop showing pictures."""
        self._stream = iter(())

    def describe(self) -> str:
        return f"{len(self._pictures)} pictures shown one after the other"

    def _one(self, picture: Picture | Path) -> Iterator[Picture]:
        yield from repeat(self._between, self._frames_empty)
        loaded = load_picture(picture) if isinstance(picture, Path) else picture
        yield from repeat(loaded, self._frames_shown)
