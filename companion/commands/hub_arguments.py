"""Arguments of `companion hub`; what it does is loaded when it is called."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from companion.commands.given import given_in

PAGES_PORT, TABLES_PORT = 8470, 4222
"""Where pages and tables are served unless something else is said; the second is NATS's usual one."""
THEIRS = "Simulation"
"""The heading of the options for simulated tables in the help."""
_OF_SIMULATION = {"game", "rounds", "seed", "pace", "trouble"}


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
Simulate = Annotated[
    int | None,
    typer.Option(
        "--simulate",
        min=1,
        max=1000,
        metavar="TABLES",
        help="plays a whole tournament at simulated tables, in a hub of its own, and ends",
        show_default=False,
        rich_help_panel=THEIRS,
    ),
]
Game = Annotated[str, typer.Option("--game", help="what they play", rich_help_panel=THEIRS)]
Rounds = Annotated[
    int, typer.Option("--rounds", min=1, max=64, help="of the Swiss before the knock-out", rich_help_panel=THEIRS)
]
Seed = Annotated[int, typer.Option("--seed", min=0, help="of matches and troubles", rich_help_panel=THEIRS)]
Pace = Annotated[
    float, typer.Option("--pace", min=0, help="events a second at one table; 0: no limit", rich_help_panel=THEIRS)
]
Trouble = Annotated[
    bool,
    typer.Option("--trouble/--no-trouble", help="network cuts, restarts, sudden ends", rich_help_panel=THEIRS),
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
    simulate: Simulate = None,
    game: Game = "footclub",
    rounds: Rounds = 3,
    seed: Seed = 1,
    pace: Pace = 0.0,
    trouble: Trouble = True,
) -> None:
    """Starts the organiser's server: tables join it, everyone reads it; it goes on until it is stopped."""
    _check_beside(context)
    if simulate is not None:
        from companion.commands.hub_simulation import Simulation, run_simulation

        asked = Simulation(simulate, game, rounds, seed, pace, trouble)
        raise typer.Exit(run_simulation(context.obj, asked, database))
    if restore is not None:
        from companion.commands.hub_restore import run_hub_restore

        raise typer.Exit(run_hub_restore(context.obj, restore, database))
    from companion.commands.hub import run_hub
    from companion.commands.hub_options import HubOptions

    options = HubOptions(
        Path(), database, lan, address, port, tables_port, broker, credentials, certificate, key, backups
    )
    raise typer.Exit(run_hub(context.obj, options))


def _check_beside(context: typer.Context) -> None:
    """Ends with a sentence if an option was given that the others leave without meaning: who gave it counts on it."""
    given = given_in(context)
    for mode, beside in (("simulate", {"database", *_OF_SIMULATION}), ("restore", {"database"})):
        if mode in given and (more := given - beside - {mode}):
            _end(context, "cli.hub.alone", mode, more)
    if "simulate" not in given and (more := given & _OF_SIMULATION):
        _end(context, "cli.hub.only_with", "simulate", more)


def _end(context: typer.Context, sentence: str, mode: str, others: set[str]) -> None:
    from companion.commands.settings import language_of

    names = [("no-" if context.params[name] is False else "") + name.replace("_", "-") for name in sorted(others)]
    options = ", ".join(f"--{name}" for name in names)
    print(language_of(context.obj)(sentence, option=f"--{mode}", options=options), file=sys.stderr)
    raise typer.Exit(2)
