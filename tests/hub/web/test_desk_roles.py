"""Roles of the desk: a viewer only reads, the entry desk only enters, neither sees keys."""

from __future__ import annotations

import re

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from companion.hub.core import Core
from companion.hub.web.organiser import ENTRY_DESK_EVENTS
from tests.hub.desk_kit import RunningTournament
from tests.hub.web.pages_kit import do, mark_of, organiser, visitor

ORGANISERS = ("/desk/tables", "/desk/data", "/desk/password", "/desk/new?game=occasion&format=swiss")
READ = ("", "/entries", "/pairings", "/matches", "/trace", "/exports", "/export/entries.csv")


def log_in_by_key(app: FastAPI, role: str) -> TestClient:
    """Return the client of somebody who came in by a key of this role, made at the desk."""
    desk, client = organiser(app), visitor(app)
    fields = {"form": mark_of(desk.get("/desk/tables")), "role": role, "label": "Ben"}
    page = desk.post("/desk/do/issue", data=fields)
    key = re.search(r"/join\?key=([\w-]+)", page.text)
    assert key is not None, page.text
    assert client.post("/join", data={"key": key[1], "name": "Ben"}).url.path == "/desk"
    return client


@pytest.mark.parametrize("role", ["viewer", "entry_desk"])
def test_they_read_the_tournament_and_neither_keys_nor_settings(
    app: FastAPI, core: Core, evening: RunningTournament, role: str
) -> None:
    client = log_in_by_key(app, role)
    for page in READ:
        assert client.get(f"/desk/t/{evening.id}{page}").status_code == 200, page
    for page in ORGANISERS:
        assert client.get(page).status_code == 403, page
        assert page.partition("?")[0] not in client.get("/desk").text.replace('action="/desk/new"', "")
    mark = mark_of(client.get("/desk"))
    for action in ("issue", "create", "register", "pictures", "terms"):
        assert client.post(f"/desk/do/{action}", data={"form": mark, "role": "organiser"}).status_code == 403, action
    for path in ("archive", "forget"):
        assert client.post(f"/desk/t/{evening.id}/{path}", data={"form": mark}).status_code == 403, path
    assert [key.role for key in core.keys.all()].count("organiser") == 0


def test_the_entry_desk_enters_and_decides_nothing_else(app: FastAPI, evening: RunningTournament) -> None:
    client, page = log_in_by_key(app, "entry_desk"), f"/desk/t/{evening.id}/entries"
    before = len(evening.core.tournaments.state(evening.id).entries)
    assert do(client, page, event="enter", name="Late Lou").status_code == 200
    assert len(evening.core.tournaments.state(evening.id).entries) == before + 1
    seq = len(evening.core.tournaments.trace(evening.id))
    for event in (
        "start",
        "unstart",
        "proposal",
        "call",
        "result",
        "rule",
        "table",
        "keep",
        "count",
        "draw",
        "nonsense",
    ):
        assert event not in ENTRY_DESK_EVENTS
        assert do(client, page, event=event).status_code == 403, event
    assert len(evening.core.tournaments.trace(evening.id)) == seq


def test_a_viewer_changes_nothing_and_is_out_with_the_key(app: FastAPI, core: Core, evening: RunningTournament) -> None:
    client, page = log_in_by_key(app, "viewer"), f"/desk/t/{evening.id}/entries"
    assert do(client, page, event="enter", name="Late Lou").status_code == 403
    assert "read-only" in client.get(page).text
    for key in core.keys.all("viewer"):
        core.keys.revoke(key.id)
    assert client.get("/desk").url.path == "/desk/login"


def test_the_referees_pin_is_given_and_taken_back_at_the_desk(app: FastAPI, core: Core) -> None:
    client = organiser(app)
    page = client.get("/desk/tables")
    fields = {"form": mark_of(page)}
    refused = client.post("/desk/do/referee_pin", data={**fields, "pin": "12"})
    assert refused.status_code == 409
    assert "de 4 à 8 chiffres" in refused.text
    given = client.post("/desk/do/referee_pin", data={**fields, "pin": "2580"})
    assert "donné à toutes les tables" in given.text
    assert "2580" not in given.text
    assert core.tables.referee_pin()
    client.post("/desk/do/referee_pin", data={**fields, "take_back": "1"})
    assert core.tables.referee_pin() is None
