"""The reader has no side effects: no files in the user's home, no output of libraries."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np

READ = """
import sys
from vision.commands import run_read
from vision.messages import message_printer
sys.exit(run_read(sys.argv[1:], "pips", None, sys.stdout, message_printer(sys.stderr)))
"""


def read(home: Path, *images: bytes) -> subprocess.CompletedProcess[bytes]:
    """Run `companion read` in its own process, with an empty home and a strict ASCII output."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("ORT_", "XDG_", "OPENCV_"))}
    environ = kept | {"HOME": str(home), "PYTHONIOENCODING": "ascii:strict"}
    return subprocess.run([sys.executable, "-c", READ, *images], env=environ, capture_output=True, check=False)


def test_reading_writes_nothing_in_the_home(tmp_path: Path) -> None:
    home, picture = tmp_path / "home", tmp_path / "blank.png"
    home.mkdir()
    cv2.imwrite(str(picture), np.full((200, 300, 3), 120, np.uint8))
    done = read(home, os.fsencode(picture))
    assert (done.returncode, done.stderr) == (0, b"")
    assert list(home.rglob("*")) == []


def test_a_broken_picture_is_told_in_one_line(tmp_path: Path) -> None:
    noise = np.random.default_rng(1).integers(0, 255, (200, 300, 3), np.uint8)
    picture = tmp_path / "cut.png"
    picture.write_bytes(cv2.imencode(".png", noise)[1].tobytes()[:2000])
    done = read(tmp_path, os.fsencode(picture))
    assert done.returncode == 1
    assert done.stderr.decode() == f"{picture}: not a picture, or a damaged one\n"


def test_a_jpeg_with_a_hole_is_told_in_one_line(tmp_path: Path) -> None:
    """The decoder's warning is caught although OpenCV's own log is silent."""
    smooth = cv2.resize(np.random.default_rng(1).integers(0, 255, (12, 16, 3), np.uint8), (320, 240))
    data = bytearray(cv2.imencode(".jpg", smooth)[1].tobytes())
    data[len(data) // 2 : len(data) // 2 + 300] = bytes(300)
    picture = tmp_path / "hole.jpg"
    picture.write_bytes(data)
    done = read(tmp_path, os.fsencode(picture))
    assert done.returncode == 1
    assert done.stderr.decode().startswith(f"{picture}: not a picture, or a damaged one (Corrupt JPEG data: ")
    assert done.stderr.count(b"\n") == 1


def test_a_name_that_is_not_utf8_is_printed(tmp_path: Path) -> None:
    picture = os.fsencode(tmp_path) + b"/d\xe9s \xc3\xa9.png"
    good = cv2.imencode(".png", np.full((60, 80, 3), 120, np.uint8))[1].tobytes()
    Path(os.fsdecode(picture)).write_bytes(good)
    done = read(tmp_path, picture)
    assert (done.returncode, done.stderr) == (0, b"")
    assert rb"d\udce9s \u00e9.png" in done.stdout
