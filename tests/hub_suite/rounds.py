"""The trials of the hub, each a tournament to its end, and what is looked at afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from companion.hub.database import HubError
from tools.trials.compare import Compared
from tools.trials.databases import Kind, new_database
from tools.trials.own_postgres import NoPostgres
from tools.trials.trial import Setting, Trial, TrialFailed


@dataclass(frozen=True)
class Check:
    """A check by its name, and what was wrong; nothing when it passed."""

    name: str
    problems: tuple[str, ...] = ()


ROUNDS: Mapping[str, Callable[[Setting], Setting]] = {
    "chaos": lambda setting: setting,
    "older backup": lambda setting: replace(setting, restores=0.5),
    "copied card": lambda setting: replace(setting, copies=0.3),
}
"""Each trial by name, and what it changes in the usual setting. All of them have cuts, kills and repeats."""


def played(setting: Setting, kind: Kind, folder: Path) -> Iterator[Check]:
    """Plays a tournament and yields what was checked."""
    try:
        with new_database(kind, folder) as database:
            trial = Trial(setting, folder, database)
            compared = trial.play()
    except (TrialFailed, HubError, NoPostgres) as trouble:
        yield Check("the tournament comes to its end", (str(trouble),))
        return
    yield Check("the tournament comes to its end")
    yield from _checks(setting, trial, compared)


def _checks(setting: Setting, trial: Trial, compared: Compared) -> Iterator[Check]:
    counts, weather = trial.counts, setting.weather
    told = f"{compared.lines} lines in {compared.journals} journals of {setting.tables} tables are equal byte for byte"
    yield Check(told, compared.problems)
    yield Check(*_happened("the hub was killed", counts.hub_kills, weather.hub_dies > 0))
    yield Check(*_happened("the broker was killed", counts.broker_kills, weather.broker_dies > 0))
    yield Check(*_happened("tables were cut off", counts.cuts, weather.offline > 0))
    if setting.restores is not None:
        yield Check(*_happened("the hub was put back to an older backup", counts.restored, True))
    if setting.copies is not None:
        yield Check(*_happened("a card was copied", counts.copied, True))
        yield Check("the organiser was told of the copied card", () if compared.copies else ("no notice",))


def _happened(name: str, times: int, asked: bool) -> tuple[str, tuple[str, ...]]:
    return f"{name} ({times} times)", ("it never happened",) if asked and not times else ()
