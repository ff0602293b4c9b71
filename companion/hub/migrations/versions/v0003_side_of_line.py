"""Store which side acts in a line of a journal, for its badge in the timeline of the pages."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add the column. Lines that are already there get no badge."""
    op.add_column("lines", sa.Column("side", sa.String(length=40), nullable=True))


def downgrade() -> None:
    """Drop the column. No other data is lost."""
    op.drop_column("lines", "side")
