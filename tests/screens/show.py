"""Plays scenes in one window: `python -m tests.screens.show SCENES FOLDER SIZE LANGUAGE CONTRAST TEXT [PICTURES]`.

SCENES are names separated by commas. Prints one fault per line; the exit status is 1 if there is any.
"""

from __future__ import annotations

import sys
import traceback
from pathlib import Path

from tests.app import driver
from tests.app.evening import SceneContext, make_app
from tests.screens.match_evenings import EVENINGS
from tests.screens.nba_series_evenings import EVENINGS as SERIES
from tests.screens.occasion_evenings import EVENINGS as CHANCES
from tests.screens.scenes import SCENES
from tests.screens.scenes_boards import SCENES as BOARDS
from tests.screens.scenes_buttons import SCENES as BUTTONS
from tests.screens.scenes_calibrate import SCENES as CALIBRATE
from tests.screens.scenes_catalogues import SCENES as CARDS
from tests.screens.scenes_clock import SCENES as CLOCK
from tests.screens.scenes_correct import SCENES as CORRECT
from tests.screens.scenes_help import SCENES as HELP
from tests.screens.scenes_hoops21 import SCENES as HOOPS21
from tests.screens.scenes_legs import SCENES as LEGS
from tests.screens.scenes_material import SCENES as MATERIAL
from tests.screens.scenes_moments import SCENES as MOMENTS
from tests.screens.scenes_nba import SCENES as NBA
from tests.screens.scenes_nba_prepare import SCENES as NBA_PREPARE
from tests.screens.scenes_nba_series import SCENES as NBA_SERIES
from tests.screens.scenes_occasion import SCENES as OCCASION
from tests.screens.scenes_opponents import SCENES as OPPONENTS
from tests.screens.scenes_people import SCENES as PEOPLE
from tests.screens.scenes_report import SCENES as REPORT
from tests.screens.scenes_running import SCENES as RUNNING
from tests.screens.scenes_season import SCENES as SEASON
from tests.screens.scenes_sheets import SCENES as SHEETS
from tests.screens.scenes_taps import SCENES as TAPS
from tests.screens.scenes_tournament import SCENES as TOURNAMENT
from tests.screens.scenes_trouble import SCENES as TROUBLE
from tests.screens.scenes_wizard import SCENES as WIZARD
from tests.screens.system_evenings import EVENINGS as HOUSE
from tests.screens.whole_evenings import EVENINGS as WHOLE
from tests.screens.whole_opponents import EVENINGS as AGAINST

KNOWN = (
    SCENES
    | AGAINST
    | BOARDS
    | BUTTONS
    | CALIBRATE
    | EVENINGS
    | CHANCES
    | CARDS
    | CLOCK
    | CORRECT
    | HELP
    | HOOPS21
    | HOUSE
    | LEGS
    | NBA
    | MATERIAL
    | MOMENTS
    | NBA_PREPARE
    | NBA_SERIES
    | OCCASION
    | OPPONENTS
    | PEOPLE
    | REPORT
    | RUNNING
    | SERIES
    | SEASON
    | SHEETS
    | TAPS
    | TOURNAMENT
    | TROUBLE
    | WHOLE
    | WIZARD
)
"""All scenes by name."""


def main(scenes: str, folder: str, size: str, language: str, contrast: str, text: str, pictures: str = "") -> int:
    from companion.app.app import prepare_window

    prepare_window(driver.SIZES[size])
    app = make_app(Path(folder), language, contrast, int(text))
    tag = "-".join(part for part in (size, language, contrast, text) if part not in ("normal", "100"))
    faults: list[str] = []
    picture_folder = Path(pictures) if pictures else None

    async def play(table: driver.AppDriver) -> None:
        evening = SceneContext(
            table, lambda id, **args: app.context.translate(id, **args), Path(folder), picture_folder, tag, faults
        )
        for name in scenes.split(","):
            try:
                await KNOWN[name](evening)
            except Exception as error:  # noqa: BLE001 - the other scenes of the window still run
                frame = traceback.extract_tb(error.__traceback__)[-1]
                place = f"{Path(frame.filename).name}:{frame.lineno}"
                faults.append(f"{name} {tag}: {type(error).__name__} at {place}: {error}")
                table.app.navigator.go_home()
        app.context.navigator.page.leave()
        app.context.navigator.back_stack.clear()
        app.context.navigator.clear_widgets()  # no widget remains that would redraw while the app stops
        await table.frames(3)

    driver.drive(app, play)
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
