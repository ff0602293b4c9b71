"""Persistent notes in small files: number of starts, last crash, request for the prompt.

Nothing here may prevent the tray from starting: an unreadable or unwritable file counts as missing.
"""

import os

BOOTS = "boots.txt"
CRASH = "crash.txt"
PROMPT = "prompt.flag"
MAX_CRASHES = 4
"""Number of consecutive crashes after which the tray stays at the prompt for inspection."""
MAX_CRASH_LENGTH = 300
"""Maximum stored characters of a crash."""


def boot(folder: str) -> int:
    """Return a number unique to this start, also among other trays at this host: a counter plus random bits."""
    count = _number(_read(folder + BOOTS)) + 1
    _write(folder + BOOTS, str(count))
    return (count & 0xFFFFFF) << 24 | int.from_bytes(os.urandom(3), "big") | 1


def request_prompt(folder: str) -> bool:
    """Make the next start end at MicroPython's prompt. Return False if this could not be stored."""
    return _write(folder + PROMPT, "")


def pop_prompt_request(folder: str) -> bool:
    """Return True if this start must end at the prompt, and clear the request."""
    try:
        os.remove(folder + PROMPT)
    except OSError:
        return False
    return True


def crashed(folder: str, text: str) -> None:
    """Store the end of a crash's traceback, and count it."""
    _write(folder + CRASH, f"{crashes(folder) + 1}\n{text[-MAX_CRASH_LENGTH:]}")


def crashes(folder: str) -> int:
    """Return the number of consecutive crashed starts."""
    return _number(_read(folder + CRASH).split("\n")[0])


def last_crash(folder: str) -> str:
    """Return the traceback of the last crash; empty if there was none."""
    lines = _read(folder + CRASH).split("\n")
    return "\n".join(lines[1:])


def reset_crash_count(folder: str) -> None:
    """Reset the crash counter, because the tray has run for a while."""
    if crashes(folder):
        _write(folder + CRASH, "0\n" + last_crash(folder))


def _number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        return 0


def _read(name: str) -> str:
    try:
        with open(name) as file:
            return file.read()
    except (OSError, ValueError):
        return ""


def _write(name: str, text: str) -> bool:
    try:
        with open(name, "w") as file:
            file.write(text)
    except OSError:
        return False
    return True
