"""Damaged pictures are refused; messages of other code on standard error are kept."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.picture_headers import PictureRefused
from vision.pictures import Damaged, UnreadablePicture, decode_upright, load_picture

PICTURE = cv2.resize(np.random.default_rng(3).integers(0, 255, (12, 16, 3), np.uint8), (320, 240))


def encoded(ending: str) -> bytearray:
    lossy = [cv2.IMWRITE_WEBP_QUALITY, 90] if ending == ".webp" else []
    return bytearray(cv2.imencode(ending, PICTURE, lossy)[1].tobytes())


def of(data: bytes | bytearray) -> np.ndarray:
    return np.frombuffer(bytes(data), np.uint8)


@pytest.mark.parametrize("ending", [".jpg", ".png", ".bmp", ".webp"])
def test_a_good_picture_is_decoded(ending: str) -> None:
    assert np.abs(decode_upright(bytes(encoded(ending))).astype(int) - PICTURE).mean() < 12


def test_a_jpeg_with_a_hole_in_its_data_is_refused(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    data = encoded(".jpg")
    data[len(data) // 2 : len(data) // 2 + 300] = bytes(300)
    assert cv2.imdecode(of(data), cv2.IMREAD_COLOR) is not None  # the decoder returns a picture anyway
    capfd.readouterr()
    path = tmp_path / "hole.jpg"
    path.write_bytes(data)
    with pytest.raises(UnreadablePicture, match=r"hole\.jpg: not a picture, or a damaged one \(Corrupt JPEG data"):
        load_picture(path)
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("ending", [".jpg", ".png"])
@pytest.mark.parametrize("share", [0.3, 0.9])
def test_half_a_file_is_refused(ending: str, share: float) -> None:
    data = encoded(ending)
    with pytest.raises(Damaged):
        decode_upright(bytes(data[: int(len(data) * share)]))


def test_a_few_bytes_before_the_end_are_a_camera_s_padding(capfd: pytest.CaptureFixture[str]) -> None:
    data = bytes(encoded(".jpg"))
    assert decode_upright(data[:-2] + bytes(6) + data[-2:]).shape == PICTURE.shape
    assert capfd.readouterr().err == ""
    with pytest.raises(Damaged, match="extraneous"):
        decode_upright(data[:-2] + bytes(40) + data[-2:])


def test_what_is_no_picture_is_refused() -> None:
    with pytest.raises(PictureRefused, match="format"):
        decode_upright(b"never a picture")


def test_a_profile_that_the_decoder_does_not_like_is_no_damage(capfd: pytest.CaptureFixture[str]) -> None:
    data = bytes(encoded(".png"))
    wrong_time = b"\0\0\0\x07tIME" + bytes(7) + b"\0\0\0\0"  # an optional chunk with a wrong checksum
    assert decode_upright(data[:33] + wrong_time + data[33:]).shape == PICTURE.shape
    assert capfd.readouterr().err == ""


def test_what_others_say_meanwhile_is_passed_on(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def talkative(data: np.ndarray, how: int) -> np.ndarray:
        os.write(2, b"something else\nCorrupt JPEG data: made up\n")
        return PICTURE

    monkeypatch.setattr(cv2, "imdecode", talkative)
    with pytest.raises(Damaged, match=r"^Corrupt JPEG data: made up$"):
        decode_upright(bytes(encoded(".jpg")))
    assert capfd.readouterr().err == "something else\n"


def test_without_a_standard_error_stream_pictures_are_still_decoded(tmp_path: Path) -> None:
    path = tmp_path / "good.jpg"
    path.write_bytes(encoded(".jpg"))
    code = "import sys, vision.pictures as p; sys.exit(0 if p.load_picture(sys.argv[1]).shape == (240, 320, 3) else 3)"
    run = subprocess.run(["sh", "-c", 'exec "$0" -c "$1" "$2" 2>&-', sys.executable, code, str(path)], check=False)
    assert run.returncode == 0
