"""Teams and players over the matches of a store, compared with sums over the single matches."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from companion.clock import ManualClock
from companion.games.registry import DICE_STATISTICS, GAMES
from companion.journal.store import Store
from companion.table.history import MatchHistory, Progress, score_of, winner_of
from tests.table.sample_reports import played

SEEDS = (1, 2, 8)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "matches.db", ManualClock()) as opened:
        for game in GAMES:
            for seed in SEEDS:
                ledger = played(game, seed)
                opened.create(ledger.header, [entry.fields for entry in ledger.all_events], ended=True)
        yield opened


@pytest.fixture
def history(store: Store) -> MatchHistory:
    made = MatchHistory(store, GAMES, DICE_STATISTICS)
    for _ in made.count_matches():
        pass
    return made


@pytest.mark.parametrize("game", GAMES)
def test_results_are_those_of_the_matches(history: MatchHistory, game: str) -> None:
    clubs = {club.name: club for club in history.clubs(game)}
    ledgers = [played(game, seed) for seed in SEEDS]
    sides = [(ledger, side, named["name"]) for ledger in ledgers for side, named in ledger.header["sides"].items()]
    assert clubs.keys() == {name for _, _, name in sides}
    for name, club in clubs.items():
        own = [(ledger, side) for ledger, side, other in sides if other == name]
        scores = [score_of(ledger.game, ledger.state) for ledger, _ in own]
        winners = [winner_of(ledger.game, ledger.state) for ledger, _ in own]
        assert len(club.matches) == len(own) == club.won + club.drawn + club.lost
        assert club.won == sum(winner == side for winner, (_, side) in zip(winners, own, strict=True))
        assert club.drawn == winners.count(None)
        assert club.points == sum(score[side] for score, (_, side) in zip(scores, own, strict=True))
        assert club.points + club.points_against == sum(sum(score.values()) for score in scores)


def test_somebody_has_won(history: MatchHistory) -> None:
    for game in GAMES:
        assert sum(club.won for club in history.clubs(game)) > 0, game


def test_players_are_named_with_their_goals_and_their_luck(history: MatchHistory) -> None:
    people = history.people("footclub")
    goals = sum(sum(score_of(GAMES["footclub"], played("footclub", seed).state).values()) for seed in SEEDS)
    assert goals > 0
    assert sum(person.goals for person in people) == goals
    squads = [squad for seed in SEEDS for squad in played("footclub", seed).header["setup"]["squads"].values()]
    names = {player["name"] for squad in squads for player in squad["players"]}
    assert {person.name for person in people} <= names
    lucks = [person.expected_vs_actual["goal"] for person in people if "goal" in person.expected_vs_actual]
    sides = [club.expected_vs_actual["goal"] for club in history.clubs("footclub") if "goal" in club.expected_vs_actual]
    assert sum((measure.actual for measure in lucks), Fraction(0)) == sum(
        (measure.actual for measure in sides), Fraction(0)
    )


def test_what_is_counted_is_not_counted_again(store: Store, history: MatchHistory) -> None:
    assert list(history.count_matches()) == [Progress(len(GAMES) * len(SEEDS), len(GAMES) * len(SEEDS))]
    ledger = played("footclub", 3)
    store.create(ledger.header, [entry.fields for entry in ledger.all_events], ended=True)
    steps = list(history.count_matches())
    assert len(steps) > len(ledger.all_events), "one step at least for each event"
    assert steps[0].completed == 0


def test_removed_unfinished_and_broken_matches_are_left_out(store: Store, history: MatchHistory) -> None:
    match = store.matches()[0].id
    before = sum(len(club.matches) for club in history.clubs("footclub"))
    store.remove(store.matches()[-1].id)
    ledger = played("footclub", 5)
    store.create(ledger.header, [entry.fields for entry in ledger.all_events])
    store.create(ledger.header, [{"event": "dance"}], ended=True)
    for _ in history.count_matches():
        pass
    assert sum(len(club.matches) for club in history.clubs("footclub")) == before - 2
    assert match in {played.match_id for club in history.clubs() for played in club.matches}
