"""The desk's pages of a dispute: the alert with what a ruling needs, and the ruling."""

from __future__ import annotations

import re

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from companion.hub.core import Core
from companion.messages.wire import Dispute, Hello
from companion.tournament import facts as fa
from tests.hub.core_kit import StoredTableJournal
from tests.hub.desk_kit import RunningTournament, score_of
from tests.hub.web.pages_kit import called, do, organiser, propose


@pytest.fixture
def desk(app: FastAPI) -> TestClient:
    return organiser(app)


@pytest.fixture
def disputed(evening: RunningTournament) -> tuple[str, StoredTableJournal]:
    """Return a match that is over at table 1, and with whose result the home side does not agree."""
    propose(evening, fa.Draw)
    propose(evening, fa.Call)
    match, card = called(evening)["t1"], evening.played("t1", 3)
    evening.send(card, confirmed=False)
    key = f"{evening.id}/{match}"
    dispute = Dispute(epoch=card.epoch, seq=len(card.lines), by="home", why="rule")
    at = int(evening.core.database.clock.now().timestamp())
    evening.core.inbox.record_signers("t1", Hello(run="r", disputes={key: dispute}, confirmed={key: {"away": at}}))
    return match, card


def seen(page: str) -> str:
    found = re.search(r'name="seen" value="(\d+/\d+)"', page)
    assert found
    return found[1]


def test_now_shows_who_disagrees_why_since_when_and_who_has_agreed(
    desk: TestClient, evening: RunningTournament, disputed: tuple[str, StoredTableJournal]
) -> None:
    page = desk.get(f"/desk/t/{evening.id}").text
    away = evening.core.tournaments.progress(evening.id).matches[disputed[0]].away
    name = evening.core.tournaments.state(evening.id).entries[away or ""].name
    assert "une règle a été mal appliquée" in page
    assert "organisation appelée à 20:30" in page
    assert f"{name} a confirmé à 20:30" in page
    assert '<span class="count" data-count>1</span>' in page
    assert "settle" in desk.get(f"/desk/t/{evening.id}/match/{disputed[0]}").text


@pytest.mark.parametrize("choice", ["stands", "again"])
def test_the_organiser_rules_with_a_reason(
    desk: TestClient, core: Core, evening: RunningTournament, disputed: tuple[str, StoredTableJournal], choice: str
) -> None:
    match, card = disputed
    here = f"/desk/t/{evening.id}"
    form = {"event": "settle", "seen": seen(desk.get(here).text), "choice": choice}
    assert do(desk, here, **form).status_code == 409, "without a reason"
    assert do(desk, here, **form, why="revu ensemble").status_code == 200
    now = core.tournaments.progress(evening.id).matches[match]
    assert (now.status, now.score) == (("done", score_of(card)) if choice == "stands" else ("called", None))
    assert "revu ensemble" in desk.get(f"{here}/trace").text
    assert do(desk, here, **form, why="encore").status_code == 409, "it was settled already"
