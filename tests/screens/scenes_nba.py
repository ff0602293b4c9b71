"""Scenes of an NBA match: every phase, three and four sides, solo, sheets, dice, a lost camera."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

from tests.app.evening import SceneContext
from tests.screens import stage_nba
from tests.screens.nba_evening import EVENINGS
from tests.screens.scenes import starting, tap_choice_named, tap_first, watched

Scene = Callable[["SceneContext"], Awaitable[None]]


async def open_table(evening: SceneContext, name: str, reader: Any = None, long: bool = False) -> Any:
    """Open a match in a situation on the table screen and return its session."""
    app = evening.table.app
    app.end_session()
    app.navigator.go_home()
    app.session = stage_nba.situation(app.matches, name, reader, long)
    app.open("table", session=app.session)
    await evening.table.frames(6)
    return app.session


async def phases(evening: SceneContext) -> None:
    """Every phase, with and without a camera."""
    for name in stage_nba.SITUATIONS:
        session = await open_table(evening, name, watched())
        await evening.capture(f"09-{name}")
        decision = session.decision()
        if decision.sides:
            assert evening.table.app.text(decision.title) in evening.table.texts(), f"{name}: nobody is told to act"
            trays = [tap for tap in evening.table.taps() if type(tap).__name__ == "TappablePhotograph"]
            assert trays, f"{name}: no tray"
    for name in ("start", "adjust", "offence_roll"):
        await open_table(evening, name)
        await evening.capture(f"09-by-touch-{name}")


async def long_names(evening: SceneContext) -> None:
    for name in ("adjust", "defended", "four", "recruit"):
        await open_table(evening, name, watched(), long=True)
        await evening.capture(f"09-long-{name}")


async def prompts(evening: SceneContext) -> None:
    """The sheets: further choices, dice to enter and to pick up, payments, the court, the effect of a die."""
    table = evening.table
    more = evening.translate("app.table.more", count=0).split("(")[0]
    await open_table(evening, "adjust", watched())
    await table.tap_widget(next(tap for tap in table.taps() if getattr(tap, "prominence", 0) == 1))
    await evening.capture("09-activation-awaited")
    await evening.tap("app.table.tell_dice", n=2)
    await evening.capture("09-dice")
    await evening.tap("app.close")
    await evening.tap("app.table.back_to_choices")
    await table.frames(20)
    await table.tap_widget(starting(evening, more))
    await evening.capture("09-more")
    for type_ in ("defence", "offence"):
        session = await open_table(evening, "adjust")
        tactics = [session.state.setup.tactic(id) for id in session.state.team(session.state.active_side).prepared]
        await tap_choice_named(evening, next(one.name for one in tactics if one.type == type_))
        await evening.capture(f"09-dice-by-touch-{type_}")
        faces = [tap for tap in table.taps() if type(tap).__name__ == "CountButton"]
        for place in (-1, -1, 3):
            await table.tap_widget(faces[place])
        await evening.capture(f"09-dice-entered-{type_}")
        await tap_first(evening, "nba.do.keep")
        assert session.state.phase != "roll", "the dice were not kept"
        assert sum(event.fields["event"] == "keep" for event in session.ledger.events[-1:]) == 1
    for situation, id, name in (
        ("start", "nba.do.prepare", "prepare"),
        ("adjust", "nba.do.replace", "replace"),
        ("adjust", "nba.do.market", "market"),
        ("adjust", "nba.do.mismatch", "mismatch"),
    ):
        await open_table(evening, situation, watched())
        await tap_first(evening, id)
        await evening.capture(f"09-{name}")
    await open_table(evening, "adjust", watched())
    await table.tap_widget(starting(evening, more))
    await table.tap_widget(starting(evening, evening.translate("nba.do.replace_several")))
    await evening.capture("09-court")
    tokens = [tap for tap in table.taps() if type(tap).__name__ == "CardToken"]
    await table.tap_widget(tokens[6])
    await evening.capture("09-court-picked")
    name = evening.translate("nba.skills.interception")
    assert any(name in text for text in table.texts()), "the values of the picked card have their names in full"
    await table.tap_widget(next(tap for tap in table.taps() if type(tap).__name__ == "CardToken" and tap.dash))
    await evening.capture("09-court-changed")
    await evening.tap("app.back")
    for name in ("offence_roll", "defence_roll"):
        await open_table(evening, name, watched())
        await tap_first(evening, "nba.do.keep_others")
        await evening.capture(f"09-lift-{name}")
        await evening.tap("app.close")
    session = await open_table(evening, "defence_roll", watched())
    (label,) = [choice.label for choice in session.decision().choices if choice.label.id == "nba.do.reroll"]
    await tap_choice_named(evening, evening.table.app.text(label))
    again = session.dice.dice_to_pick_up
    framed = [one.die.die for one in table.walk() if getattr(one, "is_framed", False)]
    assert again
    assert sorted(framed, key=str) == sorted(again, key=str), f"framed {framed}, to throw {again}"
    await evening.capture("09-reroll-awaited")
    await open_table(evening, "scores", watched())
    offers = [
        tap for tap in table.taps() if getattr(tap, "text", "").endswith("…") and not getattr(tap, "is_unavailable", 0)
    ]
    await table.tap_widget(offers[0])
    await evening.capture("09-scores-dice")


def last_die(evening: SceneContext) -> Any:
    """Return the last die of the lanes."""
    return [tap for tap in evening.table.taps() if type(tap).__name__ == "TappableDie"][-1]


async def dice(evening: SceneContext) -> None:
    """A die of the lanes shows its effect and is corrected."""
    table = evening.table
    await open_table(evening, "defended", watched())
    await table.tap_widget(last_die(evening))
    await evening.capture("09-die-says")
    x, y = last_die(evening).to_window(*last_die(evening).center)
    await table.touch(x, y, hold=1.0)
    await table.rest()
    await evening.capture("09-die-fix")
    faces = [tap for tap in table.taps() if type(tap).__name__ == "FaceButton"]
    await table.tap_widget(faces[0])
    await evening.capture("09-die-corrected")


async def tactics_list(evening: SceneContext) -> None:
    """The list of tactics: own cards first, a search whose results are above the keys, several cards picked."""
    table, app = evening.table, evening.table.app
    before = app.preferences
    app.apply_preferences(replace(before, keyboard="shown"))
    await open_table(evening, "start", watched())
    await tap_first(evening, "nba.do.prepare")
    rows = picked_rows(evening)
    own = [option.value for option, _ in rows[:5]]
    roster = app.session.state.setup.rosters["one"]
    assert set(own) == set(roster.tactics), own
    await table.tap_widget(rows[0][1])
    await table.tap_widget(rows[3][1])
    await evening.capture("09-list-picked")
    await evening.tap("app.ask.search")
    await table.until(lambda: app.navigator.on_screen_keyboard is not None)
    keyboard = app.navigator.on_screen_keyboard
    for letter in ("R", "a"):  # the first letter is a capital
        await table.tap(letter)
    await table.frames(6)
    found = picked_rows(evening)
    assert found, "the search found nothing"
    scroller = next(one for one in table.walk() if type(one).__name__ == "Scroller" and holds(one, found[0][1]))
    assert scroller.to_window(0, scroller.y)[1] >= keyboard.top, "the results are under the keys"
    assert scroller.height >= found[0][1].height, "no result is whole above the keys"
    await evening.capture("09-list-searched")
    await table.tap_widget(next(tap for tap in table.taps() if getattr(tap, "value", "") == "DONE"))
    await table.until(lambda: app.navigator.on_screen_keyboard is None)
    await evening.tap("app.close")
    app.apply_preferences(before)


def picked_rows(evening: SceneContext) -> list[Any]:
    """Return the options of the open list with their rows."""
    body = next(one for one in evening.table.walk() if type(one).__name__ == "RowPick")
    return list(body._rows)


def holds(holder: Any, widget: Any) -> bool:
    """Return True if a widget is inside another one."""
    return any(one is widget for one in holder.walk())


async def market(evening: SceneContext) -> None:
    """The market: one visible choice until the first roll, its hand with prices, and what is paid of the price."""
    table, app = evening.table, evening.table.app
    for situation in ("start", "adjust", "turn"):
        session = await open_table(evening, situation)
        await evening.capture(f"09-market-{situation}")
        assert starting(evening, evening.translate("nba.do.market")), f"{situation}: no market"
        assert starting(evening, evening.translate("nba.do.end_turn")), f"{situation}: no end of the turn"
    session = await open_table(evening, "adjust", watched())
    side = session.state.active_side
    closing = evening.translate("nba.await.throw_closing", side=session.state.setup.names[side])
    assert closing in table.texts(), table.texts()
    await tap_first(evening, "nba.do.market")
    rows = {option.value["card"]: row for option, row in picked_rows(evening) if option.value["event"] == "buy_tactic"}
    tactic = min((session.state.setup.tactic(id) for id in rows), key=lambda one: (one.cost, one.id))
    await table.tap_widget(rows[tactic.id])
    await evening.capture("09-market-paying")
    paid = 0
    while paid < tactic.cost:
        option, row = next((option, row) for option, row in picked_rows(evening) if option.effect)
        await table.tap_widget(row)
        paid += session.state.setup.tactic(option.value).value
        progress = evening.translate("nba.ask.paid_so_far", paid=paid, cost=tactic.cost)
        assert progress in table.texts(), table.texts()
    await evening.capture("09-market-paid")
    await evening.tap("app.ask.done")
    assert session.ledger.events[-1].fields["event"] == "buy_tactic"
    await evening.capture("09-market-bought")
    assert app.session is session


async def lost(evening: SceneContext) -> None:
    """The camera is lost."""
    for name in ("adjust", "start", "offence_roll"):
        reader = watched()
        await open_table(evening, name, reader)
        reader.lose()
        await evening.table.frames(8)
        await evening.capture(f"09-camera-lost-{name}")


SCENES: dict[str, Scene] = {
    "nba_phases": phases,
    "nba_long_names": long_names,
    "nba_asks": prompts,
    "nba_dice": dice,
    "nba_list": tactics_list,
    "nba_market": market,
    "nba_lost": lost,
    **EVENINGS,
}
