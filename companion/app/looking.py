"""A kept match to look at: played through once, without a reader; the one that is being played goes on as it is."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from companion.app.figures.words import say
from companion.games.base import Message
from companion.journal.database import StoreError
from companion.journal.ledger import LineRefused
from companion.table.matches import MatchSummary
from companion.table.session import Session

if TYPE_CHECKING:
    from companion.app.app import TapisVertApp

log = logging.getLogger(__name__)


def written_day(day: str) -> str:
    """A day such as 2026-03-14 as the players' language writes it; what is no day stays as it is."""
    parts = day.split("-")
    if len(parts) != 3:
        return day
    return say("app.report.day", year=parts[0], month=parts[1], day=parts[2])


def look_at(app: TapisVertApp, match: MatchSummary) -> Session | None:
    """The match as it stands; None for one whose journal breaks a rule, or, the players told, that cannot be read."""
    if app.session is not None and app.session.match_id == match.match_id:
        return app.session
    if match.trouble is not None:
        return None
    if match.game_id not in app.matches.games:
        app.sorry(app.text(Message("app.unknown_game")))
        return None
    try:
        return app.matches.resume(match.match_id)
    except (LineRefused, StoreError) as fault:
        log.warning("match %s not shown: %s", match.match_id, fault)
        app.sorry(app.text(fault.message))
        return None
