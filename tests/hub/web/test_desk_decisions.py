"""Decisions at the desk: taken back, ruled by lot, explained in the standings, told with the names of then."""

from __future__ import annotations

import csv
import io
import re
from itertools import cycle

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from companion.hub.core import Core
from companion.hub.web.forms import next_entry_id
from companion.tournament import facts as fa
from tests.hub.desk_kit import RunningTournament
from tests.hub.web.pages_kit import CLUBS, do, organiser, propose, round_played, start_tournament
from tests.printing import pdf_text
from tests.tournament import plans


@pytest.fixture
def desk(app: FastAPI) -> TestClient:
    """Return the organiser's client, in English."""
    client = organiser(app)
    client.get("/language/en")
    return client


def enter_results(evening: RunningTournament, *scores: tuple[int, int]) -> None:
    """Enter results for every match that is open, the scores in turn."""
    matches = evening.core.tournaments.progress(evening.id).matches.values()
    for match, score in zip([each for each in matches if each.status == "ready"], cycle(scores), strict=False):
        evening.decide(fa.Result(match.id, match.home or "", match.away or "", score))


def rows(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text.removeprefix("\ufeff")), delimiter=";"))


def printed(desk: TestClient, evening: RunningTournament) -> str:
    """Return the text of the PDF."""
    return pdf_text.plain("\n".join(pdf_text.pages(desk.get(f"/desk/t/{evening.id}/export/tournament.pdf").content)))


def test_a_draw_and_the_start_are_taken_back_from_their_pages(
    desk: TestClient, core: Core, evening: RunningTournament
) -> None:
    here = f"/desk/t/{evening.id}"
    propose(evening, fa.Draw)
    page = desk.get(f"{here}/pairings").text
    assert "Round 1: its 4 matches are removed; none has been played." in page
    first, second, *_ = core.tournaments.state(evening.id).draws[0].draw.pairs
    swap = {"event": "swap", "round": "1", "one": first[1], "other": second[1]}
    assert do(desk, f"{here}/pairings", **swap).status_code == 409, "a reason is kept"
    assert do(desk, f"{here}/pairings", **swap, why="same club").status_code == 200
    draw = core.tournaments.state(evening.id).draws[0].draw
    assert (draw.pairs[0], draw.by_hand) == ((first[0], second[1]), True)
    evening.call("s1-r1-1", 1)
    refused = do(desk, f"{here}/pairings", event="undraw", round="1")
    assert refused.status_code == 409
    assert "is called to table 1. Take the call back first." in refused.text
    evening.decide(fa.Uncall("s1-r1-1"))
    assert do(desk, f"{here}/pairings", event="undraw", round="1", why="two are late").status_code == 200
    assert core.tournaments.state(evening.id).draws == ()
    assert "Back to registration" in desk.get(f"{here}/entries").text
    assert do(desk, f"{here}/entries", event="unstart").status_code == 200
    assert core.tournaments.state(evening.id).started is False


def test_lots_are_drawn_by_the_program_and_seen_everywhere(desk: TestClient, core: Core) -> None:
    evening = start_tournament(core, plans.groups_then_knock_out("Poules", "occasion", 2, 1))
    here = f"/desk/t/{evening.id}"
    enter_results(evening, (1, 1))
    asked = core.tournaments.progress(evening.id).questions[0]
    page = desk.get(here).text
    assert "Group A: nothing separates those in contention to go through." in page
    assert "1-A:" not in page.replace(asked.id, ""), "no internal code"
    for question in core.tournaments.progress(evening.id).questions:
        assert do(desk, here, event="rule", question=question.id, choice="lot", why="agreed").status_code == 200
    ruling = core.tournaments.state(evening.id).rulings[asked.id]
    assert (ruling.choice, sorted(ruling.order)) == ("lot", sorted(asked.entries))
    table = core.tournaments.progress(evening.id).stages[0].tables["A"]
    assert [(row.entry, row.rank, row.decided) for row in table] == [
        (entry, place, "lot") for place, entry in enumerate(ruling.order, 1)
    ]
    standings = desk.get(f"/t/{evening.id}/standings").text
    assert standings.count("by lot") == 8
    assert len(re.findall(r'<tr class="through', standings)) == 2, "one of each group goes on"
    assert "lots were drawn" in standings
    assert desk.get(f"/t/{evening.id}/screen").text.count("by lot") == 8
    first = core.tournaments.state(evening.id).entries[ruling.order[0]].name
    sheet = rows(desk.get(f"{here}/export/standings.csv").text)
    assert [row[3] for row in sheet[1:2]] == [first]
    assert sheet[1][-1] == "by lot"
    assert "(by lot)" in printed(desk, evening)
    records = desk.get(f"{here}/export/tournament.json").json()["standings"][0]["rows"]
    assert [(row["rank"], row["decided"]) for row in records] == [(place, "lot") for place in (1, 2, 3, 4)]


def test_the_tie_breaks_in_use_are_columns_and_the_chain_is_told(
    desk: TestClient, core: Core, evening: RunningTournament
) -> None:
    for _ in range(2):
        propose(evening, fa.Draw)
        enter_results(evening, (2, 1), (0, 1), (1, 1))
    page = desk.get(f"/t/{evening.id}/standings").text
    assert '<abbr title="Buchholz cut 1 (without the lowest)">BH-1</abbr>' in page
    assert "Level on points: Buchholz cut 1 (without the lowest), Buchholz, Sonneborn-Berger, direct encounter" in page
    assert "Why these ranks?" in page
    assert re.search(r"is ahead of [^<]+: Buchholz cut 1 \(without the lowest\), \d+ to \d+\.", page)
    sheet = rows(desk.get(f"/desk/t/{evening.id}/export/standings.csv").text)
    at = sheet[0].index("Buchholz")
    values = {row.entry: dict(row.values) for row in core.tournaments.progress(evening.id).stages[0].tables["A"]}
    names = {entry.name: entry.id for entry in core.tournaments.state(evening.id).entries.values()}
    assert {names[row[3]]: row[at] for row in sheet[1:]} == {
        entry: str(value["buchholz"]) for entry, value in values.items()
    }
    assert "BH-1" in printed(desk, evening)


def test_ids_are_given_once_and_the_trace_tells_the_names_of_then(desk: TestClient, core: Core) -> None:
    id = core.tournaments.create(
        {"tournament": 1, "name": "Coupe", "game": "occasion", "stages": [{"kind": "swiss", "rounds": 3}]}, "Claire"
    )
    here = f"/desk/t/{id}"
    for name in ("Ana", "Bea", "Doublon"):
        assert do(desk, f"{here}/entries", event="enter", name=name).status_code == 200
    assert do(desk, f"{here}/entries", event="withdraw", entry="e3", why="entered twice").status_code == 200
    assert next_entry_id(core.tournaments.state(id)) == "e4"
    assert do(desk, f"{here}/entries", event="enter", name="Chloé Durand").status_code == 200
    assert do(desk, here, event="start").status_code == 200
    trace = desk.get(f"{here}/trace").text
    assert re.findall(r"<b>(?:Entry|Withdrawal)</b><small>([^<]*)</small>", trace) == [
        "Chloé Durand",
        "Doublon",
        "Doublon",
        "Bea",
        "Ana",
    ]
    evening = RunningTournament(core, id)
    propose(evening, fa.Draw)
    (home, away), *_ = core.tournaments.state(id).draws[0].draw.pairs
    names = {entry.id: entry.name for entry in core.tournaments.state(id).entries.values()}
    evening.call("s1-r1-1", 1)
    evening.decide(fa.Uncall("s1-r1-1"))
    evening.decide(fa.Undraw(1))
    assert f"{names[home]} – {names[away]} · table 1" in desk.get(f"{here}/trace").text, "the match is gone"


def test_the_question_about_a_new_draw_shows_it(desk: TestClient, core: Core, evening: RunningTournament) -> None:
    propose(evening, fa.Draw)
    enter_results(evening, (2, 1))
    propose(evening, fa.Draw)
    before = core.tournaments.state(evening.id).draws[-1].draw
    first = core.tournaments.progress(evening.id).matches["s1-r1-1"]
    evening.decide(fa.Correct(first.id, first.home or "", first.away or "", (0, 1), why="misread"))
    here = f"/desk/t/{evening.id}"
    page = desk.get(here).text
    assert "The new draw would be:" in page
    assert "Keep this draw" in page
    question = core.tournaments.progress(evening.id).questions[0]
    other = re.search(r"The new draw would be:.*?</ol>", page, re.DOTALL)
    assert other is not None
    assert do(desk, here, event="rule", question=question.id, choice="redraw", why="corrected").status_code == 200
    propose(evening, fa.Draw)
    draw = core.tournaments.state(evening.id).draws[-1].draw
    names = {entry.id: entry.name for entry in core.tournaments.state(evening.id).entries.values()}
    assert draw != before
    assert all(f"{names[home]} – {names[away]}" in other[0] for home, away in draw.pairs)


def test_decisions_name_tables_and_sides_not_their_ids(desk: TestClient, core: Core) -> None:
    cup = start_tournament(core, plans.groups_then_knock_out("Coupe", "occasion", 2, 1), CLUBS[:4])
    for seed in range(100, 400, 100):
        for question in core.tournaments.progress(cup.id).questions:
            order = question.entries if question.kind == "level" else ()
            cup.decide(fa.Rule(question.id, "lot" if order else "home", tuple(order)), "sort")
        round_played(cup, seed)
    desk.get("/language/fr")
    trace = desk.get(f"/desk/t/{cup.id}/trace").text
    assert re.search(r" · Table \d</small>", trace)
    assert not re.search(r"\bt\d, match", trace)
    assert "Poule A" in desk.get(f"/desk/t/{cup.id}/matches").text
    standings = desk.get(f"/t/{cup.id}/standings").text
    assert "Poule A" in standings
    assert "Toutes rondes" not in standings
