"""A session knows the key that it was begun with, so that it ends with it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Sessions of before end with their time alone."""
    op.add_column("keys", sa.Column("opened_by", sa.BigInteger(), nullable=True))


def downgrade() -> None:
    """Nothing but that is lost."""
    op.drop_column("keys", "opened_by")
