"""Brings a database to the newest form with Alembic's migrations, all steps in one transaction."""

from __future__ import annotations

from importlib import resources

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from companion.hub.errors import HubNewer


def scripts() -> Config:
    """Alembic's settings for the migrations of this package."""
    config = Config()
    config.set_main_option("script_location", str(resources.files("companion.hub") / "migrations"))
    config.set_main_option("path_separator", "os")
    return config


def migrate(connection: Connection) -> None:
    """Makes what is missing. Raises HubNewer, the database untouched, when a newer program made it."""
    config = scripts()
    directory = ScriptDirectory.from_config(config)
    known = {script.revision for script in directory.walk_revisions()}
    found = set(MigrationContext.configure(connection).get_current_heads())
    if not found <= known:
        raise HubNewer("newer", version=", ".join(sorted(found - known)))
    if found == set(directory.get_heads()):
        return
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
