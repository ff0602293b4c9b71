"""Whole hoops21 matches by touch: dice entered by number, choices tapped, the race ended in one tap, to the end."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Any

from tests.app.evening import SceneContext
from tests.screens import stage_hoops21 as stage

MAX_STEPS = 400
SHORT, LONG = "7", "21"


async def match(evening: SceneContext, target: str = SHORT, seed: int = 4) -> None:
    """Play from home to the end of a match without a camera; the match is then listed as finished."""
    table, tap = evening.table, evening.tap
    await tap("app.home.new")
    await tap("app.game.hoops21")
    await table.tap(target)
    await tap("app.prepare.start")
    session, random = table.app.session, Random(seed)
    assert session.header["setup"]["target"] == int(target)
    taps = 0
    for _ in range(MAX_STEPS):
        if session.game.finished(session.state):
            break
        before = session.sequence
        taken = await step(evening, session, random)
        assert session.sequence > before, f"nothing was recorded in {session.state.phase}"
        if not session.ledger.newest.fields.get("orange") and not session.ledger.newest.fields.get("white"):
            taps = max(taps, taken)
    assert session.state.phase == "over"
    assert max(session.state.score) >= int(target)
    assert taps <= 2, f"a choice took {taps} taps"
    await evening.capture("10-hoops21-won")
    await tap("app.table.menu_home")
    await tap("app.home.look_back")
    await evening.capture("matches-hoops21")


async def long_match(evening: SceneContext) -> None:
    """Play a match with the standard target of 21 points."""
    await match(evening, LONG, seed=11)


async def step(evening: SceneContext, session: Any, random: Random) -> int:
    """Record one event by touch and return the number of taps."""
    table, decision = evening.table, session.decision()
    choices = [
        tap for tap in table.taps() if getattr(tap, "is_unavailable", None) is False and hasattr(tap, "prominence")
    ]
    rows = [child for child in table.walk() if type(child).__name__ == "GroupRows"]
    if rows:
        return await enter_dice(evening, session, rows, random)
    assert decision.choices, session.state.phase
    before, taps = session.sequence, 1
    await table.tap_widget(random.choice(choices))
    for _ in range(20):
        if session.sequence != before:
            return taps
        sheet = table.app.navigator.sheets
        options = [tap for tap in table.taps() if type(tap).__name__ == "ChoiceButton" and not tap.is_unavailable]
        if sheet and options:
            taps += 1
            await table.tap_widget(random.choice(options))
        elif not sheet:  # a new choice ignores taps for a moment (SCREENS 4.7)
            await table.frames(20)
            choices = [
                tap
                for tap in table.taps()
                if getattr(tap, "is_unavailable", None) is False and hasattr(tap, "prominence")
            ]
            await table.tap_widget(random.choice(choices))
        await table.frames(2)
    return taps


async def enter_dice(evening: SceneContext, session: Any, rows: list[Any], random: Random) -> int:
    """Enter the faces of all awaited dice by tapping them."""
    taps, before = 0, session.sequence
    for row in rows:
        for _ in range(row.group.max_count):
            await evening.table.tap_widget(random.choice(row._buttons))
            taps += 1
    assert session.sequence > before
    return taps


async def thrown(evening: SceneContext) -> None:
    """Throw with one tap on the simulated tray; the real reader reads the dice and the race continues."""
    from companion.commands.run import reader_of

    app, table = evening.table.app, evening.table
    app.reader_factory = partial(reader_of, "simulated", evening.folder / "dice")
    await evening.tap("app.home.new")
    await evening.tap("app.game.hoops21")
    await evening.tap("app.prepare.start")
    session = app.session
    for _ in range(3):
        before = session.sequence
        phase = session.state.phase
        if not session.decision().dice:
            await step(evening, session, Random(1))
            continue
        throw_prompt = evening.translate("app.table.throw_here")
        await table.until(lambda throw_prompt=throw_prompt: table.has(throw_prompt), frames=4000)
        again = evening.translate("app.table.throw_all_again")
        for _ in range(4):
            await evening.tap("app.table.throw_here")
            roll_seen = lambda before=before: session.sequence > before or session.dice.question  # noqa: E731
            await table.until(lambda roll_seen=roll_seen, again=again: roll_seen() or table.has(again), frames=4000)
            if roll_seen():
                break
            await table.tap(again)  # one die hides another: players throw again
            await table.until(lambda throw_prompt=throw_prompt: table.has(throw_prompt), frames=4000)
        assert session.sequence > before, f"{phase}: {session.dice.question}"
    await evening.capture("10-hoops21-thrown")


async def rerolled(evening: SceneContext) -> None:
    """Throw on the simulated tray until the token holder may throw again, choose that, and throw only those dice."""
    from companion.commands.run import reader_of

    app, table = evening.table.app, evening.table
    reader = partial(reader_of, "simulated", evening.folder / "dice")("hoops21")
    app.end_session()
    app.session = session = stage.situation(app.matches, "throw", reader, advanced_token=True)
    app.open("table", session=session)
    throw_prompt = evening.translate("app.table.throw_here")
    for _ in range(12):
        if session.state.phase in ("tie", "reroll"):
            break
        session.record(stage.AT_12)
        await throw_on_tray(evening, session)
    assert session.state.phase in ("tie", "reroll")
    await table.frames(30)
    assert not table.has(throw_prompt), "nobody has chosen to throw again"
    choice = next(one for one in session.decision().choices if one.throw is not None)
    app.navigator.page.choose(choice, session.sequence)
    await table.frames(8)
    if len(choice.prompts) > 1:
        await evening.tap("app.ask.done")
    await evening.capture("10-hoops21-armed")
    count, kept = len(session.dice.dice_to_pick_up), session.dice.armed.event["kept"]
    await throw_on_tray(evening, session)
    newest = session.ledger.newest.fields
    assert (newest["event"], newest["kept"], len(newest["rolled"])) == ("reroll", kept, count)
    await evening.capture("10-hoops21-rerolled")


async def throw_on_tray(evening: SceneContext, session: Any) -> None:
    """Tap the simulated tray until its dice are recorded; a doubtful die is thrown again."""
    table, before = evening.table, session.sequence
    throw_prompt, reasons = evening.translate("app.table.throw_here"), []
    for _ in range(6):
        await table.until(lambda: table.has(throw_prompt), frames=4000)
        session.dice.notice = None
        await evening.tap("app.table.throw_here")
        await table.until(lambda: session.sequence > before or session.dice.question or session.dice.notice, 4000)
        if session.sequence > before:
            return
        reasons.append(session.dice.question or session.dice.notice)
        session.dice.dismiss(all_dice=True)
        await table.frames(20)
    raise AssertionError(f"not recorded: {reasons}")


EVENINGS = {
    "hoops21_match": match,
    "hoops21_long_match": long_match,
    "hoops21_thrown": thrown,
    "hoops21_rerolled": rerolled,
}
