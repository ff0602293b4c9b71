"""Exit handling of all commands: an environment error prints one line, a closed pipe nothing."""

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
    """Run the command line. Raises: SystemExit on failure."""
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
    """Redirect a standard stream closed by the caller to /dev/null.

    Otherwise the next opened file would get its descriptor.
    """
    for number, name in ((1, "stdout"), (2, "stderr")):
        if getattr(sys, name) is None:
            descriptor = os.open(os.devnull, os.O_WRONLY)
            if descriptor != number:
                os.dup2(descriptor, number)
                os.close(descriptor)
            setattr(sys, name, open(number, "w", encoding="utf-8", closefd=False))  # noqa: SIM115


def _handle_output_error(error: OSError) -> NoReturn:
    """Handle an error of the system: nothing for a closed pipe, one line for a file or a full disk, else re-raise."""
    if error.filename is not None:
        print(f"{error.filename}: {_language().text(reason_of(error))}", file=sys.stderr)
        sys.exit(FAILED)
    if error.errno not in (errno.EPIPE, errno.ENOSPC, errno.EBADF, errno.EIO):
        raise error
    if error.errno != errno.EPIPE:
        print(_language()("cli.output", reason=reason_of(error)), file=sys.stderr)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # or the interpreter reports the error again on exit
    sys.exit(FAILED)
