"""What the app finds around its screen: voice, locks, papers, the link to a hub; and a lock opened without its PIN."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from companion.app.house import House, Papers
from companion.app.lock import Lock
from companion.clock import Clock, SystemClock
from companion.commands.checks import System
from companion.commands.devices import PanelLight, keyboard_plugged
from companion.commands.doctor import examine
from companion.commands.exit_codes import DONE, FAILED
from companion.commands.report import reader_versions
from companion.commands.settings import data_folder_of, language_of
from companion.games.base import Message
from companion.language import Language
from companion.link.notes import FILE
from companion.table.catalogues.shelf import Exchange
from companion.table.health import Check, Health
from companion.table.hub_port import HubLook, HubPort, Side, Signer
from companion.table.report import MatchReport
from companion.voice import espeak, tones
from hardware.ports import Link

ALONE = HubLook()


class LateLink:
    """`HubPort` that is nobody until a hub was joined: before, in the settings' file, or now."""

    def __init__(self, store: Path, folder: Path, clock: Clock, configured: tuple[str, str] | None) -> None:
        """`store` is the file of the matches, `folder` that of the link's notes, `configured` as `TableLink` has it."""
        self._store, self._folder, self._clock = store, folder, clock
        self._link: HubPort | None = None
        if configured is not None or (folder / FILE).exists():
            self._begin(configured)

    def look(self) -> HubLook:
        return ALONE if self._link is None else self._link.look()

    def join(self, address: str, token: str) -> Message | None:
        return (self._link or self._begin(None)).join(address, token)

    def leave(self) -> None:
        if self._link is not None:
            self._link.leave()

    def grew(self) -> None:
        if self._link is not None:
            self._link.grew()

    def check_in(self, match: str, side: Side, present: bool) -> None:
        if self._link is not None:
            self._link.check_in(match, side, present)

    def confirm(self, match: str, journal: str, line: int, by: Signer, given: bool = True) -> None:
        if self._link is not None:
            self._link.confirm(match, journal, line, by, given)

    def close(self) -> None:
        if self._link is not None:
            self._link.close()

    def _begin(self, configured: tuple[str, str] | None) -> HubPort:
        from companion.link.table_link import TableLink

        made = TableLink(self._store, self._folder, self._clock, secrets.token_hex(8))
        if configured is not None:
            made.configure(*configured)
        self._link = made
        return made


# What the app hands matches out with: the exchange folder and sticks, the writer of the PDF, the versions.


FOLDER = "exchange"
"""Beside the matches."""


def papers(data: Path, separator: str) -> Papers:
    """For the table whose matches are in the folder `data`."""
    return Papers(_pdf, Exchange(data / FOLDER).places, reader_versions(), separator)


def _pdf(reports: Sequence[MatchReport], language: Language) -> bytes:
    from companion.printing.report import report_pdf  # slow to import, and needed for the first report only

    return report_pdf(reports, language)


LOCK_FILE = "lock.toml"
REFEREE_FILE = "referee.toml"
"""The PIN of the table's referee in a tournament."""


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
    program, command = espeak.find(), tones.find_player()

    def diagnose() -> tuple[Check, ...]:
        found = examine(System(), config_file, links=links())
        return tuple(marked(check, simulated) for check in found)

    return House(
        voice=espeak.EspeakVoice(program) if program else None,
        chimes=tones.Tones(command) if command else None,
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
