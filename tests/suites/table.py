"""The table of the named suites: what each proves, how it is started, and what it needs of the machine."""

from __future__ import annotations

import importlib.util
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Suite:
    """`start` is a module (run as `python -m`) or a file below `tests/suites`, with its arguments.

    `lacking` names what this machine lacks for it, or is None where it can run.
    """

    proves: str
    start: tuple[str, ...]
    lacking: Callable[[], str | None] = lambda: None

    def missing(self) -> str | None:
        """Why the suite cannot run here, as the end of the sentence "cannot run: …"; None if it can."""
        entry = self.start[0]
        if "/" in entry:
            there = (ROOT / entry).exists()
        else:
            try:
                there = importlib.util.find_spec(entry) is not None
            except ModuleNotFoundError:
                there = False
        return self.lacking() if there else f"{entry} is not there"

    def command(self) -> list[str]:
        entry, *arguments = self.start
        if "/" in entry:
            return [str(ROOT / entry), *arguments]
        return [sys.executable, "-m", entry, *arguments]


def lacking_chroot() -> str | None:
    """The suites in chroots need root and debootstrap; the scripts get the latter where they may."""
    if shutil.which("apt-get") is None:
        return "apt-get is not there (a Debian machine is needed)"
    return None


SUITES: dict[str, Suite] = {
    "fast": Suite("lint, types, walls, catalogues and every quick test", ("tests.suites.fast",)),
    "quick": Suite("under a minute: lint and tests of what differs from main", ("tests.suites.quick",)),
    "real": Suite("reading of real photographs", ("tests.real",)),
    "fresh": Suite("set-up, tests and demo on bare Debian 12 and 13", ("tests/suites/fresh.sh",), lacking_chroot),
    "fault": Suite("no recorded roll is lost when the program is killed", ("tests.fault.kills", "--kills", "300")),
    "camera": Suite("the true camera stack on a virtual camera", ("tests/suites/camera.sh",), lacking_chroot),
    "firmware": Suite(
        "the tray's firmware in its interpreter and on an emulated board", ("tests/suites/firmware.sh",), lacking_chroot
    ),
    "arm64": Suite(
        "the installed product, its package and tests on a Pi's processor", ("tests/suites/arm64.sh",), lacking_chroot
    ),
    "screens": Suite("every screen, in every size and both languages", ("tests.screens",)),
    "hub": Suite("many tables and the organiser's server", ("tests/suites/hub.sh",)),
    "training": Suite("the nets' training, in an environment of its own", ("tests/suites/training.sh",)),
    "docs": Suite("links, commands, examples, public API, and the site without a warning", ("tests.docs",)),
    "cards": Suite("cards and printed sheets", ("tests.cards",)),
}
