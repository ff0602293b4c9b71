"""Command line for developers: `python -m tools --help`. Run it in the root of a checkout."""

from __future__ import annotations

import json
import runpy
import sys
from pathlib import Path
from typing import Annotated

import typer

from tools import ROOT
from tools.games import SETTINGS

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    help="Benchmarks, simulations, training and documentation site of Tapis Vert.",
    pretty_exceptions_enable=False,
)

TRAINING_STEPS = (
    "evaluate",
    "export",
    "photographs",
    "rendered",
    "rendered_fates",
    "rendered_shards",
    "throws",
    "train",
    "trust",
)
"""The modules of tools/training that can be run as commands."""


@app.command()
def bench(
    name: Annotated[
        str, typer.Argument(help="reader, steadiness, timid, empty, bodies, cocked, watch, rules, odds, app or hub")
    ],
    photos: Annotated[
        Path | None,
        typer.Option(
            "--photos",
            metavar="MANIFEST",
            help="reader, steadiness, empty, bodies: labelled photographs (default: ../shared/dice/photos.jsonl)",
            show_default=False,
        ),
    ] = None,
    negatives: Annotated[
        Path | None,
        typer.Option(
            "--negatives",
            metavar="FOLDER",
            help="reader: also read pictures without dice from FOLDER",
            show_default=False,
        ),
    ] = None,
    dice: Annotated[
        int | None,
        typer.Option(
            "--dice",
            min=1,
            help="reader, timid, bodies: number of drawn dice per set; cocked: number of drawn tables",
            show_default=False,
        ),
    ] = None,
    runs: Annotated[
        int | None, typer.Option("--runs", min=1, help="reader, app: number of repetitions", show_default=False)
    ] = None,
    clips: Annotated[
        int | None,
        typer.Option("--clips", min=1, help="watch: number of drawn clips (default: 200)", show_default=False),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed",
            min=0,
            help="watch, bodies, cocked: random seed of the first clip, throw or table",
            show_default=False,
        ),
    ] = None,
    throws: Annotated[
        int | None,
        typer.Option(
            "--throws",
            min=1,
            help="watch: number of recorded throws (default: 100); steadiness: drawn throws per set (default: 40)",
            show_default=False,
        ),
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option(
            "--limit",
            min=1,
            help="steadiness: maximum number of photographs (default: all); empty: drawn tables (default: 500)",
            show_default=False,
        ),
    ] = None,
    rendered: Annotated[
        Path | None,
        typer.Option(
            "--rendered", metavar="FOLDER", help="timid: also read the rendered throws in FOLDER", show_default=False
        ),
    ] = None,
    tables: Annotated[
        list[int] | None,
        typer.Option("--tables", min=1, help="hub: number of tables; may be repeated", show_default=False),
    ] = None,
    events: Annotated[
        int | None,
        typer.Option("--events", min=100, help="hub: number of events for each number of tables", show_default=False),
    ] = None,
) -> None:
    """Run a benchmark and print one JSON object: medians, spreads, and the limit or a comparison."""
    from tools.benchmarks.runner import run_bench

    options: dict[str, object] = {
        "photos": photos,
        "negatives": negatives,
        "dice": dice,
        "runs": runs,
        "clips": clips,
        "seed": seed,
        "throws": throws,
        "limit": limit,
        "rendered": rendered,
        "tables": tables or None,
        "events": events,
    }
    raise typer.Exit(run_bench(name, **options))


@app.command(
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []},
)
def train(
    context: typer.Context,
    step: Annotated[str, typer.Argument(help=f"one of: {', '.join(TRAINING_STEPS)}", metavar="STEP")] = "",
) -> None:
    """Run one step of the training. `train STEP --help` shows its arguments."""
    if step not in TRAINING_STEPS:
        print(f"unknown step {step!r}; known: {', '.join(TRAINING_STEPS)}", file=sys.stderr)
        raise typer.Exit(2)
    sys.argv = [f"python -m tools train {step}", *context.args]
    runpy.run_module(f"tools.training.{step}", run_name="__main__")


@app.command("hub-simulation")
def hub_simulation(
    tables: Annotated[int, typer.Argument(min=1, max=1000, help="number of simulated tables")],
    database: Annotated[str, typer.Option("--database", help="sqlite or postgresql")] = "sqlite",
    game: Annotated[str, typer.Option("--game", help="game to play")] = SETTINGS["demo"],
    rounds: Annotated[int, typer.Option("--rounds", min=1, max=64, help="Swiss rounds before the knock-out")] = 3,
    seed: Annotated[int, typer.Option("--seed", min=0, help="random seed of matches and faults")] = 1,
    pace: Annotated[float, typer.Option("--pace", min=0, help="events per second at each table; 0: no limit")] = 0.0,
    trouble: Annotated[
        bool, typer.Option("--trouble/--no-trouble", help="simulate network cuts, restarts and crashes")
    ] = True,
) -> None:
    """Play a tournament at simulated tables, then compare the journals of hub and tables byte for byte."""
    from tools.trials.simulation import SimulationOptions, run_simulation

    raise typer.Exit(run_simulation(SimulationOptions(tables, game, rounds, seed, pace, trouble), database))


@app.command()
def mutants(
    count: Annotated[int, typer.Option("--count", min=1, help="number of random mutants")] = 400,
    seed: Annotated[int, typer.Option("--seed", min=0, help="random seed")] = 1,
    minutes: Annotated[
        float | None,
        typer.Option("--minutes", min=0, help="start no further mutant after this time", show_default=False),
    ] = None,
    packages: Annotated[
        list[str] | None,
        typer.Option(
            "--package", metavar="FOLDER", help="package to test; may be repeated (default: all)", show_default=False
        ),
    ] = None,
) -> None:
    """Mutation testing: insert small faults into games, journal and tournament, and count those that tests detect."""
    from tools.mutation.runner import PACKAGES, run_mutants

    print(json.dumps(run_mutants(count, seed, minutes, packages or PACKAGES), ensure_ascii=False, indent=2))


@app.command()
def site(
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FOLDER", help="folder to write (default: build/site)", show_default=False),
    ] = None,
    serve: Annotated[bool, typer.Option("--serve", help="serve on this machine and rebuild on change")] = False,
) -> None:
    """Build the documentation site. A warning is an error."""
    from tools.documentation.site import SITE, SiteFailure, build_site

    try:
        build_site(out or SITE, serve)
    except SiteFailure as failure:
        print(failure, file=sys.stderr)
        raise typer.Exit(1) from None


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    app()
