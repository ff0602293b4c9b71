"""Scenes of occasion: every phase, long names, prompts, a new card with its faults."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from companion.app.display import display
from companion.games.base import Message
from tests.app.evening import SceneContext
from tests.screens import stage_occasion
from tests.screens.scenes import Scene, starting

DEAD_AFTER_MOVE = 0.3
"""Seconds after which new buttons surely accept taps."""
SETTLES = 60
"""Frames within which figures that were too tall switch to a compact form."""
LONG = ("move", "defence", "backed", "verdict", "advance")


async def opened(evening: SceneContext, name: str, long: bool = False) -> Any:
    """Open a match in a situation on the table and return its session."""
    app = evening.table.app
    app.end_session()
    app.navigator.go_home()
    app.session = stage_occasion.situation(app.matches, name, long)
    app.open("table", session=app.session)
    await evening.table.frames(6)
    return app.session


async def phases(evening: SceneContext) -> None:
    """Every phase, with usual names."""
    for name in stage_occasion.SITUATIONS:
        await opened(evening, name)
        await evening.capture(f"11-{name}")
        drawn = [piece for piece in evening.table.walk() if type(piece).__name__ == "PathFigure"]
        paths = {"choose": 1, "choose_two": 2}.get(name, len(drawn))
        assert len(drawn) == paths, f"{name}: {len(drawn)} of {paths} paths are shown"
        if name in ("advance", "carrier") and display.theme.roomy and not display.portrait:
            sentence = evening.table.app.text(Message("occasion.notice.doubled"))
            assert sentence in evening.table.texts(), f"{name}: nothing explains the mark of the double energy"


async def long_names(evening: SceneContext) -> None:
    """Clubs and players with the longest names."""
    for name in LONG:
        await opened(evening, name, long=True)
        await evening.capture(f"11-long-{name}")


async def prompts(evening: SceneContext) -> None:
    """The setup, a choice of players, an energy of nine and more, a foul, a barred foul, several supports."""
    table = evening.table
    app = table.app
    app.navigator.go_home()
    app.open("prepare", game="occasion")
    await evening.capture("03-occasion")
    await opened(evening, "move")
    await table.tap_widget(starting(evening, evening.translate("occasion.move.pass")))
    await evening.capture("11-ask-player")
    await evening.tap("app.close")
    await opened(evening, "reveal")
    await table.tap_widget(starting(evening, evening.translate("occasion.do.foul_called")))
    await evening.capture("11-barred")
    await opened(evening, "called")
    await table.seconds(DEAD_AFTER_MOVE)
    await table.tap_widget(starting(evening, evening.translate("app.ask.and_more", value=9)))
    await evening.capture("11-ask-larger")
    await evening.tap("app.close")
    await table.tap_widget(starting(evening, evening.translate("occasion.do.foul_called")))
    await evening.capture("11-ask-foul")
    await evening.tap("app.close")
    await opened(evening, "support")
    await evening.tap("app.table.menu")
    await evening.capture("11-menu")


async def cards(evening: SceneContext) -> None:
    """Without cards one is entered first; each fault is shown at its field."""
    table = evening.table
    app = table.app
    app.end_session()
    app.navigator.go_home()
    app.session = app.matches.start("occasion", stage_occasion.header(cards=False), None)
    app.open("table", session=app.session)
    await table.frames(6)
    await evening.capture("11-no-cards")
    await table.tap_widget(starting(evening, evening.translate("occasion.do.define_occasion")))
    await evening.capture("11-card-chance")
    await evening.tap("app.card.save")
    await evening.capture("11-card-chance-faults")
    for name in ("Relance", "Surface"):
        await evening.tap("app.card.add_part")
        await table.tap_widget(starting(evening, evening.translate("occasion.form.zone.id")))
        table.type_over(name)
        await evening.tap("app.done")
        await evening.capture("11-card-zone")
        await evening.tap("app.card.part_done")
    await evening.capture("11-card-dead-end")
    await table.tap_widget(starting(evening, "Surface"))
    await evening.tap("occasion.form.zone.shot")
    await table.tap_widget(starting(evening, evening.translate("occasion.form.zone.attack_posts")))
    await evening.capture("11-card-posts")
    await evening.tap("occasion.post.ST")
    await evening.tap("app.ask.done")
    await evening.tap("app.card.part_done")
    await evening.tap("app.card.save")
    assert list(app.session.state.occasions) == ["1"], table.texts()
    app.session.record({"event": "occasion_shown", "side": "home", "card": "1"})
    app.session.record({"event": "occasion_played", "card": "1"})
    await table.frames(4)
    await evening.capture("11-no-players")
    await table.tap_widget(starting(evening, evening.translate("occasion.do.define_player")))
    await evening.capture("11-card-player")
    await evening.tap("app.card.save")
    await evening.capture("11-card-player-faults")
    await table.tap_widget(starting(evening, evening.translate("occasion.form.post")))
    await evening.capture("11-card-post")
    await evening.tap("occasion.post.RB")
    await evening.tap("app.card.save")
    assert list(app.session.state.players[0]) == ["1"], table.texts()


async def facing(evening: SceneContext) -> None:
    """The points of a duel in the face-to-face layout."""
    app = evening.table.app
    app.apply_preferences(replace(app.preferences, seats="facing"))
    for name in ("defence", "called", "backed", "verdict"):
        await opened(evening, name)
        await evening.table.until(lambda: not overflowing(evening), SETTLES)
        await evening.capture(f"11-facing-{name}")
    app.apply_preferences(replace(app.preferences, seats="beside"))


async def corrected(evening: SceneContext) -> None:
    """An energy of before is corrected by touch after the goal: the preview, then the timeline with its pencil."""
    table, app = evening.table, evening.table.app
    session = await opened(evening, "verdict")
    session.record({"event": "resolve"})
    row = next(row for row in session.timeline() if row.fields["event"] == "reveal")
    app.open("timeline", session=session)
    await table.frames(4)
    app.navigator.page.show_line(row.line)
    await table.seconds(DEAD_AFTER_MOVE)
    await evening.tap("app.timeline.correct")
    await evening.capture("12-occasion-correct")
    await table.tap_widget(starting(evening, evening.translate("occasion.do.reveal")))
    await evening.capture("12-occasion-correct-value")
    await table.tap("8")
    await evening.capture("12-occasion-correct-preview")
    await evening.tap("app.correct.do")
    await evening.capture("12-occasion-corrected")
    assert next(each for each in session.timeline() if each.line == row.line).fields["value"] == 8


def overflowing(evening: SceneContext) -> list[str]:
    """Return the table centres that overflow, and the point columns that leave their box."""
    pieces = list(evening.table.walk(evening.table.app.navigator.page))
    found = [f"middle by {piece.shortage}" for piece in pieces if getattr(piece, "shortage", 0) > 1]
    columns = [piece for piece in pieces if type(piece).__name__ == "PointsColumn"]
    return found + [f"points {piece.least} in {piece.height}" for piece in columns if piece.least > piece.height + 1]


SCENES: dict[str, Scene] = {
    "occasion_facing": facing,
    "occasion_corrected": corrected,
    "occasion_phases": phases,
    "occasion_long_names": long_names,
    "occasion_asks": prompts,
    "occasion_cards": cards,
}
