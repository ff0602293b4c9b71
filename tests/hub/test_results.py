"""Results: the outcome of confirmed journals replayed by the hub, and the effect of later corrections."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from companion.games.registry import SPECS
from companion.hub.core import Core
from companion.hub.models import MatchRef
from companion.journal.codec import decode
from companion.journal.ledger import Ledger
from companion.tournament import facts as fa
from companion.tournament.match_choices import match_rows
from tests.hub.core_kit import StoredTableJournal
from tests.hub.desk_kit import GAME, ORGANISER, RunningTournament, evening, ledger_of, score_of, view_of
from tests.tournament import plans


def first_match(cup: RunningTournament) -> str:
    return next(iter(cup.core.tournaments.progress(cup.id).matches))


def ended_otherwise(
    card: StoredTableJournal, wanted: Callable[[dict[str, Any]], bool] = lambda view: True
) -> list[dict[str, Any]]:
    """Return the lines that undo a whole match and play it to another end."""
    ledger = ledger_of(card)
    before = ledger.game.view(ledger.state)["score"]
    for seed in range(100, 200):
        header = decode(card.lines[0])
        again, random = Ledger(GAME, header), Random(seed)
        events: list[dict[str, Any]] = []
        while not GAME.finished(again.state):
            events.append(GAME.random_event(again.state, random))
            again.commit(again.propose(events[-1]))
        view = GAME.view(again.state)
        if view["score"] != before and wanted(view):
            return [{"event": "undo"}] * len(ledger.events) + events
    raise AssertionError("no other end")


def won(cup: RunningTournament, table: str) -> int:
    """Return a seed with which the called match of a table has a winner."""
    return next(seed for seed in range(99) if view_of(cup.played(table, seed=seed))["winner"] is not None)


@pytest.fixture
def cup(core: Core) -> RunningTournament:
    return evening(core)


def test_a_confirmed_match_is_the_result(cup: RunningTournament) -> None:
    match = first_match(cup)
    cup.call(match, 1)
    card = cup.played("t1", seed=1)
    cup.send(card, confirmed=False)
    assert cup.status(match) == "called"
    (receipt,) = cup.core.inbox.accept([], [card.confirmation()])
    assert receipt.confirmed == len(card.lines)
    assert cup.status(match) == "done"
    assert cup.score(match) == score_of(card)
    last = cup.core.tournaments.trace(cup.id)[-1]
    assert (last.by, last.table, last.epoch, last.line) == ("Anna, Bruno", "t1", card.epoch, len(card.lines))
    assert isinstance(last.fact, fa.Result)
    live = cup.core.views.match(cup.id, match)
    assert live is not None
    assert (live.journal.result, live.over, live.review) == ("counted", True, False)
    assert list(live.score.values()) == list(score_of(card))


def test_the_confirmation_may_come_first_and_often(cup: RunningTournament) -> None:
    match = first_match(cup)
    cup.call(match, 1)
    card = cup.played("t1", seed=1)
    for _ in range(3):
        cup.core.inbox.accept([], [card.confirmation()])
    for _ in range(3):
        cup.core.inbox.accept([card.batch()])
        cup.core.inbox.accept([], [card.confirmation()])
    assert cup.status(match) == "done"
    assert sum(isinstance(each.fact, fa.Result) for each in cup.core.tournaments.trace(cup.id)) == 1


def test_a_confirmation_of_other_lines_counts_for_nothing(cup: RunningTournament) -> None:
    match = first_match(cup)
    cup.call(match, 1)
    card, other = cup.played("t1", seed=1), cup.played("t1", seed=2)
    other.epoch = card.epoch
    (receipt,) = cup.core.inbox.accept([card.batch()], [other.confirmation(min(len(card.lines), len(other.lines)))])
    assert receipt.confirmed == 0
    assert cup.status(match) == "called"


def test_a_correction_at_the_table_corrects_the_result(cup: RunningTournament) -> None:
    match = first_match(cup)
    cup.call(match, 1)
    card = cup.played("t1", seed=1)
    cup.send(card)
    before = cup.score(match)
    card.write(*ended_otherwise(card))
    cup.core.inbox.accept([card.batch(2)])
    assert cup.score(match) == score_of(card) != before
    assert isinstance(cup.core.tournaments.trace(cup.id)[-1].fact, fa.Correct)
    facts = len(cup.core.tournaments.trace(cup.id))
    cup.core.inbox.accept([card.batch()])
    assert len(cup.core.tournaments.trace(cup.id)) == facts


def test_a_finished_match_that_is_opened_again_stands_and_says_so(cup: RunningTournament) -> None:
    match = first_match(cup)
    cup.call(match, 1)
    card = cup.played("t1", seed=1)
    cup.send(card)
    score = cup.score(match)
    last = ledger_of(card).events[-1].fields
    card.write({"event": "undo"})
    cup.core.inbox.accept([card.batch(len(card.lines))])
    live = cup.core.views.match(cup.id, match)
    assert live is not None
    assert (live.review, live.over, cup.score(match)) == (True, False, score)
    card.write(last)
    cup.core.inbox.accept([card.batch(len(card.lines))])
    live = cup.core.views.match(cup.id, match)
    assert live is not None
    assert (live.review, live.over, cup.score(match)) == (False, True, score)
    assert not any(isinstance(each.fact, fa.Correct) for each in cup.core.tournaments.trace(cup.id))


def test_a_match_played_elsewhere_than_it_was_called_waits_for_the_organiser(cup: RunningTournament) -> None:
    match = first_match(cup)
    cup.call(match, 1)
    card = cup.played("t1", seed=1)
    card.table = "t2"
    cup.send(card)
    assert cup.notices() == ["not_called_here"]
    assert cup.status(match) == "called"
    cup.send(card)
    (notice,) = cup.core.views.notices()
    assert (notice.times, notice.message.args) == (1, {"match": "Player 1 – Player 4", "table": 2})
    cup.core.tournaments.count_journal(("t2", card.epoch), MatchRef(cup.id, match), ORGANISER)
    assert cup.notices() == []
    assert cup.score(match) == score_of(card)


def test_a_table_cannot_count_a_match_of_others(cup: RunningTournament) -> None:
    one, two = list(cup.core.tournaments.progress(cup.id).matches)[:2]
    cup.call(one, 1)
    card = cup.played("t1", seed=1)
    cup.call(two, 2)
    forged = cup.played("t2", seed=1)
    forged.table = "t1"
    cup.send(forged)
    assert cup.status(two) == "called"
    cup.send(card)
    assert cup.status(one) == "done"


def test_the_result_waits_until_the_organiser_knows_the_match(core: Core) -> None:
    """A backup older than a draw is restored: the results arrive before the draw is made again."""
    cup = evening(core, plans.swiss("Cup", GAME.id, rounds=2), entries=2)
    (draw,) = (fact for fact in core.tournaments.proposals(cup.id) if isinstance(fact, fa.Draw))
    other = evening(core, plans.swiss("Cup", GAME.id, rounds=2), entries=2)
    other.decide(draw)
    match = first_match(other)
    other.call(match, 1)
    card = other.played("t1", seed=1)
    header = card.lines[0].replace(other.id.encode(), cup.id.encode())
    card.lines[0] = header
    cup.send(card)
    assert cup.notices() == ["result_refused"]
    cup.decide(draw)
    assert cup.status(match) == "ready"
    cup.call(match, 1)
    assert cup.status(match) == "done"
    assert cup.notices() == []


def test_a_result_entered_by_hand_and_the_table_s_own(cup: RunningTournament) -> None:
    match = first_match(cup)
    seats = cup.core.tournaments.progress(cup.id).matches[match]
    cup.call(match, 1)
    card = cup.played("t1", seed=1)
    score = score_of(card)
    cup.decide(fa.Result(match, seats.home or "", seats.away or "", (score[0] + 1, score[1])), why="by telephone")
    cup.send(card)
    (notice,) = cup.core.views.notices()
    assert (notice.kind, notice.message.args["match"]) == ("result_differs", "Player 1 – Player 4")
    assert cup.score(match) == (score[0] + 1, score[1])
    cup.decide(fa.Annul(match))
    assert cup.score(match) == score
    assert cup.notices() == []


def test_the_same_result_by_hand_and_from_the_table_is_no_trouble(cup: RunningTournament) -> None:
    match = first_match(cup)
    seats = cup.core.tournaments.progress(cup.id).matches[match]
    cup.call(match, 1)
    card = cup.played("t1", seed=1)
    view = view_of(card)
    home, _ = SPECS[GAME.id].home_sides
    winner = None if view["winner"] is None else "home" if view["winner"] == home else "away"
    cup.decide(fa.Result(match, seats.home or "", seats.away or "", score_of(card), winner))
    facts = len(cup.core.tournaments.trace(cup.id))
    cup.send(card)
    assert (cup.notices(), len(cup.core.tournaments.trace(cup.id))) == ([], facts)


def test_a_match_played_anew_replaces_the_first_journal(cup: RunningTournament) -> None:
    match = first_match(cup)
    cup.call(match, 1)
    first = cup.played("t1", seed=1)
    cup.send(first)
    cup.decide(fa.Annul(match), why="wrong dice")
    cup.call(match, 2)
    second = cup.played("t2", seed=2)
    cup.send(second)
    assert cup.score(match) == score_of(second)
    first.write(*ended_otherwise(first))
    cup.core.inbox.accept([first.batch()])
    assert cup.score(match) == score_of(second)
    assert cup.notices() == ["result_differs"]
    live = cup.core.views.match(cup.id, match)
    assert live is not None
    assert live.journal.table == "t2"


def test_the_copy_that_the_organiser_chooses_is_the_result(cup: RunningTournament) -> None:
    match = first_match(cup)
    cup.call(match, 1)
    card = cup.played("t1", seed=1)
    twin = card.copy()
    cup.send(card)
    twin.lines[-1] = twin.lines[-1].replace(b'"at"', b'"note": "copy", "at"')
    twin.write(*ended_otherwise(twin))
    cup.send(twin)
    assert cup.notices() == ["copied_card"]
    assert cup.score(match) == score_of(card)
    cup.core.tournaments.choose_branch("t1", card.epoch, 1, ORGANISER)
    assert cup.score(match) == score_of(twin)
    cup.core.tournaments.choose_branch("t1", card.epoch, 1, ORGANISER)
    assert cup.score(match) == score_of(card)


def test_a_copy_that_was_confirmed_first_does_not_keep_the_cards_own_confirmation_out(cup: RunningTournament) -> None:
    match = first_match(cup)
    cup.call(match, 1)
    card = cup.played("t1", seed=1)
    twin = card.copy()
    twin.lines[-1] = twin.lines[-1].replace(b'"at"', b'"note": "copy", "at"')
    cup.send(card, confirmed=False)
    cup.send(twin)
    assert (cup.notices(), cup.status(match)) == (["copied_card"], "called")
    receipts = cup.core.inbox.accept([], [card.confirmation()])
    assert [receipt.confirmed for receipt in receipts] == [len(card.lines)] * 2
    assert (cup.status(match), cup.score(match)) == ("done", score_of(card))


def test_a_correction_on_which_was_played_asks_and_the_public_sees_what_was_before(core: Core) -> None:
    cup = evening(core, plans.knock_out("Cup", GAME.id, third_place=False))
    cards = {}
    for table, match in enumerate(list(core.tournaments.progress(cup.id).matches)[:2], 1):
        cup.call(match, table)
        card = cards[match] = cup.played(f"t{table}", seed=won(cup, f"t{table}"))
        cup.send(card)
    final = list(core.tournaments.progress(cup.id).matches)[-1]
    cup.call(final, 3)
    cup.send(cup.played("t3", seed=won(cup, "t3")))
    champion = core.tournaments.progress(cup.id).champion
    assert champion is not None
    match, card = next(iter(cards.items()))
    winner = view_of(card)["winner"]
    card.write(*ended_otherwise(card, lambda view: view["winner"] not in (None, winner)))
    core.inbox.accept([card.batch(2)])
    (question,) = core.tournaments.progress(cup.id).questions
    assert question.kind == "corrected"
    public_state, under_review = core.tournaments.public_state(cup.id)
    assert under_review
    assert public_state.seq == core.tournaments.state(cup.id).seq - 1
    cup.decide(fa.Rule(question.id, "keep"), why="played already")
    public_state, under_review = core.tournaments.public_state(cup.id)
    assert (public_state.seq, under_review) == (core.tournaments.state(cup.id).seq, False)
    assert cup.score(match) == score_of(card)


def test_everything_is_as_it_was_after_a_restart(
    cup: RunningTournament, core: Core, opened: Callable[[], Core]
) -> None:
    match = first_match(cup)
    cup.call(match, 1)
    card = cup.played("t1", seed=1)
    cup.send(card)
    before = (core.tournaments.state(cup.id), core.tournaments.trace(cup.id), core.views.lives(), core.views.revision())
    again = opened()
    assert (again.tournaments.state(cup.id), again.tournaments.trace(cup.id), again.views.lives()) == before[:3]
    assert again.views.revision() >= before[3]
    assert again.tournaments.public_state(cup.id)[0] is again.tournaments.state(cup.id)


def test_two_tournaments_at_the_same_tables(core: Core) -> None:
    one, two = evening(core), evening(core)
    match = first_match(one)
    one.call(match, 1)
    card = one.played("t1", seed=1)
    one.send(card)
    assert one.status(match) == "done"
    two.epoch = one.epoch
    two.call(match, 1)
    card = two.played("t1", seed=3)
    two.send(card)
    assert two.score(match) == score_of(card)
    assert [live.journal.match_ref.tournament for live in core.views.lives(one.id) if live.journal.match_ref] == [
        one.id
    ]


@pytest.mark.parametrize(("game", "row", "fixed"), [("occasion", "goals", 3), ("hoops21", "target", 7)])
def test_a_match_with_other_settings_than_the_tournament_s_waits_for_the_organiser(
    core: Core, game: str, row: str, fixed: object
) -> None:
    """A table of an older version lets its players choose what the tournament has fixed."""
    cup = evening(core, replace(plans.round_robin("Cup", game), match={row: fixed}))
    match = first_match(cup)
    cup.call(match, 1)
    card = with_setting(cup, "t1", row, fixed, same=False)
    cup.send(card)
    assert (cup.status(match), cup.notices()) == ("called", ["not_called_here"])
    notice = core.views.notices()[0]
    assert notice.message.id == "tournament.hub.notice.other_settings"
    assert notice.message.args["setting"] == next(each.label for each in match_rows(game) if each.id == row)
    assert notice.match_ref is not None
    core.tournaments.count_journal((card.table, card.epoch), notice.match_ref, ORGANISER, "agreed by both")
    assert (cup.status(match), cup.notices()) == ("done", [])


def with_setting(cup: RunningTournament, table: str, row: str, fixed: object, *, same: bool) -> StoredTableJournal:
    """Return a card of the called match whose setting of a row is that of the tournament, or another one."""
    plan = cup.core.tournaments.state(cup.id).plan
    values = [value for each in match_rows(plan.game) if each.id == row for value, _ in each.options]
    played = replace(plan, match={row: fixed if same else next(value for value in values if value != fixed)})
    return cup.played(table, 1, plan=played)


def test_a_match_with_the_tournament_s_settings_counts_at_once(core: Core) -> None:
    cup = evening(core, replace(plans.round_robin("Cup", "hoops21"), match={"target": 15}))
    match = first_match(cup)
    cup.call(match, 1)
    cup.send(with_setting(cup, "t1", "target", 15, same=True))
    assert (cup.status(match), cup.notices()) == ("done", [])
