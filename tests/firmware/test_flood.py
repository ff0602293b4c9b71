"""Ten thousand events both ways through a bad line: the firmware in MicroPython for Unix, pyserial at the host's end.

The tray's buttons are pressed ten thousand times, through debounce and all; the host shows ten thousand scores, one
after the other. The line between them flips, drops, repeats and inserts bytes.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware import protocol
from hardware.tray import SerialPort
from tests.firmware.lines import Noise
from tests.hardware.tray_rigs import Bench, Relay

MICROPYTHON = os.environ.get("TAPIS_VERT_MICROPYTHON")
EVENTS = int(os.environ.get("TAPIS_VERT_EVENTS", "10000"))
SEED = 20
TIMEOUT_S = 1800.0
"""Seconds; a quiet machine takes about two minutes for ten thousand."""

pytestmark = pytest.mark.slow


@pytest.fixture(params=[MICROPYTHON or sys.executable], ids=["micropython" if MICROPYTHON else "python"])
def bench(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path, request.param, {"settle_ms": 1})
    made.start()
    yield made
    made.close()


def test_ten_thousand_events_both_ways_through_a_bad_line(bench: Bench, tmp_path: Path) -> None:
    noise = Noise(SEED)
    relay = Relay(tmp_path / "port", noise)
    relay.connect(bench.line)
    line = SerialPort(str(tmp_path / "port"))
    link = protocol.SerialLink(1234567, {"name": "flood"}, greets=True)
    bench.do(f"flood {EVENTS}")
    presses: list[list[object]] = []
    others: list[object] = []
    sent, unsent, end = 0, b"", time.monotonic() + TIMEOUT_S
    while len(presses) < EVENTS or sent < EVENTS or link.waiting:
        now = int(time.monotonic() * 1000)
        assert time.monotonic() < end, f"{len(presses)} and {sent} of {EVENTS} events after {TIMEOUT_S:g} s"
        while sent < EVENTS and link.offer([protocol.SHOW, "left", False, [sent // 1000, sent % 1000], b"", None], now):
            sent += 1
        unsent = unsent or link.due(now)
        received, unsent = line.exchange(unsent, 0.005)
        for message, _ in link.feed(received, int(time.monotonic() * 1000)):
            (presses if isinstance(message, list) and message[0] == protocol.PRESS else others).append(message)
    line.close()
    relay.disconnect()
    show_messages = bench.seen("told")
    print(
        f"\n{len(presses)} presses and {len(show_messages)} scores; line: {noise.spoilt}; "
        f"at the host {link.bad} bad pieces"
    )
    assert min(noise.spoilt.values()) > EVENTS // 50
    assert [message[1] for message in presses] == [number % 2 for number in range(EVENTS, 0, -1)]
    assert [message[3] for message in show_messages] == [[number // 1000, number % 1000] for number in range(EVENTS)]
    assert {str(message) for message in others} <= {"['moving', False]", "['lid', False]"}, "nothing found no room"
    assert not any(is_long for _, _, is_long in presses)
