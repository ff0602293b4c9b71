"""Journals at the organiser's desk: which copy of a card counts, and which journal counts for which match."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from httpx import Response

from companion.clock import ManualClock
from companion.hub.core import Core
from companion.hub.retention import RetentionTerms
from companion.tournament import facts as fa
from tests.hub import desk_kit
from tests.hub.core_kit import StoredTableJournal, played
from tests.hub.desk_kit import RunningTournament, score_of
from tests.hub.test_decided import copied, corrected, reported_match
from tests.hub.web.pages_kit import CLUBS, do, mark_of, organiser, propose, start_tournament
from tests.tournament import plans

DAY = 24 * 3600


@pytest.fixture
def desk(app: FastAPI) -> TestClient:
    """Return the organiser's client."""
    return organiser(app)


@pytest.fixture
def cup(core: Core) -> RunningTournament:
    """Start a round robin of four."""
    return desk_kit.evening(core)


def offered(page: str) -> list[dict[str, str]]:
    """Return the desk's forms that select another journal, both visible and folded."""
    forms = re.findall(r'<form[^>]*action="/desk/do/choose">.*?</form>', page, re.DOTALL)
    return [dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form)) for form in forms]


def in_view(page: str) -> str:
    return re.sub(r"<details.*?</details>", "", page, flags=re.DOTALL)


def two_copies(cup: RunningTournament) -> tuple[str, StoredTableJournal, StoredTableJournal]:
    match, card = reported_match(cup)
    twin = copied(card)
    cup.send(twin)
    return match, card, twin


def test_a_choice_that_is_sent_twice_is_made_once(desk: TestClient, cup: RunningTournament) -> None:
    match, _, twin = two_copies(cup)
    (form,) = offered(in_view(desk.get("/desk").text))
    for _ in range(2):
        assert desk.post("/desk/do/choose", data=form).status_code == 200
        assert cup.score(match) == score_of(twin)


def test_after_a_choice_nothing_is_asked_but_the_way_back_is_there(desk: TestClient, cup: RunningTournament) -> None:
    match, card, _ = two_copies(cup)
    (form,) = offered(desk.get("/desk").text)
    page = desk.post("/desk/do/choose", data=form).text
    assert offered(in_view(page)) == []
    assert cup.notices() == []
    (back,) = offered(page)
    assert desk.post("/desk/do/choose", data=back).status_code == 200
    assert cup.score(match) == score_of(card)


def test_a_choice_on_an_old_page_names_the_journal_that_was_seen(desk: TestClient, cup: RunningTournament) -> None:
    """With three copies, other choices have meanwhile changed the numbering."""
    match, _, twin = two_copies(cup)
    third = StoredTableJournal(
        twin.table, twin.epoch, [*twin.lines[:-1], twin.lines[-1].replace(b"{", b'{"note": "third", ', 1)]
    )
    cup.send(third)
    first, second = offered(desk.get("/desk").text)
    for form in (second, first):
        assert desk.post("/desk/do/choose", data=form).status_code == 200
    before = cup.core.views.journals()
    assert next(row.id for row in before if row.branch == 0) == int(first["journal"])
    late = desk.post("/desk/do/choose", data=second)
    assert late.status_code == 409
    assert "autre choix" in late.text
    assert cup.core.views.journals() == before
    assert cup.score(match) == score_of(twin)


def test_a_choice_without_the_journal_is_refused(desk: TestClient, cup: RunningTournament) -> None:
    _, card, _ = two_copies(cup)
    form = {"form": mark_of(desk.get("/desk")), "of_table": card.table, "epoch": str(card.epoch), "branch": "1"}
    assert desk.post("/desk/do/choose", data=form).status_code == 409


def free(core: Core) -> StoredTableJournal:
    """Play and send a finished match that is in no tournament."""
    card = played("t1", 77, desk_kit.GAME.id, 3)
    core.inbox.accept([card.batch()])
    return card


def may_count(desk: TestClient, cup: RunningTournament, match: str) -> bool:
    return 'value="count"' in desk.get(f"/desk/t/{cup.id}/match/{match}").text


def count(desk: TestClient, cup: RunningTournament, match: str, card: StoredTableJournal) -> Response:
    page = f"/desk/t/{cup.id}/match/{match}"
    return do(desk, page, event="count", match=match, of_table=card.table, epoch=str(card.epoch))


def test_a_journal_counts_for_one_match(desk: TestClient, core: Core, cup: RunningTournament) -> None:
    one, two = list(core.tournaments.progress(cup.id).matches)[:2]
    card = free(core)
    cup.call(one, 1)
    cup.call(two, 2)
    assert may_count(desk, cup, one)
    assert may_count(desk, cup, two)
    assert count(desk, cup, one, card).status_code == 200
    assert count(desk, cup, one, card).status_code == 200, "sent twice"
    assert not may_count(desk, cup, two)
    late = count(desk, cup, two, card)
    assert late.status_code == 409
    assert "compte déjà pour le match Player 1 – Player 4" in late.text
    assert (cup.score(one), cup.status(two)) == (score_of(card), "called")


def test_a_journal_that_was_counted_for_the_wrong_match_can_count_for_the_right_one(
    desk: TestClient, core: Core, cup: RunningTournament
) -> None:
    wrong, right = list(core.tournaments.progress(cup.id).matches)[:2]
    card = free(core)
    assert count(desk, cup, wrong, card).status_code == 200
    assert (
        do(desk, f"/desk/t/{cup.id}/match/{wrong}", event="annul", match=wrong, why="a wrong click").status_code == 200
    )
    assert may_count(desk, cup, right)
    assert count(desk, cup, right, card).status_code == 200
    assert (cup.status(wrong), cup.score(right)) == ("ready", score_of(card))


def test_a_game_that_waits_can_be_counted_on_its_match_s_page(desk: TestClient, cup: RunningTournament) -> None:
    match, card = reported_match(cup)
    cup.decide(fa.Annul(match), "wrong dice")
    corrected(cup, card)
    assert cup.status(match) == "ready"
    assert may_count(desk, cup, match)
    assert count(desk, cup, match, card).status_code == 200
    assert (cup.score(match), cup.notices()) == (score_of(card), [])


def test_a_deleted_journal_is_not_offered_and_is_refused(
    app: FastAPI, core: Core, cup: RunningTournament, clock: ManualClock
) -> None:
    match = next(iter(core.tournaments.progress(cup.id).matches))
    card = free(core)
    clock.advance(2 * DAY)
    cup.decide(fa.Table(4, False))
    core.retention.set_terms(RetentionTerms(names_days=1))
    assert core.retention.sweep() == 1
    desk = organiser(app)
    assert not may_count(desk, cup, match)
    late = count(desk, cup, match, card)
    assert late.status_code == 409
    assert "Ce journal a été effacé" in late.text


def test_the_page_of_a_match_says_that_its_journal_was_deleted(
    desk: TestClient, core: Core, cup: RunningTournament
) -> None:
    match = next(iter(core.tournaments.progress(cup.id).matches))
    cup.call(match, 1)
    card = cup.played("t1", seed=1)
    core.inbox.accept([card.batch(1, 30)])
    core.retention.forget_entry(cup.id, "e1", "Claire")
    core.inbox.accept([card.batch(31)], [card.confirmation()])
    page = desk.get(f"/desk/t/{cup.id}/match/{match}").text
    assert "Ce que Table 1 a envoyé est effacé" in page
    assert "demandez le score" in desk.get("/desk").text


def test_a_match_with_other_settings_is_a_notice_on_now_and_counts_from_the_page_of_the_match(
    app: FastAPI, core: Core
) -> None:
    cup = start_tournament(core, replace(plans.round_robin("Cup", "hoops21"), match={"target": 15}), CLUBS[:2])
    propose(cup, fa.Call)
    card = cup.played("t1", 1, plan=replace(core.tournaments.state(cup.id).plan, match={"target": 7}))
    cup.send(card)
    desk = organiser(app)
    desk.get("/language/en")
    (match,) = core.tournaments.progress(cup.id).matches
    now = desk.get(f"/desk/t/{cup.id}").text
    assert "with other settings than the tournament’s: Points to win: 7, not 15" in now
    assert f'href="/desk/t/{cup.id}/match/{match}"' in now
    fields = {"event": "count", "match": match, "of_table": "t1", "epoch": str(card.epoch), "why": "agreed"}
    assert do(desk, f"/desk/t/{cup.id}/match/{match}", **fields).status_code == 200
    assert core.tournaments.progress(cup.id).matches[match].status == "done"
    assert "other settings" not in desk.get(f"/desk/t/{cup.id}").text
