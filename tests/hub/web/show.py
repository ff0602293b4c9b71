"""Screenshots of every page for review: `python -m tests.hub.web.show FOLDER [CHROMIUM]` (needs playwright)."""

from __future__ import annotations

import sys
import threading
from datetime import datetime, timedelta, timezone
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from companion.clock import ManualClock
from companion.games.registry import GAMES
from companion.hub.core import open_core
from companion.hub.web.app import server
from companion.tournament import facts as fa
from tests.hub.desk_kit import RunningTournament
from tests.hub.web.pages_kit import PASSWORD, called, pages, propose, round_played, start_tournament
from tests.tournament import plans

START = datetime(2026, 6, 1, 20, 30, tzinfo=timezone(timedelta(hours=2)))
SIZES = {"phone": (390, 844, 2), "wide": (1280, 720, 1), "hall": (1920, 1080, 1), "table": (800, 480, 1)}


def filled(core: Any) -> dict[str, RunningTournament]:
    """Create a Swiss in round three with running matches, a finished double knock-out, groups, a cup under review."""
    for number in range(1, 5):
        core.tables.register(f"t{number}", number, f"Table {number}")
    done = start_tournament(core, plans.double_knock_out("Double élimination", "hoops21"))
    for seed in range(0, 1000, 100):
        round_played(done, seed)
    groups = start_tournament(core, plans.groups_then_knock_out("Poules du Phare", "occasion", 2, 2))
    for seed in range(2000, 2200, 100):
        round_played(groups, seed)
    running = start_tournament(core, plans.swiss("Coupe des Baies", "footclub", 3))
    round_played(running, 5000)
    propose(running, fa.Draw)
    propose(running, fa.Call)
    for at, table in enumerate(called(running)):
        card = running.played(table, 6000 + at)
        core.inbox.accept([card.batch(1, len(card.lines) * (at + 2) // 6)])
    return {"done": done, "groups": groups, "running": running}


def addresses(evenings: dict[str, RunningTournament]) -> dict[str, str]:
    """Return every page by name."""
    running, done, groups = (evenings[name].id for name in ("running", "done", "groups"))
    match = next(iter(called(evenings["running"]).values()))
    over = next(
        id for id, each in evenings["done"].core.tournaments.progress(done).matches.items() if each.status == "done"
    )
    public = {
        "tournaments": "/",
        "lives": f"/t/{running}",
        "match": f"/t/{running}/match/{match}",
        "match-over": f"/t/{done}/match/{over}",
        "standings": f"/t/{running}/standings",
        "bracket": f"/t/{done}/standings",
        "groups": f"/t/{groups}/standings",
        "programme": f"/t/{running}/programme",
        "entry": f"/t/{running}/entry/e1",
        "lives-done": f"/t/{done}",
        "screen": f"/t/{running}/screen",
        "screen-done": f"/t/{done}/screen",
        "screen-groups": f"/t/{groups}/screen",
        "missing": "/t/nowhere",
        "login": "/desk/login",
    }
    desk = {
        f"desk-{page}": f"/desk/t/{running}/{page}" for page in ("entries", "pairings", "matches", "trace", "exports")
    }
    desk |= {"desk": "/desk", "desk-now": f"/desk/t/{running}", "desk-match": f"/desk/t/{running}/match/{match}"}
    desk |= {
        "desk-match-over": f"/desk/t/{done}/match/{over}",
        "desk-tables": "/desk/tables",
        "desk-data": "/desk/data",
    }
    desk |= {
        f"desk-new-{format}": f"/desk/new?game=footclub&format={format}" for format in ("swiss", "league", "groups")
    }
    desk |= {"desk-groups-now": f"/desk/t/{groups}"}
    return public | desk


def main() -> None:
    """Take all screenshots."""
    from playwright.sync_api import sync_playwright

    folder, chromium = Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "/usr/bin/chromium"
    only = sys.argv[3:]
    folder.mkdir(parents=True, exist_ok=True)
    clock = ManualClock(START)
    with TemporaryDirectory() as at:
        core = open_core(f"sqlite:///{at}/hub.sqlite", GAMES, clock)
        evenings = filled(core)
        app = pages(core, clock, address="http://127.0.0.1:8765")
        serving = server(app, "127.0.0.1", 8765)
        thread = threading.Thread(target=serving.run)
        thread.start()
        key = app.state.site.access.set_up_key()
        with sync_playwright() as player:
            browser = player.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
            for size, (width, height, scale) in SIZES.items():
                for code in ("fr", "en"):
                    context = browser.new_context(
                        viewport={"width": width, "height": height}, device_scale_factor=scale, locale=code
                    )
                    page = context.new_page()
                    page.on("console", lambda message: print(message.text) if message.type == "error" else None)
                    if not app.state.site.access.is_set_up:
                        page.goto(f"http://127.0.0.1:8765/desk/set-up?key={key}")
                        page.screenshot(path=folder / f"set-up-{size}-{code}.png")
                        page.fill("#name", "Claire")
                        page.fill("#password", PASSWORD)
                        page.fill("#again", PASSWORD)
                        page.click("button.act")
                    else:
                        page.goto("http://127.0.0.1:8765/desk/login")
                        page.fill("#name", "Claire")
                        page.fill("#password", PASSWORD)
                        page.click("button.act")
                    for name, path in addresses(evenings).items():
                        if only and name not in only:
                            continue
                        page.goto(f"http://127.0.0.1:8765{path}", wait_until="load")
                        page.screenshot(
                            path=folder / f"{name}-{size}-{code}.png", full_page=not name.startswith("screen")
                        )
                    context.close()
            browser.close()
        serving.should_exit = True
        thread.join()
        core.close()


if __name__ == "__main__":
    main()
