"""Arguments of commands with many options; what they do is loaded when they are called."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer


def given_in(context: typer.Context) -> set[str]:
    """The names of the parameters that stand on the command line."""
    sources = {name: context.get_parameter_source(name) for name in context.params}
    return {name for name, source in sources.items() if source is not None and source.name == "COMMANDLINE"}


# Arguments of `companion hub`; what it does is loaded when it is called.


PAGES_PORT, TABLES_PORT = 8470, 4222
"""Where pages and tables are served unless something else is said; the second is NATS's usual one."""


Database = Annotated[
    str | None,
    typer.Option(
        "--database",
        metavar="URL",
        help="sqlite:///FILE or postgresql://localhost/NAME; a file beside the matches without it",
        show_default=False,
    ),
]
Address = Annotated[
    str | None,
    typer.Option(
        "--address",
        metavar="HOST",
        help="with --lan: how the others reach this machine; found by itself without it",
        show_default=False,
    ),
]
Broker = Annotated[
    str | None, typer.Option("--broker", metavar="URL", help="joins a NATS cluster of one's own", show_default=False)
]
Credentials = Annotated[
    Path | None,
    typer.Option("--credentials", metavar="FILE", help="of the hub at that cluster", show_default=False),
]
Certificate = Annotated[
    Path | None, typer.Option("--certificate", metavar="PEM", help="serves the pages by HTTPS", show_default=False)
]
Key = Annotated[Path | None, typer.Option("--key", metavar="PEM", help="the certificate's key", show_default=False)]
Port = Annotated[int, typer.Option("--port", min=1, max=65535, help="port of the pages")]
TablesPort = Annotated[int, typer.Option("--tables-port", min=1, max=65535, help="port of the tables")]
Backups = Annotated[
    Path | None,
    typer.Option(
        "--backups",
        metavar="FOLDER",
        help="a second place for the hub's backups, a stick say; they lie in the hub's own folder too",
        show_default=False,
    ),
]
Restore = Annotated[
    Path | None,
    typer.Option(
        "--restore",
        metavar="FILE",
        help="takes a backup back while the hub is stopped, and ends; what was here is put aside",
        show_default=False,
    ),
]


def hub(
    context: typer.Context,
    database: Database = None,
    lan: Annotated[bool, typer.Option("--lan", help="for the local network too, not for this machine alone")] = False,
    address: Address = None,
    port: Port = PAGES_PORT,
    tables_port: TablesPort = TABLES_PORT,
    broker: Broker = None,
    credentials: Credentials = None,
    certificate: Certificate = None,
    key: Key = None,
    backups: Backups = None,
    restore: Restore = None,
) -> None:
    """Starts the organiser's server: tables join it, everyone reads it; it goes on until it is stopped."""
    _check_beside(context)
    if restore is not None:
        from companion.commands.hub.backups import run_hub_restore

        raise typer.Exit(run_hub_restore(context.obj, restore, database))
    from companion.commands.hub.options import HubOptions
    from companion.commands.hub.serve import run_hub

    options = HubOptions(
        Path(), database, lan, address, port, tables_port, broker, credentials, certificate, key, backups
    )
    raise typer.Exit(run_hub(context.obj, options))


def _check_beside(context: typer.Context) -> None:
    """Refuse options that `--restore` would ignore."""
    given = given_in(context)
    ignored = given - {"database", "restore"}
    if "restore" not in given or not ignored:
        return
    from companion.commands.settings import language_of

    options = ", ".join(f"--{name.replace('_', '-')}" for name in sorted(ignored))
    print(language_of(context.obj)("cli.hub.alone", option="--restore", options=options), file=sys.stderr)
    raise typer.Exit(2)


tray = typer.Typer(no_args_is_help=True, help="The lit tray on its USB port.")

TrayPort = Annotated[
    str | None, typer.Option("--port", help="its serial port; found by itself without it", show_default=False)
]


@tray.command("info")
def tray_info(context: typer.Context, port: TrayPort = None) -> None:
    """Says who the tray is: one JSON object."""
    from companion.commands.tray import run_info

    raise typer.Exit(run_info(context.obj, port))


@tray.command("flash")
def tray_flash(
    context: typer.Context,
    port: TrayPort = None,
    settings: Annotated[
        Path | None,
        typer.Option("--settings", metavar="FILE.json", help="how this tray is built, copied too", show_default=False),
    ] = None,
) -> None:
    """Puts this release's firmware onto the tray and checks that it answers."""
    from companion.commands.tray import run_flash

    raise typer.Exit(run_flash(context.obj, port, settings))
