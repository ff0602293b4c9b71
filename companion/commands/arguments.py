"""Arguments of the commands `hub` and `tray`. Imports their modules only when they are called."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from companion.commands.usage import CommandLine


def explicit_parameters(context: typer.Context) -> set[str]:
    """Return the names of the parameters given on the command line."""
    sources = {name: context.get_parameter_source(name) for name in context.params}
    return {name for name, source in sources.items() if source is not None and source.name == "COMMANDLINE"}


PAGES_PORT, TABLES_PORT = 8470, 4222
"""Default ports of the web pages and of the tables (NATS's default)."""


Database = Annotated[
    str | None,
    typer.Option(
        "--database",
        metavar="URL",
        help="usage.database",
        show_default=False,
    ),
]
Address = Annotated[
    str | None,
    typer.Option(
        "--address",
        metavar="HOST",
        help="usage.address",
        show_default=False,
    ),
]
Broker = Annotated[str | None, typer.Option("--broker", metavar="URL", help="usage.broker", show_default=False)]
Credentials = Annotated[
    Path | None,
    typer.Option("--credentials", metavar="FILE", help="usage.credentials", show_default=False),
]
Certificate = Annotated[
    Path | None,
    typer.Option("--certificate", metavar="PEM", help="usage.certificate", show_default=False),
]
Key = Annotated[Path | None, typer.Option("--key", metavar="PEM", help="usage.key", show_default=False)]
Port = Annotated[int, typer.Option("--port", min=1, max=65535, help="usage.web_port")]
TablesPort = Annotated[int, typer.Option("--tables-port", min=1, max=65535, help="usage.tables_port")]
Backups = Annotated[
    Path | None,
    typer.Option(
        "--backups",
        metavar="FOLDER",
        help="usage.backups",
        show_default=False,
    ),
]
Restore = Annotated[
    Path | None,
    typer.Option(
        "--restore",
        metavar="FILE",
        help="usage.hub_restore",
        show_default=False,
    ),
]
NewPassword = Annotated[bool, typer.Option("--new-password", help="usage.hub_new_password")]


def hub(
    context: typer.Context,
    database: Database = None,
    lan: Annotated[bool, typer.Option("--lan", help="usage.lan")] = False,
    address: Address = None,
    port: Port = PAGES_PORT,
    tables_port: TablesPort = TABLES_PORT,
    broker: Broker = None,
    credentials: Credentials = None,
    certificate: Certificate = None,
    key: Key = None,
    backups: Backups = None,
    restore: Restore = None,
    new_password: NewPassword = False,
) -> None:
    """Run the tournament server (Ctrl-C to stop)."""
    _check_restore_alone(context)
    if restore is not None:
        from companion.commands.hub.backups import run_hub_restore

        raise typer.Exit(run_hub_restore(context.obj, restore, database))
    from companion.commands.hub.options import HubOptions
    from companion.commands.hub.serve import run_hub, run_new_password

    options = HubOptions(
        Path(), database, lan, address, port, tables_port, broker, credentials, certificate, key, backups
    )
    raise typer.Exit((run_new_password if new_password else run_hub)(context.obj, options))


def _check_restore_alone(context: typer.Context) -> None:
    """Refuse options that `--restore` would ignore."""
    given = explicit_parameters(context)
    ignored = given - {"database", "restore"}
    if "restore" not in given or not ignored:
        return
    from companion.commands.settings import language_of

    options = ", ".join(f"--{name.replace('_', '-')}" for name in sorted(ignored))
    print(language_of(context.obj)("cli.hub.alone", option="--restore", options=options), file=sys.stderr)
    raise typer.Exit(2)


tray = CommandLine("usage.do.tray")

TrayPort = Annotated[str | None, typer.Option("--port", help="usage.port", show_default=False)]


@tray.command("info", help="usage.do.tray_info")
def tray_info(context: typer.Context, port: TrayPort = None) -> None:
    """Print the tray's identity as one JSON object."""
    from companion.commands.tray import run_info

    raise typer.Exit(run_info(context.obj, port))


@tray.command("flash", help="usage.do.tray_flash")
def tray_flash(
    context: typer.Context,
    port: TrayPort = None,
    settings: Annotated[
        Path | None,
        typer.Option(
            "--settings",
            metavar="FILE.json",
            help="usage.tray_settings",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Install this release's firmware on the tray and verify that it answers."""
    from companion.commands.tray import run_flash

    raise typer.Exit(run_flash(context.obj, port, settings))
