"""Browser tests: a phone follows a match across a hub restart, and the organiser runs a Swiss of eight."""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import Any

import pytest

from companion.clock import ManualClock
from companion.hub.core import Core
from companion.hub.web.app import make_app
from companion.tournament import facts as fa
from tests.hub.desk_kit import RunningTournament
from tests.hub.web.browser_kit import set_password
from tests.hub.web.pages_kit import FAST_HASHER, called, pages, propose, start_tournament
from tests.hub.web.test_feed import served
from tests.hub.web.test_pairing import parts_of

sync_api = pytest.importorskip("playwright.sync_api", reason="it comes with the extra `web`")
pytestmark = pytest.mark.slow


def free_port() -> int:
    """Return a free local port."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def test_a_phone_follows_a_match_through_a_restart_without_a_reload(
    opened: Callable[[], Core], clock: ManualClock, browser: Any
) -> None:
    core, port = opened(), free_port()
    core.tables.register("t1", 1)
    evening = start_tournament(core)
    propose(evening, fa.Draw)
    propose(evening, fa.Call)
    match = called(evening)["t1"]
    card = evening.played("t1", 4)
    phone = browser.new_context(viewport={"width": 390, "height": 844}, device_scale_factor=2, locale="fr").new_page()
    faults: list[str] = []
    phone.on("pageerror", lambda fault: faults.append(str(fault)))
    with served(pages(core, clock), port) as address:
        phone.goto(f"{address}/t/{evening.id}/match/{match}")
        phone.evaluate("window.same = true")
        core.inbox.accept([card.batch(1, 5)])
        phone.wait_for_selector(".board .score span")
        phone.wait_for_selector(".state.live")
    phone.wait_for_selector(".state.lost")
    assert "hors ligne" in phone.inner_text(".state")
    core = opened()
    with served(pages(core, clock), port):
        core.inbox.accept([card.batch(6)])
        phone.wait_for_selector(".state.live")
        live = core.views.match(evening.id, match)
        assert live is not None
        wanted = " ".join(str(points) for points in live.score.values())
        phone.wait_for_function(
            "wanted => [...document.querySelectorAll('.score span')].map(e => e.textContent).join(' ') === wanted",
            arg=wanted,
        )
        assert phone.evaluate("window.same"), "the page was never loaded anew"
        assert phone.evaluate("document.documentElement.scrollWidth") <= 390
        phone.close()
    assert faults == []


@pytest.mark.parametrize("shares", [True, False], ids=["shared worker", "no shared worker"])
def test_twenty_pages_of_one_browser_and_the_desk_load_and_follow(
    core: Core, clock: ManualClock, browser: Any, shares: bool
) -> None:
    """A browser opens six connections to one hub at most. Without shared workers only the page that is seen follows."""
    evening = start_tournament(core)
    propose(evening, fa.Draw)
    propose(evening, fa.Call)
    matches = called(evening)
    cards = {table: evening.played(table, 4) for table in matches}
    hall = browser.new_context(locale="en")
    hall.set_default_timeout(10_000)
    if not shares:
        hall.add_init_script("delete window.SharedWorker")
        hall.add_init_script("Object.defineProperty(document, 'hidden', { get: () => window.name !== 'seen' })")
    paths = [f"/t/{evening.id}", f"/t/{evening.id}/standings", f"/t/{evening.id}/programme"]
    paths += [f"/t/{evening.id}/match/{match}" for match in matches.values()]
    with served(pages(core, clock)) as address:
        opened = []
        for number in range(20):
            page = hall.new_page()
            page.evaluate(f"window.name = '{'seen' if number == 3 else ''}'")
            page.goto(address + paths[number % len(paths)])
            opened.append(page)
        desk = hall.new_page()
        desk.goto(f"{address}/desk/login")
        assert desk.locator("#password").count() == 1
        for table in matches:
            core.inbox.accept([cards[table].batch()])
        seen = [page for number, page in enumerate(opened) if "/match/" in page.url and (shares or number == 3)]
        assert len(seen) == (11 if shares else 1)
        for page in seen:
            page.wait_for_selector(".board .score span")
            page.wait_for_selector(".state.live")
        for page in opened[1:]:
            page.close()
        opened[0].wait_for_selector(".state.live")
        hall.close()


def test_the_organiser_runs_a_swiss_of_eight_in_the_browser(core: Core, clock: ManualClock, browser: Any) -> None:
    app = pages(core, clock)
    page = browser.new_context(viewport={"width": 1280, "height": 720}, locale="en").new_page()
    with served(app) as address:
        set_password(page, app, address)
        page.select_option("#game", "occasion")
        page.select_option("#format", "swiss")
        page.click("button.act")
        page.fill("#name", "Club cup")
        page.fill("#rounds", "3")
        page.click("button.act")
        page.fill("#lines", "\n".join(f"Player {number}" for number in range(1, 9)))
        page.get_by_role("button", name="Preview", exact=True).click()
        page.get_by_role("button", name="Enter all", exact=True).click()
        page.locator("button", has_text="Start the tournament").click()
        page.wait_for_selector("#tables-now")
        id = core.tournaments.all()[0].id
        evening, seed = RunningTournament(core, id), 0
        for _ in range(3):
            page.goto(f"{address}/desk/t/{id}")
            page.locator("button", has_text="Accept this draw").click()
            for left in (4, 3, 2, 1):
                calls = page.get_by_role("button", name="Call", exact=True)
                sync_api.expect(calls).to_have_count(left)
                calls.first.click()
            sync_api.expect(calls).to_have_count(0)
            for table in called(evening):
                seed += 1
                evening.send(evening.played(table, seed))
        page.goto(f"{address}/t/{id}/standings")
        assert page.locator("tbody tr").count() == 8
        page.close()
    assert core.tournaments.progress(id).over


def test_a_table_that_asks_to_join_appears_at_the_desk_by_itself(core: Core, clock: ManualClock, browser: Any) -> None:
    app = make_app(parts_of(core, clock), FAST_HASHER)
    page = browser.new_context(viewport={"width": 390, "height": 844}, locale="en").new_page()
    with served(app) as address:
        set_password(page, app, address)
        page.goto(f"{address}/desk/tables")
        sync_api.expect(page.get_by_text("No table is asking to join.")).to_be_visible()
        page.fill("#code", "12")
        _, request = app.state.site.pairing.ask("192.168.1.31")
        asking = page.locator("#asking")
        sync_api.expect(asking).to_contain_text("A table asks to join, from 192.168.1.31", timeout=20_000)
        assert page.input_value("#code") == "12", "what is being typed stays"
        app.state.site.pairing.refuse(request.id)
        sync_api.expect(asking).to_contain_text("No table is asking to join.", timeout=20_000)
        page.close()
