"""The running bonus of an offensive taken apart into its terms, for the sum in the centre of the screen."""

from __future__ import annotations

from companion.games.figures import Term
from companion.games.footclub.offensives import STRENGTH
from companion.games.footclub.state import Offensive, State
from companion.games.footclub.tables import index_of, other
from companion.games.footclub.words import word


def offensive_terms(state: State, offensive: Offensive) -> tuple[Term, ...]:
    """The initial bonus, what the attackers added, what the defenders took; they sum to the running bonus.

    The situation keeps sums, not single additions. They can be told apart except in a solo effort whose attacker may
    have paid for his strength: there the attackers' additions are one term.
    """
    side = offensive.side
    strength = state.club(side).players[offensive.player].card.strength or ""
    if offensive.kind == "solo_effort":
        added = [("skill_and_added" if strength == "skilful" else "added", offensive.attack_bonus)]
        if not offensive.malus and strength != "skilful":
            added = _supporters_and_supports(state, offensive, offensive.attack_bonus)
    else:
        automatic, _ = STRENGTH.get((offensive.kind, strength), (0, 0))
        rest = _supporters_and_supports(state, offensive, offensive.attack_bonus - automatic)
        added = [(f"strength.{strength}", automatic), *rest]
    hoarse = offensive.spent[other(side) == "red"]
    taken = [("supporters", -hoarse), ("defensive_support", hoarse - offensive.defence_bonus)]
    return (
        Term(word("term", "initial"), offensive.initial),
        *(Term(word("term", label), value, side) for label, value in added if value),
        *(Term(word("term", label), value, other(side)) for label, value in taken if value),
    )


def _supporters_and_supports(state: State, offensive: Offensive, added: int) -> list[tuple[str, int]]:
    """Spent Supporters, kop and attacking supports in what the attackers added without their strength.

    A Supporter adds 1, a support 2, and a kop worth 2 shows as an odd difference; a kop worth 1 counts as a Supporter.
    """
    spent = offensive.spent[index_of(offensive.side)]
    kop = (added - spent) % 2 if state.setup.kop_attack_bonus > 1 else 0
    kop_bonus = kop * state.setup.kop_attack_bonus
    supporters = spent - kop
    return [("kop", kop_bonus), ("supporters", supporters), ("attacking_support", added - kop_bonus - supporters)]
