"""The organiser's desk through its forms: a tournament from creation to its champion, changes, exports, deletion."""

from __future__ import annotations

import csv
import io
import json
import re

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from companion.clock import ManualClock
from companion.hub.core import Core
from companion.tournament import facts as fa
from companion.tournament.clock import TimeLimits
from tests.hub.core_kit import played
from tests.hub.desk_kit import ORGANISER, RunningTournament, plan_of
from tests.hub.web.pages_kit import called, do, mark_of, organiser, propose, round_played, start_tournament
from tests.printing import pdf_text
from tests.tournament import plans


@pytest.fixture
def desk(app: FastAPI) -> TestClient:
    """Return the organiser's client."""
    return organiser(app)


def hidden(page: str, event: str) -> list[dict[str, str]]:
    """Return the hidden fields of a page's forms that send an event."""
    forms = re.findall(r"<form.*?</form>", page, re.DOTALL)
    fields = [dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form)) for form in forms]
    return [each for each in fields if each.get("event") == event]


def unescaped(fields: dict[str, str]) -> dict[str, str]:
    return {
        name: value.replace("&#39;", "'").replace("&#34;", '"').replace("&amp;", "&") for name, value in fields.items()
    }


def test_the_organiser_runs_a_swiss_of_eight_to_the_end(desk: TestClient, core: Core) -> None:
    form = {"name": "Coupe", "game": "occasion", "format": "swiss", "rounds": "3", "tables": "4", "minutes": "30"}
    page = desk.post("/desk/do/create", data={"form": mark_of(desk.get("/desk")), **form})
    assert page.status_code == 200, page.text
    id = page.url.path.split("/")[3]
    here = f"/desk/t/{id}"
    lines = "Ana;1\nBea;2\n\nCleo ; 3 \n" + "\n".join(f"Joueur {number}" for number in range(4, 9))
    assert do(desk, f"{here}/entries", event="enter_many", lines=lines).status_code == 200
    assert do(desk, f"{here}/entries", event="enter", name="Ana").status_code == 409, "the name is taken"
    assert [entry.seed for entry in core.tournaments.state(id).entries.values()] == [1, 2, 3, *[None] * 5]
    assert do(desk, here, event="start").status_code == 200
    evening, seed = RunningTournament(core, id), 0
    for round in (1, 2, 3):
        proposed = hidden(desk.get(here).text, "proposal")
        assert len(proposed) == 1, "the draw of the round"
        assert desk.post(here, data=unescaped(proposed[0])).status_code == 200
        while calls := hidden(desk.get(here).text, "proposal"):
            if round == 3 and not called(evening):
                break
            assert desk.post(here, data=unescaped(calls[0])).status_code == 200
        if round == 3:
            for _ in range(4):
                assert desk.post(here, data=unescaped(hidden(desk.get(here).text, "proposal")[0])).status_code == 200
        assert len(called(evening)) == 4
        for table in called(evening):
            seed += 1
            evening.send(evening.played(table, seed))
        assert str(round) in desk.get(f"/t/{id}/standings").text
    course = core.tournaments.progress(id)
    assert course.over
    assert all(match.status == "done" for match in course.matches.values())
    assert sum(row.played for row in course.stages[0].tables["A"]) == 24
    if course.champion:
        assert core.tournaments.state(id).entries[course.champion].name in desk.get(f"/t/{id}").text


@pytest.mark.parametrize(
    ("sent", "limits"),
    [
        ({}, None),
        ({"clock_mode": ""}, None),
        ({"clock_mode": "off", "clock_seconds": "30"}, TimeLimits("off")),
        ({"clock_mode": "strict", "clock_minutes": "", "clock_seconds": "60"}, TimeLimits("strict", 40, 60)),
        ({"clock_mode": "quiet", "clock_minutes": "25", "clock_seconds": ""}, TimeLimits("quiet", 25)),
    ],
)
def test_the_organiser_chooses_the_clock_of_the_tables(
    desk: TestClient, core: Core, sent: dict[str, str], limits: TimeLimits | None
) -> None:
    form = {"name": "Coupe", "game": "nba", "format": "swiss", "rounds": "3", "minutes": "40", **sent}
    page = desk.post("/desk/do/create", data={"form": mark_of(desk.get("/desk")), **form})
    assert page.status_code == 200, page.text
    assert core.tournaments.state(page.url.path.split("/")[3]).plan.clock == limits


def test_a_round_can_be_paired_by_hand(desk: TestClient, core: Core, evening: RunningTournament) -> None:
    page = f"/desk/t/{evening.id}/pairings"
    assert "by_hand" in desk.get(page).text
    fields = {"event": "draw", "round": "1", "by_hand": "1"}
    twice = {"home_of_pair": ["e1", "e1", "e5", "e7"], "away_of_pair": ["e2", "e4", "e6", "e8"]}
    refused = do(desk, page, **fields, **twice)
    assert refused.status_code == 409
    assert "exactement une fois" in refused.text
    assert not core.tournaments.state(evening.id).draws
    once = {"home_of_pair": ["e1", "e3", "e5", "e7"], "away_of_pair": ["e2", "e4", "e6", "e8"]}
    assert do(desk, page, **fields, **once).status_code == 200
    drawn = core.tournaments.state(evening.id).draws[0].draw
    assert drawn.by_hand
    assert drawn.pairs[0] == ("e1", "e2")


def test_a_proposal_that_has_changed_is_not_taken(
    desk: TestClient, core: Core, evening: RunningTournament, clock: ManualClock
) -> None:
    here = f"/desk/t/{evening.id}"
    seen = unescaped(hidden(desk.get(here).text, "proposal")[0])
    clock.advance(90)
    evening.decide(fa.Withdraw("e8"))
    assert desk.post(here, data=seen).status_code == 409
    assert not core.tournaments.state(evening.id).draws
    propose(evening, fa.Draw)
    call = unescaped(hidden(desk.get(here).text, "proposal")[0])
    clock.advance(90)
    assert desk.post(here, data=call).status_code == 200, "time alone changes no proposal"
    assert len(called(evening)) == 1


def test_results_corrections_forfeits_and_withdrawals_keep_who_and_why(desk: TestClient, core: Core) -> None:
    evening = start_tournament(core, plans.round_robin("Poule", "occasion"))
    id = evening.id
    first, second, third, *_ = core.tournaments.progress(id).matches.values()
    page = f"/desk/t/{id}/match/{first.id}"
    result_fields = {"match": first.id, "home": first.home, "away": first.away, "home_points": "2", "away_points": "1"}
    assert do(desk, page, event="result", **result_fields).status_code == 200
    assert do(desk, page, event="correct", **result_fields | {"home_points": "0"}).status_code == 409, (
        "a reason is asked for"
    )
    assert do(desk, page, event="correct", **result_fields | {"home_points": "0"}, why="mal recopié").status_code == 200
    assert core.tournaments.progress(id).matches[first.id].score == (0, 1)
    html = desk.get(page).text
    assert "mal recopié" in html
    assert "Claire" in html
    page = f"/desk/t/{id}/match/{second.id}"
    assert do(desk, page, event="forfeit", match=second.id, side="home", why="absent").status_code == 200
    assert core.tournaments.progress(id).matches[second.id].by == "forfeit"
    assert do(desk, page, event="annul", match=second.id, why="il est arrivé").status_code == 200
    assert core.tournaments.progress(id).matches[second.id].status == "ready"
    page = f"/desk/t/{id}/match/{third.id}"
    assert do(desk, page, event="call", match=third.id, table="2").status_code == 200
    assert core.tournaments.progress(id).matches[third.id].table == 2
    assert do(desk, page, event="uncall", match=third.id).status_code == 200
    assert do(desk, page, event="double_forfeit", match=third.id, why="personne").status_code == 200
    entries = f"/desk/t/{id}/entries"
    assert do(desk, entries, event="withdraw", entry="e5", why="malade").status_code == 200
    assert do(desk, entries, event="readmit", entry="e5").status_code == 200
    assert do(desk, f"/desk/t/{id}", event="table", table="3", open="0").status_code == 200
    assert core.tournaments.state(id).closed == (3,)
    recorded = [(each.by, each.why) for each in core.tournaments.trace(id)]
    assert ("Claire", "malade") in recorded
    assert ("Claire", "mal recopié") in recorded


def test_a_question_is_answered_with_a_reason_and_the_public_waits(desk: TestClient, core: Core) -> None:
    evening = start_tournament(core, plans.knock_out("Coupe", "occasion", third_place=False), CLUBS_4)
    id = evening.id
    first = core.tournaments.progress(id).matches["s1-w1-1"]
    evening.decide(fa.Result(first.id, first.home or "", first.away or "", (1, 1), None))
    assert "en cours d’examen" in desk.get(f"/t/{id}").text
    assert "data-frozen" in desk.get(f"/t/{id}/screen").text
    assert "1 – 1" not in desk.get(f"/t/{id}/programme").text, "it stands still"
    question = core.tournaments.progress(id).questions[0]
    here = f"/desk/t/{id}"
    assert do(desk, here, event="rule", question=question.id, choice="home").status_code == 409
    assert do(desk, here, event="rule", question=question.id, choice="home", why="tirs au but").status_code == 200
    assert "data-frozen" not in desk.get(f"/t/{id}/screen").text
    assert "1 – 1" in desk.get(f"/t/{id}/programme").text
    assert core.tournaments.progress(id).matches["s1-final"].home == first.home


CLUBS_4 = ("Phare FC", "Valcendre", "Hirondelles", "Port-Mélian")


def test_bad_forms_are_answered_with_a_sentence(desk: TestClient, core: Core, evening: RunningTournament) -> None:
    here = f"/desk/t/{evening.id}"
    before = len(core.tournaments.trace(evening.id))
    for fields in (
        {"event": "nothing"},
        {},
        {"event": "enter", "name": ""},
        {"event": "enter", "name": "x" * 201},
        {"event": "call", "match": "nowhere", "table": "1"},
        {"event": "call", "match": "s1-r1-1", "table": "99999999999999999999999"},
        {"event": "result", "match": "s1-r1-1", "home": "e1", "away": "e2", "home_points": "-1", "away_points": "x"},
        {"event": "draw", "round": "x"},
        {"event": "proposal", "number": "99", "seen": ""},
        {"event": "rule", "question": "none", "choice": "x", "why": "y"},
        {"event": "count", "of_table": "t1", "epoch": "x", "match": "s1-r1-1"},
        {"event": "count", "of_table": "t1", "epoch": "77", "match": "s1-r1-1"},
    ):
        answer = do(desk, here, **fields)
        assert answer.status_code in (404, 409), fields
        assert "Traceback" not in answer.text
    assert len(core.tournaments.trace(evening.id)) == before
    plan = {"form": mark_of(desk.get("/desk")), "name": "x", "game": "chess", "format": "swiss"}
    assert desk.post("/desk/do/create", data=plan).status_code == 409
    assert desk.post("/desk/do/create", data=plan | {"game": "nba", "format": "none"}).status_code == 409
    assert desk.post("/desk/do/nothing", data=plan).status_code == 404
    assert desk.post(here, content=b"\xff\xfe=1").status_code == 400


def test_tables_are_added_numbered_and_removed(desk: TestClient, core: Core) -> None:
    mark = mark_of(desk.get("/desk/tables"))
    assert desk.post("/desk/do/register", data={"form": mark, "number": "7", "name": "Fond"}).status_code == 200
    assert "Fond" in desk.get("/desk/tables").text
    assert desk.post("/desk/do/register", data={"form": mark, "number": "0"}).status_code == 409
    assert desk.post("/desk/do/register", data={"form": mark, "number": "8", "id": "../x"}).status_code == 409
    core.keys.issue("table", "table-7")
    card = played("table-7", 100, "hoops21", seed=2)
    core.inbox.accept([card.batch(1, 20)])
    assert desk.post("/desk/do/remove", data={"form": mark, "of_table": "table-7"}).status_code == 200
    assert all(each.id != "table-7" for each in core.tables.all())
    assert not core.keys.all("table")
    assert desk.post("/desk/do/register", data={"form": mark, "number": "7"}).status_code == 200
    core.inbox.accept([card.batch(21)])
    assert core.views.journal("table-7", 100) == card.file, "added again, it goes on where it was"


def test_now_shows_every_table_with_its_state_and_what_waits_for_the_organiser(
    desk: TestClient, core: Core, evening: RunningTournament
) -> None:
    here = f"/desk/t/{evening.id}"

    def states() -> list[str]:
        return re.findall(r'<li class="card tile (\w+)"', desk.get(here).text)

    assert set(states()) == {"free"}
    propose(evening, fa.Draw)
    propose(evening, fa.Call)
    tables = called(evening)
    assert states()[: len(tables)] == ["called"] * len(tables)
    card = evening.played("t1", 3)
    core.inbox.accept([card.batch(1, len(card.lines) // 2)])
    assert states()[0] == "playing"
    assert "data-alert" not in desk.get(here).text
    core.inbox.accept([card.batch()])
    assert states()[0] == "to_confirm"
    assert f'data-alert="to_confirm {tables["t1"]}"' in desk.get(here).text
    evening.send(card)
    assert states()[0] == "free"
    assert do(desk, here, event="table", table="1", open="0").status_code == 200
    assert states()[0] == "closed"
    assert "Ronde suivante vers" in desk.get(here).text


def test_exports_hold_what_the_pages_show(desk: TestClient, core: Core, evening: RunningTournament) -> None:
    evening.decide(fa.Enter("e9", "=SUM(A1)"))
    round_played(evening, 10)
    at = f"/desk/t/{evening.id}/export"
    rows = list(csv.reader(io.StringIO(desk.get(f"{at}/matches.csv").content.decode("utf-8-sig")), delimiter=";"))
    assert len(rows) == 1 + len(core.tournaments.progress(evening.id).matches)
    entries = desk.get(f"{at}/entries.csv").content.decode("utf-8-sig")
    assert "'=SUM(A1)" in entries, "no formula"
    standing = list(csv.reader(io.StringIO(desk.get(f"{at}/standings.csv").content.decode("utf-8-sig")), delimiter=";"))
    assert standing[1][2] == "1"
    whole = json.loads(desk.get(f"{at}/tournament.json").content)
    assert len(whole["facts"]) == len(core.tournaments.trace(evening.id))
    assert whole["facts"][0]["by"] == ORGANISER
    text = pdf_text.plain("\n".join(pdf_text.pages(desk.get(f"{at}/tournament.pdf").content)))
    assert "Coupe des Baies" in text
    assert "Port-Mélian" in text
    assert desk.get(f"{at}/nothing.csv").status_code == 404
    public = desk.get(f"/api/tournaments/{evening.id}").json()
    assert {each["name"] for each in public["entries"]} == {each["name"] for each in whole["entries"]}


def test_names_and_pictures_are_deleted_for_good(desk: TestClient, core: Core, evening: RunningTournament) -> None:
    round_played(evening, 20)
    page = f"/desk/t/{evening.id}/exports"
    fields = {"form": mark_of(desk.get(page)), "what": "entry", "entry": "e4"}
    assert desk.post(f"/desk/t/{evening.id}/forget", data=fields).status_code == 409, "it asks to be sure"
    assert "Port-Mélian" in desk.get(f"/t/{evening.id}/standings").text
    assert desk.post(f"/desk/t/{evening.id}/forget", data={**fields, "sure": "1"}).status_code == 200
    for path in (f"/t/{evening.id}/standings", f"/t/{evening.id}/programme", f"/desk/t/{evening.id}/trace"):
        assert "Port-Mélian" not in desk.get(path).text
    everything = {**fields, "what": "names", "sure": "1"}
    assert desk.post(f"/desk/t/{evening.id}/forget", data=everything).status_code == 200
    assert "Valcendre" not in desk.get(f"/t/{evening.id}/standings").text
    pictures = {**fields, "what": "pictures", "sure": "1"}
    assert desk.post(f"/desk/t/{evening.id}/forget", data=pictures).status_code == 200
    assert desk.post("/desk/do/pictures", data=pictures).status_code == 200
    terms = {"form": fields["form"], "names_days": "30", "pictures_days": "7"}
    assert desk.post("/desk/do/terms", data=terms).status_code == 200
    assert (core.retention.terms().names_days, core.retention.terms().pictures_days) == (30, 7)
    assert desk.post("/desk/do/terms", data=terms | {"names_days": "-1"}).status_code == 409


@pytest.mark.parametrize("code", ["fr", "en"])
def test_every_page_of_the_desk_speaks_the_language(desk: TestClient, evening: RunningTournament, code: str) -> None:
    propose(evening, fa.Draw)
    propose(evening, fa.Call)
    desk.get(f"/language/{code}", params={"back": "/desk"})
    match = next(iter(called(evening).values()))
    pages = ["", "/entries", "/pairings", "/matches", "/trace", "/exports", f"/match/{match}"]
    for path in ("/desk", "/desk/tables", "/desk/data", *(f"/desk/t/{evening.id}{page}" for page in pages)):
        page = desk.get(path)
        assert page.status_code == 200, path
        assert f'<html lang="{code}">' in page.text
        assert not re.findall(r"\b(?:web|app|tournament|bulletin)\.[a-z_]+\.[a-z_.]+", page.text), path
        assert not re.findall(r"[{}]", re.sub(r"<.*?>", "", page.text)), path


def test_the_desk_tells_why_no_match_is_called_at_a_free_table(app: FastAPI, core: Core, clock: ManualClock) -> None:
    plan = {**plan_of(plans.swiss("Cup", "occasion", 3)), "rest": 5}
    evening, client = RunningTournament(core, core.tournaments.create(plan, "Claire")), organiser(app)
    for number in range(1, 9):
        evening.decide(fa.Enter(f"e{number}", f"Player {number}"))
    evening.decide(fa.Start())
    sentence = "ses joueurs se reposent"
    propose(evening, fa.Draw)
    assert sentence not in client.get(f"/desk/t/{evening.id}").text
    propose(evening, fa.Call)
    clock.advance(60)
    for seed, table in enumerate(called(evening)):
        evening.send(evening.played(table, seed))
    propose(evening, fa.Draw)
    page = client.get(f"/desk/t/{evening.id}").text
    assert sentence in page
    assert "Aucun match ne peut être appelé maintenant" not in page
