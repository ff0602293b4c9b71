"""Start, run and return to MicroPython's prompt.

The prompt starts on the host's request (`companion tray flash` sends it), if the undo button is held at the start, and
after several consecutive crashes. Each of these needs a restart, because only a reset stops the watchdog.
"""

import sys

import machine

from firmware import boot_state, protocol, settings
from firmware.board import TrayBoard
from firmware.port import Port
from firmware.release import RELEASE
from firmware.serve import serve
from firmware.tray import Tray, tray_info
from firmware.uptime import Uptime

PROMPT_COLOUR = (0, 0, 24)
CRASH_COLOUR = (24, 0, 0)


def run(folder: str = "") -> None:
    """Run until a reset. Returns if the prompt is requested."""
    built, fault = _settings(folder)
    uptime = Uptime()
    board = TrayBoard(built, uptime)
    if boot_state.pop_prompt_request(folder) or _undo_pressed(board, built):
        return _stay_at_prompt(board, built, PROMPT_COLOUR)
    if boot_state.crashes(folder) >= boot_state.MAX_CRASHES:
        boot_state.reset_crash_count(folder)
        return _stay_at_prompt(board, built, CRASH_COLOUR)
    try:
        link = protocol.SerialLink(
            boot_state.boot(folder), tray_info(built, RELEASE, sys.version.split(";")[-1].strip())
        )
        tray = Tray(board, built, link)
        for sentence in (fault, boot_state.last_crash(folder)):
            if sentence:
                tray.send([protocol.FAULT, sentence], 0)
        board.watch_over()
        serve(board, tray, Port(), uptime, lambda: boot_state.reset_crash_count(folder))
        boot_state.request_prompt(folder)
    except Exception as error:  # noqa: BLE001 - whatever it is, the tray starts anew and tells it
        boot_state.crashed(folder, _traceback_text(error))
    board.light(bytearray(3 * (built["ring"]["lights"] + built["ring"]["edge"])))
    machine.reset()


def _settings(folder: str) -> tuple[dict[str, dict[str, int]], str]:
    """Return the tray's settings, and the error in its file, if any."""
    try:
        with open(folder + settings.FILE) as file:
            return settings.read(file.read()), ""
    except OSError:
        return settings.read("{}"), ""
    except ValueError as error:
        return settings.read("{}"), str(error)


def _undo_pressed(board: TrayBoard, built: dict[str, dict[str, int]]) -> bool:
    roles = settings.order(built["buttons"])
    return "undo" in roles and board.buttons()[roles.index("undo")]


def _stay_at_prompt(board: TrayBoard, built: dict[str, dict[str, int]], colour: tuple[int, int, int]) -> None:
    """Show a colour that indicates the prompt."""
    lights, edge = built["ring"]["lights"], built["ring"]["edge"]
    board.light(bytearray(bytes(colour) * lights + bytes(3 * edge)))


def _traceback_text(error: Exception) -> str:
    import io

    out = io.StringIO()
    sys.print_exception(error, out)  # type: ignore[attr-defined]  # MicroPython's own
    return out.getvalue()
