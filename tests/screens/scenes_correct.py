"""Scenes of correction: a roll corrected in place, the preview of changes, and conflicts with later events."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any

from companion.app.prompts.roll_correction import is_same_event
from companion.games.wording import short_name
from companion.table.misreads import MANIFEST_FILE, Misreads
from tests.app.evening import SceneContext
from tests.screens import stage, stage_occasion
from tests.screens.scenes import open_table, starting, watched
from tests.screens.scenes_nba import open_table as open_nba


async def thrown(evening: SceneContext, *faces: int) -> Any:
    """Open a tackle on the table with its two dice thrown and read, and return the session."""
    reader = watched()
    session = await open_table(evening, "duel", reader)
    reader.throw(tuple(stage.die_at(face, 110 + 290 * place, 120) for place, face in enumerate(faces)))
    await evening.table.frames(8)
    return session


def named(evening: SceneContext, kind: str) -> Any:
    """Return the first tappable widget of a class."""
    return next(tap for tap in evening.table.taps() if type(tap).__name__ == kind)


async def hold_fact(evening: SceneContext) -> None:
    """Hold the newest event until the roll opens."""
    fact = named(evening, "LastEventButton")
    await evening.table.touch(*fact.to_window(*fact.center), hold=1.1)
    await evening.table.rest()


async def mended(evening: SceneContext) -> None:
    """The newest roll, opened by a hold on the bar: a tapped face is saved at once and the event shows the pencil."""
    table = evening.table
    session = await thrown(evening, 5, 6)
    line = session.ledger.newest.line
    session.misreads = Misreads(evening.folder / "misreads", {}, run_task=lambda work: work())
    await hold_fact(evening)
    await evening.capture("12-mend")
    faces = [tap for tap in table.taps() if type(tap).__name__ == "FaceButton"]
    await table.tap_widget(faces[0])
    await evening.capture("12-mended")
    row = next(row for row in session.timeline() if row.line == line)
    assert row.is_corrected
    assert [die.value for die in session.game.dice_from_event(row.fields)] == [1, 6]
    case = json.loads((evening.folder / "misreads" / MANIFEST_FILE).read_text(encoding="utf-8"))
    assert sorted(die["value"] for die in case["dice"]) == [1, 6], "what the reader got wrong is a case from now on"
    table.app.open("timeline", session=session)
    table.app.navigator.page.pick(line)
    await evening.capture("12-fact-mended")
    await table.tap_widget(named(evening, "TappablePhotograph"))
    await evening.capture("12-mend-from-picture")


async def consequences(evening: SceneContext) -> None:
    """The effects of correcting an older roll are shown first; the correction may change the event type."""
    table, app = evening.table, evening.table.app
    session = await open_table(evening, "end_of_turn", watched())
    rolls = [event for event in session.ledger.events if len(session.game.dice_from_event(event.fields)) == 2]
    line = rolls[-1].line
    app.open("correct", session=session, line=line)
    await evening.capture("12-correct-older")
    faces = [tap for tap in table.taps() if type(tap).__name__ == "FaceButton"]
    was = [face for face in faces if face.was]
    for row in (faces[:6], faces[6:]):
        other = next(face for face in row if face not in was)
        await table.tap_widget(other)
    await evening.capture("12-correct-consequences")
    if any(tap.spoken_name() == evening.translate("app.correct.other") for tap in table.taps()):
        await evening.tap("app.correct.other")
        await evening.capture("12-correct-other")
        assert any(type(tap).__name__ == "ChoiceButton" for tap in table.taps()), "there is nothing else to choose"
        await evening.tap("app.correct.the_dice")
    await evening.tap("app.back")


async def replaced(evening: SceneContext) -> None:
    """A choice tapped by mistake is replaced; later events remain valid or are listed."""
    table, app = evening.table, evening.table.app
    session = await open_table(evening, "possession", watched())
    side = session.decision().sides[0]
    session.record({"event": "leave", "side": side})
    line = session.ledger.newest.line
    app.open("correct", session=session, line=line)
    await evening.capture("12-replace")
    await table.tap_widget(starting(evening, evening.translate("footclub.card.tackle")))
    await table.tap_widget(
        next(tap for tap in table.taps() if type(tap).__name__ == "PlaceTile" and not tap.is_unavailable)
    )
    await evening.capture("12-replaced")
    await evening.tap("app.correct.do")
    assert session.ledger.newest.line == line
    assert session.ledger.newest.fields["event"] == "tackle"
    assert session.state.phase == "duel"


async def edited(evening: SceneContext) -> None:
    """Change the captain of a team sheet and restore a replaced court card, in their original editors."""
    table, app = evening.table, evening.table.app
    session = await open_table(evening, "possession", watched())
    sheet = next(event for event in session.ledger.events if event.fields["event"] == "team_sheet")
    app.open("correct", session=session, line=sheet.line)
    await table.tap_widget(as_recorded(evening))
    draft = app.navigator.page.memory["draft"]
    assert is_same_event(session, app.navigator.page.event(), sheet.fields), "the editor begins with what was recorded"
    able = [id for id in draft.placed.values() if draft.can_be_captain(id) and id != draft.captain]
    name = short_name(draft.club.players[able[0]].card.name)
    for _ in range(2):
        await table.tap_widget(next(tap for tap in table.taps() if getattr(tap, "text", "") == name))
    await evening.capture("13-correcting")
    await evening.tap("app.lineup.validate")
    await evening.capture("12-captain-corrected")
    await evening.tap("app.correct.do")
    corrected = next(event for event in session.ledger.events if event.line == sheet.line)
    assert corrected.state_after.club(sheet.fields["side"]).captain == able[0]

    session = await court_replaced(evening)
    line = session.ledger.newest.line
    app.open("correct", session=session, line=line)
    await table.tap_widget(starting(evening, evening.translate("nba.do.replace_several")))
    assert is_same_event(session, app.navigator.page.event(), session.ledger.newest.fields)
    await evening.capture("09-court-correcting")
    await evening.tap("app.court.reset")
    await evening.tap("app.lineup.validate")
    await evening.capture("12-court-as-it-was")
    assert evening.translate("app.court.nobody") in table.texts(), table.texts()


def as_recorded(evening: SceneContext) -> Any:
    """Return the choice that was made when the event was recorded."""
    was = evening.translate("app.correct.was")
    return next(tap for tap in evening.table.taps() if getattr(tap, "detail", "") == was)


async def court_replaced(evening: SceneContext) -> Any:
    """Open a basketball match in which one court card was just replaced, and return its session."""
    session = await open_nba(evening, "adjust", watched())
    choice = next(choice for choice in session.decision().choices if choice.event == {"event": "replace"})
    changed = next(option.value for option in choice.prompts[0].options if option.disabled_reason is None)
    session.record({"event": "replace", "court": changed, "fatigue_removed": 0})
    return session


async def rewritten(evening: SceneContext) -> None:
    """A card entered at the table with a mistake is opened, corrected, and later events are checked again."""
    table, app = evening.table, evening.table.app
    app.end_session()
    app.navigator.go_home()
    app.session = session = app.matches.start("occasion", stage_occasion.header(cards=False), None)
    zones = [
        {"id": "Aile", "row": 1, "shot": False, "attack_posts": ["RW"], "next": ["But"]},
        {"id": "But", "row": 2, "shot": True, "attack_posts": ["ST"]},
    ]
    session.record({"event": "define_card", "kind": "occasion", "id": "1", "card": {"name": "Rond", "zones": zones}})
    line = session.ledger.newest.line
    app.open("correct", session=session, line=line)
    await table.tap_widget(as_recorded(evening))
    await evening.capture("11-card-correcting")
    await table.tap_widget(starting(evening, evening.translate("occasion.form.name")))
    table.type_over("Ronde")
    await evening.tap("app.done")
    await evening.tap("app.card.save")
    await evening.capture("12-card-corrected")
    await evening.tap("app.correct.do")
    assert session.state.occasions["1"].name == "Ronde"
    assert len(session.state.occasions["1"].zones) == 2


SCENES: dict[str, Callable[[SceneContext], Awaitable[None]]] = {
    "mended": mended,
    "consequences": consequences,
    "replaced": replaced,
    "edited": edited,
    "rewritten": rewritten,
}
