"""`companion bench NAME`: measures one part, prints one JSON object: medians and spreads beside the limit or peer."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from typing import Any

from companion.commands import bench_odds, bench_reader, bench_rules

DONE, REFUSED = 0, 2


def _watch() -> dict[str, Any]:
    from vision.bench import measure_watch

    return measure_watch()


def _app() -> dict[str, Any]:
    from companion.commands.bench_app import measure

    return measure()


BENCHES: Mapping[str, Callable[[], dict[str, Any]]] = {
    "rules": bench_rules.measure,
    "odds": bench_odds.measure,
    "reader": bench_reader.measure,
    "watch": _watch,
    "app": _app,
}


def run_bench(name: str) -> int:
    """Prints the measures of one part. Returns the exit status."""
    if name not in BENCHES:
        print(f"unknown bench {name!r}; known: {', '.join(BENCHES)}", file=sys.stderr)
        return REFUSED
    print(json.dumps({"bench": name, **BENCHES[name]()}, ensure_ascii=False))
    return DONE
