"""The first steps of a new table, and the settings of the table itself: its name, its camera, its dice, its data."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.app.platform import ExportConfig
from companion.app.preferences import DONE, FIRST_START_STEPS, SettingsStore
from companion.config import Config, Data, Table, read_config
from companion.table.controls import Controls, Devices
from tests.app.evening import Evening
from tests.screens.scenes import watched
from tests.screens.scenes_buttons import Hand
from tests.screens.scenes_house import Clock, furnish, home, lock_of, type_pin
from tests.screens.stage import StagedReader

Scene = Callable[["Evening"], Awaitable[None]]


class StagedEyes:
    """Two cameras, one of which does not answer; what was looked through and whether it was let go."""

    def __init__(self) -> None:
        self.source = "camera:0"
        self.looks: list[tuple[str, StagedReader]] = []

    def list_sources(self) -> Sequence[str]:
        return ("camera:0", "camera:2", "none")

    def open_preview(self, source: str) -> StagedReader | None:
        if source == "none":
            return None
        reader = watched()
        if source == "camera:2":
            reader.news.clear()
            reader.lose()
        self.looks.append((source, reader))
        return reader

    def select(self, source: str) -> str:
        self.source = source
        return source


class KnownFaces:
    """Dice of which three faces are known until they are forgotten."""

    def __init__(self) -> None:
        self.known_and_total = (3, 10)

    def forget(self) -> None:
        self.known_and_total = (0, 10)


async def begin(evening: Evening, **args: Any) -> Any:
    """The questions of a new table over the home page."""
    app = evening.table.app
    app.end_session()
    await home(evening)
    app.open("welcome", **args)
    await evening.table.frames(4)
    return app


def kept(evening: Evening) -> Config:
    """What the settings' file says now."""
    return read_config(evening.folder / "config.toml")


async def questions(evening: Evening) -> None:
    """Every step, each answered, every answer kept; at the end the home page has the new name."""
    app, table = evening.table.app, evening.table
    before, eyes, language = app.preferences, StagedEyes(), app.preferences.language
    furnish(evening, cameras=eyes)
    hand = Hand(evening)
    await begin(evening)
    assert kept(evening).table.first_steps == "language"
    await evening.look("first-language")
    await table.tap("English" if language == "en" else "Français")
    assert kept(evening).table.first_steps == "display"
    await evening.look("first-display")
    await evening.tap("app.welcome.next")
    await evening.look("first-touch")
    await table.touch(*_beside(app))
    assert evening.words("app.welcome.touch.beside") in table.words()
    await evening.look("first-touch-beside")
    for n in range(1, 6):
        await evening.tap("app.welcome.touch.mark", n=n)
    assert evening.words("app.welcome.touch.good") in table.words()
    await evening.look("first-touch-good")
    await evening.tap("app.welcome.next")
    await table.until(lambda: evening.words("app.welcome.camera.seen") in table.words())
    await evening.look("first-camera")
    await evening.tap("app.eyes.camera", number="2")
    await table.until(lambda: evening.words("app.welcome.camera.lost") in table.words())
    assert kept(evening).camera.source == "camera:2"
    await evening.look("first-camera-lost")
    await evening.tap("app.eyes.none")
    await evening.look("first-camera-none")
    assert kept(evening).camera.source == eyes.source == "none"
    await evening.tap("app.welcome.next")
    await evening.look("first-devices")
    await evening.tap("button.test")
    await hand.wait(0.5)
    await evening.tap("app.close")
    await evening.tap("app.welcome.next")
    await evening.tap("app.welcome.table", n=3)
    await evening.look("first-name")
    await evening.tap("app.welcome.name.other")
    await table.frames(6)
    table.type_over("Café du Port")
    await evening.tap("app.done")
    assert kept(evening).table == Table("Café du Port", "name")
    await evening.tap("app.welcome.finish")
    assert kept(evening).table == Table("Café du Port", DONE)
    assert "Café du Port" in table.words()
    assert table.has(evening.words("app.home.settings"))
    app.apply_preferences(before)


def _beside(app: Any) -> tuple[float, float]:
    """A place of the test's field without a mark."""
    field = next(child for child in app.navigator.page.ids.rows.children if type(child).__name__ == "TouchMarks")
    return tuple(field.to_window(field.x + field.width * 0.3, field.y + field.height * 0.3))


async def left_at_any_step(evening: Evening) -> None:
    """Each step can be left for good, gone back from, or be found again where the power went."""
    app, table = evening.table.app, evening.table
    furnish(evening, cameras=StagedEyes())
    for step in FIRST_START_STEPS:
        await begin(evening, step=step)
        assert evening.words(f"app.welcome.{step}") in table.words()
        await evening.tap("app.welcome.later")
        assert type(app.navigator.page).__name__ == "HomePage"
        assert kept(evening).table.first_steps == DONE
    await begin(evening, step="touch")
    assert kept(evening).table.first_steps == "touch"
    await evening.tap("app.back")
    assert evening.words("app.welcome.display") in table.words()
    await evening.tap("app.back")
    await evening.tap("app.back")
    assert type(app.navigator.page).__name__ == "HomePage"
    assert kept(evening).table.first_steps == DONE


async def cameras_are_let_go(evening: Evening) -> None:
    """A camera that was looked through is closed; while a match has it, nobody looks."""
    app, table, eyes = evening.table.app, evening.table, StagedEyes()
    furnish(evening, cameras=eyes)
    await begin(evening, step="camera")
    await table.until(lambda: evening.words("app.welcome.camera.seen") in table.words())
    await evening.tap("app.eyes.camera", number="2")
    await evening.tap("app.welcome.next")
    await begin(evening, step="camera")
    await evening.tap("app.welcome.later")
    assert [source for source, _ in eyes.looks] == ["camera:0", "camera:2", "camera:2"]
    app.session = app.matches.start("hoops21", app.matches.games["hoops21"].random_header(Random(4)), watched())
    app.open("welcome", step="camera")
    await table.frames(4)
    assert evening.words("app.welcome.camera.in_use") in table.words()
    await evening.look("first-camera-in-use")
    assert len(eyes.looks) == 3
    await evening.tap("app.welcome.later")
    app.session.close()
    app.session = None


async def without_parts(evening: Evening) -> None:
    """No camera port, no devices: each step says so and lets on."""
    app = evening.table.app
    controls = app.hardware_buttons.controls
    app.hardware_buttons.controls = Controls(Devices(), lambda: 0.0)
    furnish(evening, cameras=None)
    await begin(evening, step="camera")
    await evening.look("first-camera-absent")
    await evening.tap("app.welcome.next")
    assert evening.words("app.welcome.devices.none") in evening.table.words()
    await evening.look("first-devices-absent")
    await evening.tap("app.welcome.later")
    app.hardware_buttons.controls = controls


async def behind_the_pin(evening: Evening) -> None:
    """A locked table asks for its PIN before the questions."""
    app, lock = evening.table.app, lock_of(evening, Clock())
    lock.set_pin("2580")
    lock.lock()
    furnish(evening, lock=lock)
    await begin(evening)
    assert type(app.navigator.page).__name__ == "HomePage"
    await type_pin(evening, "2580")
    assert evening.words("app.welcome.language") in evening.table.words()
    await evening.tap("app.welcome.later")
    lock.remove_pin()
    furnish(evening, lock=None)


async def table_settings(evening: Evening) -> None:
    """Camera and dice, the table's name, the questions asked again, and what is kept."""
    app, table, eyes, own = evening.table.app, evening.table, StagedEyes(), KnownFaces()
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
    await evening.look("19-settings-dice")
    await evening.tap("app.eyes.camera", number="0")
    await evening.look("19-settings-cameras")
    await evening.tap("app.eyes.none")
    assert (kept(evening).camera.source, eyes.source) == ("none", "none")
    await evening.tap("app.settings.off")
    assert not kept(evening).data.misreads
    await table.hold(evening.words("app.settings.own_dice.forget"))
    assert own.known_and_total == (0, 10)
    assert not table.has(evening.words("app.settings.own_dice.forget"))
    await evening.tap("app.settings.room.house")
    await evening.tap("app.settings.first_steps")
    await evening.tap("app.welcome.later")
    assert evening.words("app.settings.title") in table.words()
    await evening.tap("app.settings.room.data")
    await evening.look("19-settings-data")
    await evening.tap("app.settings.pictures_days.of", n=90)
    await evening.tap("app.settings.pictures_mb.of", n=500)
    assert kept(evening).data == Data(pictures_mb=500, pictures_days=90, misreads=False)
    await evening.tap("app.settings.backup")
    await evening.look("19-settings-backup")
    await evening.tap("app.report.place.table")
    await table.until(lambda: any(file.exists() for file in written))
    await table.until(lambda: any(written[0].name in words for words in table.words()))
    await evening.look("19-settings-backed-up")
    app.export_config = papers


async def panel_as_it_stands(evening: Evening) -> None:
    """The picture turned over and to its side, touches with it; its true size by a bank card, and as before."""
    from kivy.core.window import Window
    from kivy.metrics import Metrics

    app, table, before = evening.table.app, evening.table, evening.table.app.preferences
    furnish(evening, is_kiosk_mode=True)
    upright, wide = app.portrait, Window.width
    await home(evening)
    await evening.tap("app.home.settings")
    await evening.tap("app.settings.rotation.180")
    assert (kept(evening).display.rotation, Window.rotation) == (180, 180)
    push = table.find(evening.words("app.settings.rotation.0"))
    await table.reveal(push)
    x, y = push.to_window(*push.center)
    await table.touch(Window.width - 1 - x, Window.height - 1 - y)  # the finger is where the picture shows it
    await table.rest()
    assert (app.preferences.rotation, Window.rotation) == (0, 0)
    await evening.tap("app.settings.rotation.90")
    assert (app.portrait, Window.height) == (not upright, wide)
    app.apply_preferences(before)
    await table.frames(4)
    assert (app.portrait, Window.width) == (upright, wide)
    density = Metrics.density
    await evening.tap("app.settings.sizing.with")
    await evening.look("19-sizing")
    first = app.navigator.sheets[-1].width_mm
    for _ in range(3):
        await evening.tap("app.sizing.larger", n=4)
    await evening.tap("app.sizing.smaller", n=1)
    assert app.navigator.sheets[-1].width_mm == pytest.approx(first / 1.04**3 / 0.99)
    await evening.look("19-sizing-larger")
    await evening.tap("app.done")
    assert kept(evening).display.width_mm == pytest.approx(first / 1.04**3 / 0.99, abs=0.1)
    await evening.tap("app.settings.sizing.with")
    for _ in range(8):
        await evening.tap("app.sizing.smaller", n=4)
    await evening.tap("app.done")
    assert Metrics.density < density
    await evening.look("19-settings-on-a-large-panel")
    await evening.tap("app.settings.sizing.with")
    await evening.tap("app.sizing.automatic")
    assert kept(evening).display.width_mm is None
    assert Metrics.density == density
    app.apply_preferences(before)


async def settings_that_cannot_be_kept(evening: Evening) -> None:
    """A file that cannot be written is told when something is set; it holds for the evening all the same."""
    app = evening.table.app
    settled = app.settings
    blocked = evening.folder / "blocked"
    blocked.write_text("a file where a folder should be")
    app.settings = SettingsStore(Config(), blocked / "config.toml")
    furnish(evening, cameras=StagedEyes())
    await home(evening)
    await evening.tap("app.home.settings")
    await evening.tap("app.settings.room.data")
    await evening.tap("app.settings.pictures_days.of", n=30)
    assert app.navigator.sheets, "the players are told"
    await evening.tap("app.close")
    assert app.settings.config.data.pictures_days == 30
    app.settings = settled
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
