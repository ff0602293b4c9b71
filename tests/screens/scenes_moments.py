"""The moments of results as film strips: a picture every 100 ms on a clock that only the scene moves."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np

from tests.app.evening import SceneContext
from tests.screens import stage_hoops21, stage_moments
from tests.screens.scenes import open_table, watched

Scene = Callable[["SceneContext"], Awaitable[None]]

STEP_S = 0.1
"""Seconds between two pictures."""
MAX_STEPS = 24
MIN_HEADLINE_DP = 40
"""Smallest headline in dp: legible at 2 m."""
MIN_DIE_DP = 18
"""Smallest side of a die in dp: twelve dice of a throw stand in one row."""
SECONDS = (1.5, 2.0)
"""Shortest and longest time of a moment."""
COLUMNS = 4


class FilmClock:
    """Kivy's time, which stands still during a film until the scene moves it. It never goes back."""

    def __init__(self, real: Callable[[], float]) -> None:
        self._real, self._ahead = real, 0.0
        self._now: float | None = None

    def __call__(self) -> float:
        return self._real() + self._ahead if self._now is None else self._now

    def stop(self) -> None:
        """Stand still."""
        self._now = self()

    def go_on(self) -> None:
        """Run again from the time on the clock."""
        if self._now is not None:
            self._ahead, self._now = self._now - self._real(), None

    def advance(self, seconds: float) -> None:
        """Move a clock that stands still."""
        assert self._now is not None
        self._now += seconds


@asynccontextmanager
async def film_clock(evening: SceneContext) -> AsyncIterator[FilmClock]:
    """Let Kivy's time stand still, without a limit of frames, which would wait for it."""
    from kivy.clock import Clock

    if not isinstance(Clock.time, FilmClock):
        Clock.time = FilmClock(Clock.time)
    manual, fps = Clock.time, Clock._max_fps
    Clock._max_fps = 0
    await evening.table.frames(2)  # a frame that is already waiting for its time ends
    manual.stop()
    try:
        yield manual
    finally:
        manual.go_on()
        Clock._max_fps = fps


async def open_before(evening: SceneContext, name: str) -> tuple[Any, Any]:
    """Open the table just before a moment that stays on the screen. Returns the session and the event to come."""
    app = evening.table.app
    header, events, fields = stage_moments.before(name)
    app.end_session()
    app.navigator.go_home()
    evening.table.films_moments = True
    game = stage_moments.WANTED[name].game
    reader = {"footclub": watched, "hoops21": stage_hoops21.watched}.get(game, lambda: None)()
    app.session = app.matches.start(game, header, reader)
    for event in events:
        app.session.record(event)
    app.open("table", session=app.session)
    await evening.table.frames(8)
    return app.session, fields


def layer(evening: SceneContext) -> Any:
    return evening.table.app.navigator.page.moments


def sizes(evening: SceneContext) -> tuple[float, int]:
    """Return the size of the headline in dp, and the number of dice that the moment draws inside the screen."""
    from kivy.core.window import Window
    from kivy.metrics import dp

    from companion.app.figures.table import DiceLine

    figure = layer(evening)._figure
    lines = [widget for widget in figure.walk() if isinstance(widget, DiceLine)]
    marks = [mark for line in lines for group in line._marks for mark in group]
    drawn = [
        mark for mark in marks if mark.width >= dp(MIN_DIE_DP) and 0 <= mark.to_window(*mark.pos)[0] < Window.width
    ]
    return round(figure._headline.font_size / dp(1), 1), len(drawn)


async def film(evening: SceneContext, name: str) -> None:
    """Film one moment from its event to its end."""
    session, fields = await open_before(evening, name)
    frames: list[Any] = []
    async with film_clock(evening) as clock:
        session.record(fields, by="camera")
        await evening.table.frames(4)
        moments = layer(evening)
        assert moments.current is not None, f"{name}: no moment in the first picture"
        headline_dp, drawn = sizes(evening)
        thrown = sum(group.count for row in moments.current.rows for group in row.groups)
        assert drawn == thrown, f"{name}: {drawn} of {thrown} dice in the first picture"
        assert moments._holder.opacity == 1, f"{name}: the first picture is faint"
        assert headline_dp >= MIN_HEADLINE_DP, f"{name}: {moments.sentence!r} is {headline_dp:.0f} dp high"
        await evening.capture(f"moment-{name}")
        first, steps = moments.current, 0
        while moments.current is first and steps < MAX_STEPS:
            frames.append(picture())
            clock.advance(STEP_S)
            steps += 1
            await evening.table.frames(3)
        seconds = steps * STEP_S
        assert SECONDS[0] - STEP_S <= seconds <= SECONDS[1] + STEP_S, f"{name}: shown for {seconds:.1f} s"
        await evening.table.frames(3)
        if moments.current is not None:
            await evening.capture(f"moment-{name}-then")
        while moments.current is not None:
            frames.append(picture())
            clock.advance(STEP_S)
            await evening.table.frames(3)
        frames.append(picture())
    await evening.table.frames(4)
    await evening.capture(f"moment-{name}-after")
    evening.table.films_moments = False
    if evening.pictures is not None:
        save_strip(frames, evening.pictures / f"film-{name}-{evening.tag}.png")


def picture() -> Any:
    """Return the window's pixels at half size."""
    from kivy.core.window import Window
    from kivy.graphics.opengl import GL_RGBA, GL_UNSIGNED_BYTE, glReadPixels

    width, height = Window.size
    raw = glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE)
    pixels = np.frombuffer(raw, dtype=np.uint8).reshape(height, width, 4)[::-1]
    return cv2.resize(cv2.cvtColor(pixels, cv2.COLOR_RGBA2BGR), (width // 2, height // 2), interpolation=cv2.INTER_AREA)


def save_strip(frames: list[Any], file: Path) -> None:
    """Save pictures in rows, the first one at the top left."""
    blank = np.zeros_like(frames[0])
    padded = [*frames, *[blank] * (-len(frames) % COLUMNS)]
    rows = [np.hstack(padded[at : at + COLUMNS]) for at in range(0, len(padded), COLUMNS)]
    if not cv2.imwrite(str(file), np.vstack(rows)):
        raise OSError(f"picture not written: {file}")


async def films(evening: SceneContext) -> None:
    """Film every moment of the list."""
    for name in stage_moments.FILMED:
        await film(evening, name)


async def after_goal(evening: SceneContext) -> Any:
    """Open a table with the moment of a goal on it. Returns the session."""
    session, fields = await open_before(evening, "goal")
    session.record(fields, by="camera")
    await evening.table.frames(4)
    assert layer(evening).current is not None
    return session


async def touched(evening: SceneContext) -> None:
    """A tap on a moment ends it and presses nothing; a tap beside it ends it and counts; an undo ends it."""
    table = evening.table
    async with film_clock(evening) as clock:
        session = await after_goal(evening)
        before, moments = session.sequence, layer(evening)
        await table.touch(*moments._holder.center)
        assert moments.current is None
        assert session.sequence == before
        clock.advance(1.0)
        await table.frames(4)
        await evening.capture("moment-skipped")

        session = await after_goal(evening)
        before = session.sequence
        button = next(tap for tap in table.taps() if getattr(tap, "prominence", 0) == 1 and not tap.is_unavailable)
        clock.advance(0.5)
        await table.frames(3)
        await table.touch(*button.to_window(*button.center))
        await table.frames(4)
        assert session.sequence == before + 1
        assert layer(evening).current is None

        session = await after_goal(evening)
        clock.advance(0.5)
        await table.frames(3)
        await evening.tap("app.table.undo")
        assert layer(evening).current is None
        assert session.state.score == (0, 0)
        table.films_moments = False


async def switched_off(evening: SceneContext) -> None:
    """With moments off the table only shows the new state."""
    session, fields = await open_before(evening, "goal")
    app = evening.table.app
    app.apply_preferences(replace(app.preferences, moments=False))
    await evening.table.frames(6)
    session.record(fields, by="camera")
    await evening.table.frames(4)
    assert layer(evening).current is None
    assert sum(session.state.score) == 1
    app.apply_preferences(replace(app.preferences, moments=True))
    evening.table.films_moments = False


async def next_throw(evening: SceneContext) -> None:
    """The next event ends the moment before; nothing waits for it."""
    session = await after_goal(evening)
    first = layer(evening).current
    session.record(session.game.random_event(session.state, Random(1)))
    await evening.table.frames(4)
    assert layer(evening).current is not first
    evening.table.films_moments = False


async def lying_die(evening: SceneContext) -> None:
    """The defence die stays in its slot, with its face, while the attack die is thrown."""
    session = await open_table(evening, "set_piece", watched())
    session.record({"event": "shot", "defence": 4})
    await evening.table.frames(6)
    slots = [slot for slot in evening.table.walk() if type(slot).__name__ == "DieSlot"]
    faces = [child.value for slot in slots for child in slot.children if type(child).__name__ == "DieFace"]
    assert (len(slots), faces) == (2, [4]), (slots, faces)
    await evening.capture("04-defence-die-lies")


async def narrow_dice(evening: SceneContext) -> None:
    """Dice that get no space while a page is laid out are not drawn; they appear once there is space."""
    from companion.app.figures.table import DiceLine
    from companion.games.base import Die
    from companion.games.figures import DiceGroup

    await open_before(evening, "jump_ball")
    groups = tuple(DiceGroup(Die("orange", symbol=symbol), 2, True) for symbol in ("ball", "pass", "steal"))
    line = DiceLine(groups, "orange", 40)
    evening.table.app.navigator.add_widget(line)
    for size in ((40, 60), (400, 8), (0, 0)):
        line.size_hint, line.size = (None, None), size
        await evening.table.frames(3)
    line.size = (400, 60)
    await evening.table.frames(3)
    assert all(mark.width > 20 for marks in line._marks for mark in marks)
    evening.table.app.navigator.remove_widget(line)
    evening.table.films_moments = False


async def facing(evening: SceneContext) -> None:
    """A moment between two players face to face is turned to the side that it is about."""
    app = evening.table.app
    app.apply_preferences(replace(app.preferences, seats="facing"))
    for name in ("goal", "dunk"):
        session, fields = await open_before(evening, name)
        session.record(fields, by="camera")
        await evening.table.frames(6)
        assert layer(evening).current is not None
        await evening.capture(f"moment-facing-{name}")
    app.apply_preferences(replace(app.preferences, seats="beside"))
    evening.table.films_moments = False


async def long_names(evening: SceneContext) -> None:
    """A goal and a card of players with the longest names, and a throw with the longest labels of its numbers."""
    from kivy.metrics import dp

    for name in ("long_goal", "long_card", "several_plays"):
        session, fields = await open_before(evening, name)
        session.record(fields, by="camera")
        await evening.table.frames(6)
        await evening.capture(f"moment-{name}")
        for row in layer(evening)._figure._rows:
            labels = [piece for piece in row.walk(restrict=True) if getattr(piece, "kind", "") == "mini"]
            # 2 dp below the letters are blank
            spilled = [label.text for label in labels if label.y < row.y - dp(2) or label.top > row.top]
            assert not spilled, f"{name}: {spilled} outside its row"
    evening.table.films_moments = False


SCENES: dict[str, Scene] = {
    "moment_facing": facing,
    "moment_long": long_names,
    "films": films,
    "lying_die": lying_die,
    "narrow_dice": narrow_dice,
    "moment_touched": touched,
    "moment_off": switched_off,
    "moment_replaced": next_throw,
    **{f"film_{name}": partial(film, name=name) for name in stage_moments.WANTED},
}
