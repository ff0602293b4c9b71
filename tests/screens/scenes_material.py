"""Scenes of the players' own material and of changed readings: each game's preparation, and a match with them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from random import Random
from typing import Any

from companion.games.hoops21.tables import BALL, SYMBOLS
from tests.app.evening import SceneContext
from tests.screens import hoops21_evenings, occasion_evenings
from tests.screens.scenes import starting
from tests.screens.scenes_nba_prepare import open_row

Scene = Callable[[SceneContext], Awaitable[None]]
HALF = 6
"""The sections of a half of the own court."""


async def prepare(evening: SceneContext, game: str) -> None:
    """Open the preparation of a match from home."""
    evening.table.app.end_session()
    evening.table.app.navigator.go_home()
    await evening.table.frames(4)
    await evening.tap("app.home.new")
    await evening.tap(f"app.game.{game}")


async def write(evening: SceneContext, column: str, text: str) -> None:
    """Type the text of a column of the card's form."""
    await evening.table.tap_widget(starting(evening, evening.translate(f"catalogues.column.{column}")))
    evening.table.type_over(text)
    await evening.tap("app.done")


async def step_number(evening: SceneContext, column: str, sign: str, times: int = 1) -> None:
    """Tap plus or minus of a column with a number."""
    for _ in range(times):
        await evening.table.tap(f"{sign} {evening.translate(f'catalogues.column.{column}')}")


async def store_court(evening: SceneContext, name: str) -> None:
    """Store a set of dice and court, first with seven faces: one more ball, a short court with marks."""
    await open_row(evening, evening.translate("app.hoops21.prepare.sets"), "catalogue")
    await evening.capture("21-material-list")
    await evening.tap("app.cards.add")
    await write(evening, "name", name)
    await step_number(evening, f"faces.{SYMBOLS[BALL]}", "+")
    await evening.capture("21-material-faces")
    await evening.tap("app.cards.save")
    await evening.capture("21-material-refused")
    await evening.tap("app.close")
    await step_number(evening, "faces.steal", "\N{MINUS SIGN}")
    await step_number(evening, "half", "\N{MINUS SIGN}", 2)
    for column, distance in (("plus", "0"), ("minus", str(HALF - 1))):
        await evening.table.tap_widget(starting(evening, evening.translate(f"catalogues.column.{column}")))
        await evening.table.tap(distance)
        await evening.capture(f"21-material-{column}")
        await evening.tap("app.done")
    await evening.capture("21-material-court")
    await evening.tap("app.cards.save")
    await evening.capture("21-material-saved")
    await evening.tap("app.back")


async def hoops21_material(evening: SceneContext) -> None:
    """The rows of hoops21, a set stored and chosen, another reading, the explanation of its rule."""
    await prepare(evening, "hoops21")
    await evening.capture("03-hoops21-material")
    await open_row(evening, evening.translate("app.readings.title"), "readings")
    await evening.capture("readings-hoops21")
    await evening.table.tap("3-1-1-1")
    await evening.table.tap("HB-2.1")
    await evening.capture("readings-hoops21-rule")
    await evening.tap("app.close")
    for down in (0.6, 0.3, 0.0):
        evening.table.app.navigator.page.ids.scroller.scroll_y = down
        await evening.capture(f"readings-hoops21-{down}")
    await evening.tap("app.back")
    await store_court(evening, "Grange")
    await choose_set(evening, "hoops21", "material", "Grange")
    await evening.capture("03-hoops21-set")


async def choose_set(evening: SceneContext, game: str, row: str, name: str) -> None:
    """Choose a set in the sheet of its row."""
    await evening.table.tap_widget(starting(evening, evening.translate(f"app.{game}.prepare.{row}")))
    await evening.capture(f"03-{game}-sets")
    await evening.table.tap_widget(starting(evening, name))


async def hoops21_own(evening: SceneContext) -> None:
    """Play a match to 7 points with own dice and court, after one with another reading of the rules was begun."""
    table = evening.table
    await prepare(evening, "hoops21")
    await open_row(evening, evening.translate("app.readings.title"), "readings")
    await table.tap("3-1-1-1")
    await table.tap("20")
    await evening.tap("app.back")
    await evening.tap("app.prepare.start")
    setup = table.app.session.header["setup"]
    assert setup["dice_faces"] == dict(zip(SYMBOLS, (3, 1, 1, 1), strict=True))
    assert setup["court"] == {"sections": 20, "arc": 4}
    await hoops21_evenings.step(evening, table.app.session, Random(1))
    await evening.capture("10-hoops21-reading")
    await prepare(evening, "hoops21")
    await store_court(evening, "Hangar")
    await choose_set(evening, "hoops21", "material", "Hangar")
    await table.tap(hoops21_evenings.SHORT)
    await evening.tap("app.prepare.start")
    session, random = table.app.session, Random(4)
    assert session.header["setup"]["court"] == {"sections": 2 * HALF, "arc": 4, "modifiers": {"0": 1, "5": -1}}
    assert session.header["setup"]["dice_faces"] == dict(zip(SYMBOLS, (3, 1, 1, 1), strict=True))
    for _ in range(hoops21_evenings.MAX_STEPS):
        if session.game.finished(session.state):
            break
        await hoops21_evenings.step(evening, session, random)
    assert session.state.phase == "over"
    await evening.capture("10-hoops21-own-over")


async def store_posts(evening: SceneContext, post: str) -> None:
    """Add a post to the set of football's, and give it to a player."""
    table = evening.table
    table.app.end_session()
    table.app.navigator.go_home()
    await table.frames(4)
    await evening.tap("app.home.catalogues")
    await evening.tap("catalogues.kind.occasion-posts")
    await evening.capture("21-posts-sets")
    await table.tap_widget(starting(evening, "Football"))
    await evening.capture("21-posts-list")
    await evening.tap("app.cards.add")
    await write(evening, "name", "Football à 13")
    await write(evening, "post", post)
    await write(evening, "line", evening.translate("catalogues.post_line.midfield"))
    await evening.capture("21-posts-form")
    await evening.tap("app.cards.save")
    await evening.tap("app.back")
    await evening.tap("app.back")
    label = evening.translate("catalogues.kind.occasion-players")
    await table.tap_widget([tap for tap in table.taps() if tap.spoken_name().startswith(label)][-1])
    await table.tap_widget(starting(evening, "Aline Vasseur"))
    await table.tap_widget(starting(evening, evening.translate("catalogues.column.post")))
    await evening.capture("21-posts-pick")
    await table.tap(post)
    await evening.tap("app.cards.save")


async def occasion_posts(evening: SceneContext) -> None:
    """The rows of occasion, a set of posts stored and chosen, a card without a post in the set, the readings."""
    await prepare(evening, "occasion")
    await evening.capture("03-occasion-posts")
    await open_row(evening, evening.translate("app.readings.title"), "readings")
    await evening.capture("readings-occasion")
    await evening.tap("app.occasion.reading.printed_post.attack")
    for down in (0.6, 0.3, 0.0):
        evening.table.app.navigator.page.ids.scroller.scroll_y = down
        await evening.capture(f"readings-occasion-{down}")
    await store_posts(evening, "Libéro")
    await prepare(evening, "occasion")
    await evening.tap("app.prepare.start")
    await evening.capture("03-occasion-missing")
    await evening.tap("app.close")
    await choose_set(evening, "occasion", "posts", "Football à 13")
    await evening.capture("03-occasion-set")


async def occasion_own(evening: SceneContext) -> None:
    """Play a match to one goal with own posts and a printed post that serves the attack only."""
    table = evening.table
    await store_posts(evening, "Meneur")
    await prepare(evening, "occasion")
    await choose_set(evening, "occasion", "posts", "Football à 13")
    await open_row(evening, evening.translate("app.readings.title"), "readings")
    await evening.tap("app.occasion.reading.printed_post.attack")
    await evening.tap("app.back")
    await table.tap("1")
    await evening.tap("app.prepare.start")
    session: Any = table.app.session
    setup = session.header["setup"]
    assert (len(setup["posts"]), setup["posts"]["Meneur"]) == (13, "midfield")
    assert "Meneur" in {card["post"] for card in setup["players"]["home"].values()}
    assert all("defence_posts" in zone for card in setup["occasions"].values() for zone in card["zones"])
    done: set[str] = set()
    for _ in range(occasion_evenings.MAX_STEPS):
        if session.game.finished(session.state):
            break
        await occasion_evenings.step(evening, session, done)
    assert session.game.finished(session.state)
    await evening.capture("11-occasion-own-over")


SCENES: dict[str, Scene] = {
    "hoops21_material": hoops21_material,
    "hoops21_own": hoops21_own,
    "occasion_posts": occasion_posts,
    "occasion_own": occasion_own,
}
