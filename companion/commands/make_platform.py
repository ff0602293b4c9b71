"""The app's platform services: voice, PIN locks, exports and the hub link; and removal of a forgotten PIN."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from companion.app.pin_lock import PinLock
from companion.app.platform import ExportConfig, Platform
from companion.clock import Clock, SystemClock
from companion.commands.checks import System
from companion.commands.devices import PanelBacklight, is_keyboard_plugged
from companion.commands.doctor import examine
from companion.commands.exit_codes import DONE, FAILED
from companion.commands.report import reader_versions
from companion.commands.settings import data_folder_of, language_of
from companion.games.base import Message
from companion.games.registry import SPECS
from companion.language import Language, reason_of
from companion.link.link_state import STATE_FILE
from companion.messages.wire import DisputeReason
from companion.table.catalogues.card_store import ExchangeFolders
from companion.table.health import Check, Health
from companion.table.hub_port import HubPort, HubSnapshot, PairingPort, Side, Signer
from companion.table.report import MatchReport
from companion.voice import espeak, tones
from hardware.ports import Link

NO_HUB = HubSnapshot()


class LazyHubLink:
    """A `HubPort` that starts the link only once a hub is joined: earlier, in the settings, or now."""

    def __init__(self, store: Path, folder: Path, clock: Clock, configured: tuple[str, str] | None) -> None:
        """Create the link.

        `store`: file of the matches; `folder`: of the link state; `configured`: as in `TableLink`.
        """
        self._store, self._folder, self._clock = store, folder, clock
        self._link: HubPort | None = None
        if configured is not None or (folder / STATE_FILE).exists():
            self._start_link(configured)

    def snapshot(self) -> HubSnapshot:
        return NO_HUB if self._link is None else self._link.snapshot()

    def join(self, address: str, token: str) -> Message | None:
        return (self._link or self._start_link(None)).join(address, token)

    def leave(self) -> None:
        if self._link is not None:
            self._link.leave()

    def notify_appended(self) -> None:
        if self._link is not None:
            self._link.notify_appended()

    def check_in(self, match: str, side: Side, present: bool) -> None:
        if self._link is not None:
            self._link.check_in(match, side, present)

    def confirm(self, match: str, journal: str, line: int, by: Signer, given: bool = True) -> None:
        if self._link is not None:
            self._link.confirm(match, journal, line, by, given)

    def dispute(self, match: str, journal: str, line: int, by: Side, why: DisputeReason | None) -> None:
        if self._link is not None:
            self._link.dispute(match, journal, line, by, why)

    def close(self) -> None:
        if self._link is not None:
            self._link.close()

    def _start_link(self, configured: tuple[str, str] | None) -> HubPort:
        from companion.link.table_link import TableLink

        link = TableLink(self._store, self._folder, self._clock, secrets.token_hex(8))
        if configured is not None:
            link.configure(*configured)
        self._link = link
        return link


# Export of matches: the exchange folder and USB drives, the PDF writer, the versions.


FOLDER = "exchange"
"""Folder name, beside the matches."""


def export_config(data: Path, separator: str) -> ExportConfig:
    """Return the export configuration of the table with its data in the folder `data`."""
    return ExportConfig(
        _pdf, ExchangeFolders(data / FOLDER).list_folders, reader_versions(), separator, PlaySheetWriter()
    )


def _pdf(reports: Sequence[MatchReport], language: Language) -> bytes:
    from companion.printing.report import report_pdf  # slow import, needed only for the first report

    return report_pdf(reports, language)


class PlaySheetWriter:
    """The writer of score sheets, star sheets and help cards."""

    def kinds(self, game: str) -> Sequence[str]:
        """Return the kinds of sheets that a game has."""
        from companion.printing.play_sheets import sheets_of  # slow import, as for reports

        return sheets_of(SPECS[game])

    def pdf(self, game: str, kind: str, language: Language) -> bytes:
        """Return a sheet as PDF."""
        from companion.printing.play_sheets import play_sheet, sheets_of

        return play_sheet(SPECS[game], next(each for each in sheets_of(SPECS[game]) if each == kind), language)


LOCK_FILE = "lock.toml"
REFEREE_FILE = "referee.toml"
"""The PIN of the tournament referee at this table."""


def make_platform(
    data: Path,
    simulated: frozenset[str],
    is_kiosk_mode: bool,
    config_file: Path,
    links: Callable[[], Sequence[Link]] = tuple,
) -> Platform:
    """Return the platform with the available real parts. `simulated` names the simulated parts.

    `links` returns the status of the devices held by the app.
    """
    program, command = espeak.find_program(), tones.find_player()

    def diagnose() -> tuple[Check, ...]:
        found = examine(System(), config_file, links=links())
        return tuple(mark_simulated(check, simulated) for check in found)

    return Platform(
        voice=espeak.EspeakVoice(program) if program else None,
        chimes=tones.Tones(command) if command else None,
        backlight=PanelBacklight(),
        lock=PinLock(data / LOCK_FILE, SystemClock().monotonic),
        referee_lock=PinLock(data / REFEREE_FILE, SystemClock().monotonic),
        diagnose=diagnose,
        has_keyboard=is_keyboard_plugged(),
        is_kiosk_mode=is_kiosk_mode,
        read_code=_read_code,
        pairing=HubPairing(),
    )


class HubPairing:
    """Pairing with the hubs of the network."""

    def address_fault(self, address: str) -> Message | None:
        from companion.link.pairing import pairing_address_fault  # slow import, needed only to join a tournament

        return pairing_address_fault(address)

    def ask(self, address: str) -> PairingPort:
        from companion.link.pairing import PairingAttempt

        return PairingAttempt(address)


def _read_code(picture: bytes) -> str:
    from vision.codes import read_qr_code  # slow import, needed only to join a tournament

    return read_qr_code(picture)


def mark_simulated(check: Check, simulated: frozenset[str]) -> Check:
    """Return the check marked as simulated, unless the real part is there and needs attention."""
    return replace(check, simulated=check.part in simulated and check.health is not Health.ATTENTION)


def run_unlock(config: Path | None) -> int:
    """Remove a forgotten PIN, and the referee's PIN if its file is damaged."""
    data, language = data_folder_of(config), language_of(config)
    lock, referee_lock = (PinLock(data / name, SystemClock().monotonic) for name in (LOCK_FILE, REFEREE_FILE))
    files = ([LOCK_FILE] if lock.has_pin else []) + ([REFEREE_FILE] if referee_lock.is_damaged else [])
    if not files:
        print(language("cli.unlock.none"), file=sys.stderr)
        return DONE
    for name in files:
        try:
            (data / name).unlink()
        except OSError as fault:
            print(language("cli.unlock.failed", file=data / name, reason=reason_of(fault)), file=sys.stderr)
            return FAILED
    print(language("cli.unlock.done"), file=sys.stderr)
    return DONE
