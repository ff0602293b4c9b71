"""Statistics of journals, compared with manual calculations."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from companion.games.base import Fields
from companion.games.registry import DICE_STATISTICS, GAMES
from companion.journal.ledger import Ledger
from companion.table.autoplay import play
from companion.table.history import HistoryTally, tally_of
from tests.games.hoops21.kit import dice, header
from tests.table.sample_match import ledger_of, sample_header, until_duel, until_shot


def tally_of_seeds(game: str, *seeds: int) -> HistoryTally:
    ledgers = []
    for seed in seeds:
        head, *events = play(GAMES[game], Random(seed))
        ledger = Ledger(GAMES[game], head)
        for fields in events:
            ledger.commit(ledger.propose(fields))
        ledgers.append(ledger)
    return tally_of(ledgers, DICE_STATISTICS[game])


def footclub(events: list[dict[str, Any]]) -> HistoryTally:
    return tally_of([ledger_of(sample_header(), events)], DICE_STATISTICS["footclub"])


def measures(found: HistoryTally, what: str) -> dict[str, tuple[int, Fraction, Fraction]]:
    return {
        name: (
            side.expected_vs_actual[what].trials,
            side.expected_vs_actual[what].actual,
            side.expected_vs_actual[what].expected,
        )
        for name, side in found.sides.items()
        if what in side.expected_vs_actual
    }


def test_a_tackle_that_succeeds_was_promised_21_of_36() -> None:
    """FC-7.3: 7 or more with two dice."""
    found = footclub([*until_duel(sample_header()), {"event": "roll", "dice": [5, 4]}])
    ((tries, got, expected),) = measures(found, "duel").values()
    assert (tries, got, expected) == (1, 1, Fraction(21, 36))
    ((_, player),) = found.players
    assert player


def test_a_shot_in_two_parts_is_reckoned_part_by_part() -> None:
    """The defence die alone changes the expectation; all parts together equal the outcome of the shot."""
    head = sample_header()
    one, both = ({"event": "shot", "defence": 6}, {"event": "shot", "attack": 1})
    (first,) = measures(footclub([*until_shot(head), one]), "goal").values()
    (whole,) = measures(footclub([*until_shot(head), one, both]), "goal").values()
    assert first[1] < first[2]
    assert whole[0] == 2
    assert whole[1] - whole[2] == -first[2]


def hoops(*events: Fields) -> HistoryTally:
    ledger = Ledger(GAMES["hoops21"], header())
    for fields in events:
        ledger.commit(ledger.propose(fields))
    return tally_of([ledger], DICE_STATISTICS["hoops21"])


OPENING = {"event": "jump_ball", "orange": dice("bbbppp"), "white": dice("bppppp")}


def test_a_throw_is_lucky_for_one_side_as_it_is_not_for_the_other() -> None:
    found = hoops(OPENING, {"event": "throw", "orange": dice("sssssp"), "white": dice("bppssf")})
    orange, white = (found.sides[name].expected_vs_actual["throw"] for name in ("Les Huppes", "Quai Nord"))
    assert (orange.actual, white.actual) == (1, 0)
    assert orange.difference == -white.difference == 1 - Fraction(172632515, 544195584)


def test_points_of_a_shot_beside_the_chance_from_there() -> None:
    """HB-13: success from distance 9 outside the arc is 31556/177147; the defence holds the token."""
    found = hoops(
        OPENING,
        {"event": "throw", "orange": dice("sssssp"), "white": dice("bppssf")},
        {"event": "shot", "orange": dice("bbbbbp"), "white": dice("bppssf")},
    )
    points = found.sides["Les Huppes"].expected_vs_actual["points"]
    assert (points.actual, points.expected) == (3, 3 * Fraction(31556, 177147))


def test_dice_are_counted_by_face_beside_their_shares() -> None:
    found = hoops(OPENING)
    orange, white = found.dice.values()
    assert (orange.side, orange.counts) == ("Les Huppes", Counter(ball=3, **{"pass": 3}))
    assert sum(white.probabilities.values()) == 1


def test_only_dice_of_whole_rolls_tell_of_fairness() -> None:
    """NBA-1.6: at level `scores` only the best dice of a roll are recorded."""
    head = {"journal": 1, "game": "nba", "sides": {"one": {"name": "A"}, "two": {"name": "B"}}}
    ledger = Ledger(GAMES["nba"], head)
    ledger.commit(ledger.propose({"event": "attack", "dice": [{"die": "inside", "value": 7}]}))
    assert tally_of([ledger], DICE_STATISTICS["nba"]).dice == {}


@pytest.mark.parametrize("game", GAMES)
def test_whole_matches_are_counted(game: str) -> None:
    found = tally_of_seeds(game, 1, 2, 3)
    assert found.matches == 3
    assert sum(side.matches for side in found.sides.values()) >= 6
    for die in found.dice.values():
        assert set(die.counts) <= {face for face, share in die.probabilities.items() if share}
        assert 0 <= die.fairness.p_value <= 1


@pytest.mark.parametrize(("game", "what"), [("footclub", "duel"), ("hoops21", "race"), ("nba", "offence")])
def test_random_dice_are_neither_lucky_nor_unlucky(game: str, what: str) -> None:
    """Over many matches luck is small compared with the expectation."""
    found = tally_of_seeds(game, *range(1, 16))
    all_ = [side.expected_vs_actual[what] for side in found.sides.values() if what in side.expected_vs_actual]
    promised = sum(measure.expected for measure in all_)
    assert abs(sum(measure.difference for measure in all_)) < Fraction(1, 6) * promised
