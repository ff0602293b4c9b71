"""Sources by name (`camera:0`, `drawn:7`, a clip, a folder), and recorded sources: clips and folders of frames."""

from __future__ import annotations

import errno
import os
import re
from pathlib import Path

import cv2
import numpy as np

from vision.cameras.picamera import PiCamera, Setting
from vision.cameras.protocol import Camera, EndOfSource, Frame, SourceError
from vision.cameras.simulated_tray import SimulatedTray, random_throws
from vision.cameras.webcam import Webcam
from vision.dice_sets import DiceSet
from vision.messages import Notify, ReaderMessage
from vision.pictures import UnreadablePicture, load_picture

PICTURE_ENDINGS = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff", ".ppm", ".pgm"})

DEFAULT_FPS = 30.0
"""Frames per second of a recording that does not state its own."""


def natural_sort_key(path: Path) -> tuple[tuple[int, int, str], ...]:
    """Return a natural sort key of a file name: frame 2 comes before frame 10."""
    parts = re.split(r"(\d+)", path.name)
    return tuple((1, int(part), part) if part.isdecimal() else (0, 0, part) for part in parts if part)


class Folder(Camera):
    """The images of a folder (or one image) as frames, sorted by name, at `fps` frames per second.

    An unreadable file is reported to `complain` and skipped; the times of the others do not change.
    """

    def __init__(self, path: Path, fps: float = DEFAULT_FPS, complain: Notify = lambda message: None) -> None:
        if fps <= 0:
            raise SourceError("vision.source.rate", rate=fps)
        self._path = path
        self._fps = fps
        self._complain = complain
        self._files: list[Path] = []
        self._next = 0

    @property
    def is_recorded(self) -> bool:
        return True

    def open(self) -> None:
        """List the images. Raises: SourceError if there are none, or they may not be listed."""
        if self._path.is_dir():
            try:
                inside = list(self._path.iterdir())
            except OSError as error:
                raise SourceError("vision.source.unreadable", path=self._path, reason=error) from None
            self._files = sorted(
                (file for file in inside if file.suffix.lower() in PICTURE_ENDINGS), key=natural_sort_key
            )
        elif self._path.is_file():
            self._files = [self._path]
        else:
            raise SourceError("vision.source.missing", path=self._path)
        if not self._files:
            raise SourceError("vision.source.no_pictures", path=self._path)
        self._next = 0

    def frame(self, timeout: float) -> Frame:
        """Return the next image. Raises: EndOfSource after the last one."""
        while self._next < len(self._files):
            number, self._next = self._next, self._next + 1
            try:
                return Frame(load_picture(self._files[number]), number / self._fps, number)
            except UnreadablePicture as error:
                self._complain(ReaderMessage("vision.source.left_out", {"fault": error.message}))
        raise EndOfSource

    def close(self) -> None:
        """Discard the list of images."""
        self._files = []

    def describe(self) -> str:
        return f"folder of pictures {self._path}"


class Clip(Camera):
    """A video file that OpenCV can read. Frame times are the recording's own, or follow `fps` if given."""

    def __init__(self, path: Path, fps: float | None = None) -> None:
        if fps is not None and fps <= 0:
            raise SourceError("vision.source.rate", rate=fps)
        self._path = path
        self._fps = fps
        self._video: cv2.VideoCapture | None = None
        self._count = 0
        self._start = 0.0
        self._t = 0.0

    @property
    def is_recorded(self) -> bool:
        return True

    def open(self) -> None:
        """Open the file. Raises: SourceError if it is missing or not a video."""
        if not self._path.is_file():
            raise SourceError("vision.source.no_file", path=self._path)
        video = cv2.VideoCapture(str(self._path), cv2.CAP_FFMPEG)
        if not video.isOpened():
            raise SourceError("vision.source.no_clip", path=self._path)
        self._video, self._count, self._t = video, 0, 0.0

    def frame(self, timeout: float) -> Frame:
        """Return the next frame. Raises: EndOfSource after the last one."""
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
        """Return the frame's time in the recording. Containers without valid times get even steps."""
        if self._fps is not None:
            return self._count / self._fps
        stamp = video.get(cv2.CAP_PROP_POS_MSEC) / 1000
        if self._count == 0:
            self._start = stamp
            return 0.0
        rate = video.get(cv2.CAP_PROP_FPS)
        step = 1 / rate if 1 <= rate <= 1000 else 1 / DEFAULT_FPS
        stamped = stamp - self._start
        self._t = stamped if stamped > self._t else self._t + step
        return self._t


_MOST_DIGITS = 18
"""Maximum digits of a camera number or a seed. Python does not parse integers of thousands of digits."""


def camera_of(
    name: str,
    dice_set: DiceSet,
    *,
    fps: float | None = None,
    count: int | None = None,
    rotation: int = 0,
    complain: Notify = lambda message: None,
) -> Camera:
    """Create the source with that name: a clip, a folder of frames, `camera:N`, `picamera`, or `drawn:SEED`.

    - `drawn` plays random throws of `count` dice of `dice_set` without end.
    - `fps` applies to recordings only.
    - `rotation` (degrees clockwise) is for cameras mounted above a table.

    Raises: SourceError for an unknown name or an invalid rate.
    """
    word, colon, number = name.partition(":")
    live = name == "picamera" or (colon and word in ("camera", "drawn"))
    if live and fps is not None:
        raise SourceError("vision.source.live_rate", name=name)
    if live and colon and not (number.isdecimal() and len(number) <= _MOST_DIGITS):
        raise SourceError("vision.source.number", name=name, word=word)
    if name == "picamera":
        return PiCamera(Setting(rotation))
    if live and word == "camera":
        return Webcam(int(number), rotation=rotation)
    if live:
        return SimulatedTray(int(number), programme=random_throws(int(number), dice_set, count))
    return _recording(name, fps, complain)


def _recording(name: str, fps: float | None, complain: Notify) -> Camera:
    """Return the clip or folder with that name, if it is readable. Raises: SourceError."""
    if not name or "\0" in name:
        raise SourceError("vision.source.none", name=name)
    path = Path(name)
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        raise SourceError("vision.source.unknown", name=name) from None
    except OSError as error:
        raise SourceError("vision.source.unreadable", path=name, reason=error) from None
    if not os.access(path, os.R_OK | os.X_OK if path.is_dir() else os.R_OK):
        denied = PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        raise SourceError("vision.source.unreadable", path=name, reason=denied)
    if path.is_file() and path.suffix.lower() not in PICTURE_ENDINGS:
        return Clip(path, fps)
    return Folder(path, DEFAULT_FPS if fps is None else fps, complain)
