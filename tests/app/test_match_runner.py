"""The app runs a match independently of the open page."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.app.test_table_match import play


@pytest.mark.parametrize(
    "scene", ["running_on_every_page", "running_killed_camera", "running_full_disk", "running_green_light"]
)
def test_a_match_goes_on_whatever_page_is_open(tmp_path: Path, scene: str) -> None:
    played = play(scene, tmp_path)
    assert (played.returncode, played.stdout) == (0, ""), played.stdout + played.stderr
