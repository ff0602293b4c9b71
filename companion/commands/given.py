"""Which options of a command were typed, rather than left to their default."""

from __future__ import annotations

import typer


def given_in(context: typer.Context) -> set[str]:
    """The names of the parameters that stand on the command line."""
    sources = {name: context.get_parameter_source(name) for name in context.params}
    return {name for name, source in sources.items() if source is not None and source.name == "COMMANDLINE"}
