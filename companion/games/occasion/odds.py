"""What is certain of a duel. Hands and energies are secret, so there are no chances to show (OC-11.2).

The one exact figure is whether the energies that still lie face down can turn the duel: a share of 1 or 0.
"""

from __future__ import annotations

from fractions import Fraction

from companion.games.occasion.state import State
from companion.games.occasion.tables import MOST_ENERGY


def margins(state: State) -> tuple[int, int] | None:
    """The least and the greatest margin that this duel can still end with; None before the defence opposes.

    Each energy is 0 to 99 (OC-7.2), the attack's base one doubled after letting through (OC-7.3).
    """
    duel = state.duel
    if duel is None or duel.defence is None or duel.margin is None:
        return None
    attack = duel.attack.face_down
    if state.bonus_x2 and not duel.attack.energy:
        attack += 1
    return duel.margin - MOST_ENERGY * duel.defence.face_down, duel.margin + MOST_ENERGY * attack


def attack_wins(state: State) -> Fraction | None:
    """1 or 0 once no energy can change who wins (OC-9.2); None while it is open.

    In phase `support` anything may still be added.
    """
    bounds = margins(state)
    if bounds is None or state.phase not in ("reveal", "verdict"):
        return None
    least, greatest = bounds
    if least > 0:
        return Fraction(1)
    return Fraction(0) if greatest <= 0 else None
