"""Alembic environment: runs the migrations on the connection and in the transaction that the hub provides."""

from __future__ import annotations

from alembic import context

from companion.hub.schema import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    transactional_ddl=True,
    render_as_batch=True,
)
context.run_migrations()
