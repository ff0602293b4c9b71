"""A whole NBA match by real touches, from the home screen to the end, as the sound player would play it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from random import Random
from typing import Any

from companion.games.nba.sound_player import end_turn, sound_event
from tests.app.evening import Evening
from tests.screens.acting import act

MOST_EVENTS = 600
FULL_TURNS = 2
"""So many turns are played in full where the match must be quick; the others only end."""
MOST_TAPS = 3
"""Taps that a tactic may take, its dice not counted."""


async def prepared(evening: Evening, **rows: str) -> Any:
    """From home to the table: a short match between two of the shipped teams. `rows` are message ids by row."""
    table, tap = evening.table, evening.tap
    await tap("app.home.new")
    await tap("app.game.nba")
    await evening.look("03-nba")
    for row, option in {"duration": "duration.short", **rows}.items():
        words = evening.words(f"app.nba.prepare.{option}")
        if not table.has(words):
            await table.tap(evening.words(f"app.nba.prepare.{row}"))
        await table.tap(words)
    await evening.look("03-nba-chosen")
    await tap("app.prepare.start")
    await table.frames(6)
    session = table.app.session
    assert session is not None, table.words()
    return session


async def play(evening: Evening, session: Any, turns: int, random: Random) -> list[tuple[str, int]]:
    """Plays to the end, the first `turns` turns as the odds advise; the taps of every event but its dice."""
    taken = []
    for _ in range(MOST_EVENTS):
        state = session.state
        if session.game.finished(state):
            return taken
        quick = state.turn > turns and state.phase not in ("tied", "roll")
        fields = end_turn(state) if quick and not state.solo_turn else sound_event(state, random)
        fields = {key: value for key, value in fields.items() if value or key in ("dice", "cards", "market", "to")}
        dice = sum(len(value) for key, value in fields.items() if key in ("dice", "to", "attack", "defence"))
        taps = await act(evening, session, fields)
        taken.append((str(fields["event"]), taps if fields["event"] in ("keep", "reroll") else taps - dice))
    raise AssertionError(f"not over after {MOST_EVENTS} events")


async def quick(evening: Evening) -> None:
    """Two turns in full, then to the end; a tactic takes three taps at most besides its dice."""
    session = await prepared(evening)
    taken = await play(evening, session, FULL_TURNS, Random(3))
    assert {event for event, _ in taken} >= {"prepare", "activate", "keep", "end_turn"}
    assert max(taps for event, taps in taken if event == "activate") <= MOST_TAPS
    await evening.look("09-nba-over")
    await evening.tap("app.table.menu_timeline")
    await evening.look("12-nba-timeline")


async def whole(evening: Evening) -> None:
    """Every turn in full."""
    session = await prepared(evening)
    await play(evening, session, 99, Random(5))
    await evening.look("09-nba-over")


async def alone(evening: Evening) -> None:
    """Against the app."""
    session = await prepared(evening, players="players.solo")
    await play(evening, session, 4, Random(7))
    await evening.look("09-nba-solo-over")


async def four(evening: Evening) -> None:
    """Four sides, the dice kept only."""
    session = await prepared(evening, players="players.4", level="level.scores")
    await play(evening, session, 6, Random(9))
    await evening.look("09-nba-four-over")


EVENINGS: dict[str, Callable[[Evening], Awaitable[None]]] = {
    "nba_quick": quick,
    "nba_whole": whole,
    "nba_alone": alone,
    "nba_four": four,
}
