"""A whole FootClub match by touch, as the sound player would play it: cards, dice, changes, secrets, corrections."""

from __future__ import annotations

from collections.abc import Callable
from itertools import zip_longest
from random import Random
from typing import Any

from companion.games.base import Die, Fields
from companion.games.footclub.sound_player import sound_event
from tests.app.evening import Evening
from tests.screens.acting import act, choice_of, possible, tap_choice
from tests.screens.whole_log import Log

MOST_EVENTS = 400
TRIES = 60
SLOW = 6000
"""Frames that a slow machine may take to throw and to read dice."""
PATIENCE = 10.0
"""Seconds after which dice that only made the table say why they do not count are thrown again."""
THROWS = 12
LEFT_OUT = ("forfeit",)
"""The match ends by its rules."""


async def play(
    evening: Evening, session: Any, log: Log, random: Random, until: Callable[[], bool] = lambda: False
) -> None:
    """To the end of the match. Every event is one that the sound player would choose, or what the tray shows."""
    for _ in range(MOST_EVENTS):
        if session.game.finished(session.state) or until():
            return
        before = session.sequence
        fields: Fields = {}
        if thrown_here(evening):
            await throw(evening, session)
        else:
            fields = next_event(session, random)
            await one_event(evening, session, fields, random)
        assert session.sequence > before, f"{fields} left it in {session.state.phase}: {evening.table.words()}"
        log.events += 1
    raise AssertionError(f"not over after {MOST_EVENTS} events: {session.state.phase}, turn {session.state.turn}")


def next_event(session: Any, random: Random) -> Fields:
    """A legal event that the screen offers: dice, or one of the choices."""
    tried = []
    for _ in range(TRIES):
        fields = sound_event(session.state, random)
        if fields["event"] in LEFT_OUT:
            continue
        if dice_of(session, fields) or possible(session, fields):
            return fields
        tried.append(fields)
    raise AssertionError(f"the screen offers none of {tried}")


async def one_event(evening: Evening, session: Any, fields: Fields, random: Random) -> None:
    """Records an event by touch."""
    dice = dice_of(session, fields)
    if dice:
        await tell(evening, dice, random)
    elif fields["event"] == "change":
        await change(evening, session, fields)
    elif fields["event"] == "tactics":
        await choose_in_secret(evening, session, fields)
    else:
        await act(evening, session, fields)
    await evening.table.frames(2)


# Dice


def dice_of(session: Any, fields: Fields) -> tuple[Die, ...]:
    """The dice that make an event; none for one that is chosen."""
    if not session.decision().dice:
        return ()
    dice = session.game.dice(fields)
    return tuple(dice) if dice and session.game.throw(session.state, dice) == fields else ()


async def tell(evening: Evening, dice: tuple[Die, ...], random: Random) -> None:
    """A face for every die, row by row; dice of which the event says nothing yet fall by chance."""
    rows = next(widget for widget in evening.table.walk() if type(widget).__name__ == "FaceRows")
    assert len(rows._buttons) >= len(dice), evening.table.words()
    for buttons, die in zip_longest(rows._buttons, dice):
        if die is None:
            await evening.table.tap_widget(random.choice(buttons))
            continue
        wanted = (die.value, die.colour, die.symbol)
        faces = [(button, (button.face.value, button.face.colour, button.face.symbol)) for button in buttons]
        await evening.table.tap_widget(next(button for button, face in faces if face == wanted))


def thrown_here(evening: Evening) -> bool:
    """Whether dice are awaited from a simulated table, and nothing else has to be told first."""
    session = evening.table.app.session
    return session.dice.camera is not None and bool(session.decision().dice)


async def throw(evening: Evening, session: Any) -> None:
    """One tap on the simulated tray; a die in doubt is told, and dice that may have counted already thrown again."""
    table, before, words = evening.table, session.sequence, evening.words("app.table.throw_here")

    def settled() -> bool:
        return session.sequence > before or bool(session.dice.question)

    for _ in range(THROWS):
        await table.until(lambda: settled() or table.has(words), SLOW)
        if session.dice.question:
            await table.tap_widget(table.taps()[0])
        elif session.sequence == before:
            await evening.tap("app.table.throw_here")
        await lie_still(evening, settled)
        if session.sequence > before:
            return
    raise AssertionError(f"{THROWS} throws and none counts: {table.words()}")


async def lie_still(evening: Evening, settled: Callable[[], bool]) -> None:
    """Waits until the dice count or are asked for, or until the table says why they do not."""
    from kivy.clock import Clock

    desk, late = evening.table.app.session.dice, Clock.get_time() + PATIENCE

    def known() -> bool:
        return settled() or (desk.notice is not None and Clock.get_time() > late)

    await evening.table.until(known, SLOW)


# Players


async def choose_in_secret(evening: Evening, session: Any, fields: Fields) -> None:
    """The tactical choice as advised; it is covered until its club is alone with the screen."""
    event = {"event": fields["event"], "side": fields["side"]}
    telling = next(choice for choice in session.decision().choices if choice.asks and choice.event == event)
    await tap_choice(evening, telling)
    await evening.table.hold(evening.words("app.tactics.alone"))
    await evening.tap("app.tactics.advised")
    await evening.tap("app.tactics.done")


async def change(evening: Evening, session: Any, fields: Fields) -> None:
    """In the line-up editor: one of the bench for somebody whom he may replace, and the change is validated."""
    table, room = evening.table, evening.table.app.navigator
    before = session.sequence
    await tap_choice(evening, choice_of(session, {"event": "change", "side": fields["side"]}))
    assert room.back_stack[-1].name == "lineup"
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
    raise AssertionError(f"nobody of {fields['side']} can be replaced: {table.words()}")


async def correct_a_throw(evening: Evening, session: Any) -> None:
    """The last die was told wrong: another face from the timeline, what would change is shown, and it is put back."""
    table = evening.table
    await table.tap_widget(next(tap for tap in table.taps() if type(tap).__name__ == "LastEventButton"))
    assert table.app.navigator.back_stack[-1].name == "timeline"
    await evening.tap("app.timeline.correct_dice")
    assert table.app.navigator.back_stack[-1].name == "correct"
    rows = next(widget for widget in table.walk() if type(widget).__name__ == "FaceRows")
    was = [next(button for button in buttons if button.on) for buttons in rows._buttons]
    other = next(button for button in rows._buttons[-1] if button is not was[-1])
    entries, word = len(session.ledger.all_events), table.app.session.ledger.newest.line
    await table.tap_widget(other)
    await evening.look("12-whole-correct")
    await evening.tap("app.correct.do")
    assert len(session.ledger.all_events) == entries + 1
    assert next(row for row in session.timeline() if row.line == word).is_corrected
    await evening.tap("app.back")
