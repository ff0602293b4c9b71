"""The tables of the hub's database, alike in SQLite and PostgreSQL. How an older one becomes this: `migrations`."""

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

_Number = BigInteger().with_variant(Integer, "sqlite")
"""A number that the database gives; SQLite gives numbers to plain INTEGER keys only."""

KEPT = Table(
    "kept",
    METADATA,
    Column("key", String(40), primary_key=True),
    Column("value", Text, nullable=False),
)
"""Single values: the organiser's hashed password, the terms of retention."""

TABLES = Table(
    "tables",
    METADATA,
    Column("id", String(64), primary_key=True),
    Column("number", Integer, unique=True, nullable=True),
    Column("name", Text, nullable=False),
    Column("revision", BigInteger, nullable=False, index=True),
)
"""The tables; one without a number was removed."""

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
"""`facts` counts them; `shown` is the last one after which no question was open; `over` is when it was over."""

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
"""What happened in the tournaments; the journal and line that a result came from."""

JOURNALS = Table(
    "journals",
    METADATA,
    Column("id", _Number, primary_key=True, autoincrement=True),
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
"""`seq` is the cursor: every line up to it is there and projected; `counted` the result that the tournament took."""

LINES = Table(
    "lines",
    METADATA,
    Column("journal", BigInteger, ForeignKey("journals.id"), primary_key=True, autoincrement=False),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("line", LargeBinary, nullable=True),
    Column("chain", LargeBinary(16), nullable=False),
    Column("told", Text, nullable=True),
    Column("fate", SmallInteger, nullable=False),
    sqlite_with_rowid=False,
)
"""The journals byte for byte, with what is told of each line. A deleted line leaves its link of the chain."""

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
"""Lines that came before their turn, joined by newlines."""

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
    Column("id", _Number, primary_key=True, autoincrement=True),
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
    Column("id", _Number, primary_key=True, autoincrement=True),
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
    Column("id", _Number, primary_key=True, autoincrement=True),
    Column("digest", LargeBinary(32), nullable=False, unique=True),
    Column("role", String(12), nullable=False),
    Column("table_id", String(64), nullable=True),
    Column("label", Text, nullable=False),
    Column("made", String(40), nullable=False),
    Column("until", BigInteger, nullable=True),
    Column("opened_by", BigInteger, nullable=True),
)
"""`until` in seconds since 1970; `opened_by` the key that a session was begun with."""

STANDS, CORRECTED, UNDONE, AMENDS = range(4)
"""The fate of a line, as `journal.ledger` names it."""
FATES = ("stands", "corrected", "undone", "amends")
