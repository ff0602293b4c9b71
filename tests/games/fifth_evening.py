"""The fifth game in the real app: `python -m tests.games.fifth_evening FOLDER` prints the layout faults of its
screens."""

from __future__ import annotations

import sys
from pathlib import Path

import companion.games
from tests.app import driver
from tests.app.evening import SceneContext, make_app


async def evening(evening: SceneContext) -> None:
    """Go from home through the game list and the setup to the table; enter a die by touch, then hold."""
    table, tap, capture = evening.table, evening.tap, evening.capture
    await tap("app.home.new")
    await capture("02-games-fifth")
    await tap("app.game.pig")
    await capture("03-fifth")
    await table.tap("+ " + evening.translate("pig.up_to"))
    await tap("app.prepare.start")
    await capture("04-fifth")
    session = table.app.session
    assert session.game.id == "pig"
    session.record({"event": "roll", "die": 5})
    await table.frames(3)
    assert evening.translate("pig.target", n=31) in table.texts()
    await tap("pig.hold", n=5)
    assert session.state.points == (5, 0)
    await capture("04-fifth-held")


def main(folder: Path, pictures: Path | None = None) -> int:
    companion.games.__path__.append(str(Path(__file__).parent / "fifth"))
    from companion.app.app import prepare_window

    prepare_window(driver.SIZES["800x480"])
    app = make_app(folder)
    faults: list[str] = []

    async def play(table: driver.AppDriver) -> None:
        await evening(
            SceneContext(
                table, lambda id, **args: app.context.translate(id, **args), folder, pictures, "800x480", faults
            )
        )
        app.context.navigator.page.leave()
        app.context.navigator.back_stack.clear()
        app.context.navigator.clear_widgets()
        await table.frames(3)

    driver.drive(app, play)
    print("\n".join(faults), end="")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*map(Path, sys.argv[1:])))
