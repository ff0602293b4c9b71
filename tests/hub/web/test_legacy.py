"""A legacy tournament of four players (NBA-13.2) through the desk's forms: thresholds, cards kept, the last match."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from companion.games.nba import NBA
from companion.games.nba.greedy_player import greedy_event
from companion.games.nba.preparation import NbaPreparation
from companion.games.nba.tables import SIDES
from companion.hub.core import Core
from companion.journal.codec import decode
from companion.journal.ledger import Ledger
from companion.table.catalogues.card_store import SampleCards
from companion.table.tournament_desk import complete_header
from companion.tournament import facts as fa
from tests.hub.core_kit import StoredTableJournal
from tests.hub.desk_kit import RunningTournament
from tests.hub.web.pages_kit import called, do, mark_of, organiser, propose

PLAYERS = ("Ana", "Bea", "Cleo", "Dora")
THRESHOLD = 3


@pytest.fixture
def desk(app: FastAPI) -> TestClient:
    """Return the organiser's client."""
    return organiser(app)


def create(desk: TestClient, **fields: str) -> Any:
    """Send the form of a new tournament of NBA in a knock-out."""
    form = {"name": "Legacy", "game": "nba", "format": "knock_out", "tables": "2", "rest": "0", **fields}
    return desk.post("/desk/do/create", data={"form": mark_of(desk.get("/desk")), **form})


def prepared(core: Core, table: str) -> Mapping[str, Any]:
    """Return the header of the match called to a table, as the table's preparation makes it."""
    assignment = core.tournaments.assignment(table)
    assert assignment is not None
    plan = NbaPreparation({}, SampleCards())
    seats = dict(zip(SIDES, assignment.sides, strict=False))
    plan.decide(assignment.setup, seats)
    plan.choose("duration", "short")
    assert plan.missing() == ()
    decided = {"sides": assignment.sides, "setup": assignment.setup, "tournament": assignment.mark}
    return complete_header(plan.header(), decided)


def played(evening: RunningTournament, table: str, seed: int) -> StoredTableJournal:
    """Play the called match to its end with the greedy player."""
    evening.epoch += 1
    card, random = StoredTableJournal(table, evening.epoch), Random(seed)
    card.write(dict(prepared(evening.core, table)))
    ledger = Ledger(NBA, decode(card.lines[0]))
    while not NBA.finished(ledger.state):
        fields = greedy_event(ledger.state, random)
        ledger.commit(ledger.propose(fields))
        card.write(dict(fields))
    return card


def offered(page: str, entry: str) -> dict[str, Sequence[str]]:
    """Return the cards that the form of an entry offers, by kind."""
    form = next(form for form in re.findall(r"<form.*?</form>", page, re.DOTALL) if f'value="{entry}"' in form)
    selects = re.findall(r'<select name="(\w+)">(.*?)</select>', form, re.DOTALL)
    return {kind: [id for id in re.findall(r'value="([^"]*)"', options) if id] for kind, options in selects}


def test_four_players_keep_cards_between_two_rounds(desk: TestClient, core: Core) -> None:
    created = create(desk, thresholds=str(THRESHOLD))
    assert created.status_code == 200, created.text
    id = created.url.path.split("/")[3]
    assert core.tournaments.state(id).plan.stages[0].thresholds == (THRESHOLD,)
    assert do(desk, f"/desk/t/{id}/entries", event="enter_many", lines="\n".join(PLAYERS)).status_code == 200
    assert do(desk, f"/desk/t/{id}", event="start").status_code == 200
    evening = RunningTournament(core, id)
    propose(evening, fa.Call)
    games = called(evening)
    assert len(games) == 2
    for seed, table in enumerate(games):
        header = prepared(core, table)
        assert header["setup"]["legacy"] == {"stage": 1, "threshold": 0, "kept": {"home": [], "away": []}}
        evening.send(played(evening, table, seed))
    kept = {entry: cards for match in games.values() for entry, cards in keep_first(desk, evening, match).items()}
    propose(evening, fa.Call)
    ((table, match),) = called(evening).items()
    final = core.tournaments.progress(id).matches[match]
    header = prepared(core, table)
    seats = {"home": final.home, "away": final.away}
    assert header["setup"]["legacy"] == {
        "stage": 2, "threshold": THRESHOLD, "kept": {side: kept[str(entry)] for side, entry in seats.items()},
    }  # fmt: skip
    for side, entry in seats.items():
        roster = header["setup"]["rosters"][side]
        assert set(kept[str(entry)]) <= {*roster["bench"], *roster["tactics"]}
        assert (len(roster["bench"]), len(roster["tactics"])) == (7, 5)
    first = next(iter(games.values()))
    late = do(desk, f"/desk/t/{id}/match/{first}", event="keep", match=first, entry=winner_of(evening, first))
    assert late.status_code == 409
    assert "ne changent plus" in late.text
    evening.send(played(evening, table, 9))
    assert core.tournaments.progress(id).champion in seats.values()


def winner_of(evening: RunningTournament, match: str) -> str:
    """Return the entry that won a match."""
    found = evening.core.tournaments.progress(evening.id).matches[match]
    return str(found.home if found.winner == "home" else found.away)


def keep_first(desk: TestClient, evening: RunningTournament, match: str) -> dict[str, list[str]]:
    """Keep for both sides the first card of each kind that the desk offers, after a choice that is changed."""
    page, kept = f"/desk/t/{evening.id}/match/{match}", {}
    found = evening.core.tournaments.progress(evening.id).matches[match]
    for entry in (str(found.home), str(found.away)):
        cards = offered(desk.get(page).text, entry)
        refused = do(desk, page, event="keep", match=match, entry=entry, player="nba-unknown")
        assert refused.status_code == 409
        chosen = {kind: ids[0] for kind, ids in cards.items() if ids}
        assert chosen, "the match offers no card"
        assert do(desk, page, event="keep", match=match, entry=entry).status_code == 200
        assert do(desk, page, event="keep", match=match, entry=entry, **chosen).status_code == 200
        kept[entry] = [chosen[kind] for kind in ("player", "tactic") if kind in chosen]
    return kept


def test_a_result_on_paper_asks_for_number_and_cost(desk: TestClient, core: Core) -> None:
    id = create(desk, thresholds="3").url.path.split("/")[3]
    do(desk, f"/desk/t/{id}/entries", event="enter_many", lines="\n".join(PLAYERS))
    do(desk, f"/desk/t/{id}", event="start")
    match = next(each for each in core.tournaments.progress(id).matches.values() if each.status == "ready")
    page = f"/desk/t/{id}/match/{match.id}"
    score = {"home": match.home, "away": match.away, "home_points": "60", "away_points": "50"}
    assert do(desk, page, event="result", match=match.id, **score).status_code == 200
    fields = {"event": "keep", "match": match.id, "entry": match.home, "player": "nba-01"}
    assert do(desk, page, **fields, player_cost="4").status_code == 409
    assert do(desk, page, **fields, player_cost="2").status_code == 200
    assert core.tournaments.state(id).kept == (fa.Keep(match.id, str(match.home), "nba-01", 2),)
    assert "nba-01" in desk.get(page).text


@pytest.mark.parametrize(
    "fields",
    [
        {"game": "occasion"},
        {"format": "groups"},
        {"format": "double_knock_out"},
        {"thresholds": "3 2"},
        {"thresholds": "x"},
    ],
)
def test_thresholds_need_a_game_a_format_and_rising_numbers(
    desk: TestClient, core: Core, fields: dict[str, str]
) -> None:
    assert create(desk, **{"thresholds": "3", **fields}).status_code == 409
    assert core.tournaments.all() == ()
