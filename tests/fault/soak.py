"""A simulated table for an hour at ten times speed: memory, open files and threads stay flat.

`./test fault --part soak`: drawn dice, the real reader, session and store, in the table's own time. Writes `soak.svg`
and prints the plot as text.
"""

from __future__ import annotations

import gc
import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

from rich.console import Console

from companion.clock import ManualClock
from companion.commands.demo import DemoPlayers, DemoTable, Narrator, match_reader
from companion.commands.own_dice import OwnDice
from companion.commands.simulated_table import RollNotRead, SimulatedReader, with_random_colours
from companion.games.registry import GAMES, find_player
from companion.journal.store import Store
from companion.language import Language
from companion.table.matches import Matches
from companion.table.session import Session
from tests.fault.checks import Check, Rounds
from vision import dice_sets

SAMPLE_S = 0.5
"""Real seconds between two samples."""
SPEED = 10.0
"""Table time by real time. A slower machine plays for as long, and less."""
MAX_GROWTH_MB = 12.0
"""Maximum growth of memory over the last two thirds, in megabytes, by their median slope."""
MAX_MORE_FILES = 2
"""Maximum difference of open files, or threads, between the second and the last third."""
LATENCIES = 20
"""Events whose time is averaged in a sample."""
FONT = 'font-family="sans-serif" font-size="11"'


@dataclass(frozen=True, slots=True)
class Sample:
    """The process at one moment. `t`: seconds of table time; `latency_ms`: median time to append an event."""

    t: float
    memory_mb: float
    files: float
    threads: float
    store_mb: float
    latency_ms: float


def soak_rounds(folder: Path, count: int, random: Random) -> Rounds:
    """Return the round, for `count` minutes of table time."""
    return [("soak", partial(_soak, folder / "soak", count, random))]


def _soak(folder: Path, minutes: float, random: Random) -> Iterator[Check]:
    folder.mkdir(parents=True, exist_ok=True)
    samples = sampled_table(folder, minutes, random)
    print(plotted_text(samples))
    plot = folder / "soak.svg"
    plot.write_text(plotted(samples), encoding="utf-8")
    print(f"plot: {plot}")
    yield from verdict(samples)


def verdict(samples: Sequence[Sample]) -> list[Check]:
    """Judge the last two thirds of the samples."""
    rest = samples[len(samples) // 3 :]
    if len(rest) < 4:
        return [("soak: enough samples", [f"only {len(samples)}"])]
    growth = slope([(float(at), sample.memory_mb) for at, sample in enumerate(rest)]) * len(rest)
    checks = [("soak: memory", [] if growth <= MAX_GROWTH_MB else [f"grows by {growth:.1f} MB"])]
    half = len(rest) // 2
    for name in ("files", "threads"):
        before, after = (median(getattr(each, name) for each in part) for part in (rest[:half], rest[half:]))
        checks.append((f"soak: {name}", [] if after - before <= MAX_MORE_FILES else [f"from {before} to {after}"]))
    early, late = (median(each.latency_ms for each in part) for part in (rest[:half], rest[half:]))
    slower = late > 3 * early + 20
    checks.append(("soak: time to record", [f"from {early:.1f} to {late:.1f} ms"] if slower else []))
    return checks


def slope(points: Sequence[tuple[float, float]]) -> float:
    """Return the median slope of all pairs of points (Theil 1950, Sen 1968). Single peaks do not change it."""
    slopes = [(b[1] - a[1]) / (b[0] - a[0]) for at, a in enumerate(points) for b in points[at + 1 :] if b[0] != a[0]]
    return median(slopes) if slopes else 0.0


class _TimedStore(Store):
    """A store that keeps how long each append takes, in seconds."""

    latencies: list[float]

    def append(self, *args: Any, **options: Any) -> int:
        before = time.perf_counter()
        line = super().append(*args, **options)
        self.latencies.append(time.perf_counter() - before)
        return line


class _SampledPlayers(DemoPlayers):
    """Players who call a function at each moment of the table, also while dice roll."""

    def __init__(self, session: Session, tick: Callable[[], None]) -> None:
        self._tick = tick
        super().__init__(session)

    def pass_time(self, seconds: float, is_rolling: bool = False) -> None:
        super().pass_time(seconds, is_rolling)
        self._tick()


def sampled_table(folder: Path, minutes: float, random: Random) -> list[Sample]:
    """Play matches of all games, one after the other, in one store. Returns the samples.

    Ends after `minutes` of table time, or after a tenth of them in real time on a slow machine.
    """
    samples: list[Sample] = []
    end, began = minutes * 60, time.monotonic()
    played, next_sample = 0.0, 0.0
    path = folder / "matches.sqlite"
    narrator = Narrator(Language("en"), Console(file=open(os.devnull, "w"), force_terminal=False), lambda: None)  # noqa: SIM115
    clock = ManualClock()
    with _TimedStore.open(path, clock) as store:
        store.latencies = latencies = []
        matches = Matches(store, GAMES)
        games = [game for game in GAMES.values() if game.id in dice_sets.names()]
        while played < end and time.monotonic() - began < end / SPEED:
            game = games[random.randrange(len(games))]
            made = with_random_colours(dice_sets.load(game.id), random)
            header = OwnDice(made).with_known_faces(game.random_header(random))
            reader = match_reader(game, game.initial_state(header), made, random.randrange(2**31))
            session = matches.start(game.id, header, reader)
            start = played

            def tick(reader: SimulatedReader = reader, start: float = start) -> None:
                nonlocal next_sample
                if time.monotonic() >= next_sample:
                    next_sample = time.monotonic() + SAMPLE_S
                    samples.append(_sample(start + reader.camera.t, path, latencies))
                    del latencies[:-LATENCIES]

            hands = _SampledPlayers(session, tick)
            table = DemoTable(session, reader, narrator, hands)
            plays = find_player(game, "random")
            try:
                while not game.finished(session.state) and played < end and time.monotonic() - began < end / SPEED:
                    table.play(plays(session.state, random))
                    clock.advance(max(0.0, start + reader.camera.t - played))
                    played = max(played, start + reader.camera.t)
            except RollNotRead:  # counted by another suite; the next match goes on
                played = start + reader.camera.t
            finally:
                hands.close()
                reader.close()
            gc.collect()
    return samples


def _sample(t: float, store: Path, latencies: Sequence[float]) -> Sample:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    size = sum(path.stat().st_size for path in store.parent.glob("matches.sqlite*"))
    return Sample(
        t,
        pages * os.sysconf("SC_PAGE_SIZE") / 1e6,
        len(os.listdir("/proc/self/fd")),
        threading.active_count(),
        size / 1e6,
        1000 * median(latencies) if latencies else 0.0,
    )


LABELS = {
    "memory_mb": "memory (MB)",
    "files": "open files",
    "threads": "threads",
    "store_mb": "store (MB)",
    "latency_ms": "time to append (ms)",
}
BARS = "▁▂▃▄▅▆▇█"


def plotted_text(samples: Sequence[Sample], width: int = 72) -> str:
    """Return the curves as one line of bars each, with their range."""
    lines = []
    for name, label in LABELS.items():
        values = [getattr(sample, name) for sample in samples]
        step = max(1, len(values) // width)
        means = [sum(values[at : at + step]) / len(values[at : at + step]) for at in range(0, len(values), step)]
        low, high = min(means, default=0.0), max(means, default=0.0)
        bars = "".join(BARS[int((value - low) / (high - low or 1) * (len(BARS) - 1))] for value in means)
        lines.append(f"{label:22} {low:8.1f} to {high:8.1f} {bars}")
    return "\n".join(lines)


def plotted(samples: Sequence[Sample]) -> str:
    """Return the curves as an SVG picture, one below the other, from zero."""
    width, height, left = 640, 90, 60
    most = max((sample.t for sample in samples), default=1.0) or 1.0
    parts = []
    for number, (name, label) in enumerate(LABELS.items()):
        top = 30 + number * (height + 30)
        values = [getattr(sample, name) for sample in samples]
        high = max(values, default=1.0) or 1.0
        points = " ".join(
            f"{left + sample.t / most * width:.1f},{top + height - value / high * height:.1f}"
            for sample, value in zip(samples, values, strict=True)
        )
        parts.append(f'<text x="{left}" y="{top - 6}" {FONT}>{label}</text>')
        parts.append(
            f'<text x="4" y="{top + 8}" {FONT}>{high:.1f}</text><text x="4" y="{top + height}" {FONT}>0</text>'
        )
        parts.append(f'<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="none" stroke="#999"/>')
        parts.append(f'<polyline points="{points}" fill="none" stroke="#176" stroke-width="1.5"/>')
    bottom = 30 + len(LABELS) * (height + 30)
    parts.append(f'<text x="{left}" y="{bottom}" {FONT}>{most / 60:.1f} minutes of table time</text>')
    size = f'width="{left + width + 20}" height="{bottom + 12}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}><rect width="100%" height="100%" fill="#fff"/>' + (
        "\n".join(parts) + "</svg>\n"
    )
