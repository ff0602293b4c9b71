"""`python -m tools bench NAME`: run one benchmark and print one JSON object with medians, spreads and limits."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from tools.benchmarks import odds, rules
from vision.decision.labels import ManifestError

DONE, MISSED, REFUSED = 0, 1, 2


def _reader(**options: Any) -> dict[str, Any]:
    from tools.benchmarks.reader import measure

    return measure(**options)


def _steadiness(**options: Any) -> dict[str, Any]:
    from tools.benchmarks.steadiness import measure

    return measure(**options)


def _timid(**options: Any) -> dict[str, Any]:
    from tools.benchmarks.timid import measure

    return measure(**options)


def _empty(**options: Any) -> dict[str, Any]:
    from tools.benchmarks.empty_tables import measure

    return measure(**options)


def _bodies(**options: Any) -> dict[str, Any]:
    from tools.benchmarks.bodies import measure

    return measure(**options)


def _watch(clips: int | None = None, seed: int = 0, throws: int | None = None) -> dict[str, Any]:
    from tools.benchmarks import roll_to_journal
    from tools.benchmarks.clips import DEFAULT_CLIPS, measure_clips
    from tools.benchmarks.frames import frame_limits_met, measure_watch

    def report_progress(what: str, done: int, due: int) -> None:
        if done % 10 == 0 or done == due:
            print(f"{done} of {due} {what}", file=sys.stderr, flush=True)

    frames = measure_watch()
    journal = roll_to_journal.measure(
        throws or roll_to_journal.DEFAULT_THROWS, on_progress=partial(report_progress, "throws recorded")
    )
    watched = measure_clips(clips or DEFAULT_CLIPS, seed, on_progress=partial(report_progress, "clips watched"))
    kept = {**frame_limits_met(frames), **roll_to_journal.limits_met(journal)}
    return {**frames, "journal": journal, "clips": watched, "kept": kept}


def _app(**options: Any) -> dict[str, Any]:
    from tools.benchmarks.app import measure

    return measure(**options)


def _cocked(dice: int | None = None, seed: int = 0) -> dict[str, Any]:
    from tools.benchmarks.cocked import DEFAULT_TABLES, measure

    return measure(dice or DEFAULT_TABLES, seed, lambda line: print(line, file=sys.stderr, flush=True))


def _hub(**options: Any) -> dict[str, Any]:
    from tools.benchmarks.hub import measure

    def log(line: str) -> None:
        print(line, file=sys.stderr, flush=True)

    return measure(**options, log=log)


BENCHES: Mapping[str, Callable[..., dict[str, Any]]] = {
    "rules": rules.measure,
    "odds": odds.measure,
    "reader": _reader,
    "steadiness": _steadiness,
    "timid": _timid,
    "empty": _empty,
    "bodies": _bodies,
    "watch": _watch,
    "cocked": _cocked,
    "app": _app,
    "hub": _hub,
}


OPTIONS: Mapping[str, set[str]] = {
    "reader": {"photos", "negatives", "dice", "runs"},
    "steadiness": {"photos", "throws", "limit"},
    "timid": {"dice", "rendered"},
    "empty": {"photos", "limit"},
    "bodies": {"dice", "seed", "photos"},
    "watch": {"clips", "seed", "throws"},
    "cocked": {"dice", "seed"},
    "app": {"runs"},
    "hub": {"tables", "events"},
}
"""The options of each benchmark."""


def run_bench(name: str, **options: Any) -> int:
    """Print the results of one benchmark. Options that are None are not passed. Return the exit status.

    A benchmark with a `kept` entry returns MISSED unless all limits were kept.
    """
    if name not in BENCHES:
        print(f"unknown bench {name!r}; known: {', '.join(BENCHES)}", file=sys.stderr)
        return REFUSED
    given = {option: value for option, value in options.items() if value is not None}
    known = OPTIONS.get(name, set())
    if not given.keys() <= known:
        takes = f"takes {', '.join(f'--{option}' for option in sorted(known))}" if known else "takes no option"
        print(f"bench {name} {takes}, not --{min(given.keys() - known)}", file=sys.stderr)
        return REFUSED
    try:
        measured = BENCHES[name](**given)
    except ManifestError as error:
        print(error, file=sys.stderr)
        return REFUSED
    print(json.dumps({"bench": name, **measured}, ensure_ascii=False))
    return DONE if all(measured.get("kept", {}).values()) else MISSED
