"""Exact chances (chapter 13) from the faces of the dice, kept once computed. For the state and the screen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, factorial

from companion.games.hoops21 import shots
from companion.games.hoops21.chart import action_due, chooser
from companion.games.hoops21.state import Contest, Counts, State, candidates, highest
from companion.games.hoops21.tables import BALL, DICE, FREE_THROW_BALLS, STEAL, SYMBOLS, Side, other

Faces = tuple[int, ...]
"""Faces of a die by symbol."""


@dataclass(frozen=True, slots=True)
class Advice:
    """The best dice to keep, by symbol, and the chance that throwing the rest again wins outright."""

    keep: Counts
    win: Fraction


@cache
def weights(faces: Faces, dice: int) -> Mapping[Counts, int]:
    """In how many of the 6^dice equally likely throws each combination of symbols lies."""
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
def throw(faces: Faces, dice: tuple[int, int]) -> dict[str, Fraction]:
    """`orange`, `tie` and `white`: whose count is higher with so many dice (HB-4.3)."""
    orange, white = (_highest(faces, count) for count in dice)
    return _against(orange, white, ("orange", "tie", "white"))


@cache
def shot(faces: Faces, modifier: int) -> dict[str, Fraction]:
    """`made`, `tie` and `missed` of a shot with this modifier (HB-7.6)."""
    thrown = symbols(faces, BALL, DICE)
    attack = {count + modifier: chance for count, chance in enumerate(thrown)}
    return _against(attack, dict(enumerate(thrown)), ("made", "tie", "missed"))


@cache
def free_throw(faces: Faces) -> Fraction:
    """Three or more balls of six (HB-8.1)."""
    return sum(symbols(faces, BALL, DICE)[FREE_THROW_BALLS:], Fraction(0))


@cache
def reroll(faces: Faces, kind: str, lying: Counts, needed: int) -> Advice:
    """The best dice to keep of those that lie there, so that `needed` balls (throw: dice alike) lie there after.

    Among equal chances the most dice are kept, then the first in the order of the symbols (chapter 13).
    """
    return min(rerolls(faces, kind, lying, needed), key=preference)


@cache
def rerolls(faces: Faces, kind: str, lying: Counts, needed: int) -> tuple[Advice, ...]:
    """Every way to throw at least one die again."""
    kept = product(*(range(count + 1) for count in lying))
    return tuple([Advice(keep, _reaches(faces, kind, keep, lying, needed)) for keep in kept if keep != lying])


def race(faces: Faces, to_cross: int, set_aside: int = 0) -> dict[str, Fraction]:
    """`crossed` and `stolen` of an inbounding race in which both teams throw at one pace.

    A throw that crosses the line comes before one that steals at the same time.
    """
    stolen = _stolen(faces, to_cross, DICE - set_aside) if faces[STEAL] else Fraction(0)
    return {"crossed": 1 - stolen, "stolen": stolen}


@cache
def _stolen(faces: Faces, steps: int, left: int) -> Fraction:
    """The chance that so many dice all come to show S before the pawn has gone so many steps."""
    advance, collected = symbols(faces, BALL, DICE), symbols(faces, STEAL, left)
    chance = Fraction(0)
    for balls, weight in enumerate(advance[:steps]):
        for found, share in enumerate(collected):
            if balls or found:
                chance += weight * share * (_stolen(faces, steps - balls, left - found) if found < left else 1)
    return chance / (1 - advance[0] * collected[0])


@cache
def symbols(faces: Faces, symbol: int, dice: int) -> tuple[Fraction, ...]:
    """The chance of each number of one symbol among so many dice, from none to all."""
    face = faces[symbol]
    return tuple([Fraction(comb(dice, n) * face**n * (DICE - face) ** (dice - n), DICE**dice) for n in range(dice + 1)])


@cache
def _highest(faces: Faces, dice: int) -> Mapping[int, Fraction]:
    """The chance of each count of a team in a throw (HB-4.2)."""
    chances: dict[int, Fraction] = {}
    for counts, weight in weights(faces, dice).items():
        most = highest(counts)
        chances[most] = chances.get(most, Fraction(0)) + Fraction(weight, DICE**dice)
    return chances


def _against(
    one: Mapping[int, Fraction], against: Mapping[int, Fraction], names: tuple[str, str, str]
) -> dict[str, Fraction]:
    """How often one is more, equal and less."""
    more = sum((a * b for x, a in one.items() for y, b in against.items() if x > y), Fraction(0))
    even = sum((a * against.get(x, 0) for x, a in one.items()), Fraction(0))
    return dict(zip(names, (more, even, 1 - more - even), strict=True))


def _reaches(faces: Faces, kind: str, keep: Counts, lying: Counts, needed: int) -> Fraction:
    again = sum(lying) - sum(keep)
    if kind != "throw":
        missing = max(0, needed - keep[BALL])
        return sum(symbols(faces, BALL, again)[missing:], Fraction(0))
    good = sum(
        weight
        for counts, weight in weights(faces, again).items()
        if max(kept + new for kept, new in zip(keep, counts, strict=True)) >= needed
    )
    return Fraction(good, DICE**again)


def preference(advice: Advice) -> tuple[Fraction, int, list[int]]:
    """Sorts the best chance first, then the longest list, then the first entry by entry (chapter 13)."""
    entries = [symbol for symbol, count in enumerate(advice.keep) for _ in range(count)]
    return -advice.win, -len(entries), entries


def spelled(counts: Counts) -> list[str]:
    """Dice as a list of symbols in their order."""
    return [symbol for symbol, count in zip(SYMBOLS, counts, strict=True) for _ in range(count)]


def needed(state: State, contest: Contest, side: Side) -> int:
    """How many balls (throw: dice alike) the dice of a side must show to win outright (chapter 13)."""
    if contest.kind == "free_throw":
        return FREE_THROW_BALLS
    if contest.kind == "throw":
        return highest(contest.of(other(side))) + 1
    attack, defence = shots.totals(state, contest)
    return defence - shots.modifier(state) + 1 if side == state.attack else attack + 1


def ways_to_reroll(state: State) -> tuple[Advice, ...]:
    """What the holder of the token may throw again, in phases `tie` and `reroll`."""
    contest, holder = state.lying, state.holder
    return rerolls(state.setup.faces, contest.kind, contest.of(holder), needed(state, contest, holder))


def best_reroll(state: State) -> Advice:
    """The advice of chapter 13, in phases `tie` and `reroll`."""
    contest, holder = state.lying, state.holder
    return reroll(state.setup.faces, contest.kind, contest.of(holder), needed(state, contest, holder))


def may_shoot(state: State) -> bool:
    """Whether a shot is due, or the winner of a throw may choose one."""
    if state.phase != "choose":
        return state.phase == "shot"
    winner = chooser(state)
    return any(action_due(state, winner, symbol) for symbol in candidates(state.lying.of(winner)))


def shot_from(state: State, distance: int) -> dict[str, Fraction]:
    """A shot from a distance of the pawn."""
    return shot(state.setup.faces, state.setup.court.modifier(distance))


def expected_points(state: State, distance: int) -> Fraction:
    """Points that a shot from there is worth; a tie goes to the team that holds the token (HB-5.1)."""
    chances = shot_from(state, distance)
    good = chances["made"] + (chances["tie"] if state.token == state.attack else 0)
    return good * state.setup.court.points(distance)


def standing(state: State) -> dict[str, object]:
    """The `odds` of the state: only the keys that apply, as reduced fractions."""
    if state.phase == "throw":
        return {"throw": _texts(throw(state.setup.faces, state.dice_next))}
    if may_shoot(state):
        found: dict[str, object] = {"shot": _texts(shot_from(state, state.distance))}
        if shots.inside(state):
            found["step_back"] = _texts(shot_from(state, state.setup.court.arc + 1))
        return found
    if state.phase == "free_throw":
        return {"free_throw": {"made": str(free_throw(state.setup.faces))}}
    if state.phase in ("tie", "reroll") and state.setup.advanced:
        advice = best_reroll(state)
        return {"reroll": {"keep": spelled(advice.keep), "win": str(advice.win)}}
    return {}


def _texts(chances: Mapping[str, Fraction]) -> dict[str, str]:
    return {key: str(chance) for key, chance in chances.items()}
