"""The certain results of a duel. Hands and energies are secret, so there are no probabilities to show (OC-11.2).

The only exact number is whether the face-down energies can still change the winner: a share of 1 or 0.
"""

from __future__ import annotations

from fractions import Fraction

from companion.games.occasion.state import State
from companion.games.occasion.tables import MAX_ENERGY


def margin_range(state: State) -> tuple[int, int] | None:
    """Return the smallest and largest margin that this duel can still end with; None before the defence opposes.

    Each energy is 0 to 99 (OC-7.2); the attack's base energy is doubled after letting through (OC-7.3).
    """
    duel = state.duel
    if duel is None or duel.defence is None or duel.margin is None:
        return None
    attack = duel.attack.face_down
    if state.bonus_x2 and not duel.attack.energy:
        attack += 1
    return duel.margin - MAX_ENERGY * duel.defence.face_down, duel.margin + MAX_ENERGY * attack


def attack_win_chance(state: State) -> Fraction | None:
    """Return 1 or 0 once no energy can change the winner (OC-9.2); None while it is open.

    In phase `support` anything may still be added, so the result is None.
    """
    bounds = margin_range(state)
    if bounds is None or state.phase not in ("reveal", "verdict"):
        return None
    least, greatest = bounds
    if least > 0:
        return Fraction(1)
    return Fraction(0) if greatest <= 0 else None
