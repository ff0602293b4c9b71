"""A campaign of three matches by real touches, from the home screen to its end (NBA-13.1)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from random import Random
from typing import Any

from companion.games.base import Fields
from companion.games.nba.greedy_player import end_turn, greedy_event
from companion.games.nba.state import State
from tests.app.evening import SceneContext
from tests.screens.acting import act
from tests.screens.nba_evening import prepared
from tests.screens.scenes_nba_series import keep, next_event, start

MATCHES = 3
MAX_EVENTS = 600
FULL_TURNS = 7
"""Turns of a match that are played in full; the person then leads."""
SEED = 0
"""A seed with which both matches that are won offer cards to keep."""


def event_of(state: State, random: Random, turns: int) -> Fields:
    """Return the next event: in full up to a turn, later the person only ends the turn."""
    quick = state.turn > turns and not state.solo_turn and state.phase not in ("tied", "roll")
    return end_turn(state) if quick else next_event(state, random)


async def play_by_touch(evening: SceneContext, session: Any, random: Random, events: int = MAX_EVENTS) -> None:
    """Play to the end, or so many events, by touch; the dice of the solo opponent all show blank faces."""
    for _ in range(events):
        if session.game.finished(session.state):
            return
        fields = event_of(session.state, random, FULL_TURNS)
        fields = {key: value for key, value in fields.items() if value or key in ("dice", "cards", "market", "to")}
        await act(evening, session, fields)
    assert events < MAX_EVENTS, "not over"


async def lose_by_touch(evening: SceneContext, session: Any, random: Random) -> None:
    """Play to the end by touch; the person does nothing but end the turn."""
    for _ in range(MAX_EVENTS):
        state = session.state
        if session.game.finished(state):
            assert state.result.winner == "two"
            return
        fields = greedy_event(state, random) if state.solo_turn else end_turn(state)
        fields = {key: value for key, value in fields.items() if value or key in ("dice", "cards", "market", "to")}
        await act(evening, session, fields)
    raise AssertionError("not over")


async def campaign(evening: SceneContext) -> None:
    """Two matches won with cards kept after each, and the third lost; between them the app goes home."""
    table, tap, random = evening.table, evening.tap, Random(SEED)
    session = await prepared(evening, mode="mode.campaign")
    ids, kept = [session.match_id], 0
    for number in range(1, MATCHES + 1):
        mark = session.header["series"]
        assert (mark["match"], session.state.setup.solo.resources) == (number, 1 + number)
        if number == MATCHES:
            break
        await play_by_touch(evening, session, random)
        assert session.state.result.winner == "one"
        await evening.capture(f"09-nba-campaign-{number}")
        await tap("app.table.menu_home")
        await tap("app.nba.series.campaign")
        kept += len(await keep(evening, session))
        await evening.capture(f"nba-campaign-kept-{number}")
        await tap("app.nba.series.next")
        session = await start(evening)
        ids.append(session.match_id)
        assert session.header["follows"] == ids[number - 1]
        roster = session.header["setup"]["rosters"]["one"]
        carried = session.header["setup"]["legacy"]["kept"]["one"]
        assert len(carried) == kept
        assert set(carried) <= {*roster["bench"], *roster["tactics"]}
        assert (len(roster["bench"]), len(roster["tactics"])) == (7, 5)
    await lose_by_touch(evening, session, random)
    await tap("app.nba.series.campaign")
    await evening.capture("nba-campaign-over")
    assert table.has(evening.translate("app.nba.series.again"))
    assert evening.translate("app.nba.series.lost", n=MATCHES - 1) in table.texts()


EVENINGS: dict[str, Callable[[SceneContext], Awaitable[None]]] = {"nba_campaign": campaign}
