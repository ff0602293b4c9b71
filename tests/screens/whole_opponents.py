"""Whole matches by touch against an opponent of the app: from home to the end, for each game."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Any

from companion.games.base import Fields
from companion.games.random_player import random_side_event
from companion.games.registry import SPECS
from companion.games.side_player import SidePlayer, roll
from companion.table import opponents as pauses
from companion.table.session import BY_OPPONENT
from tests.app.evening import SceneContext
from tests.screens import hoops21_evenings, nba_evening, whole_footclub
from tests.screens.acting import act, possible, tap_choice
from tests.screens.scenes import Scene
from tests.screens.scenes_legs import choose_clubs
from tests.screens.scenes_opponents import choose_opponent, hurry

MAX_STEPS = 1500
TRIES = 60
MAX_FRAMES = 3000
PATIENCE_S = 4.0
"""Pause of opponents while people may act too: long enough for a slow finger."""


async def play(evening: SceneContext, person: str, seed: int) -> None:
    """Play a side by touch to the end of the match; the app plays the other one by itself."""
    session = evening.table.app.session
    random, player = Random(seed), SidePlayer(SPECS[session.game.id], frozenset({person}), "sound")
    undone = False
    for _ in range(MAX_STEPS):
        if session.game.finished(session.state):
            break
        before = session.sequence
        await person_acts(evening, session, wanted(session, player, random), random)
        if session.sequence == before:
            await evening.table.until(lambda before=before: session.sequence != before, MAX_FRAMES)
        if not undone and len(session.ledger.events) > 12 and by_opponent(session, -1):
            undone = True
            await undo(evening, session)
    assert session.game.finished(session.state), session.state.phase
    made = [event.fields for event in session.ledger.events if event.fields["by"] == BY_OPPONENT]
    assert undone
    assert made
    assert all(fields.get("side", fields.get("team")) != person for fields in made)


def wanted(session: Any, player: SidePlayer, random: Random) -> Fields | None:
    """Return an event of the person that the screen offers, or None while the person waits."""
    fields = player.event(session.state, random)
    for _ in range(TRIES):
        if fields is None or session.game.dice_from_event(fields) or possible(session, fields):
            break
        known = {key: value for key, value in fields.items() if key != "zone"}
        if possible(session, known):
            return known
        drawn = random_side_event(session.game, session.state, random, player.sides)
        fields = player.event(session.state, random) if drawn is None or drawn["event"] == "change" else drawn
    race = session.state.phase == "inbound"  # without a camera, people only tell how a race ended
    return None if race or fields is None else fields


def by_opponent(session: Any, index: int) -> bool:
    return bool(session.ledger.events[index].fields["by"] == BY_OPPONENT)


async def undo(evening: SceneContext, session: Any) -> None:
    """Undo by touch: the opponent's events go together with the decision of the person before them; redo brings it
    back."""
    people = sum(event.fields["by"] != BY_OPPONENT for event in session.ledger.events)
    await evening.tap("app.table.undo")
    assert sum(event.fields["by"] != BY_OPPONENT for event in session.ledger.events) == people - 1
    await evening.tap("app.table.redo")
    assert sum(event.fields["by"] != BY_OPPONENT for event in session.ledger.events) == people


async def person_acts(evening: SceneContext, session: Any, fields: Fields | None, random: Random) -> None:
    """Record the person's event by touch, or the dice and choices that belong to nobody; nothing while the app acts."""
    table, opponents = evening.table, evening.table.app.opponents
    await table.frames(2)
    decision = session.people_decision()
    first = min((request.order for request in decision.dice), default=0)
    due = [request for request in decision.dice if request.order == first and not opponents.plays(request.side)]
    if session.is_race_by_hand:
        crossed = next(choice for choice in decision.choices if choice.event.get("stolen") is False)
        await tap_choice(evening, crossed)
        return
    counters = [child for child in table.walk() if type(child).__name__ == "GroupRows"]
    if due and counters and (fields is None or session.game.dice_from_event(fields)):
        await hoops21_evenings.enter_dice(evening, session, counters[: len(due)], random)
    elif fields is not None and session.game.id == "footclub":
        await whole_footclub.one_event(evening, session, fields, random)
    elif fields is not None and fields["event"] == "reveal":
        await table.tap("2")
    elif fields is not None:
        await act(evening, session, {key: value for key, value in fields.items() if value != []})
    elif due and all(request.side is None for request in due):
        await whole_footclub.enter_dice(evening, tuple(roll(session.game, session.state, due, random)), random)
    else:
        shared = [
            choice
            for choice in decision.choices
            if choice.side is None and not choice.menu and not choice.needs_long_press and not choice.prompts
            if choice.disabled_reason is None and choice.event["event"] != "foul_called"
        ]
        if shared:
            await tap_choice(evening, random.choice(shared))


async def open_match(evening: SceneContext, game: str, *rows: str) -> None:
    """Go from home to the table of a game in which the app plays the second side."""
    await evening.tap("app.home.new")
    await evening.tap(f"app.game.{game}")
    await choose_opponent(evening, "app.opponents.sound")
    for row in rows:
        await evening.table.tap(row)
    await evening.tap("app.prepare.start")
    await evening.table.frames(6)


async def match(evening: SceneContext, game: str) -> None:
    """Play a whole match against the app, with an undo on the way."""
    hurry()
    pauses.SHARED_PAUSE_S = PATIENCE_S
    if game == "footclub":
        await footclub(evening)
    elif game == "nba":
        await nba_evening.prepared(evening, partial(choose_opponent, label="app.opponents.sound"))
    else:
        await open_match(evening, game, *{"hoops21": ("7",), "occasion": ("1",)}[game])
    session = evening.table.app.session
    assert list(pauses.seats_of(session.header)) == list(session.header["sides"])[1:2]
    await play(evening, next(iter(session.header["sides"])), seed=4)
    await evening.capture(f"10-opponent-{game}-over")
    await evening.tap("app.table.menu_timeline")
    await evening.capture(f"12-opponent-{game}")


async def footclub(evening: SceneContext) -> None:
    """Compose the person's club by touch; the app composes its own by itself, in secret."""
    table, tap = evening.table, evening.tap
    await tap("app.home.new")
    await tap("app.game.footclub")
    await choose_clubs(evening)
    await choose_opponent(evening, "app.opponents.sound")
    await tap("app.clubs.sheet", "Valcendre")
    await table.hold(evening.translate("app.secret.alone"))
    await tap("app.lineup.validate")
    await tap("app.clubs.tactics", "Valcendre")
    await table.hold(evening.translate("app.secret.alone"))
    await tap("app.tactics.advised")
    await tap("app.tactics.done")
    session = table.app.session
    await table.until(lambda: session.state.clubs[1].cards_left is not None, MAX_FRAMES)
    await table.frames(6)
    await evening.capture("03-opponent-ready")
    await tap("app.clubs.kick_off")
    await table.frames(6)


EVENINGS: dict[str, Scene] = {f"against_{game}": partial(match, game=game) for game in SPECS}
