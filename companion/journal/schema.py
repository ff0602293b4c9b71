"""The tables of the store and how an older file becomes a newer one."""

from __future__ import annotations

import apsw

APPLICATION_ID = 0x54565254
"""Marks the file as ours in SQLite's header ("TVRT")."""

MIGRATIONS = (
    """
    CREATE TABLE matches (
        id TEXT PRIMARY KEY,
        game TEXT NOT NULL,
        epoch INTEGER NOT NULL UNIQUE,
        header TEXT NOT NULL,
        created TEXT NOT NULL,
        ended TEXT
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE entries (
        match TEXT NOT NULL REFERENCES matches (id),
        seq INTEGER NOT NULL CHECK (seq > 0),
        fields TEXT NOT NULL,
        at TEXT NOT NULL,
        PRIMARY KEY (match, seq)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE pictures (
        id INTEGER PRIMARY KEY,
        match TEXT NOT NULL,
        seq INTEGER NOT NULL,
        die INTEGER,
        what TEXT NOT NULL,
        image BLOB,
        FOREIGN KEY (match, seq) REFERENCES entries (match, seq)
    ) STRICT;
    CREATE INDEX pictures_of_entry ON pictures (match, seq);
    """,
    "ALTER TABLE matches ADD COLUMN removed TEXT",
)
"""Each brings the file from the version that is its index to the next one. A shipped one is never changed."""

VERSION = len(MIGRATIONS)
"""`PRAGMA user_version` of a file that this program has opened."""


def version_of(connection: apsw.Connection) -> int:
    return int(connection.pragma("user_version"))


def is_foreign(connection: apsw.Connection) -> bool:
    """Whether the file is some other program's database."""
    return bool(connection.pragma("application_id") != APPLICATION_ID)


def migrate(connection: apsw.Connection, migrations: tuple[str, ...] = MIGRATIONS) -> None:
    """Brings the file to the newest version, each step whole or not at all."""
    for version in range(version_of(connection), len(migrations)):
        with connection:
            connection.execute(migrations[version])
            connection.pragma("application_id", APPLICATION_ID)
            connection.pragma("user_version", version + 1)
