"""Scenes outside the match: settings, diagnostic, on-screen keyboard, PIN, screen saver, face-to-face layout."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from random import Random
from typing import Any

from argon2 import PasswordHasher

from companion.clock import ManualClock
from companion.games.base import Message
from companion.table.health import Check, Health
from tests.app.evening import SceneContext
from tests.screens import stage
from tests.screens.scenes import open_table, tap_first, watched
from tests.voice.recorded import RecordedTones, RecordedVoice
from vision.roll import Doubt

Scene = Callable[["SceneContext"], Awaitable[None]]

FAST_HASHER = PasswordHasher(time_cost=1, memory_cost=1024, parallelism=1)
"""A password hasher with minimal cost."""
PARTS = (
    Check(
        "camera", Health.MISSING, (Message("doctor.found.nothing"),), Message("doctor.next.no_camera"), simulated=True
    ),
    Check("reader", Health.OK, ("finder.onnx 24edd3c8", "faces.onnx bad231c5")),
    Check("tray", Health.MISSING, (Message("doctor.found.nothing"),), Message("doctor.next.no_tray")),
    Check("panel", Health.ATTENTION, ("/dev/gpiochip0",), Message("doctor.next.group", {"group": "gpio"})),
    Check("sound", Health.OK, ("espeak-ng", "fr, en")),
    Check("tones", Health.OFF, (Message("doctor.found.tones_off"),), Message("doctor.next.tones_off")),
    Check("display", Health.OK, ("KMSDRM", "DSI-1 800x480")),
    Check("touch", Health.OK, ("generic ft5x06 (79)",)),
    Check("disk", Health.ATTENTION, (Message("doctor.found.free", {"mb": 150}),), Message("doctor.next.disk_room")),
    Check("journal", Health.OK, (Message("doctor.found.matches", {"n": 41}),)),
    Check("config", Health.OK, ("/etc/tapis-vert/config.toml",)),
    Check("hub", Health.MISSING, ("192.168.1.20", Message("doctor.found.hub_away")), Message("doctor.next.hub_away")),
    Check("clock", Health.OK, ("2026-03-01 20:41 CET", Message("doctor.found.network_time"))),
    Check("power", Health.ATTENTION, (Message("doctor.found.low_before"), "0x50000"), Message("doctor.next.power")),
    Check("processor", Health.OK, ("Raspberry Pi 5 Model B Rev 1.0", "56 °C")),
    Check("service", Health.OK, ("tapis-vert.service", "active")),
    Check("versions", Health.OK, ("tapis-vert 1.0", "Python 3.11.2", "SQLite 3.51.3", "kivy 2.3.1", "numpy 1.24.2")),
)


def furnish(evening: SceneContext, **parts: Any) -> Any:
    """Replace parts of the running app's platform and return the new platform."""
    from companion.app.audio_feedback import AudioFeedback

    app = evening.table.app
    app.idle_monitor.platform = replace(app.idle_monitor.platform, **parts)
    app.audio = AudioFeedback(app, app.idle_monitor.platform)
    return app.idle_monitor.platform


def lock_of(evening: SceneContext, clock: ManualClock | None = None) -> Any:
    """Return a lock in the scenario's folder, without a PIN."""
    from companion.app.pin_lock import PinLock

    return PinLock(evening.folder / "lock.toml", (clock or ManualClock()).monotonic, FAST_HASHER)


async def type_pin(evening: SceneContext, pin: str) -> None:
    """Enter the digits, then OK."""
    for digit in pin:
        await evening.table.tap(digit)
    await evening.tap("app.pin.ok")


async def home(evening: SceneContext) -> None:
    evening.table.app.home()
    await evening.table.frames(3)


async def settings(evening: SceneContext) -> None:
    """Every group of settings, with and without a lock."""
    furnish(evening, voice=RecordedVoice(), chimes=RecordedTones(), lock=lock_of(evening), is_kiosk_mode=True)
    await home(evening)
    await evening.tap("app.home.settings")
    for section in ("screen", "sound", "seats", "house"):
        await evening.tap(f"app.settings.room.{section}")
        await evening.capture(f"19-settings-{section}")
    await evening.tap("app.settings.lock.choose")
    await evening.capture("19-pin-new")
    await type_pin(evening, "2580")
    await evening.capture("19-pin-repeat")
    await type_pin(evening, "2580")
    await evening.capture("19-settings-house-locked")
    await evening.tap("app.settings.lock.now")
    await evening.tap("app.home.settings")
    await evening.capture("19-pin")
    for _ in range(3):
        await type_pin(evening, "1111")
    await evening.capture("19-pin-waiting")
    await evening.tap("app.close")
    evening.table.app.idle_monitor.platform.lock.remove_pin()


async def diagnostic(evening: SceneContext) -> None:
    """Every part, one of them opened."""
    furnish(evening, diagnose=lambda: PARTS)
    await home(evening)
    await evening.tap("app.home.diagnostic")
    await evening.table.until(lambda: any(type(tap).__name__ == "PartTile" for tap in evening.table.taps()))
    await evening.capture("16-diagnostic")
    for part in ("camera", "hub", "versions"):
        name = evening.translate(f"cli.part.{part}")
        await evening.table.tap_widget(next(t for t in evening.table.taps() if t.spoken_name().startswith(name)))
        await evening.capture(f"16-diagnostic-{part}")
        await evening.tap("app.close")


async def saver(evening: SceneContext) -> None:
    """The screen saver over a match and over the home screen, at its start and later."""
    app = evening.table.app
    app.end_session()
    await home(evening)
    app.idle_monitor.start_screen_saver()
    await evening.capture("saver-home")
    await evening.table.touch(*evening.table.root.center)
    await open_table(evening, "offensive", watched())
    app.idle_monitor.start_screen_saver()
    await evening.capture("saver-match")
    for _ in range(21):
        app.idle_monitor._saver._step()
    await evening.capture("saver-match-wandered")
    await evening.table.touch(*evening.table.root.center)


async def keys(evening: SceneContext) -> None:
    """Letters, capitals, variants and symbols while a club name is typed."""
    app, table = evening.table.app, evening.table
    furnish(evening, has_keyboard=False)
    app.idle_monitor.apply_preferences()
    app.end_session()
    await home(evening)
    await evening.tap("app.home.new")
    await evening.tap("app.game.footclub")
    await evening.tap("app.clubs.squad", evening.translate("app.side.blue"))
    await table.tap("Valcendre")
    await evening.tap("app.clubs.rename", club="Valcendre")
    await table.frames(6)
    await evening.capture("keys-letters")
    await evening.tap("app.key.shift")
    await evening.capture("keys-capitals")
    await evening.tap("app.key.digits")
    await evening.capture("keys-signs")
    await evening.tap("app.key.letters")
    key = next(tap for tap in table.taps() if getattr(tap, "value", "") == "e")
    await table.touch(*key.to_window(*key.center), hold=0.6)
    await evening.capture("keys-variants")
    app.idle_monitor.platform = replace(app.idle_monitor.platform, has_keyboard=True)
    await evening.tap("app.close")
    app.idle_monitor.apply_preferences()


async def facing(evening: SceneContext) -> None:
    """Face to face: phases, sheets of the near and far side, a question rotated towards the thrower."""
    app, table = evening.table.app, evening.table
    app.apply_preferences(replace(app.preferences, seats="facing"))
    for name in ("offensive", "duel", "possession", "half_time", "finished"):
        await open_table(evening, name, watched())
        await evening.capture(f"04-facing-{name}")
    await open_table(evening, "possession", watched())
    await tap_first(evening, "footclub.card.tackle")
    await evening.capture("04-facing-sheet")
    await evening.tap("app.close")
    app.apply_preferences(replace(app.preferences, swapped=True))
    await open_table(evening, "possession", watched())
    await tap_first(evening, "footclub.card.tackle")
    await evening.capture("04-facing-sheet-swapped")
    await evening.tap("app.close")
    reader = watched()
    await open_table(evening, "duel", reader)
    reader.throw((stage.die_at(3, 110, 120), stage.die_at(5, 400, 60, Doubt.COCKED, 3)))
    await table.frames(8)
    await evening.capture("04-facing-question")
    app.apply_preferences(replace(app.preferences, seats="beside", swapped=False))


async def facing_games(evening: SceneContext) -> None:
    """Every other game face to face, in several situations of a random match."""
    app, table = evening.table.app, evening.table
    app.apply_preferences(replace(app.preferences, seats="facing"))
    for game_id in sorted(set(app.matches.games) - {"footclub"}):
        app.end_session()
        await home(evening)
        game, random = app.matches.games[game_id], Random(4)
        app.session = app.matches.start(game_id, game.random_header(random), watched())
        for step in range(4):
            for _ in range(4 * bool(step)):
                if not game.finished(app.session.state):
                    app.session.record(game.random_event(app.session.state, random))
            app.open("table", session=app.session)
            await table.frames(6)
            await evening.capture(f"04-facing-{game_id}-{step}")
            app.back()
    app.apply_preferences(replace(app.preferences, seats="beside"))


SCENES: dict[str, Scene] = {
    "house_facing_games": facing_games,
    "house_facing": facing,
    "house_settings": settings,
    "house_diagnostic": diagnostic,
    "house_saver": saver,
    "house_keys": keys,
}
