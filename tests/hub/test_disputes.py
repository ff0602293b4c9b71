"""A side does not agree with a result: the organiser is called, rules, and the table is told."""

from __future__ import annotations

import pytest

from companion.clock import ManualClock
from companion.games.base import Refusal
from companion.hub.core import Core
from companion.hub.link import LinkOptions, TableNotifier
from companion.hub.models import MatchRef
from companion.messages.wire import Dispute, Hello, Ruling
from companion.tournament import facts as fa
from tests.hub.core_kit import StoredTableJournal
from tests.hub.desk_kit import ORGANISER, RunningTournament, evening, score_of


@pytest.fixture
def cup(core: Core) -> RunningTournament:
    return evening(core)


def over(cup: RunningTournament, seed: int = 1) -> tuple[str, StoredTableJournal]:
    """Return the first match, played to its end at table 1 without a confirmation."""
    match = next(iter(cup.core.tournaments.progress(cup.id).matches))
    cup.call(match, 1)
    card = cup.played("t1", seed)
    cup.send(card, confirmed=False)
    return match, card


def hello(cup: RunningTournament, match: str, card: StoredTableJournal | None, **confirmed: int) -> Hello:
    """Return a hello in which the away side does not agree with the result of a card; None: nobody disagrees."""
    key = f"{cup.id}/{match}"
    disputes = {} if card is None else {key: Dispute(epoch=card.epoch, seq=len(card.lines), by="away", why="dice")}
    return Hello(run="r", disputes=disputes, confirmed={key: confirmed})


def ruling(core: Core, clock: ManualClock, table: str = "t1") -> Ruling | None:
    """Return the ruling that a table is told."""
    notifier = TableNotifier(core.tournaments, core.tables, clock, "hub", LinkOptions())
    list(notifier.changed_messages(None, frozenset()))
    return notifier._states[table].ruling


def test_a_dispute_calls_the_organiser_once_with_who_and_why(cup: RunningTournament) -> None:
    match, card = over(cup)
    message = hello(cup, match, card, home=1_780_000_000)
    assert cup.core.inbox.record_signers("t1", message)
    assert cup.core.inbox.record_signers("t1", message), "a table repeats itself every few seconds"
    (notice,) = cup.core.views.notices()
    home, away = score_of(card)
    names = cup.core.tournaments.state(cup.id).entries
    seats = cup.core.tournaments.progress(cup.id).matches[match].seats
    assert (notice.kind, notice.times, notice.match_ref) == ("disputed", 1, MatchRef(cup.id, match))
    assert notice.message.args["name"] == names[seats[1] or ""].name
    assert (notice.message.args["home"], notice.message.args["away"]) == (home, away)
    assert notice.message.args["why"].id == "common.dispute.dice"
    assert cup.core.views.signers(cup.id, match) == {"home": 1_780_000_000}


def test_a_dispute_waits_for_the_lines_of_its_journal(cup: RunningTournament) -> None:
    match = next(iter(cup.core.tournaments.progress(cup.id).matches))
    cup.call(match, 1)
    card = cup.played("t1", 2)
    assert not cup.core.inbox.record_signers("t1", hello(cup, match, card))
    assert cup.notices() == []
    cup.send(card, confirmed=False)
    assert cup.core.inbox.record_signers("t1", hello(cup, match, card))
    assert cup.notices() == ["disputed"]


def test_a_side_that_agrees_after_all_withdraws_its_dispute_and_may_disagree_again(cup: RunningTournament) -> None:
    match, card = over(cup)
    cup.core.inbox.record_signers("t1", hello(cup, match, card))
    cup.core.inbox.record_signers("t1", hello(cup, match, None))
    assert cup.notices() == []
    cup.core.inbox.record_signers("t1", hello(cup, match, card))
    assert cup.notices() == ["disputed"]
    cup.core.inbox.record_signers("t1", hello(cup, match, None))
    cup.send(card)
    assert (cup.status(match), cup.notices()) == ("done", [])


def test_the_result_of_the_journal_stands(cup: RunningTournament, clock: ManualClock) -> None:
    match, card = over(cup)
    cup.core.inbox.record_signers("t1", hello(cup, match, card))
    cup.core.tournaments.count_journal(("t1", card.epoch), MatchRef(cup.id, match), ORGANISER, "seen on the picture")
    assert (cup.status(match), cup.score(match), cup.notices()) == ("done", score_of(card), [])
    found = ruling(cup.core, clock)
    assert found is not None
    assert (found.match, found.score, found.why) == (match, score_of(card), "seen on the picture")
    cup.core.inbox.record_signers("t1", hello(cup, match, card))
    assert cup.notices() == [], "what was ruled is not asked again"


def test_another_result_counts(cup: RunningTournament, clock: ManualClock) -> None:
    match, card = over(cup)
    cup.core.inbox.record_signers("t1", hello(cup, match, card))
    home, away = cup.core.tournaments.progress(cup.id).matches[match].seats
    cup.decide(fa.Result(match, home or "", away or "", (9, 2)), "a goal was missing")
    found = ruling(cup.core, clock)
    assert found is not None
    assert (found.score, found.why, cup.notices()) == ((9, 2), "a goal was missing", [])
    other = next(id for id, each in cup.core.tournaments.progress(cup.id).matches.items() if each.status == "ready")
    cup.call(other, 1)
    assert ruling(cup.core, clock) is None, "the next match is another matter"


def test_the_match_is_played_again_at_the_same_table(cup: RunningTournament, clock: ManualClock) -> None:
    match, card = over(cup)
    cup.core.inbox.record_signers("t1", hello(cup, match, card))
    cup.core.tournaments.replay_match(("t1", card.epoch), MatchRef(cup.id, match), ORGANISER, "wrong cards")
    assert (cup.status(match), cup.notices()) == ("called", [])
    assignment = cup.core.tournaments.assignment("t1")
    assert assignment is not None
    assert (assignment.match, assignment.again) == (match, 1)
    found = ruling(cup.core, clock)
    assert found is not None
    assert (found.score, found.why) == (None, "wrong cards")
    second = cup.played("t1", 7)
    cup.send(second)
    assert (cup.status(match), cup.score(match)) == ("done", score_of(second))
    assert ruling(cup.core, clock) is None


def test_only_a_called_match_is_played_again(cup: RunningTournament) -> None:
    match, card = over(cup)
    cup.decide(fa.Uncall(match))
    with pytest.raises(Refusal):
        cup.core.tournaments.replay_match(("t1", card.epoch), MatchRef(cup.id, match), ORGANISER, "no")


def test_rulings_survive_a_restart_of_the_hub(cup: RunningTournament, clock: ManualClock, opened) -> None:
    match, card = over(cup)
    cup.core.inbox.record_signers("t1", hello(cup, match, card, home=5))
    cup.core.tournaments.count_journal(("t1", card.epoch), MatchRef(cup.id, match), ORGANISER, "stands")
    before = ruling(cup.core, clock)
    core = opened()
    assert before is not None
    assert ruling(core, clock) == before
    assert core.views.signers(cup.id, match) == {"home": 5}
