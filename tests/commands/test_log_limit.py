"""The hub's log under a flood of warnings."""

from __future__ import annotations

import io
import logging

from companion.clock import ManualClock
from companion.commands.hub.log_limit import INTERVAL_S, MAX_REPEATS, RepeatFilter


def test_a_flood_of_one_warning_is_a_few_lines_and_a_count() -> None:
    clock, text = ManualClock(), io.StringIO()
    handler = logging.StreamHandler(text)
    handler.addFilter(RepeatFilter(clock.monotonic))
    log = logging.Logger("flood")
    log.addHandler(handler)

    def flood(times: int) -> None:
        for at in range(times):
            log.warning("too many of %d", at)

    flood(10_000)
    log.warning("another one")
    assert text.getvalue().splitlines() == [*(f"too many of {at}" for at in range(MAX_REPEATS)), "another one"]
    clock.advance(INTERVAL_S)
    flood(1)
    assert text.getvalue().splitlines()[-1] == f"too many of 0 (and {10_000 - MAX_REPEATS} times more before)"
    clock.advance(INTERVAL_S)
    flood(1)
    assert text.getvalue().splitlines()[-1] == "too many of 0"
