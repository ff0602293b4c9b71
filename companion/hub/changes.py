"""The change feed: what has a higher number than the one asked after. Nothing is logged, so nothing grows."""

from __future__ import annotations

from sqlalchemy import Connection, select

from companion.hub.schema import JOURNALS, NOTICES, TABLES, TOURNAMENTS
from companion.hub.words import Changes


def changes_after(connection: Connection, revision: int | None, newest: int) -> Changes:
    """What changed after a revision; everything without one."""
    after = -1 if revision is None else revision
    tables = connection.scalars(select(TABLES.c.id).where(TABLES.c.revision > after))
    journals = connection.execute(select(JOURNALS.c.table_id, JOURNALS.c.epoch).where(JOURNALS.c.revision > after))
    tournaments = connection.scalars(select(TOURNAMENTS.c.id).where(TOURNAMENTS.c.revision > after))
    notices = connection.scalar(select(NOTICES.c.id).where(NOTICES.c.revision > after).limit(1)) is not None
    return Changes(
        newest,
        revision is None,
        frozenset(tables),
        frozenset((table, epoch) for table, epoch in journals),
        frozenset(tournaments),
        notices,
    )
