"""Decodes the bytes of a picture file and hears what the decoder complains about.

JPEG carries no checksum. Where its data are damaged the decoder paints over it (grey, or other pixels), returns a
picture as if nothing were wrong and says so on the standard error stream only; a die in that place would be read from
pixels that no camera saw.
"""

from __future__ import annotations

import os
import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import cv2
import numpy as np
import numpy.typing as npt

_DAMAGED = ("Corrupt JPEG data", "Premature end of JPEG", "Invalid JPEG", "Inconsistent progression", "libpng error")
"""How the decoders begin what they say of damaged data (libjpeg's jerror.h, libpng)."""

_NO_MATTER = "libpng warning"
"""How libpng begins what it says of a profile, a comment or the like; the pixels are as they were."""

_PADDED = re.compile(r"Corrupt JPEG data: [1-8] extraneous bytes before marker 0xd9")
"""Cameras pad the end of a picture so; where data are damaged it is tens of bytes."""

_ONE_AT_A_TIME = threading.Lock()


class Damaged(ValueError):
    """Bytes that are no picture, or only partly one; the message is the decoder's reason, if it gave one."""


def decoded(data: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """The picture (height, width, 3) BGR, upright, in the bytes of a file. Raises Damaged."""
    with _ONE_AT_A_TIME, _heard() as complaints:
        try:
            picture = cv2.imdecode(data, cv2.IMREAD_COLOR)
        except cv2.error as error:
            raise Damaged(str(error.code)) from error
    if picture is None or complaints:
        raise Damaged(complaints[0] if complaints else "")
    return np.asarray(picture, np.uint8)


@contextmanager
def _heard() -> Iterator[list[str]]:
    """What the decoders say of damage while the context lasts is in the list after it; they write past Python, to file
    descriptor 2. What others write there meanwhile is passed on."""
    complaints: list[str] = []
    try:
        usual = os.dup(2)
    except OSError:  # no standard error stream: nothing can be heard
        yield complaints
        return
    heard = os.memfd_create("complaints")
    try:
        if sys.stderr is not None:
            sys.stderr.flush()
        os.dup2(heard, 2)
        try:
            yield complaints
        finally:
            os.dup2(usual, 2)
            os.lseek(heard, 0, os.SEEK_SET)
            for line in os.read(heard, 1 << 20).decode("utf-8", "replace").splitlines(keepends=True):
                if line.startswith(_DAMAGED) and not _PADDED.match(line):
                    complaints.append(line.strip())
                elif not line.startswith((_NO_MATTER, *_DAMAGED)):
                    os.write(2, line.encode())
    finally:
        os.close(heard)
        os.close(usual)
