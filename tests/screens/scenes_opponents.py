"""Opponents of the app: chosen in the preparation, seen at the table, taken over, and whole matches against them."""

from __future__ import annotations

from companion.table import opponents as pauses
from tests.app.evening import SceneContext
from tests.screens.scenes import Scene
from tests.screens.scenes_legs import choose_clubs, home

FRAMES = 400
"""Frames to wait for an opponent, at most."""


def hurry() -> None:
    """Shorten the pauses of opponents, so that a scene is not slow."""
    pauses.PAUSE_S = pauses.SHARED_PAUSE_S = 0.3


async def choose_opponent(evening: SceneContext, label: str, place: int = 1, dice: str = "drawn") -> None:
    """Let the app play the side at a place, from the page of the preparation."""
    table, translate = evening.table, evening.translate
    who = translate("app.opponents.who")
    seats = [tap for tap in table.taps() if who in tap.spoken_name()]
    await table.tap_widget(
        sorted(seats, key=lambda tap: (tap.to_window(*tap.center)[0], -tap.to_window(*tap.center)[1]))[place]
    )
    await table.frames(6)
    rows = [tap for tap in table.taps() if tap.spoken_name().startswith(translate(label))]
    await table.tap_widget(rows[pauses.DICE_ORIGINS.index(dice)])
    await table.frames(6)


async def preparing(evening: SceneContext) -> None:
    """The row of each side in every game, the list of who may play, and the row once an opponent is chosen."""
    table, tap, capture = evening.table, evening.tap, evening.capture
    for game in ("hoops21", "occasion", "nba"):
        await home(evening)
        await tap("app.home.new")
        await tap(f"app.game.{game}")
        await capture(f"03-seats-{game}")
        await choose_opponent(evening, "app.opponents.sound")
        await capture(f"03-seats-{game}-chosen")
    await home(evening)
    table.app.open("clubs")
    await table.frames(4)
    await choose_clubs(evening)
    seats = [one for one in table.taps() if evening.translate("app.opponents.who") in one.spoken_name()]
    await table.tap_widget(seats[0])
    await capture("03-seats-list")
    await tap("app.close")
    await choose_opponent(evening, "app.opponents.strong")
    await capture("03-seats-footclub-chosen")


async def at_the_table(evening: SceneContext) -> None:
    """An opponent's side at the table: it waits, plays, is taken over and handed back; its dice are asked for."""
    table, tap, capture = evening.table, evening.tap, evening.capture
    hurry()
    await home(evening)
    await tap("app.home.new")
    await tap("app.game.hoops21")
    await choose_opponent(evening, "app.opponents.sound")
    await tap("app.prepare.start")
    await table.frames(10)
    await capture("10-opponent-drew")
    await tap("app.opponents.take_over")
    await capture("10-opponent-taken")
    await tap("app.opponents.hand_back")
    await capture("10-opponent-back")


SCENES: dict[str, Scene] = {"opponents_prepare": preparing, "opponents_table": at_the_table}
