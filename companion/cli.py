"""The command line (docs/CONTRACT.md): parses arguments and calls one command module."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from companion import __version__
from companion.commands.arguments import explicit_parameters, hub, tray
from companion.commands.usage import CommandLine
from companion.games.folders import game_folders

app = CommandLine("usage.do.main", needs_command=False)
audit = CommandLine("usage.do.audit")
app.add_typer(audit, name="audit")
app.add_typer(tray, name="tray")
app.command("hub", help="usage.do.hub")(hub)

ConfigFile = Annotated[Path | None, typer.Option("--config", help="usage.config", show_default=False)]
SetName = Annotated[str, typer.Option("--set", help="usage.dice_set")]
Count = Annotated[int | None, typer.Option("--count", min=0, max=1000, help="usage.count")]
PlayerName = Annotated[
    str,
    typer.Option("--player", help="usage.player", metavar="WHO"),
]
Seed = Annotated[int, typer.Option("--seed", min=0, help="usage.seed")]


@app.callback(invoke_without_command=True)
def main_callback(
    context: typer.Context,
    config: ConfigFile = None,
    version: Annotated[bool, typer.Option("--version", help="usage.version")] = False,
) -> None:
    """Open the touchscreen app if no command is given."""
    context.obj = config
    if config is not None and context.invoked_subcommand not in (None, "run"):  # the app shows a fault itself
        from companion.config import load_config

        load_config(config)  # reject a bad file even if the command does not read it
    if version:
        typer.echo(__version__)
        raise typer.Exit(0)
    if context.invoked_subcommand is None:
        _open_app(config)


@app.command(help="usage.do.run")
def run(context: typer.Context) -> None:
    """Open the touchscreen app. Without a camera the table is simulated."""
    _open_app(context.obj)


def _open_app(config: Path | None) -> None:
    from companion.commands.run import run_app

    raise typer.Exit(run_app(config))


@app.command(help="usage.do.demo")
def demo(
    context: typer.Context,
    game: Annotated[str, typer.Argument(help="usage.game")] = next(iter(game_folders())),
    seed: Seed = 1,
    fast: Annotated[bool, typer.Option("--fast", help="usage.fast")] = False,
    player: PlayerName = "random",
) -> None:
    """Play a whole match at a simulated table: drawn dice, real reader, rules and journal."""
    from companion.commands.demo import run_demo

    raise typer.Exit(run_demo(context.obj, game, seed, fast, player))


@app.command(help="usage.do.read")
def read(
    context: typer.Context,
    images: Annotated[list[str] | None, typer.Argument(help="usage.images", show_default=False)] = None,
    dice_set: SetName = "pips",
    count: Count = None,
    explain: Annotated[
        Path | None,
        typer.Option(
            "--explain",
            metavar="DIR",
            help="usage.explain",
            show_default=False,
        ),
    ] = None,
    regressions: Annotated[
        bool,
        typer.Option("--regressions", help="usage.regressions"),
    ] = False,
) -> None:
    """Read the dice in images. Prints one JSON line per image."""
    from companion.commands.read import ReadOptions, run_read_command

    dice_given = not explicit_parameters(context).isdisjoint({"dice_set", "count"})
    options = ReadOptions(images or [], dice_set, count, explain, regressions, dice_given)
    raise typer.Exit(run_read_command(context.obj, options))


@app.command(help="usage.do.watch")
def watch(
    context: typer.Context,
    source: Annotated[str, typer.Argument(help="usage.source")],
    dice_set: SetName = "pips",
    count: Count = None,
    max_rolls: Annotated[int | None, typer.Option("--max-rolls", min=1, help="usage.max_rolls")] = None,
    fps: Annotated[float | None, typer.Option("--fps", min=0.1, help="usage.fps")] = None,
) -> None:
    """Read rolls from a video or camera. Prints one JSON line per settled roll."""
    from companion.commands.read import run_watch_command
    from vision.commands import WatchOptions

    raise typer.Exit(run_watch_command(context.obj, source, dice_set, WatchOptions(count, max_rolls, fps)))


@app.command(help="usage.do.replay")
def replay(context: typer.Context, file: Annotated[Path, typer.Argument(help="usage.journal")]) -> None:
    """Replay a journal and print the final state."""
    from companion.commands.journal import run_replay_command

    raise typer.Exit(run_replay_command(context.obj, file))


@app.command(help="usage.do.play")
def play(
    context: typer.Context,
    game: Annotated[str, typer.Argument(help="usage.game")],
    seed: Seed = 1,
    out: Annotated[Path | None, typer.Option("--out", help="usage.journal_out")] = None,
    player: PlayerName = "random",
) -> None:
    """Play a match between bots and write its journal."""
    from companion.commands.journal import run_play

    raise typer.Exit(run_play(context.obj, game, seed, out, player))


@app.command(help="usage.do.stats")
def stats(
    context: typer.Context,
    files: Annotated[list[Path], typer.Argument(help="usage.journals")],
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FOLDER", help="usage.charts", show_default=False)
    ] = None,
) -> None:
    """Count events, compare dice results with the exact odds, and test the dice for fairness."""
    from companion.commands.stats import run_stats

    raise typer.Exit(run_stats(context.obj, files, out))


@app.command(help="usage.do.report")
def report(
    context: typer.Context,
    matches: Annotated[list[str], typer.Argument(metavar="MATCH|FILE", help="usage.matches")],
    pdf: Annotated[Path | None, typer.Option("--pdf", metavar="OUT", help="usage.pdf", show_default=False)] = None,
    csv: Annotated[Path | None, typer.Option("--csv", metavar="OUT", help="usage.csv", show_default=False)] = None,
) -> None:
    """Write match reports: line-ups, score, rolls, and results compared with the odds."""
    from companion.commands.report import run_report

    raise typer.Exit(run_report(context.obj, matches, pdf, csv))


@audit.command("export", help="usage.do.audit_export")
def audit_export(
    context: typer.Context,
    match: Annotated[str, typer.Argument(metavar="MATCH|FILE", help="usage.match")],
    out: Annotated[Path, typer.Option("--out", metavar="FILE.zip", help="usage.zip")],
) -> None:
    """Export the evidence of a result to one file."""
    from companion.commands.report import run_audit_export

    raise typer.Exit(run_audit_export(context.obj, match, out))


@audit.command("check", help="usage.do.audit_check")
def audit_check(context: typer.Context, file: Annotated[Path, typer.Argument(help="usage.audit_file")]) -> None:
    """Verify an audit: checksums, and a replay by the rules. Reports file and line of each fault."""
    from companion.commands.report import run_audit_check

    raise typer.Exit(run_audit_check(context.obj, file))


@app.command("dice-sheet", help="usage.do.dice_sheet")
def dice_sheet(
    context: typer.Context,
    dice_set: Annotated[str, typer.Argument(metavar="SET", help="usage.dice_set")],
    out: Annotated[Path, typer.Option("--out", metavar="FILE.pdf", help="usage.pdf")],
    size: Annotated[float, typer.Option("--size", metavar="MM", help="usage.size")] = 16.0,
    copies: Annotated[int, typer.Option("--copies", help="usage.copies")] = 1,
    language: Annotated[str | None, typer.Option("--language", help="usage.language", show_default=False)] = None,
) -> None:
    """Write printable stickers for the dice of a set, in the artwork that the reader recognises."""
    from companion.commands.sheets import run_dice_sheet

    raise typer.Exit(run_dice_sheet(context.obj, dice_set, out, size, copies, language))


@app.command("card-sheet", help="usage.do.card_sheet")
def card_sheet(
    context: typer.Context,
    out: Annotated[Path, typer.Option("--out", metavar="FILE.pdf", help="usage.pdf")],
    calibration: Annotated[bool, typer.Option("--calibration", help="usage.calibration")] = False,
    language: Annotated[str | None, typer.Option("--language", help="usage.language", show_default=False)] = None,
) -> None:
    """Write a printable card with marks and colours for the camera."""
    from companion.commands.sheets import run_card_sheet

    raise typer.Exit(run_card_sheet(context.obj, calibration, out, language))


@app.command("play-sheet", help="usage.do.play_sheet")
def print_play_sheet(
    context: typer.Context,
    game: Annotated[str, typer.Argument(metavar="GAME", help="usage.sheet_game")],
    out: Annotated[Path, typer.Option("--out", metavar="FILE.pdf", help="usage.pdf")],
    kind: Annotated[str, typer.Option("--kind", metavar="KIND", help="usage.sheet_kind")] = "score",
    language: Annotated[str | None, typer.Option("--language", help="usage.language", show_default=False)] = None,
) -> None:
    """Write a score sheet, a star sheet or a help card of a game."""
    from companion.commands.sheets import run_play_sheet

    raise typer.Exit(run_play_sheet(context.obj, game, kind, out, language))


catalogue = CommandLine("usage.do.catalogue")
app.add_typer(catalogue, name="catalogue")
KindName = Annotated[str | None, typer.Option("--kind", help="usage.kind", show_default=False)]
TableFile = Annotated[Path, typer.Argument(help="usage.table")]


@catalogue.command("check", help="usage.do.catalogue_check")
def check_catalogue(context: typer.Context, file: TableFile, kind: KindName = None) -> None:
    """Report every fault of a table, with row and column."""
    from companion.commands.catalogue import run_check

    raise typer.Exit(run_check(context.obj, file, kind))


@catalogue.command("import", help="usage.do.catalogue_import")
def import_catalogue(
    context: typer.Context,
    file: TableFile,
    kind: KindName = None,
    replace: Annotated[bool, typer.Option("--replace", help="usage.replace")] = False,
    partly: Annotated[bool, typer.Option("--partly", help="usage.partly")] = False,
) -> None:
    """Import the cards of a table."""
    from companion.commands.catalogue import run_import

    raise typer.Exit(run_import(context.obj, file, kind, replace=replace, partly=partly))


@catalogue.command("export", help="usage.do.catalogue_export")
def export_catalogue(
    context: typer.Context,
    kind: Annotated[str, typer.Argument(help="usage.catalogue_kind")],
    out: Annotated[Path, typer.Option("--out", metavar="FILE.csv", help="usage.csv")],
) -> None:
    """Export a catalogue as a table, in the configured language."""
    from companion.commands.catalogue import run_export

    raise typer.Exit(run_export(context.obj, kind, out))


@app.command(help="usage.do.doctor")
def doctor(
    context: typer.Context,
    json: Annotated[bool, typer.Option("--json", help="usage.json")] = False,
) -> None:
    """Check camera, display, disk and devices, and say how to fix what is missing."""
    from companion.commands.doctor import run_doctor

    raise typer.Exit(run_doctor(context.obj, json))


@app.command(help="usage.do.backup")
def backup(
    context: typer.Context,
    out: Annotated[Path, typer.Argument(metavar="FILE|FOLDER", help="usage.backup_out")],
    keep: Annotated[
        int | None,
        typer.Option("--keep", min=1, help="usage.keep", show_default=False),
    ] = None,
    pictures: Annotated[bool, typer.Option("--pictures/--no-pictures", help="usage.pictures")] = True,
) -> None:
    """Back up this table to one file. A hub on the same machine is not included. The app may be running."""
    from companion.commands.backup import run_backup

    raise typer.Exit(run_backup(context.obj, out, keep, pictures))


@app.command(help="usage.do.restore")
def restore(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="usage.backup_file")],
    settings: Annotated[bool, typer.Option("--settings", help="usage.restore_settings")] = False,
) -> None:
    """Restore a table from a backup. Existing data is moved aside first. A hub is not touched."""
    from companion.commands.backup import run_restore

    raise typer.Exit(run_restore(context.obj, file, settings))


@app.command(help="usage.do.recover")
def recover(
    context: typer.Context,
    file: Annotated[Path | None, typer.Argument(metavar="FILE", help="usage.recover_file", show_default=False)] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="usage.recover_out", show_default=False)
    ] = None,
) -> None:
    """Save what can be read of damaged matches. The damaged file is set aside whole."""
    from companion.commands.recover import run_recover

    raise typer.Exit(run_recover(context.obj, file, out))


@app.command(help="usage.do.trial")
def trial(
    context: typer.Context,
    seconds: Annotated[float, typer.Option("--seconds", min=1, help="usage.seconds")] = 120.0,
) -> None:
    """Start the app off screen on a copy of the data and report whether it runs."""
    from companion.commands.trial import run_trial

    raise typer.Exit(run_trial(context.obj, seconds))


@app.command(help="usage.do.unlock")
def unlock(context: typer.Context) -> None:
    """Remove a forgotten PIN."""
    from companion.commands.make_platform import run_unlock

    raise typer.Exit(run_unlock(context.obj))


def main() -> None:
    """Run the command `companion`."""
    from companion.commands.exit_codes import run_cli

    run_cli(app)
