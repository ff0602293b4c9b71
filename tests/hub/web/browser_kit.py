"""Kit for browser tests: headless Chromium, an organiser at the desk, and the keyboard as the only device."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from datetime import UTC
from typing import Any

import pytest
from fastapi import FastAPI

from companion.hub.web.localization import Locale
from tests.hub.web.pages_kit import PASSWORD

CHROMIUM = os.environ.get("TAPIS_VERT_CHROMIUM") or shutil.which("chromium")
TIMEOUT_MS = 60_000
"""A busy machine is slow, which is no fault."""


english = Locale("en", UTC).t
"""The sentence of an id, as the pages of these tests have it."""


def headless_chromium() -> Iterator[Any]:
    """Start headless Chromium and yield it; skip the test without Chromium or Playwright."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="it comes with the extra `web`")
    if CHROMIUM is None:
        pytest.skip("no chromium here; package chromium has it")
    with sync_api.sync_playwright() as player:
        opened = player.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        sync_api.expect.set_options(TIMEOUT_MS)
        yield opened
        opened.close()


def new_page(browser: Any, width: int = 1280, height: int = 800, **options: Any) -> Any:
    """Open a page of a browser without cookies; `options` are those of its context."""
    context = browser.new_context(viewport={"width": width, "height": height}, **{"locale": "en", **options})
    context.set_default_timeout(TIMEOUT_MS)
    return context.new_page()


def set_password(page: Any, app: FastAPI, address: str) -> None:
    """Choose the organiser's password by the set-up link; the page is the desk's first page then."""
    page.goto(f"{address}/desk/set-up?key={app.state.site.access.set_up_key()}")
    page.fill("#name", "Claire")
    page.fill("#password", PASSWORD)
    page.fill("#again", PASSWORD)
    page.click("button.act")


def log_in(page: Any, address: str) -> None:
    """Log in with the password that was chosen."""
    page.goto(f"{address}/desk/login")
    page.fill("#name", "Claire")
    page.fill("#password", PASSWORD)
    page.click("button.act")


FOCUSED = """() => {
  const at = document.activeElement;
  const style = getComputedStyle(at);
  const box = at.getBoundingClientRect();
  return {
    tag: at.tagName.toLowerCase(),
    id: at.id,
    name: at.getAttribute("name") ?? "",
    text: (at.labels?.length && at.tagName !== "BUTTON" ? at.labels[0] : at).innerText.trim(),
    ring: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2,
    seen: box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
  };
}"""
"""What has the focus: its text or label, and whether one sees it and the ring around it."""

MAX_STOPS = 120


class Keyboard:
    """A page that is used by keys alone. Each stop of the focus must be in view and have a visible ring."""

    def __init__(self, page: Any) -> None:
        self.page = page

    def at(self) -> dict[str, Any]:
        """Return what has the focus."""
        return self.page.evaluate(FOCUSED)  # type: ignore[no-any-return]

    def press(self, *keys: str) -> None:
        """Press keys, one after the other."""
        for key in keys:
            self.page.keyboard.press(key)

    def go_to(self, text: str = "", *, name: str = "", tag: str = "") -> int:
        """Press Tab up to a control of a whole text, a field name or a tag. Returns the number of stops.

        Raises: AssertionError, where the focus is not seen, or if the control is not reached.
        """
        passed = []
        for count in range(1, MAX_STOPS + 1):
            self.press("Tab")
            found = self.at()
            assert found["tag"] == "body" or (found["ring"] and found["seen"]), found
            if text in ("", found["text"]) and name in ("", found["name"]) and tag in ("", found["tag"]):
                return count
            passed.append(found["text"][:30] or found["name"])
        raise AssertionError(f"{text or name} is not reached: {passed}")

    def type(self, text: str) -> None:
        """Type into the field that has the focus, in place of what is in it."""
        self.press("Control+a")
        self.page.keyboard.insert_text(text)

    def send(self, key: str = "Enter") -> None:
        """Press a key that leads to another page, and wait for that page."""
        with self.page.expect_navigation():
            self.press(key)
