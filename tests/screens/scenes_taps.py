"""Number of taps of the most frequent actions, counted at Kivy's input and saved with their limits."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from typing import Any

from companion.games.base import Fields
from tests.app.evening import SceneContext
from tests.screens import scenes_hoops21, scenes_nba, stage_hoops21
from tests.screens.acting import act
from tests.screens.scenes import open_table, tap_first, watched
from tests.screens.scenes_correct import hold_fact, thrown

COUNTS = "taps.json"
"""File in the scenario's folder: for each action its taps and the limit."""


@dataclass
class TouchCount:
    """Counter of touch-down events."""

    count: int = 0


@contextmanager
def count_touches() -> Iterator[TouchCount]:
    """Count every touch-down, from any source."""
    from kivy.base import EventLoop

    touches, post = TouchCount(), EventLoop.post_dispatch_input

    def counting(kind: str, touch: Any) -> Any:
        touches.count += kind == "begin"
        return post(kind, touch)

    EventLoop.post_dispatch_input = counting
    try:
        yield touches
    finally:
        EventLoop.post_dispatch_input = post


def legal(session: Any, event: str, *, wanted: Callable[[Fields], bool] = lambda _: True) -> Fields:
    """Return a legal event of that name, found with the game's random player."""
    for seed in range(400):
        fields: Fields = session.game.random_event(session.state, Random(seed))
        if fields["event"] == event and wanted(fields):
            return fields
    raise LookupError(f"no {event} in 400 tries")


async def tackle(evening: SceneContext) -> int:
    """Start a tackle up to its awaited dice."""
    session = await open_table(evening, "possession", watched())
    return await _named(evening, session, "footclub.card.tackle", "duel")


async def offensive(evening: SceneContext) -> int:
    """Start an offensive up to its awaited dice."""
    session = await open_table(evening, "attack", watched())
    return await _named(evening, session, "footclub.card.positional_attack", "offensive")


async def _named(evening: SceneContext, session: Any, card: str, phase: str) -> int:
    """Play a FootClub card at a section of its ribbon; the player that it names is then on the screen."""
    with count_touches() as touches:
        await tap_first(evening, card)
        tiles = [tap for tap in evening.table.taps() if type(tap).__name__ == "PlaceTile" and not tap.is_unavailable]
        player = tiles[0].detail
        await evening.table.tap_widget(tiles[0])
    assert session.state.phase == phase
    assert any(player.split()[-1] in text for text in evening.table.texts()), f"{player} is not named"
    return touches.count


async def nba_tactic(evening: SceneContext) -> int:
    """Activate a tactic; taps that enter its dice are not counted for the tactic."""
    session = await scenes_nba.open_table(evening, "defended")
    fields = legal(session, "activate")
    return await _played(evening, session, fields) - len(fields["dice"])


async def hoops21_throw(evening: SceneContext) -> int:
    """Throw dice that the camera reads, without a tap."""
    reader = stage_hoops21.watched()
    session = await scenes_hoops21.open_table(evening, "throw", reader)
    before = session.sequence
    with count_touches() as touches:
        reader.throw(stage_hoops21.dice_row("orange", "bbbpsf") + stage_hoops21.dice_row("white", "bbpssf"))
        await evening.table.frames(12)
    assert session.sequence > before, "the throw was not read"
    return touches.count


async def correction(evening: SceneContext) -> int:
    """Correct the last die from the table."""
    session = await thrown(evening, 5, 6)
    line = session.ledger.newest.line
    with count_touches() as touches:
        await hold_fact(evening)
        faces = [tap for tap in evening.table.taps() if type(tap).__name__ == "FaceButton"]
        await evening.table.tap_widget(faces[0])
    assert next(row for row in session.timeline() if row.line == line).is_corrected
    return touches.count


async def undo(evening: SceneContext) -> int:
    """Undo the last event."""
    session = await thrown(evening, 5, 6)
    standing = len(session.ledger.events)
    with count_touches() as touches:
        await evening.tap("app.table.undo")
    assert len(session.ledger.events) == standing - 1
    return touches.count


async def _played(evening: SceneContext, session: Any, fields: Fields) -> int:
    before = session.sequence
    with count_touches() as touches:
        await act(evening, session, fields)
    assert session.sequence == before + 1, f"{fields} was not recorded"
    return touches.count


DONE: dict[str, tuple[Callable[[SceneContext], Awaitable[int]], int]] = {
    "footclub tackle": (tackle, 2),
    "footclub offensive": (offensive, 3),
    "nba tactic": (nba_tactic, 3),
    "hoops21 throw": (hoops21_throw, 1),
    "correction of the last die": (correction, 2),
    "undo": (undo, 1),
}
"""Actions, and their maximum number of taps without dice."""


async def taps(evening: SceneContext) -> None:
    """Perform and count all actions."""
    found = {name: {"touches": await play(evening), "most": most} for name, (play, most) in DONE.items()}
    (evening.folder / COUNTS).write_text(json.dumps(found), encoding="utf-8")


SCENES: dict[str, Callable[[SceneContext], Awaitable[None]]] = {"taps": taps}
