"""What the organiser should look at: opened once for each subject however often it is seen, closed when settled."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, insert, select, update

from companion.games.base import Message
from companion.hub import messages
from companion.hub.database import Database, Work
from companion.hub.heads import Head
from companion.hub.messages import storable
from companion.hub.schema import NOTICES
from companion.hub.words import Bound, Notice, NoticeKind


def subject_of(head: Head) -> str:
    """The subject of notices about a journal."""
    return f"{head.table_id}/{head.epoch}"


def open_notice(work: Work, kind: NoticeKind, head: Head, message: Message) -> None:
    """Tells the organiser of a journal's trouble; one that is open already is counted and says the newest."""
    subject = subject_of(head)
    known = work.connection.execute(
        select(NOTICES.c.id, NOTICES.c.times, NOTICES.c.message, NOTICES.c.closed).where(
            NOTICES.c.kind == kind, NOTICES.c.subject == subject
        )
    ).first()
    text = messages.written(message)
    values = {
        "message": text,
        "tournament": head.tournament,
        "match": head.match,
        "last": work.now,
        "closed": None,
        "closed_by": None,
        "revision": work.revision,
    }
    work.changed = True
    if known is not None:
        work.connection.execute(update(NOTICES).where(NOTICES.c.id == known.id).values(times=known.times + 1, **values))
        return
    work.connection.execute(
        insert(NOTICES).values(
            kind=kind,
            subject=subject,
            table_id=head.table_id,
            epoch=head.epoch,
            first=work.now,
            times=1,
            **values,
        )
    )


def told_before(connection: Connection, kind: NoticeKind, head: Head, message: Message) -> bool:
    """Whether the newest notice of a kind about a journal says just this."""
    said = select(NOTICES.c.message).where(NOTICES.c.kind == kind, NOTICES.c.subject == subject_of(head))
    return connection.scalar(said) == messages.written(message)


def is_told(connection: Connection, kinds: tuple[NoticeKind, ...], head: Head) -> bool:
    """Whether a notice of some kinds about a journal is open."""
    about = (NOTICES.c.subject == subject_of(head), NOTICES.c.kind.in_(kinds), NOTICES.c.closed.is_(None))
    return connection.scalar(select(NOTICES.c.id).where(*about).limit(1)) is not None


def close_notices(work: Work, head: Head, kinds: tuple[NoticeKind, ...], by: str) -> None:
    """What is settled needs nobody's attention any more."""
    closed = work.connection.execute(
        update(NOTICES)
        .where(NOTICES.c.subject == subject_of(head), NOTICES.c.kind.in_(kinds), NOTICES.c.closed.is_(None))
        .values(closed=work.now, closed_by=storable(by), revision=work.revision)
    )
    work.changed |= closed.rowcount > 0


def dismiss(database: Database, notice: int, by: str) -> bool:
    """The organiser has seen it and lets it be. False if there is no such open notice."""
    with database.writing() as work:
        closed = work.connection.execute(
            update(NOTICES)
            .where(NOTICES.c.id == notice, NOTICES.c.closed.is_(None))
            .values(closed=work.now, closed_by=storable(by), revision=work.revision)
        )
        work.changed = closed.rowcount > 0
    return work.changed


def notices(connection: Connection, closed: bool) -> tuple[Notice, ...]:
    """The notices, those seen last first."""
    rows = select(NOTICES).order_by(NOTICES.c.last.desc(), NOTICES.c.id.desc())
    if not closed:
        rows = rows.where(NOTICES.c.closed.is_(None))
    return tuple(_notice(row) for row in connection.execute(rows))


def _notice(row: Any) -> Notice:
    bound = Bound(row.tournament, row.match) if row.tournament and row.match else None
    return Notice(
        row.id,
        row.kind,
        messages.read(row.message),
        row.table_id,
        row.epoch,
        bound,
        row.first,
        row.last,
        row.times,
        row.closed,
        row.closed_by,
        row.revision,
    )
