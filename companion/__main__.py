"""`python -m companion` is the same as the command `companion`."""

import sys

if __name__ == "__main__":
    try:
        from companion.cli import main

        main()
    except KeyboardInterrupt:  # while it still gets ready
        sys.exit(130)
