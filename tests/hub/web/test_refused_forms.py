"""Rejected forms at the desk: all faults with their lines, input preserved, no success message for unknown actions."""

from __future__ import annotations

import html
import re

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from companion.hub.core import Core
from tests.hub.desk_kit import RunningTournament, plan_of
from tests.hub.web.pages_kit import do, mark_of, organiser
from tests.tournament import plans


@pytest.fixture
def desk(app: FastAPI) -> TestClient:
    """Return the organiser's client."""
    return organiser(app)


@pytest.fixture
def page(core: Core) -> str:
    """Return the entries page of a tournament that has not started."""
    return f"/desk/t/{core.tournaments.create(plan_of(plans.swiss('Coupe', 'occasion', 3)), 'Claire')}/entries"


def entries(core: Core, page: str) -> list[str]:
    return [each.name for each in core.tournaments.state(page.split("/")[3]).entries.values()]


@pytest.mark.parametrize(
    ("lines", "line"),
    [
        ("Ana\nBea\n\nAna;2\nCleo", "Ligne 4, «\u00a0Ana\u00a0»"),
        ("Ana\n<b>&;0\nCleo", "Ligne 2, «\u00a0<b>&\u00a0»"),
        ("Ana\n;3", "Ligne 2, «\u00a0\u00a0»"),
    ],
)
def test_a_list_is_taken_whole_or_not_at_all(lines: str, line: str, desk: TestClient, core: Core, page: str) -> None:
    refused = do(desk, page, event="enter_many", lines=lines)
    assert refused.status_code == 409
    assert line in html.unescape(refused.text)
    assert entries(core, page) == []
    kept = re.search(r'<textarea[^>]*name="lines"[^>]*>\n(.*?)</textarea>', refused.text, re.DOTALL)
    assert kept is not None
    assert html.unescape(kept[1]) == lines
    assert do(desk, page, event="enter_many", lines="Ana\nBea").status_code == 200
    assert entries(core, page) == ["Ana", "Bea"]


@pytest.mark.parametrize("lines", ["", " \n\n"])
def test_an_empty_list_says_so(lines: str, desk: TestClient, page: str) -> None:
    refused = do(desk, page, event="enter_many", lines=lines)
    assert refused.status_code == 409
    assert "La liste est vide" in refused.text


def test_a_new_tournament_keeps_what_was_typed(desk: TestClient, core: Core) -> None:
    typed = {"name": 'Coupe "d\'été" <2>', "game": "occasion", "format": "groups", "groups": "0", "tables": "7"}
    refused = desk.post("/desk/do/create", data={"form": mark_of(desk.get("/desk")), **typed, "legs": "2"})
    assert refused.status_code == 409
    assert core.tournaments.all() == ()
    fields = dict(re.findall(r'<input id="(\w+)"[^>]* value="([^"]*)"', refused.text))
    assert {name: html.unescape(fields[name]) for name in ("name", "groups", "tables")} == {
        "name": typed["name"],
        "groups": "0",
        "tables": "7",
    }
    chosen = re.findall(r'<option(?: value="(\w+)")? selected>(\w*)', refused.text)
    hidden = dict(re.findall(r'<input type="hidden" name="(\w+)" value="(\w+)"', refused.text))
    assert (hidden["game"], hidden["format"]) == ("occasion", "groups")
    assert ("2", "2") in chosen
    assert not re.search(r'name="third_place"[^>]*checked', refused.text), "it was not ticked"


def test_only_the_form_that_was_sent_is_filled(desk: TestClient, evening: RunningTournament, core: Core) -> None:
    match = next(each for each in core.tournaments.state(evening.id).entries)
    refused = do(desk, f"/desk/t/{evening.id}/entries", event="withdraw", entry=match, why=" ")
    assert refused.status_code == 409
    refused = do(desk, f"/desk/t/{evening.id}/entries", event="enter", name="Phare FC", seed="3")
    assert refused.status_code == 409
    assert len(re.findall(r'<input id="name"[^>]* value="Phare FC"', refused.text)) == 1


@pytest.mark.parametrize(
    ("action", "fields"),
    [
        ("remove", {"of_table": "nobody"}),
        ("revoke", {"key": "99999"}),
        ("notice", {"notice": "99999"}),
        ("notice", {}),
        ("choose", {}),
        ("choose", {"of_table": "t1", "epoch": "5", "branch": "1"}),
    ],
)
def test_what_is_not_there_is_not_said_to_be_done(action: str, fields: dict[str, str], desk: TestClient) -> None:
    refused = desk.post(f"/desk/do/{action}", data={"form": mark_of(desk.get("/desk")), **fields})
    assert refused.status_code == 409
    assert "rien n’a été changé" in refused.text


@pytest.mark.parametrize(
    ("action", "fields", "sentence"),
    [
        ("register", {"number": "0"}, "Table : « numéro » doit être un nombre entier de 1 à 1000."),
        ("register", {"number": "x"}, "Table : « numéro » doit être un nombre entier de 1 à 1000."),
        ("register", {"number": "9", "id": "é"}, "« é »"),
        ("register", {"number": "9", "name": "a\u202eb"}, "Table : « nom » doit être un texte de 1 à 60 caractères"),
        ("issue", {"role": "organiser", "label": "x" * 61}, "Clé : « étiquette » doit être un texte de 1 à 60"),
        ("terms", {"names_days": "1", "pictures_days": "-1"}, "doit être un nombre entier de 0 à 3650."),
        ("pictures", {}, "Rien n’est effacé tant que la case n’est pas cochée."),
    ],
)
def test_what_a_field_may_hold_is_said(
    action: str, fields: dict[str, str], sentence: str, desk: TestClient, core: Core
) -> None:
    before = core.tables.all(), core.retention.terms(), len(core.keys.all())
    refused = desk.post(f"/desk/do/{action}", data={"form": mark_of(desk.get("/desk")), **fields})
    assert refused.status_code == 409
    assert sentence in html.unescape(refused.text).replace("\u00a0", " ").replace("\u202f", " ")
    assert (core.tables.all(), core.retention.terms(), len(core.keys.all())) == before


def test_a_table_keeps_its_key_when_another_is_refused(desk: TestClient, core: Core) -> None:
    key = core.keys.issue("table", "t1")
    form = {"form": mark_of(desk.get("/desk")), "role": "table", "of_table": "t1", "label": "a\u202eb"}
    assert desk.post("/desk/do/issue", data=form).status_code == 409
    assert core.keys.check(key) is not None


def test_the_journal_of_a_match_to_count_is_a_number(desk: TestClient, evening: RunningTournament) -> None:
    refused = do(desk, f"/desk/t/{evening.id}", event="count", of_table="t1", epoch="x", match="m")
    assert refused.status_code == 409
    assert "doit être un nombre entier, 1 ou plus" in html.unescape(refused.text).replace("\u00a0", " ")


def test_somebody_unknown_is_not_forgotten(desk: TestClient, evening: RunningTournament) -> None:
    form = {"form": mark_of(desk.get("/desk")), "what": "entry", "entry": "e99", "sure": "1"}
    assert desk.post(f"/desk/t/{evening.id}/forget", data=form).status_code == 409


def test_a_table_is_renamed_on_purpose_only(desk: TestClient, core: Core) -> None:
    mark = {"form": mark_of(desk.get("/desk/tables"))}
    assert desk.post("/desk/do/register", data={**mark, "number": "9", "name": "Fenêtre"}).status_code == 200
    refused = desk.post("/desk/do/register", data={**mark, "number": "9", "name": "Porte"})
    assert refused.status_code == 409
    assert "Fenêtre" in refused.text
    assert 'value="Porte"' in refused.text
    (row,) = (each for each in core.tables.all() if each.number == 9)
    assert row.name == "Fenêtre"
    again = {**mark, "number": "9", "id": row.id, "again": "1", "name": "Porte"}
    assert desk.post("/desk/do/register", data=again).status_code == 200
    assert [each.name for each in core.tables.all() if each.number == 9] == ["Porte"]
