"""Parts of a match by touch alone: from home to a goal, an undo, a correction, a power cut, and resumption."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Awaitable, Callable
from typing import Any

from companion.games.base import Choice, Die, Message
from tests.app.evening import SceneContext, prepare
from tests.screens.acting import face_rows, tap_choice
from tests.screens.scenes import open_table, watched

MAX_TAPS = 150
NOTICE_S = 3600.0
"""Seconds: temporary messages stay long enough for a slow machine to check them."""
STATE_FILE = "state.json"
"""The match state before the power cut, in the scenario's folder."""


def patient() -> None:
    """Make temporary messages stay."""
    from companion.app.screens import table_state

    table_state.UNDO_NOTICE_S = table_state.REASON_NOTICE_S = NOTICE_S


async def goal_and_power_cut(evening: SceneContext) -> None:
    """Play from home to a goal, undo and redo it, correct a throw; then cut the power."""
    await prepare(evening)
    await evening.tap("app.clubs.kick_off")
    await evening.table.frames(6)
    session = evening.table.app.session
    await play_until(evening, lambda: sum(session.state.score) == 1)
    await evening.capture("04-goal")
    patient()
    await evening.tap("app.table.undo")
    assert sum(session.state.score) == 0
    await evening.tap("app.table.redo")
    assert sum(session.state.score) == 1
    await correct_last_throw(evening)
    (evening.folder / STATE_FILE).write_text(json.dumps(session.game.view(session.state)), encoding="utf-8")
    os.kill(os.getpid(), signal.SIGKILL)


async def correct_last_throw(evening: SceneContext) -> None:
    """Correct the attack die to a 1, so that there is no goal: use the timeline and check the preview before saving."""
    table, session = evening.table, evening.table.app.session
    shot = session.ledger.newest.line
    await table.tap_widget(next(tap for tap in table.taps() if type(tap).__name__ == "LastEventButton"))
    await evening.tap("app.timeline.correct_dice")
    faces = [tap for tap in table.taps() if type(tap).__name__ == "FaceButton"]
    await table.tap_widget(faces[5])
    await table.tap_widget(faces[6])
    await evening.capture("12-correct-goal")
    assert sum(session.state.score) == 1
    await evening.tap("app.correct.do")
    row = next(row for row in session.timeline() if row.line == shot)
    assert row.is_corrected
    assert sum(session.state.score) == 0


async def find_the_match(evening: SceneContext) -> None:
    """After the power cut all is there, including the correction and the undone event, and play continues."""
    await evening.tap("app.home.resume")
    session = evening.table.app.session
    before = json.loads((evening.folder / STATE_FILE).read_text(encoding="utf-8"))
    assert json.loads(json.dumps(session.game.view(session.state))) == before
    rows = session.timeline()
    assert sum(row.is_corrected for row in rows) == 1
    assert sum(not row.is_active for row in rows) == 1
    await evening.capture("04-resumed")
    entries = len(session.ledger.all_events)
    await play_until(evening, lambda: len(session.ledger.all_events) >= entries + 3)
    await evening.capture("04-played-on")


async def play_until(evening: SceneContext, done: Callable[[], bool]) -> None:
    """Tap choices that lead to shots, and shots that lead to goals, until `done`.

    Raises: AssertionError after too many taps.
    """
    session = evening.table.app.session
    for _ in range(MAX_TAPS):
        if done():
            return
        await play_on(evening, session)
    raise AssertionError(f"not done after {MAX_TAPS} steps; phase {session.state.phase}")


async def play_on(evening: SceneContext, session: Any) -> None:
    """Take one step: leave the ball, attack, throw, discard, choose."""
    phase, table = session.state.phase, evening.table
    if phase in ("preparation", "possession"):
        await table.tap(evening.translate("footclub.do.leave"))
    elif phase == "counter":
        await table.tap(evening.translate("footclub.do.no_counter"))
    elif session.decision().required_before_dice is not None:
        await table.tap(evening.translate("footclub.do.green_light"))
    elif phase == "attack":
        await attack(evening, session)
    elif phase in ("corner", "end_of_turn"):
        await pick(evening, session)
    else:
        await throw(evening)
    await table.frames(3)


async def attack(evening: SceneContext, session: Any) -> None:
    """Start an offensive at the first available place, or none."""
    table = evening.table
    choices = [tap for tap in table.taps() if getattr(tap, "is_unavailable", None) is False]
    offers = [tap for tap in choices if tap.text.endswith("…")]
    kinds = {evening.translate(f"footclub.card.{kind}") for kind in ("positional_attack", "solo_effort")}
    starts = [tap for tap in offers if tap.text.removesuffix("…") in kinds]
    if not starts:
        await table.tap(evening.translate("footclub.do.no_offensive"))
        return
    name = starts[0].text_name()

    def tiles() -> list[Any]:
        return [tap for tap in table.taps() if type(tap).__name__ == "PlaceTile" and not tap.is_unavailable]

    for _ in range(MAX_TAPS):  # a new choice ignores taps for a moment (SCREENS 4.7)
        if tiles():
            break
        await table.tap(name)
        await table.frames(20)
    await table.tap_widget(tiles()[0])
    assert session.state.phase == "offensive"


async def pick(evening: SceneContext, session: Any) -> None:
    """Open the filled choice and pick rows until it is recorded."""
    table, before = evening.table, session.sequence
    await table.tap_widget(next(tap for tap in table.taps() if getattr(tap, "prominence", 0) == 1))
    for _ in range(12):
        if session.sequence != before:
            return
        rows = [
            tap for tap in table.taps() if hasattr(tap, "prominence") and tap.prominence == 2 and not tap.is_unavailable
        ]
        rows = rows or [tap for tap in table.taps() if hasattr(tap, "prominence") and not tap.is_unavailable]
        await table.tap_widget(rows[0])
        await table.frames(2)


async def throw(evening: SceneContext) -> None:
    """Enter the awaited dice: the lowest face first, the highest for the last die of several sides."""
    table = evening.table
    faces = [tap for tap in table.taps() if type(tap).__name__ == "FaceButton"]
    rows = [faces[start : start + 6] for start in range(0, len(faces), 6)]
    for number, row in enumerate(rows):
        await table.tap_widget(row[0] if number == 0 and len(rows) > 1 else row[5])


async def tap_safeguards(evening: SceneContext) -> None:
    """A late tap is dropped, new choices sleep, a reason disappears with the next event, a forfeit must be held."""
    table = evening.table
    patient()
    session = await open_table(evening, "attack", watched())
    page, sequence = table.app.navigator.page, session.sequence
    page.choose(Choice({"event": "no_offensive", "side": session.state.possession}, Message("x")), sequence - 1)
    assert session.sequence == sequence
    await table.frames(3)
    await table.tap_widget(next(tap for tap in table.taps() if getattr(tap, "is_unavailable", False)))
    assert page.table_memory.reason() is not None
    session.record({"event": "no_offensive", "side": session.state.possession})
    page.changed()
    assert page.table_memory.reason() is None
    fresh = [tap for tap in table.walk(page) if hasattr(tap, "prominence")]
    assert fresh
    assert all(tap.wakes_at > 0 for tap in fresh)
    await table.frames(3)
    await evening.tap("app.table.menu")
    forfeit = next(
        tap for tap in table.taps() if tap.spoken_name().startswith(evening.translate("footclub.do.forfeit"))
    )
    await table.tap_widget(forfeit)
    assert not session.game.finished(session.state)
    await table.hold(forfeit.spoken_name())
    assert session.game.finished(session.state)
    await evening.capture("04-forfeit")


async def late_touches(evening: SceneContext) -> None:
    """A touch does not count if the reader's roll removed its target under the finger or before the redraw."""
    table, app = evening.table, evening.table.app
    for late, name, reader in LATE:
        session = await open_table(evening, name, reader and reader())
        entries = len(session.ledger.all_events)
        await late(evening, session)
        await table.frames(3)
        assert len(session.ledger.all_events) == entries + 1, late.__name__
        assert app.navigator.sheets == [], late.__name__
        visible_labels = {tap.text.removesuffix("…") for tap in table.taps() if type(tap).__name__ == "ChoiceButton"}
        choices = [
            choice for choice in session.decision().choices if choice.disabled_reason is None and not choice.menu
        ]
        assert not choices or visible_labels & {app.text(choice.label) for choice in choices}, late.__name__


def roll(session: Any) -> None:
    """Record another event than the touched one, as the reader would."""
    if session.state.phase == "attack":
        session.record({"event": "no_offensive", "side": session.state.possession}, by="camera")
    else:
        session.enter_dice([Die(await_.kind, 6) for await_ in session.decision().dice for _ in range(await_.count)])


async def lifted_late(evening: SceneContext, session: Any) -> None:
    """Fingers that came down on each choice before the roll are lifted after the page shows other choices."""
    from kivy.base import EventLoop

    table = evening.table
    buttons = [tap for tap in table.taps() if type(tap).__name__ == "ChoiceButton"]
    fingers = [table.finger(*button.to_window(*button.center)) for button in buttons]
    for finger in fingers:
        EventLoop.post_dispatch_input("begin", finger)
    roll(session)
    await table.seconds(0.4)
    for finger in fingers:
        finger.update_time_end()
        EventLoop.post_dispatch_input("end", finger)
        await table.rest()


async def touched_before_it_is_drawn(evening: SceneContext, session: Any) -> None:
    """The touch and the roll arrive in the same frame."""
    page, choices, sequence = evening.table.app.navigator.page, session.decision().choices, session.sequence
    button = next(button for edge in page.pieces.buttons for button in edge)
    roll(session)
    button.dispatch("on_tap")
    for choice in choices:
        page.choose(choice, sequence)


async def folded_late(evening: SceneContext, session: Any) -> None:
    """The list of folded choices opens in the frame of the roll, when its choices no longer exist."""
    table, page = evening.table, evening.table.app.navigator.page
    offers = page.edge_offers(session.decision(), session.state.possession, 2)
    roll(session)
    offers[-1].tap()
    if table.app.navigator.sheets:
        for row in [tap for tap in table.taps() if type(tap).__name__ == "ChoiceButton"]:
            row.dispatch("on_tap")


async def told_late(evening: SceneContext, session: Any) -> None:
    """Dice are entered by touch in the frame in which the reader has reported them."""
    faces = [buttons[0] for buttons in face_rows(evening)._buttons]
    roll(session)
    for face in faces:
        face.dispatch("on_tap")


async def half_entered(evening: SceneContext) -> None:
    """A die entered by touch stays through a redraw and a visit to the timeline, until another throw is due."""
    table, session = evening.table, await open_table(evening, "duel")
    before = session.sequence
    await table.tap_widget(face_rows(evening)._buttons[0][4])
    table.app.navigator.page.changed()
    await table.frames(2)
    assert face_rows(evening).faces[0] is not None, "the redraw wipes the die"
    await table.tap_widget(next(tap for tap in table.taps() if type(tap).__name__ == "LastEventButton"))
    await evening.tap("app.back")
    assert face_rows(evening).faces[0] is not None, "leaving the page wipes the die"
    await table.tap_widget(face_rows(evening)._buttons[1][2])
    assert session.sequence == before + 1, table.texts()
    await evening.tap("app.table.undo")
    assert face_rows(evening).faces == [None, None], "the dice of another throw stay"


LATE: tuple[tuple[Callable[[SceneContext, Any], Awaitable[None]], str, Callable[[], Any] | None], ...] = (
    (lifted_late, "attack", watched),
    (touched_before_it_is_drawn, "attack", watched),
    (folded_late, "attack", watched),
    (told_late, "duel", None),
)
"""Late touches, with the situation in which they occur and the reader used."""


async def alike_at_both_edges(evening: SceneContext) -> None:
    """Of two choices with the same label, the one at the edge of its own side is tapped."""
    session = await open_table(evening, "half_time", watched())
    for side in reversed(session.game.sides):
        choices = session.decision().choices
        choice = next(one for one in choices if one.event["event"] == "tactics" and one.side == side and one.prompts)
        assert any(other.label == choice.label and other.side != side for other in session.decision().choices)
        await tap_choice(evening, choice)
        navigator = evening.table.app.navigator
        await evening.table.until(
            lambda navigator=navigator, side=side: navigator.page.route.args.get("side") == side, frames=60
        )
        await evening.tap("app.back")


EVENINGS: dict[str, Callable[[SceneContext], Awaitable[None]]] = {
    "goal": goal_and_power_cut,
    "resume": find_the_match,
    "manners": tap_safeguards,
    "late_touches": late_touches,
    "alike": alike_at_both_edges,
    "half_entered": half_entered,
}
