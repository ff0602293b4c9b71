"""Where the app's catalogues, clubs, tables to exchange and deals under way are, beside the folder of the clubs."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.table.catalogues.exchange import Exchange
from companion.table.catalogues.footclub import MATCH, match_cards
from companion.table.catalogues.shelf import Shelf, ShelfTrouble
from companion.table.market.desk import Desk

if TYPE_CHECKING:
    from companion.app.app import TapisVertApp

log = logging.getLogger(__name__)

CATALOGUES, EXCHANGE = "catalogues", "exchange"


def shelf(app: TapisVertApp) -> Shelf:
    """The catalogues and clubs of this table."""
    clubs = _clubs(app)
    return Shelf(clubs.parent / CATALOGUES, clubs)


def exchange(app: TapisVertApp) -> Exchange:
    """Where tables come from and go to."""
    return Exchange(_clubs(app).parent / EXCHANGE)


def desk(app: TapisVertApp) -> Desk:
    """The market or draft under way."""
    return Desk(_clubs(app).parent / CATALOGUES)


def own_match_cards(app: TapisVertApp) -> dict[str, dict[str, Any]]:
    """What the numbers of match cards say in the players' own catalogue; the sample's are invented and say nothing.

    A catalogue that cannot be read says nothing either: the table asks for the place instead.
    """
    if app.squads is None or not shelf(app).is_own(MATCH):
        return {}
    try:
        return match_cards(shelf(app).load(MATCH).rows)
    except ShelfTrouble as trouble:
        log.warning("match cards not read: %s", trouble)
        return {}


def _clubs(app: TapisVertApp) -> Path:
    if app.squads is None:
        raise ValueError("the app was given no folder for clubs")
    return app.squads
