"""Monkey test with random touches: `python -m tests.app.monkey GAME SEED STEPS SIZE LANGUAGE`.

The app must report no unexpected error, and *back* and *home* must lead home from every page. On a failure it prints
the error and the touches before it, with exit status 1.
"""

from __future__ import annotations

import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from tests.app import driver
from tests.app.evening import make_app

MAX_BACK_STEPS = 60
"""Maximum number of steps back from any page to home."""
LONG_PRESS_PROBABILITY = 0.25
"""Probability that a hold button is held and not only tapped."""
TYPED = ("Étoile", "12", "", "a" * 60, "O’Connor-Lévêque")
REPORTED_TOUCHES = 40
"""Number of recent touches that are printed on a failure."""


class Monkey:
    """A random player that starts at home; each step touches one widget on the screen."""

    def __init__(self, table: driver.AppDriver, seed: int, start: Callable[[driver.AppDriver], Any]) -> None:
        self.table, self.random, self._start = table, Random(seed), start
        self.touched: list[str] = []
        self.seen: Counter[str] = Counter()

    async def play(self, steps: int) -> None:
        """Do `steps` touches and return home now and then.

        Raises: AssertionError if home cannot be reached.
        """
        await self._start(self.table)
        for step in range(steps):
            await self._touch()
            self.seen[self.table.app.navigator.back_stack[-1].name] += 1
            if self.table.app.surprises:
                raise self.table.app.surprises[0]
            if step % 150 == 149:
                await self.go_home()
                await self._start(self.table)

    async def _touch(self) -> None:
        table, random = self.table, self.random
        taps = [tap for tap in table.taps() if tap.width > 0 and tap.height > 0]
        if not taps and table.app.navigator.sheets:  # a touch anywhere removes a curtain
            self.touched.append("the middle of the screen")
            await table.touch(*table.root.center)
            await table.frames(3)
            return
        assert taps, f"nothing can be touched on {table.app.navigator.back_stack[-1].name}; words: {table.texts()}"
        tap = random.choice(taps)
        if random.random() < 0.5:  # prefer new widgets, since they lead further than permanent ones
            rare = min(taps, key=lambda tap: (self._times(tap), random.random()))
            tap = rare
        name = tap.spoken_name()
        self.touched.append(f"{table.app.navigator.back_stack[-1].name}: {name}")
        self._write_something()
        if getattr(tap, "needs_long_press", False) and random.random() < LONG_PRESS_PROBABILITY:
            await self._hold(tap)
        else:
            await table.tap_widget(tap)
        await table.frames(2)

    def _times(self, tap: Any) -> int:
        name = tap.spoken_name()
        return sum(1 for touched in self.touched if touched.endswith(f": {name}"))

    async def _hold(self, tap: Any) -> None:
        x, y = tap.to_window(*tap.center)
        await self.table.touch(x, y, hold=1.0)
        await self.table.rest()

    def _write_something(self) -> None:
        from kivy.uix.textinput import TextInput

        fields = [child for child in self.table.walk() if isinstance(child, TextInput)]
        if fields and self.random.random() < 0.5:
            field = self.random.choice(fields)
            field.text = self.random.choice(TYPED)

    async def go_home(self) -> None:
        """Go back repeatedly like the back key; answer a sheet that requires an answer."""
        navigator, seen = self.table.app.navigator, set()
        for _ in range(MAX_BACK_STEPS):
            if navigator.back_stack[-1].name == "home" and not navigator.sheets:
                return
            where = (len(navigator.back_stack), navigator.back_stack[-1].name, len(navigator.sheets))
            if navigator.sheets and where in seen:
                await self._touch()
            else:
                self.table.app.back()
                await self.table.frames(3)
            seen.add(where)
        raise AssertionError(f"no way home from {[place.name for place in navigator.back_stack]}")


def start_of(game: str, seed: int) -> Callable[[driver.AppDriver], Any]:
    """Return a function that opens a random match of a game in progress; `home` starts at home."""

    async def start(table: driver.AppDriver) -> None:
        from companion.games.registry import GAMES

        if game == "home":
            return
        random = Random(seed)
        rules = GAMES[game]
        session = table.app.start_match(game, rules.random_header(random))
        for _ in range(random.randrange(60)):
            if rules.finished(session.state):
                break
            session.record(rules.random_event(session.state, random))
        table.app.open("table", session=session)
        await table.frames(5)

    return start


def main(game: str, seed: str, steps: str, size: str, language: str) -> int:
    from companion.app.app import prepare_window

    prepare_window(driver.SIZES[size])
    faults: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        app = make_app(Path(folder), language)

        async def play(table: driver.AppDriver) -> None:
            monkey = Monkey(table, int(seed), start_of(game, int(seed)))
            try:
                await monkey.play(int(steps))
                await monkey.go_home()
            except Exception as fault:  # noqa: BLE001 (whatever it was, it is told with the way there)
                stack_trace = "".join(traceback.format_exception(fault))
                faults.append(stack_trace + "\nafter:\n  " + "\n  ".join(monkey.touched[-REPORTED_TOUCHES:]))
                table.app.surprises.clear()
            table.app.navigator.page.leave()
            table.app.navigator.back_stack.clear()
            table.app.navigator.clear_widgets()  # no widget remains that would redraw while the app stops
            await table.frames(3)
            print(f"{game} {seed}: {len(monkey.touched)} touches on {dict(monkey.seen)}")

        driver.drive(app, play)
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
