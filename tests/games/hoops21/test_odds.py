"""Chapter 13: the exact figures of the rules, each also checked by brute force or a separate formula."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import pytest

from companion.games.hoops21 import odds
from companion.games.hoops21.odds import RerollAdvice, symbol_list
from tests.games.hoops21.kit import ADVANCED, MIXED, Match, dice, shooting, under_way

FACES = (2, 1, 2, 1)
OTHER_DICE = (3, 0, 2, 1)
BALL = 0


def test_throws_of_the_rules() -> None:
    six = odds.throw_odds(FACES, (6, 6))
    assert (six["orange"], six["tie"]) == (Fraction("172632515/544195584"), Fraction("99465277/272097792"))
    assert six["white"] == six["orange"]
    fewer = odds.throw_odds(FACES, (6, 5))
    assert fewer["orange"] == Fraction("127865/279936")
    assert odds.throw_odds(FACES, (5, 6))["white"] == fewer["orange"]
    assert sum(fewer.values()) == 1


def test_shots_of_the_rules() -> None:
    good, even, bad = (odds.shot_odds(FACES, modifier) for modifier in (1, 0, -1))
    assert (good["made"], good["tie"]) == (Fraction("109891/177147"), Fraction("11900/59049"))
    assert bad["made"] == Fraction("31556/177147") == good["missed"]
    assert (even["made"], even["tie"]) == (Fraction("67256/177147"), Fraction("42635/177147"))


def test_free_throw_of_the_rules() -> None:
    assert odds.free_throw_chance(FACES) == Fraction("233/729")


def test_the_race_that_chose_the_faces() -> None:
    """Chapter 14: both teams at the same pace, with S and ball on two faces each, and with S on one and ball on
    three."""
    assert f"{float(odds.race_odds(FACES, 8)['stolen']):.3f}" == "0.198"
    assert f"{float(odds.race_odds((3, 1, 1, 1), 8)['stolen']):.3f}" == "0.002"
    assert odds.race_odds((3, 2, 0, 1), 8) == {"crossed": 1, "stolen": 0}
    one_left = odds.race_odds(FACES, 1, 5)
    none, single = Fraction(4, 6) ** 6, Fraction(1, 3)
    assert one_left["stolen"] == none * single / (1 - none * (1 - single))


def brute(faces: tuple[int, ...], count: int) -> list[tuple[int, ...]]:
    """Return every throw of `count` dice as symbol counts."""
    sides = [symbol for symbol, face in enumerate(faces) for _ in range(face)]
    return list(product(sides, repeat=count))


@pytest.mark.parametrize("faces", [FACES, OTHER_DICE])
def test_throws_by_counting_all(faces: tuple[int, ...]) -> None:
    threes, twos = (
        [max(throw.count(symbol) for symbol in range(4)) for throw in brute(faces, count)] for count in (3, 2)
    )
    pairs = [(a, b) for a in threes for b in twos]
    found = odds.throw_odds(faces, (3, 2))
    assert found["orange"] == Fraction(sum(a > b for a, b in pairs), len(pairs))
    assert found["tie"] == Fraction(sum(a == b for a, b in pairs), len(pairs))


@pytest.mark.parametrize("faces", [FACES, OTHER_DICE, (6, 0, 0, 0)])
@pytest.mark.parametrize("modifier", range(-2, 3))
def test_shots_by_simulation_of_the_rule(faces: tuple[int, ...], modifier: int) -> None:
    chances = odds.shot_odds(faces, modifier)
    assert sum(chances.values()) == 1
    balls = odds.symbol_count_chances(faces, BALL, 6)
    assert chances["tie"] == sum(balls[n] * balls[n + modifier] for n in range(7) if 0 <= n + modifier <= 6)
    mirrored = odds.shot_odds(faces, -modifier)
    assert (chances["made"], chances["missed"]) == (mirrored["missed"], mirrored["made"])


def reached(faces: tuple[int, ...], kind: str, keep: tuple[int, ...], again: int, needed: int) -> Fraction:
    """Return the chance to win outright, by enumeration of every reroll."""
    good = 0
    throws = brute(faces, again)
    for throw in throws:
        after = [count + throw.count(symbol) for symbol, count in enumerate(keep)]
        good += (max(after) if kind == "throw" else after[BALL]) >= needed
    return Fraction(good, len(throws))


def advised(
    faces: tuple[int, ...], kind: str, symbol_counts: tuple[int, ...], needed: int
) -> tuple[Fraction, list[int]]:
    """Compute the advice as chapter 13 defines it: best chance, longest list, then the smallest list in order."""
    lists = set()
    entries = [symbol for symbol, count in enumerate(symbol_counts) for _ in range(count)]
    for mask in product((False, True), repeat=len(entries)):
        if not all(mask):
            lists.add(tuple(entry for entry, stays in zip(entries, mask, strict=True) if stays))
    best: tuple[Fraction, tuple[int, ...]] | None = None
    for kept in sorted(lists):
        keep = tuple(kept.count(symbol) for symbol in range(4))
        chance = reached(faces, kind, keep, len(entries) - len(kept), needed)
        if best is None or chance > best[0] or (chance == best[0] and len(kept) > len(best[1])):
            best = (chance, kept)
    assert best is not None
    return best[0], list(best[1])


@pytest.mark.parametrize("seed", range(16))
def test_the_advice_by_trying_everything(seed: int) -> None:
    random = Random(seed)
    faces = random.choice((FACES, OTHER_DICE, (1, 2, 2, 1)))
    kind = random.choice(("throw", "shot", "free_throw"))
    throw = random.choices(range(4), weights=faces, k=random.choice((3, 4)))
    symbol_counts = tuple(throw.count(symbol) for symbol in range(4))
    needed = random.randint(-1, 5)
    found = odds.advise_reroll(faces, kind, symbol_counts, needed)
    entries = [symbol for symbol, count in enumerate(found.keep) for _ in range(count)]
    assert (found.win, entries) == advised(faces, kind, symbol_counts, needed)


def test_among_equal_chances_the_longest_list_then_the_first() -> None:
    hopeless = odds.advise_reroll(FACES, "shot", (1, 2, 2, 1), 9)
    assert hopeless == RerollAdvice((1, 2, 2, 0), Fraction(0))
    certain = odds.advise_reroll(FACES, "shot", (3, 1, 1, 1), 2)
    assert certain == RerollAdvice((3, 1, 1, 0), Fraction(1))


def standing(match: Match) -> dict[str, Any]:
    return dict(match.view["odds"])


def test_odds_of_the_state_phase_by_phase() -> None:
    match = Match()
    assert standing(match) == {}
    match = under_way()
    assert standing(match)["throw"]["tie"] == "99465277/272097792"
    match.throw("pppbsf", MIXED)
    assert standing(match)["throw"]["orange"] == "127865/279936"
    match = under_way(12)
    match.throw("bbbsss", MIXED)
    assert standing(match)["shot"]["made"] == "109891/177147"
    assert standing(match)["step_back"]["made"] == "31556/177147"
    match.play("choose", symbol="steal")
    assert set(standing(match)) == {"shot", "step_back"}
    assert set(standing(shooting(9))) == {"shot"}
    match = under_way()
    match.throw("fffbps", MIXED)
    assert standing(match) == {"free_throw": {"made": "233/729"}}
    match.free_throw("orange", MIXED)
    assert standing(match) == {}


def test_no_shot_odds_when_the_balls_are_not_the_attacks() -> None:
    match = under_way()
    match.throw(MIXED, "bbbsss")
    assert (match.phase, standing(match)) == ("choose", {})
    match = under_way()
    match.throw("pppsss", MIXED)
    assert (match.phase, standing(match)) == ("choose", {})


def test_a_mark_counts_in_the_odds() -> None:
    match = shooting(9, court={"modifiers": {"7": 1}})
    assert standing(match)["shot"]["made"] == "67256/177147"


def test_reroll_advice_in_an_advanced_match_only() -> None:
    for setup, keys in (({}, set()), (ADVANCED, {"reroll"})):
        match = under_way(**setup)
        match.throw("pppbsf", "sssbpf")
        assert set(standing(match)) == keys
    assert standing(match)["reroll"] == {"keep": dice("sss"), "win": str(1 - Fraction(2, 3) ** 3)}


def test_advice_on_shots_of_both_roles() -> None:
    """The attack needs a total above the defence's, the defence one above the attack's."""
    match = shooting(13, **ADVANCED)
    match.play("ruling", text="x", token="orange")
    match.shot("bbbpsf", "bbbbbs")
    assert standing(match)["reroll"] == {"keep": dice("bbb"), "win": "7/27"}
    match = shooting(13, **ADVANCED)
    match.shot("bbbpsf", "bbbpsf")
    assert standing(match)["reroll"] == {"keep": dice("bbb"), "win": "7/27"}


def test_advice_on_a_missed_free_throw() -> None:
    match = under_way(**ADVANCED)
    match.throw(MIXED, "fffbps")
    match.free_throw("white", MIXED)
    assert standing(match)["reroll"] == {"keep": dice("bb"), "win": str(1 - Fraction(2, 3) ** 4)}


def test_expected_points_count_ties_for_the_holder() -> None:
    match = shooting(12)
    chances = odds.shot_odds(FACES, 1)
    assert odds.expected_points(match.state, 4) == 2 * chances["made"]
    match.play("ruling", text="x", token="orange")
    assert odds.expected_points(match.state, 4) == 2 * (chances["made"] + chances["tie"])


def test_dice_spelled_in_the_order_of_the_symbols() -> None:
    assert symbol_list((2, 0, 1, 1)) == dice("bbsf")
