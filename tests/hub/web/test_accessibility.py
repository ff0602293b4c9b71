"""Every page of the hub, held against axe-core's rules: no serious or critical fault.

`TAPIS_VERT_AXE` is the path of `axe.min.js` from the npm package axe-core.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from companion.clock import ManualClock
from companion.games.registry import GAMES
from companion.hub.core import Core, open_core
from companion.hub.web.app import make_app
from companion.messages.wire import Dispute, Hello
from companion.tournament import facts as fa
from tests.hub.desk_kit import RunningTournament, plan_of
from tests.hub.web import show
from tests.hub.web.browser_kit import log_in, new_page, set_password
from tests.hub.web.pages_kit import FAST_HASHER, PASSWORD, propose, start_tournament
from tests.hub.web.test_feed import served
from tests.hub.web.test_pairing import parts_of
from tests.tournament import plans

AXE = os.environ.get("TAPIS_VERT_AXE", "")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not AXE, reason="TAPIS_VERT_AXE is not the path of axe.min.js (npm package axe-core)"),
]
GRAVE = ("serious", "critical")
LEAST_RULES = 15
"""Fewer rules than this pass on no whole page: then axe-core has not seen the page."""


@dataclass
class Hall:
    """A hub that is served, with tournaments in every state. `waiting` has a dispute, `level` a question."""

    address: str
    core: Core
    app: Any
    evenings: dict[str, RunningTournament]
    waiting: RunningTournament
    level: RunningTournament
    empty: str

    def key(self, role: str, table: str | None = None) -> str:
        """Return the address of a key of the desk or of a referee."""
        return f"{self.address}/join?key={self.core.keys.issue(role, table, 'Rose')}"


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    """Return a served hub."""
    clock = ManualClock(show.START)
    core = open_core(f"sqlite:///{tmp_path_factory.mktemp('hall')}/hub.sqlite", GAMES, clock)
    evenings = show.filled(core)
    level = start_tournament(core, plans.groups_then_knock_out("Level", "occasion", 2, 1))
    for match in core.tournaments.progress(level.id).matches.values():
        if match.status == "ready":
            level.decide(fa.Result(match.id, match.home or "", match.away or "", (1, 1)))
    waiting = start_tournament(core, plans.swiss("Disputed", "occasion", 2))
    propose(waiting, fa.Draw)
    waiting.call("s1-r1-1", 4)
    card = waiting.played("t4", 3)
    waiting.send(card, confirmed=False)
    dispute = Dispute(epoch=card.epoch, seq=len(card.lines), by="home", why="rule")
    core.inbox.record_signers("t4", Hello(run="r", disputes={f"{waiting.id}/s1-r1-1": dispute}))
    empty = core.tournaments.create(plan_of(plans.swiss("Empty", "occasion", 3)), "Claire")
    app = make_app(parts_of(core, clock), FAST_HASHER)
    app.state.site.pairing.ask("192.168.1.7")
    with served(app) as address:
        yield Hall(address, core, app, evenings, waiting, level, empty)
    core.close()


Visits = dict[str, Callable[[Any], None]]


def first_visits(hall: Hall) -> Visits:
    """Return the ways to the pages of a hub that nobody has set up yet, and to those that need no login."""

    def refused_set_up(page: Any) -> None:
        page.goto(f"{hall.address}/desk/set-up?key={hall.app.state.site.access.set_up_key()}")
        for field, text in (("#name", "Claire"), ("#password", PASSWORD), ("#again", PASSWORD + "!")):
            page.fill(field, text)
        page.click("button.act")

    return {
        "set-up void": lambda page: page.goto(f"{hall.address}/desk/set-up?key=x"),
        "set-up": lambda page: page.goto(f"{hall.address}/desk/set-up?key={hall.app.state.site.access.set_up_key()}"),
        "set-up refused": refused_set_up,
        "login without password": lambda page: page.goto(f"{hall.address}/desk/login"),
        "join void": lambda page: page.goto(f"{hall.address}/join?key=x"),
        "join the desk": lambda page: page.goto(hall.key("viewer")),
        "join as a referee": lambda page: page.goto(hall.key("referee", "t4")),
        "no tournament page": lambda page: page.goto(f"{hall.address}/t/{hall.empty}"),
        "no big screen": lambda page: page.goto(f"{hall.address}/t/{hall.empty}/screen"),
    }


def desk_visits(hall: Hall) -> Visits:
    """Return the ways to the pages, and to their states after a form, of an organiser who is logged in."""

    def goto(path: str) -> Callable[[Any], None]:
        return lambda page: page.goto(hall.address + path)

    def enter(page: Any, name: str) -> None:
        page.goto(f"{hall.address}/desk/t/{hall.empty}/entries")
        page.fill("#name", name)
        page.click("form:has(#name) button.act")

    def enter_twice(page: Any) -> None:
        enter(page, "Alice Martin")
        enter(page, "Alice Martin")

    def preview(page: Any) -> None:
        page.goto(f"{hall.address}/desk/t/{hall.empty}/entries")
        page.fill("#lines", "Ana\t1\nBea\t2")
        page.click("form:has(#lines) button")

    def new_key(page: Any) -> None:
        page.goto(f"{hall.address}/desk/tables")
        page.evaluate("document.querySelectorAll('details').forEach((each) => (each.open = true))")
        page.click("[id^=k-] form:has([name=role][value=table]) button")

    def wrong_password(page: Any) -> None:
        page.goto(f"{hall.address}/desk/password")
        for field in ("#present", "#password", "#again"):
            page.fill(field, "not this phrase")
        page.click("button.act")

    found: Visits = {name: goto(path) for name, path in show.addresses(hall.evenings).items()}
    waiting, level = (f"/desk/t/{each.id}" for each in (hall.waiting, hall.level))
    found |= {"dispute": goto(waiting), "dispute of a match": goto(f"{waiting}/match/s1-r1-1")}
    found |= {"question": goto(level), "password": goto("/desk/password"), "nowhere": goto("/desk/t/nowhere")}
    found |= {
        "by hand": goto(f"{waiting}/pairings"),
        "trace": goto(f"{level}/trace"),
        "start": goto(f"/desk/t/{hall.empty}"),
    }
    found |= {"refused entry": enter_twice, "question about an entry": lambda page: enter(page, "alice martin")}
    found |= {"preview": preview, "key": new_key, "wrong present password": wrong_password}
    return found


def session_visits(hall: Hall) -> Visits:
    """Return the ways to the pages of the other roles: each begins with a login."""

    def join(page: Any, role: str, table: str | None = None, path: str = "") -> None:
        page.context.clear_cookies()
        page.goto(hall.key(role, table))
        page.fill("#name", "Rose")
        page.click("button.act")
        if path:
            page.goto(hall.address + path)

    def wrong_login(page: Any) -> None:
        page.context.clear_cookies()
        page.goto(f"{hall.address}/desk/login")
        page.fill("#name", "Claire")
        page.fill("#password", "not this phrase")
        page.click("button.act")

    def refused_referee(page: Any) -> None:
        join(page, "referee", "t4")
        page.locator("[name=home_points]").evaluate("each => (each.type = 'text')")
        page.fill("[name=home_points]", "x")
        page.fill("[name=away_points]", "1")
        page.click("button.act")

    here = f"/desk/t/{hall.waiting.id}"
    return {
        "viewer": lambda page: join(page, "viewer", None, here),
        "viewer forbidden": lambda page: join(page, "viewer", None, "/desk/tables"),
        "entry desk": lambda page: join(page, "entry_desk", None, f"{here}/entries"),
        "referee": lambda page: join(page, "referee", "t4"),
        "referee without a match": lambda page: join(page, "referee", "t3"),
        "referee refused": refused_referee,
        "wrong login": wrong_login,
    }


def faults_of(page: Any, visits: Visits, media: str) -> list[str]:
    """Return the serious and critical faults of pages, all details open, as "page: rule: element"."""
    axe, found = Path(AXE).read_text("utf-8"), []
    for name, open_page in visits.items():
        open_page(page)
        page.emulate_media(media=media)
        page.evaluate("document.querySelectorAll('details').forEach((each) => (each.open = true))")
        page.evaluate(axe)
        answer = page.evaluate("axe.run(document)")
        page.emulate_media(media="screen")  # the way to a page may lead through forms, which are not printed
        assert len(answer["passes"]) >= LEAST_RULES, f"{name}: axe-core has seen no page"
        for fault in answer["violations"]:
            if fault["impact"] in GRAVE:
                found += [f"{name}: {fault['id']}: {node['html'][:160]}" for node in fault["nodes"]]
    return found


@pytest.mark.parametrize(
    ("width", "language", "media"),
    [(390, "fr", "screen"), (1280, "en", "screen"), (1280, "en", "print")],
    ids=["phone in French", "wide in English", "printed"],
)
def test_no_page_has_a_serious_fault(browser: Any, hall: Hall, width: int, language: str, media: str) -> None:
    page = new_page(browser, width, 844, locale=language, bypass_csp=True)
    faults = []
    if not hall.app.state.site.access.is_set_up:
        faults += faults_of(page, first_visits(hall), media)
        set_password(page, hall.app, hall.address)
    else:
        log_in(page, hall.address)
    faults += faults_of(page, desk_visits(hall), media)
    faults += faults_of(page, session_visits(hall), media)
    page.context.close()
    assert faults == []


def test_a_fault_is_found(browser: Any) -> None:
    """The check itself: a page with a field without a label has a fault."""
    page = new_page(browser)
    html = "<html lang='en'><title>x</title><main><h1>x</h1><input></main></html>"
    page.set_content(html)
    page.evaluate(Path(AXE).read_text("utf-8"))
    answer = page.evaluate("axe.run(document)")
    assert "label" in [fault["id"] for fault in answer["violations"] if fault["impact"] in GRAVE]
    page.context.close()
