"""The invented cards shipped with the games, as rows: what the catalogues hold until players have their own."""

from __future__ import annotations

from importlib import resources

from companion.games.catalogue import Kind, Row
from companion.games.registry import SPECS
from companion.table.catalogues.reading import Entry, Reading, check_rows, read

_FIRST_ROW = 2
"""Where the first card of a table stands."""


def sample(kind: Kind) -> Reading:
    """The sample of a kind: what its game makes of other samples, else a table in its game's folder."""
    rows = SPECS[kind.game].sample_rows(kind)
    if rows is not None:
        return check_rows("", kind, [Entry(number, row) for number, row in enumerate(rows, _FIRST_ROW)])
    entry = resources.files(f"companion.games.{kind.game}") / "samples" / f"{kind.name}.csv"
    return read(entry.name, entry.read_bytes(), kind) if entry.is_file() else Reading(entry.name, kind)


class Samples:
    """The samples alone, for a table whose own cards cannot be read (`companion.games.catalogue.Cards`)."""

    def is_own(self, kind: Kind) -> bool:
        return False

    def rows(self, kind: Kind) -> tuple[Row, ...]:
        return sample(kind).rows
