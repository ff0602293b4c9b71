"""What an organiser has stumbled over, done in real Chromium: each test is a case that failed once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI

from companion.clock import ManualClock
from companion.hub.core import Core
from companion.hub.link import SILENCE_TIMEOUT_S, Presence
from companion.hub.password_link import PasswordLink
from companion.hub.web.app import make_app
from companion.link.pairing import PairingAttempt
from companion.messages.wire import Dispute, Hello
from companion.tournament import facts as fa
from tests.hub.desk_kit import RunningTournament, plan_of
from tests.hub.web.browser_kit import english, log_in, new_page, set_password
from tests.hub.web.pages_kit import FAST_HASHER, FREE, PASSWORD, called, propose, start_tournament
from tests.hub.web.test_desk_decisions import enter_results
from tests.hub.web.test_feed import served
from tests.hub.web.test_pairing import INTERVAL_S, LINK, parts_of
from tests.link.hall import expect as eventually
from tests.tournament import plans

pytestmark = pytest.mark.slow
NEW = "quite another phrase"


@dataclass
class Desk:
    """An organiser who is logged in, at a hub that is served. `folder` is the hub's."""

    page: Any
    address: str
    core: Core
    clock: ManualClock
    presence: Presence
    folder: Path
    browser: Any

    def open(self, path: str) -> str:
        """Open a page of the hub. Returns its visible text, all details open."""
        self.page.goto(self.address + path)
        return self.text()

    def text(self) -> str:
        """Return the visible text of the page, all details open."""
        self.page.evaluate("document.querySelectorAll('details').forEach((each) => (each.open = true))")
        return str(self.page.inner_text("body")).replace("\u00a0", " ")

    def press(self, id: str, within: str = "", **args: object) -> None:
        """Press the button of a sentence."""
        place = self.page.locator(within) if within else self.page
        place.get_by_role("button", name=english(id, **args), exact=True).first.click()

    def answer_yes(self, doubt: str) -> None:
        """Answer the question on the page, which tells this doubt."""
        assert doubt in self.page.inner_text("#answer")
        self.press("web.ask.yes")

    def enter_score(self, home: int, away: int) -> None:
        """Enter a result on the page of a match."""
        self.page.fill("[name=home_points]", str(home))
        self.page.fill("[name=away_points]", str(away))
        self.press("web.result.enter")

    def visitor(self, path: str, width: int = 390) -> Any:
        """Open a page as somebody without a login."""
        page = new_page(self.browser, width)
        page.goto(self.address + path)
        return page


@pytest.fixture
def desk(core: Core, clock: ManualClock, browser: Any, tmp_path: Path) -> Iterator[Desk]:
    """Return an organiser at the desk."""
    presence = Presence(clock)
    app = _app(core, clock, presence, tmp_path)
    with served(app) as address:
        page = new_page(browser)
        set_password(page, app, address)
        yield Desk(page, address, core, clock, presence, tmp_path, browser)
        page.context.close()


def _app(core: Core, clock: ManualClock, presence: Presence, folder: Path) -> FastAPI:
    parts = parts_of(core, clock, replace(FREE, pairing=FREE.reading))
    parts = replace(parts, presence=presence.all, folder=folder, zone=clock.now().tzinfo)
    return make_app(parts, FAST_HASHER)


@pytest.fixture
def evening(desk: Desk) -> RunningTournament:
    """Return a started Swiss tournament of eight."""
    return start_tournament(desk.core)


def test_a_forgotten_password_is_replaced_and_a_known_one_is_changed(desk: Desk) -> None:
    other = new_page(desk.browser)
    log_in(other, desk.address)
    desk.open("/desk/password")
    for field, text in (("#present", PASSWORD), ("#password", NEW), ("#again", NEW)):
        desk.page.fill(field, text)
    desk.press("web.password.change.do")
    assert desk.page.url == f"{desk.address}/desk", "this session goes on"
    other.goto(f"{desk.address}/desk")
    assert other.url.endswith("/desk/login"), "the other sessions have ended"
    assert "companion hub --new-password" in other.inner_text("main")
    key = PasswordLink(desk.folder, desk.clock).issue()
    other.goto(f"{desk.address}/desk/set-up?key={key}")
    for field, text in (("#name", "Claire"), ("#password", PASSWORD), ("#again", PASSWORD)):
        other.fill(field, text)
    other.click("button.act")
    assert other.url == f"{desk.address}/desk"
    other.context.close()


def test_the_order_of_a_ruling_is_seen_on_every_page(desk: Desk) -> None:
    plan = plans.groups_then_knock_out("Groups", "occasion", 1, 2)
    evening = start_tournament(desk.core, plan, ("Ada", "Dana", "Eve"))
    enter_results(evening, (1, 1))
    desk.open(f"/desk/t/{evening.id}")
    form = desk.page.locator("[id^=question-]")
    form.locator("[value=order]").check()
    for select, name in zip(form.locator("select").all(), ("Eve", "Ada", "Dana"), strict=True):
        select.select_option(label=name)
    form.locator("[name=why]").fill("drawn by hand")
    desk.press("web.answer")
    for path, rows in (("standings", "tbody tr"), ("screen", ".hall-table tbody tr")):
        page = desk.visitor(f"/t/{evening.id}/{path}", 1280)
        found = page.locator(rows).all()
        assert [row.locator(".name").text_content().split()[0] for row in found] == ["Eve", "Ada", "Dana"]
        assert [row.locator(".rank").text_content() for row in found] == ["1", "2", "3"]
        assert ["through" in (row.get_attribute("class") or "") for row in found] == [True, True, False]
        assert all(english("web.decided.ruling") in row.text_content() for row in found)
        page.context.close()


def test_the_tie_breaks_that_decide_are_columns_and_tell_why(desk: Desk, evening: RunningTournament) -> None:
    for _ in range(2):
        propose(evening, fa.Draw)
        enter_results(evening, (2, 1), (0, 1), (1, 1))
    page = desk.visitor(f"/t/{evening.id}/standings", 1280)
    assert page.locator("thead abbr[title*=Buchholz]").count() >= 2
    assert "Level on points: Buchholz cut 1" in page.inner_text("main")
    page.get_by_text(english("web.reasons")).click()
    assert "is ahead of" in page.locator("details[open] li").first.inner_text()
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.locator("thead abbr[title*=Buchholz]").first.is_visible(), "the first tie-break fits a telephone"
    page.context.close()


def test_a_draw_two_places_and_the_start_are_taken_back(desk: Desk, evening: RunningTournament) -> None:
    state = lambda: desk.core.tournaments.state(evening.id)  # noqa: E731
    propose(evening, fa.Draw)
    first, second, *_ = state().draws[0].draw.pairs
    change = english("web.undraw.detail", round=1, n=4)
    assert change in desk.open(f"/desk/t/{evening.id}/pairings"), "what changes is shown"
    desk.page.select_option("[name=one]", first[1])
    desk.page.select_option("[name=other]", second[1])
    desk.page.fill("#swap [name=why]", "same club")
    desk.press("web.swap.do")
    assert state().draws[0].draw.pairs[0] == (first[0], second[1])
    desk.text()
    desk.press("web.undraw.do", round=1)
    assert state().draws == ()
    desk.open(f"/desk/t/{evening.id}")
    desk.press("web.unstart.do")
    assert not state().started


def test_now_tells_which_tables_are_there_and_who(desk: Desk, evening: RunningTournament) -> None:
    propose(evening, fa.Draw)
    propose(evening, fa.Call)
    match, key = called(evening)["t1"], f"{evening.id}/{called(evening)['t1']}"
    found = desk.core.tournaments.progress(evening.id).matches[match]
    away = desk.core.tournaments.state(evening.id).entries[found.away or ""].name
    desk.page.clock.install()
    since = f"{desk.clock.now():%H:%M}"
    desk.open(f"/desk/t/{evening.id}")
    tile = desk.page.locator("#table-1")
    assert tile.locator(".presence.here").count() == 0
    for sides, sentence in ((("away",), f"only {away} is there"), (("home", "away"), "both are there")):
        desk.presence.record_hello("t1", Hello(run="a", present={key: sides}))  # type: ignore[dict-item]
        desk.page.clock.run_for(5000)
        tile.get_by_text(sentence).wait_for()
    assert f"here since {since}" in tile.locator(".presence.here").inner_text()
    desk.clock.advance(SILENCE_TIMEOUT_S + 1)
    desk.page.clock.run_for(5000)
    desk.page.locator(f"[data-alert='left {match}']").wait_for()
    assert "dropped out during its match" in desk.page.locator("[data-announce]").text_content(), "announced"


def test_a_dispute_comes_up_by_itself_with_what_a_ruling_needs(desk: Desk, evening: RunningTournament) -> None:
    propose(evening, fa.Draw)
    propose(evening, fa.Call)
    match, card = called(evening)["t1"], evening.played("t1", 3)
    evening.send(card, confirmed=False)
    desk.page.clock.install()
    desk.open(f"/desk/t/{evening.id}")
    assert desk.page.locator("[id^=dispute-]").count() == 0
    key, at = f"{evening.id}/{match}", int(desk.clock.now().timestamp())
    dispute = Dispute(epoch=card.epoch, seq=len(card.lines), by="home", why="rule")
    desk.core.inbox.record_signers("t1", Hello(run="r", disputes={key: dispute}, confirmed={key: {"away": at}}))
    desk.page.evaluate("document.querySelectorAll('details').forEach((each) => (each.open = false))")
    desk.page.clock.run_for(5000)
    card_of = desk.page.locator("[id^=dispute-]")
    card_of.wait_for()
    seen = card_of.inner_text()
    assert f"agreed at {desk.clock.now():%H:%M}" in seen
    assert english("web.dispute.look") in seen
    assert desk.page.locator(".menu .count").inner_text() == "1"
    card_of.locator("[value=again]").check()
    card_of.locator("form:has([value=settle]) [name=why]").fill("seen together")
    desk.press("web.dispute.settle")
    assert evening.status(match) == "called", "it is played again"
    assert "seen together" in desk.open(f"/desk/t/{evening.id}/trace")


def test_the_trace_tells_the_names_as_they_were(desk: Desk) -> None:
    id = desk.core.tournaments.create(plan_of(plans.swiss("Cup", "occasion", 3)), "Claire")
    desk.open(f"/desk/t/{id}/entries")
    for name in ("Ana", "Bea", "Doublon"):
        desk.page.fill("#name", name)
        desk.press("web.enter.do")
    desk.text()
    desk.page.fill("#w-e3 [name=why]", "entered twice")
    desk.press("web.withdraw.do", within="#w-e3")
    desk.page.fill("#name", "Chloé Durand")
    desk.press("web.enter.do")
    lines = desk.open(f"/desk/t/{id}/trace")
    assert "e3" not in lines, "no ids"
    details = desk.page.locator("main .lines li").all_inner_texts()
    assert ["Chloé" in each for each in details[:3]] == [True, False, False]
    assert "Doublon" in details[1]
    assert "Doublon" in details[2]


def test_a_table_joins_by_six_digits_or_by_two_labelled_lines(desk: Desk) -> None:
    attempt = PairingAttempt(desk.address.removeprefix("http://"), INTERVAL_S)
    eventually(lambda: bool(attempt.state().code), "a code")
    desk.open("/desk/tables")
    desk.page.fill("#code", attempt.state().code)
    desk.page.select_option("#of_table", "t2")
    desk.press("web.pairing.let_in")
    eventually(lambda: attempt.state().step == "joined", "address and token")
    desk.text()
    desk.press("web.key.for_table", within="#k-t1")
    terms = desk.page.locator("dl.terms")
    assert terms.locator("dt").all_inner_texts() == [
        english(f"web.key.{each}") for each in ("address", "token", "line")
    ]
    address, token, line = terms.locator("dd").all_inner_texts()
    assert address == LINK
    assert line == f"tapis-vert://{LINK}/{token}"
    assert desk.page.locator(".qr svg").is_visible()


def test_played_is_won_drawn_and_lost_and_byes_are_apart(desk: Desk) -> None:
    evening = start_tournament(desk.core, None, ("Ada", "Ben", "Eve", "Fay", "Guy"))
    for _ in range(3):
        propose(evening, fa.Draw)
        enter_results(evening, (2, 1), (0, 1), (1, 1))
    page = desk.visitor(f"/t/{evening.id}/standings", 1280)
    heads = page.locator("thead th").all_inner_texts()
    assert english("web.short.byes") in heads
    byes = 0
    for row in page.locator("tbody tr").all():
        played, won, drawn, lost, bye = (int(each or 0) for each in row.locator("td").all_inner_texts()[2:7])
        assert played == won + drawn + lost
        assert played + bye == 3
        byes += bye
    assert byes == 3
    page.context.close()


def test_a_result_during_a_match_is_asked_about_and_is_then_the_large_one(
    desk: Desk, evening: RunningTournament
) -> None:
    propose(evening, fa.Draw)
    propose(evening, fa.Call)
    match, card = called(evening)["t1"], evening.played("t1", 3)
    desk.core.inbox.accept([card.batch(1, len(card.lines) - 3)], [])
    phone = desk.visitor(f"/t/{evening.id}/match/{match}")
    assert phone.locator(".board .score").is_visible()
    desk.open(f"/desk/t/{evening.id}/match/{match}")
    desk.enter_score(21, 10)
    assert evening.status(match) == "called", "nothing is recorded before the answer"
    desk.answer_yes("Table 1 is playing this match")
    assert evening.score(match) == (21, 10)
    phone.wait_for_function(
        "[...document.querySelectorAll('.score span')].map((each) => each.textContent).join() === '21,10'"
    )
    large = phone.locator(".score span").first.evaluate("each => parseFloat(getComputedStyle(each).fontSize)")
    assert large >= 40, "px"
    phone.context.close()


def test_the_tournament_says_what_a_match_is_and_its_results_are_checked(
    desk: Desk, evening: RunningTournament
) -> None:
    propose(evening, fa.Draw)
    propose(evening, fa.Call)
    desk.open("/desk/new?game=hoops21&format=round_robin")
    desk.page.fill("#name", "Club cup")
    desk.page.select_option("[name=match_target]", "15")
    desk.press("web.create.do")
    desk.page.fill("#lines", "Ana\nBea\nChloe\nDan")
    desk.press("web.preview.do")
    desk.press("web.enter_many.do")
    desk.press("web.start")
    id = next(row.id for row in desk.core.tournaments.all() if row.id != evening.id)
    assert desk.core.tournaments.state(id).plan.match["target"] == 15
    first, second, *_ = desk.core.tournaments.progress(id).matches
    desk.open(f"/desk/t/{id}/match/{first}")
    desk.page.select_option("[name=table]", "1")
    desk.press("web.call")
    desk.answer_yes("Coupe des Baies")
    assert desk.core.tournaments.state(id).calls[first].table == 1
    desk.open(f"/desk/t/{id}/match/{second}")
    desk.enter_score(21, 21)
    assert "draw" in desk.page.inner_text("#answer")
    assert desk.page.input_value("[name=home_points]") == "21", "what was typed is kept"
    desk.page.locator("#answer").get_by_role("link", name=english("web.ask.no")).click()
    assert desk.core.tournaments.progress(id).matches[second].score is None


def test_a_spreadsheet_is_pasted_as_it_comes_and_a_name_is_mended(desk: Desk) -> None:
    id = desk.core.tournaments.create(plan_of(plans.swiss("Cup", "occasion", 3)), "Claire")

    def entries() -> list[tuple[str, int | None, str]]:
        return [(each.name, each.seed, each.club) for each in desk.core.tournaments.state(id).entries.values()]

    desk.open(f"/desk/t/{id}/entries")
    desk.page.fill("#lines", "Name\tSeed\tClub\nAlice Martin\t1\tPhare FC\nBruno\t2\tHuppes 08")
    desk.press("web.preview.do")
    chosen = desk.page.locator("thead select").evaluate_all("all => all.map((each) => each.value)")
    assert chosen == ["name", "seed", "club"]
    assert entries() == []
    desk.press("web.enter_many.do")
    assert entries() == [("Alice Martin", 1, "Phare FC"), ("Bruno", 2, "Huppes 08")]
    desk.page.fill("#name", "alice martin")
    desk.page.fill("#seed", "2")
    desk.press("web.enter.do")
    desk.answer_yes("nearly the same")
    assert len(entries()) == 3
    desk.text()
    desk.page.fill("#e-e3 [name=name]", "Zoé")
    desk.page.fill("#e-e3 [name=seed]", "3")
    desk.press("web.edit.do", within="#e-e3")
    assert entries()[2][:2] == ("Zoé", 3)
    lines = desk.open(f"/desk/t/{id}/trace")
    assert "alice martin" in lines
    assert "Zoé" in lines
