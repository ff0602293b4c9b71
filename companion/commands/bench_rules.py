"""How fast the rules are: decide and apply of FootClub events, the replay of a long journal, and their limits."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from random import Random
from statistics import median
from typing import Any

from companion.games.base import Fields
from companion.games.registry import GAMES
from companion.journal.codec import file_bytes
from companion.journal.replay import replay, replay_report
from companion.table.autoplay import play

RUNS = 5
EVENTS = 5_000
LEAST_EVENTS_A_SECOND = 5_000
LINES = 10_000
MOST_REPLAY_SECONDS = 2.5


def spread(run: Callable[[], float]) -> dict[str, float]:
    """Median, least and most of RUNS runs, in the unit that `run` returns; collections of garbage are outside."""
    found = []
    for _ in range(RUNS):
        gc.collect()
        found.append(run())
    return {"median": round(median(found), 4), "min": round(min(found), 4), "max": round(max(found), 4)}


def measure() -> dict[str, Any]:
    """Events a second through parse, decide and apply; seconds to replay a journal of 10,000 events from its bytes."""
    matches = _matches()
    long = _long_journal(Random(1))
    lines = long.splitlines(keepends=True)
    return {
        "game": "footclub",
        "runs": RUNS,
        "matches": len(matches),
        "events": sum(len(match) - 1 for match in matches),
        "events_a_second": spread(lambda: _events_a_second(matches)),
        "limit_events_a_second": LEAST_EVENTS_A_SECOND,
        "replayed_events": len(lines) - 1,
        "replay_seconds": spread(lambda: _replay_seconds(lines)),
        "limit_replay_seconds": MOST_REPLAY_SECONDS,
    }


def _matches() -> list[list[Fields]]:
    matches: list[list[Fields]] = []
    seed = 0
    while sum(len(match) for match in matches) < EVENTS:
        seed += 1
        matches.append(list(play(GAMES["footclub"], Random(seed))))
    return matches


def _events_a_second(matches: list[list[Fields]]) -> float:
    game = GAMES["footclub"]
    count, seconds = 0, 0.0
    for header, *events in matches:
        state = game.begin(header)
        start = time.perf_counter()
        for fields in events:
            event = game.parse(fields)
            game.decide(state, event)
            state, _ = game.apply(state, event)
        seconds += time.perf_counter() - start
        count += len(events)
    return count / seconds


def _long_journal(random: Random) -> bytes:
    """A match in which events are taken back and entered again until it has LINES events."""
    header, *events = play(GAMES["footclub"], Random(2))
    lines: list[Fields] = []
    spare = LINES - len(events)
    for fields in events:
        lines.append(fields)
        while spare >= 2 and random.random() < 1 - len(events) / LINES:
            lines += [{"event": "undo"}, fields]
            spare -= 2
    while spare >= 2:
        lines += [{"event": "undo"}, events[-1]]
        spare -= 2
    return file_bytes(header, lines)


def _replay_seconds(lines: list[bytes]) -> float:
    start = time.perf_counter()
    replay_report(replay(lines, GAMES))
    return time.perf_counter() - start
