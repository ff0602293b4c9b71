"""Correcting without fear, as it is shown: a roll mended where it is seen, what would change, what would break."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any

from companion.table.misreads import MANIFEST, Misreads
from tests.app.evening import Evening
from tests.screens import stage
from tests.screens.scenes import open_table, starting, watched


async def thrown(evening: Evening, *faces: int) -> Any:
    """A tackle on the table, its two dice thrown and read; the session."""
    reader = watched()
    session = await open_table(evening, "duel", reader)
    reader.throw(tuple(stage.lying(face, 110 + 290 * place, 120) for place, face in enumerate(faces)))
    await evening.table.frames(8)
    return session


def named(evening: Evening, kind: str) -> Any:
    """The first thing to touch of a class."""
    return next(tap for tap in evening.table.taps() if type(tap).__name__ == kind)


async def hold_fact(evening: Evening) -> None:
    """A finger stays on the newest fact until the roll opens."""
    fact = named(evening, "LastFact")
    await evening.table.touch(*fact.to_window(*fact.center), hold=1.1)
    await evening.table.rest()


async def mended(evening: Evening) -> None:
    """The newest roll, held open from the bar: a face tapped is written at once, the fact carries the pencil."""
    table = evening.table
    session = await thrown(evening, 5, 6)
    line = session.ledger.newest.line
    session.misreads = Misreads(evening.folder / "misreads", {}, run=lambda work: work())
    await hold_fact(evening)
    await evening.look("12-mend")
    faces = [tap for tap in table.taps() if type(tap).__name__ == "FaceButton"]
    await table.tap_widget(faces[0])
    await evening.look("12-mended")
    row = next(row for row in session.timeline() if row.line == line)
    assert row.corrected
    assert [die.value for die in session.game.dice(row.fields)] == [1, 6]
    case = json.loads((evening.folder / "misreads" / MANIFEST).read_text(encoding="utf-8"))
    assert sorted(die["value"] for die in case["dice"]) == [1, 6], "what the reader got wrong is a case from now on"
    table.app.open("timeline", session=session)
    table.app.room.page.pick(line)
    await evening.look("12-fact-mended")
    await table.tap_widget(named(evening, "TouchedPhotograph"))
    await evening.look("12-mend-from-picture")


async def consequences(evening: Evening) -> None:
    """What an older roll would change is shown first; a fact may turn out to be another one altogether."""
    table, app = evening.table, evening.table.app
    session = await open_table(evening, "end_of_turn", watched())
    rolls = [event for event in session.ledger.standing if len(session.game.dice(event.fields)) == 2]
    line = rolls[-1].line
    app.open("correct", session=session, line=line)
    await evening.look("12-correct-older")
    faces = [tap for tap in table.taps() if type(tap).__name__ == "FaceButton"]
    was = [face for face in faces if face.was]
    for row in (faces[:6], faces[6:]):
        other = next(face for face in row if face not in was)
        await table.tap_widget(other)
    await evening.look("12-correct-consequences")
    if any(tap.spoken_name() == evening.words("app.correct.other") for tap in table.taps()):
        await evening.tap("app.correct.other")
        await evening.look("12-correct-other")
        await evening.tap("app.correct.the_dice")
    await evening.tap("app.back")


async def replaced(evening: Evening) -> None:
    """A choice tapped by mistake is replaced by another, and everything after it stands or is named."""
    table, app = evening.table, evening.table.app
    session = await open_table(evening, "possession", watched())
    side = session.awaits().sides[0]
    session.record({"event": "leave", "side": side})
    line = session.ledger.newest.line
    app.open("correct", session=session, line=line)
    await evening.look("12-replace")
    await table.tap_widget(starting(evening, evening.words("footclub.card.tackle")))
    await table.tap_widget(next(tap for tap in table.taps() if type(tap).__name__ == "PlaceTile" and not tap.barred))
    await evening.look("12-replaced")
    await evening.tap("app.correct.do")
    assert session.ledger.newest.line == line
    assert session.ledger.newest.fields["event"] == "tackle"
    assert session.state.phase == "duel"


SCENES: dict[str, Callable[[Evening], Awaitable[None]]] = {
    "mended": mended,
    "consequences": consequences,
    "replaced": replaced,
}
