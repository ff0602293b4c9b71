"""An evening of eight: a league, then a final between its first two, as the desk and the pages show it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from companion.clock import ManualClock
from companion.hub.core import Core
from companion.language import alphabetical_key
from companion.tournament import facts as fa
from tests.hub.desk_kit import RunningTournament
from tests.hub.web.browser_kit import new_page
from tests.hub.web.pages_kit import do, mark_of, organiser, propose
from tests.hub.web.test_feed import served

NAMES = ("Ana", "Bea", "Chloé", "Dan", "Eve", "Fay", "Guy", "Hugo")


@pytest.fixture
def desk(app: FastAPI) -> TestClient:
    """Return an organiser's client, with English pages."""
    client = organiser(app)
    client.headers["accept-language"] = "en"
    return client


def league(desk: TestClient, core: Core, names: tuple[str, ...] = NAMES) -> RunningTournament:
    """Create a league with a final by the form, enter everybody, and start it."""
    form = {"form": mark_of(desk.get("/desk")), "game": "occasion", "format": "league_final"}
    form |= {"name": "Coupe d’été", "legs": "1", "points": "3-1-0", "tables": "4", "rest": "5"}
    assert desk.post("/desk/do/create", data=form).status_code == 200
    id = core.tournaments.all()[0].id
    do(desk, f"/desk/t/{id}/entries", event="enter_many", lines="\n".join(names))
    assert do(desk, f"/desk/t/{id}", event="start").status_code == 200
    return RunningTournament(core, id)


def play_league(evening: RunningTournament, names: tuple[str, ...] = NAMES) -> None:
    """Enter every result of the league: who comes first in the list wins."""
    for match in list(evening.core.tournaments.progress(evening.id).matches.values()):
        if match.kind == "group":
            first = names.index(evening.core.tournaments.state(evening.id).entries[match.home or ""].name)
            second = names.index(evening.core.tournaments.state(evening.id).entries[match.away or ""].name)
            score = (2, 1) if first < second else (1, 2)
            evening.decide(fa.Result(match.id, match.home or "", match.away or "", score))


def test_a_league_and_then_the_final_of_its_first_two(desk: TestClient, core: Core) -> None:
    evening = league(desk, core)
    stages = core.tournaments.state(evening.id).plan.stages
    assert [(each.kind, each.advance) for each in stages] == [("round_robin", 2), ("knock_out", 0)]
    before = desk.get(f"/t/{evening.id}/standings").text
    headings = re.findall(r"<h2>([^<]+?)\s*<", before)
    assert headings == ["League", "Final"], "the league first: who plays the final is not known yet"
    assert "League, rank 1" in before
    assert "seed 1" not in before
    play_league(evening)
    propose(evening, fa.Seed)
    now = desk.get(f"/t/{evening.id}/standings").text
    assert re.findall(r"<h2>([^<]+?)\s*<", now) == ["Final", "League"]
    (final,) = [each for each in core.tournaments.progress(evening.id).matches.values() if each.stage == 2]
    assert [core.tournaments.state(evening.id).entries[seat or ""].name for seat in final.seats] == ["Ana", "Bea"]
    evening.decide(fa.Result(final.id, final.home or "", final.away or "", (1, 2)))
    state = core.tournaments.state(evening.id)
    ids = {each.name: each.id for each in state.entries.values()}
    for name, rank in (("Bea", 1), ("Ana", 2), ("Chloé", 3)):
        page = desk.get(f"/t/{evening.id}/entry/{ids[name]}").text
        assert f"Final rank: {rank}" in page
        assert "No other match is planned yet." not in page
    assert "Final ranking" in desk.get(f"/desk/t/{evening.id}").text


def test_now_tells_what_the_next_match_waits_for(desk: TestClient, core: Core, clock: ManualClock) -> None:
    evening = league(desk, core)
    here = f"/desk/t/{evening.id}"
    page = desk.get(here)
    seen = re.findall(r'name="seen" value="([^"]+)"', page.text.partition(">Call all<")[0])[-4:]
    assert len(set(seen)) == 4, "one form calls all four"
    assert do(desk, here, event="proposal", seen=[each.replace("&#39;", "'") for each in seen]).status_code == 200
    assert len(core.tournaments.state(evening.id).calls) == 4
    assert "All tables are taken. Next match around" in desk.get(here).text
    clock.advance(20 * 60)
    for match in core.tournaments.state(evening.id).calls:
        found = core.tournaments.progress(evening.id).matches[match]
        evening.decide(fa.Result(match, found.home or "", found.away or "", (2, 1), clock=int(clock.now().timestamp())))
    assert "its players are resting" in desk.get(here).text
    clock.advance(5 * 60)
    assert "its players are resting" not in desk.get(here).text


def test_who_leaves_early_is_asked_about_and_leaves_no_score(desk: TestClient, core: Core) -> None:
    evening = league(desk, core)
    progress = core.tournaments.progress
    first = next(iter(progress(evening.id).matches.values()))
    leaver = first.home or ""
    evening.decide(fa.Result(first.id, leaver, first.away or "", (2, 1)))
    asked = do(desk, f"/desk/t/{evening.id}/entries", event="withdraw", entry=leaver, why="went home")
    assert asked.status_code == 409
    assert "less than half of the matches" in asked.text
    assert core.tournaments.state(evening.id).withdrawn == ()
    answers = re.findall(r'name="answered" value="([^"]+)"', asked.text)
    sent = do(desk, f"/desk/t/{evening.id}/entries", event="withdraw", entry=leaver, why="home", answered=answers)
    assert sent.status_code == 200
    own = [each for each in progress(evening.id).matches.values() if leaver in each.seats]
    assert {each.status for each in own} == {"annulled"}
    assert [each.score for each in own if each.score is not None] == [(2, 1)], "no score where nothing was played"


def test_lists_are_alphabetical_beside_accents(desk: TestClient, core: Core) -> None:
    evening = league(desk, core, ("Tom", "Émile", "Ana", "Çelik", "Dan"))
    page = desk.get(f"/t/{evening.id}").text
    assert re.findall(r"<b>(\w+)</b></a><span></span></li>", page) == ["Ana", "Çelik", "Dan", "Émile", "Tom"]
    assert alphabetical_key("Éva") < alphabetical_key("Evi")


def test_a_download_is_named_after_the_tournament_without_accents(desk: TestClient, core: Core) -> None:
    evening = league(desk, core)
    found = desk.get(f"/desk/t/{evening.id}/export/results.csv")
    assert 'filename="coupe-d-ete-results.csv"' in found.headers["content-disposition"]


FITS = """select => {
  const style = getComputedStyle(select);
  const probe = document.createElement("span");
  Object.assign(probe.style, { font: style.font, whiteSpace: "nowrap", position: "absolute" });
  document.body.append(probe);
  const width = (text) => ((probe.textContent = text), probe.getBoundingClientRect().width);
  const widest = Math.max(...[...select.options].map((each) => width(each.text)));
  probe.remove();
  return widest + 2 * parseFloat(style.paddingLeft) + 20 <= select.clientWidth;
}"""
"""Whether every text of a list fits beside its padding and its arrow (20 px)."""


@pytest.mark.slow
@pytest.mark.parametrize("width", [1280, 390])
def test_lists_of_the_form_and_names_on_the_podium_are_whole(
    app: FastAPI, desk: TestClient, core: Core, browser: Any, width: int
) -> None:
    winner = "欧阳明华"
    names = (winner, "Дмитрий Константинович Преображенский", "Alexandra-Maximiliane von Hohenlohe-Langen", "Tom")
    evening = league(desk, core, names)
    play_league(evening, names)
    propose(evening, fa.Seed)
    (final,) = [each for each in core.tournaments.progress(evening.id).matches.values() if each.stage == 2]
    evening.decide(fa.Result(final.id, final.home or "", final.away or "", (2, 1)))
    with served(app) as address:
        page = new_page(browser, width, locale="fr")
        cookies = [{"name": name, "value": value, "url": address} for name, value in desk.cookies.items()]
        page.context.add_cookies(cookies)
        page.goto(f"{address}/language/fr?back=/desk/new%3Fgame%3Dfootclub%26format%3Dleague_final")
        page.goto(f"{address}/desk/new?game=footclub&format=league_final")
        fields = page.locator("select[name=tie_break]").all()
        assert len(fields) >= 4
        assert all(each.evaluate(FITS) for each in fields)
        page.goto(f"{address}/t/{evening.id}/screen")
        page.set_viewport_size({"width": 1920, "height": 1080})
        page.locator(".podium").wait_for()
        place = page.locator(".podium .step-1 .place").bounding_box()
        others = page.locator(".podium .step-3 .place").bounding_box()
        assert place["width"] * 2 > others["width"]
        name = page.locator(".podium .step-1 b")
        lines = name.evaluate("each => each.scrollHeight / parseFloat(getComputedStyle(each).lineHeight)")
        assert lines < 1.5, "the name is not broken between its signs"
        page.context.close()
