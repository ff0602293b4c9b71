"""The organiser's decisions are final: later corrections at a table, and copies, are reported and change nothing."""

from __future__ import annotations

from random import Random

import pytest

from companion.hub.core import Core
from companion.hub.models import MatchRef
from companion.tournament import facts as fa
from tests.hub.core_kit import StoredTableJournal
from tests.hub.desk_kit import GAME, ORGANISER, RunningTournament, evening, ledger_of, score_of
from tests.hub.test_results import ended_otherwise, first_match


@pytest.fixture
def cup(core: Core) -> RunningTournament:
    return evening(core)


def reported_match(cup: RunningTournament) -> tuple[str, StoredTableJournal]:
    """Return a match whose result comes from a journal."""
    match = first_match(cup)
    cup.call(match, 1)
    card = cup.played("t1", seed=1)
    cup.send(card)
    assert cup.score(match) == score_of(card)
    return match, card


def corrected(cup: RunningTournament, card: StoredTableJournal) -> None:
    """The table undoes its match, plays it to another end and confirms it."""
    card.write(*ended_otherwise(card))
    cup.send(card)


def copied(card: StoredTableJournal) -> StoredTableJournal:
    """Return a copy of a card from before the match ended, played to another score."""
    for seed in range(77, 177):
        twin = StoredTableJournal(card.table, card.epoch, card.lines[:-3])
        ledger, random = ledger_of(twin), Random(seed)
        while not GAME.finished(ledger.state):
            event = GAME.random_event(ledger.state, random)
            ledger.commit(ledger.propose(event))
            twin.write(event)
        if score_of(twin) != score_of(card):
            return twin
    raise AssertionError("the match always ends with this score")


def again(cup: RunningTournament) -> int:
    assignment = cup.core.tournaments.assignment("t1")
    assert assignment is not None
    return assignment.again


def notice_ids(cup: RunningTournament) -> list[str]:
    return [notice.message.id for notice in cup.core.views.notices()]


def test_an_annulled_game_does_not_come_back_by_a_correction(cup: RunningTournament) -> None:
    match, card = reported_match(cup)
    cup.decide(fa.Annul(match), "wrong dice")
    corrected(cup, card)
    assert cup.status(match) == "ready"
    assert notice_ids(cup) == ["tournament.hub.notice.earlier_game"]


def test_the_organiser_may_have_an_annulled_game_count_after_all(cup: RunningTournament) -> None:
    match, card = reported_match(cup)
    cup.decide(fa.Annul(match), "wrong dice")
    cup.core.tournaments.count_journal(("t1", card.epoch), MatchRef(cup.id, match), ORGANISER)
    assert cup.score(match) == score_of(card)
    cup.decide(fa.Annul(match), "wrong dice")
    corrected(cup, card)
    cup.core.tournaments.count_journal(("t1", card.epoch), MatchRef(cup.id, match), ORGANISER)
    assert (cup.score(match), cup.notices()) == (score_of(card), [])
    cup.decide(fa.Annul(match), "wrong dice after all")
    corrected(cup, card)
    assert cup.status(match) == "ready", "that it was counted once by hand says nothing of later"


def test_the_game_after_an_annulled_one_is_not_disturbed_by_it(cup: RunningTournament) -> None:
    match, card = reported_match(cup)
    cup.decide(fa.Annul(match), "wrong dice")
    cup.call(match, 1)
    replayed = cup.played("t1", seed=5)
    half = len(replayed.lines) // 2
    cup.core.inbox.accept([replayed.batch(1, half)])
    corrected(cup, card)
    assert (cup.status(match), again(cup)) == ("called", 1)
    cup.core.inbox.accept([replayed.batch(half + 1)], [replayed.confirmation()])
    assert cup.score(match) == score_of(replayed)
    assert notice_ids(cup) == ["tournament.hub.notice.earlier_game"]
    corrected(cup, replayed)
    assert cup.score(match) == score_of(replayed), "the journal that counts is corrected as ever"


def test_a_copy_that_is_chosen_after_the_annulment_does_not_count(cup: RunningTournament) -> None:
    match, card = reported_match(cup)
    cup.send(copied(card))
    cup.decide(fa.Annul(match), "wrong dice")
    cup.call(match, 1)
    replayed = cup.played("t1", seed=5)
    cup.core.tournaments.choose_branch("t1", card.epoch, 1, ORGANISER)
    assert (cup.status(match), notice_ids(cup)) == ("called", ["tournament.hub.notice.earlier_game"])
    assert again(cup) == 1
    cup.send(replayed)
    assert cup.score(match) == score_of(replayed)


def test_both_journals_of_a_copied_card_are_one_game(cup: RunningTournament) -> None:
    match, card = reported_match(cup)
    twin = copied(card)
    cup.send(twin)
    cup.core.tournaments.choose_branch("t1", card.epoch, 1, ORGANISER)
    assert cup.score(match) == score_of(twin)
    cup.decide(fa.Annul(match), "wrong dice")
    cup.call(match, 1)
    assert again(cup) == 1
    replayed = cup.played("t1", seed=5)
    cup.core.tournaments.choose_branch("t1", card.epoch, 1, ORGANISER)
    cup.send(replayed)
    assert cup.score(match) == score_of(replayed)


def test_a_forfeit_after_an_annulment_stands(cup: RunningTournament) -> None:
    match, card = reported_match(cup)
    cup.decide(fa.Annul(match), "gave up")
    cup.decide(fa.Forfeit(match, "home"), "gave up")
    score = cup.score(match)
    corrected(cup, card)
    assert (cup.score(match), notice_ids(cup)) == (score, ["tournament.hub.notice.result_differs"])


def test_a_correction_by_the_organiser_stands_until_the_organiser_corrects_it(cup: RunningTournament) -> None:
    match, card = reported_match(cup)
    seats = cup.core.tournaments.progress(cup.id).matches[match]
    by_hand = fa.Correct(match, seats.home or "", seats.away or "", (9, 0), "home", why="a loaded die")
    cup.decide(by_hand, "a loaded die")
    corrected(cup, card)
    assert (cup.score(match), notice_ids(cup)) == ((9, 0), ["tournament.hub.notice.result_differs"])
    live = cup.core.views.match(cup.id, match)
    assert live is not None
    assert live.review
    home, away = score_of(card)
    cup.decide(fa.Correct(match, seats.home or "", seats.away or "", (home, away), why="the table is right"))
    assert (cup.score(match), cup.notices()) == ((home, away), [])


def test_what_stands_is_known_after_a_restart(cup: RunningTournament, core: Core) -> None:
    match, card = reported_match(cup)
    core.tournaments._shared.clear()
    corrected(cup, card)
    assert cup.score(match) == score_of(card), "it is still the journal's own result"
    cup.decide(fa.Annul(match), "wrong dice")
    core.tournaments._shared.clear()
    corrected(cup, card)
    assert (cup.status(match), cup.notices()) == ("ready", ["result_differs"])


def test_a_dismissed_correction_leaves_nothing_under_review(cup: RunningTournament) -> None:
    match, card = reported_match(cup)
    seats = cup.core.tournaments.progress(cup.id).matches[match]
    cup.decide(fa.Correct(match, seats.home or "", seats.away or "", (9, 0), "home"), "a loaded die")
    corrected(cup, card)
    (notice,) = cup.core.views.notices()
    cup.core.tournaments.dismiss(notice.id, ORGANISER)
    live = cup.core.views.match(cup.id, match)
    assert live is not None
    assert (live.review, cup.score(match)) == (False, (9, 0))
    cup.send(card)
    assert cup.notices() == [], "what was dismissed is not told again"
