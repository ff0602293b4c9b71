"""Store the key that started a session, so that the session ends with the key."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add the column. Existing sessions end only when they expire."""
    op.add_column("keys", sa.Column("opened_by", sa.BigInteger(), nullable=True))


def downgrade() -> None:
    """Drop the column. No other data is lost."""
    op.drop_column("keys", "opened_by")
