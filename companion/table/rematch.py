"""A match played again by the same sides: the header and the events that prepare it, taken over from another one."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.base import Fields, JsonObject
from companion.games.registry import SPECS
from companion.journal.codec import without_metadata
from companion.journal.ledger import AnyLedger
from companion.table.opponents import OPPONENTS
from companion.table.profiles import PLAYED_BY
from companion.tournament.headers import MARK

_KEPT = ("journal", "game", "sides", OPPONENTS, PLAYED_BY)
"""Keys of the header that are taken over as they are; the others belong to a series, a league or a tournament."""


@dataclass(frozen=True, slots=True)
class Rematch:
    """The header of the new match, and the events to record before it begins."""

    header: JsonObject
    events: tuple[Fields, ...]


def can_repeat(header: Fields) -> bool:
    """True if a match may simply be played again: no tournament decides it, and nothing else follows it."""
    return header["game"] in SPECS and MARK not in header and SPECS[header["game"]].follow_up(header) is None


def rematch(ledger: AnyLedger, *, with_all_choices: bool = True) -> Rematch:
    """Return the match played again.

    Without `with_all_choices` the sides choose anew what a game allows to (`RematchSpec.chosen_anew`).
    """
    spec = SPECS[ledger.game.id].rematch
    header = {key: ledger.header[key] for key in _KEPT if key in ledger.header}
    header["setup"] = spec.set_up(ledger.header.get("setup", {}))
    events, before = [], ledger.initial_state
    for event in ledger.events:
        if before.phase not in spec.phases or ledger.game.dice_from_event(event.fields):
            break
        if with_all_choices or event.fields["event"] not in spec.chosen_anew:
            events.append(without_metadata(event.fields))
        before = event.state_after
    return Rematch(header, tuple(events))
