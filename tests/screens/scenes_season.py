"""A season by touch: named in the preparation, a first leg, its second leg with a suspension and an injury, a third."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from random import Random
from types import SimpleNamespace
from typing import Any

from companion.games.base import Fields
from companion.games.footclub import FOOTCLUB
from companion.games.footclub.legs import carry_over
from tests.app.evening import SceneContext
from tests.screens import scenes_legs, whole_footclub
from tests.screens.scenes import Scene

NAME = "Automne"
SEEDS = 400
"""Seeds among which a first leg with a suspension and an injury is surely found."""
IGNORED = ("at", "by", "note")
"""Keys that every event may have and that decide nothing."""
DRAWS = 4
"""Events of which the first that is no change of players is played; a change needs a player who fits on the bench."""
Play = Callable[[SceneContext, Any, bool], Awaitable[None]]
"""Plays a match, by touch or at once; with a player sent off and another seriously injured if the flag is set."""


async def season(evening: SceneContext) -> None:
    """Three matches of a season; their events are recorded at once."""
    await scenes_legs.home(evening)
    await three_matches(evening, at_once)
    await evening.tap("app.back")


async def three_matches(evening: SceneContext, play: Play) -> None:
    """Prepare and play three matches of a season, from home; each goes on from the page of the season."""
    table = evening.table
    await evening.tap("app.home.new")
    await evening.tap("app.game.footclub")
    await named(evening)
    await evening.tap("app.clubs.format.leg1")
    await scenes_legs.choose_clubs(evening)
    await evening.capture("03-season")
    first = await match(evening, scenes_legs.CHOSEN, play, with_absentees=True)
    await open_season(evening, first.header["season"])
    await table.until(lambda: evening.translate("app.season.counting") not in table.texts())
    await evening.capture("season-second-leg-awaited")
    await evening.tap("app.clubs.format.leg2")
    await evening.capture("03-season-second-leg")
    await scenes_legs.transfers(evening, scenes_legs.CHOSEN)
    second = await match(evening, scenes_legs.CHOSEN, play)
    facts = carry_over(first.state)
    assert facts is not None
    carried = second.header["setup"]["first_leg"]
    assert carried["suspended"] == facts["suspended"] != []
    assert carried["injured"] == facts["injured"] != []
    status = {id: player.status for club in second.state.clubs for id, player in club.players.items()}
    assert {status[id] for id in carried["suspended"]} == {"suspended"}
    await evening.tap("app.season.title")
    await evening.tap("app.season.next")
    await scenes_legs.choose_clubs(evening)
    third = await match(evening, scenes_legs.CHOSEN, play)
    assert third.header["season"] == second.header["season"] == first.header["season"]
    await evening.tap("app.season.title")
    await table.until(lambda: evening.translate("app.season.counting") not in table.texts())
    assert sum(type(tap).__name__ == "MatchRow" for tap in table.taps()) == 3
    await evening.capture("season-three-matches")


async def named(evening: SceneContext) -> None:
    """Name a new season for the match."""
    none = evening.translate("app.season.none")
    await evening.tap("app.season.chosen", name=none)
    await evening.capture("03-season-choice")
    await evening.tap("app.season.new")
    await write(evening, NAME)
    await evening.tap("app.done")
    await evening.tap("app.season.chosen", name=NAME)
    await evening.capture("03-season-chosen")
    await evening.tap("app.close")


async def write(evening: SceneContext, written: str) -> None:
    """Write into the field of the sheet."""
    field = next(widget for widget in evening.table.walk() if type(widget).__name__ == "TextInput")
    field.text = written
    await evening.table.frames(3)


async def open_season(evening: SceneContext, chosen: Fields) -> None:
    """Open the season's page from the preparation of another match, by the sheet of seasons."""
    await scenes_legs.home(evening)
    await evening.tap("app.home.new")
    await evening.tap("app.game.footclub")
    await evening.tap("app.season.chosen", name=evening.translate("app.season.none"))
    await evening.table.tap(chosen["name"])
    await evening.tap("app.season.chosen", name=chosen["name"])
    await evening.tap("app.season.look")


async def match(evening: SceneContext, names: Any, play: Play, *, with_absentees: bool = False) -> Any:
    """Prepare and play a match to its end, and return its session."""
    session = await scenes_legs.prepared(evening, names)
    await evening.tap("app.clubs.kick_off")
    await evening.table.frames(6)
    await play(evening, session, with_absentees)
    await evening.table.frames(6)
    assert FOOTCLUB.finished(session.state)
    return session


def events_of(session: Any, with_absentees: bool) -> list[Fields]:
    """Return the rest of a match, with a player sent off and another seriously injured if asked for."""
    for seed in range(SEEDS):
        found = one_match(session.state, Random(seed))
        if found is None:
            continue
        events, state = found
        facts = carry_over(state) or {}
        if not with_absentees or (facts["suspended"] and facts["injured"]):
            return events
    raise AssertionError(f"no such match in {SEEDS} seeds")


def one_match(state: Any, random: Random) -> tuple[list[Fields], Any] | None:
    """Return the events of the rest of a match and its last state; None if the player finds nothing on the screen."""
    events = []
    while not FOOTCLUB.finished(state):
        seen = SimpleNamespace(game=FOOTCLUB, state=state, decision=partial(FOOTCLUB.decision, state))
        try:
            found = [whole_footclub.next_event(seen, random) for _ in range(DRAWS)]
        except AssertionError:
            return None
        fields = next((fields for fields in found if fields["event"] != "change"), found[0])
        state, _ = FOOTCLUB.apply(state, FOOTCLUB.parse(fields))
        events.append(fields)
    return events, state


async def at_once(_: SceneContext, session: Any, with_absentees: bool) -> None:
    """Record the events without touches."""
    for fields in events_of(session, with_absentees):
        session.record(fields)


async def by_touch(evening: SceneContext, session: Any, with_absentees: bool) -> None:
    """Record the events by touch; a finger fixes more dice than some events do, so another plan may follow."""
    random = Random(1)
    while not FOOTCLUB.finished(session.state):
        for fields in events_of(session, with_absentees):
            before = session.sequence
            await whole_footclub.one_event(evening, session, fields, random)
            assert session.sequence > before, f"{fields}: {evening.table.texts()}"
            recorded = session.ledger.newest.fields
            if {key: value for key, value in recorded.items() if key not in IGNORED} != fields:
                break


SCENES: dict[str, Scene] = {"season": season}
