"""Archiving removes a tournament from the public pages, with author and reason, and can be reversed."""

from __future__ import annotations

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from companion.hub.core import Core
from companion.hub.database import UnknownTournament
from companion.hub.link import LinkOptions, TableNotifier
from companion.tournament import facts as fa
from tests.hub.desk_kit import RunningTournament
from tests.hub.web.pages_kit import called, mark_of, organiser, propose, start_tournament, visitor

WHY = "fait par erreur"


@pytest.fixture
def desk(app: FastAPI) -> TestClient:
    """Return the organiser's client."""
    return organiser(app)


def archive(desk: TestClient, id: str, archived: bool, why: str = WHY) -> int:
    form = {"form": mark_of(desk.get("/desk")), "archived": str(int(archived)), "why": why}
    return desk.post(f"/desk/t/{id}/archive", data=form).status_code


def test_it_leaves_every_public_page_and_comes_back_as_it_was(
    desk: TestClient, app: FastAPI, core: Core, evening: RunningTournament
) -> None:
    propose(evening, fa.Draw)
    propose(evening, fa.Call)
    tables = called(evening)
    assert tables
    guest, id = visitor(app), evening.id
    match = next(iter(core.tournaments.progress(id).matches))
    pages = [f"/t/{id}{rest}" for rest in ("", "/standings", "/programme", "/screen", f"/match/{match}")]
    pages += [f"/api/tournaments/{id}", f"/api/tournaments/{id}/live"]
    before = [guest.get(page).status_code for page in pages]
    assert before == [200] * len(pages)
    trace, revision = core.tournaments.trace(id), core.views.revision()
    assert archive(desk, id, True) == 200
    assert id in core.views.changes_after(revision).tournaments, "open pages are told"
    assert [guest.get(page).status_code for page in pages] == [404] * len(pages)
    assert "Coupe des Baies" not in guest.get("/").text
    assert guest.get("/api/tournaments").json() == []
    assert called(evening) == {}, "it calls nobody"
    assert "archivé" in desk.get("/desk").text
    assert desk.get(f"/desk/t/{id}/matches").status_code == 200
    for page in ("/trace", ""):
        assert "archivé" in desk.get(f"/desk/t/{id}{page}").text
    assert WHY in desk.get(f"/desk/t/{id}/trace").text
    assert archive(desk, id, False, "il compte") == 200
    assert [guest.get(page).status_code for page in pages] == before
    assert core.tournaments.trace(id) == trace
    assert called(evening) == tables
    assert [(each.archived, each.by, each.why) for each in core.archive.steps(id)] == [
        (True, "Claire", WHY),
        (False, "Claire", "il compte"),
    ]


def test_it_needs_a_reason_and_is_done_once(
    desk: TestClient, app: FastAPI, core: Core, evening: RunningTournament
) -> None:
    assert archive(desk, evening.id, True, " ") == 409
    assert archive(desk, evening.id, False) == 409, "it is not archived"
    assert not core.archive.is_archived(evening.id)
    assert archive(desk, evening.id, True) == 200
    assert archive(desk, evening.id, True) == 409
    assert archive(desk, "nothing", True) == 404
    with pytest.raises(UnknownTournament):
        core.archive.set_archived("nothing", True, "Claire", WHY)
    form = {"archived": "0", "why": WHY}
    assert visitor(app).post(f"/desk/t/{evening.id}/archive", data=form).status_code == 403
    assert core.archive.is_archived(evening.id)


def test_tables_hear_no_more_of_it(core: Core, evening: RunningTournament) -> None:
    other = start_tournament(core)
    announcer = TableNotifier(core.tournaments, core.tables, core.database.clock, "run", LinkOptions())

    def announcements() -> bytes:
        list(announcer.changed_messages(None, frozenset()))
        return b"".join(data for _, data in announcer.messages_for("t1"))

    before = announcements()
    newest, older = sorted((evening.id, other.id), key=lambda id: id.encode() not in before)
    assert newest.encode() in before
    core.archive.set_archived(newest, True, "Claire", WHY)
    after = announcements()
    assert older.encode() in after
    assert newest.encode() not in after


def test_deleting_names_deletes_who_and_why(core: Core, evening: RunningTournament) -> None:
    core.archive.set_archived(evening.id, True, "Claire", "Ana l'a voulu")
    core.retention.forget_tournament(evening.id, "Claire")
    (step,) = core.archive.steps(evening.id)
    assert (step.archived, step.by, step.why) == (True, "", "")
