"""Exact probabilities (chapter 21) by enumeration of fair dice, cached. Used by the state and the screen."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product

from companion.games.footclub.duel import NEEDED
from companion.games.footclub.state import State
from companion.games.footclub.tables import PENALTY_BONUS

DIE = range(1, 7)
CLAMP = 5
HALF = Fraction(1, 2)


@cache
def shot(bonus: int, throw: int = 1, defence: int | None = None) -> dict[str, Fraction]:
    """Return the probabilities of `goal`, `corner` and `save` for a shot.

    `bonus` is the final bonus, -5 to +5. `defence` is the defence die once it is rolled. If the second roll ties
    again, each outcome is equally likely: goal 1/2, corner 1/2.
    """
    if throw == 2:
        bonus = 0
    pairs = list(product(DIE if defence is None else (defence,), DIE))
    more = Fraction(sum(attack + bonus > die for die, attack in pairs), len(pairs))
    less = Fraction(sum(attack + bonus < die for die, attack in pairs), len(pairs))
    even = 1 - more - less
    if throw == 2:
        return {"goal": more + even * HALF, "corner": less + even * HALF, "save": Fraction(0)}
    return {"goal": more + even * HALF, "corner": even * HALF, "save": less}


@cache
def duel(mode: str, modifier: int, throw: int = 1) -> dict[str, Fraction]:
    """Return the odds of `success`, `foul`, `yellow` and `red` of a tackle or defensive support from this roll on."""
    ones = Fraction(1, 36)
    success = _success_probability(NEEDED[throw], modifier)
    foul = 1 - success
    if throw == 2:
        return {"success": success, "foul": foul, "yellow": foul - ones, "red": ones}
    if mode == "regular":
        return {"success": success, "foul": foul, "yellow": ones, "red": Fraction(0)}
    second = duel(mode, modifier, 2)
    return {
        "success": success + foul * second["success"],
        "foul": foul * second["foul"],
        "yellow": foul * second["yellow"],
        "red": foul * second["red"],
    }


def _success_probability(needed: int, modifier: int) -> Fraction:
    pairs = [pair for pair in product(DIE, DIE) if pair != (1, 1) and sum(pair) + modifier >= needed]
    return Fraction(len(pairs), 36)


def current_odds(state: State) -> dict[str, str] | None:
    """Return the probabilities of the next roll as reduced fractions; None if no dice are expected (19.3)."""
    if state.phase == "duel" and state.duel is not None:
        chances = dict(duel(state.duel.mode, state.duel.modifier, state.duel.throw))
        booked = state.club(state.duel.side).players[state.duel.player].yellow > 0
        chances["sent_off"] = chances["red"] + (chances["yellow"] if booked else 0)
    elif state.phase in ("offensive", "set_piece") and state.offensive is not None:
        chances = shot(state.offensive.final, state.offensive.throw, state.offensive.defence_die)
    elif state.phase == "shootout" and state.shootout is not None and state.shootout.next is not None:
        chances = shot(PENALTY_BONUS, state.shootout.throw, state.shootout.defence_die)
    else:
        return None
    return {key: str(chance) for key, chance in chances.items()}
