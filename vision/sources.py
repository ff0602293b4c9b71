"""Turns the name of a source (`camera:0`, `drawn:7`, a clip, a folder) into a camera, and runs the command `watch`."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import TextIO

from vision import dice_sets
from vision.cameras.drawn import Drawn
from vision.cameras.picamera import PiCamera
from vision.cameras.programme import random_throws
from vision.cameras.protocol import Camera, CameraLost, SourceError
from vision.cameras.recorded import PICTURE_ENDINGS, USUAL_RATE, Clip, Folder
from vision.cameras.webcam import Webcam
from vision.dice_sets import DiceSet
from vision.pictures import quieten
from vision.pipeline import Reader
from vision.reading_json import awaiting, line_of, roll_object, warn_of_strange_faces
from vision.roll import RollRequest
from vision.watch import ReadsDice, watch

DONE, FAILED, REFUSED = 0, 1, 2
PATIENCE = 30
"""So many times in a row two seconds without a frame are waited for before a camera is given up."""

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
        return PiCamera(rotation=rotation)
    if live and word == "camera":
        return Webcam(int(number), rotation=rotation)
    if live:
        return Drawn(int(number), programme=random_throws(int(number), dice_set, count))
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


class _GaveUp(Exception):
    """The camera did not come back."""


def run_watch(
    source: str,
    dice_set: str,
    count: int | None,
    max_rolls: int | None,
    fps: float | None,
    out: TextIO,
    err: TextIO,
) -> int:
    """Prints the settled rolls of a source as JSON lines, flushed one by one; gives the exit status of the command.

    0: the source is over, `max_rolls` were printed, or somebody pressed Ctrl-C. 1: a camera went away for good, or a
    frame of a folder could not be read. 2: the source or the dice set is not there or is wrong.
    """
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")  # its own words about a broken clip would stand beside ours
    quieten()
    complaints: list[str] = []

    def complain(sentence: str) -> None:
        complaints.append(sentence)
        print(sentence, file=err, flush=True)

    try:
        known = dice_sets.load(dice_set)
        warn_of_strange_faces(known, err)
        camera = camera_of(source, known, fps=fps, count=count, complain=complain)
        with camera:
            _print_rolls(camera, Reader(known, one_tray=True), awaiting(dice_set, count), max_rolls, out, err)
    except (dice_sets.DiceSetError, SourceError) as error:
        print(error, file=err)
        return REFUSED
    except _GaveUp as error:
        print(error, file=err)
        return FAILED
    except KeyboardInterrupt:
        return DONE
    return FAILED if complaints else DONE


def _print_rolls(
    camera: Camera, reader: ReadsDice, request: RollRequest | None, max_rolls: int | None, out: TextIO, err: TextIO
) -> None:
    def on_loss(loss: CameraLost, in_a_row: int) -> None:
        if in_a_row == 1:
            print(f"{loss}; waiting for it", file=err, flush=True)
        if in_a_row >= PATIENCE:
            raise _GaveUp(f"{loss}; given up")

    rolls = watch(camera, reader, request_of=lambda: request, on_loss=on_loss)
    for settled in islice(rolls, max_rolls):
        print(line_of(roll_object(settled.roll)), file=out, flush=True)
