"""Which tables the desk sees: here since, away since, who checked in, and tables that left during a match."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from companion.hub.link import TablePresence
from companion.hub.models import TableRow
from companion.hub.web.localization import Locale, Names
from companion.tournament.progress import Match

Status = Literal["here", "away", "silent"]


@dataclass(frozen=True, slots=True)
class TableStatus:
    """Whether a table is there, and the sentence about it. `silent`: not heard since the hub was started."""

    status: Status
    sentence: str
    twin: bool = False


class TablesSeen:
    """The tables as the hub hears them, in the organiser's language."""

    def __init__(self, rows: tuple[TableRow, ...], heard: Mapping[str, TablePresence], locale: Locale) -> None:
        self._rows = {row.number: row for row in rows}
        self._heard, self._locale = heard, locale

    def status(self, number: int | None) -> TableStatus | None:
        """Return the state of a table by its number, or None if no table has it."""
        row = self._rows.get(number) if number is not None else None
        if row is None:
            return None
        found = self._heard.get(row.id)
        if found is not None:
            status: Status = "here" if found.online else "away"
            return TableStatus(status, self._since(status, found.since if found.online else found.last), found.twin)
        if row.last_heard is None:
            return TableStatus("silent", self._locale.t("web.table.silent"))
        return TableStatus("silent", self._locale.t("web.table.heard", time=self._locale.clock(row.last_heard)))

    def statuses(self) -> dict[int, TableStatus]:
        """Return the state of every table, by number."""
        found = {number: self.status(number) for number in self._rows}
        return {number: each for number, each in found.items() if each is not None}

    def checked_in(self, tournament: str, match: Match, names: Names) -> str:
        """Return who of a called match has checked in at its table; empty if the table is not heard."""
        row = self._rows.get(match.table) if match.table is not None else None
        found = self._heard.get(row.id) if row is not None else None
        if found is None or not found.online:
            return ""
        sides = set(found.present.get(f"{tournament}/{match.id}", ()))
        if len(sides) != 1:
            return self._locale.t("web.present.both" if sides else "web.present.none")
        return self._locale.t("web.present.only", name=names.side(match, "home" in sides))

    def has_left(self, match: Match) -> bool:
        """Return whether the table of a match was there and is gone."""
        status = self.status(match.table)
        return status is not None and status.status == "away"

    def _since(self, status: Status, at: datetime) -> str:
        return self._locale.t(f"web.table.{status}", time=self._locale.clock(at.isoformat()))
