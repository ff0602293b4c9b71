"""Scenes of the boards: the end of a match of every game, half-time, the picture to share, a match played again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np

from companion.games.registry import GAMES
from companion.table.autoplay import play
from tests.app.evening import SceneContext
from tests.screens import stage
from tests.screens.scenes import open_table, watched
from tests.screens.scenes_report import hand_in
from tests.screens.system_evenings import prefer

Scene = Callable[["SceneContext"], Awaitable[None]]

SEEDS = {"footclub": 7, "nba": 3, "hoops21": 3, "occasion": 3}
GOALLESS = 9
"""Seed of a FootClub match without a goal."""
SETTLE_S = 0.5
"""Seconds in which a board is computed and drawn."""


async def open_ended(evening: SceneContext, game: str, names: tuple[str, ...] = (), seed: int | None = None) -> Any:
    """Open a finished match of a game on the table and return its session."""
    app = evening.table.app
    app.end_session()
    app.navigator.go_home()
    header, *events = play(GAMES[game], Random(SEEDS[game] if seed is None else seed))
    for side, name in zip(header["sides"].values(), names, strict=False):
        side["name"] = name
    app.session = app.matches.start(game, header, watched())
    for event in events:
        app.session.record(event)
    app.open("table", session=app.session)
    await evening.table.until(lambda: any(end.board for end in app.navigator.page.ids.end.children))
    await evening.table.frames(8)
    return app.session


async def boards(evening: SceneContext) -> None:
    """The final board of each game; with three sides; with extremely long names."""
    for game in SEEDS:
        await open_ended(evening, game)
        await evening.capture(f"boards-end-{game}")
    await open_ended(evening, "nba", seed=5)
    await evening.capture("boards-end-nba-three")
    await open_ended(evening, "footclub", stage.LONG_NAMES)
    await evening.capture("boards-end-long")
    await open_ended(evening, "footclub", seed=GOALLESS)
    (end,) = evening.table.app.navigator.page.ids.end.children
    assert not end.board.steps
    assert not end._course.children
    assert not evening.table.app.portrait or end._course.height == 0, "the counts get the space of the course"
    await evening.capture("boards-end-goalless")


async def boards_break(evening: SceneContext) -> None:
    """Half-time, full time before extra time."""
    for name in ("half_time", "full_time"):
        await open_table(evening, name, watched())
        await evening.table.seconds(SETTLE_S)
        await evening.capture(f"boards-{name}")


async def boards_again(evening: SceneContext) -> None:
    """A match that has ended is undone and ends again; then home, which offers it again, and the preparations."""
    table, app = evening.table, evening.table.app
    session = await open_ended(evening, "footclub")
    await evening.tap("app.table.undo")
    assert not table.has(evening.translate("app.end.rematch")), "the match goes on"
    assert app.navigator.page.pieces.buttons, "the sides may act again"
    await evening.capture("boards-undone")
    await evening.tap("app.table.redo")
    await table.seconds(SETTLE_S)
    assert session.game.finished(session.state)
    assert table.has(evening.translate("app.end.rematch"))
    app.end_session()
    app.navigator.go_home()
    await table.frames(6)
    await evening.capture("boards-home")
    await evening.tap("app.home.new")
    await evening.tap("app.game.footclub")
    await evening.capture("boards-clubs")
    await open_ended(evening, "hoops21")
    await evening.tap("app.table.menu_home")
    await evening.tap("app.home.new")
    await evening.tap("app.game.hoops21")
    await evening.capture("boards-prepare")
    await evening.tap("app.end.rematch")
    await table.frames(6)
    assert app.session.match_id != session.match_id
    assert app.session.state.phase == "jump_ball"


async def boards_facing(evening: SceneContext) -> None:
    """The final board between two players face to face."""
    prefer(evening, seats="facing")
    await open_ended(evening, "footclub")
    await evening.capture("boards-facing")
    await evening.tap("app.table.undo")
    await evening.capture("boards-facing-undone")
    prefer(evening, seats="beside")


async def boards_picture(evening: SceneContext) -> None:
    """The picture to share, saved; then the match played again, and the same line-ups."""
    hand_in(evening)
    for game in reversed(SEEDS):
        await open_ended(evening, game)
        await evening.tap("app.end.picture")
        await evening.table.seconds(SETTLE_S)
        await evening.capture(f"boards-picture-{game}")
    await evening.tap("app.end.save")
    await evening.table.until(lambda: any(".png" in written for written in evening.table.texts()))
    await evening.capture("boards-picture-saved")
    (saved,) = (evening.folder / "exchange").glob("*.png")
    assert_drawn(saved)
    await open_ended(evening, "footclub")
    await evening.tap("app.end.same_line_ups")
    await evening.table.frames(6)
    await evening.capture("boards-same-line-ups")


def assert_drawn(path: Path) -> None:
    """Check a saved picture: as wide as the page, higher than what the page shows at once, and not blank."""
    picture = cv2.imread(str(path))
    pixels = picture.reshape(-1, 3)
    assert picture.shape[1] > picture.shape[0] / 2
    assert len(np.unique(pixels[:: max(1, len(pixels) // 5000)], axis=0)) > 20
    assert picture[:10].mean() > 5, "the picture has no background at its top"


SCENES: dict[str, Scene] = {
    "boards": boards,
    "boards_break": boards_break,
    "boards_picture": boards_picture,
    "boards_again": boards_again,
    "boards_facing": boards_facing,
}
