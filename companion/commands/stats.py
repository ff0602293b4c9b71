"""`companion stats`: statistics of journals as a JSON object, as tables, and as charts."""

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
from companion.games.registry import DICE_STATISTICS, GAMES
from companion.journal.codec import FileUnreadable
from companion.journal.ledger import InvalidLine, replay
from companion.language import Language, reason_of
from companion.table.history import CompetitorStatistics, DieCount, ExpectedVsActualTotal, HistoryTally, tally_of

NO_SIDE = "–"
"""Shown for dice without a side."""


def run_stats(config: Path | None, files: Sequence[Path], out: Path | None) -> int:
    """Count the valid events of all journals. Returns the exit status: 2 for a journal that breaks a rule."""
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
        except InvalidLine as refused:
            print(f"{file}:{refused.line}: {refused.rule}: {language.text(refused.message)}", file=sys.stderr)
            return REFUSED
        except FileUnreadable as unreadable:
            print(f"{file}: {language.text(unreadable.message)}", file=sys.stderr)
            return REFUSED
        ledgers.setdefault(ledger.game.id, []).append(ledger)
    totals_by_game = {game: tally_of(played, DICE_STATISTICS[game]) for game, played in sorted(ledgers.items())}
    console = Console(stderr=True, highlight=False)
    for game, totals in totals_by_game.items():
        _print_tables(console, language, game, totals)
    pictures = _pictures(totals_by_game, out, language) if out is not None else []
    result = {
        "games": {game: _to_json(totals) for game, totals in totals_by_game.items()},
        "pictures": pictures or [],
    }
    print(json.dumps(result, ensure_ascii=False))
    return FAILED if pictures is None else DONE


def _pictures(found: Mapping[str, HistoryTally], out: Path, language: Language) -> list[str] | None:
    """Draw the charts and print their paths; None, with an error message, if the folder is not writable."""
    from companion.commands.stats_pictures import draw_charts  # slow import, needed only here

    try:
        pictures = [str(path) for path in draw_charts(found, out, language)]
    except OSError as error:
        print(language("cli.not_written", file=error.filename or out, reason=reason_of(error)), file=sys.stderr)
        return None
    for path in pictures:
        print(path, file=sys.stderr)
    if not pictures:
        print(language("cli.stats.no_picture"), file=sys.stderr)
    return pictures


def _to_json(totals: HistoryTally) -> dict[str, Any]:
    return {
        "matches": totals.matches,
        "events": totals.events,
        "sides": {name: {"matches": s.matches, "points": s.points, **_share(s)} for name, s in totals.sides.items()},
        "players": [{"side": side, "player": player, **_share(s)} for (side, player), s in totals.players.items()],
        "persons": [
            {"id": person.id, "name": person.name, "matches": s.matches, "points": s.points, **_share(s)}
            for person, s in totals.persons.items()
        ],
        "dice": [_die(die, len(totals.dice)) for die in totals.dice.values()],
    }


def _share(share: CompetitorStatistics) -> dict[str, Any]:
    return {
        "events": dict(share.events),
        "luck": {what: _measure(each) for what, each in share.expected_vs_actual.items()},
    }


def _measure(measure: ExpectedVsActualTotal) -> dict[str, Any]:
    """Return one measure; luck is `got` minus `expected`. Decimal, since exact sums have long denominators."""
    return {
        "tries": measure.trials,
        "got": _decimal(measure.actual),
        "expected": _decimal(measure.expected),
        "luck": _decimal(measure.difference),
    }


def _die(die: DieCount, tests: int) -> dict[str, Any]:
    tested = die.fairness
    return {
        "side": die.side,
        "kind": die.kind,
        "throws": tested.throws,
        "faces": {
            face: {"seen": die.counts[face], "expected": _decimal(share * tested.throws)}
            for face, share in die.probabilities.items()
        },
        "test": tested.test,
        "p": round(tested.p_value, 4),
        "suspicious": tested.is_suspicious(tests),
        "power": round(tested.power, 3),
        "throws_needed": tested.throws_needed,
    }


def _decimal(value: Fraction) -> float:
    return round(float(value), 3)


def _print_tables(console: Console, language: Language, game: str, totals: HistoryTally) -> None:
    console.print(f"[bold]{language('cli.stats.title', game=game, n=totals.matches, events=totals.events)}[/]")
    luck_table = _table(language, "side", "measure", "tries", "got", "expected", "luck")
    persons = [(person.name, share) for person, share in totals.persons.items()]
    for name, side in (*totals.sides.items(), *persons):
        for what, measure in side.expected_vs_actual.items():
            figures = (_format_decimal(language, value) for value in (measure.actual, measure.expected))
            signed = f"{'+' if measure.difference > 0 else ''}{_format_decimal(language, measure.difference)}"
            luck_table.add_row(escape(name), language(f"cli.stats.what.{what}"), str(measure.trials), *figures, signed)
    dice = _table(language, "side", "die", "throws", "p", "power", "needed")
    for die in totals.dice.values():
        tested = die.fairness
        mark = "[red]![/] " if tested.is_suspicious(len(totals.dice)) else ""
        chance = f"{mark}{_format_decimal(language, Fraction(tested.p_value))}"
        power = f"{round(100 * tested.power)}\N{NO-BREAK SPACE}%"
        dice.add_row(
            escape(die.side or NO_SIDE), die.kind, str(tested.throws), chance, power, str(tested.throws_needed)
        )
    for table in (luck_table, dice):
        if table.row_count:
            console.print(table)
    if dice.row_count:
        console.print(language("cli.stats.legend"))


def _table(language: Language, *columns: str) -> Table:
    table = Table(box=None, pad_edge=False)
    for column in columns:
        is_text = column in ("side", "measure", "die")
        table.add_column(language(f"cli.stats.{column}"), justify="left" if is_text else "right")
    return table


def _format_decimal(language: Language, value: Fraction) -> str:
    """Format a number with two decimals and a true minus sign."""
    return language.decimal(f"{float(value):.2f}".replace("-", "−"))
