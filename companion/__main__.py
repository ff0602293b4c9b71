"""The command `companion`; `python -m companion` is the same."""

from __future__ import annotations

import sys

INTERRUPTED = 130


def main() -> None:
    """Run the command line. Ctrl-C ends it without a message, even while modules are loading."""
    try:
        from companion.cli import main as command_line

        command_line()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main()
