"""The journals at the organiser's desk: which of a copied card counts, and which one counts for which match."""

from __future__ import annotations

import re

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from httpx import Response

from companion.clock import ManualClock
from companion.hub.core import Core
from companion.hub.retention import Terms
from companion.tournament import facts as fa
from tests.hub import desk_kit
from tests.hub.core_kit import Card, played
from tests.hub.desk_kit import Evening, score_of
from tests.hub.test_decided import copied, corrected, counted
from tests.hub.web.pages_kit import do, mark_of, organiser

DAY = 24 * 3600


@pytest.fixture
def desk(app: FastAPI) -> TestClient:
    """The organiser."""
    return organiser(app)


@pytest.fixture
def cup(core: Core) -> Evening:
    """A round robin of four."""
    return desk_kit.evening(core)


def offered(page: str) -> list[dict[str, str]]:
    """The forms of the desk's first page that let another journal count, those in view and those folded away."""
    forms = re.findall(r'<form[^>]*action="/desk/do/choose">.*?</form>', page, re.DOTALL)
    return [dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form)) for form in forms]


def in_view(page: str) -> str:
    return re.sub(r"<details.*?</details>", "", page, flags=re.DOTALL)


def two_copies(cup: Evening) -> tuple[str, Card, Card]:
    match, card = counted(cup)
    twin = copied(card)
    cup.send(twin)
    return match, card, twin


def test_a_choice_that_is_sent_twice_is_made_once(desk: TestClient, cup: Evening) -> None:
    match, _, twin = two_copies(cup)
    (form,) = offered(in_view(desk.get("/desk").text))
    for _ in range(2):
        assert desk.post("/desk/do/choose", data=form).status_code == 200
        assert cup.score(match) == score_of(twin)


def test_after_a_choice_nothing_is_asked_but_the_way_back_is_there(desk: TestClient, cup: Evening) -> None:
    match, card, _ = two_copies(cup)
    (form,) = offered(desk.get("/desk").text)
    page = desk.post("/desk/do/choose", data=form).text
    assert offered(in_view(page)) == []
    assert cup.notices() == []
    (back,) = offered(page)
    assert desk.post("/desk/do/choose", data=back).status_code == 200
    assert cup.score(match) == score_of(card)


def test_a_choice_on_an_old_page_names_the_journal_that_was_seen(desk: TestClient, cup: Evening) -> None:
    """Three copies; meanwhile others have chosen, so that the numbers have changed."""
    match, _, twin = two_copies(cup)
    third = Card(twin.table, twin.epoch, [*twin.lines[:-1], twin.lines[-1].replace(b"{", b'{"note": "third", ', 1)])
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


def test_a_choice_without_the_journal_is_refused(desk: TestClient, cup: Evening) -> None:
    _, card, _ = two_copies(cup)
    form = {"form": mark_of(desk.get("/desk")), "of_table": card.table, "epoch": str(card.epoch), "branch": "1"}
    assert desk.post("/desk/do/choose", data=form).status_code == 409


def free(core: Core) -> Card:
    """A game of no tournament, over and there."""
    card = played("t1", 77, desk_kit.GAME.id, 3)
    core.inbox.take([card.batch()])
    return card


def may_count(desk: TestClient, cup: Evening, match: str) -> bool:
    return 'value="count"' in desk.get(f"/desk/t/{cup.id}/match/{match}").text


def count(desk: TestClient, cup: Evening, match: str, card: Card) -> Response:
    page = f"/desk/t/{cup.id}/match/{match}"
    return do(desk, page, event="count", match=match, of_table=card.table, epoch=str(card.epoch))


def test_a_journal_counts_for_one_match(desk: TestClient, core: Core, cup: Evening) -> None:
    one, two = list(core.tournaments.course(cup.id).matches)[:2]
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
    desk: TestClient, core: Core, cup: Evening
) -> None:
    wrong, right = list(core.tournaments.course(cup.id).matches)[:2]
    card = free(core)
    assert count(desk, cup, wrong, card).status_code == 200
    assert (
        do(desk, f"/desk/t/{cup.id}/match/{wrong}", event="annul", match=wrong, why="a wrong click").status_code == 200
    )
    assert may_count(desk, cup, right)
    assert count(desk, cup, right, card).status_code == 200
    assert (cup.status(wrong), cup.score(right)) == ("ready", score_of(card))


def test_a_game_that_waits_can_be_counted_on_its_match_s_page(desk: TestClient, cup: Evening) -> None:
    match, card = counted(cup)
    cup.decide(fa.Annul(match), "wrong dice")
    corrected(cup, card)
    assert cup.status(match) == "ready"
    assert may_count(desk, cup, match)
    assert count(desk, cup, match, card).status_code == 200
    assert (cup.score(match), cup.notices()) == (score_of(card), [])


def test_a_deleted_journal_is_not_offered_and_is_refused(
    app: FastAPI, core: Core, cup: Evening, clock: ManualClock
) -> None:
    match = next(iter(core.tournaments.course(cup.id).matches))
    card = free(core)
    clock.advance(2 * DAY)
    cup.decide(fa.Table(4, False))
    core.retention.set_terms(Terms(names_days=1))
    assert core.retention.sweep() == 1
    desk = organiser(app)
    assert not may_count(desk, cup, match)
    late = count(desk, cup, match, card)
    assert late.status_code == 409
    assert "Ce journal a été effacé" in late.text


def test_the_page_of_a_match_says_that_its_journal_was_deleted(desk: TestClient, core: Core, cup: Evening) -> None:
    match = next(iter(core.tournaments.course(cup.id).matches))
    cup.call(match, 1)
    card = cup.played("t1", seed=1)
    core.inbox.take([card.batch(1, 30)])
    core.retention.forget_entry(cup.id, "e1", "Claire")
    core.inbox.take([card.batch(31)], [card.confirmation()])
    page = desk.get(f"/desk/t/{cup.id}/match/{match}").text
    assert f"Le journal de t1 a été effacé ({len(card.lines)} lignes)" in page
    assert "demandez le score" in desk.get("/desk").text
