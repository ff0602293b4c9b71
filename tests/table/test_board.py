"""The board of a match: its course, scorers, counts, luck and best moment agree with the journal."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from companion.games.registry import DICE_STATISTICS, GAMES, SPECS
from companion.journal.ledger import AnyLedger, Ledger
from companion.language import Language
from companion.table.autoplay import play
from companion.table.board import BoardBuilder, MatchBoard
from companion.table.history import HistoryTally, score_of

SEEDS = range(2)


def ledger_of(game_id: str, seed: int) -> AnyLedger:
    """Return a finished match of a random player."""
    game = GAMES[game_id]
    header, *events = play(game, Random(seed))
    ledger: AnyLedger = Ledger(game, header)
    for fields in events:
        ledger.commit(ledger.propose(fields))
    return ledger


def board_of(ledger: AnyLedger) -> MatchBoard:
    builder = BoardBuilder(ledger, DICE_STATISTICS[ledger.game.id])
    assert len(list(builder.run())) == len(ledger.events)
    return builder.board


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("game_id", GAMES)
def test_the_course_ends_with_the_final_score(game_id: str, seed: int) -> None:
    ledger = ledger_of(game_id, seed)
    board = board_of(ledger)
    score = score_of(ledger.game, ledger.state)
    last = board.steps[-1].points if board.steps else (0,) * len(ledger.header["sides"])
    assert last == tuple(score.get(side, 0) for side in ledger.header["sides"])
    assert 0 < board.turns <= len(ledger.events)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("game_id", GAMES)
def test_luck_is_that_of_the_statistics(game_id: str, seed: int) -> None:
    ledger = ledger_of(game_id, seed)
    tally = HistoryTally()
    tally.add(ledger, DICE_STATISTICS[game_id])
    for row in board_of(ledger).differences:
        for side, difference in row.by_side.items():
            name = ledger.header["sides"][side]["name"]
            assert tally.sides[name].expected_vs_actual[row.measure].difference == difference


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("game_id", GAMES)
def test_every_line_is_a_sentence_for_every_side(game_id: str, seed: int) -> None:
    ledger = ledger_of(game_id, seed)
    figures = board_of(ledger).figures
    sides = set(ledger.header["sides"])
    for language in (Language("fr"), Language("en")):
        for row in figures.rows:
            assert "." not in language.text(row.label)
            assert set(row.values) == sides
        assert all(language.text(scorer.when) and scorer.side in sides for scorer in figures.scorers)


def test_the_best_moment_is_the_least_expected_score() -> None:
    for seed in range(30):
        ledger = ledger_of("footclub", seed)
        board = board_of(ledger)
        expected, before = [], ledger.initial_state
        for event in ledger.events:
            samples = DICE_STATISTICS["footclub"].expected_vs_actual(
                before, event.fields, event.outcome, event.state_after
            )
            expected += [one.expected for one in samples if one.measure == "goal" and one.actual == 1]
            before = event.state_after
        if len(expected) > 2 and min(expected) < Fraction(1, 4):
            assert board.best is not None
            assert board.best.chance == min(expected)
            return
    raise AssertionError("no match with an unexpected goal")


def test_scorers_are_those_of_the_goals() -> None:
    ledger = next(found for found in (ledger_of("footclub", seed) for seed in range(20)) if found.state.goals)
    scorers = board_of(ledger).figures.scorers
    assert [scorer.side for scorer in scorers] == [goal.side for goal in ledger.state.goals]
    assert [scorer.when.args["turn"] for scorer in scorers] == [goal.turn for goal in ledger.state.goals]
    assert all(scorer.name for scorer in scorers)


def test_a_game_that_counts_nothing_has_an_empty_board() -> None:
    for spec in SPECS.values():
        assert spec.summary(()).rows == ()


def test_luck_has_the_same_order_at_half_time_and_at_the_end() -> None:
    for seed in SEEDS:
        ledger = ledger_of("footclub", seed)
        measures = [row.measure for row in board_of(ledger).differences]
        assert measures == sorted(measures)
