"""Single values that the hub keeps, by name."""

from __future__ import annotations

from sqlalchemy import Connection, insert, select, update

from companion.hub.schema import KEPT


def kept_value(connection: Connection, key: str) -> str | None:
    """The value of a name, None if there is none."""
    value: str | None = connection.scalar(select(KEPT.c.value).where(KEPT.c.key == key))
    return value


def keep_value(connection: Connection, key: str, value: str) -> None:
    """Keeps a value in place of the one before."""
    if not connection.execute(update(KEPT).where(KEPT.c.key == key).values(value=value)).rowcount:
        connection.execute(insert(KEPT).values(key=key, value=value))
