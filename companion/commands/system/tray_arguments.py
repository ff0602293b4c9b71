"""Arguments of `companion tray`; what it does is loaded when it is called."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

tray = typer.Typer(no_args_is_help=True, help="The lit tray on its USB port.")

TrayPort = Annotated[
    str | None, typer.Option("--port", help="its serial port; found by itself without it", show_default=False)
]


@tray.command("info")
def tray_info(context: typer.Context, port: TrayPort = None) -> None:
    """Says who the tray is: one JSON object."""
    from companion.commands.system.tray_link import run_info

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
    from companion.commands.system.tray_link import run_flash

    raise typer.Exit(run_flash(context.obj, port, settings))
