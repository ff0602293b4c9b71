"""Benchmark of the rules of every game: speed, growth of the state, and replay time of a long journal."""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import fields as fields_of
from dataclasses import is_dataclass
from random import Random
from statistics import median
from typing import Any

from companion.games.base import Fields, Game
from companion.games.registry import GAMES
from companion.journal.codec import encode_file
from companion.journal.ledger import replay, replay_report
from companion.table.autoplay import play

RUNS = 5
EVENTS = 5_000
LEAST_EVENTS_A_SECOND = 5_000
LINES = 10_000
MOST_REPLAY_SECONDS = 2.5
MAX_BYTES_PER_EVENT = 100
"""Maximum average growth of a state per event, in bytes: a bought card adds its name, but no event is stored."""

AnyGame = Game[Any, Any]
Match = list[Fields]


def spread(run: Callable[[], float]) -> dict[str, float]:
    """Return median, minimum and maximum of RUNS runs, in the unit of `run`.

    Garbage collection runs outside the timing.
    """
    found = []
    for _ in range(RUNS):
        gc.collect()
        found.append(run())
    return {"median": round(median(found), 4), "min": round(min(found), 4), "max": round(max(found), 4)}


def measure() -> dict[str, Any]:
    """Return for each game the events per second through parse, decide and apply, state growth, and replay seconds."""
    return {
        "runs": RUNS,
        "games": {id: _game(game) for id, game in GAMES.items()},
        "limit_events_a_second": LEAST_EVENTS_A_SECOND,
        "limit_bytes_an_event": MAX_BYTES_PER_EVENT,
        "limit_replay_seconds": MOST_REPLAY_SECONDS,
    }


def _game(game: AnyGame) -> dict[str, Any]:
    matches = _matches(game)
    lines = _long_journal(game, Random(1)).splitlines(keepends=True)
    return {
        "matches": len(matches),
        "events": sum(len(match) - 1 for match in matches),
        "events_a_second": spread(lambda: _events_a_second(game, matches)),
        "bytes_an_event": round(median(growth(game, match) for match in matches), 1),
        "replayed_events": len(lines) - 1,
        "replay_seconds": spread(lambda: _replay_seconds(lines)),
    }


def _matches(game: AnyGame) -> list[Match]:
    matches: list[Match] = []
    seed = 0
    while sum(len(match) for match in matches) < EVENTS:
        seed += 1
        matches.append(list(play(game, Random(seed))))
    return matches


def _events_a_second(game: AnyGame, matches: list[Match]) -> float:
    count, seconds = 0, 0.0
    for header, *events in matches:
        state = game.initial_state(header)
        start = time.perf_counter()
        for fields in events:
            event = game.parse(fields)
            game.validate(state, event)
            state, _ = game.apply(state, event)
        seconds += time.perf_counter() - start
        count += len(events)
    return count / seconds


def growth(game: AnyGame, match: Match) -> float:
    """Return the bytes per event that the second half of a match added to its state."""
    header, *events = match
    state = game.initial_state(header)
    half = footprint(state)
    for number, fields in enumerate(events):
        if number == len(events) // 2:
            half = footprint(state)
        state, _ = game.apply(state, game.parse(fields))
    return (footprint(state) - half) / max(1, len(events) - len(events) // 2)


def footprint(value: Any) -> int:
    """Return the bytes of a value with everything it references, each object counted once."""
    seen: set[int] = set()
    size, open_ = 0, [value]
    while open_:
        thing = open_.pop()
        if id(thing) in seen:
            continue
        seen.add(id(thing))
        size += sys.getsizeof(thing)
        open_ += _children(thing)
    return size


def _children(thing: Any) -> list[Any]:
    if is_dataclass(thing) and not isinstance(thing, type):
        return [getattr(thing, field.name) for field in fields_of(thing)]
    if isinstance(thing, Mapping):
        return [*thing.keys(), *thing.values()]
    if isinstance(thing, tuple | list | set | frozenset):
        return list(thing)
    return []


def _long_journal(game: AnyGame, random: Random) -> bytes:
    """Return a match in which events are undone and repeated until it has LINES events."""
    header, *events = play(game, Random(2))
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
    return encode_file(header, lines)


def _replay_seconds(lines: list[bytes]) -> float:
    start = time.perf_counter()
    replay_report(replay(lines, GAMES))
    return time.perf_counter() - start
