"""A table of the evening in its own process: the installed app (`companion run`) off screen, and a finger.

The first line on standard input names the settings file. Each further line is a gesture, such as
`{"n": 3, "do": "tap", "names": ["Settings"]}`. When it is done a line answers with its number, the page and what is on
the screen, or with what went wrong.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import traceback
from collections.abc import Awaitable, Callable
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

from tests.app import driver
from tools.trials.child_process import Commands, read_commands

WAIT_S = 0.02
"""Seconds between two looks for a gesture."""
MAX_EVENTS = 400
"""More events than a match to seven points has."""
CROSSED = {"event": "inbound_end", "stolen": False}
"""How players end an inbounding when no camera sees its dice."""
PLAYOUTS = 40
"""Matches that are tried before the shortest of them is played."""
LEFT_OUT = ("concede", "reroll", "ruling")
"""Starts of events that the finger does not make: a match is to be played, with few touches."""
FRAMES, AGAIN_FRAMES = 2000, 100
"""Frames in which the app does what a gesture waits for, and after which a finger taps once more."""


class Finger:
    """Executes gestures at the app."""

    def __init__(self, table: driver.AppDriver, seed: int) -> None:
        self._table, self._random = table, Random(seed)
        self._gestures: dict[str, Callable[..., Awaitable[None]]] = {
            "look": self.wait_for_frames,
            "tap": self.tap,
            "type": self.type,
            "play": self.play,
            "picture": self.picture,
        }

    async def obey(self, commands: Commands) -> None:
        """Execute gestures until the last one, and answer each."""
        for command in commands:
            gesture, number = command.pop("do"), command.pop("n", None)
            if gesture == "nothing":
                await asyncio.sleep(WAIT_S)
                continue
            if gesture == "stop":
                return
            fault = ""
            try:
                await self._gestures[gesture](*command.pop("names", ()), **command)
            except Exception as error:  # noqa: BLE001 (whatever it was, the evening tells it)
                fault = "".join(traceback.format_exception(error))
            write_line(fault=fault, **self._state())
            write_line(done=number)

    async def wait_for_frames(self) -> None:
        """Wait until the screen is drawn."""
        await self._table.frames(2)

    async def tap(self, *names: str) -> None:
        """Tap these widgets one after the other, each once it is there.

        A page that news redraws ignores touches for a moment: what did not lead to the next is tapped again.
        """
        for name, next_name in pairwise((*names, "")):
            await self._table.until(lambda name=name: self._table.has(name), FRAMES)
            await self._table.tap(name)
            for _ in range(FRAMES // AGAIN_FRAMES):
                with suppress(AssertionError):
                    await self._table.until(lambda after=next_name: not after or self._table.has(after), AGAIN_FRAMES)
                    break
                if self._table.has(name):
                    await self._table.tap(name)

    async def type(self, text: str) -> None:
        """Write into the text field with the keys on the screen, and finish."""
        navigator = self._table.app.navigator
        await self._table.until(lambda: navigator.on_screen_keyboard is not None)
        for sign in text:
            await self._key(sign)
        await self._key("DONE")

    async def _key(self, value: str) -> None:
        for turn in ("", "DIGITS", "LETTERS"):
            if turn and (other := self._find_key(turn)) is not None:
                await self._table.tap_widget(other)
            if (key := self._find_key(value)) is not None:
                await self._table.tap_widget(key)
                return
        raise AssertionError(f"no key {value!r}")

    def _find_key(self, value: str) -> Any:
        return next((tap for tap in self._table.taps() if getattr(tap, "value", None) == value), None)

    async def play(self, events: int = MAX_EVENTS) -> None:
        """Play the open match of hoops21 for some events, or to its end: dice and choices are tapped."""
        from tests.screens.acting import act

        app, session, game = self._table.app, self._table.app.session, self._table.app.session.game
        plan: list[dict[str, Any]] = []
        for _ in range(events):
            if game.finished(session.state) or app.navigator.back_stack[-1].name != "table":
                return
            await self._table.until(lambda: not app.navigator.sheets)
            least = 0 if events == MAX_EVENTS else events + 1
            if not plan:
                plan = self._shortest_match(game, session.state, least)
            fields, before = plan.pop(0), session.sequence
            if dice := game.dice_from_event(fields):
                await self._enter_dice(dice)
            else:
                await act(self._scene, session, fields)
            assert session.sequence > before, f"not recorded: {fields}; {self._table.texts()}"

    def _shortest_match(self, game: Any, state: Any, least: int) -> list[dict[str, Any]]:
        """Return the events of a short match from here to its end, at least so many."""
        found: list[dict[str, Any]] = []
        for _ in range(PLAYOUTS):
            events, now = [], state
            while not game.finished(now) and (not found or len(events) < len(found)):
                fields = dict(CROSSED) if now.phase == "inbound" else game.random_event(now, self._random)
                if not fields["event"].startswith(LEFT_OUT):
                    events.append(fields)
                    now = game.apply(now, game.parse(fields))[0]
            if game.finished(now) and len(events) >= least and (not found or len(events) < len(found)):
                found = events
        assert found, "no match is long enough"
        return found

    async def _enter_dice(self, dice: Any) -> None:
        for row in [child for child in self._table.walk() if type(child).__name__ == "GroupRows"]:
            for die in [die for die in dice if die.kind == row.group.kind][-row.group.max_count :]:
                await self._table.tap_widget(next(button for button in row._buttons if button.option.value == die))

    @property
    def _scene(self) -> Any:
        """What making an event by touch needs of a scene."""
        return SimpleNamespace(table=self._table, translate=self._table.app.translate)

    async def picture(self, file: str) -> None:
        """Save a picture and check the layout."""
        await self._table.frames(4)
        faults = driver.faults(self._table)
        await self._table.picture(Path(file))
        assert not faults, f"{Path(file).name}: {faults}"

    def _state(self) -> dict[str, Any]:
        app = self._table.app
        session = app.session
        return {
            "page": app.navigator.back_stack[-1].name,
            "texts": self._table.texts(),
            "taps": [tap.spoken_name() for tap in self._table.taps()],
            "score": [] if session is None else list(session.state.score),
            "sequence": 0 if session is None else session.sequence,
            "over": session is not None and bool(session.game.finished(session.state)),
        }


def write_line(**fields: Any) -> None:
    """Print one line of JSON for the evening."""
    sys.stdout.write(json.dumps(fields) + "\n")
    sys.stdout.flush()


def main() -> int:
    """Run the app until the order to stop, or the end of standard input."""
    asked = json.loads(sys.stdin.readline())
    commands = read_commands(sys.stdin)
    os.environ["DISPLAY"] = os.environ.get(
        "DISPLAY", ":offscreen"
    )  # a window of the panel's size, not the whole screen
    from companion.app.app import TapisVertApp
    from companion.commands.run import run_app

    async def play(table: driver.AppDriver) -> None:
        write_line(ready=os.getpid())
        await Finger(table, asked["seed"]).obey(commands)

    TapisVertApp.run = lambda app: driver.drive(app, play)  # type: ignore[method-assign]
    return run_app(Path(asked["config"]))


if __name__ == "__main__":
    sys.exit(main())
