"""The tables that the hub knows, and the keys of tables and people: random, kept as digests only."""

from __future__ import annotations

from companion.hub.words import TableRow


class Tables:
    """The tables, each with the number that plans and calls name it by."""

    def register(self, id: str, number: int, name: str = "") -> TableRow:
        """A new table, or another number and name for a known one. Raises `Refusal` for a number that is taken."""
        raise RuntimeError("not built yet")

    def remove(self, id: str) -> None:
        """The table may send nothing any more; its journals stay."""
        raise RuntimeError("not built yet")

    def all(self) -> tuple[TableRow, ...]:
        """Every table, by number."""
        raise RuntimeError("not built yet")
