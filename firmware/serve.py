"""Main loop of the tray: receive bytes, run a step, send bytes, feed the watchdog."""

from firmware.parts import Parts
from firmware.port import Port
from firmware.tray import Tray
from firmware.uptime import Uptime

STEP_MS = 10
"""Maximum wait for the host's bytes before inputs are polled again. Interrupts record buttons meanwhile."""
RUN_LONG_MS = 30000
"""Milliseconds after which a start counts as successful."""


def serve(board: Parts, tray: Tray, port: Port, uptime: Uptime, good: object) -> None:
    """Run until the host requests the prompt, or an error occurs. `good` is called once, after a successful start."""
    while not tray.prompt_requested:
        to_send = tray.step(port.read(STEP_MS), uptime.now())
        if to_send:
            port.write(to_send)
        board.alive()
        if callable(good) and uptime.now() >= RUN_LONG_MS:
            good()
            good = None
