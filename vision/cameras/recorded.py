"""Sources that were recorded before: clips, folders of frames, and single pictures shown as still throws."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, repeat
from pathlib import Path

import cv2
import numpy as np

from vision.cameras.protocol import Camera, EndOfSource, Frame, Picture, SourceError
from vision.pictures import UnreadablePicture, load_picture

PICTURE_ENDINGS = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff", ".ppm", ".pgm"})

USUAL_RATE = 30.0
"""Frames a second of a recording that does not say its own."""


def by_name(path: Path) -> tuple[tuple[int, int, str], ...]:
    """Sorting key of a file name in which numbers count as numbers: frame 2 comes before frame 10."""
    parts = re.split(r"(\d+)", path.name)
    return tuple((1, int(part), part) if part.isdecimal() else (0, 0, part) for part in parts if part)


class Folder(Camera):
    """The pictures of a folder (or one picture) as frames, sorted by name, `fps` a second.

    A file that cannot be read is named to `complain` and left out; the time of the others does not change by it.
    """

    def __init__(
        self, path: Path, fps: float = USUAL_RATE, complain: Callable[[str], None] = lambda sentence: None
    ) -> None:
        if fps <= 0:
            raise SourceError(f"frames a second must be more than 0, not {fps:g}")
        self._path = path
        self._fps = fps
        self._complain = complain
        self._files: list[Path] = []
        self._next = 0

    def open(self) -> None:
        """List the pictures. Raises SourceError if there are none, or they may not be listed."""
        if self._path.is_dir():
            try:
                inside = list(self._path.iterdir())
            except OSError as error:
                raise SourceError(f"{self._path}: cannot be read ({error.strerror})") from None
            self._files = sorted((file for file in inside if file.suffix.lower() in PICTURE_ENDINGS), key=by_name)
        elif self._path.is_file():
            self._files = [self._path]
        else:
            raise SourceError(f"{self._path}: there is no such file or folder")
        if not self._files:
            raise SourceError(f"{self._path}: the folder holds no pictures")
        self._next = 0

    def frame(self, timeout: float) -> Frame:
        """The next picture; raises EndOfSource after the last one."""
        while self._next < len(self._files):
            number, self._next = self._next, self._next + 1
            try:
                return Frame(load_picture(self._files[number]), number / self._fps, number)
            except UnreadablePicture as error:
                self._complain(f"{error}; this frame is left out")
        raise EndOfSource

    def close(self) -> None:
        """Forget the list of pictures."""
        self._files = []

    def describe(self) -> str:
        return f"folder of pictures {self._path}"


class Clip(Camera):
    """A video file that OpenCV can read. Times are the recording's own, or those of `fps` if given."""

    def __init__(self, path: Path, fps: float | None = None) -> None:
        if fps is not None and fps <= 0:
            raise SourceError(f"frames a second must be more than 0, not {fps:g}")
        self._path = path
        self._fps = fps
        self._video: cv2.VideoCapture | None = None
        self._count = 0
        self._start = 0.0
        self._t = 0.0

    def open(self) -> None:
        """Open the file. Raises SourceError if it is missing or no video."""
        if not self._path.is_file():
            raise SourceError(f"{self._path}: there is no such file")
        video = cv2.VideoCapture(str(self._path), cv2.CAP_FFMPEG)
        if not video.isOpened():
            raise SourceError(f"{self._path}: is not a clip that can be read")
        self._video, self._count, self._t = video, 0, 0.0

    def frame(self, timeout: float) -> Frame:
        """The next frame; raises EndOfSource after the last one."""
        if self._video is None:
            raise EndOfSource
        good, picture = self._video.read()
        if not good:
            raise EndOfSource
        frame = Frame(np.asarray(picture, np.uint8), self._time_of_frame(self._video), self._count)
        self._count += 1
        return frame

    def close(self) -> None:
        """Close the file."""
        if self._video is not None:
            self._video.release()
            self._video = None

    def describe(self) -> str:
        return f"clip {self._path}"

    def _time_of_frame(self, video: cv2.VideoCapture) -> float:
        """The frame's time in the recording; a container without times, or with broken ones, is given even steps."""
        if self._fps is not None:
            return self._count / self._fps
        stamp = video.get(cv2.CAP_PROP_POS_MSEC) / 1000
        if self._count == 0:
            self._start = stamp
            return 0.0
        rate = video.get(cv2.CAP_PROP_FPS)
        step = 1 / rate if 1 <= rate <= 1000 else 1 / USUAL_RATE
        stamped = stamp - self._start
        self._t = stamped if stamped > self._t else self._t + step
        return self._t


class Slides(Camera):
    """Pictures as still throws: each is shown `shown` seconds, with `between` (another picture) before each of them."""

    def __init__(
        self,
        pictures: Sequence[Picture | Path],
        between: Picture,
        *,
        shown: float = 1.0,
        empty: float = 0.6,
        fps: float = USUAL_RATE,
    ) -> None:
        self._pictures = pictures
        self._between = between
        self._frames_shown = max(1, round(shown * fps))
        self._frames_empty = max(1, round(empty * fps))
        self._fps = fps
        self._stream: Iterator[Picture] = iter(())
        self._count = 0

    def open(self) -> None:
        """Start with the first picture."""
        self._stream = chain.from_iterable(self._one(picture) for picture in self._pictures)
        self._count = 0

    def frame(self, timeout: float) -> Frame:
        """The next frame. Raises EndOfSource after the last one, UnreadablePicture for a file that cannot be read."""
        picture = next(self._stream, None)
        if picture is None:
            raise EndOfSource
        frame = Frame(picture, self._count / self._fps, self._count)
        self._count += 1
        return frame

    def close(self) -> None:
        """Show nothing more."""
        self._stream = iter(())

    def describe(self) -> str:
        return f"{len(self._pictures)} pictures shown one after the other"

    def _one(self, picture: Picture | Path) -> Iterator[Picture]:
        yield from repeat(self._between, self._frames_empty)
        loaded = load_picture(picture) if isinstance(picture, Path) else picture
        yield from repeat(loaded, self._frames_shown)
