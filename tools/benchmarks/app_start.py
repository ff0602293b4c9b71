"""Start the app in this process and report its first page, for timing from outside."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def main(folder: str) -> None:
    """Open the home page with a store in `folder`, print a line once it is drawn, and exit."""
    os.environ.setdefault("KIVY_NO_CONSOLELOG", "1")
    from companion.app.app import TapisVertApp, prepare_window
    from companion.clock import SystemClock
    from companion.config import Config
    from companion.games.registry import GAMES
    from companion.journal.store import Store
    from companion.table.matches import Matches

    prepare_window((800, 480))
    with Store.open(Path(folder) / "bench.sqlite", SystemClock()) as store:
        app = TapisVertApp(Matches(store, GAMES), Config())

        def drawn(*_: object) -> None:
            if getattr(app, "context", None) is not None and app.context.navigator.page is not None:
                sys.stdout.write("home\n")
                sys.stdout.flush()
                app.stop()

        from kivy.core.window import Window

        Window.bind(on_flip=drawn)
        app.run()


if __name__ == "__main__":
    main(sys.argv[1])
