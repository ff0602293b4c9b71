"""What the organiser decided stands: later corrections at a table, and copies, are told and change nothing."""

from __future__ import annotations

from random import Random

import pytest

from companion.hub.core import Core
from companion.tournament import facts as fa
from tests.hub.core_kit import Card
from tests.hub.desk_kit import GAME, ORGANISER, Evening, evening, ledger_of, score_of
from tests.hub.test_results import ended_otherwise, first_match


@pytest.fixture
def cup(core: Core) -> Evening:
    return evening(core)


def counted(cup: Evening) -> tuple[str, Card]:
    """A match that a journal has the result of."""
    match = first_match(cup)
    cup.call(match, 1)
    card = cup.played("t1", seed=1)
    cup.send(card)
    assert cup.score(match) == score_of(card)
    return match, card


def corrected(cup: Evening, card: Card) -> None:
    """The table takes its match back, plays it to another end and confirms that."""
    card.write(*ended_otherwise(card))
    cup.send(card)


def copied(card: Card) -> Card:
    """A copy of a card from before the match was over, played to another score."""
    for seed in range(77, 177):
        twin = Card(card.table, card.epoch, card.lines[:-3])
        ledger, random = ledger_of(twin), Random(seed)
        while not GAME.finished(ledger.state):
            event = GAME.random_event(ledger.state, random)
            ledger.commit(ledger.propose(event))
            twin.write(event)
        if score_of(twin) != score_of(card):
            return twin
    raise AssertionError("the match always ends with this score")


def again(cup: Evening) -> int:
    assignment = cup.core.tournaments.assignment("t1")
    assert assignment is not None
    return assignment.again


def said(cup: Evening) -> list[str]:
    return [notice.message.id for notice in cup.core.views.notices()]


def test_an_annulled_game_does_not_come_back_by_a_correction(cup: Evening) -> None:
    match, card = counted(cup)
    cup.decide(fa.Annul(match), "wrong dice")
    corrected(cup, card)
    assert cup.status(match) == "ready"
    assert said(cup) == ["tournament.hub.notice.earlier_game"]


def test_the_organiser_may_have_an_annulled_game_count_after_all(cup: Evening) -> None:
    match, card = counted(cup)
    cup.decide(fa.Annul(match), "wrong dice")
    cup.core.tournaments.count("t1", card.epoch, cup.id, match, ORGANISER)
    assert cup.score(match) == score_of(card)
    cup.decide(fa.Annul(match), "wrong dice")
    corrected(cup, card)
    cup.core.tournaments.count("t1", card.epoch, cup.id, match, ORGANISER)
    assert (cup.score(match), cup.notices()) == (score_of(card), [])
    cup.decide(fa.Annul(match), "wrong dice after all")
    corrected(cup, card)
    assert cup.status(match) == "ready", "that it was counted once by hand says nothing of later"


def test_the_game_after_an_annulled_one_is_not_disturbed_by_it(cup: Evening) -> None:
    match, card = counted(cup)
    cup.decide(fa.Annul(match), "wrong dice")
    cup.call(match, 1)
    replayed = cup.played("t1", seed=5)
    half = len(replayed.lines) // 2
    cup.core.inbox.take([replayed.batch(1, half)])
    corrected(cup, card)
    assert (cup.status(match), again(cup)) == ("called", 1)
    cup.core.inbox.take([replayed.batch(half + 1)], [replayed.confirmation()])
    assert cup.score(match) == score_of(replayed)
    assert said(cup) == ["tournament.hub.notice.earlier_game"]
    corrected(cup, replayed)
    assert cup.score(match) == score_of(replayed), "the journal that counts is corrected as ever"


def test_a_copy_that_is_chosen_after_the_annulment_does_not_count(cup: Evening) -> None:
    match, card = counted(cup)
    cup.send(copied(card))
    cup.decide(fa.Annul(match), "wrong dice")
    cup.call(match, 1)
    replayed = cup.played("t1", seed=5)
    cup.core.tournaments.choose("t1", card.epoch, 1, ORGANISER)
    assert (cup.status(match), said(cup)) == ("called", ["tournament.hub.notice.earlier_game"])
    assert again(cup) == 1
    cup.send(replayed)
    assert cup.score(match) == score_of(replayed)


def test_both_journals_of_a_copied_card_are_one_game(cup: Evening) -> None:
    match, card = counted(cup)
    twin = copied(card)
    cup.send(twin)
    cup.core.tournaments.choose("t1", card.epoch, 1, ORGANISER)
    assert cup.score(match) == score_of(twin)
    cup.decide(fa.Annul(match), "wrong dice")
    cup.call(match, 1)
    assert again(cup) == 1
    replayed = cup.played("t1", seed=5)
    cup.core.tournaments.choose("t1", card.epoch, 1, ORGANISER)
    cup.send(replayed)
    assert cup.score(match) == score_of(replayed)


def test_a_forfeit_after_an_annulment_stands(cup: Evening) -> None:
    match, card = counted(cup)
    cup.decide(fa.Annul(match), "gave up")
    cup.decide(fa.Forfeit(match, "home"), "gave up")
    score = cup.score(match)
    corrected(cup, card)
    assert (cup.score(match), said(cup)) == (score, ["tournament.hub.notice.result_differs"])


def test_a_correction_by_the_organiser_stands_until_the_organiser_corrects_it(cup: Evening) -> None:
    match, card = counted(cup)
    seats = cup.core.tournaments.course(cup.id).matches[match]
    by_hand = fa.Correct(match, seats.home or "", seats.away or "", (9, 0), "home", why="a loaded die")
    cup.decide(by_hand, "a loaded die")
    corrected(cup, card)
    assert (cup.score(match), said(cup)) == ((9, 0), ["tournament.hub.notice.result_differs"])
    live = cup.core.views.match(cup.id, match)
    assert live is not None
    assert live.review
    home, away = score_of(card)
    cup.decide(fa.Correct(match, seats.home or "", seats.away or "", (home, away), why="the table is right"))
    assert (cup.score(match), cup.notices()) == ((home, away), [])


def test_what_stands_is_known_after_a_restart(cup: Evening, core: Core) -> None:
    match, card = counted(cup)
    core.tournaments._shared.forget()
    corrected(cup, card)
    assert cup.score(match) == score_of(card), "it is still the journal's own result"
    cup.decide(fa.Annul(match), "wrong dice")
    core.tournaments._shared.forget()
    corrected(cup, card)
    assert (cup.status(match), cup.notices()) == ("ready", ["result_differs"])


def test_a_dismissed_correction_leaves_nothing_under_review(cup: Evening) -> None:
    match, card = counted(cup)
    seats = cup.core.tournaments.course(cup.id).matches[match]
    cup.decide(fa.Correct(match, seats.home or "", seats.away or "", (9, 0), "home"), "a loaded die")
    corrected(cup, card)
    (notice,) = cup.core.views.notices()
    cup.core.tournaments.dismiss(notice.id, ORGANISER)
    live = cup.core.views.match(cup.id, match)
    assert live is not None
    assert (live.review, cup.score(match)) == (False, (9, 0))
    cup.send(card)
    assert cup.notices() == [], "what was dismissed is not told again"
