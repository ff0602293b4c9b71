"""Access control: set-up, login, CSRF protection, keys of tables and roles."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from companion.clock import ManualClock
from companion.hub.core import Core
from companion.tournament import facts as fa
from tests.hub.desk_kit import RunningTournament
from tests.hub.web.pages_kit import PASSWORD, called, do, mark_of, organiser, propose, visitor


def content(core: Core) -> Any:
    """Return the content of the hub's database."""
    file = Path(str(core.database._writer.url.database))
    with sqlite3.connect(file) as connection:
        return list(connection.iterdump())


@pytest.fixture
def playing(evening: RunningTournament) -> RunningTournament:
    """Draw and call the first round."""
    propose(evening, fa.Draw)
    propose(evening, fa.Call)
    return evening


def test_the_set_up_link_works_once_and_for_a_day(app: FastAPI, clock: ManualClock) -> None:
    access, client = app.state.site.access, visitor(app)
    first = access.set_up_key()
    key = access.set_up_key()
    assert client.get("/desk/set-up", params={"key": first}).status_code == 403, "a newer link was printed"
    fields = {"key": key, "name": "Claire", "password": "short", "again": "short"}
    assert client.post("/desk/set-up", data=fields).status_code == 422
    fields |= {"password": PASSWORD, "again": "another pass phrase"}
    assert client.post("/desk/set-up", data=fields).status_code == 422
    fields["again"] = PASSWORD
    for name in ("a\u202eb", "x" * 61):
        assert client.post("/desk/set-up", data={**fields, "name": name}).status_code == 409, "the link stays good"
    assert client.post("/desk/set-up", data=fields).url.path == "/desk"
    assert client.post("/desk/set-up", data=fields).status_code == 403, "it works once only"
    late = access.set_up_key()
    clock.advance(24 * 3600 + 1)
    assert client.get("/desk/set-up", params={"key": late}).status_code == 403


def test_no_password_is_there_before_one_is_chosen(app: FastAPI) -> None:
    client = visitor(app)
    for password in ("", "admin", "password", "organiser"):
        assert client.post("/desk/login", data={"name": "x", "password": password}).status_code == 403
    assert not app.state.site.access.is_set_up


def test_a_session_is_the_passwords_and_ends(app: FastAPI, clock: ManualClock) -> None:
    organiser(app)
    client = visitor(app)
    assert client.post("/desk/login", data={"name": "x", "password": PASSWORD + "!"}).status_code == 403
    assert client.post("/desk/login", data={"name": "a\0b", "password": PASSWORD}).status_code == 409
    assert client.get("/desk").url.path == "/desk/login"
    page = client.post("/desk/login", data={"name": "Élodie", "password": PASSWORD})
    assert page.url.path == "/desk"
    assert "Élodie" in page.text
    cookie = page.history[0].headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    client.post("/desk/logout", data={"form": mark_of(page)})
    assert client.get("/desk").url.path == "/desk/login"
    client.post("/desk/login", data={"name": "Élodie", "password": PASSWORD})
    clock.advance(12 * 3600 + 1)
    assert client.get("/desk").url.path == "/desk/login"


POSTS = (
    ("/desk/t/{t}", {"event": "withdraw", "entry": "e1", "why": "x"}),
    ("/desk/t/{t}", {"event": "forfeit", "match": "{m}", "side": "home", "why": "x"}),
    ("/desk/t/{t}/forget", {"what": "names", "sure": "1"}),
    ("/desk/do/create", {"name": "Mine", "game": "occasion", "format": "swiss"}),
    ("/desk/do/register", {"number": "9"}),
    ("/desk/do/remove", {"of_table": "t1"}),
    ("/desk/do/issue", {"role": "organiser", "label": "me"}),
    ("/desk/do/revoke", {"key": "1"}),
    ("/desk/do/terms", {"names_days": "1", "pictures_days": "1"}),
    ("/desk/do/pictures", {}),
    ("/desk/do/notice", {"notice": "1"}),
    ("/desk/do/choose", {"of_table": "t1", "epoch": "1", "branch": "1"}),
    ("/desk/logout", {}),
    ("/referee", {"event": "result", "match": "{m}", "home": "e1", "away": "e2"}),
    ("/join", {"key": "nothing", "name": "x"}),
    ("/desk/set-up", {"key": "nothing", "password": PASSWORD, "again": PASSWORD}),
)


def test_nothing_changes_without_logging_in(app: FastAPI, core: Core, playing: RunningTournament) -> None:
    organiser(app)
    client, before = visitor(app), content(core)
    match = next(iter(called(playing).values()))
    for path, fields in POSTS:
        filled = {name: value.format(m=match) for name, value in fields.items()}
        answer = client.post(path.format(t=playing.id), data={"form": "0" * 64, **filled}, follow_redirects=False)
        assert answer.status_code in (403, 404, 405), path
    fact = {"event": "withdraw", "entry": "e1"}
    for headers in ({}, {"authorization": "Bearer nothing"}, {"authorization": "Basic eDp4"}):
        answer = client.post(f"/api/tournaments/{playing.id}/facts", json={"fact": fact}, headers=headers)
        assert answer.status_code == 403
    assert content(core) == before


def test_another_sites_form_changes_nothing(app: FastAPI, core: Core, playing: RunningTournament) -> None:
    client = organiser(app)
    mark, before = mark_of(client.get("/desk")), content(core)
    fields = {"event": "withdraw", "entry": "e1", "why": "x"}
    path = f"/desk/t/{playing.id}"
    assert client.post(path, data=fields).status_code == 403, "without the page's own mark"
    assert client.post(path, data={**fields, "form": "é"}).status_code == 403
    for headers in ({"origin": "http://evil.example"}, {"origin": "null"}, {"sec-fetch-site": "cross-site"}):
        assert client.post(path, data={**fields, "form": mark}, headers=headers).status_code == 403
    login = {"name": "x", "password": PASSWORD}
    answer = client.post("/desk/login", data=login, headers={"origin": "http://evil.example"})
    assert answer.status_code == 403
    assert content(core) == before
    own = {"origin": "http://hub.example:8000", "sec-fetch-site": "same-origin"}
    assert client.post(path, data={**fields, "form": mark}, headers=own).status_code == 200
    assert "e1" in core.tournaments.state(playing.id).withdrawn


def outcome(core: Core, playing: RunningTournament, match: str) -> dict[str, Any]:
    found = core.tournaments.progress(playing.id).matches[match]
    return {"event": "result", "match": match, "home": found.home, "away": found.away, "score": [3, 1]}


def test_a_table_or_its_referee_cannot_write_anothers_result(
    app: FastAPI, core: Core, playing: RunningTournament
) -> None:
    client, matches = visitor(app), called(playing)
    path = f"/api/tournaments/{playing.id}/facts"
    keys = {role: core.keys.issue(role, "t1") for role in ("table", "referee", "player")}  # type: ignore[arg-type]
    before = len(core.tournaments.trace(playing.id))

    def tried(role: str, fact: dict[str, Any]) -> int:
        return client.post(path, json={"fact": fact}, headers={"authorization": f"Bearer {keys[role]}"}).status_code

    for role in keys:
        assert tried(role, outcome(core, playing, matches["t2"])) == 403
        assert tried(role, {"event": "withdraw", "entry": "e1"}) == 403
        assert tried(role, {**outcome(core, playing, matches["t1"]), "event": "correct"}) == 403
    for role in ("table", "player"):
        assert tried(role, outcome(core, playing, matches["t1"])) == 403
    assert len(core.tournaments.trace(playing.id)) == before
    assert tried("referee", outcome(core, playing, matches["t1"])) == 201
    assert core.tournaments.progress(playing.id).matches[matches["t1"]].score == (3, 1)
    assert tried("referee", outcome(core, playing, matches["t1"])) == 403, "the match is not called there any more"
    core.keys.revoke_all("referee")
    assert tried("referee", outcome(core, playing, matches["t1"])) == 403


def test_the_referee_of_a_table_comes_in_by_a_key(app: FastAPI, core: Core, playing: RunningTournament) -> None:
    client, match = visitor(app), called(playing)["t2"]
    key = core.keys.issue("referee", "t2", "Rose")
    assert client.get("/join", params={"key": key}).status_code == 200
    assert client.get("/referee").url.path == "/desk/login", "looking at the link is not coming in"
    page = client.post("/join", data={"key": key, "name": "Rose"})
    assert page.url.path == "/referee"
    assert client.get("/desk").url.path == "/desk/login", "a referee is no organiser"
    assert client.post("/desk/do/register", data={"form": mark_of(page), "number": "9"}).status_code == 403
    found = core.tournaments.progress(playing.id).matches
    wrong = found[called(playing)["t1"]]
    fields = {"form": mark_of(page), "event": "result", "home_points": "2", "away_points": "0"}
    result_fields = {"match": wrong.id, "home": wrong.home, "away": wrong.away}
    assert client.post("/referee", data={**fields, **result_fields}).status_code == 403
    right = found[match]
    result_fields = {"match": right.id, "home": right.home, "away": right.away}
    assert client.post("/referee", data={**fields, **result_fields, "home_points": "x"}).status_code == 409
    assert client.post("/referee", data={**fields, **result_fields}).status_code == 200
    assert core.tournaments.progress(playing.id).matches[match].score == (2, 0)
    assert "Rose" in core.tournaments.trace(playing.id)[-1].by


def test_an_organisers_key_opens_the_desk_and_the_players_the_table(app: FastAPI, core: Core) -> None:
    client = visitor(app)
    assert client.post("/join", data={"key": core.keys.issue("table", "t1"), "name": "x"}).status_code == 403
    player = client.get("/join", params={"key": core.keys.issue("player", "t1")})
    assert player.url.path == "/tables/t1"
    assert client.get("/join", params={"key": "é" * 50}).status_code == 403
    page = client.post("/join", data={"key": core.keys.issue("organiser", None, "Rose"), "name": ""})
    assert page.url.path == "/desk"
    assert "Rose" in page.text


def test_keys_are_shown_once_and_kept_as_digests(app: FastAPI, core: Core) -> None:
    client = organiser(app)
    fields = {"form": mark_of(client.get("/desk/tables")), "role": "referee", "of_table": "t3"}
    page = client.post("/desk/do/issue", data=fields)
    key = page.text.partition("/join?key=")[2].partition("<")[0]
    assert core.keys.check(key) is not None
    assert "<svg" in page.text
    assert key not in client.get("/desk/tables").text
    assert not any(key in line or PASSWORD in line for line in content(core))
    assert client.post("/desk/do/issue", data={**fields, "of_table": "t99"}).status_code == 409
    assert client.post("/desk/do/issue", data={**fields, "role": "session"}).status_code == 409
    of_key = next(each for each in core.keys.all() if each.role == "referee")
    client.post("/desk/do/revoke", data={"form": fields["form"], "key": str(of_key.id)})
    assert core.keys.check(key) is None


def test_whoever_loses_a_key_is_locked_out_at_once(app: FastAPI, core: Core) -> None:
    desk, rose, other = organiser(app), visitor(app), visitor(app)
    form = mark_of(desk.get("/desk/tables"))
    rose.post("/join", data={"key": core.keys.issue("organiser", None, "Rose"), "name": ""})
    other.post("/join", data={"key": core.keys.issue("organiser", None, "Zoé"), "name": ""})
    assert "Rose" in rose.get("/desk").text
    of_rose = next(each for each in core.keys.all("organiser") if each.label == "Rose")
    desk.post("/desk/do/revoke", data={"form": form, "key": str(of_rose.id)})
    assert rose.get("/desk").url.path == "/desk/login"
    assert other.get("/desk").url.path == "/desk", "whose key is another's stays"
    assert desk.get("/desk").url.path == "/desk"
    session = next(each for each in core.keys.all("session") if each.label == "Zoé")
    assert f'value="{session.id}"' in desk.get("/desk/tables").text
    desk.post("/desk/do/revoke", data={"form": form, "key": str(session.id)})
    assert other.get("/desk").url.path == "/desk/login"
    of_set_up = core.keys.check(core.keys.issue("set_up"))
    assert of_set_up is not None
    assert desk.post("/desk/do/revoke", data={"form": form, "key": str(of_set_up.id)}).status_code == 409


def test_a_table_that_is_removed_takes_its_referees_with_it(app: FastAPI, core: Core) -> None:
    desk, referee = organiser(app), visitor(app)
    form = mark_of(desk.get("/desk/tables"))
    key = core.keys.issue("referee", "t1")
    assert referee.post("/join", data={"key": key, "name": "Rose"}).url.path == "/referee"
    assert desk.post("/desk/do/remove", data={"form": form, "of_table": "t1"}).status_code == 200
    stale = {"form": form, "id": "t1", "number": "1", "again": "1", "name": "Old page"}
    assert desk.post("/desk/do/register", data=stale).status_code == 409, "a page of before does not bring it back"
    assert desk.post("/desk/do/register", data={"form": form, "id": "t1", "number": "1"}).status_code == 200
    assert referee.get("/referee").url.path == "/desk/login"
    assert referee.post("/join", data={"key": key, "name": "Rose"}).status_code == 403
    assert all(each.table != "t1" for each in core.keys.all())


def test_pages_allow_no_script_but_the_hubs_and_no_frame(app: FastAPI) -> None:
    headers = visitor(app).get("/").headers
    assert "script-src 'self'" in headers["content-security-policy"]
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert headers["cache-control"] == "no-store"


def test_names_are_shown_as_they_are_written(app: FastAPI, core: Core, client_page: TestClient) -> None:
    nasty = '<script>alert("1")</script>'
    id = core.tournaments.create(
        {"tournament": 1, "name": nasty, "game": "nba", "stages": [{"kind": "round_robin"}]}, "x"
    )
    do(client_page, f"/desk/t/{id}/entries", event="enter", name=nasty)
    for path in ("/", f"/t/{id}", f"/desk/t/{id}/entries", f"/desk/t/{id}/trace"):
        page = client_page.get(path).text
        assert "<script>alert" not in page
        assert "&lt;script&gt;" in page


@pytest.fixture
def client_page(app: FastAPI) -> TestClient:
    """Return the organiser's client."""
    return organiser(app)
