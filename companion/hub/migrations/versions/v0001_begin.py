"""Initial schema: journals, tournaments and their events, notices, pictures, keys."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the tables in an empty database."""
    _journals()
    _beside_journals()
    _tournaments()
    _desk()


def _journals() -> None:
    op.create_table(
        "journals",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("table_id", sa.String(length=64), nullable=False),
        sa.Column("epoch", sa.BigInteger(), nullable=False),
        sa.Column("branch", sa.SmallInteger(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("chain", sa.LargeBinary(length=16), nullable=False),
        sa.Column("game", sa.String(length=40), nullable=True),
        sa.Column("tournament", sa.String(length=64), nullable=True),
        sa.Column("match", sa.String(length=64), nullable=True),
        sa.Column("entries", sa.Text(), nullable=True),
        sa.Column("bound_by", sa.Text(), nullable=True),
        sa.Column("over", sa.Boolean(), nullable=False),
        sa.Column("confirmed", sa.Integer(), nullable=False),
        sa.Column("outcome", sa.String(length=12), nullable=False),
        sa.Column("counted", sa.Text(), nullable=True),
        sa.Column("refused_line", sa.Integer(), nullable=True),
        sa.Column("begun", sa.String(length=40), nullable=False),
        sa.Column("last", sa.String(length=40), nullable=False),
        sa.Column("forgotten", sa.String(length=40), nullable=True),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("table_id", "epoch", "branch"),
    )
    op.create_index(("ix_journals_revision"), "journals", ["revision"], unique=False)
    op.create_index("journals_of_match", "journals", ["tournament", "match"], unique=False)
    op.create_table(
        "lines",
        sa.Column("journal", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("seq", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("line", sa.LargeBinary(), nullable=True),
        sa.Column("chain", sa.LargeBinary(length=16), nullable=False),
        sa.Column("told", sa.Text(), nullable=True),
        sa.Column("fate", sa.SmallInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["journal"],
            ["journals.id"],
        ),
        sa.PrimaryKeyConstraint("journal", "seq"),
        sqlite_with_rowid=False,
    )


def _beside_journals() -> None:
    op.create_table(
        "waiting",
        sa.Column("table_id", sa.String(length=64), nullable=False),
        sa.Column("epoch", sa.BigInteger(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("before", sa.LargeBinary(length=16), nullable=False),
        sa.Column("lines", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("table_id", "epoch", "seq", "before"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "confirmations",
        sa.Column("table_id", sa.String(length=64), nullable=False),
        sa.Column("epoch", sa.BigInteger(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("chain", sa.LargeBinary(length=16), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("at", sa.String(length=40), nullable=False),
        sa.PrimaryKeyConstraint("table_id", "epoch", "seq", "chain"),
    )
    op.create_table(
        "pictures",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("journal", sa.BigInteger(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("what", sa.String(length=40), nullable=False),
        sa.Column("die", sa.Integer(), nullable=True),
        sa.Column("image", sa.LargeBinary(), nullable=False),
        sa.Column("at", sa.String(length=40), nullable=False),
        sa.ForeignKeyConstraint(
            ["journal"],
            ["journals.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(("ix_pictures_journal"), "pictures", ["journal"], unique=False)


def _tournaments() -> None:
    op.create_table(
        "tournaments",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("plan", sa.Text(), nullable=False),
        sa.Column("begun", sa.String(length=40), nullable=False),
        sa.Column("begun_by", sa.Text(), nullable=False),
        sa.Column("facts", sa.Integer(), nullable=False),
        sa.Column("shown", sa.Integer(), nullable=False),
        sa.Column("over", sa.String(length=40), nullable=True),
        sa.Column("forgotten", sa.String(length=40), nullable=True),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(("ix_tournaments_revision"), "tournaments", ["revision"], unique=False)
    op.create_table(
        "facts",
        sa.Column("tournament", sa.String(length=64), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("fact", sa.Text(), nullable=False),
        sa.Column("at", sa.String(length=40), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("table_id", sa.String(length=64), nullable=True),
        sa.Column("epoch", sa.BigInteger(), nullable=True),
        sa.Column("line", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["tournament"],
            ["tournaments.id"],
        ),
        sa.PrimaryKeyConstraint("tournament", "seq"),
        sqlite_with_rowid=False,
    )


def _desk() -> None:
    op.create_table(
        "kept",
        sa.Column("key", sa.String(length=40), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("key"),
    )
    op.create_table(
        "keys",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("digest", sa.LargeBinary(length=32), nullable=False),
        sa.Column("role", sa.String(length=12), nullable=False),
        sa.Column("table_id", sa.String(length=64), nullable=True),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("made", sa.String(length=40), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("digest"),
    )
    op.create_table(
        "notices",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("kind", sa.String(length=24), nullable=False),
        sa.Column("subject", sa.String(length=200), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("table_id", sa.String(length=64), nullable=True),
        sa.Column("epoch", sa.BigInteger(), nullable=True),
        sa.Column("tournament", sa.String(length=64), nullable=True),
        sa.Column("match", sa.String(length=64), nullable=True),
        sa.Column("first", sa.String(length=40), nullable=False),
        sa.Column("last", sa.String(length=40), nullable=False),
        sa.Column("times", sa.Integer(), nullable=False),
        sa.Column("closed", sa.String(length=40), nullable=True),
        sa.Column("closed_by", sa.Text(), nullable=True),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("kind", "subject"),
    )
    op.create_index(("ix_notices_revision"), "notices", ["revision"], unique=False)
    op.create_table(
        "tables",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("number", sa.Integer(), nullable=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("number"),
    )
    op.create_index(("ix_tables_revision"), "tables", ["revision"], unique=False)
