"""Where the app's catalogues, clubs, tables to exchange and deals under way are, beside the folder of the clubs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from companion.table.catalogues.exchange import Exchange
from companion.table.catalogues.shelf import Shelf
from companion.table.market.desk import Desk

if TYPE_CHECKING:
    from companion.app.app import TapisVertApp

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


def _clubs(app: TapisVertApp) -> Path:
    if app.squads is None:
        raise ValueError("the app was given no folder for clubs")
    return app.squads
