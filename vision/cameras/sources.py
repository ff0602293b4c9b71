"""Sources by name (`camera:0`, `drawn:7`, a clip, a folder), and the recorded ones: clips and folders of frames."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from vision.cameras.picamera import PiCamera, Setting
from vision.cameras.protocol import Camera, EndOfSource, Frame, SourceError
from vision.cameras.simulated_tray import SimulatedTray, random_throws
from vision.cameras.webcam import Webcam
from vision.dice_sets import DiceSet
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


_MOST_DIGITS = 18
"""No camera's number and no seed is longer; Python refuses to read numbers of thousands of digits."""


def camera_of(
    name: str,
    dice_set: DiceSet,
    *,
    fps: float | None = None,
    count: int | None = None,
    rotation: int = 0,
    complain: Callable[[str], None] = lambda sentence: None,
) -> Camera:
    """The source of that name: a clip, a folder of frames, `camera:N`, `picamera`, or `drawn:SEED`.

    `drawn` plays random throws of `count` dice of `dice_set` for ever. `fps` is for recordings only, `rotation`
    (degrees with the clock) for cameras that hang over a table. Raises SourceError
    for a name that is none, or a rate that makes no sense.
    """
    word, colon, number = name.partition(":")
    live = name == "picamera" or (colon and word in ("camera", "drawn"))
    if live and fps is not None:
        raise SourceError(f"{name}: frames a second can be given for clips and folders only")
    if live and colon and not (number.isdecimal() and len(number) <= _MOST_DIGITS):
        raise SourceError(f"{name}: {word}: must be followed by a number, as in {word}:0")
    if name == "picamera":
        return PiCamera(Setting(rotation))
    if live and word == "camera":
        return Webcam(int(number), rotation=rotation)
    if live:
        return SimulatedTray(int(number), programme=random_throws(int(number), dice_set, count))
    return _recording(name, fps, complain)


def _recording(name: str, fps: float | None, complain: Callable[[str], None]) -> Camera:
    """The clip or folder of that name, if it can be read."""
    if not name or "\0" in name:
        raise SourceError(f"{name!r} is no source: a clip, a folder, camera:N, picamera or drawn:SEED is needed")
    path = Path(name)
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        raise SourceError(f"{name}: no such file or folder, and not camera:N, picamera or drawn:SEED") from None
    except OSError as error:
        raise SourceError(f"{name}: cannot be read ({error.strerror})") from None
    if not os.access(path, os.R_OK | os.X_OK if path.is_dir() else os.R_OK):
        raise SourceError(f"{name}: cannot be read ({os.strerror(errno.EACCES)})")
    if path.is_file() and path.suffix.lower() not in PICTURE_ENDINGS:
        return Clip(path, fps)
    return Folder(path, USUAL_RATE if fps is None else fps, complain)
