"""How the tray starts, runs, and comes back to MicroPython's prompt.

The prompt is reached by the host's word (`companion tray flash` sends it), by the undo button held while the board
starts, and after several crashes in a row. Since nothing but a reset stops the watchdog, each goes by a new start.
"""

import sys

import machine

from firmware import notes, protocol, settings
from firmware.board import Board
from firmware.port import Port
from firmware.release import RELEASE
from firmware.serve import serve
from firmware.tray import Tray, about
from firmware.uptime import Uptime

PROMPT_COLOUR = (0, 0, 24)
CRASH_COLOUR = (24, 0, 0)


def run(folder: str = "") -> None:
    """Runs until a reset; comes back when the prompt is wanted."""
    built, fault = _settings(folder)
    uptime = Uptime()
    board = Board(built, uptime)
    if notes.prompt_asked(folder) or _held(board, built):
        return _stay(board, built, PROMPT_COLOUR)
    if notes.crashes(folder) >= notes.MOST_CRASHES:
        notes.forgive(folder)
        return _stay(board, built, CRASH_COLOUR)
    try:
        link = protocol.Link(notes.boot(folder), about(built, RELEASE, sys.version.split(";")[-1].strip()))
        tray = Tray(board, built, link)
        for sentence in (fault, notes.last_crash(folder)):
            if sentence:
                tray.tell([protocol.FAULT, sentence], 0)
        board.watch_over()
        serve(board, tray, Port(), uptime, lambda: notes.forgive(folder))
        notes.ask_prompt(folder)
    except Exception as error:  # noqa: BLE001 - whatever it is, the tray starts anew and tells it
        notes.crashed(folder, _story(error))
    board.light(bytearray(3 * (built["ring"]["lights"] + built["ring"]["edge"])))
    machine.reset()


def _settings(folder: str) -> tuple[dict[str, dict[str, int]], str]:
    """How the tray is built, and what is wrong with the file that should say so."""
    try:
        with open(folder + settings.FILE) as file:
            return settings.read(file.read()), ""
    except OSError:
        return settings.read("{}"), ""
    except ValueError as error:
        return settings.read("{}"), str(error)


def _held(board: Board, built: dict[str, dict[str, int]]) -> bool:
    roles = settings.order(built["buttons"])
    return "undo" in roles and board.buttons()[roles.index("undo")]


def _stay(board: Board, built: dict[str, dict[str, int]], colour: tuple[int, int, int]) -> None:
    """Shows by its colour that the prompt is there."""
    lights, edge = built["ring"]["lights"], built["ring"]["edge"]
    board.light(bytearray(bytes(colour) * lights + bytes(3 * edge)))


def _story(error: Exception) -> str:
    import io

    out = io.StringIO()
    sys.print_exception(error, out)  # type: ignore[attr-defined]  # MicroPython's own
    return out.getvalue()
