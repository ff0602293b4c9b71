"""`python -m tools hub-simulation TABLES`: a tournament at simulated tables, its standings shown in the terminal."""

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
from companion.hub.database import HubError
from companion.language import Language
from tools.trials.chaos import FAIR, Weather
from tools.trials.compare import Compared
from tools.trials.databases import KINDS, Kind, new_database
from tools.trials.own_postgres import NoPostgres
from tools.trials.trial import Setting, Trial, TrialFailed

DONE, FAILED, REFUSED = 0, 1, 2
SHOWS_EVERY = 0.5
LINE_EVERY = 5.0
"""Seconds between two lines where the standing cannot be drawn anew in its place."""
ROWS = 16


@dataclass(frozen=True, slots=True)
class Simulation:
    """What was asked for."""

    tables: int
    game: str
    rounds: int
    seed: int
    pace: float
    trouble: bool


def run_simulation(asked: Simulation, database: str) -> int:
    """Plays, shows, compares; prints one JSON object. Returns the exit status."""
    kind: Kind | None = next((each for each in KINDS if each == database), None)
    if asked.game not in GAMES:
        print(f"unknown game {asked.game!r}; known: {', '.join(GAMES)}", file=sys.stderr)
        return REFUSED
    if kind is None:
        print(f"unknown database {database!r}; known: {', '.join(KINDS)}", file=sys.stderr)
        return REFUSED
    weather = Weather() if asked.trouble else FAIR
    setting = Setting(asked.tables, asked.game, asked.rounds, asked.seed, weather, pace=asked.pace)
    began = time.monotonic()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # what was started is stopped on the way out
    try:
        with (
            tempfile.TemporaryDirectory(prefix="tapis-vert-hub-") as place,
            new_database(kind, Path(place)) as used,
            Shown() as tell,
        ):
            trial = Trial(setting, Path(place), used, tell)
            compared = trial.play()
    except (TrialFailed, NoPostgres) as trouble:
        print(f"The simulation did not finish: {trouble}", file=sys.stderr)
        return FAILED
    except HubError as trouble:
        print(Language("en").text(trouble.message), file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        print("Interrupted.", file=sys.stderr)
        return FAILED
    return _told(trial, compared, time.monotonic() - began)


def _told(trial: Trial, compared: Compared, seconds: float) -> int:
    for problem in compared.problems:
        print(problem, file=sys.stderr)
    equal = not compared.problems
    held = f"{compared.lines} lines in {compared.journals} journals"
    print(f"Hub and tables {'hold the same' if equal else 'differ'}: {held} compared.", file=sys.stderr)
    told = {
        "tables": trial.setting.tables,
        "seed": trial.setting.seed,
        "journals": compared.journals,
        "lines": compared.lines,
        "equal": equal,
        "seconds": round(seconds, 1),
        **asdict(trial.counts),
    }
    print(json.dumps(told))
    return DONE if equal else FAILED


class Shown:
    """While it lasts, what is told is shown: drawn anew in its place on a terminal, else a line now and then."""

    def __init__(self) -> None:
        self._console = Console(stderr=True, highlight=False)
        self._live = Live(console=self._console, auto_refresh=False) if self._console.is_terminal else nullcontext()
        self._due = 0.0

    def __enter__(self) -> Callable[[dict[str, Any]], None]:
        self._live.__enter__()
        return self._tell

    def __exit__(self, *gone: Any) -> None:
        self._live.__exit__(*gone)

    def _tell(self, told: dict[str, Any]) -> None:
        now = time.monotonic()
        if now < self._due:
            return
        if isinstance(self._live, Live):
            self._live.update(Group(self._standing(told), self._line(told)), refresh=True)
            self._due = now + SHOWS_EVERY
        else:
            self._console.print(self._line(told))
            self._due = now + LINE_EVERY

    def _line(self, told: dict[str, Any]) -> Text:
        recorded, waiting, online, tables = (told.get(key, 0) for key in ("recorded", "waiting", "online", "tables"))
        share = round(100 * told.get("played", 0.0))
        lines = f"{recorded} lines written, {waiting} waiting"
        return Text(f"{share} % of the matches played; {lines}; {online} of {tables} tables online")

    def _standing(self, told: dict[str, Any]) -> Table:
        table = Table(title=told.get("name", ""), title_justify="left")
        for heading in ("rank", "team", "played", "diff.", "points"):
            table.add_column(heading, justify="left" if heading == "team" else "right")
        for row in told.get("standing", ())[:ROWS]:
            table.add_row(*(str(cell) for cell in row))
        return table
