"""Scenes of a match: every phase, sheet, question about dice, the timeline and corrections."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from companion.app.display import display
from tests.app.evening import SceneContext
from tests.screens import stage
from vision.roll import Doubt

Scene = Callable[["SceneContext"], Awaitable[None]]

PHASES = (
    "ball", "preparation", "possession", "counter", "duel", "attack", "offensive", "set_piece", "corner", "end_of_turn",
    "half_time", "full_time", "shootout", "finished",
)  # fmt: skip
NAMES_MATTER = ("offensive", "duel", "possession", "half_time")


async def open_table(
    evening: SceneContext,
    name: str,
    reader: Any = None,
    long: bool = False,
    names: Sequence[str] = stage.LONG_NAMES,
) -> Any:
    """Open a match in a situation on the table screen and return its session."""
    app = evening.table.app
    app.end_session()
    app.navigator.go_home()
    app.session = stage.situation(app.matches, name, reader, long, names)
    app.open("table", session=app.session)
    await evening.table.frames(6)
    return app.session


def watched() -> stage.StagedReader:
    """Return a reader whose camera sees an empty tray."""
    reader = stage.StagedReader()
    reader.wake()
    return reader


async def phases(evening: SceneContext) -> None:
    """Every phase, with and without a camera."""
    for name in PHASES:
        await open_table(evening, name, watched())
        await evening.capture(f"04-{name}")
        if name in ("offensive", "shootout"):
            odds = evening.translate("footclub.odds.goal")
            assert any(text.startswith(odds) for text in evening.table.texts()), f"{name}: no odds of the shot"
        if name == "shootout":
            drawn = [piece for piece in evening.table.walk() if type(piece).__name__ == "AttemptsFigure"]
            assert drawn, "the kicks are not shown"
        if name == "preparation" and (display.theme.roomy or not display.portrait):
            starting(evening, evening.translate("footclub.card.tackle"))  # not folded away
        if name == "preparation":
            drawn = [piece for piece in evening.table.walk() if type(piece).__name__ == "PitchFigure"]
            assert drawn, "the pitch gave way to the choices"
    for name in ("ball", "duel", "offensive"):
        await open_table(evening, name)
        await evening.capture(f"08-by-touch-{name}")


async def long_names(evening: SceneContext) -> None:
    """Clubs and players with the longest names."""
    for name in NAMES_MATTER:
        await open_table(evening, name, watched(), long=True)
        await evening.capture(f"04-long-{name}")


async def scripts(evening: SceneContext) -> None:
    """Names in other scripts on the table and on home."""
    for script, names in stage.SCRIPTS.items():
        for name in ("ball", "duel", "offensive"):
            await open_table(evening, name, watched(), long=True, names=names)
            await evening.capture(f"04-{script}-{name}")
        evening.table.app.home()
        await evening.capture(f"01-{script}")


async def prompts(evening: SceneContext) -> None:
    """The sheets that complete a choice, the list of further choices, the menu, the camera, the pause."""
    table = evening.table
    await open_table(evening, "possession", watched())
    await tap_first(evening, "footclub.card.tackle")
    await evening.capture("06-place")
    await evening.tap("app.close")
    await tap_first(evening, "footclub.card.pressing")
    tiles = [tap for tap in table.taps() if type(tap).__name__ == "PlaceTile"]
    await table.tap_widget(tiles[0])
    await evening.capture("06-two-places")
    await evening.tap("app.close")
    await open_table(evening, "preparation", watched())
    await table.tap_widget(starting(evening, evening.translate("app.table.more", count=0).split("(")[0]))
    await evening.capture("04-more")
    await evening.tap("app.close")
    await evening.tap("app.table.menu")
    await evening.capture("04-menu")
    await evening.tap("app.table.menu_pause")
    await evening.capture("04-pause")
    await table.touch(*table.root.center)
    await evening.tap("app.table.camera")
    await evening.capture("04-camera")
    await evening.tap("app.close")
    for name in ("corner", "end_of_turn"):
        await open_table(evening, name, watched())
        filled = next(
            tap
            for tap in table.taps()
            if getattr(tap, "prominence", 0) == 1 and not getattr(tap, "is_unavailable", False)
        )
        await table.tap_widget(filled)
        await evening.capture(f"06-pick-{name}")


async def explained(evening: SceneContext) -> None:
    """A barred choice shows its reason; an undo shows what it removed."""
    table = evening.table
    await open_table(evening, "attack", watched())
    await table.tap_widget(next(tap for tap in table.taps() if getattr(tap, "is_unavailable", False)))
    await evening.capture("08-refused")
    await evening.tap("app.table.undo")
    await evening.capture("04-taken-back")


async def doubts(evening: SceneContext) -> None:
    """An uncertain die, an extra die, a missing die, a lost camera."""
    for name, dice in (
        ("07-face", (stage.die_at(3, 110, 120), stage.die_at(5, 400, 60, Doubt.COCKED, 3))),
        ("07-two-doubts", (stage.die_at(3, 110, 120, Doubt.FACE, 2), stage.die_at(5, 400, 60, Doubt.COCKED, 3))),
        ("07-extra", (stage.die_at(3, 110, 120), stage.die_at(5, 400, 60), stage.die_at(6, 300, 220))),
        (
            "07-things",
            (
                stage.die_at(3, 110, 120),
                stage.die_at(5, 400, 60),
                *(stage.die_at(1, 90 * place, 300, Doubt.FOREIGN) for place in range(1, 5)),
            ),
        ),
        ("08-missing", (stage.die_at(4, 110, 120),)),
    ):
        reader = watched()
        await open_table(evening, "duel", reader)
        reader.throw(dice)
        await evening.table.frames(8)
        await evening.capture(name)
    await evening.table.tap(evening.translate("app.table.tell_this_die"))
    await evening.capture("08-tell-missing")
    reader = watched()
    await open_table(evening, "offensive", reader)
    reader.throw((stage.die_at(1, 110, 120), stage.die_at(6, 400, 60)))
    await evening.table.frames(8)
    await evening.capture("07-whose")
    await open_table(evening, "duel", stage.StagedReader())
    await evening.capture("08-camera-starting")
    forms = [piece for piece in evening.table.walk() if type(piece).__name__ == "FaceRows"]
    assert not forms, "the form for faces flashes up until the camera is there"
    await evening.table.tap(evening.translate("app.table.tell_dice", n=2))
    assert any(type(piece).__name__ == "FaceRows" for piece in evening.table.walk()), "the dice cannot be entered"
    for name in ("duel", "offensive", "ball"):
        reader = watched()
        await open_table(evening, name, reader)
        reader.lose()
        await evening.table.frames(8)
        await evening.capture(f"08-camera-lost-{name}")
        title = evening.table.app.text(evening.table.app.session.decision().title)
        assert title in evening.table.texts(), f"{name}: nothing says which dice to throw"


async def already_read(evening: SceneContext) -> None:
    """Dice that were already read stay in the tray and do not count again."""
    reader = watched()
    await open_table(evening, "duel", reader)
    reader.throw((stage.die_at(5, 110, 120), stage.die_at(6, 400, 60)))
    await evening.table.frames(8)
    await evening.capture("05-read")


async def timeline(evening: SceneContext) -> None:
    """Every event, including undone and corrected ones; an event with its picture; correction of dice and of a
    choice."""
    app, table = evening.table.app, evening.table
    app.end_session()
    app.navigator.go_home()
    app.session = app.matches.start("footclub", stage.kick_off())
    app.open("timeline", session=app.session)
    await evening.capture("12-timeline-empty")
    reader = watched()
    session = await open_table(evening, "duel", reader)
    reader.throw((stage.die_at(5, 110, 120), stage.die_at(6, 400, 60)))
    await table.frames(8)
    thrown = session.ledger.newest.line
    session.record({"event": "leave", "side": other(session)}) if session.state.phase == "possession" else None
    session.undo()
    app.open("timeline", session=session)
    await evening.capture("12-timeline")
    app.navigator.page.pick(thrown)
    await evening.capture("12-fact")
    app.open("correct", session=session, line=thrown)
    await evening.capture("12-correct-dice")
    faces = [tap for tap in table.taps() if type(tap).__name__ == "FaceButton"]
    await table.tap_widget(faces[0])
    await table.tap_widget(faces[6])
    await evening.capture("12-correct-preview")
    await evening.tap("app.correct.do")
    await evening.capture("12-timeline-corrected")
    app.open("timeline", session=session)
    await table.frames(4)
    app.navigator.page.show_line(next(row.line for row in session.timeline() if row.fields["event"] == "shot"))
    await evening.capture("12-throw-without-picture")
    line = next(row.line for row in session.timeline() if row.fields["event"] == "tackle" and row.is_active)
    app.open("correct", session=session, line=line)
    await evening.capture("12-correct-choice")
    await table.tap_widget(starting(evening, evening.translate("footclub.do.leave")))
    await evening.capture("12-correct-broken")


def other(session: Any) -> str:
    """Return the side without the ball."""
    return str(session.state.defenders)


def starting(evening: SceneContext, prefix: str) -> Any:
    """Return the first tappable widget whose name starts with `prefix`."""
    taps = {tap.spoken_name(): tap for tap in evening.table.taps()}
    found = next((name for name in taps if name.startswith(prefix)), None)
    assert found is not None, f"nothing begins with {prefix!r}: {sorted(taps)}"
    return taps[found]


async def tap_first(evening: SceneContext, id: str) -> None:
    """Tap the first choice whose label is the text of a message id, also among the folded choices."""
    await tap_choice_named(evening, evening.translate(id))


async def tap_choice_named(evening: SceneContext, label: str) -> None:
    """Tap the first choice whose label starts with this text, also among the folded choices."""
    more = evening.translate("app.table.more", count=0).split("(")[0]
    if not any(tap.spoken_name().startswith(label) for tap in evening.table.taps()):
        await evening.table.tap_widget(starting(evening, more))
    await evening.table.tap_widget(starting(evening, label))


SCENES: dict[str, Scene] = {
    "phases": phases,
    "long_names": long_names,
    "scripts": scripts,
    "asks": prompts,
    "explained": explained,
    "doubts": doubts,
    "counted": already_read,
    "timeline": timeline,
}
