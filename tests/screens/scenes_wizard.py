"""Scenes of the setup assistant and of the table settings: name, camera, dice, data."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.app.platform import ExportConfig
from companion.app.preferences import DONE, FIRST_START_STEPS, SettingsStore
from companion.config import Config, DataConfig, TableConfig, read_config
from companion.table.controls import Controls, Devices
from tests.app.evening import SceneContext
from tests.screens.scenes import watched
from tests.screens.scenes_buttons import PanelHand
from tests.screens.scenes_system import furnish, home, lock_of, type_pin
from tests.screens.stage import StagedReader

Scene = Callable[["SceneContext"], Awaitable[None]]


class StagedCameras:
    """Two fake cameras, the second of them faulty. Records which was opened and whether it was released."""

    def __init__(self) -> None:
        self.source = "camera:0"
        self.previews: list[tuple[str, StagedReader]] = []

    def list_sources(self) -> Sequence[str]:
        return ("camera:0", "camera:2", "none")

    def open_preview(self, source: str) -> StagedReader | None:
        if source == "none":
            return None
        reader = watched()
        if source == "camera:2":
            reader.news.clear()
            reader.lose()
        self.previews.append((source, reader))
        return reader

    def select(self, source: str) -> str:
        self.source = source
        return source


class KnownFaces:
    """Dice with three learned faces, until they are cleared."""

    def __init__(self) -> None:
        self.known_and_total = (3, 10)

    def forget(self) -> None:
        self.known_and_total = (0, 10)


async def open_wizard(evening: SceneContext, **args: Any) -> Any:
    """Open the setup assistant over the home page."""
    app = evening.table.app
    app.end_session()
    await home(evening)
    app.open("welcome", **args)
    await evening.table.frames(4)
    return app


def kept(evening: SceneContext) -> Config:
    """Return the saved configuration."""
    return read_config(evening.folder / "config.toml")


async def questions(evening: SceneContext) -> None:
    """Every step is answered and saved; at the end the home page shows the new name."""
    app, table = evening.table.app, evening.table
    before, eyes, language = app.preferences, StagedCameras(), app.preferences.language
    furnish(evening, cameras=eyes)
    hand = PanelHand(evening)
    await open_wizard(evening)
    assert kept(evening).table.first_steps == "language"
    await evening.capture("first-language")
    await table.tap("English" if language == "en" else "Français")
    assert kept(evening).table.first_steps == "display"
    await evening.capture("first-display")
    await evening.tap("app.welcome.next")
    await evening.capture("first-touch")
    await table.touch(*_beside(app))
    assert evening.translate("app.welcome.touch.beside") in table.texts()
    await evening.capture("first-touch-beside")
    for n in range(1, 6):
        await evening.tap("app.welcome.touch.mark", n=n)
    assert evening.translate("app.welcome.touch.good") in table.texts()
    await evening.capture("first-touch-good")
    await evening.tap("app.welcome.next")
    await table.until(lambda: evening.translate("app.welcome.camera.seen") in table.texts())
    await evening.capture("first-camera")
    await evening.tap("app.eyes.camera", number="2")
    await table.until(lambda: evening.translate("app.welcome.camera.lost") in table.texts())
    assert kept(evening).camera.source == "camera:2"
    await evening.capture("first-camera-lost")
    await evening.tap("app.eyes.none")
    await evening.capture("first-camera-none")
    assert kept(evening).camera.source == eyes.source == "none"
    await evening.tap("app.welcome.next")
    await evening.capture("first-devices")
    await evening.tap("button.test")
    await hand.wait(0.5)
    await evening.tap("app.close")
    await evening.tap("app.welcome.next")
    await evening.tap("app.welcome.table", n=3)
    await evening.capture("first-name")
    await evening.tap("app.welcome.name.other")
    await table.frames(6)
    table.type_over("Café du Port")
    await evening.tap("app.done")
    assert kept(evening).table == TableConfig("Café du Port", "name")
    await evening.tap("app.welcome.finish")
    assert kept(evening).table == TableConfig("Café du Port", DONE)
    assert "Café du Port" in table.texts()
    assert table.has(evening.translate("app.home.settings"))
    app.apply_preferences(before)


def _beside(app: Any) -> tuple[float, float]:
    """Return a point of the touch test without a mark."""
    field = next(child for child in app.navigator.page.ids.rows.children if type(child).__name__ == "TouchMarks")
    return tuple(field.to_window(field.x + field.width * 0.3, field.y + field.height * 0.3))


async def left_at_any_step(evening: SceneContext) -> None:
    """Every step can be skipped, revisited, or resumed after a power cut."""
    app, table = evening.table.app, evening.table
    furnish(evening, cameras=StagedCameras())
    for step in FIRST_START_STEPS:
        await open_wizard(evening, step=step)
        assert evening.translate(f"app.welcome.{step}") in table.texts()
        await evening.tap("app.welcome.later")
        assert type(app.navigator.page).__name__ == "HomePage"
        assert kept(evening).table.first_steps == DONE
    await open_wizard(evening, step="touch")
    assert kept(evening).table.first_steps == "touch"
    await evening.tap("app.back")
    assert evening.translate("app.welcome.display") in table.texts()
    await evening.tap("app.back")
    await evening.tap("app.back")
    assert type(app.navigator.page).__name__ == "HomePage"
    assert kept(evening).table.first_steps == DONE


async def cameras_are_let_go(evening: SceneContext) -> None:
    """A camera is closed after its preview; while a match uses it there is no preview."""
    app, table, eyes = evening.table.app, evening.table, StagedCameras()
    furnish(evening, cameras=eyes)
    await open_wizard(evening, step="camera")
    await table.until(lambda: evening.translate("app.welcome.camera.seen") in table.texts())
    await evening.tap("app.eyes.camera", number="2")
    await evening.tap("app.welcome.next")
    await open_wizard(evening, step="camera")
    await evening.tap("app.welcome.later")
    assert [source for source, _ in eyes.previews] == ["camera:0", "camera:2", "camera:2"]
    app.session = app.matches.start("hoops21", app.matches.games["hoops21"].random_header(Random(4)), watched())
    app.open("welcome", step="camera")
    await table.frames(4)
    assert evening.translate("app.welcome.camera.in_use") in table.texts()
    await evening.capture("first-camera-in-use")
    assert len(eyes.previews) == 3
    await evening.tap("app.welcome.later")
    app.session.close()
    app.session = None


async def without_parts(evening: SceneContext) -> None:
    """Without a camera port and devices: each step says so and lets the user continue."""
    app = evening.table.app
    controls = app.hardware_buttons.controls
    app.hardware_buttons.controls = Controls(Devices(), lambda: 0.0)
    furnish(evening, cameras=None)
    await open_wizard(evening, step="camera")
    await evening.capture("first-camera-absent")
    await evening.tap("app.welcome.next")
    assert evening.translate("app.welcome.devices.none") in evening.table.texts()
    await evening.capture("first-devices-absent")
    await evening.tap("app.welcome.later")
    app.hardware_buttons.controls = controls


async def behind_the_pin(evening: SceneContext) -> None:
    """A locked table asks for its PIN before the assistant opens."""
    app, lock = evening.table.app, lock_of(evening)
    lock.set_pin("2580")
    lock.lock()
    furnish(evening, lock=lock)
    await open_wizard(evening)
    assert type(app.navigator.page).__name__ == "HomePage"
    await type_pin(evening, "2580")
    assert evening.translate("app.welcome.language") in evening.table.texts()
    await evening.tap("app.welcome.later")
    lock.remove_pin()
    furnish(evening, lock=None)


async def table_settings(evening: SceneContext) -> None:
    """Camera and dice, the table name, the assistant opened again, and the saved values."""
    app, table, eyes, own = evening.table.app, evening.table, StagedCameras(), KnownFaces()
    exchange = evening.folder / "exchange"
    written: list[Path] = []

    def backup(file: Path) -> None:
        file.write_bytes(b"all of it")
        written.append(file)

    papers, app.export_config = app.export_config, ExportConfig(lambda *_: b"", lambda: (exchange,), {})
    furnish(evening, cameras=eyes, learned_faces={"nba": own}, write_backup=backup)
    await home(evening)
    await evening.tap("app.home.settings")
    await evening.tap("app.settings.room.dice")
    await evening.capture("19-settings-dice")
    await evening.tap("app.eyes.camera", number="0")
    await evening.capture("19-settings-cameras")
    await evening.tap("app.eyes.none")
    assert (kept(evening).camera.source, eyes.source) == ("none", "none")
    await evening.tap("app.settings.off")
    assert not kept(evening).data.misreads
    await table.hold(evening.translate("app.settings.own_dice.forget"))
    assert own.known_and_total == (0, 10)
    assert not table.has(evening.translate("app.settings.own_dice.forget"))
    await evening.tap("app.settings.room.house")
    await evening.tap("app.settings.first_steps")
    await evening.tap("app.welcome.later")
    assert evening.translate("app.settings.title") in table.texts()
    await evening.tap("app.settings.room.data")
    await evening.capture("19-settings-data")
    await evening.tap("app.settings.pictures_days.of", n=90)
    await evening.tap("app.settings.pictures_mb.of", n=500)
    assert kept(evening).data == DataConfig(pictures_mb=500, pictures_days=90, misreads=False)
    await evening.tap("app.settings.backup")
    await evening.capture("19-settings-backup")
    await evening.tap("app.report.place.table")
    await table.until(lambda: any(file.exists() for file in written))
    await table.until(lambda: any(written[0].name in text for text in table.texts()))
    await evening.capture("19-settings-backed-up")
    app.export_config = papers


async def panel_as_it_stands(evening: SceneContext) -> None:
    """The picture rotated by 180 and 90 degrees, touches included; the true size by a bank card; then reset."""
    from kivy.core.window import Window
    from kivy.metrics import Metrics

    app, table = evening.table.app, evening.table
    before = replace(app.preferences, language="en" if app.preferences.language == "en" else "fr")  # no file has pseudo
    app.apply_preferences(before)
    furnish(evening, is_kiosk_mode=True)
    upright, wide = app.portrait, Window.width
    await home(evening)
    await evening.tap("app.home.settings")
    await evening.tap("app.settings.rotation.180")
    assert (kept(evening).display.rotation, Window.rotation) == (180, 180)
    row = table.find(evening.translate("app.settings.rotation.90")).parent  # other rows have the same word for off
    push = next(tap for tap in row.children if tap.text_name() == evening.translate("app.settings.rotation.0"))
    await table.reveal(push)
    x, y = push.to_window(*push.center)
    await table.touch(Window.width - 1 - x, Window.height - 1 - y)  # the finger is where the rotated picture shows it
    await table.rest()
    assert (app.preferences.rotation, Window.rotation) == (0, 0)
    await evening.tap("app.settings.rotation.90")
    assert (app.portrait, Window.height) == (not upright, wide)
    app.apply_preferences(before)
    await table.frames(4)
    assert (app.portrait, Window.width) == (upright, wide)
    density = Metrics.density
    await evening.tap("app.settings.sizing.with")
    await evening.capture("19-sizing")
    first = app.navigator.sheets[-1].width_mm
    for _ in range(3):
        await evening.tap("app.sizing.larger", n=4)
    await evening.tap("app.sizing.smaller", n=1)
    assert app.navigator.sheets[-1].width_mm == pytest.approx(first / 1.04**3 / 0.99)
    await evening.capture("19-sizing-larger")
    await evening.tap("app.done")
    assert kept(evening).display.width_mm == pytest.approx(first / 1.04**3 / 0.99, abs=0.1)
    await evening.tap("app.settings.sizing.with")
    for _ in range(8):
        await evening.tap("app.sizing.smaller", n=4)
    await evening.tap("app.done")
    assert Metrics.density < density
    await evening.capture("19-settings-on-a-large-panel")
    await evening.tap("app.settings.sizing.with")
    await evening.tap("app.sizing.automatic")
    assert kept(evening).display.width_mm is None
    assert Metrics.density == density
    app.apply_preferences(before)


async def settings_that_cannot_be_kept(evening: SceneContext) -> None:
    """If the settings file cannot be written, a message is shown; the setting still applies until the app ends."""
    app = evening.table.app
    settings_store = app.settings
    blocked = evening.folder / "blocked"
    blocked.write_text("a file where a folder should be")
    app.settings = SettingsStore(Config(), blocked / "config.toml")
    furnish(evening, cameras=StagedCameras())
    await home(evening)
    await evening.tap("app.home.settings")
    await evening.tap("app.settings.room.data")
    await evening.tap("app.settings.pictures_days.of", n=30)
    assert app.navigator.sheets, "the players are told"
    await evening.tap("app.close")
    assert app.settings.config.data.pictures_days == 30
    app.settings = settings_store
    await home(evening)


SCENES: dict[str, Scene] = {
    "first_steps": questions,
    "first_steps_left": left_at_any_step,
    "first_steps_cameras": cameras_are_let_go,
    "first_steps_absent": without_parts,
    "first_steps_locked": behind_the_pin,
    "table_settings": table_settings,
    "table_settings_panel": panel_as_it_stands,
    "table_settings_blocked": settings_that_cannot_be_kept,
}
