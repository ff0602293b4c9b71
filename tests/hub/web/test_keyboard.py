"""The desk by the keyboard alone: a small evening, the place of the focus after each action, and while pages renew."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from companion.clock import ManualClock
from companion.hub.core import Core
from companion.messages.wire import Dispute, Hello
from companion.tournament import facts as fa
from tests.hub.desk_kit import RunningTournament
from tests.hub.web.browser_kit import Keyboard, english, new_page, set_password
from tests.hub.web.pages_kit import PASSWORD, called, pages, propose, start_tournament
from tests.hub.web.test_feed import served

pytestmark = pytest.mark.slow
POLL_MS = 5000
"""The desk's Now is loaded again after this time."""


@pytest.fixture
def keys(browser: Any) -> Iterator[Keyboard]:
    """Return the keyboard of a page whose timers stand still until the test lets them run."""
    page = new_page(browser)
    page.clock.install()
    yield Keyboard(page)
    page.context.close()


def enter_result(keys: Keyboard, home: int, away: int) -> None:
    """Enter a result on the page of a match, and answer the question if there is one."""
    keys.go_to(name="home_points")
    keys.type(str(home))
    keys.press("Tab")
    keys.type(str(away))
    keys.send()
    if keys.at()["id"] == "answer":
        keys.go_to(english("web.ask.yes"), tag="button")
        keys.send()


def call_all(keys: Keyboard, matches: int) -> None:
    """Call the proposed matches on Now. After each call the focus is on the list of calls, on no other call."""
    for _ in range(matches):
        keys.go_to(english("web.call"), tag="button")
        keys.send()
        assert keys.at()["id"] == "calls"


def test_an_evening_is_run_by_the_keyboard_alone(core: Core, clock: ManualClock, keys: Keyboard) -> None:
    app = pages(core, clock)
    with served(app) as address:
        keys.page.goto(f"{address}/desk/set-up?key={app.state.site.access.set_up_key()}")
        keys.press("Tab")
        assert keys.at()["text"] == english("web.skip"), "the first stop leads to the content"
        keys.press("Enter")
        for name, text in (("name", "Claire"), ("password", PASSWORD), ("again", "something else")):
            keys.go_to(name=name)
            keys.type(text)
        keys.send()
        assert keys.at()["id"] == "answer", "the reason of a refusal is read first"
        for name, text in (("name", "Claire"), ("password", PASSWORD), ("again", PASSWORD)):
            keys.go_to(name=name)
            keys.type(text)
        keys.send()
        id = new_tournament(keys, core)
        evening = RunningTournament(core, id)
        enter_people(keys, core, id)
        keys.go_to(english("web.start"), tag="button")
        keys.send("Space")
        assert core.tournaments.state(id).started
        assert keys.at()["id"] == "main"
        play_first_round(keys, evening, clock)
        keys.go_to(english("web.desk.overview"), tag="a")
        keys.send()
        keys.go_to(english("web.draw.take"), tag="button")
        keys.send()
        call_all(keys, 2)
        for _ in range(2):
            keys.go_to(english("web.result"), tag="a")
            keys.send()
            enter_result(keys, 3, 1)
            keys.go_to(english("web.desk.overview"), tag="a")
            keys.send()
        assert core.tournaments.progress(id).over
        champion = core.tournaments.progress(id).champion
        assert champion
        name = core.tournaments.state(id).entries[champion].name
        assert english("web.champion", name=name) in keys.page.inner_text("main")


def new_tournament(keys: Keyboard, core: Core) -> str:
    """Create a Swiss of two rounds. Returns its id."""
    keys.go_to(name="format")
    assert keys.page.input_value("#format") == "swiss"
    keys.press("ArrowDown")
    assert keys.page.input_value("#format") != "swiss"
    keys.press("ArrowUp")
    keys.go_to(english("web.plan.next"), tag="button")
    keys.send()
    assert keys.at()["id"] == "main"
    keys.go_to(name="name")
    keys.type("Club cup")
    keys.go_to(name="rounds")
    keys.type("2")
    keys.go_to(name="tables")
    keys.type("2")
    keys.send()
    (row,) = core.tournaments.all()
    return row.id


def enter_people(keys: Keyboard, core: Core, id: str) -> None:
    """Enter one person, paste three more, mend a name, withdraw somebody and enter them again."""

    def names() -> list[str]:
        return [entry.name for entry in core.tournaments.state(id).entries.values()]

    assert keys.at()["name"] == "name", "the first field waits for a name"
    keys.type("Ana")
    keys.send()
    assert names() == ["Ana"]
    assert keys.at()["name"] == "name", "the next name can be typed at once"
    keys.type("Ana")
    keys.send()
    assert keys.at()["id"] == "answer"
    keys.go_to(name="lines")
    keys.type("Bea\nChloe\nDannn")
    keys.press("Tab")
    keys.send()
    assert keys.at()["id"] == "answer", "the preview is read first"
    keys.go_to(english("web.enter_many.do"), tag="button")
    keys.send()
    assert names() == ["Ana", "Bea", "Chloe", "Dannn"]
    for _ in range(4):
        keys.go_to(english("web.edit"), tag="summary")
    keys.press("Enter", "Tab", "Escape")
    assert keys.at()["tag"] == "summary", "Escape closes what is open and leads back"
    assert keys.page.locator("details[open]").count() == 0
    keys.press("Space", "Tab")
    assert keys.at()["name"] == "name"
    keys.type("Ana")
    keys.send()
    assert keys.at()["id"] == "answer", "there is an Ana"
    keys.press("Tab")
    keys.go_to(name="name")
    assert keys.page.locator("details[open] input[name=name]").input_value() == "Ana", "what was typed is kept"
    keys.type("Dan")
    keys.send()
    assert names() == ["Ana", "Bea", "Chloe", "Dan"]
    assert keys.at()["tag"] == "summary", "the focus is where it was"
    keys.go_to(english("web.withdraw"), tag="summary")
    keys.press("Enter", "Tab")
    keys.type("not here")
    keys.send()
    assert keys.at()["id"] == "entries", "the line is gone, its list is not"
    assert names() == ["Ana", "Bea", "Chloe"]
    keys.go_to(name="name")
    keys.type("Dan")
    keys.send()


def play_first_round(keys: Keyboard, evening: RunningTournament, clock: ManualClock) -> None:
    """Draw and call a round; the result of table 2 is entered and corrected, that of table 1 disputed and ruled."""
    core, id = evening.core, evening.id
    keys.go_to(english("web.draw.take"), tag="button")
    keys.send()
    call_all(keys, 2)
    matches = called(evening)
    for _ in range(2):
        keys.go_to(english("web.result"), tag="a")
    keys.send()
    enter_result(keys, 2, 1)
    assert core.tournaments.progress(id).matches[matches["t2"]].score == (2, 1)
    keys.go_to(name="home_points")
    keys.type("4")
    keys.go_to(name="why")
    keys.type("misread")
    keys.send()
    assert keys.at()["id"] in ("answer", "main")
    if keys.at()["id"] == "answer":
        keys.go_to(english("web.ask.yes"), tag="button")
        keys.send()
    assert core.tournaments.progress(id).matches[matches["t2"]].score == (4, 1)
    keys.go_to(english("web.desk.overview"), tag="a")
    keys.send()
    card = evening.played("t1", 3)
    evening.send(card, confirmed=False)
    dispute = Dispute(epoch=card.epoch, seq=len(card.lines), by="home", why="rule")
    core.inbox.record_signers("t1", Hello(run="r", disputes={f"{id}/{matches['t1']}": dispute}))
    keys.page.clock.run_for(POLL_MS)
    keys.page.locator("[id^=dispute-]").wait_for()
    keys.go_to(name="choice")
    keys.press("Space", "ArrowDown", "ArrowUp")
    keys.go_to(name="why")
    keys.type("seen together")
    keys.send()
    assert core.tournaments.progress(id).matches[matches["t1"]].over
    assert keys.at()["id"] == "main"


def test_the_focus_stays_with_what_it_does_while_the_desk_renews(
    core: Core, clock: ManualClock, keys: Keyboard
) -> None:
    """The rule of desk.js: the control that does the same has the focus, never its neighbour."""
    app = pages(core, clock)
    evening = start_tournament(core)
    propose(evening, fa.Draw)
    calls = [fact for fact in core.tournaments.proposals(evening.id) if isinstance(fact, fa.Call)]
    with served(app) as address:
        set_password(keys.page, app, address)
        keys.page.goto(f"{address}/desk/t/{evening.id}")
        close = english("web.table.close", number=2)
        keys.go_to(close, tag="button")
        evening.decide(calls[0])
        renew(keys, calls[0])
        assert keys.at()["text"] == close
        keys.go_to(english("web.call"), tag="button")
        focused = keys.page.evaluate("document.activeElement.form.elements.seen.value")
        at = next(call for call in calls[1:] if str(call.table) in focused or call.match in focused)
        evening.decide(at)
        renew(keys, at)
        assert keys.at()["id"] == "main", "not the call of another match"
        keys.press("Enter")
        assert len(called(evening)) == 2
        keys.page.locator("#calls").focus()
        evening.decide(next(call for call in calls[1:] if call != at))
        keys.page.clock.run_for(POLL_MS)
        keys.page.locator(".tile.called").nth(2).wait_for()
        assert keys.at()["id"] == "calls"


def renew(keys: Keyboard, call: fa.Call) -> None:
    """Let the desk load itself again until it shows a call."""
    keys.page.clock.run_for(POLL_MS)
    keys.page.locator(f"#table-{call.table}.called").wait_for()


def test_the_focus_stays_on_a_public_page_that_renews_itself(core: Core, clock: ManualClock, keys: Keyboard) -> None:
    evening = start_tournament(core)
    propose(evening, fa.Draw)
    propose(evening, fa.Call)
    card = evening.played("t1", 3)
    with served(pages(core, clock)) as address:
        keys.page.goto(f"{address}/t/{evening.id}")
        keys.go_to(english("web.tab.live"), tag="a")
        keys.page.locator("summary").focus()
        for _ in range(2):
            keys.press("Shift+Tab")
        before = keys.page.evaluate("document.activeElement.getAttribute('href')")
        keys.page.evaluate("document.activeElement.dataset.before = ''")
        core.inbox.accept([card.batch(1, 5)])
        keys.page.locator("[data-before]").wait_for(state="detached")
        assert "/match/" in before
        assert keys.page.evaluate("document.activeElement.getAttribute('href')") == before
