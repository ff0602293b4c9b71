"""What an evening needs: the hub as its own process, tables with a finger at each, and pages in Chromium."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from companion.language import Language
from tools import module_environment
from tools.trials.child_process import ChildProcess
from tools.trials.local_postgres import free_port

TIMEOUT_S = 120.0
"""Seconds for one step of an evening on a busy machine."""
PLAY_S = 600.0
"""Seconds for a match: each die and each choice is a touch."""
POLL_S = 0.05
DESK, PHONE, HALL = (1280, 800), (390, 844), (1920, 1080)
"""Sizes of the pages in pixels: the organiser's desk, a player's phone, the big screen."""
CHROMIUM = os.environ.get("TAPIS_VERT_CHROMIUM") or shutil.which("chromium")
SETTINGS = """\
[display]
language = "{language}"
keyboard = "shown"
less_motion = true
moments = false
saver_minutes = 0
[table]
name = "{name}"
first_steps = "done"
[sound]
effects = false
voice = "off"
[camera]
source = "none"
[hardware]
panel = "none"
tray = "none"
[data]
folder = "{folder}"
"""


class Unmet(Exception):
    """What was awaited did not come."""


def lacking() -> str | None:
    """Return what an evening lacks on this machine, or None."""
    try:
        import playwright.sync_api  # noqa: F401
    except ImportError:
        return "Playwright is not there (the extra `web`, in tests/suites/web.lock)"
    return None if CHROMIUM else "Chromium is not there (package chromium)"


def expect(met: Callable[[], object], why: str, seconds: float = TIMEOUT_S) -> None:
    """Poll until a condition is true. Raises: Unmet."""
    pause, end = threading.Event(), time.monotonic() + seconds
    while not met():
        if time.monotonic() > end:
            raise Unmet(f"never came: {why}")
        pause.wait(POLL_S)


def check(met: object, why: str) -> None:
    """Raise Unmet unless a condition is true."""
    if not met:
        raise Unmet(why)


def settings_file(folder: Path, language: str, name: str) -> Path:
    """Write the settings of a table or a hub whose data lie in a folder."""
    folder.mkdir(parents=True)
    file = folder / "config.toml"
    file.write_text(SETTINGS.format(language=language, name=name, folder=folder / "data"), encoding="utf-8")
    return file


class Hub:
    """`companion hub` as the organiser starts it."""

    def __init__(self, folder: Path, language: str) -> None:
        self._config = settings_file(folder, language, "Hub")
        self._log = folder / "hub.log"
        self._ports = ("--port", str(free_port()), "--tables-port", str(free_port()))
        self.host = f"127.0.0.1:{self._ports[1]}"
        self.address = f"http://{self.host}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> str:
        """Start the hub. Returns what it has printed once it serves."""
        offset = self._log.stat().st_size if self._log.exists() else 0
        command = [sys.executable, "-m", "companion", "--config", str(self._config), "hub", *self._ports]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                command, env=module_environment(), stdin=subprocess.DEVNULL, stderr=log, start_new_session=True
            )
        expect(lambda: "Ctrl-C" in self._printed(offset), "the hub serves")
        return self._printed(offset)

    def kill(self) -> None:
        """Kill the hub, as a power cut would."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def stop(self) -> None:
        """Stop the hub as Ctrl-C does."""
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            self._process.wait(TIMEOUT_S)

    def _printed(self, since: int) -> str:
        return self._log.read_bytes()[since:].decode(errors="replace")


class Table:
    """A table app in its own process, and the finger at it."""

    def __init__(self, folder: Path, number: int, language: Language) -> None:
        self.number, self._folder, self._language = number, folder, language
        self._config = settings_file(folder, language.code, f"Table {number}")
        self._process: ChildProcess | None = None
        self._gestures = 0

    @property
    def state(self) -> dict[str, Any]:
        """What the table showed after the last gesture."""
        assert self._process is not None
        return self._process.state

    def start(self) -> None:
        """Start the app."""
        first = json.dumps({"config": str(self._config), "seed": self.number}).encode()
        self._process = ChildProcess("tests.hub_suite.table_app", first, self._folder / "table.log")
        check(self._process.wait_for("ready", TIMEOUT_S), f"table {self.number} starts (table.log)")

    def kill(self) -> None:
        """Kill the app, as a power cut would."""
        assert self._process is not None
        self._process.kill()

    def stop(self) -> None:
        """Close the app."""
        if self._process is not None:
            self._process.send(do="stop")
            self._process.stop()

    def gesture(self, do: str, **fields: Any) -> None:
        """Do a gesture and wait until the app has followed it. Raises: Unmet."""
        self.start_gesture(do, **fields)
        self.follow()

    def start_gesture(self, do: str, **fields: Any) -> None:
        """Begin a gesture that takes a while."""
        assert self._process is not None
        self._gestures += 1
        self._process.send(do=do, n=self._gestures, **fields)

    def follow(self) -> None:
        """Wait until the gesture that was begun is done. Raises: Unmet."""
        assert self._process is not None
        done = self._process.wait_for("done", PLAY_S, self._gestures)
        check(done, f"table {self.number} does not answer; it showed {self.state.get('texts')}")
        check(not self.state["fault"], f"table {self.number}: {self.state['fault']}")

    def tap(self, *ids: str) -> None:
        """Tap what these message ids call, one after the other."""
        self.gesture("tap", names=[self._language(id) for id in ids])

    def answer(self, name: str, id: str) -> None:
        """Tap the question about a player, and the answer that a message id calls."""
        asked = "app.tournament.asked" if id == "app.tournament.here" else "app.tournament.agreed"
        self.gesture("tap", names=[self._language(asked, name=name), f"{name} {self._language(id)}"])

    def expect(self, met: Callable[[dict[str, Any]], object], why: str) -> None:
        """Look until the table shows what is awaited."""

        def seen() -> object:
            self.gesture("look")
            return met(self.state)

        try:
            expect(seen, f"table {self.number}: {why}")
        except Unmet as unmet:
            raise Unmet(f"{unmet}; it shows {self.state['texts']}") from None

    def expect_text(self, id: str, **args: Any) -> None:
        """Look until a sentence is on the screen."""
        wanted = self._language(id, **args)
        self.expect(lambda state: any(wanted in text for text in state["texts"]), wanted)


class Pages:
    """A page of the browser, with what people do there."""

    def __init__(self, page: Any, address: str, language: Language) -> None:
        self.page, self.address, self.t = page, address, language
        self.faults: list[str] = []
        page.on("pageerror", lambda fault: self.faults.append(f"{page.url}: {fault}"))
        page.on("dialog", lambda dialog: self.faults.append(f"{page.url}: {dialog.message}"))

    def open(self, path: str) -> None:
        """Open a page by its path or whole address."""
        self.page.goto(path if path.startswith("http") else self.address + path)

    def text(self, place: str = "body") -> str:
        """Return the visible text of a place."""
        return str(self.page.inner_text(place))

    def expect(self, place: str, why: str, text: str = "") -> None:
        """Wait until a place, with this text in it, is seen. Raises: Unmet."""
        found = self.page.locator(place, has_text=text) if text else self.page.locator(place)
        try:
            found.first.wait_for(timeout=TIMEOUT_S * 1000)
        except Exception:  # noqa: BLE001 (Playwright's own; what the page shows says more)
            raise Unmet(f"never seen: {why}; {self.page.url} shows {self.text()[:1500]}") from None

    def press(self, id: str, within: str = "main", **args: Any) -> None:
        """Press the first button that a message id calls, and wait for the answer. Raises: Unmet if it is refused."""
        name = self.t(id, **args)
        button = self.page.locator(within).get_by_role("button", name=name, exact=True)
        if not button.count():
            raise Unmet(f"no button {name!r} in {within}; {self.page.url} shows {self.text()[:1500]}")
        with self.page.expect_navigation():
            button.first.click()
        refused = self.page.locator("p.notice[role=alert]")
        check(not refused.count(), f"{name!r} was refused: {refused.all_inner_texts()}")

    def press_link(self, id: str) -> None:
        """Follow the first link that a message id calls."""
        self.page.locator("main").get_by_role("link", name=self.t(id), exact=True).first.click()

    def unfold(self, id: str, within: str = "main") -> None:
        """Open what a message id summarises."""
        self.page.locator(within).locator("summary", has_text=self.t(id)).first.click()

    def fill(self, **fields: str) -> None:
        """Fill the visible fields of these names."""
        for name, value in fields.items():
            self.page.locator(f"main [name={name}]:visible").first.fill(value)

    def picture(self, file: Path) -> None:
        """Save a picture and check that nothing is wider than the screen."""
        self.page.evaluate("scrollTo(0, 0)")
        self.page.screenshot(path=str(file))
        width, available = self.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        check(width <= available, f"{file.name}: {width} pixels wide on a screen of {available}")
        check(not self.faults, f"{file.name}: {self.faults}")


class Desk(Pages):
    """The organiser's desk."""

    tournament = ""

    def go(self, part: str = "") -> None:
        """Open a part of the tournament's desk; *Now* without a name."""
        self.open(f"/desk/t/{self.tournament}/{part}".rstrip("/"))

    def matches(self, *states: str) -> list[tuple[str, str, str]]:
        """Return id, home and away of the matches in one of these states, such as `ready`."""
        self.go("matches")
        wanted = {self.t(f"web.status.{state}") for state in states}
        rows = self.page.locator("ol.lines > li").evaluate_all(
            "rows => rows.map(row => [row.querySelector('a').getAttribute('href').split('/match/')[1],"
            " ...[...row.querySelectorAll('.pair > span')].map(part => part.innerText),"
            " row.querySelector('small').innerText])"
        )
        return [(id, home, away) for id, home, _, away, detail in rows if wanted & set(detail.split(" · "))]

    def enter_result(self, match: str, home: int, away: int, event: str = "result", why: str = "") -> None:
        """Enter or correct (`correct`) the result of a match."""
        self.go(f"match/{match}")
        form = f"form:has(input[name=event][value={event}])"
        self.page.fill(f"{form} input[name=home_points]", str(home))
        self.page.fill(f"{form} input[name=away_points]", str(away))
        if why:
            self.page.fill(f"{form} input[name=why]", why)
        self.press("web.correct.do" if event == "correct" else "web.result.enter", form)

    def tile(self, number: int) -> str:
        """Return the place of a table in *Now*."""
        return f".tiles > li:nth-child({number})"

    def at_table(self, number: int) -> tuple[str, str, str]:
        """Return id, home and away of the match that is called to a table."""
        self.go()
        link = self.page.locator(f"{self.tile(number)} a:has(.row)")
        href, home, away = link.evaluate(
            "link => [link.getAttribute('href'), ...[...link.querySelectorAll('.row > span')].map(e => e.innerText)]"
        )
        return href.split("/match/")[1], home, away


@contextmanager
def browser() -> Iterator[Any]:
    """Start headless Chromium."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as player:
        opened = player.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        try:
            yield opened
        finally:
            opened.close()


def new_page(opened: Any, language: str, size: tuple[int, int]) -> Any:
    """Return a page of a browser of its own, of this size."""
    scale = 2 if size == PHONE else 1
    context = opened.new_context(
        viewport={"width": size[0], "height": size[1]}, locale=language, device_scale_factor=scale
    )
    context.set_default_timeout(TIMEOUT_S * 1000)
    return context.new_page()


def set_up_link(printed: str) -> str:
    """Return the link of the first start."""
    found = re.search(r"\S+/desk/set-up\?key=\S+", printed)
    if found is None:
        raise Unmet(f"the hub prints no link: {printed}")
    return found[0]
