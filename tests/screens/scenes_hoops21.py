"""Scenes of hoops21: setup and every phase of a match, with usual names, long names, and without a camera."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tests.app.evening import SceneContext
from tests.screens import stage_hoops21 as stage
from tests.screens.hoops21_evenings import EVENINGS
from tests.screens.stage_hoops21 import dice_row, watched


async def preparing(evening: SceneContext) -> None:
    """From home to the jump ball: the four games, the rows, a typed name."""
    table, tap, capture = evening.table, evening.tap, evening.capture
    await tap("app.home.new")
    await capture("02-games")
    await tap("app.game.hoops21")
    await capture("03-hoops21")
    await tap("app.prepare.rename", name=evening.translate("app.hoops21.prepare.usual.orange"))
    await capture("03-hoops21-name")
    await tap("app.close")
    await table.tap("7")
    await tap("app.prepare.start")
    await capture("10-hoops21-jump-ball")
    await tap("app.table.menu")
    await tap("app.table.menu_home")
    await capture("01-home-hoops21")


async def open_table(evening: SceneContext, name: str, reader: Any = None, long: bool = False, **setup: Any) -> Any:
    """Open a match in a situation on the table screen and return its session."""
    app = evening.table.app
    app.end_session()
    app.navigator.go_home()
    app.session = stage.situation(app.matches, name, reader, long, **setup)
    app.open("table", session=app.session)
    await evening.table.frames(6)
    return app.session


async def phases(evening: SceneContext) -> None:
    """Every phase with a camera; phases with dice also without one."""
    for name in (*stage.SITUATIONS, *stage.ADVANCED):
        await open_table(evening, name, watched())
        await evening.capture(f"10-{name}")
        if name == "over":
            given_up = evening.table.app.text(evening.table.app.session.timeline()[-1].text)
            assert evening.table.texts().count(given_up) == 2, "the board does not say who gave up"
    for name in ("jump_ball", "shot", "free_throw", "inbound", "behind"):
        reader = watched()
        await open_table(evening, name, reader)
        reader.lose()
        await evening.table.frames(8)
        await evening.capture(f"10-lost-{name}")


async def long_names(evening: SceneContext) -> None:
    """Teams with the longest names, and a court of forty sections with marks."""
    for name in ("throw", "choose", "tie", "shot_tie", "inbound", "over"):
        await open_table(evening, name, watched(), long=True)
        await evening.capture(f"10-long-{name}")
    for sections in (40, 6):
        await open_table(evening, "throw", watched(), court={"sections": sections, "arc": 1, "modifiers": {"0": 1}})
        await evening.capture(f"10-court-{sections}")


async def prompts(evening: SceneContext) -> None:
    """Dice entered and corrected by number, dice thrown again, a steal entered, a ruling."""
    table = evening.table
    await open_table(evening, "throw", watched())
    await table.tap_widget(starting(evening, evening.translate("app.table.tell_dice", n=12).split("{")[0]))
    await evening.capture("10-tell")
    await open_table(evening, "inbound", watched())
    await table.tap_widget(starting(evening, evening.translate("hoops21.do.stolen")))
    await evening.capture("10-stolen")
    await evening.tap("app.close")
    await open_table(evening, "tie_again", watched())
    await table.tap_widget(starting(evening, evening.translate("hoops21.do.reroll")))
    await evening.capture("10-again-at-tie")
    await evening.tap("app.close")
    for number in (1, 2):
        await open_table(evening, "behind", watched())
        choice_id = ("reroll_some", "reroll_other")[number - 1]
        await table.tap_widget(starting(evening, evening.translate(f"hoops21.do.{choice_id}", n=3)))
        await evening.capture(f"10-again-{number}")
    await evening.tap("app.ask.done")
    await evening.capture("10-again-3")
    await evening.tap("app.table.tell_dice", n=2)
    await evening.capture("10-again-4")
    await evening.tap("app.close")
    await evening.tap("app.table.back_to_choices")
    assert not evening.table.has(evening.translate("app.table.back_to_choices"))
    await thrown_unasked(evening)
    await thrown_level(evening)
    await decide_points(evening)
    await open_table(evening, "choose", watched())
    await evening.tap("app.table.menu")
    await evening.capture("10-menu")
    await evening.tap("app.close")
    await table.tap_widget(next(tap for tap in table.taps() if type(tap).__name__ == "LastEventButton"))
    await evening.capture("12-hoops21-fact")
    await evening.tap("app.timeline.correct_dice")
    await evening.capture("12-hoops21-correct")


async def entered(evening: SceneContext) -> None:
    """A throw entered by touch where no camera is: every face counts, and the throw is recorded with the last die.

    A redraw between two dice keeps those already entered.
    """
    session = await open_table(evening, "jump_ball")
    before = session.sequence
    for number in range(12):
        if number == 8:
            evening.table.app.navigator.page.changed()
            await evening.table.frames(2)
        row = [each for each in evening.table.walk() if type(each).__name__ == "GroupRows"][number // 6]
        await evening.table.tap_widget(row._buttons[number % 3])
    assert session.sequence == before + 1, evening.table.texts()
    await evening.capture("10-entered")


async def decide_points(evening: SceneContext) -> None:
    """Points by a ruling: first how many, then a usual reason in one tap, also above the on-screen keyboard."""
    table, app = evening.table, evening.table.app
    before = app.preferences
    for keyboard in ("hidden", "shown"):
        app.apply_preferences(replace(before, keyboard=keyboard))
        session = await open_table(evening, "inbound_start", watched())
        score = session.state.score
        await evening.tap("app.table.menu")
        await table.tap_widget(starting(evening, evening.translate("hoops21.do.ruling_points")))
        await table.tap_widget(starting(evening, f"{session.state.setup.name('orange')} +1"))
        if keyboard == "shown":
            await table.touch(*table.field().to_window(*table.field().center))
            await table.until(lambda: app.navigator.on_screen_keyboard is not None)
        await evening.capture(f"10-ruling-{keyboard}")
        if keyboard == "hidden":
            await evening.tap("common.reason.foul")
            assert session.state.score == (score[0] + 1, score[1])
    await evening.tap("app.close")
    app.apply_preferences(before)


async def thrown_unasked(evening: SceneContext) -> None:
    """Dice thrown at a tie before anybody chose: they raise a question, and spend nothing."""
    reader = watched()
    session = await open_table(evening, "tie_again", reader)
    holder, before = session.state.token, session.sequence
    reader.throw((*dice_row("orange", "bbbpsf"), *dice_row("white", "sssbfp")))
    await evening.table.frames(8)
    await evening.capture("10-thrown-for-nothing")
    assert session.sequence == before
    reader.throw(dice_row(holder, "ppbbsf"))
    await evening.table.frames(8)
    await evening.capture("07-thrown-unasked")
    await evening.tap("app.question.throw_no")
    assert (session.sequence, session.state.token) == (before, holder)


async def thrown_level(evening: SceneContext) -> None:
    """A reroll that ends level: the table says who threw again, and so who won."""
    session = await open_table(evening, "tie_again", watched())
    holder = session.state.token
    counts = {"orange": "bbbpsf", "white": "sssbfp"}[holder]
    kept = stage.spelled(counts[:5])
    session.record({"event": "reroll", "team": holder, "kept": kept, "rolled": stage.spelled(counts[5:])})
    await evening.table.frames(8)
    await evening.capture("10-level-after-reroll")


async def doubts(evening: SceneContext) -> None:
    """Some dice read, one uncertain, one extra, and a whole throw read by the camera without a tap."""
    for name, dice in (
        ("10-half", dice_row("orange", "bbbpsf")),
        ("07-symbol", (*dice_row("orange", "bbbpsf", 2), *dice_row("white", "bbpssf"))),
        ("07-hoops21-extra", (*dice_row("orange", "bbbpsfs"), *dice_row("white", "bbpssf"))),
    ):
        reader = watched()
        await open_table(evening, "throw", reader)
        reader.throw(dice)
        await evening.table.frames(8)
        await evening.capture(name)
    reader = watched()
    session = await open_table(evening, "throw", reader)
    reader.throw((*dice_row("orange", "bbbpsf"), *dice_row("white", "bbpssf")))
    await evening.table.frames(8)
    assert session.state.phase == "choose"
    await evening.capture("10-read")


def starting(evening: SceneContext, prefix: str) -> Any:
    """Return the tappable widget whose text starts with `prefix`."""
    return next(tap for tap in evening.table.taps() if tap.text_name().startswith(prefix))


SCENES = {
    "hoops21_preparing": preparing,
    "hoops21_phases": phases,
    "hoops21_long_names": long_names,
    "hoops21_asks": prompts,
    "hoops21_entered": entered,
    "hoops21_doubts": doubts,
    **EVENINGS,
}
