"""How many touches what is done most often takes, counted where they reach Kivy; written beside their limits."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from typing import Any

from companion.games.base import Fields
from tests.app.evening import Evening
from tests.screens import scenes_hoops21, scenes_nba, stage_hoops21
from tests.screens.acting import act
from tests.screens.scenes import open_table, tap_first, watched
from tests.screens.scenes_correct import hold_fact, thrown

COUNTS = "taps.json"
"""In the evening's folder: for each thing done its touches and the most there may be."""


@dataclass
class Touches:
    """Fingers that came down on the glass."""

    count: int = 0


@contextmanager
def counted() -> Iterator[Touches]:
    """Counts every finger that comes down, whoever sends it."""
    from kivy.base import EventLoop

    touches, post = Touches(), EventLoop.post_dispatch_input

    def counting(kind: str, touch: Any) -> Any:
        touches.count += kind == "begin"
        return post(kind, touch)

    EventLoop.post_dispatch_input = counting
    try:
        yield touches
    finally:
        EventLoop.post_dispatch_input = post


def legal(session: Any, event: str, *, wanted: Callable[[Fields], bool] = lambda _: True) -> Fields:
    """An event of that name that is legal now, found by the random hand of the game."""
    for seed in range(400):
        fields: Fields = session.game.random_event(session.state, Random(seed))
        if fields["event"] == event and wanted(fields):
            return fields
    raise LookupError(f"no {event} in 400 tries")


async def tackle(evening: Evening) -> int:
    """A tackle until its dice are awaited."""
    session = await open_table(evening, "possession", watched())
    return await _named(evening, session, "footclub.card.tackle", "duel")


async def offensive(evening: Evening) -> int:
    """An offensive until its dice are awaited."""
    session = await open_table(evening, "attack", watched())
    return await _named(evening, session, "footclub.card.positional_attack", "offensive")


async def _named(evening: Evening, session: Any, card: str, phase: str) -> int:
    """A card of FootClub played at a place of its ribbon; the player it names stands on the screen afterwards."""
    with counted() as touches:
        await tap_first(evening, card)
        tiles = [tap for tap in evening.table.taps() if type(tap).__name__ == "PlaceTile" and not tap.is_unavailable]
        player = tiles[0].detail
        await evening.table.tap_widget(tiles[0])
    assert session.state.phase == phase
    assert any(player.split()[-1] in words for words in evening.table.words()), f"{player} is not named"
    return touches.count


async def nba_tactic(evening: Evening) -> int:
    """A tactic activated; the touches that tell its dice are the dice's, not the tactic's."""
    session = await scenes_nba.open_table(evening, "defended")
    fields = legal(session, "activate")
    return await _played(evening, session, fields) - len(fields["dice"])


async def hoops21_throw(evening: Evening) -> int:
    """A throw that the camera reads: nobody touches anything."""
    reader = stage_hoops21.watched()
    session = await scenes_hoops21.open_table(evening, "throw", reader)
    before = session.sequence
    with counted() as touches:
        reader.throw(stage_hoops21.lying("orange", "bbbpsf") + stage_hoops21.lying("white", "bbpssf"))
        await evening.table.frames(12)
    assert session.sequence > before, "the throw was not read"
    return touches.count


async def correction(evening: Evening) -> int:
    """The last die set right, from the table."""
    session = await thrown(evening, 5, 6)
    line = session.ledger.newest.line
    with counted() as touches:
        await hold_fact(evening)
        faces = [tap for tap in evening.table.taps() if type(tap).__name__ == "FaceButton"]
        await evening.table.tap_widget(faces[0])
    assert next(row for row in session.timeline() if row.line == line).is_corrected
    return touches.count


async def undo(evening: Evening) -> int:
    """The last fact taken back."""
    session = await thrown(evening, 5, 6)
    standing = len(session.ledger.events)
    with counted() as touches:
        await evening.tap("app.table.undo")
    assert len(session.ledger.events) == standing - 1
    return touches.count


async def _played(evening: Evening, session: Any, fields: Fields) -> int:
    before = session.sequence
    with counted() as touches:
        await act(evening, session, fields)
    assert session.sequence == before + 1, f"{fields} was not recorded"
    return touches.count


DONE: dict[str, tuple[Callable[[Evening], Awaitable[int]], int]] = {
    "footclub tackle": (tackle, 2),
    "footclub offensive": (offensive, 3),
    "nba tactic": (nba_tactic, 3),
    "hoops21 throw": (hoops21_throw, 1),
    "correction of the last die": (correction, 2),
    "undo": (undo, 1),
}
"""What is done, and the most touches it may take besides the dice."""


async def taps(evening: Evening) -> None:
    """Everything in turn, counted."""
    found = {name: {"touches": await play(evening), "most": most} for name, (play, most) in DONE.items()}
    (evening.folder / COUNTS).write_text(json.dumps(found), encoding="utf-8")


SCENES: dict[str, Callable[[Evening], Awaitable[None]]] = {"taps": taps}
