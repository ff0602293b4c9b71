"""What is shown of a match, scene after scene: every phase, every sheet, every doubt, timeline and correction."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from tests.app.evening import Evening
from tests.screens import stage
from vision.roll import Doubt

Scene = Callable[["Evening"], Awaitable[None]]

PHASES = (
    "ball", "preparation", "possession", "counter", "duel", "attack", "offensive", "set_piece", "corner", "end_of_turn",
    "half_time", "full_time", "shootout", "finished",
)  # fmt: skip
NAMES_MATTER = ("offensive", "duel", "possession", "half_time")


async def open_table(evening: Evening, name: str, reader: Any = None, long: bool = False) -> Any:
    """A match in a situation, on the table screen; its session."""
    app = evening.table.app
    app.end_session()
    app.navigator.go_home()
    app.session = stage.situation(app.matches, name, reader, long)
    app.open("table", session=app.session)
    await evening.table.frames(6)
    return app.session


def watched() -> stage.StagedReader:
    """A reader whose camera sees an empty tray."""
    reader = stage.StagedReader()
    reader.wake()
    return reader


async def phases(evening: Evening) -> None:
    """Every phase with a camera, and without one."""
    for name in PHASES:
        await open_table(evening, name, watched())
        await evening.look(f"04-{name}")
    for name in ("ball", "duel", "offensive"):
        await open_table(evening, name)
        await evening.look(f"08-by-touch-{name}")


async def long_names(evening: Evening) -> None:
    """Clubs and players with names as long as they get."""
    for name in NAMES_MATTER:
        await open_table(evening, name, watched(), long=True)
        await evening.look(f"04-long-{name}")


async def asks(evening: Evening) -> None:
    """The sheets that complete a choice, the list of further choices, the menu, the camera, the pause."""
    table = evening.table
    await open_table(evening, "possession", watched())
    await tap_first(evening, "footclub.card.tackle")
    await evening.look("06-place")
    await evening.tap("app.close")
    await tap_first(evening, "footclub.card.pressing")
    tiles = [tap for tap in table.taps() if type(tap).__name__ == "PlaceTile"]
    await table.tap_widget(tiles[0])
    await evening.look("06-two-places")
    await evening.tap("app.close")
    await open_table(evening, "preparation", watched())
    await table.tap_widget(starting(evening, evening.words("app.table.more", count=0).split("(")[0]))
    await evening.look("04-more")
    await evening.tap("app.close")
    await evening.tap("app.table.menu")
    await evening.look("04-menu")
    await evening.tap("app.table.menu_pause")
    await evening.look("04-pause")
    await table.touch(*table.root.center)
    await evening.tap("app.table.camera")
    await evening.look("04-camera")
    await evening.tap("app.close")
    for name in ("corner", "end_of_turn"):
        await open_table(evening, name, watched())
        filled = next(
            tap
            for tap in table.taps()
            if getattr(tap, "prominence", 0) == 1 and not getattr(tap, "is_unavailable", False)
        )
        await table.tap_widget(filled)
        await evening.look(f"06-pick-{name}")


async def explained(evening: Evening) -> None:
    """A barred choice says why; an undo says what it took back."""
    table = evening.table
    await open_table(evening, "attack", watched())
    await table.tap_widget(next(tap for tap in table.taps() if getattr(tap, "is_unavailable", False)))
    await evening.look("08-refused")
    await evening.tap("app.table.undo")
    await evening.look("04-taken-back")


async def doubts(evening: Evening) -> None:
    """A die in doubt, one too many, one missing, the camera lost."""
    for name, dice in (
        ("07-face", (stage.lying(3, 110, 120), stage.lying(5, 400, 60, Doubt.COCKED, 3))),
        ("07-two-doubts", (stage.lying(3, 110, 120, Doubt.FACE, 2), stage.lying(5, 400, 60, Doubt.COCKED, 3))),
        ("07-extra", (stage.lying(3, 110, 120), stage.lying(5, 400, 60), stage.lying(6, 300, 220))),
        (
            "07-things",
            (
                stage.lying(3, 110, 120),
                stage.lying(5, 400, 60),
                *(stage.lying(1, 90 * place, 300, Doubt.FOREIGN) for place in range(1, 5)),
            ),
        ),
        ("08-missing", (stage.lying(4, 110, 120),)),
    ):
        reader = watched()
        await open_table(evening, "duel", reader)
        reader.throw(dice)
        await evening.table.frames(8)
        await evening.look(name)
    await evening.table.tap(evening.words("app.table.tell_this_die"))
    await evening.look("08-tell-missing")
    reader = watched()
    await open_table(evening, "offensive", reader)
    reader.throw((stage.lying(1, 110, 120), stage.lying(6, 400, 60)))
    await evening.table.frames(8)
    await evening.look("07-whose")
    for name in ("duel", "offensive", "ball"):
        reader = watched()
        await open_table(evening, name, reader)
        reader.lose()
        await evening.table.frames(8)
        await evening.look(f"08-camera-lost-{name}")


async def counted(evening: Evening) -> None:
    """Dice that were read lie in the tray and count no more."""
    reader = watched()
    await open_table(evening, "duel", reader)
    reader.throw((stage.lying(5, 110, 120), stage.lying(6, 400, 60)))
    await evening.table.frames(8)
    await evening.look("05-read")


async def timeline(evening: Evening) -> None:
    """Every fact, with undone and corrected ones; a fact with its picture; correction of dice and of a choice."""
    app, table = evening.table.app, evening.table
    app.end_session()
    app.navigator.go_home()
    app.session = app.matches.start("footclub", stage.kick_off())
    app.open("timeline", session=app.session)
    await evening.look("12-timeline-empty")
    reader = watched()
    session = await open_table(evening, "duel", reader)
    reader.throw((stage.lying(5, 110, 120), stage.lying(6, 400, 60)))
    await table.frames(8)
    thrown = session.ledger.newest.line
    session.record({"event": "leave", "side": other(session)}) if session.state.phase == "possession" else None
    session.undo()
    app.open("timeline", session=session)
    await evening.look("12-timeline")
    app.navigator.page.pick(thrown)
    await evening.look("12-fact")
    app.open("correct", session=session, line=thrown)
    await evening.look("12-correct-dice")
    faces = [tap for tap in table.taps() if type(tap).__name__ == "FaceButton"]
    await table.tap_widget(faces[0])
    await table.tap_widget(faces[6])
    await evening.look("12-correct-preview")
    await evening.tap("app.correct.do")
    await evening.look("12-timeline-corrected")
    line = next(row.line for row in session.timeline() if row.fields["event"] == "tackle" and row.is_active)
    app.open("correct", session=session, line=line)
    await evening.look("12-correct-choice")
    await table.tap_widget(starting(evening, evening.words("footclub.do.leave")))
    await evening.look("12-correct-broken")


def other(session: Any) -> str:
    """The side without the ball."""
    return str(session.state.defenders)


def starting(evening: Evening, words: str) -> Any:
    """The first thing to tap whose name begins so."""
    taps = {tap.spoken_name(): tap for tap in evening.table.taps()}
    found = next((name for name in taps if name.startswith(words)), None)
    assert found is not None, f"nothing begins with {words!r}: {sorted(taps)}"
    return taps[found]


async def tap_first(evening: Evening, id: str) -> None:
    """Taps the first choice whose label is the text of a message id, among the folded ones if need be."""
    words, more = evening.words(id), evening.words("app.table.more", count=0).split("(")[0]
    if not any(tap.spoken_name().startswith(words) for tap in evening.table.taps()):
        await evening.table.tap_widget(starting(evening, more))
    await evening.table.tap_widget(starting(evening, words))


SCENES: dict[str, Scene] = {
    "phases": phases,
    "long_names": long_names,
    "asks": asks,
    "explained": explained,
    "doubts": doubts,
    "counted": counted,
    "timeline": timeline,
}
