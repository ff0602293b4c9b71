"""The command `companion`; `python -m companion` is the same."""

from __future__ import annotations

import sys

INTERRUPTED = 130


def main() -> None:
    """Runs the command line. An interrupt ends it without a word, also while it is still being loaded."""
    try:
        from companion.cli import main as command_line

        command_line()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main()
