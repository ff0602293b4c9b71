"""The log of a scenario: pages shown, touches, and time."""

from __future__ import annotations

import json
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from tests.app.evening import SceneContext

BEGINS = "whole-"
MAX_BACK_STEPS = 12
"""Maximum navigation depth of a scenario."""


def notes_in(folder: Path) -> list[dict[str, Any]]:
    """Return the logs in a folder."""
    return [json.loads(file.read_text(encoding="utf-8")) for file in sorted(folder.glob(f"{BEGINS}*.json"))]


def unseen(notes: list[dict[str, Any]]) -> set[str]:
    """Return the pages of the app that none of these scenarios showed."""
    return {page for note in notes for page in note["pages"]} - {page for note in notes for page in note["visited"]}


class EveningLog:
    """Observes a scenario and writes a log next to its screenshots, or in its folder."""

    def __init__(self, evening: SceneContext, name: str) -> None:
        from kivy.core.window import Window

        from companion.app.game_screens import page_names
        from companion.app.navigator import PAGES

        self._evening, self.name = evening, name
        self._pages = {target.rpartition(":")[2]: page for page, target in (PAGES | page_names()).items()}
        self.visited: list[str] = []
        self.taps = self.events = 0
        self._began = time.monotonic()
        self._navigator = evening.table.app.navigator
        original_show = self._navigator.show

        def show() -> None:
            original_show()
            self._see()

        self._navigator.show = show
        Window.bind(on_touch_down=self._touched)
        self._see()

    def _see(self) -> None:
        """Record the current page by its class, since one page may replace another."""
        name = self._pages[type(self._navigator.page).__name__]
        if name not in self.visited:
            self.visited.append(name)

    def _touched(self, *_: object) -> None:
        self.taps += 1

    def close(self) -> None:
        """End the log."""
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


def logged(play: Callable[[SceneContext, EveningLog], Awaitable[None]]) -> Callable[[SceneContext], Awaitable[None]]:
    """Return a scenario that starts and ends at home and writes its log."""

    async def evening_with_log(evening: SceneContext) -> None:
        log = EveningLog(evening, play.__name__)
        navigator = evening.table.app.navigator
        assert [place.name for place in navigator.back_stack] == ["home"]
        await play(evening, log)
        assert [place.name for place in navigator.back_stack] == ["home"]
        assert not navigator.sheets
        log.close()

    return evening_with_log


async def home(evening: SceneContext) -> None:
    """Go home with visible controls: the cross of a sheet, the back button of a page, the table menu."""
    navigator, translate = evening.table.app.navigator, evening.translate
    for _ in range(MAX_BACK_STEPS):
        if navigator.sheets:
            await evening.tap("app.close")
        elif navigator.back_stack[-1].name == "home":
            return
        elif navigator.back_stack[-1].name == "table":
            if not evening.table.has(translate("app.table.menu_home")):
                await evening.tap("app.table.menu")
            await evening.tap("app.table.menu_home")
        else:
            before = len(navigator.back_stack)
            await evening.tap("app.back")
            assert navigator.sheets or len(navigator.back_stack) < before, (
                f"back does not lead away from {navigator.back_stack[-1].name}"
            )
    raise AssertionError(f"no way home from {[place.name for place in navigator.back_stack]}")
