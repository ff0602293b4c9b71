"""The command line (docs/CONTRACT.md): parses arguments and calls one command module."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from companion import __version__
from companion.commands.arguments import explicit_parameters, hub, tray
from companion.games.folders import folders

app = typer.Typer(
    add_completion=False,
    no_args_is_help=False,
    help="Tapis Vert keeps score for tabletop games and reads real dice with a camera.",
    pretty_exceptions_enable=False,
)

audit = typer.Typer(add_completion=False, help="Export and verify the evidence of a match.")
app.add_typer(audit, name="audit")
app.add_typer(tray, name="tray")
app.command("hub")(hub)

ConfigFile = Annotated[Path | None, typer.Option("--config", help="configuration file (TOML)", show_default=False)]
SetName = Annotated[str, typer.Option("--set", help="dice set: name or TOML file")]
Count = Annotated[int | None, typer.Option("--count", min=0, max=1000, help="expected number of dice")]
PlayerName = Annotated[
    str,
    typer.Option(
        "--player", help="random: any legal move; sound: the move with the best expected value", metavar="WHO"
    ),
]
Seed = Annotated[int, typer.Option("--seed", min=0, help="random seed; the same seed gives the same match")]


@app.callback(invoke_without_command=True)
def main_callback(
    context: typer.Context,
    config: ConfigFile = None,
    version: Annotated[bool, typer.Option("--version", help="print the version and exit")] = False,
) -> None:
    """Open the touchscreen app if no command is given."""
    context.obj = config
    if config is not None:
        from companion.config import load_config

        load_config(config)  # reject a bad file even if the command does not read it
    if version:
        typer.echo(__version__)
        raise typer.Exit(0)
    if context.invoked_subcommand is None:
        _open_app(config)


@app.command()
def run(context: typer.Context) -> None:
    """Open the touchscreen app. Without a camera the table is simulated."""
    _open_app(context.obj)


def _open_app(config: Path | None) -> None:
    from companion.commands.run import run_app

    raise typer.Exit(run_app(config))


@app.command()
def demo(
    context: typer.Context,
    game: Annotated[str, typer.Argument(help="game to play")] = next(iter(folders())),
    seed: Seed = 1,
    fast: Annotated[bool, typer.Option("--fast", help="do not pause between throws")] = False,
    player: PlayerName = "random",
) -> None:
    """Play a whole match at a simulated table: drawn dice, real reader, rules and journal."""
    from companion.commands.demo import run_demo

    raise typer.Exit(run_demo(context.obj, game, seed, fast, player))


@app.command()
def read(
    context: typer.Context,
    images: Annotated[list[str] | None, typer.Argument(help="image files", show_default=False)] = None,
    dice_set: SetName = "pips",
    count: Count = None,
    explain: Annotated[
        Path | None,
        typer.Option(
            "--explain",
            metavar="DIR",
            help="also write a picture of every stage of each reading to DIR",
            show_default=False,
        ),
    ] = None,
    regressions: Annotated[
        bool,
        typer.Option(
            "--regressions", help="read the dice that players corrected again, from the given or the default folder"
        ),
    ] = False,
) -> None:
    """Read the dice in images. Prints one JSON line per image."""
    from companion.commands.read import ReadOptions, run_read_command

    dice_given = not explicit_parameters(context).isdisjoint({"dice_set", "count"})
    options = ReadOptions(images or [], dice_set, count, explain, regressions, dice_given)
    raise typer.Exit(run_read_command(context.obj, options))


@app.command()
def watch(
    context: typer.Context,
    source: Annotated[str, typer.Argument(help="video file, folder of frames, camera:0, picamera or drawn:SEED")],
    dice_set: SetName = "pips",
    count: Count = None,
    max_rolls: Annotated[int | None, typer.Option("--max-rolls", min=1, help="stop after N rolls")] = None,
    fps: Annotated[float | None, typer.Option("--fps", min=0.1, help="frame rate of a folder of frames")] = None,
) -> None:
    """Read rolls from a video or camera. Prints one JSON line per settled roll."""
    from companion.commands.read import run_watch_command
    from vision.commands import WatchOptions

    raise typer.Exit(run_watch_command(context.obj, source, dice_set, WatchOptions(count, max_rolls, fps)))


@app.command()
def replay(context: typer.Context, file: Annotated[Path, typer.Argument(help="journal (JSON Lines)")]) -> None:
    """Replay a journal and print the final state."""
    from companion.commands.journal import run_replay_command

    raise typer.Exit(run_replay_command(context.obj, file))


@app.command()
def play(
    game: Annotated[str, typer.Argument(help="game to play")],
    seed: Seed = 1,
    out: Annotated[Path | None, typer.Option("--out", help="journal file to write (default: standard output)")] = None,
    player: PlayerName = "random",
) -> None:
    """Play a match between bots and write its journal."""
    from companion.commands.journal import run_play

    raise typer.Exit(run_play(game, seed, out, player))


@app.command()
def stats(
    context: typer.Context,
    files: Annotated[list[Path], typer.Argument(help="journals (JSON Lines)")],
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FOLDER", help="also write charts to FOLDER", show_default=False)
    ] = None,
) -> None:
    """Count events, compare dice results with the exact odds, and test the dice for fairness."""
    from companion.commands.stats import run_stats

    raise typer.Exit(run_stats(context.obj, files, out))


@app.command()
def report(
    context: typer.Context,
    matches: Annotated[
        list[str], typer.Argument(metavar="MATCH|FILE", help="journal files, or ids of matches of this table")
    ],
    pdf: Annotated[
        Path | None, typer.Option("--pdf", metavar="OUT", help="PDF file to write", show_default=False)
    ] = None,
    csv: Annotated[
        Path | None, typer.Option("--csv", metavar="OUT", help="CSV file to write", show_default=False)
    ] = None,
) -> None:
    """Write match reports: line-ups, score, rolls, and results compared with the odds."""
    from companion.commands.report import run_report

    raise typer.Exit(run_report(context.obj, matches, pdf, csv))


@audit.command("export")
def audit_export(
    context: typer.Context,
    match: Annotated[str, typer.Argument(metavar="MATCH|FILE", help="id of a match of this table, or a journal file")],
    out: Annotated[Path, typer.Option("--out", metavar="FILE.zip", help="ZIP file to write")],
) -> None:
    """Export the evidence of a result to one file."""
    from companion.commands.report import run_audit_export

    raise typer.Exit(run_audit_export(context.obj, match, out))


@audit.command("check")
def audit_check(context: typer.Context, file: Annotated[Path, typer.Argument(help="exported audit (ZIP)")]) -> None:
    """Verify an audit: checksums, and a replay by the rules. Reports file and line of each fault."""
    from companion.commands.report import run_audit_check

    raise typer.Exit(run_audit_check(context.obj, file))


@app.command("dice-sheet")
def dice_sheet(
    context: typer.Context,
    dice_set: Annotated[str, typer.Argument(metavar="SET", help="dice set: name or TOML file")],
    out: Annotated[Path, typer.Option("--out", metavar="FILE.pdf", help="PDF file to write")],
    size: Annotated[float, typer.Option("--size", metavar="MM", help="edge length of a sticker, 12 to 20 mm")] = 16.0,
    copies: Annotated[int, typer.Option("--copies", help="number of dice of each kind")] = 1,
    language: Annotated[
        str | None, typer.Option("--language", help="fr or en (default: the configured language)", show_default=False)
    ] = None,
) -> None:
    """Write printable stickers for the dice of a set, in the artwork that the reader recognises."""
    from companion.commands.sheets import run_dice_sheet

    raise typer.Exit(run_dice_sheet(context.obj, dice_set, out, size, copies, language))


@app.command("card-sheet")
def card_sheet(
    context: typer.Context,
    out: Annotated[Path, typer.Option("--out", metavar="FILE.pdf", help="PDF file to write")],
    calibration: Annotated[bool, typer.Option("--calibration", help="the camera calibration card")] = False,
    language: Annotated[
        str | None, typer.Option("--language", help="fr or en (default: the configured language)", show_default=False)
    ] = None,
) -> None:
    """Write a printable card with marks and colours for the camera."""
    from companion.commands.sheets import run_card_sheet

    raise typer.Exit(run_card_sheet(context.obj, calibration, out, language))


catalogue = typer.Typer(no_args_is_help=True, help="Check, import and export cards and clubs (CSV).")
app.add_typer(catalogue, name="catalogue")
KindName = Annotated[
    str | None, typer.Option("--kind", help="catalogue (default: detected from the headings)", show_default=False)
]
TableFile = Annotated[Path, typer.Argument(help="CSV table, or squad file (TOML, JSON)")]


@catalogue.command("check")
def check_catalogue(context: typer.Context, file: TableFile, kind: KindName = None) -> None:
    """Report every fault of a table, with row and column."""
    from companion.commands.catalogue import run_check

    raise typer.Exit(run_check(context.obj, file, kind))


@catalogue.command("import")
def import_catalogue(
    context: typer.Context,
    file: TableFile,
    kind: KindName = None,
    replace: Annotated[bool, typer.Option("--replace", help="replace the cards instead of adding to them")] = False,
    partly: Annotated[bool, typer.Option("--partly", help="import the valid rows if some are not")] = False,
) -> None:
    """Import the cards of a table."""
    from companion.commands.catalogue import run_import

    raise typer.Exit(run_import(context.obj, file, kind, replace=replace, partly=partly))


@catalogue.command("export")
def export_catalogue(
    context: typer.Context,
    kind: Annotated[str, typer.Argument(help="catalogue")],
    out: Annotated[Path, typer.Option("--out", metavar="FILE.csv", help="CSV file to write")],
) -> None:
    """Export a catalogue as a table, in the configured language."""
    from companion.commands.catalogue import run_export

    raise typer.Exit(run_export(context.obj, kind, out))


@app.command()
def doctor(
    context: typer.Context,
    json: Annotated[bool, typer.Option("--json", help="print one JSON object")] = False,
) -> None:
    """Check camera, display, disk and devices, and say how to fix what is missing."""
    from companion.commands.doctor import run_doctor

    raise typer.Exit(run_doctor(context.obj, json))


@app.command()
def backup(
    context: typer.Context,
    out: Annotated[Path, typer.Argument(metavar="FILE|FOLDER", help="file to write, or folder to write it to")],
    keep: Annotated[
        int | None,
        typer.Option("--keep", min=1, help="with FOLDER: keep the N newest backups", show_default=False),
    ] = None,
    pictures: Annotated[
        bool, typer.Option("--pictures/--no-pictures", help="include the pictures of the rolls")
    ] = True,
) -> None:
    """Back up this table to one file. A hub on the same machine is not included. The app may be running."""
    from companion.commands.backup import run_backup

    raise typer.Exit(run_backup(context.obj, out, keep, pictures))


@app.command()
def restore(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="backup file")],
    settings: Annotated[bool, typer.Option("--settings", help="restore the settings too")] = False,
) -> None:
    """Restore a table from a backup. Existing data is moved aside first. A hub is not touched."""
    from companion.commands.backup import run_restore

    raise typer.Exit(run_restore(context.obj, file, settings))


@app.command()
def trial(
    context: typer.Context,
    seconds: Annotated[
        float, typer.Option("--seconds", min=1, help="timeout for the first frame and heartbeat, in seconds")
    ] = 120.0,
) -> None:
    """Start the app off screen on a copy of the data and report whether it runs."""
    from companion.commands.trial import run_trial

    raise typer.Exit(run_trial(context.obj, seconds))


@app.command()
def unlock(context: typer.Context) -> None:
    """Remove a forgotten PIN."""
    from companion.commands.make_platform import run_unlock

    raise typer.Exit(run_unlock(context.obj))


def main() -> None:
    """The command `companion`."""
    from companion.commands.exit_codes import run_cli

    run_cli(app)
