"""The tables of the hub's database, the same in SQLite and PostgreSQL. Upgrades of older databases: `migrations`."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    String,
    Table,
    Text,
    UniqueConstraint,
)

METADATA = MetaData()

_AutoId = BigInteger().with_variant(Integer, "sqlite")
"""An auto-increment number. SQLite supports this only for plain INTEGER keys."""

KEY_VALUES = Table(
    "kept",
    METADATA,
    Column("key", String(40), primary_key=True),
    Column("value", Text, nullable=False),
)
"""Key-value store: the organiser's hashed password, the retention periods."""

TABLES = Table(
    "tables",
    METADATA,
    Column("id", String(64), primary_key=True),
    Column("number", Integer, unique=True, nullable=True),
    Column("name", Text, nullable=False),
    Column("revision", BigInteger, nullable=False, index=True),
)
"""The tables. A table without a number was removed."""

TOURNAMENTS = Table(
    "tournaments",
    METADATA,
    Column("id", String(64), primary_key=True),
    Column("plan", Text, nullable=False),
    Column("begun", String(40), nullable=False),
    Column("begun_by", Text, nullable=False),
    Column("facts", Integer, nullable=False),
    Column("shown", Integer, nullable=False),
    Column("over", String(40), nullable=True),
    Column("forgotten", String(40), nullable=True),
    Column("revision", BigInteger, nullable=False, index=True),
)
"""The tournaments.

- `facts`: number of events
- `shown`: the last event after which no question was open
- `over`: time of the end
"""

FACTS = Table(
    "facts",
    METADATA,
    Column("tournament", String(64), ForeignKey("tournaments.id"), primary_key=True),
    Column("seq", Integer, primary_key=True),
    Column("fact", Text, nullable=False),
    Column("at", String(40), nullable=False),
    Column("by", Text, nullable=False),
    Column("why", Text, nullable=False),
    Column("table_id", String(64), nullable=True),
    Column("epoch", BigInteger, nullable=True),
    Column("line", Integer, nullable=True),
    sqlite_with_rowid=False,
)
"""The events of the tournaments, with the journal and line of a result."""

JOURNALS = Table(
    "journals",
    METADATA,
    Column("id", _AutoId, primary_key=True, autoincrement=True),
    Column("table_id", String(64), nullable=False),
    Column("epoch", BigInteger, nullable=False),
    Column("branch", SmallInteger, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("chain", LargeBinary(16), nullable=False),
    Column("game", String(40), nullable=True),
    Column("tournament", String(64), nullable=True),
    Column("match", String(64), nullable=True),
    Column("entries", Text, nullable=True),
    Column("bound_by", Text, nullable=True),
    Column("over", Boolean, nullable=False),
    Column("confirmed", Integer, nullable=False),
    Column("outcome", String(12), nullable=False),
    Column("counted", Text, nullable=True),
    Column("refused_line", Integer, nullable=True),
    Column("begun", String(40), nullable=False),
    Column("last", String(40), nullable=False),
    Column("forgotten", String(40), nullable=True),
    Column("revision", BigInteger, nullable=False, index=True),
    UniqueConstraint("table_id", "epoch", "branch"),
    Index("journals_of_match", "tournament", "match"),
)
"""The journals.

- `seq`: the cursor; every line up to it is stored and projected
- `counted`: the result counted in the tournament
"""

LINES = Table(
    "lines",
    METADATA,
    Column("journal", BigInteger, ForeignKey("journals.id"), primary_key=True, autoincrement=False),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("line", LargeBinary, nullable=True),
    Column("chain", LargeBinary(16), nullable=False),
    Column("told", Text, nullable=True),
    Column("fate", SmallInteger, nullable=False),
    Column("side", String(40), nullable=True),
    sqlite_with_rowid=False,
)
"""The journals byte for byte, with the text and the acting side of each line. A deleted line keeps its chain link."""

WAITING = Table(
    "waiting",
    METADATA,
    Column("table_id", String(64), primary_key=True),
    Column("epoch", BigInteger, primary_key=True),
    Column("seq", Integer, primary_key=True),
    Column("before", LargeBinary(16), primary_key=True),
    Column("lines", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)
"""Batches that arrived too early; their lines are joined by newlines."""

CONFIRMATIONS = Table(
    "confirmations",
    METADATA,
    Column("table_id", String(64), primary_key=True),
    Column("epoch", BigInteger, primary_key=True),
    Column("seq", Integer, primary_key=True),
    Column("chain", LargeBinary(16), primary_key=True),
    Column("by", Text, nullable=False),
    Column("at", String(40), nullable=False),
)

PICTURES = Table(
    "pictures",
    METADATA,
    Column("id", _AutoId, primary_key=True, autoincrement=True),
    Column("journal", BigInteger, ForeignKey("journals.id"), nullable=False, index=True),
    Column("seq", Integer, nullable=False),
    Column("what", String(40), nullable=False),
    Column("die", Integer, nullable=True),
    Column("image", LargeBinary, nullable=False),
    Column("at", String(40), nullable=False),
)
"""Pictures of the newest roll of each journal."""

NOTICES = Table(
    "notices",
    METADATA,
    Column("id", _AutoId, primary_key=True, autoincrement=True),
    Column("kind", String(24), nullable=False),
    Column("subject", String(200), nullable=False),
    Column("message", Text, nullable=False),
    Column("table_id", String(64), nullable=True),
    Column("epoch", BigInteger, nullable=True),
    Column("tournament", String(64), nullable=True),
    Column("match", String(64), nullable=True),
    Column("first", String(40), nullable=False),
    Column("last", String(40), nullable=False),
    Column("times", Integer, nullable=False),
    Column("closed", String(40), nullable=True),
    Column("closed_by", Text, nullable=True),
    Column("revision", BigInteger, nullable=False, index=True),
    UniqueConstraint("kind", "subject"),
)

KEYS = Table(
    "keys",
    METADATA,
    Column("id", _AutoId, primary_key=True, autoincrement=True),
    Column("digest", LargeBinary(32), nullable=False, unique=True),
    Column("role", String(12), nullable=False),
    Column("table_id", String(64), nullable=True),
    Column("label", Text, nullable=False),
    Column("made", String(40), nullable=False),
    Column("until", BigInteger, nullable=True),
    Column("opened_by", BigInteger, nullable=True),
)
"""The keys. `until` is the expiry (Unix time in seconds); `opened_by` is the key that started a session."""

STANDS, CORRECTED, UNDONE, AMENDS = range(4)
"""Status of a line, as named in `journal.ledger`."""
LINE_STATUSES = ("stands", "corrected", "undone", "amends")
