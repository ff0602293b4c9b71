"""Tournaments that the organiser took off the public pages, made by mistake say; when, by whom and why."""

from __future__ import annotations

from dataclasses import dataclass, replace

import msgspec
from sqlalchemy import select, update

from companion.hub.database import Database, UnknownTournament, Work, keep_value, kept_value
from companion.hub.messages import storable
from companion.hub.schema import KEPT, TOURNAMENTS
from companion.tournament import texts

_KEY = "archive."
"""Begins the name of what is kept for a tournament."""


@dataclass(frozen=True, slots=True)
class Step:
    """It was taken off the public pages, or brought back: when (ISO 8601), by whom, why."""

    archived: bool
    at: str
    by: str
    why: str


_READS = msgspec.json.Decoder(
    tuple[Step, ...]
)  # made here: two threads that make the first one at once crash the library


class Archive:
    """Which tournaments nobody but the organiser sees. Nothing of them is lost. Safe to call from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known: dict[str, tuple[Step, ...]] | None = None
        database.remembers(self._forget)

    def holds(self, tournament: str) -> bool:
        """Whether it is archived."""
        steps = self.steps(tournament)
        return bool(steps) and steps[-1].archived

    def steps(self, tournament: str) -> tuple[Step, ...]:
        """What was done with it, the oldest first."""
        return self._all().get(tournament, ())

    def put(self, tournament: str, archived: bool, by: str, why: str) -> bool:
        """Takes it off the public pages, or brings it back; whether it was not so before. Raises UnknownTournament.

        Raises `Refusal` without a reason, and for one that cannot be seen (`texts`).
        """
        texts.checked(why, "archive", "why", empty=False)
        with self._database.writing() as work:
            known = select(TOURNAMENTS.c.forgotten).where(TOURNAMENTS.c.id == tournament)
            row = work.connection.execute(known).first()
            if row is None:
                raise UnknownTournament(tournament)
            steps = _read(work, tournament)
            if archived == (bool(steps) and steps[-1].archived):
                return False
            step = Step(archived, work.now, storable(by), why)
            _keep(work, tournament, (*steps, step if row.forgotten is None else replace(step, by="", why="")))
            changed = update(TOURNAMENTS).where(TOURNAMENTS.c.id == tournament)
            work.connection.execute(changed.values(revision=work.revision))
            work.changed = True
            work.after.append(self._forget)
        return True

    def _all(self) -> dict[str, tuple[Step, ...]]:
        known = self._known
        if known is None:
            # In the writer's turn: otherwise what was read before a change could be put back after it.
            with self._database.turn(), self._database.reading() as connection:
                rows = connection.execute(select(KEPT).where(KEPT.c.key.startswith(_KEY)))
                known = {row.key.removeprefix(_KEY): _READS.decode(row.value) for row in rows}
                self._known = known
        return known

    def _forget(self) -> None:
        self._known = None


def erase_words(work: Work, tournament: str) -> None:
    """Who and why go from the steps of a tournament whose names are deleted."""
    steps = _read(work, tournament)
    if steps:
        _keep(work, tournament, tuple(replace(each, by="", why="") for each in steps))


def _read(work: Work, tournament: str) -> tuple[Step, ...]:
    kept = kept_value(work.connection, _KEY + tournament)
    return () if kept is None else _READS.decode(kept)


def _keep(work: Work, tournament: str, steps: tuple[Step, ...]) -> None:
    keep_value(work.connection, _KEY + tournament, msgspec.json.encode(steps).decode())
