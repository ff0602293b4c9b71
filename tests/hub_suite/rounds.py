"""The trials of the hub, each a tournament to its end, and the checks after it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from companion.hub.database import DatabaseError
from tests.hub_suite.crowd import HELD_S, MAX_PAGE_S, Crowd
from tools.trials.chaos import NO_FAULTS
from tools.trials.compare import JournalComparison
from tools.trials.databases import DatabaseKind, new_database
from tools.trials.local_postgres import PostgresUnavailable
from tools.trials.trial import Trial, TrialFailed, TrialOptions


@dataclass(frozen=True)
class Check:
    """A check with its name and its faults; empty if it passed."""

    name: str
    problems: tuple[str, ...] = ()


CROWD = "crowd"
"""Trial with a crowd at the pages."""

ROUNDS: Mapping[str, Callable[[TrialOptions], TrialOptions]] = {
    "chaos": lambda setting: setting,
    "older backup": lambda setting: replace(setting, restores=0.5),
    "copied card": lambda setting: replace(setting, copies=0.3),
    CROWD: lambda setting: replace(setting, tables=min(setting.tables, 16), fault_rates=NO_FAULTS, repeats=1),
}
"""Trials by name, with their change to the standard setting. All but the crowd have cuts, kills and repeats."""


def played(setting: TrialOptions, kind: DatabaseKind, folder: Path) -> Iterator[Check]:
    """Play a tournament and yield the checks."""
    try:
        with new_database(kind, folder) as database:
            trial = Trial(setting, folder, database)
            compared = trial.play()
    except (TrialFailed, DatabaseError, PostgresUnavailable) as trouble:
        yield Check("the tournament comes to its end", (str(trouble),))
        return
    yield Check("the tournament comes to its end")
    yield from _checks(setting, trial, compared)


def played_in_a_crowd(setting: TrialOptions, kind: DatabaseKind, folder: Path) -> Iterator[Check]:
    """Play a tournament while a crowd holds its connections, and yield the checks."""
    crowds: list[Crowd] = []

    def on_status(_: object) -> None:
        if not crowds:
            crowds.append(Crowd(trial.pages_port))
        elif trial.is_over:
            crowds[0].finish()

    try:
        with new_database(kind, folder) as database:
            trial = Trial(setting, folder, database, on_status)
            compared = trial.play()
    except (TrialFailed, DatabaseError, PostgresUnavailable) as trouble:
        yield Check("the tournament comes to its end", (str(trouble),))
        return
    finally:
        for crowd in crowds:
            crowd.stop()
    report = crowds[0].report
    yield Check("the tournament comes to its end")
    yield Check(f"{compared.lines} lines of {setting.tables} tables are equal byte for byte", compared.problems)
    duration = f"{report.idle} idle connections and {report.open_streams} streams are held for {report.held_s:.0f} s"
    yield Check(duration, () if report.held_s >= HELD_S else ("not long enough",))
    slowest = ", ".join(f"{path} {seconds:.2f} s" for path, seconds in report.slowest.items())
    yield Check(f"{report.loads} pages arrive within {MAX_PAGE_S:.0f} s (slowest: {slowest})", tuple(report.problems))


def _checks(setting: TrialOptions, trial: Trial, compared: JournalComparison) -> Iterator[Check]:
    counts, weather = trial.counts, setting.fault_rates
    summary = (
        f"{compared.lines} lines in {compared.journals} journals of {setting.tables} tables are equal byte for byte"
    )
    yield Check(summary, compared.problems)
    yield Check(*_happened("the hub was killed", counts.hub_kills, weather.hub_kill_interval_s > 0))
    yield Check(*_happened("the broker was killed", counts.broker_kills, weather.broker_kill_interval_s > 0))
    yield Check(*_happened("tables were cut off", counts.cuts, weather.offline_share > 0))
    if setting.restores is not None:
        yield Check(*_happened("the hub was put back to an older backup", counts.restored, True))
    if setting.copies is not None:
        yield Check(*_happened("a card was copied", counts.copied, True))
        yield Check("the organiser was told of the copied card", () if compared.copies else ("no notice",))


def _happened(name: str, times: int, asked: bool) -> tuple[str, tuple[str, ...]]:
    return f"{name} ({times} times)", ("it never happened",) if asked and not times else ()
