"""`companion stats`: what journals come to in numbers, as one JSON object, as tables for people, and as pictures."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from companion.commands.exit_codes import DONE, FAILED, REFUSED
from companion.commands.settings import language_of
from companion.games.registry import CHANCES, GAMES
from companion.journal.codec import FileUnreadable
from companion.journal.ledger import LineRefused, replay
from companion.language import Language
from companion.table.history import DieCount, Measure, Share, Tally, tally

EVERYBODY = "–"
"""Stands for nobody's dice in tables."""


def run_stats(config: Path | None, files: Sequence[Path], out: Path | None) -> int:
    """Counts the standing events of every journal. Returns the exit status: 2 for a journal that breaks a rule."""
    language = language_of(config)
    ledgers: dict[str, list[Any]] = {}
    seen: set[Path] = set()
    for file in files:
        if file.resolve() in seen:
            print(f"{file}: {language('cli.stats.twice')}", file=sys.stderr)
            continue
        seen.add(file.resolve())
        try:
            ledger = replay(file, GAMES).ledger
        except LineRefused as refused:
            print(f"{file}:{refused.line}: {refused.rule}: {language.text(refused.message)}", file=sys.stderr)
            return REFUSED
        except FileUnreadable as unreadable:
            print(f"{file}: {language.text(unreadable.message)}", file=sys.stderr)
            return REFUSED
        ledgers.setdefault(ledger.game.id, []).append(ledger)
    found = {game: tally(played, CHANCES[game]) for game, played in sorted(ledgers.items())}
    console = Console(stderr=True, highlight=False)
    for game, counted in found.items():
        _tell(console, language, game, counted)
    pictures = _pictures(found, out, language) if out is not None else []
    shown = {"games": {game: _object(counted) for game, counted in found.items()}, "pictures": pictures or []}
    print(json.dumps(shown, ensure_ascii=False))
    return FAILED if pictures is None else DONE


def _pictures(found: Mapping[str, Tally], out: Path, language: Language) -> list[str] | None:
    """Draws and says what was drawn; None if the folder cannot be written, which is said too."""
    from companion.commands.stats_pictures import draw  # slow to import, and needed here only

    try:
        pictures = [str(path) for path in draw(found, out, language)]
    except OSError as error:
        print(f"{error.filename or out}: {error.strerror}", file=sys.stderr)
        return None
    for path in pictures:
        print(path, file=sys.stderr)
    if not pictures:
        print(language("cli.stats.no_picture"), file=sys.stderr)
    return pictures


def _object(counted: Tally) -> dict[str, Any]:
    return {
        "matches": counted.matches,
        "events": counted.events,
        "sides": {name: {"matches": s.matches, "points": s.points, **_share(s)} for name, s in counted.sides.items()},
        "players": [{"side": side, "player": player, **_share(s)} for (side, player), s in counted.players.items()],
        "dice": [_die(die, len(counted.dice)) for die in counted.dice.values()],
    }


def _share(share: Share) -> dict[str, Any]:
    return {"events": dict(share.events), "luck": {what: _measure(each) for what, each in share.luck.items()}}


def _measure(measure: Measure) -> dict[str, Any]:
    """`got` less `expected` is luck; exact sums have long denominators, so these are decimal numbers."""
    return {
        "tries": measure.tries,
        "got": _decimal(measure.got),
        "expected": _decimal(measure.expected),
        "luck": _decimal(measure.luck),
    }


def _die(die: DieCount, tests: int) -> dict[str, Any]:
    tested = die.fairness
    return {
        "side": die.side,
        "kind": die.kind,
        "throws": tested.throws,
        "faces": {
            face: {"seen": die.seen[face], "expected": _decimal(share * tested.throws)}
            for face, share in die.shares.items()
        },
        "test": tested.test,
        "p": round(tested.chance, 4),
        "suspicious": tested.suspicious(tests),
        "power": round(tested.power, 3),
        "throws_needed": tested.needed,
    }


def _decimal(value: Fraction) -> float:
    return round(float(value), 3)


def _tell(console: Console, language: Language, game: str, counted: Tally) -> None:
    console.print(f"[bold]{language('cli.stats.title', game=game, n=counted.matches, events=counted.events)}[/]")
    luck = _table(language, "side", "measure", "tries", "got", "expected", "luck")
    for name, side in counted.sides.items():
        for what, measure in side.luck.items():
            figures = (_written(language, value) for value in (measure.got, measure.expected))
            signed = f"{'+' if measure.luck > 0 else ''}{_written(language, measure.luck)}"
            luck.add_row(escape(name), language(f"cli.stats.what.{what}"), str(measure.tries), *figures, signed)
    dice = _table(language, "side", "die", "throws", "p", "power", "needed")
    for die in counted.dice.values():
        tested = die.fairness
        mark = "[red]![/] " if tested.suspicious(len(counted.dice)) else ""
        chance = f"{mark}{_written(language, Fraction(tested.chance))}"
        power = f"{round(100 * tested.power)}\N{NO-BREAK SPACE}%"
        dice.add_row(escape(die.side or EVERYBODY), die.kind, str(tested.throws), chance, power, str(tested.needed))
    for table in (luck, dice):
        if table.row_count:
            console.print(table)
    if dice.row_count:
        console.print(language("cli.stats.legend"))


def _table(language: Language, *columns: str) -> Table:
    table = Table(box=None, pad_edge=False)
    for column in columns:
        words = column in ("side", "measure", "die")
        table.add_column(language(f"cli.stats.{column}"), justify="left" if words else "right")
    return table


def _written(language: Language, value: Fraction) -> str:
    """Two decimals, with the true minus sign."""
    return language.decimal(f"{float(value):.2f}".replace("-", "−"))
