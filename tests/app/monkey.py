"""A player who touches whatever there is: `python -m tests.app.monkey GAME SEED STEPS SIZE LANGUAGE`.

Nothing may surprise the app, and from wherever the finger has got to, *back* and *home* lead home. Prints what went
wrong and the touches that led there; exit status 1 then.
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

MOST_BACK = 60
"""Steps back from anywhere to home at most."""
HELD = 0.25
"""How often something to hold is held and not only tapped."""
TYPED = ("Étoile", "12", "", "a" * 60, "O’Connor-Lévêque")
KEPT = 40
"""Touches that are told when something goes wrong."""


class Monkey:
    """Begins at home; every step is one touch of something on the screen."""

    def __init__(self, table: driver.Table, seed: int, start: Callable[[driver.Table], Any]) -> None:
        self.table, self.random, self._start = table, Random(seed), start
        self.touched: list[str] = []
        self.seen: Counter[str] = Counter()

    async def play(self, steps: int) -> None:
        """So many touches; every now and then all the way home. AssertionError when home cannot be reached."""
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
        if not taps and table.app.navigator.sheets:  # a curtain is lifted by a touch anywhere
            self.touched.append("the middle of the screen")
            await table.touch(*table.root.center)
            await table.frames(3)
            return
        assert taps, f"nothing can be touched on {table.app.navigator.back_stack[-1].name}; words: {table.words()}"
        tap = random.choice(taps)
        if random.random() < 0.5:  # what is new on the way leads further than what is always there
            rare = min(taps, key=lambda tap: (self._times(tap), random.random()))
            tap = rare
        name = tap.spoken_name()
        self.touched.append(f"{table.app.navigator.back_stack[-1].name}: {name}")
        self._write_something()
        if getattr(tap, "needs_long_press", False) and random.random() < HELD:
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
        """Back, and back again, as the back key does; a sheet that asks something is answered, not left for ever."""
        room, seen = self.table.app.navigator, set()
        for _ in range(MOST_BACK):
            if room.back_stack[-1].name == "home" and not room.sheets:
                return
            where = (len(room.back_stack), room.back_stack[-1].name, len(room.sheets))
            if room.sheets and where in seen:
                await self._touch()
            else:
                self.table.app.back()
                await self.table.frames(3)
            seen.add(where)
        raise AssertionError(f"no way home from {[place.name for place in room.back_stack]}")


def start_of(game: str, seed: int) -> Callable[[driver.Table], Any]:
    """Begins a random match of a game at its table, some way into it; `home` begins at home."""

    async def start(table: driver.Table) -> None:
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

        async def play(table: driver.Table) -> None:
            monkey = Monkey(table, int(seed), start_of(game, int(seed)))
            try:
                await monkey.play(int(steps))
                await monkey.go_home()
            except Exception as fault:  # noqa: BLE001 (whatever it was, it is told with the way there)
                shown = "".join(traceback.format_exception(fault))
                faults.append(shown + "\nafter:\n  " + "\n  ".join(monkey.touched[-KEPT:]))
                table.app.surprises.clear()
            table.app.navigator.page.leave()
            table.app.navigator.back_stack.clear()
            table.app.navigator.clear_widgets()  # nothing is left that would draw itself while the app goes
            await table.frames(3)
            print(f"{game} {seed}: {len(monkey.touched)} touches on {dict(monkey.seen)}")

        driver.drive(app, play)
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
