"""The command line (docs/CONTRACT.md): reads the arguments and hands over to the one command module that was named."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from companion import __version__
from companion.commands.arguments import given_in, hub, tray
from companion.games.folders import folders

app = typer.Typer(
    add_completion=False,
    no_args_is_help=False,
    help="Tapis Vert: reads the dice of a real gaming table and keeps the score.",
    pretty_exceptions_enable=False,
)

audit = typer.Typer(add_completion=False, help="Evidence of a match in one file: exported here, checked anywhere.")
app.add_typer(audit, name="audit")
app.add_typer(tray, name="tray")
app.command("hub")(hub)

ConfigFile = Annotated[Path | None, typer.Option("--config", help="configuration file (TOML)", show_default=False)]
SetName = Annotated[str, typer.Option("--set", help="dice set: its name, or a TOML file")]
Count = Annotated[int | None, typer.Option("--count", min=0, max=1000, help="how many dice are due")]
PlayerName = Annotated[
    str, typer.Option("--player", help="random: any legal move; sound: the best by the exact odds", metavar="WHO")
]
Seed = Annotated[int, typer.Option("--seed", min=0, help="same seed, same match")]


@app.callback(invoke_without_command=True)
def opening(
    context: typer.Context,
    config: ConfigFile = None,
    version: Annotated[bool, typer.Option("--version", help="says the version and ends")] = False,
) -> None:
    """Opens the touchscreen app when no command is named."""
    context.obj = config
    if config is not None:
        from companion.config import load_config

        load_config(config)  # a file that was named is right, whichever command reads it
    if version:
        typer.echo(__version__)
        raise typer.Exit(0)
    if context.invoked_subcommand is None:
        _open_app(config)


@app.command()
def run(context: typer.Context) -> None:
    """Opens the touchscreen app, with the real camera where there is one and a simulated table otherwise."""
    _open_app(context.obj)


def _open_app(config: Path | None) -> None:
    from companion.commands.run import run_app

    raise typer.Exit(run_app(config))


@app.command()
def demo(
    context: typer.Context,
    game: Annotated[str, typer.Argument(help="the game to play")] = next(iter(folders())),
    seed: Seed = 1,
    fast: Annotated[bool, typer.Option("--fast", help="does not wait between the throws")] = False,
    player: PlayerName = "random",
) -> None:
    """Plays a whole match at a simulated table: drawn dice, real reader, real rules, real journal."""
    from companion.commands.demo import run_demo

    raise typer.Exit(run_demo(context.obj, game, seed, fast, player))


@app.command()
def read(
    context: typer.Context,
    images: Annotated[list[str] | None, typer.Argument(help="pictures to read", show_default=False)] = None,
    dice_set: SetName = "pips",
    count: Count = None,
    explain: Annotated[
        Path | None,
        typer.Option("--explain", metavar="DIR", help="writes a picture of each reading's stages", show_default=False),
    ] = None,
    regressions: Annotated[
        bool,
        typer.Option("--regressions", help="reads again what players corrected, in the folder named or the usual one"),
    ] = False,
) -> None:
    """Reads the dice in pictures: one JSON line a picture."""
    from companion.commands.read import ReadOptions, run_read_command

    dice_given = not given_in(context).isdisjoint({"dice_set", "count"})
    options = ReadOptions(images or [], dice_set, count, explain, regressions, dice_given)
    raise typer.Exit(run_read_command(context.obj, options))


@app.command()
def watch(
    source: Annotated[str, typer.Argument(help="a clip, a folder of frames, camera:0, picamera or drawn:SEED")],
    dice_set: SetName = "pips",
    count: Count = None,
    max_rolls: Annotated[int | None, typer.Option("--max-rolls", min=1, help="ends after so many rolls")] = None,
    fps: Annotated[float | None, typer.Option("--fps", min=0.1, help="frames a second of a folder of frames")] = None,
) -> None:
    """Reads rolls from a moving source: one JSON line a settled roll."""
    from vision.commands import WatchOptions, run_watch

    raise typer.Exit(run_watch(source, dice_set, WatchOptions(count, max_rolls, fps), sys.stdout, sys.stderr))


@app.command()
def replay(context: typer.Context, file: Annotated[Path, typer.Argument(help="a journal (JSON Lines)")]) -> None:
    """Replays a journal and prints the final state."""
    from companion.commands.journal import run_replay_command

    raise typer.Exit(run_replay_command(context.obj, file))


@app.command()
def play(
    game: Annotated[str, typer.Argument(help="the game to play")],
    seed: Seed = 1,
    out: Annotated[Path | None, typer.Option("--out", help="the journal's file; standard output without it")] = None,
    player: PlayerName = "random",
) -> None:
    """Lets a player of the program sit at every side and writes the journal."""
    from companion.commands.journal import run_play

    raise typer.Exit(run_play(game, seed, out, player))


@app.command()
def stats(
    context: typer.Context,
    files: Annotated[list[Path], typer.Argument(help="journals (JSON Lines)")],
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FOLDER", help="writes pictures there too", show_default=False)
    ] = None,
) -> None:
    """Counts what journals hold: events, luck against the exact odds, how fairly each side's dice fell."""
    from companion.commands.stats import run_stats

    raise typer.Exit(run_stats(context.obj, files, out))


@app.command()
def report(
    context: typer.Context,
    matches: Annotated[
        list[str], typer.Argument(metavar="MATCH|FILE", help="journals, or matches of this table by id")
    ],
    pdf: Annotated[
        Path | None, typer.Option("--pdf", metavar="OUT", help="the PDF to write", show_default=False)
    ] = None,
    csv: Annotated[
        Path | None, typer.Option("--csv", metavar="OUT", help="the CSV file to write", show_default=False)
    ] = None,
) -> None:
    """Writes match reports: line-ups, course of the score, rolls, odds against what happened."""
    from companion.commands.report import run_report

    raise typer.Exit(run_report(context.obj, matches, pdf, csv))


@audit.command("export")
def audit_export(
    context: typer.Context,
    match: Annotated[str, typer.Argument(metavar="MATCH|FILE", help="a match of this table by its id, or a journal")],
    out: Annotated[Path, typer.Option("--out", metavar="FILE.zip", help="the file to write")],
) -> None:
    """Writes everything that a match's result rests on into one file."""
    from companion.commands.report import run_audit_export

    raise typer.Exit(run_audit_export(context.obj, match, out))


@audit.command("check")
def audit_check(context: typer.Context, file: Annotated[Path, typer.Argument(help="an exported audit")]) -> None:
    """Checks an audit again: every byte, and the rules played anew. Names each fault with its file and line."""
    from companion.commands.report import run_audit_check

    raise typer.Exit(run_audit_check(context.obj, file))


@app.command("dice-sheet")
def dice_sheet(
    context: typer.Context,
    dice_set: Annotated[str, typer.Argument(metavar="SET", help="dice set: its name, or a TOML file")],
    out: Annotated[Path, typer.Option("--out", metavar="FILE.pdf", help="the PDF to write")],
    size: Annotated[float, typer.Option("--size", metavar="MM", help="edge of a sticker, 12 to 20 mm")] = 16.0,
    copies: Annotated[int, typer.Option("--copies", help="how many dice of each kind")] = 1,
    language: Annotated[
        str | None, typer.Option("--language", help="fr or en; the configured one without it", show_default=False)
    ] = None,
) -> None:
    """Writes printable stickers for the dice of a set, in the artwork that the reader knows."""
    from companion.commands.sheets import run_dice_sheet

    raise typer.Exit(run_dice_sheet(context.obj, dice_set, out, size, copies, language))


@app.command("card-sheet")
def card_sheet(
    context: typer.Context,
    out: Annotated[Path, typer.Option("--out", metavar="FILE.pdf", help="the PDF to write")],
    calibration: Annotated[bool, typer.Option("--calibration", help="the card that calibrates the camera")] = False,
    language: Annotated[
        str | None, typer.Option("--language", help="fr or en; the configured one without it", show_default=False)
    ] = None,
) -> None:
    """Writes a printable card, with marks and colours that the camera knows."""
    from companion.commands.sheets import run_card_sheet

    raise typer.Exit(run_card_sheet(context.obj, calibration, out, language))


catalogue = typer.Typer(no_args_is_help=True, help="Cards and clubs as tables (CSV): checks, takes over, writes.")
app.add_typer(catalogue, name="catalogue")
KindName = Annotated[
    str | None, typer.Option("--kind", help="which catalogue; told by its headings without it", show_default=False)
]
TableFile = Annotated[Path, typer.Argument(help="a table (CSV), or a squad file (TOML, JSON)")]


@catalogue.command("check")
def check_catalogue(context: typer.Context, file: TableFile, kind: KindName = None) -> None:
    """Says every fault of a table, with its row and column."""
    from companion.commands.catalogue import run_check

    raise typer.Exit(run_check(context.obj, file, kind))


@catalogue.command("import")
def import_catalogue(
    context: typer.Context,
    file: TableFile,
    kind: KindName = None,
    replace: Annotated[bool, typer.Option("--replace", help="instead of adding to the cards that are there")] = False,
    partly: Annotated[bool, typer.Option("--partly", help="takes what is in order when some rows are not")] = False,
) -> None:
    """Takes the cards of a table over into the catalogues beside the matches."""
    from companion.commands.catalogue import run_import

    raise typer.Exit(run_import(context.obj, file, kind, replace=replace, partly=partly))


@catalogue.command("export")
def export_catalogue(
    context: typer.Context,
    kind: Annotated[str, typer.Argument(help="which catalogue")],
    out: Annotated[Path, typer.Option("--out", metavar="FILE.csv", help="the table to write")],
) -> None:
    """Writes a catalogue as a table, in the words of the configured language."""
    from companion.commands.catalogue import run_export

    raise typer.Exit(run_export(context.obj, kind, out))


@app.command()
def doctor(
    context: typer.Context,
    json: Annotated[bool, typer.Option("--json", help="one JSON object on standard output")] = False,
) -> None:
    """Says what is present, what is missing and what to do about it."""
    from companion.commands.doctor import run_doctor

    raise typer.Exit(run_doctor(context.obj, json))


@app.command()
def backup(
    context: typer.Context,
    out: Annotated[Path, typer.Argument(metavar="FILE|FOLDER", help="the file to write, or a folder for it")],
    keep: Annotated[
        int | None,
        typer.Option("--keep", min=1, help="in a folder: so many backups stay, the newest", show_default=False),
    ] = None,
    pictures: Annotated[bool, typer.Option("--pictures/--no-pictures", help="with the pictures of the rolls")] = True,
) -> None:
    """Writes all of this table (never a hub on the same machine) into one file; the app may be open meanwhile."""
    from companion.commands.backup import run_backup

    raise typer.Exit(run_backup(context.obj, out, keep, pictures))


@app.command()
def restore(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="a backup")],
    settings: Annotated[bool, typer.Option("--settings", help="takes its settings too")] = False,
) -> None:
    """Takes a table's backup back once it is found good; what was here is put aside, a hub here is left alone."""
    from companion.commands.backup import run_restore

    raise typer.Exit(run_restore(context.obj, file, settings))


@app.command()
def trial(
    context: typer.Context,
    seconds: Annotated[float, typer.Option("--seconds", min=1, help="how long to wait for a sign of life")] = 120.0,
) -> None:
    """Opens the app off screen on a copy of the matches, and says whether it comes up and goes on."""
    from companion.commands.trial import run_trial

    raise typer.Exit(run_trial(context.obj, seconds))


@app.command()
def unlock(context: typer.Context) -> None:
    """Takes away the PIN of a locked table, for whoever forgot it."""
    from companion.commands.house import run_unlock

    raise typer.Exit(run_unlock(context.obj))


def main() -> None:
    """The command `companion`."""
    from companion.commands.exit_codes import to_the_end

    to_the_end(app)
