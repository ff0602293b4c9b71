"""Starts a new table in its own process: `python -m tests.app.first_start FOLDER TAPS END`.

Prints the first step that is asked (`home` for none), advances TAPS steps, and prints the current step. With END `cut`
the process is killed as by a power cut; with `later` the assistant is skipped; otherwise the app is closed.
"""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path

from tests.app import driver
from tests.app.driver import AppDriver
from tests.app.evening import matches_in


def main(folder: str, taps: str, end: str) -> None:
    from companion.app.app import TapisVertApp, prepare_window
    from companion.app.platform import Platform
    from companion.app.preferences import pending_first_step
    from companion.config import Config, read_config

    prepare_window(driver.SIZES["800x480"])
    file = Path(folder) / "config.toml"
    config = read_config(file) if file.exists() else Config()
    matches = matches_in(Path(folder))
    platform = replace(Platform(), first_step=pending_first_step(config, used=bool(matches.recent())))
    app = TapisVertApp(matches, config, config_file=file, squads=Path(folder) / "squads", platform=platform)

    def where() -> str:
        return str(getattr(app.context.navigator.page, "step", "home"))

    async def play(table: AppDriver) -> None:
        print(where(), flush=True)
        for _ in range(int(taps)):
            await table.tap(app.context.translate("app.welcome.next"))
        print(where(), flush=True)
        if end == "cut":
            os._exit(9)
        if end == "later":
            await table.tap(app.context.translate("app.welcome.later"))
            print(where(), flush=True)

    driver.drive(app, play)


if __name__ == "__main__":
    main(*sys.argv[1:])
