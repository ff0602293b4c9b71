"""The tray's life between its start and its end: bytes in, a step of work, bytes out, the watchdog fed."""

from firmware.parts import Parts
from firmware.port import Port
from firmware.tray import Tray
from firmware.uptime import Uptime

STEP_MS = 10
"""The longest wait for the host's bytes before inputs are looked at again; interrupts see buttons meanwhile."""
RUN_LONG_MS = 30000
"""After so long a start counts as a good one."""


def serve(board: Parts, tray: Tray, port: Port, uptime: Uptime, good: object) -> None:
    """Ends when the host wants the prompt, or by an error. `good` is called once, when the start was a good one."""
    while not tray.prompt_asked:
        to_send = tray.step(port.read(STEP_MS), uptime.now())
        if to_send:
            port.write(to_send)
        board.alive()
        if callable(good) and uptime.now() >= RUN_LONG_MS:
            good()
            good = None
