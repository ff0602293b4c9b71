"""What the tray remembers over its starts, in small files: how many there were, a crash, the wish for the prompt.

Nothing here may keep the tray from starting: a file that cannot be read or written is as one that is not there.
"""

import os

BOOTS = "boots.txt"
CRASH = "crash.txt"
PROMPT = "prompt.flag"
MOST_CRASHES = 4
"""So many starts in a row that ended in a crash; after them the tray stays at the prompt, to be looked at."""
LONGEST = 300
"""Characters kept of a crash."""


def boot(folder: str) -> int:
    """A number that no other start of this tray has, nor of another one at this host: a count, then chance."""
    count = _number(_read(folder + BOOTS)) + 1
    _write(folder + BOOTS, str(count))
    return (count & 0xFFFFFF) << 24 | int.from_bytes(os.urandom(3), "big") | 1


def ask_prompt(folder: str) -> bool:
    """Has the next start end at MicroPython's prompt; False when that could not be noted."""
    return _write(folder + PROMPT, "")


def prompt_asked(folder: str) -> bool:
    """Whether this start is to end at the prompt; asked once."""
    try:
        os.remove(folder + PROMPT)
    except OSError:
        return False
    return True


def crashed(folder: str, text: str) -> None:
    """Keeps the end of a crash's story, and counts it."""
    _write(folder + CRASH, f"{crashes(folder) + 1}\n{text[-LONGEST:]}")


def crashes(folder: str) -> int:
    """How many starts in a row crashed."""
    return _number(_read(folder + CRASH).split("\n")[0])


def last_crash(folder: str) -> str:
    """The story of the last crash; empty if there was none."""
    lines = _read(folder + CRASH).split("\n")
    return "\n".join(lines[1:])


def forgive(folder: str) -> None:
    """Counts anew: the tray has run for a while."""
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
