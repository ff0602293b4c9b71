"""Exact probabilities (chapter 13) from the faces of the dice, cached. Used by the state and the screen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, factorial

from companion.games.hoops21 import shots
from companion.games.hoops21.chart import choosing_side, needs_action
from companion.games.hoops21.state import Contest, Counts, State, highest_count, playable_symbols
from companion.games.hoops21.tables import BALL, DICE, FREE_THROW_BALLS, STEAL, SYMBOLS, Side, opponent

Faces = tuple[int, ...]
"""Faces of a die by symbol."""


@dataclass(frozen=True, slots=True)
class RerollAdvice:
    """The best dice to keep, by symbol, and the probability that rerolling the rest wins outright."""

    keep: Counts
    win: Fraction


@cache
def combination_weights(faces: Faces, dice: int) -> Mapping[Counts, int]:
    """Return the number of the 6^dice equally likely rolls for each combination of symbols."""
    found = {}
    for counts in product(range(dice + 1), repeat=len(SYMBOLS)):
        if sum(counts) == dice:
            weight = factorial(dice)
            for count, face in zip(counts, faces, strict=True):
                weight = weight // factorial(count) * face**count
            if weight:
                found[counts] = weight
    return found


@cache
def throw_odds(faces: Faces, dice: tuple[int, int]) -> dict[str, Fraction]:
    """Return the odds of `orange`, `tie` and `white`: who has the higher count with these numbers of dice (HB-4.3)."""
    orange, white = (_highest(faces, count) for count in dice)
    return _against(orange, white, ("orange", "tie", "white"))


@cache
def shot_odds(faces: Faces, modifier: int) -> dict[str, Fraction]:
    """Return the probabilities of `made`, `tie` and `missed` for a shot with this modifier (HB-7.6)."""
    thrown = symbol_count_chances(faces, BALL, DICE)
    attack = {count + modifier: chance for count, chance in enumerate(thrown)}
    return _against(attack, dict(enumerate(thrown)), ("made", "tie", "missed"))


@cache
def free_throw_chance(faces: Faces) -> Fraction:
    """Return the probability of three or more balls in six dice (HB-8.1)."""
    return sum(symbol_count_chances(faces, BALL, DICE)[FREE_THROW_BALLS:], Fraction(0))


@cache
def advise_reroll(faces: Faces, kind: str, on_table: Counts, needed: int) -> RerollAdvice:
    """Return the best dice to keep so that a reroll of the rest reaches `needed` balls (in a throw: equal dice).

    Among equal probabilities most dice are kept, then the first in the order of the symbols (chapter 13).
    """
    return min(all_rerolls(faces, kind, on_table, needed), key=advice_sort_key)


@cache
def all_rerolls(faces: Faces, kind: str, on_table: Counts, needed: int) -> tuple[RerollAdvice, ...]:
    """Return every way to reroll at least one die."""
    kept = product(*(range(count + 1) for count in on_table))
    return tuple(
        [RerollAdvice(keep, _success_chance(faces, kind, keep, on_table, needed)) for keep in kept if keep != on_table]
    )


def race_odds(faces: Faces, to_cross: int, set_aside: int = 0) -> dict[str, Fraction]:
    """Return the probabilities of `crossed` and `stolen` in an inbounding race in which both teams roll at one pace.

    A roll that crosses the line wins over one that steals at the same time.
    """
    stolen = _steal_chance(faces, to_cross, DICE - set_aside) if faces[STEAL] else Fraction(0)
    return {"crossed": 1 - stolen, "stolen": stolen}


@cache
def _steal_chance(faces: Faces, steps: int, left: int) -> Fraction:
    """Return the probability that all of `left` dice have shown S before the pawn has moved `steps` steps."""
    advance, collected = symbol_count_chances(faces, BALL, DICE), symbol_count_chances(faces, STEAL, left)
    chance = Fraction(0)
    for balls, weight in enumerate(advance[:steps]):
        for found, share in enumerate(collected):
            if balls or found:
                chance += weight * share * (_steal_chance(faces, steps - balls, left - found) if found < left else 1)
    return chance / (1 - advance[0] * collected[0])


@cache
def symbol_count_chances(faces: Faces, symbol: int, dice: int) -> tuple[Fraction, ...]:
    """Return the probability of each number of one symbol among the dice, from none to all."""
    face = faces[symbol]
    return tuple([Fraction(comb(dice, n) * face**n * (DICE - face) ** (dice - n), DICE**dice) for n in range(dice + 1)])


@cache
def _highest(faces: Faces, dice: int) -> Mapping[int, Fraction]:
    """Return the probability of each count of a team in a throw (HB-4.2)."""
    chances: dict[int, Fraction] = {}
    for counts, weight in combination_weights(faces, dice).items():
        most = highest_count(counts)
        chances[most] = chances.get(most, Fraction(0)) + Fraction(weight, DICE**dice)
    return chances


def _against(
    one: Mapping[int, Fraction], against: Mapping[int, Fraction], names: tuple[str, str, str]
) -> dict[str, Fraction]:
    """Return the probabilities that one is more, equal and less."""
    more = sum((a * b for x, a in one.items() for y, b in against.items() if x > y), Fraction(0))
    even = sum((a * against.get(x, 0) for x, a in one.items()), Fraction(0))
    return dict(zip(names, (more, even, 1 - more - even), strict=True))


def _success_chance(faces: Faces, kind: str, keep: Counts, on_table: Counts, needed: int) -> Fraction:
    again = sum(on_table) - sum(keep)
    if kind != "throw":
        missing = max(0, needed - keep[BALL])
        return sum(symbol_count_chances(faces, BALL, again)[missing:], Fraction(0))
    good = sum(
        weight
        for counts, weight in combination_weights(faces, again).items()
        if max(kept + new for kept, new in zip(keep, counts, strict=True)) >= needed
    )
    return Fraction(good, DICE**again)


def advice_sort_key(advice: RerollAdvice) -> tuple[Fraction, int, list[int]]:
    """Return a sort key: the best probability first, then the most kept dice, then the first by symbols (chapter
    13)."""
    entries = [symbol for symbol, count in enumerate(advice.keep) for _ in range(count)]
    return -advice.win, -len(entries), entries


def symbol_list(counts: Counts) -> list[str]:
    """Return dice as a list of symbols in order."""
    return [symbol for symbol, count in zip(SYMBOLS, counts, strict=True) for _ in range(count)]


def needed_count(state: State, contest: Contest, side: Side) -> int:
    """Return how many balls (in a throw: equal dice) a side must show to win outright (chapter 13)."""
    if contest.kind == "free_throw":
        return FREE_THROW_BALLS
    if contest.kind == "throw":
        return highest_count(contest.counts_of(opponent(side))) + 1
    attack, defence = shots.totals(state, contest)
    return defence - shots.modifier(state) + 1 if side == state.attack else attack + 1


def reroll_options(state: State) -> tuple[RerollAdvice, ...]:
    """Return the rerolls of the token holder, in phases `tie` and `reroll`."""
    contest, holder = state.open_contest, state.token_holder
    return all_rerolls(state.setup.faces, contest.kind, contest.counts_of(holder), needed_count(state, contest, holder))


def best_reroll(state: State) -> RerollAdvice:
    """Return the advice of chapter 13, in phases `tie` and `reroll`."""
    contest, holder = state.open_contest, state.token_holder
    return advise_reroll(
        state.setup.faces, contest.kind, contest.counts_of(holder), needed_count(state, contest, holder)
    )


def may_shoot(state: State) -> bool:
    """Return True if a shot is expected, or the winner of a throw may choose one."""
    if state.phase != "choose":
        return state.phase == "shot"
    winner = choosing_side(state)
    return any(needs_action(state, winner, symbol) for symbol in playable_symbols(state.open_contest.counts_of(winner)))


def shot_odds_from(state: State, distance: int) -> dict[str, Fraction]:
    """Return the odds of a shot from a distance of the pawn."""
    return shot_odds(state.setup.faces, state.setup.court.modifier(distance))


def expected_points(state: State, distance: int) -> Fraction:
    """Return the expected points of a shot from there; a tie goes to the team that holds the token (HB-5.1)."""
    chances = shot_odds_from(state, distance)
    good = chances["made"] + (chances["tie"] if state.token == state.attack else 0)
    return good * state.setup.court.points(distance)


def odds_view(state: State) -> dict[str, object]:
    """Return the `odds` of the state: only the keys that apply, as reduced fractions."""
    if state.phase == "throw":
        return {"throw": _texts(throw_odds(state.setup.faces, state.dice_next))}
    if may_shoot(state):
        found: dict[str, object] = {"shot": _texts(shot_odds_from(state, state.distance))}
        if shots.is_inside_arc(state):
            found["step_back"] = _texts(shot_odds_from(state, state.setup.court.arc + 1))
        return found
    if state.phase == "free_throw":
        return {"free_throw": {"made": str(free_throw_chance(state.setup.faces))}}
    if state.phase in ("tie", "reroll") and state.setup.advanced:
        advice = best_reroll(state)
        return {"reroll": {"keep": symbol_list(advice.keep), "win": str(advice.win)}}
    return {}


def _texts(chances: Mapping[str, Fraction]) -> dict[str, str]:
    return {key: str(chance) for key, chance in chances.items()}
