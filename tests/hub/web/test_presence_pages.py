"""Which tables are there: on the page of the tables and on the tournament's first page of the desk."""

from __future__ import annotations

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from companion.clock import ManualClock
from companion.hub.core import Core
from companion.hub.link import SILENCE_TIMEOUT_S, Presence
from companion.hub.web.app import make_app
from companion.hub.web.pages import PageDependencies
from companion.messages.wire import Hello
from companion.tournament import facts as fa
from tests.hub.desk_kit import RunningTournament
from tests.hub.web.pages_kit import ADDRESS, CLUBS, FAST_HASHER, FREE, called, organiser, propose, start_tournament


@pytest.fixture
def presence(clock: ManualClock) -> Presence:
    """Return the tables as the hub hears them."""
    return Presence(clock)


@pytest.fixture
def client(core: Core, clock: ManualClock, presence: Presence) -> TestClient:
    """Return the organiser's client of a hub that hears its tables."""
    parts = PageDependencies(core, clock, ADDRESS, limits=FREE, zone=clock.now().tzinfo, presence=presence.all)
    found = organiser(make_app(parts, FAST_HASHER))
    found.headers["accept-language"] = "en"
    return found


def test_a_linked_table_is_here_before_its_first_line_and_away_when_silent(
    client: TestClient, core: Core, clock: ManualClock, presence: Presence
) -> None:
    table = core.tables.all()[0]
    began = f"{clock.now():%H:%M}"
    assert "not seen yet" in client.get("/desk/tables").text
    presence.record_hello(table.id, Hello(run="a"))
    clock.advance(SILENCE_TIMEOUT_S)
    assert f"here since {began}" in client.get("/desk/tables").text
    presence.record_hello(table.id, Hello(run="a"))
    last = f"{clock.now():%H:%M}"
    clock.advance(300)
    page = client.get("/desk/tables").text
    assert f"away since {last}" in page
    assert "here since" not in page


def test_the_desk_tells_who_checked_in_and_which_table_left_its_match(
    client: TestClient, evening: RunningTournament, clock: ManualClock, presence: Presence
) -> None:
    propose(evening, fa.Draw)
    propose(evening, fa.Call)
    (table, match), *_ = called(evening).items()
    address, key = f"/desk/t/{evening.id}", f"{evening.id}/{match}"
    found = evening.core.tournaments.progress(evening.id).matches[match]
    names = {f"e{at}": name for at, name in enumerate(CLUBS, 1)}
    assert found.away is not None
    for sides, sentence in (
        ((), "nobody is there yet"),
        (("away",), f"only {names[found.away]} is there"),
        (("home", "away"), "both are there"),
    ):
        presence.record_hello(table, Hello(run="a", present={key: sides}))  # type: ignore[dict-item]
        page = client.get(address).text
        assert sentence in page
        assert "dropped out during its match" not in page
    clock.advance(SILENCE_TIMEOUT_S + 1)
    page = client.get(address).text
    assert "dropped out during its match" in page
    assert "both are there" not in page, "a table that is away tells nothing"
    presence.record_hello(table, Hello(run="a"))
    assert "dropped out during its match" not in client.get(address).text


def test_what_waits_for_the_organiser_comes_before_the_tables(app: FastAPI, core: Core) -> None:
    """On a telephone *Now* is one column: calls and the next round stand above tables that are free."""
    evening = start_tournament(core)
    propose(evening, fa.Draw)
    page = organiser(app).get(f"/desk/t/{evening.id}").text
    assert page.index('id="calls"') < page.index('id="tables-now"')
