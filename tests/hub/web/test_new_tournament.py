"""The form of a new tournament: only what the game and the format use, points and tie-breaks, templates."""

from __future__ import annotations

import re

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from companion.games.registry import SPECS
from companion.hub.core import Core
from companion.hub.web import plan_form
from companion.hub.web.plan_form import FORMATS
from companion.tournament.match_choices import match_rows
from companion.tournament.planning import SWISS_CHAIN
from companion.tournament.values import Plan
from tests.hub.web.pages_kit import do, mark_of, organiser


@pytest.fixture
def desk(app: FastAPI) -> TestClient:
    """Return the organiser's client, in English."""
    client = organiser(app)
    client.get("/language/en")
    return client


def fields_sent(page: str) -> dict[str, list[str]]:
    """Return what a browser sends if the form is left as it is, but for its name."""
    form = next(each for each in re.findall(r"<form.*?</form>", page, re.DOTALL) if "/desk/do/create" in each)
    found: dict[str, list[str]] = {}
    for tag in re.findall(r"<input[^>]*>|<select.*?</select>", form, re.DOTALL):
        name = re.search(r'name="(\w+)"', tag)
        assert name is not None, tag
        if tag.startswith("<select"):
            chosen = re.search(r'<option(?: value="([^"]*)")? selected>([^<]*)', tag)
            value = "" if chosen is None else chosen[2] if chosen[1] is None else chosen[1]
        elif 'type="checkbox"' in tag:
            if " checked" not in tag:
                continue
            value = "1"
        else:
            given = re.search(r' value="([^"]*)"', tag)
            value = "" if given is None else given[1]
        found.setdefault(name[1], []).append(value)
    return found


def create(desk: TestClient, core: Core, **changes: str | list[str]) -> Plan:
    """Create a tournament from the form as it comes, with these changes; return its plan."""
    game, format = changes.pop("game", "footclub"), changes.pop("format", "swiss")
    page = desk.get("/desk/new", params={"game": game, "format": format})
    assert page.status_code == 200
    made = desk.post("/desk/do/create", data={**fields_sent(page.text), "name": "Cup", **changes})
    assert made.status_code == 200, made.text
    return core.tournaments.state(made.url.path.split("/")[3]).plan


@pytest.mark.parametrize("game", SPECS)
@pytest.mark.parametrize("format", FORMATS)
def test_the_form_as_it_comes_makes_a_tournament_that_is_usual(
    desk: TestClient, core: Core, game: str, format: str
) -> None:
    plan = create(desk, core, game=game, format=format)
    own = SPECS[game].tournament
    assert (plan.game, plan.minutes, plan.tables) == (game, own.minutes, 4)
    first = plan.stages[0]
    if first.table:
        assert first.points == own.points
        assert first.chain == (SWISS_CHAIN if format == "swiss" else own.chain)
    assert first.handbook == (2024 if format == "swiss" else 0)
    assert first.legs == (2 if format == "league" else 1)


def test_only_fields_that_the_format_uses_are_asked(desk: TestClient) -> None:
    names = {
        format: set(fields_sent(desk.get(f"/desk/new?game=nba&format={format}").text)) - {"form", "game", "format"}
        for format in FORMATS
    }
    usual = {"name", "date", "start", "place", "tables", "minutes", "rest"}
    usual |= {"clock_mode", "clock_minutes", "clock_seconds"}
    usual |= {plan_form.row_field(row) for row in match_rows("nba")}
    assert names["swiss"] == usual | {"rounds", "points", "tie_break", "thresholds"}
    assert names["league"] == names["round_robin"] == usual | {"points", "tie_break", "thresholds"}
    assert names["double_knock_out"] == usual
    assert names["knock_out"] == usual | {"legs", "third_place", "thresholds"}
    assert "thresholds" not in desk.get("/desk/new?game=footclub&format=swiss").text
    assert names["league_final"] == usual | {"legs", "points", "tie_break"}
    assert names["groups"] == usual | {"groups", "advance", "legs", "third_place", "points", "tie_break"}
    assert desk.get("/desk/new?game=chess&format=swiss").status_code == 404
    assert desk.get("/desk/new?game=nba&format=ladder").status_code == 404
    assert desk.get("/desk/new?template=none").status_code == 404


def test_a_league_has_its_points_tie_breaks_date_and_place(desk: TestClient, core: Core) -> None:
    order = ["direct_points", "difference", "", "scored"]
    changes: dict[str, str | list[str]] = {"format": "league", "points": "2-1-0", "tie_break": order}
    when = {"date": "2026-06-06", "start": "19:30", "place": "Town hall"}
    plan = create(desk, core, **changes, **when)
    stage = plan.stages[0]
    assert (stage.points.win, stage.points.draw, stage.points.loss, stage.points.bye) == (2, 1, 0, 2)
    assert stage.chain == ("points", "direct_points", "difference", "scored")
    assert (plan.date, plan.start, plan.place) == ("2026-06-06", "19:30", "Town hall")
    id = core.tournaments.all()[0].id
    assert "6 Jun 2026 19:30 · Town hall" in desk.get(f"/t/{id}/standings").text
    do(desk, f"/desk/t/{id}/entries", event="enter_many", lines="Ana\nBea\nCleo")
    do(desk, f"/desk/t/{id}", event="start")
    page = desk.get(f"/t/{id}/standings").text
    assert "League" in page
    assert "Level on points: head-to-head points, difference, points scored." in page
    assert len(core.tournaments.progress(id).matches) == 6


def test_a_club_keeps_its_settings_as_a_template(desk: TestClient, core: Core) -> None:
    create(desk, core, format="swiss", rounds="7", tables="12", date="2026-06-06", template="1", tie_break=["buchholz"])
    (kept,) = core.plan_templates.all()
    assert (kept.name, "date" in kept.fields) == ("Cup", False)
    assert f"/desk/new?template={kept.id}" in desk.get("/desk").text
    again = fields_sent(desk.get(f"/desk/new?template={kept.id}").text)
    assert (again["rounds"], again["tables"], again["name"], again["date"]) == (["7"], ["12"], ["Cup"], [""])
    assert [each for each in again["tie_break"] if each] == ["buchholz"]
    create(desk, core, format="swiss", rounds="3", template="1")
    (replaced,) = core.plan_templates.all()
    assert replaced.fields["rounds"] == ("3",)
    gone = {"form": mark_of(desk.get("/desk")), "template": replaced.id}
    assert desk.post("/desk/do/template", data=gone).status_code == 200
    assert core.plan_templates.all() == ()
    assert desk.post("/desk/do/template", data=gone).status_code == 409
