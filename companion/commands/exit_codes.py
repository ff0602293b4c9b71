"""How every command ends: a fault of the surroundings is one sentence, a closed pipe says nothing."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from typing import NoReturn

from companion.commands.settings import named_config, terminal_language
from companion.config import ConfigError
from companion.language import Language, reason_of
from vision import NetError

DONE, FAILED, REFUSED = 0, 1, 2


def run_cli(app: Callable[[], None]) -> None:
    """Runs the command line; leaves by SystemExit where it did not end well."""
    _reopen_closed_streams()
    try:
        try:
            app()
        finally:
            sys.stdout.flush()
    except ConfigError as error:
        print(_language().text(error.message), file=sys.stderr)
        sys.exit(REFUSED)
    except NetError as error:
        print(_language().text(error.message), file=sys.stderr)
        sys.exit(FAILED)
    except OSError as error:
        _handle_output_error(error)


def _language() -> Language:
    return terminal_language(named_config(sys.argv[1:]))


def _reopen_closed_streams() -> None:
    """A standard stream that the caller closed takes whatever is written and drops it; the next file that is opened
    would else get its number."""
    for number, name in ((1, "stdout"), (2, "stderr")):
        if getattr(sys, name) is None:
            descriptor = os.open(os.devnull, os.O_WRONLY)
            if descriptor != number:
                os.dup2(descriptor, number)
                os.close(descriptor)
            setattr(sys, name, open(number, "w", encoding="utf-8", closefd=False))  # noqa: SIM115


def _handle_output_error(error: OSError) -> NoReturn:
    """Standard output took no more: a closed pipe says nothing, a full disk one sentence. Raises any other error."""
    if error.filename is not None or error.errno not in (errno.EPIPE, errno.ENOSPC, errno.EBADF, errno.EIO):
        raise error
    if error.errno != errno.EPIPE:
        print(_language()("cli.output", reason=reason_of(error)), file=sys.stderr)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # or the interpreter complains once more when it closes it
    sys.exit(FAILED)
