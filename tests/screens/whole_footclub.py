"""A whole FootClub match by touch, played by the greedy player: cards, dice, substitutions, secrets, corrections."""

from __future__ import annotations

from collections.abc import Callable
from itertools import zip_longest
from random import Random
from typing import Any

from companion.games.base import Die, Fields
from companion.games.footclub import FOOTCLUB
from companion.games.footclub.greedy_player import greedy_event
from tests.app.evening import SceneContext
from tests.screens.acting import act, choice_of, face_rows, possible, tap_choice
from tests.screens.whole_log import EveningLog

MAX_EVENTS = 400
TRIES = 60
MAX_FRAMES = 6000
"""Frames that a slow machine may need to throw and read dice."""
RETHROW_AFTER_S = 10.0
"""Seconds after which dice are thrown again if the table only explains why they do not count."""
THROWS = 12
LEFT_OUT = ("forfeit",)
"""Excluded events: the match ends by its rules."""


async def play(
    evening: SceneContext, session: Any, log: EveningLog, random: Random, until: Callable[[], bool] = lambda: False
) -> None:
    """Play to the end of the match. Every event is a choice of the greedy player or is read from the tray."""
    for _ in range(MAX_EVENTS):
        if session.game.finished(session.state) or until():
            return
        before = session.sequence
        fields: Fields = {}
        if thrown_here(evening):
            await throw(evening, session)
        else:
            fields = next_event(session, random)
            await one_event(evening, session, fields, random)
        assert session.sequence > before, f"{fields} left it in {session.state.phase}: {evening.table.texts()}"
        log.events += 1
    raise AssertionError(f"not over after {MAX_EVENTS} events: {session.state.phase}, turn {session.state.turn}")


def next_event(session: Any, random: Random) -> Fields:
    """Return a legal event that the screen offers: dice, or one of the choices."""
    tried = []
    for _ in range(TRIES):
        fields = greedy_event(session.state, random) or session.game.random_event(session.state, random)
        if fields["event"] in LEFT_OUT:
            continue
        if dice_of(session, fields) or possible(session, fields):
            return fields
        tried.append(fields)
    raise AssertionError(f"the screen offers none of {tried}")


async def one_event(evening: SceneContext, session: Any, fields: Fields, random: Random) -> None:
    """Record an event by touch."""
    dice = dice_of(session, fields)
    if dice:
        await enter_dice(evening, dice, random)
    elif fields["event"] == "change":
        await change(evening, session, fields)
    elif fields["event"] == "tactics":
        await choose_in_secret(evening, session, fields)
    else:
        await act(evening, session, fields)
    await evening.table.frames(2)


# Dice


def dice_of(session: Any, fields: Fields) -> tuple[Die, ...]:
    """Return the dice that make an event; none for a choice."""
    if not session.decision().dice:
        return ()
    dice = session.game.dice_from_event(fields)
    return tuple(dice) if dice and session.game.event_from_dice(session.state, dice) == fields else ()


async def enter_dice(evening: SceneContext, dice: tuple[Die, ...], random: Random) -> None:
    """Enter a face for every die, row by row; faces that the event does not fix are random."""
    rows = face_rows(evening)
    assert len(rows._buttons) >= len(dice), evening.table.texts()
    for buttons, die in zip_longest(rows._buttons, dice):
        if die is None:
            await evening.table.tap_widget(random.choice(buttons))
            continue
        wanted = (die.value, die.colour, die.symbol)
        faces = [(button, (button.face.value, button.face.colour, button.face.symbol)) for button in buttons]
        await evening.table.tap_widget(next(button for button, face in faces if face == wanted))


def thrown_here(evening: SceneContext) -> bool:
    """Return True if dice are awaited from a simulated table and nothing must be entered first."""
    session = evening.table.app.session
    return session.dice.camera is not None and bool(session.decision().dice)


async def throw(evening: SceneContext, session: Any) -> None:
    """Tap the simulated tray once; enter an uncertain die, and rethrow dice that may already have counted."""
    table, before, throw_prompt = evening.table, session.sequence, evening.translate("app.table.throw_here")

    def roll_handled() -> bool:
        return session.sequence > before or bool(session.dice.question)

    for _ in range(THROWS):
        await table.until(lambda: roll_handled() or table.has(throw_prompt), MAX_FRAMES)
        if session.dice.question:
            await table.tap_widget(table.taps()[0])
        elif session.sequence == before:
            await evening.tap("app.table.throw_here")
        await lie_still(evening, roll_handled)
        if session.sequence > before:
            return
    raise AssertionError(f"{THROWS} throws and none counts: {table.texts()}")


async def lie_still(evening: SceneContext, roll_handled: Callable[[], bool]) -> None:
    """Wait until the dice count, a question appears, or the table explains why they do not count."""
    from kivy.clock import Clock

    desk, late = evening.table.app.session.dice, Clock.get_time() + RETHROW_AFTER_S

    def known() -> bool:
        return roll_handled() or (desk.notice is not None and Clock.get_time() > late)

    await evening.table.until(known, MAX_FRAMES)


# Players


async def choose_in_secret(evening: SceneContext, session: Any, fields: Fields) -> None:
    """Make the tactical choice of the greedy player; it is covered until only its club looks at the screen."""
    event = {"event": fields["event"], "side": fields["side"]}
    telling = next(choice for choice in session.decision().choices if choice.prompts and choice.event == event)
    await tap_choice(evening, telling)
    await evening.table.hold(evening.translate("app.secret.alone"))
    await evening.tap("app.tactics.advised")
    await evening.tap("app.tactics.done")


async def change(evening: SceneContext, session: Any, fields: Fields) -> None:
    """Substitute a bench player for a permitted player in the line-up editor, and confirm."""
    table, navigator = evening.table, evening.table.app.navigator
    before = session.sequence
    await tap_choice(evening, choice_of(session, {"event": "change", "side": fields["side"]}))
    assert navigator.back_stack[-1].name == "lineup"
    bench = [tap for tap in table.taps() if type(tap).__name__ == "BenchRow"]
    for at in range(len(bench)):
        rows = [tap for tap in table.taps() if type(tap).__name__ == "BenchRow"]
        await table.tap_widget(rows[at])
        fits = [tap for tap in table.taps() if type(tap).__name__ == "PlayerToken" and tap.dash]
        if not fits:
            continue
        await table.tap_widget(fits[0])
        await evening.tap("app.lineup.validate")
        if session.sequence > before:
            return
        await evening.tap("app.close")
        await evening.tap("app.back")
        await tap_choice(evening, choice_of(session, {"event": "change", "side": fields["side"]}))
    raise AssertionError(f"nobody of {fields['side']} can be replaced: {table.texts()}")


async def correct_a_throw(evening: SceneContext, session: Any) -> None:
    """Change the last die to another face in the timeline, check the preview, and restore it."""
    table = evening.table
    await table.tap_widget(next(tap for tap in table.taps() if type(tap).__name__ == "LastEventButton"))
    assert table.app.navigator.back_stack[-1].name == "timeline"
    await evening.tap("app.timeline.correct_dice")
    assert table.app.navigator.back_stack[-1].name == "correct"
    rows = face_rows(evening)
    was = [next(button for button in buttons if button.on) for buttons in rows._buttons]
    other = next(button for button in rows._buttons[-1] if button is not was[-1])
    entries, word = len(session.ledger.all_events), table.app.session.ledger.newest.line
    await table.tap_widget(other)
    await evening.capture("12-whole-correct")
    await evening.tap("app.correct.do")
    assert len(session.ledger.all_events) == entries + 1
    assert next(row for row in session.timeline() if row.line == word).is_corrected
    await evening.tap("app.back")


def is_press_tempting(state: Any) -> bool:
    """Return True after a save, if only the consent of FC-8.11 keeps the beaten club from pressing."""
    if state.phase != "counter":
        return False
    presses = (choice for choice in FOOTCLUB.decision(state).choices if choice.event["event"] == "press")
    return any(choice.disabled_reason and choice.disabled_reason.rule == "FC-8.11" for choice in presses)


async def press_too_early(evening: SceneContext, session: Any) -> None:
    """Touch the barred press of the beaten club after a save: the table explains it and records nothing (FC-8.11)."""
    table, before = evening.table, session.sequence
    label = evening.translate("footclub.card.pressing")
    presses = [tap for tap in table.taps() if getattr(tap, "is_unavailable", False) and label in tap.spoken_name()]
    await table.tap_widget(presses[0])
    await table.frames(2)
    assert session.sequence == before
    assert any("FC-8.11" in line for line in table.texts()), table.texts()
    await evening.capture("08-whole-too-early")
