"""Puts together what the app finds around its screen, and opens the lock of a table whose PIN is forgotten."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from companion.app.house import House
from companion.app.lock import Lock
from companion.clock import SystemClock
from companion.commands.settings import data_folder_of, language_of
from companion.commands.system.checks.system import System
from companion.commands.system.doctor import examine
from companion.commands.table.panel import PanelLight, keyboard_plugged
from companion.table.health import Check, Health
from companion.voice import espeak, player
from hardware.ports import Link

LOCK_FILE = "lock.toml"
REFEREE_FILE = "referee.toml"
"""The PIN of the table's referee in a tournament."""
DONE, FAILED = 0, 1


def house(
    data: Path,
    simulated: frozenset[str],
    kiosk: bool,
    config_file: Path,
    links: Callable[[], Sequence[Link]] = tuple,
) -> House:
    """The real parts that are there. `simulated` names the parts that a simulated one stands in for.

    `links` tells how the devices are that the app holds.
    """
    program, command = espeak.find(), player.find()

    def diagnose() -> tuple[Check, ...]:
        found = examine(System(), config_file, links=links())
        return tuple(marked(check, simulated) for check in found)

    return House(
        voice=espeak.EspeakVoice(program) if program else None,
        chimes=player.Tones(command) if command else None,
        backlight=PanelLight(),
        lock=Lock(data / LOCK_FILE, SystemClock().now),
        referee=Lock(data / REFEREE_FILE, SystemClock().now),
        diagnose=diagnose,
        keyboard=keyboard_plugged(),
        kiosk=kiosk,
    )


def marked(check: Check, simulated: frozenset[str]) -> Check:
    """A part that is played by a simulated one says so, unless it is there itself and wants a look."""
    return replace(check, simulated=check.part in simulated and check.health is not Health.LOOK)


def run_unlock(config: Path | None) -> int:
    """Takes the PIN away; for whoever forgot it."""
    data, say = data_folder_of(config), language_of(config)
    lock = Lock(data / LOCK_FILE, SystemClock().now)
    if not lock.set:
        print(say("cli.unlock.none"), file=sys.stderr)
        return DONE
    try:
        lock.remove()
    except OSError as fault:
        print(say("cli.unlock.failed", file=data / LOCK_FILE, reason=fault.strerror), file=sys.stderr)
        return FAILED
    print(say("cli.unlock.done"), file=sys.stderr)
    return DONE
