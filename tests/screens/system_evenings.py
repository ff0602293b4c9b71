"""Scenarios beside the match: speech and sound, PIN lock, screen saver, keyboard, pinch, face to face."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

from companion.clock import ManualClock
from tests.app.evening import SceneContext
from tests.screens import stage
from tests.screens.scenes import open_table, watched
from tests.screens.scenes_system import SCENES, furnish, home, lock_of, type_pin
from tests.voice.recorded import RecordedTones, RecordedVoice

Scene = Callable[["SceneContext"], Awaitable[None]]


class FakeBacklight:
    """A dimmable backlight that records its commands."""

    def __init__(self) -> None:
        self.levels: list[int] = []

    def set_brightness(self, percent: int) -> bool:
        self.levels.append(percent)
        return True


def heard(evening: SceneContext) -> tuple[RecordedVoice, RecordedTones]:
    """Install a recording voice and recording tones in the running app."""
    voice, tones = RecordedVoice(), RecordedTones()
    furnish(evening, voice=voice, chimes=tones)
    return voice, tones


def prefer(evening: SceneContext, **wanted: Any) -> None:
    app = evening.table.app
    app.apply_preferences(replace(app.preferences, **wanted))


async def throw(evening: SceneContext, reader: stage.StagedReader) -> None:
    reader.throw((stage.die_at(5, 110, 120), stage.die_at(6, 400, 60)))
    await evening.table.frames(10)


async def spoken_match(evening: SceneContext) -> None:
    """A throw is announced once with its sound; undone and recorded again it is silent; when disabled it is silent
    too."""
    voice, tones = heard(evening)
    app, reader = evening.table.app, watched()
    session = await open_table(evening, "duel", reader)
    app.audio.attach(session)
    assert voice.utterances == [], "what happened before is not told"
    await throw(evening, reader)
    fact = session.game.describe(session.state, session.ledger.newest.fields, session.ledger.newest.outcome)
    assert tones.played == ["read"]
    assert len(voice.utterances) == 1
    assert voice.utterances[0][1] == "fr"
    assert "5 + 6" in voice.utterances[0][0]
    assert app.text(session.decision().title) not in voice.utterances[0][0], "results say no more than results"
    await evening.tap("app.table.undo")
    await evening.tap("app.table.redo")
    assert app.text(fact) == app.text(
        session.game.describe(session.state, session.ledger.newest.fields, session.ledger.newest.outcome)
    )
    assert len(voice.utterances) == 1, voice.utterances
    prefer(evening, voice="off", effects=False)
    tones.played.clear()
    session.undo()
    session.record({"event": "roll", "dice": [2, 2]})
    await evening.table.frames(4)
    assert (len(voice.utterances), tones.played) == (1, [])


async def explored_by_touch(evening: SceneContext) -> None:
    """With full speech a first tap announces, a second acts; barred choices give the reason, held ones announce
    first."""
    voice, tones = heard(evening)
    table = evening.table
    prefer(evening, voice="all")
    await home(evening)
    name = table.find(evening.translate("app.home.new")).spoken_name()
    await evening.tap("app.home.new")
    assert table.app.navigator.back_stack[-1].name == "home"
    assert voice.utterances == [(name, "fr")]
    await evening.tap("app.home.new")
    assert table.app.navigator.back_stack[-1].name == "games"
    await evening.tap("app.back")
    await evening.tap("app.back")
    session = await open_table(evening, "attack", watched())
    unavailable = next(tap for tap in table.taps() if getattr(tap, "is_unavailable", False))
    await table.tap_widget(unavailable)
    await table.tap_widget(unavailable)
    assert tones.played == ["refusal"]
    assert voice.utterances[-1][0] not in (unavailable.spoken_name(), "")
    lines = session.sequence
    await evening.tap("app.table.undo")
    assert session.sequence == lines
    await evening.tap("app.table.undo")
    assert session.sequence == lines + 1
    assert voice.utterances[-1] == (evening.translate("voice.undone") + ".", "fr") or "undo" in str(
        session.ledger.all_events[-1]
    )


async def secrets_are_not_told(evening: SceneContext) -> None:
    """On the secret-choice screen taps act at once and nothing is spoken, even with full speech."""
    voice, _ = heard(evening)
    prefer(evening, voice="all")
    app, table = evening.table.app, evening.table
    app.end_session()
    app.session = app.matches.start("footclub", stage.kick_off())
    choice = next(c for c in app.session.decision().choices if c.event["event"] == "tactics" and c.prompts)
    app.open("tactics", session=app.session, side=choice.side, ask=choice.prompts[0])
    await table.frames(4)
    voice.utterances.clear()
    await table.hold(evening.translate("app.secret.alone"))
    await evening.tap("app.tactics.advised")
    assert voice.utterances == []
    await evening.tap("app.tactics.done")
    await table.frames(4)
    assert voice.utterances == []
    assert app.session.state.club(choice.side).tactics_known is not None


async def locked(evening: SceneContext) -> None:
    """A PIN protects the settings, not the match; wrong PINs cause a wait; the saver locks again; the cross leads
    back."""
    clock = ManualClock()
    lock = lock_of(evening, clock)
    lock.set_pin("2580")
    lock.lock()
    furnish(evening, lock=lock)
    app, table = evening.table.app, evening.table
    await home(evening)
    await evening.tap("app.home.settings")
    assert app.navigator.back_stack[-1].name == "home"
    await evening.tap("app.close")
    assert not app.navigator.sheets
    await evening.tap("app.home.new")
    assert app.navigator.back_stack[-1].name == "games", "match play is never locked"
    await home(evening)
    await evening.tap("app.home.settings")
    for _ in range(3):
        await type_pin(evening, "1111")
    assert evening.translate("app.pin.wait", n=5) in table.texts()
    await type_pin(evening, "2580")
    assert app.navigator.back_stack[-1].name == "home", "not even the right one while one has to wait"
    clock.advance(6)
    await table.until(lambda: evening.translate("app.pin.again") in table.texts())
    await type_pin(evening, "2580")
    assert app.navigator.back_stack[-1].name == "settings"
    await evening.tap("app.back")
    await evening.tap("app.home.settings")
    assert app.navigator.back_stack[-1].name == "settings", "once open it stays open"
    app.idle_monitor.start_screen_saver()
    await table.touch(*table.root.center)
    assert lock.is_locked
    assert app.navigator.back_stack[-1].name == "home", "whoever lifts the curtain is not in the settings"
    assert app.idle_monitor._on_request_close() is True, "nor can the window be closed"
    assert app.navigator.sheets


async def rested(evening: SceneContext) -> None:
    """After the set idle minutes the saver dims the screen; a touch only removes it; dice remove it and count."""
    light = FakeBacklight()
    furnish(evening, backlight=light)
    prefer(evening, saver_minutes=5, brightness=80)
    app, table = evening.table.app, evening.table
    reader = watched()
    session = await open_table(evening, "duel", reader)
    assert light.levels[-1] == 80
    await nobody(evening, 4.9)
    assert not app.navigator.sheets
    await nobody(evening, 5.1)
    assert [type(sheet).__name__ for sheet in app.navigator.sheets] == ["ScreenSaver"]
    assert light.levels[-1] < 40
    score = " – ".join(str(points) for points in session.scene().board.score)
    assert score in table.texts()
    assert app.text(session.decision().title) in table.texts()
    lines = session.sequence
    app.audio.attach(session)
    await table.touch(*table.root.center)
    assert (app.navigator.sheets, session.sequence, light.levels[-1]) == ([], lines, 80)
    await nobody(evening, 5.1)
    await throw(evening, reader)
    assert not app.navigator.sheets
    assert session.sequence == lines + 1
    prefer(evening, saver_minutes=0)
    await nobody(evening, 500)
    assert not app.navigator.sheets, "never means never"


async def nobody(evening: SceneContext, minutes: float) -> None:
    """Simulate this many minutes without a touch."""
    from kivy.clock import Clock as KivyClock

    evening.table.app.idle_monitor._last_touch_at = KivyClock.get_time() - minutes * 60
    evening.table.app.idle_monitor._check_idle()
    await evening.table.frames(3)


async def veiled(evening: SceneContext) -> None:
    """An overlay darkens a display without brightness control; the slider shows the effect while it moves."""
    app, table = evening.table.app, evening.table
    await home(evening)
    assert app.idle_monitor._dimming_overlay.a == 0
    await evening.tap("app.home.settings")
    rail = next(tap for tap in table.taps() if type(tap).__name__ == "ValueSlider")
    await table.reveal(rail)
    x, y = rail.to_window(*rail.center)
    await table.touch(x, y)
    assert app.preferences.brightness == 60
    assert app.idle_monitor._dimming_overlay.a > 0.2
    assert "brightness = 60" in (evening.folder / "config.toml").read_text()


async def typed(evening: SceneContext) -> None:
    """Type a French name on the on-screen keyboard: first letter capital, variants by long press, then done."""
    app, table = evening.table.app, evening.table
    furnish(evening, has_keyboard=False)
    app.idle_monitor.apply_preferences()
    await home(evening)
    await evening.tap("app.home.new")
    await evening.tap("app.game.footclub")
    await evening.tap("app.clubs.squad", evening.translate("app.side.blue"))
    await table.tap("Valcendre")
    await evening.tap("app.clubs.rename", club="Valcendre")
    await table.until(lambda: app.navigator.on_screen_keyboard is not None)
    for _ in "Valcendre":
        await evening.tap("app.key.back")
    await evening.tap("app.key.shift")
    for key in ("É", "t", "o", "i", "l", "e", evening.translate("app.key.space"), "d", "’"):
        await table.tap(key)
    await evening.tap("app.key.shift")
    for key in ("Œ", "u", "i", "l", "l", "y", "-"):
        await table.tap(key)
    letter = table.find("a")
    await table.touch(*letter.to_window(*letter.center), hold=0.6)
    await table.tap("à")
    field = app.navigator.on_screen_keyboard.target
    assert field.text == "Étoile d’Œuilly-à"
    assert field.to_window(*field.pos)[1] > app.navigator.on_screen_keyboard.height, "the field stands above the keys"
    await table.tap_widget(next(tap for tap in table.taps() if getattr(tap, "value", "") == "DONE"))
    await table.until(lambda: app.navigator.on_screen_keyboard is None)
    assert "Étoile d’Œuilly-à" in table.texts()


async def pinched(evening: SceneContext) -> None:
    """Spreading two fingers enlarges the text, pinching shrinks it; a held button is released."""
    from kivy.base import EventLoop
    from kivy.metrics import dp

    app, table = evening.table.app, evening.table
    await home(evening)
    new = table.find(evening.translate("app.home.new"))
    x, y = new.to_window(*new.center)

    async def fingers(*distances: float) -> None:
        first, second = table.finger(x, y), table.finger(x + dp(distances[0]), y)
        for finger in (first, second):
            EventLoop.post_dispatch_input("begin", finger)
            await table.frames(1)
        for distance in distances[1:]:
            second.move((table.finger(x + dp(distance), y).sx, second.sy))
            EventLoop.post_dispatch_input("update", second)
            await table.frames(2)
        for finger in (first, second):
            finger.update_time_end()
            EventLoop.post_dispatch_input("end", finger)
        await table.rest()

    await fingers(80, 120)
    assert app.preferences.text_scale == 115
    await fingers(80, 120, 180)
    assert app.preferences.text_scale == 130
    await fingers(200, 90)
    assert app.preferences.text_scale == 115
    assert app.navigator.back_stack[-1].name == "home", "no finger of a pinch opens anything"
    assert "text_scale = 115" in (evening.folder / "config.toml").read_text()


async def face_to_face(evening: SceneContext) -> None:
    """The far buttons are rotated and touchable where they appear; left-handed mode has undo on the left."""
    app, table = evening.table.app, evening.table
    prefer(evening, seats="facing")
    session = await open_table(evening, "possession", watched())
    near, far = app.navigator.page.order
    leave = next(tap for tap in table.taps() if tap.spoken_name().startswith(evening.translate("footclub.do.leave")))
    side = session.decision().sides[0]
    middle = leave.to_window(*leave.center)[1]
    assert (middle > app.navigator.height / 2) is (side == far.side)
    lines = session.sequence
    await table.touch(*leave.to_window(*leave.center))
    assert session.sequence == lines + 1
    prefer(evening, seats="facing", swapped=True)
    assert app.navigator.page.order == (far, near)
    prefer(evening, seats="beside", swapped=False)
    await table.frames(6)
    right = table.find(evening.translate("app.table.undo")).center_x
    prefer(evening, hand="left")
    await table.frames(6)
    assert table.find(evening.translate("app.table.undo")).center_x < app.navigator.width / 2 < right


def tidy(scene: Scene) -> Scene:
    """Wrap a scene so that it starts and ends with the original settings and platform."""

    async def played(evening: SceneContext) -> None:
        app = evening.table.app
        before, platform = app.preferences, app.idle_monitor.platform
        try:
            await scene(evening)
        finally:
            app.idle_monitor.platform = platform
            furnish(evening)
            app.apply_preferences(before)

    return played


EVENINGS: dict[str, Scene] = SCENES | {
    scene.__name__: tidy(scene)
    for scene in (
        spoken_match,
        explored_by_touch,
        secrets_are_not_told,
        locked,
        rested,
        veiled,
        typed,
        pinched,
        face_to_face,
    )
}
