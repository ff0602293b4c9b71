"""The organiser's choice between the journals of a copied card."""

from __future__ import annotations

from dataclasses import replace

from companion.hub.doing import Doing
from companion.hub.heads import NONE, REPLACED, Head
from companion.hub.notices import close_notices

_NOWHERE = -1


def choose(doing: Doing, counting: Head, chosen: Head, by: str) -> Head:
    """Lets another journal count under its number; returns its head. Both stay, byte for byte.

    What the tournament took from the one before is corrected by the one that counts now, once it is over and confirmed.
    """
    shelf = doing.shelf
    close_notices(doing.work, counting, ("copied_card",), by)
    if chosen.id == counting.id:
        return chosen
    shelf.put(replace(counting, branch=_NOWHERE))
    took_over = replace(
        chosen,
        branch=0,
        tournament=chosen.tournament or counting.tournament,
        match=chosen.match or counting.match,
        entries=chosen.entries or counting.entries,
        bound_by=chosen.bound_by or counting.bound_by,
        outcome=counting.outcome,
        counted=counting.counted,
    )
    winner = shelf.put(took_over)
    outcome = NONE if counting.outcome == NONE else REPLACED
    shelf.put(replace(counting, branch=chosen.branch, outcome=outcome))
    return winner
