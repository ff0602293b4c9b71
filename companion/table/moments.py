"""The moments of a running match: what its newest event means, to be shown large for a moment."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.moments import ResultMoment
from companion.games.registry import SPECS
from companion.table.session import Session


def newest_moments(session: Session) -> Sequence[ResultMoment]:
    """Return the moments of the newest valid event; empty if there is none."""
    events = session.ledger.events
    if not events:
        return ()
    before = events[-2].state_after if len(events) > 1 else session.ledger.initial_state
    newest = events[-1]
    return SPECS[session.game.id].moments(before, newest.fields, newest.outcome, newest.state_after)
