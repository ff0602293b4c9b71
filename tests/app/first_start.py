"""A start of a new table, in a process of its own: `python -m tests.app.first_start FOLDER TAPS END`.

Prints the step that is asked first (`home` for none), goes TAPS steps on, and prints where it then is. Then, with END
`cut`, the process ends as when the power goes; with `later` the questions are left; else the app is closed.
"""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path

from tests.app import driver
from tests.app.driver import Table
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
    house = replace(Platform(), first_step=pending_first_step(config, used=bool(matches.recent())))
    app = TapisVertApp(matches, config, config_file=file, squads=Path(folder) / "squads", platform=house)

    def where() -> str:
        return str(getattr(app.context.navigator.page, "step", "home"))

    async def play(table: Table) -> None:
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
