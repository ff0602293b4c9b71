"""A catalogue photo comes from any frame source; a missing camera is reported."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.commands.devices import photo_taker, take_photo


def test_a_recording_gives_its_last_picture(tmp_path: Path) -> None:
    for number in range(3):
        cv2.imwrite(str(tmp_path / f"{number}.png"), np.full((48, 64, 3), 60 * number, dtype=np.uint8))
    jpeg = take_photo(str(tmp_path))
    picture = cv2.imdecode(np.frombuffer(jpeg, dtype=np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    assert picture.shape == (48, 64, 3)
    assert abs(int(picture.mean()) - 120) < 4


@pytest.mark.parametrize("source", ["camera:97", "no-such-folder", "camera:x"])
def test_a_camera_that_is_not_there_is_told(source: str) -> None:
    with pytest.raises(OSError, match=source.partition(":")[0]):
        take_photo(source)


def test_a_table_without_eyes_takes_no_photographs() -> None:
    eyeless = frozenset({"none", "simulated"})
    assert photo_taker("none", eyeless) is None
    assert photo_taker("drawn:3", eyeless) is not None
