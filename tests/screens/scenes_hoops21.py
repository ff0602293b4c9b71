"""hoops21 on the screen: its preparation and every phase of a match, usual, with long names, without the camera."""

from __future__ import annotations

from typing import Any

from tests.app.evening import Evening
from tests.screens import stage_hoops21 as stage
from tests.screens.hoops21_evenings import EVENINGS
from tests.screens.stage_hoops21 import lying, watched


async def preparing(evening: Evening) -> None:
    """From home to the jump ball: the four games, the rows, a name typed, the own court and dice, what is missing."""
    table, tap, look = evening.table, evening.tap, evening.look
    await tap("app.home.new")
    await look("02-games")
    await tap("app.game.hoops21")
    await look("03-hoops21")
    await tap("app.hoops21.prepare.own")
    await look("03-hoops21-own")
    await table.tap("+ " + evening.words("app.hoops21.prepare.faces", symbol=evening.words("hoops21.symbol.pass")))
    await look("03-hoops21-own-wrong")
    await tap("app.prepare.start")
    await look("03-hoops21-missing")
    await tap("app.close")
    await tap("app.hoops21.prepare.own")
    await tap("app.prepare.rename", name=evening.words("app.hoops21.prepare.usual.orange"))
    await look("03-hoops21-name")
    await tap("app.close")
    await table.tap("7")
    await tap("app.prepare.start")
    await look("10-hoops21-jump-ball")
    await tap("app.table.menu")
    await tap("app.table.menu_home")
    await look("01-home-hoops21")


async def open_table(evening: Evening, name: str, reader: Any = None, long: bool = False, **setup: Any) -> Any:
    """A match in a situation, on the table screen; its session."""
    app = evening.table.app
    app.end_session()
    app.navigator.go_home()
    app.session = stage.situation(app.matches, name, reader, long, **setup)
    app.open("table", session=app.session)
    await evening.table.frames(6)
    return app.session


async def phases(evening: Evening) -> None:
    """Every phase with a camera; those with dice also without one."""
    for name in (*stage.SITUATIONS, *stage.ADVANCED):
        await open_table(evening, name, watched())
        await evening.look(f"10-{name}")
    for name in ("jump_ball", "shot", "free_throw", "inbound", "behind"):
        reader = watched()
        await open_table(evening, name, reader)
        reader.lose()
        await evening.table.frames(8)
        await evening.look(f"10-lost-{name}")


async def long_names(evening: Evening) -> None:
    """Teams with names as long as they get, and a court of forty sections with marks."""
    for name in ("throw", "choose", "tie", "shot_tie", "inbound", "over"):
        await open_table(evening, name, watched(), long=True)
        await evening.look(f"10-long-{name}")
    for sections in (40, 6):
        await open_table(evening, "throw", watched(), court={"sections": sections, "arc": 1, "modifiers": {"0": 1}})
        await evening.look(f"10-court-{sections}")


async def asks(evening: Evening) -> None:
    """Dice told and corrected by number, dice thrown again, a steal told, a ruling."""
    table = evening.table
    await open_table(evening, "throw", watched())
    await table.tap_widget(starting(evening, evening.words("app.table.tell_dice", n=12).split("{")[0]))
    await evening.look("10-tell")
    await open_table(evening, "inbound", watched())
    await table.tap_widget(starting(evening, evening.words("hoops21.do.stolen")))
    await evening.look("10-stolen")
    await evening.tap("app.close")
    await open_table(evening, "tie_again", watched())
    if not any(tap.text_name().startswith(evening.words("hoops21.do.reroll_other")) for tap in table.taps()):
        await table.tap_widget(starting(evening, evening.words("app.table.more", count=2)))
        await evening.look("10-more")
    for number in (1, 2):
        await open_table(evening, "behind", watched())
        words = ("reroll_some", "reroll_other")[number - 1]
        await table.tap_widget(starting(evening, evening.words(f"hoops21.do.{words}", n=3)))
        await evening.look(f"10-again-{number}")
    await evening.tap("app.ask.done")
    await evening.look("10-again-3")
    await evening.tap("app.close")
    await open_table(evening, "choose", watched())
    await evening.tap("app.table.menu")
    await evening.look("10-menu")
    await evening.tap("app.close")
    await table.tap_widget(next(tap for tap in table.taps() if type(tap).__name__ == "LastEventButton"))
    await evening.look("12-hoops21-fact")
    await evening.tap("app.timeline.correct_dice")
    await evening.look("12-hoops21-correct")


async def doubts(evening: Evening) -> None:
    """Some dice read, one in doubt, one too many, a whole throw read by the camera without a tap."""
    for name, dice in (
        ("10-half", lying("orange", "bbbpsf")),
        ("07-symbol", (*lying("orange", "bbbpsf", 2), *lying("white", "bbpssf"))),
        ("07-hoops21-extra", (*lying("orange", "bbbpsfs"), *lying("white", "bbpssf"))),
    ):
        reader = watched()
        await open_table(evening, "throw", reader)
        reader.throw(dice)
        await evening.table.frames(8)
        await evening.look(name)
    reader = watched()
    session = await open_table(evening, "throw", reader)
    reader.throw((*lying("orange", "bbbpsf"), *lying("white", "bbpssf")))
    await evening.table.frames(8)
    assert session.state.phase == "choose"
    await evening.look("10-read")


def starting(evening: Evening, words: str) -> Any:
    """The touchable thing whose text begins so."""
    return next(tap for tap in evening.table.taps() if tap.text_name().startswith(words))


SCENES = {
    "hoops21_preparing": preparing,
    "hoops21_phases": phases,
    "hoops21_long_names": long_names,
    "hoops21_asks": asks,
    "hoops21_doubts": doubts,
    **EVENINGS,
}
