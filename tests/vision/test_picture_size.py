"""Picture sizes from headers are correct, and what would take much memory or time is refused before decoding."""

from __future__ import annotations

import struct
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.picture_bombs import BOMBS, OTHER_FORMATS, canvas, chunk, jpeg, jpeg_of_many_scans, png, riff
from vision.picture_headers import MAX_PICTURE_BYTES, PictureRefused, check_picture, size_in_header
from vision.pictures import UnreadablePicture, decode_upright, load_picture

PICTURE = np.random.default_rng(1).integers(0, 255, (37, 61, 3), np.uint8)
ENDINGS = [".png", ".jpg", ".bmp", ".webp", ".ppm", ".pgm"]
MAX_MEMORY_KB = 500_000
MAX_CPU_S = 5


def encoded(ending: str, *options: int) -> bytes:
    picture = PICTURE[..., 0] if ending == ".pgm" else PICTURE
    lossy = [cv2.IMWRITE_WEBP_QUALITY, 60] if ending == ".webp" else []
    return cv2.imencode(ending, picture, [*lossy, *options])[1].tobytes()


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_header_tells_the_size(ending: str) -> None:
    assert size_in_header(encoded(ending)) == (61, 37)


def test_further_kinds_of_jpeg_webp_and_netpbm() -> None:
    assert size_in_header(encoded(".jpg", cv2.IMWRITE_JPEG_PROGRESSIVE, 1)) == (61, 37)
    assert size_in_header(riff(canvas(100) + encoded(".webp")[12:])) == (100, 100)
    assert size_in_header(b"P6 # made by hand\n# twice\n61\t37\n255\n") == (61, 37)
    followed = encoded(".jpg") + jpeg_of_many_scans(64, 400)  # phones append films and further pictures
    assert size_in_header(followed) == (61, 37)
    assert decode_upright(followed).shape == PICTURE.shape


@pytest.mark.parametrize("ending", ENDINGS)
@given(cut=st.integers(0, 60), put=st.binary(max_size=8))
def test_a_broken_header_raises_nothing_else(ending: str, cut: int, put: bytes) -> None:
    good = encoded(ending)
    for broken in (good[:cut], good[:cut] + put + good[cut + len(put) :]):
        size = size_in_header(broken)
        assert size is None or min(size) >= 0
        with suppress(PictureRefused):
            check_picture(broken)


def test_the_refusal_says_why_and_what_to_do(tmp_path: Path) -> None:
    for name, content, sentence in (
        ("huge.png", png(8, 8)[:16] + struct.pack(">II", 20_000, 30_000) + png(8, 8)[24:], "20000 x 30000 pixels are"),
        ("huge.gif", b"GIF89a" + struct.pack("<HH", 30_000, 30_000), "not a picture in a format that is read; save it"),
        ("scans.jpg", jpeg_of_many_scans(64, 400), "not built like a photo"),
        ("heavy.ppm", b"P6 1 1 255\n" + bytes(MAX_PICTURE_BYTES), "more than the 80 MB that are read"),
    ):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(UnreadablePicture, match=f"{name}: {sentence}"):
            load_picture(tmp_path / name)
    with pytest.raises(UnreadablePicture, match="not the name of a file"):
        load_picture("a\0b")


def test_optional_parts_of_a_png_are_not_decoded() -> None:
    plain = cv2.imencode(".png", PICTURE)[1].tobytes()
    text = chunk(b"tEXt", b"k\0" + bytes(1000))
    assert check_picture(plain[:33] + text + plain[33:]) == plain
    assert (decode_upright(plain[:33] + text + plain[33:]) == PICTURE).all()


@pytest.mark.parametrize("form", [(1, 0, 0), (16, 6, 0), (8, 3, 0), (8, 4, 0)])
def test_every_form_of_png_keeps_its_pixels(form: tuple[int, int, int]) -> None:
    palette = chunk(b"PLTE", bytes(6)) if form[1] == 3 else b""
    assert not decode_upright(png(61, 37, palette, form=form)).any()


def test_formats_whose_cost_no_header_tells_are_refused() -> None:
    for build in OTHER_FORMATS.values():
        with pytest.raises(PictureRefused, match="format"):
            check_picture(build())


CHILD = """
import resource, sys
resource.setrlimit(resource.RLIMIT_CPU, (%d, %d))
from vision.pictures import UnreadablePicture, load_picture
try:
    print(load_picture(sys.argv[1]).shape)
except UnreadablePicture as refused:
    print(refused)
print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""


def check_cost(path: Path) -> None:
    """Load a picture in a child process. It is killed after 5 s of processor time."""
    command = [sys.executable, "-c", CHILD % (MAX_CPU_S, MAX_CPU_S), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (path.name, done.returncode, done.stderr)
    assert int(done.stdout.split()[-1]) < MAX_MEMORY_KB, (path.name, done.stdout)


@pytest.mark.parametrize("name", BOMBS)
def test_no_picture_takes_much_memory_or_time(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(BOMBS[name]())
    check_cost(tmp_path / name)


@pytest.mark.parametrize("options", [(), (cv2.IMWRITE_JPEG_PROGRESSIVE, 1, cv2.IMWRITE_JPEG_SAMPLING_FACTOR, 0x111111)])
def test_the_largest_accepted_picture_fits_too(options: tuple[int, ...], tmp_path: Path) -> None:
    largest = jpeg(5_000, *options)
    turned = struct.pack(">2sHIHHHIHHI", b"MM", 42, 8, 1, 0x112, 3, 1, 6, 0, 0)
    exif = b"\xff\xe1" + struct.pack(">H", 8 + len(turned)) + b"Exif\0\0" + turned
    (tmp_path / "largest.jpg").write_bytes(largest[:2] + exif + largest[2:])
    check_cost(tmp_path / "largest.jpg")
