"""What is deleted, on demand and after a set time: names, journals, pictures."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Terms:
    """How many days names and journals stay after a tournament's end or a match's last line, and pictures; 0: for ever."""

    names_days: int = 365
    pictures_days: int = 30


class Retention:
    """Deletes for good. What is deleted does not come back when a table sends it again."""

    def terms(self) -> Terms:
        """The set times."""
        raise RuntimeError("not built yet")

    def set_terms(self, terms: Terms) -> None:
        """Sets the times."""
        raise RuntimeError("not built yet")

    def sweep(self) -> int:
        """Deletes what is older than the set times; to be called once in a while. Returns how many things went."""
        raise RuntimeError("not built yet")

    def forget_entry(self, tournament: str, entry: str, by: str) -> None:
        """An entry's name goes from the facts, and the journals of its matches lose their lines; results stay."""
        raise RuntimeError("not built yet")

    def forget_journal(self, table: str, epoch: int, by: str) -> None:
        """The lines and pictures of a journal go; that it was there, how far, and its result stay."""
        raise RuntimeError("not built yet")

    def forget_tournament(self, tournament: str, by: str) -> None:
        """All names of a tournament go, with the journals of its matches."""
        raise RuntimeError("not built yet")

    def forget_pictures(self, tournament: str | None, by: str) -> int:
        """All pictures (of a tournament) go; returns how many."""
        raise RuntimeError("not built yet")
