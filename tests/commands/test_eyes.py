"""The cameras that players may choose from, and the camera of the next match."""

from __future__ import annotations

from companion.clock import SystemClock
from companion.commands.devices import TableCameras
from companion.commands.run import _is_in_use
from companion.config import CameraConfig, Config, DisplayConfig, TableConfig
from companion.journal.store import Store


def eyes(source: str, webcams: list[int], picamera: bool = False) -> tuple[TableCameras, list[tuple[str, str]]]:
    asked: list[tuple[str, str]] = []
    return TableCameras(source, lambda *what: asked.append(what), lambda: webcams, lambda: picamera), asked


def test_every_camera_is_offered_the_one_in_force_first_and_none_last():
    assert eyes("camera:2", [0, 2], picamera=True)[0].list_sources() == ("camera:2", "picamera", "camera:0", "none")
    assert eyes("none", [1])[0].list_sources() == ("camera:1", "none")


def test_without_a_camera_the_simulated_table_is_offered():
    assert eyes("simulated", [])[0].list_sources() == ("simulated", "none")


def test_a_camera_that_was_unplugged_stays_the_one_in_force():
    assert eyes("camera:7", [])[0].list_sources() == ("camera:7", "simulated", "none")


def test_the_next_match_gets_the_chosen_camera():
    made, asked = eyes("camera:0", [0, 2])
    made.reader("nba")
    assert made.select("camera:2") == "camera:2"
    made.reader("nba")
    made.open_preview("none")
    assert asked == [("camera:0", "nba"), ("camera:2", "nba"), ("none", "pips")]


def test_the_simulated_table_is_kept_as_whichever_camera_is_there():
    made, _ = eyes("none", [])
    assert Config(camera=CameraConfig(source=made.select("simulated"))).camera.source == "auto"


def test_a_table_is_used_once_something_was_played_or_set(tmp_path):
    with Store.open(tmp_path / "m.sqlite", SystemClock()) as store:
        assert not _is_in_use(store, Config())
        assert _is_in_use(store, Config(display=DisplayConfig(language="en")))
        assert _is_in_use(store, Config(table=TableConfig("Café")))
        store.create({"game": "footclub", "sides": {}})
        assert _is_in_use(store, Config())
