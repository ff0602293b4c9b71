"""A whole NBA match by real touches, from the home screen to the end, played by the greedy player."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from random import Random
from typing import Any

from companion.games.nba.greedy_player import end_turn, greedy_event
from tests.app.evening import SceneContext
from tests.screens.acting import act
from tests.screens.scenes_nba_prepare import build_teams, deal_draft, draw_deck, give_own_cards, read_rules

MAX_EVENTS = 600
FULL_TURNS = 2
"""Number of turns played in full in the short version; in later turns the players only end the turn."""
MAX_TAPS = 3
"""Maximum number of taps for a tactic, without its dice."""


Step = Callable[[SceneContext], Awaitable[None]]


async def prepared(evening: SceneContext, *steps: Step, **rows: str) -> Any:
    """Go from home to the table: a short match between two teams.

    `rows` maps setup rows to message ids; `steps` are taken after them in the preparation.
    """
    table, tap = evening.table, evening.tap
    await tap("app.home.new")
    await tap("app.game.nba")
    await evening.capture("03-nba")
    for row, option in {"duration": "duration.short", **rows}.items():
        option_text = evening.translate(f"app.nba.prepare.{option}")
        if not table.has(option_text):
            await table.tap(evening.translate(f"app.nba.prepare.{row}"))
        await table.tap(option_text)
    for step in steps:
        await step(evening)
    await evening.capture("03-nba-chosen")
    await tap("app.prepare.start")
    await table.frames(6)
    session = table.app.session
    assert session is not None, table.texts()
    return session


async def play(evening: SceneContext, session: Any, turns: int, random: Random) -> list[tuple[str, int]]:
    """Play to the end, the first `turns` turns by the odds; return the taps of each event without its dice."""
    taken = []
    for _ in range(MAX_EVENTS):
        state = session.state
        if session.game.finished(state):
            return taken
        quick = state.turn > turns and state.phase not in ("tied", "roll")
        fields = end_turn(state) if quick and not state.solo_turn else greedy_event(state, random)
        fields = {key: value for key, value in fields.items() if value or key in ("dice", "cards", "market", "to")}
        dice = sum(len(value) for key, value in fields.items() if key in ("dice", "to", "attack", "defence"))
        taps = await act(evening, session, fields)
        taken.append((str(fields["event"]), taps if fields["event"] in ("keep", "reroll") else taps - dice))
    raise AssertionError(f"not over after {MAX_EVENTS} events")


async def quick(evening: SceneContext) -> None:
    """Play two turns in full, then to the end; a tactic takes at most three taps besides its dice."""
    session = await prepared(evening)
    taken = await play(evening, session, FULL_TURNS, Random(3))
    assert {event for event, _ in taken} >= {"prepare", "activate", "keep", "end_turn"}
    assert max(taps for event, taps in taken if event == "activate") <= MAX_TAPS
    await evening.capture("09-nba-over")
    await evening.tap("app.table.menu_timeline")
    await evening.capture("12-nba-timeline")


async def whole(evening: SceneContext) -> None:
    """Play every turn in full."""
    session = await prepared(evening)
    await play(evening, session, 99, Random(5))
    await evening.capture("09-nba-over")


async def built(evening: SceneContext) -> None:
    """Play every turn in full with a team built from own cards, a drawn deck and fatigue removed to the box."""
    give_own_cards(evening)
    session = await prepared(evening, build_teams, draw_deck, read_rules)
    setup = session.state.setup
    assert setup.variants.team_selection
    assert [len(setup.rosters["one"].bench), len(setup.rosters["one"].tactics)] == [6, 6]
    assert [len(setup.rosters["two"].bench), len(setup.rosters["two"].tactics)] == [7, 5]
    assert all(id.startswith("own-") for roster in setup.rosters.values() for id in (*roster.court, *roster.bench))
    assert (len(setup.market_list), setup.removed_to) == (12, "box")
    taken = await play(evening, session, 99, Random(6))
    assert {event for event, _ in taken} >= {"prepare", "activate", "keep", "replace", "buy_player", "buy_tactic"}
    await evening.capture("09-nba-over")


async def drafted(evening: SceneContext) -> None:
    """Deal the draft and play the first turns in full."""
    session = await prepared(evening, deal_draft)
    assert all(len(team.mini) == 5 for team in session.state.teams)
    await play(evening, session, FULL_TURNS, Random(8))
    await evening.capture("09-nba-over")


async def alone(evening: SceneContext) -> None:
    """Play against the app."""
    session = await prepared(evening, players="players.solo")
    await play(evening, session, 4, Random(7))
    await evening.capture("09-nba-solo-over")


async def four(evening: SceneContext) -> None:
    """Play with four sides; the dice are kept only."""
    session = await prepared(evening, players="players.4", level="level.scores")
    await play(evening, session, 6, Random(9))
    await evening.capture("09-nba-four-over")


EVENINGS: dict[str, Callable[[SceneContext], Awaitable[None]]] = {
    "nba_quick": quick,
    "nba_whole": whole,
    "nba_built": built,
    "nba_drafted": drafted,
    "nba_alone": alone,
    "nba_four": four,
}
