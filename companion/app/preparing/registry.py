"""Which class prepares a match of which game; the modules are loaded when they are asked for."""

from __future__ import annotations

from importlib import import_module

from companion.app.preparing.rows import Preparing

PREPARING: dict[str, str] = {
    "hoops21": "hoops21:HoopsPreparing",
    "nba": "nba:NbaPreparing",
    "occasion": "occasion:OccasionPreparing",
}
"""By game: module in `companion.app.preparing` and class. FootClub has a page of its own (`clubs`)."""

OWN_PAGE = {"footclub": "clubs"}
"""Games whose preparation is a page of its own."""


def page_of(game: str) -> str | None:
    """The page that prepares a match of a game, None for a game that cannot be begun here."""
    return OWN_PAGE.get(game) or ("prepare" if game in PREPARING else None)


def preparing(game: str) -> type[Preparing]:
    """The class that prepares a match of a game of `PREPARING`."""
    module, _, name = PREPARING[game].partition(":")
    found: type[Preparing] = getattr(import_module(f"companion.app.preparing.{module}"), name)
    return found
