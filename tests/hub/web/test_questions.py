"""Questions of the desk before something that looks like a mistake; what a yes records, and what the public sees."""

from __future__ import annotations

import re

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from httpx import Response

from companion.hub.core import Core
from companion.messages.tournament import called_match
from companion.tournament import facts as fa
from companion.tournament import planning
from companion.tournament.match_choices import CHOICES
from tests.hub.desk_kit import RunningTournament, score_of
from tests.hub.web.pages_kit import called, do, mark_of, organiser, propose, visitor


@pytest.fixture
def desk(app: FastAPI) -> TestClient:
    return organiser(app)


@pytest.fixture
def playing(evening: RunningTournament) -> str:
    """Return a match in play at table 1."""
    propose(evening, fa.Draw)
    propose(evening, fa.Call)
    match, card = called(evening)["t1"], evening.played("t1", 3)
    evening.core.inbox.accept([card.batch(1, len(card.lines) - 3)], [])
    live = evening.core.views.match(evening.id, match)
    assert live is not None
    assert not live.over
    return match


def result_of(evening: RunningTournament, match: str, home: int, away: int) -> dict[str, str]:
    seats = evening.core.tournaments.progress(evening.id).matches[match].seats
    points = {"home_points": str(home), "away_points": str(away)}
    return {"event": "result", "match": match, "home": seats[0] or "", "away": seats[1] or "", **points}


def yes(desk: TestClient, asked: Response) -> Response:
    """Answer the questions of a page with yes, by the fields of its form."""
    found = re.search(r'<form class="card call form" role="alert".*?</form>', asked.text, re.DOTALL)
    assert found, "no question"
    fields: dict[str, list[str]] = {}
    for name, value in re.findall(r'name="(\w+)" value="([^"]*)"', found[0]):
        fields.setdefault(name, []).append(value.replace("&#34;", '"').replace("&#39;", "'").replace("&amp;", "&"))
    return desk.post(asked.url, data=fields)


@pytest.mark.parametrize("event", ["result", "forfeit", "double_forfeit", "uncall"])
def test_a_decision_about_a_match_in_play_is_asked_about(
    desk: TestClient, evening: RunningTournament, playing: str, event: str
) -> None:
    page = f"/desk/t/{evening.id}/match/{playing}"
    sent = {**result_of(evening, playing, 21, 10), "event": event, "side": "home", "why": "late"}
    asked = do(desk, page, **sent)
    assert asked.status_code == 409
    assert "La table 1 joue ce match" in asked.text.replace("\xa0", " ")
    assert evening.status(playing) == "called", "nothing is recorded before the answer"
    assert yes(desk, asked).status_code == 200
    assert evening.status(playing) == ("ready" if event == "uncall" else "done")


def test_a_match_that_waits_for_its_confirmation_is_asked_about_only_for_another_result(
    desk: TestClient, evening: RunningTournament
) -> None:
    propose(evening, fa.Draw)
    propose(evening, fa.Call)
    match, card = called(evening)["t1"], evening.played("t1", 3)
    evening.send(card, confirmed=False)
    page = f"/desk/t/{evening.id}/match/{match}"
    home, away = score_of(card)
    assert "a fini ce match" in do(desk, page, **result_of(evening, match, home + 1, away)).text
    assert do(desk, page, **result_of(evening, match, home, away)).status_code == 200
    assert evening.status(match) == "done"


def test_the_result_that_counts_is_the_large_one(app: FastAPI, evening: RunningTournament, playing: str) -> None:
    page = f"/t/{evening.id}/match/{playing}"
    with visitor(app) as guest:
        assert 'aria-label="Score"' in guest.get(page).text
        seats = evening.core.tournaments.progress(evening.id).matches[playing].seats
        evening.decide(fa.Result(playing, seats[0] or "", seats[1] or "", (21, 10)), "by the referee")
        result = guest.get(page).text
    assert '<div class="score"><span>21</span><i></i><span>10</span>' in result
    assert "Le résultat est celui que l’organisateur a retenu" in result


def create(desk: TestClient, **fields: str) -> Response:
    """Submit the form of a new tournament with its first values and these."""
    game, format = fields.get("game", "hoops21"), fields.get("format", "knock_out")
    page = desk.get("/desk/new", params={"game": game, "format": format})
    form = {"form": mark_of(page), "name": "Coupe", "game": game, "format": format, "tables": "2", "minutes": "30"}
    return desk.post("/desk/do/create", data={**form, **fields})


def started(desk: TestClient, core: Core, **fields: str) -> RunningTournament:
    """Return a tournament of four entries with the fields of the form."""
    made = create(desk, **fields)
    assert made.status_code == 200, made.text
    found = RunningTournament(core, made.url.path.split("/")[3])
    for number in range(1, 5):
        found.decide(fa.Enter(f"e{number}", f"Player {number}"))
    found.decide(fa.Start())
    return found


def test_the_tournament_says_what_a_match_is(desk: TestClient, core: Core) -> None:
    page = desk.get("/desk/new?game=hoops21&format=knock_out").text
    assert 'name="match_target"' in page
    assert 'value="21" selected' in page
    cup = started(desk, core, match_target="15", match_faces="[3, 1, 1, 1]")
    state = core.tournaments.state(cup.id)
    assert state.plan.match["target"] == 15
    assert state.plan.match["faces"] == [3, 1, 1, 1]
    assert state.plan.match["material"] == "", "also what has only one value"
    match = next(iter(core.tournaments.progress(cup.id).matches.values()))
    sent = called_match(cup.id, state, match, page=lambda tournament, id: None)
    assert sent.header[CHOICES]["target"] == 15
    again = planning.parse(planning.to_json(state.plan))
    assert again == state.plan
    assert create(desk, match_target="22").status_code == 409, "no value of the game"


@pytest.mark.parametrize(
    ("home", "away", "doubt"),
    [(15, 9, ""), (16, 14, ""), (21, 21, "match nul"), (12, 9, "15 points"), (17, 16, "15 points")],
)
def test_a_score_against_the_rules_is_asked_about(
    desk: TestClient, core: Core, home: int, away: int, doubt: str
) -> None:
    cup = started(desk, core, format="round_robin", match_target="15")
    match = next(iter(core.tournaments.progress(cup.id).matches))
    page = f"/desk/t/{cup.id}/match/{match}"
    answer = do(desk, page, **result_of(cup, match, home, away))
    if doubt:
        assert answer.status_code == 409
        assert doubt in answer.text
        assert cup.score(match) is None
        answer = yes(desk, answer)
    assert answer.status_code == 200
    assert cup.score(match) == (home, away)


def test_a_table_of_another_tournament_is_asked_about(desk: TestClient, core: Core, evening: RunningTournament) -> None:
    propose(evening, fa.Draw)
    propose(evening, fa.Call)
    cup = started(desk, core, name="Coupe du soir", format="round_robin")
    match = next(iter(core.tournaments.progress(cup.id).matches))
    asked = do(desk, f"/desk/t/{cup.id}/match/{match}", event="call", match=match, table="1")
    assert asked.status_code == 409
    assert "Coupe des Baies" in asked.text
    assert not core.tournaments.state(cup.id).calls
    assert yes(desk, asked).status_code == 200
    assert core.tournaments.state(cup.id).calls[match].table == 1
