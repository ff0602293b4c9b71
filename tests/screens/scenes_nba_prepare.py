"""Scenes of the NBA preparation: the team builder, the market's deck, the draft, the readings of the rules."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from tests.app.evening import SceneContext
from tests.screens.scenes import starting

Scene = Callable[["SceneContext"], Awaitable[None]]
DRAFT_PICKS = 3
"""The cards that a side picks in each round of a draft."""


async def open_row(evening: SceneContext, id: str, page: str, spoken: str = "") -> None:
    """Open the page of a preparation row by its label; `spoken` is the side's name before it."""
    label = evening.translate(f"app.nba.prepare.{id}") if not id.startswith("app.") else evening.translate(id)
    row = next(tap for tap in evening.table.taps() if tap.spoken_name().startswith(f"{spoken} {label}".strip()))
    await evening.table.tap_widget(row)
    assert evening.table.app.navigator.back_stack[-1].name == page


async def preparation(evening: SceneContext) -> None:
    """Open the preparation of an NBA match."""
    evening.table.app.end_session()
    evening.table.app.navigator.go_home()
    evening.table.app.open("prepare", game="nba")
    await evening.table.frames(4)


def tokens(evening: SceneContext, **wanted: Any) -> list[Any]:
    """Return the cards on the screen with these attributes."""
    found = [tap for tap in evening.table.taps() if type(tap).__name__ == "CardToken"]
    return [tap for tap in found if all(getattr(tap, key) == value for key, value in wanted.items())]


async def team(evening: SceneContext) -> None:
    """The team builder: each part, a team that lacks a card, the suggestion."""
    await preparation(evening)
    await evening.capture("03-nba-rows")
    await open_row(evening, "built_label", "nba_team", "Comètes")
    await evening.capture("nba-team-court")
    for tab, count in (("bench", 7), ("tactics", 5)):
        await evening.tap(f"app.nba.team.tab_{tab}", n=count)
        await evening.capture(f"nba-team-{tab}")
    await evening.table.tap_widget(starting(evening, "\N{MINUS SIGN}"))
    await evening.capture("nba-team-lacks")
    await evening.tap("app.nba.team.done")
    await evening.capture("nba-team-why")
    await evening.tap("app.close")
    await evening.tap("app.nba.team.suggest")
    await evening.capture("nba-team-suggested")
    await evening.tap("app.nba.team.done")


async def deck(evening: SceneContext) -> None:
    """The deck: to be counted, drawn, counted."""
    await preparation(evening)
    await open_row(evening, "deck", "nba_deck")
    await evening.capture("nba-deck")
    await evening.tap("app.nba.deck.draw")
    await evening.capture("nba-deck-drawn")
    await evening.tap("app.nba.deck.count")
    await evening.tap("app.nba.team.done")
    await evening.capture("03-nba-counted")


async def draft(evening: SceneContext) -> None:
    """A whole draft dealt by the app."""
    await preparation(evening)
    await evening.table.tap_widget(starting(evening, evening.translate("app.nba.prepare.draft")))
    await open_row(evening, "deal", "nba_draft")
    await evening.capture("nba-draft-rule")
    await evening.tap("app.nba.draft.deal")
    await evening.capture("nba-draft-covered")
    await play_draft(evening)
    await evening.capture("nba-draft-over")
    await evening.tap("app.nba.team.done")
    await evening.capture("03-nba-drafted")


async def play_draft(evening: SceneContext) -> None:
    """Choose the first three cards of every hand."""
    table = evening.table
    while table.has(evening.translate("app.secret.alone")):
        await table.hold(evening.translate("app.secret.alone"))
        for place in range(DRAFT_PICKS):
            await table.tap_widget(tokens(evening)[place])
        await evening.capture("nba-draft-picked")
        await evening.tap("app.nba.draft.choose")


async def readings(evening: SceneContext) -> None:
    """The readings of the rules, one of them changed."""
    await preparation(evening)
    await open_row(evening, "app.readings.title", "readings")
    await evening.capture("readings")
    await evening.tap("app.nba.prepare.normal_cards.24")
    await evening.capture("readings-changed")
    await evening.tap("app.back")
    await evening.capture("03-nba-readings")


SCENES: dict[str, Scene] = {"nba_team": team, "nba_deck": deck, "nba_draft": draft, "nba_readings": readings}
