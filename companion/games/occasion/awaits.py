"""What this game awaits in each phase: whose it is to act, and every choice that is legal or looked for. No dice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from companion.games.base import Awaits
from companion.games.occasion import awaits_attack, awaits_duel
from companion.games.occasion.awaits_table import declarations
from companion.games.occasion.state import State
from companion.games.occasion.tables import Phase
from companion.games.occasion.view import waiting_for
from companion.games.occasion.words import word

_PHASES: Mapping[Phase, Callable[[State], Awaits]] = {
    "choose_occasion": awaits_attack.choose_occasion,
    "attack_move": awaits_attack.attack_move,
    "defence": awaits_duel.defence,
    "support": awaits_duel.support,
    "reveal": awaits_duel.reveal,
    "verdict": awaits_duel.verdict,
    "advance": awaits_attack.advance,
    "shot": awaits_attack.shot,
}


def awaits(state: State) -> Awaits:
    """A match that is over awaits nothing."""
    if state.phase == "over":
        return Awaits(word("await", "over"))
    made = _PHASES[state.phase](state)
    choices = sorted((*made.choices, *declarations(state)), key=lambda choice: (choice.barred is not None, choice.rank))
    return replace(made, sides=waiting_for(state), choices=tuple(choices))
