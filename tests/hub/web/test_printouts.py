"""Printouts: what an organiser puts on the wall and on the tables."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from companion.hub.core import Core
from companion.hub.web.printouts import PRINTOUTS
from companion.tournament import facts as fa
from companion.tournament.values import Plan
from tests.hub.desk_kit import RunningTournament, plan_of
from tests.hub.web.pages_kit import CLUBS, organiser, propose, round_played, start_tournament, visitor
from tests.printing import pdf_text
from tests.tournament import plans


@pytest.fixture
def desk(app: FastAPI) -> TestClient:
    """Return the client of a logged-in organiser."""
    return organiser(app)


def printed(desk: TestClient, evening: RunningTournament, what: str) -> list[str]:
    """Return the text of a printout, page by page."""
    answer = desk.get(f"/desk/t/{evening.id}/print/{what}.pdf")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/pdf"), what
    return [pdf_text.plain(page) for page in pdf_text.pages(answer.content)]


@pytest.mark.parametrize(
    "plan",
    [
        plans.swiss("Coupe", "occasion", 3),
        plans.double_knock_out("Coupe", "occasion"),
        plans.groups_then_knock_out("Coupe", "occasion", 2, 2),
        plans.knock_out("Coupe", "occasion", legs=2),
    ],
    ids=lambda plan: plan.stages[0].kind + str(len(plan.stages)),
)
def test_every_format_can_be_printed_at_any_time(desk: TestClient, core: Core, plan: Plan) -> None:
    empty = RunningTournament(core, core.tournaments.create(plan_of(plan), "Claire"))
    evening = start_tournament(core, plan, [*CLUBS, "Neuvième"])
    for seed in (100, 200, 300):
        for what in PRINTOUTS:
            for each in (empty, evening):
                text = " ".join(printed(desk, each, what))
                assert "Coupe" in text, what
                assert not re.search(r"\bweb\.", text), what
        round_played(evening, seed)


def test_pairings_are_printed_by_table_and_by_name(desk: TestClient, core: Core) -> None:
    evening = start_tournament(core, None, [*CLUBS, "Neuvième"])
    propose(evening, fa.Draw)
    propose(evening, fa.Call)
    by_table, by_name = printed(desk, evening, "pairings")
    assert "Par table" in by_table
    assert "exempt" in by_table
    assert "personne" not in by_table
    order = [by_name.index(f" {name} ") for name in ("AS Quai Nord", "Hirondelles")]
    assert order == sorted(order), "in the order of the alphabet"
    assert all(by_name.count(name) >= 1 for name in [*CLUBS, "Neuvième"])


def test_a_slip_and_a_card_have_the_names_of_those_who_play(desk: TestClient, core: Core) -> None:
    evening = start_tournament(core)
    propose(evening, fa.Draw)
    slips = " ".join(printed(desk, evening, "slips"))
    assert all(name in slips for name in CLUBS)
    assert slips.count("Signatures") == len(CLUBS) // 2
    cards = " ".join(printed(desk, evening, "people"))
    assert all(name in cards for name in CLUBS)


def test_the_cross_table_has_every_result_twice(desk: TestClient, core: Core) -> None:
    evening = start_tournament(core, plans.round_robin("Coupe", "occasion"), CLUBS[:4])
    round_played(evening, 100)
    text = " ".join(printed(desk, evening, "standings"))
    for match in core.tournaments.progress(evening.id).matches.values():
        assert match.score is not None
        home, away = match.score
        assert f"{home}–{away}" in text
        assert f"{away}–{home}" in text


def test_printouts_are_for_organisers_only(app: FastAPI, evening: RunningTournament) -> None:
    answer = visitor(app).get(f"/desk/t/{evening.id}/print/people.pdf", follow_redirects=False)
    assert answer.status_code == 303


def test_an_unknown_printout_is_missing(desk: TestClient, evening: RunningTournament) -> None:
    assert desk.get(f"/desk/t/{evening.id}/print/nothing.pdf").status_code == 404


def test_the_times_of_two_matches_at_one_table_are_printed(desk: TestClient, core: Core) -> None:
    plan = replace(plans.round_robin("Coupe", "occasion"), tables=1, minutes=25)
    id = core.tournaments.create({**plan_of(plan, 1), "minutes": 25}, "Claire")
    evening = RunningTournament(core, id)
    for number in range(1, 5):
        evening.decide(fa.Enter(f"e{number}", f"Player {number}"))
    evening.decide(fa.Start())
    propose(evening, fa.Call)
    by_table, by_name = printed(desk, evening, "pairings")
    start = core.database.clock.now()
    times = [(start + timedelta(minutes=25 * number)).strftime("%H:%M") for number in range(2)]
    for text in (by_table, by_name, " ".join(printed(desk, evening, "slips"))):
        assert all(time in text for time in times), (times, text)


def test_the_check_in_list_is_in_alphabetical_order(desk: TestClient, core: Core) -> None:
    evening = start_tournament(core, plans.swiss("Coupe", "occasion", 3), ("Zoé", "Émile", "Ana"))
    page = " ".join(printed(desk, evening, "entrants"))
    assert sorted(("Zoé", "Émile", "Ana"), key=page.index) == ["Ana", "Émile", "Zoé"]
