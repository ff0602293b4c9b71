"""The invented cards shipped with the product, as rows: what the catalogues hold until players have their own."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import resources

from companion.table.catalogues import footclub, nba
from companion.table.catalogues.columns import Row
from companion.table.catalogues.kinds import Kind
from companion.table.catalogues.reading import Entry, Reading, check_rows, read
from companion.table.nba_cards import sample_cards
from companion.table.squads import rows_of, sample_clubs

_FIRST_ROW = 2
"""Where the first card of a table stands."""


def sample(kind: Kind) -> Reading:
    """The sample of a kind: the team cards are those of the sample clubs; a table shipped for the rest."""
    if kind is footclub.TEAM:
        return _reading(kind, _team_cards())
    if kind.game == "nba":
        return _reading(kind, _nba_cards(kind))
    entry = resources.files("companion.samples") / f"{kind.name}.csv"
    return read(entry.name, entry.read_bytes(), kind) if entry.is_file() else Reading(entry.name, kind)


def _reading(kind: Kind, rows: Iterator[Row]) -> Reading:
    return check_rows("", kind, [Entry(number, row) for number, row in enumerate(rows, _FIRST_ROW)])


def _team_cards() -> Iterator[Row]:
    for club in sample_clubs():
        for row in rows_of(club):
            yield {key: value for key, value in row.items() if key != "club"}


def _nba_cards(kind: Kind) -> Iterator[Row]:
    wanted = "player" if kind is nba.PLAYERS else "tactic"
    for id, card in sample_cards().cards.items():
        if card["kind"] == wanted:
            yield nba.row_of(id, card)
