"""The table of named suites: purpose, command, and requirements of each."""

from __future__ import annotations

import importlib.util
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tests.suites.audit import lacking_auditor

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Suite:
    """A named suite.

    `start` is a module (run as `python -m`) or a file below `tests/suites`, with its arguments. `lacking` returns the
    missing requirement of this machine, or None if the suite can run.
    """

    proves: str
    start: tuple[str, ...]
    lacking: Callable[[], str | None] = lambda: None

    def missing(self) -> str | None:
        """Return why the suite cannot run here, as the end of "cannot run: …", or None if it can."""
        entry = self.start[0]
        if "/" in entry:
            there = (ROOT / entry).exists()
        else:
            try:
                there = importlib.util.find_spec(entry) is not None
            except ModuleNotFoundError:
                there = False
        return self.lacking() if there else f"{entry} is not there"

    def with_options(self, options: Sequence[str]) -> Suite:
        """Return the suite with more options on its command line."""
        return replace(self, start=(*self.start, *options))

    def command(self) -> list[str]:
        entry, *arguments = self.start
        if "/" in entry:
            return [str(ROOT / entry), *arguments]
        return [sys.executable, "-m", entry, *arguments]


def lacking_chroot() -> str | None:
    """Check for root and debootstrap, which the chroot suites need; the scripts install debootstrap where permitted."""
    if shutil.which("apt-get") is None:
        return "apt-get is not there (a Debian machine is needed)"
    return None


SUITES: dict[str, Suite] = {
    "fast": Suite("lint, types, import contracts, catalogues and every quick test", ("tests.suites.fast",)),
    "quick": Suite("lint and the tests of what differs from main (under a minute)", ("tests.suites.quick",)),
    "real": Suite("reading dice in real photographs", ("tests.real",)),
    "fresh": Suite("set-up, tests and demo on bare Debian 12 and 13", ("tests/suites/fresh.sh",), lacking_chroot),
    "fault": Suite("nothing is lost: kills, power cuts, failing disks, anything that may come in", ("tests.fault",)),
    "camera": Suite("the real camera stack with a virtual camera", ("tests/suites/camera.sh",), lacking_chroot),
    "firmware": Suite(
        "the tray's firmware in MicroPython and on an emulated RP2040", ("tests/suites/firmware.sh",), lacking_chroot
    ),
    "arm64": Suite(
        "the installed product, its package and tests on an emulated arm64 processor",
        ("tests/suites/arm64.sh",),
        lacking_chroot,
    ),
    "screens": Suite("every screen, at every size and in both languages", ("tests.screens",)),
    "hub": Suite(
        "the tournament hub: its pages in a browser, an evening, and many tables on both databases",
        ("tests/suites/hub.sh",),
    ),
    "swiss": Suite("10,000 random Swiss tournaments held against FIDE's rules", ("tests.tournament",)),
    "training": Suite("training of the neural networks, in a separate environment", ("tests/suites/training.sh",)),
    "docs": Suite("links, commands, examples and public API of the documents, and the site", ("tests.docs",)),
    "audit": Suite("no package on a table has a known vulnerability", ("tests.suites.audit",), lacking_auditor),
    "cards": Suite("catalogues, cards, squads and printed sheets", ("tests.suites.cards",)),
}
