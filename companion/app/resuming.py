"""A match taken up where it stopped, and the page it then belongs on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.table.matches import MatchSummary

if TYPE_CHECKING:
    from companion.app.app import TapisVertApp


def take_up(app: TapisVertApp, match: MatchSummary) -> None:
    """Opens the table, or a FootClub match that has not kicked off on its preparation; players are told if it fails."""
    session = app.resume(match)
    if session is None:
        return
    early = match.game_id == "footclub" and session.state.phase == "pre_match"
    app.open("clubs" if early else "table", session=session)
