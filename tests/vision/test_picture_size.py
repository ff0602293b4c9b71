"""Picture sizes from headers are correct, and a huge picture is refused before decoding."""

from __future__ import annotations

import struct
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.pictures import UnreadablePicture, load_picture, size_in_header

PICTURE = np.random.default_rng(1).integers(0, 255, (37, 61, 3), np.uint8)
ENDINGS = [".png", ".jpg", ".bmp", ".webp", ".tiff", ".ppm", ".pgm"]


def encoded(ending: str, *options: int) -> bytes:
    picture = PICTURE[..., 0] if ending == ".pgm" else PICTURE
    return cv2.imencode(ending, picture, list(options))[1].tobytes()


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_header_tells_the_size(ending: str) -> None:
    assert size_in_header(encoded(ending)) == (61, 37)


def test_further_kinds_of_jpeg_and_webp() -> None:
    assert size_in_header(encoded(".jpg", cv2.IMWRITE_JPEG_PROGRESSIVE, 1)) == (61, 37)
    assert size_in_header(encoded(".webp", cv2.IMWRITE_WEBP_QUALITY, 60)) == (61, 37)
    extended = b"RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0" + (60).to_bytes(3, "little") + (36).to_bytes(3, "little")
    assert size_in_header(extended) == (61, 37)
    assert size_in_header(b"P6 # made by hand\n# twice\n61\t37\n255\n") == (61, 37)


@pytest.mark.parametrize("ending", ENDINGS)
@given(cut=st.integers(0, 60), put=st.binary(max_size=8))
def test_a_broken_header_never_raises(ending: str, cut: int, put: bytes) -> None:
    good = encoded(ending)
    for broken in (good[:cut], good[:cut] + put + good[cut + len(put) :]):
        size = size_in_header(broken)
        assert size is None or min(size) >= 0


def test_a_gigantic_picture_is_refused_by_its_header(tmp_path: Path) -> None:
    path = tmp_path / "huge.png"
    path.write_bytes(encoded(".png")[:16] + struct.pack(">II", 20_000, 30_000) + encoded(".png")[24:])
    with pytest.raises(UnreadablePicture, match=r"huge\.png: 20000 x 30000 pixels are more than the 100 megapixels"):
        load_picture(path)
    path = tmp_path / "huge.gif"
    path.write_bytes(b"GIF89a" + struct.pack("<HH", 30_000, 30_000) + b"\0\0\0;")
    with pytest.raises(UnreadablePicture, match=r"huge\.gif: 30000 x 30000 pixels"):
        load_picture(path)
    with pytest.raises(UnreadablePicture, match="not the name of a file"):
        load_picture("a\0b")
