"""What an evening has touched and seen: every page that stood on the screen, every finger that came down, the time."""

from __future__ import annotations

import json
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from tests.app.evening import Evening

BEGINS = "whole-"
MOST_BACK = 12
"""Levels deep that an evening may stand at most."""


def notes_in(folder: Path) -> list[dict[str, Any]]:
    """What evenings have left behind in a folder."""
    return [json.loads(file.read_text(encoding="utf-8")) for file in sorted(folder.glob(f"{BEGINS}*.json"))]


def unseen(notes: list[dict[str, Any]]) -> set[str]:
    """The pages of the app that none of these evenings came to."""
    return {page for note in notes for page in note["pages"]} - {page for note in notes for page in note["visited"]}


class Log:
    """Looks on while an evening is played, and writes down beside its pictures, or in its folder, what came of it."""

    def __init__(self, evening: Evening, name: str) -> None:
        from kivy.core.window import Window

        from companion.app.game_screens import page_names
        from companion.app.navigator import PAGES

        self._evening, self.name = evening, name
        self._pages = {target.rpartition(":")[2]: page for page, target in (PAGES | page_names()).items()}
        self.visited: list[str] = []
        self.taps = self.events = 0
        self._began = time.monotonic()
        self._room = evening.table.app.navigator
        shown = self._room.show

        def show() -> None:
            shown()
            self._see()

        self._room.show = show
        Window.bind(on_touch_down=self._touched)
        self._see()

    def _see(self) -> None:
        """Which page stands there: told by its class, since one may stand in for another."""
        name = self._pages[type(self._room.page).__name__]
        if name not in self.visited:
            self.visited.append(name)

    def _touched(self, *_: object) -> None:
        self.taps += 1

    def close(self) -> None:
        """The evening is over."""
        noted = {
            "evening": self.name,
            "shown": self._evening.tag,
            "pages": sorted(self._pages.values()),
            "visited": self.visited,
            "taps": self.taps,
            "events": self.events,
            "seconds": round(time.monotonic() - self._began, 1),
        }
        folder = self._evening.pictures or self._evening.folder
        file = folder / f"{BEGINS}{self.name}-{self._evening.tag}.json"
        file.write_text(json.dumps(noted), encoding="utf-8")


def logged(play: Callable[[Evening, Log], Awaitable[None]]) -> Callable[[Evening], Awaitable[None]]:
    """An evening that begins and ends at home, with what came of it written down."""

    async def evening_with_log(evening: Evening) -> None:
        log = Log(evening, play.__name__)
        room = evening.table.app.navigator
        assert [place.name for place in room.back_stack] == ["home"]
        await play(evening, log)
        assert [place.name for place in room.back_stack] == ["home"]
        assert not room.sheets
        log.close()

    return evening_with_log


async def home(evening: Evening) -> None:
    """Home by what can be seen: the cross of a sheet, the way back of a page, the menu of the table."""
    room, words = evening.table.app.navigator, evening.words
    for _ in range(MOST_BACK):
        if room.sheets:
            await evening.tap("app.close")
        elif room.back_stack[-1].name == "home":
            return
        elif room.back_stack[-1].name == "table":
            if not evening.table.has(words("app.table.menu_home")):
                await evening.tap("app.table.menu")
            await evening.tap("app.table.menu_home")
        else:
            before = len(room.back_stack)
            await evening.tap("app.back")
            assert room.sheets or len(room.back_stack) < before, (
                f"back does not lead away from {room.back_stack[-1].name}"
            )
    raise AssertionError(f"no way home from {[place.name for place in room.back_stack]}")
