"""`python -m tools hub-simulation TABLES`: run a tournament at simulated tables and show its standings."""

from __future__ import annotations

import json
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from companion.games.registry import GAMES
from companion.hub.database import DatabaseError
from companion.language import Language
from tools.trials.chaos import NO_FAULTS, FaultRates
from tools.trials.compare import JournalComparison
from tools.trials.databases import KINDS, DatabaseKind, new_database
from tools.trials.local_postgres import PostgresUnavailable
from tools.trials.trial import Trial, TrialFailed, TrialOptions

DONE, FAILED, REFUSED = 0, 1, 2
SHOWS_EVERY = 0.5
LINE_EVERY = 5.0
"""Interval in seconds between two lines when the output is not a terminal."""
ROWS = 16


@dataclass(frozen=True, slots=True)
class SimulationOptions:
    """The arguments of a simulation."""

    tables: int
    game: str
    rounds: int
    seed: int
    pace: float
    trouble: bool


def run_simulation(options: SimulationOptions, database: str) -> int:
    """Run the simulation, show its progress, compare the journals and print one JSON object. Return the exit status."""
    kind: DatabaseKind | None = next((each for each in KINDS if each == database), None)
    if options.game not in GAMES:
        print(f"unknown game {options.game!r}; known: {', '.join(GAMES)}", file=sys.stderr)
        return REFUSED
    if kind is None:
        print(f"unknown database {database!r}; known: {', '.join(KINDS)}", file=sys.stderr)
        return REFUSED
    fault_rates = FaultRates() if options.trouble else NO_FAULTS
    setting = TrialOptions(options.tables, options.game, options.rounds, options.seed, fault_rates, pace=options.pace)
    began = time.monotonic()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # the child processes are stopped during cleanup
    try:
        with (
            tempfile.TemporaryDirectory(prefix="tapis-vert-hub-") as place,
            new_database(kind, Path(place)) as used,
            StatusDisplay() as show_status,
        ):
            trial = Trial(setting, Path(place), used, show_status)
            compared = trial.play()
    except (TrialFailed, PostgresUnavailable) as trouble:
        print(f"The simulation did not finish: {trouble}", file=sys.stderr)
        return FAILED
    except DatabaseError as trouble:
        print(Language("en").text(trouble.message), file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        print("Interrupted.", file=sys.stderr)
        return FAILED
    return _print_report(trial, compared, time.monotonic() - began)


def _print_report(trial: Trial, compared: JournalComparison, seconds: float) -> int:
    for problem in compared.problems:
        print(problem, file=sys.stderr)
    equal = not compared.problems
    amount = f"{compared.lines} lines in {compared.journals} journals"
    print(f"Hub and tables {'hold the same' if equal else 'differ'}: {amount} compared.", file=sys.stderr)
    report = {
        "tables": trial.setting.tables,
        "seed": trial.setting.seed,
        "journals": compared.journals,
        "lines": compared.lines,
        "equal": equal,
        "seconds": round(seconds, 1),
        **asdict(trial.counts),
    }
    print(json.dumps(report))
    return DONE if equal else FAILED


class StatusDisplay:
    """A context manager that shows progress: redrawn in place on a terminal, otherwise as lines from time to time."""

    def __init__(self) -> None:
        self._console = Console(stderr=True, highlight=False)
        self._live = Live(console=self._console, auto_refresh=False) if self._console.is_terminal else nullcontext()
        self._due = 0.0

    def __enter__(self) -> Callable[[dict[str, Any]], None]:
        self._live.__enter__()
        return self._show

    def __exit__(self, *gone: Any) -> None:
        self._live.__exit__(*gone)

    def _show(self, status: dict[str, Any]) -> None:
        now = time.monotonic()
        if now < self._due:
            return
        if isinstance(self._live, Live):
            self._live.update(Group(self._standing(status), self._line(status)), refresh=True)
            self._due = now + SHOWS_EVERY
        else:
            self._console.print(self._line(status))
            self._due = now + LINE_EVERY

    def _line(self, status: dict[str, Any]) -> Text:
        recorded, waiting, online, tables = (status.get(key, 0) for key in ("recorded", "waiting", "online", "tables"))
        share = round(100 * status.get("played", 0.0))
        lines = f"{recorded} lines written, {waiting} waiting"
        return Text(f"{share} % of the matches played; {lines}; {online} of {tables} tables online")

    def _standing(self, status: dict[str, Any]) -> Table:
        table = Table(title=status.get("name", ""), title_justify="left")
        for heading in ("rank", "team", "played", "diff.", "points"):
            table.add_column(heading, justify="left" if heading == "team" else "right")
        for row in status.get("standing", ())[:ROWS]:
            table.add_row(*(str(cell) for cell in row))
        return table
