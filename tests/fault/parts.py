"""The parts of the suite: the rounds of each, and how many are run in the full and in the short form."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from pathlib import Path
from random import Random

from tests.fault.checks import Rounds

EVERY = 1 << 30
"""A count that leaves out nothing: every operation of a session."""


@dataclass(frozen=True)
class Part:
    """A part: its function, as `module:name`, with arguments (folder, count, random), and the count of each form.

    `proves`: what is counted, for the help text.
    """

    function: str
    full: int
    short: int
    proves: str

    def rounds(self, folder: Path, count: int, random: Random) -> Rounds:
        module, name = self.function.split(":")
        rounds: Rounds = getattr(importlib.import_module(module), name)(folder, count, random)
        return rounds


PARTS = {
    "kills": Part("tests.fault.kills:kill_rounds", 9000, 90, "kills of every session at random moments"),
    "delivery": Part("tests.fault.delivery:delivery_rounds", 800, 16, "kills of the link and of the hub"),
    "power": Part("tests.fault.power:power_rounds", 2500, 60, "crash points, with four outcomes each"),
    "disk": Part("tests.fault.failing_disk:disk_rounds", EVERY, 5, "failing operations of every session"),
    "camera": Part("tests.fault.camera:camera_rounds", 20, 0, "failing pictures and lines, dice changed meanwhile"),
    "rot": Part("tests.fault.rot:rot_rounds", 3000, 56, "damages of every kept file at rest"),
    "clock": Part("tests.fault.clock:clock_rounds", 40, 2, "jumps of the clock"),
    "fuzz": Part("tests.fault.fuzz:fuzz_rounds", 200_000, 400, "inputs of every parser"),
    "soak": Part("tests.fault.soak:soak_rounds", 60, 0, "minutes of a simulated table"),
    "promises": Part("tests.fault.promises:promise_rounds", 200, 5, "line numbers, sums and sizes"),
    "sabotage": Part("tests.fault.sabotage:sabotage_rounds", 1, 0, "switches that break a promise on purpose"),
}
"""Every part by name. A part with the count 0 is not in that form."""
