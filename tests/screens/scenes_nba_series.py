"""Scenes of a campaign and of a legacy series: from the preparation to the next match, and every way back."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from random import Random
from typing import Any

from companion.games.base import Fields
from companion.games.nba import NBA
from companion.games.nba.greedy_player import greedy_event
from companion.games.nba.state import State
from tests.app.evening import SceneContext
from tests.screens.scenes import starting
from tests.screens.scenes_nba_prepare import open_row, preparation

Scene = Callable[["SceneContext"], Awaitable[None]]
MAX_EVENTS = 900


def next_event(state: State, random: Random) -> Fields:
    """Return the next event of the greedy player; the dice of the solo opponent all show blank faces."""
    fields = greedy_event(state, random)
    key = {"activate": "dice", "reroll": "to"}.get(str(fields["event"]))
    if not state.solo_turn or key is None:
        return fields
    return {**fields, key: [{"die": die["die"], "value": 0} for die in fields[key]]}


def play_out(session: Any, seed: int) -> None:
    """Play the rest of a match in its journal."""
    random = Random(seed)
    for _ in range(MAX_EVENTS):
        if NBA.finished(session.state):
            return
        session.record(next_event(session.state, random))
    raise AssertionError("not over")


async def start(evening: SceneContext) -> Any:
    """Start the prepared match and return its session."""
    await evening.tap("app.prepare.start")
    await evening.table.frames(6)
    session = evening.table.app.session
    assert session is not None, evening.table.texts()
    return session


async def look_at_campaigns(evening: SceneContext) -> None:
    """Look in the preparation at the campaigns of this table, and go back to a match of its own."""
    await evening.tap("app.nba.prepare.mode.campaign")
    await open_row(evening, evening.translate("app.nba.prepare.begun.campaign"), "nba_series")
    await evening.tap("app.back")
    await evening.tap("app.nba.prepare.mode.match")


async def keep(evening: SceneContext, session: Any, sides: int = 1) -> list[str]:
    """Keep the first card of each kind for each side; return the names of the cards."""
    page, taken = evening.table.app.navigator.page, []
    cards = session.header["setup"]["cards"]
    series = page._series({})
    last = series.last
    for place, side in enumerate(last.state.setup.sides[:sides]):
        for ids in page._offered(last, last.state, side).values():
            if ids:
                name = str(cards[ids[0]]["name"])
                buttons = [tap for tap in evening.table.taps() if getattr(tap, "text", "") == name]
                await evening.table.tap_widget(buttons[-1 if place else 0])
                taken.append(name)
    return taken


async def campaign(evening: SceneContext) -> None:
    """A campaign: its first match won, the second lost, taken back, put back; the list of campaigns; the way out."""
    table, app, tap = evening.table, evening.table.app, evening.tap
    await preparation(evening)
    await tap("app.nba.prepare.mode.campaign")
    await evening.capture("03-nba-campaign")
    await table.tap_widget(starting(evening, evening.translate("app.nba.prepare.begun.campaign")))
    await evening.capture("nba-series-none")
    await tap("app.back")
    await tap("app.nba.prepare.duration.short")
    session = await start(evening)
    first = session.match_id
    play_out(session, 1)
    await table.frames(6)
    await evening.capture("09-nba-campaign-won")
    app.end_session()
    app.navigator.go_home()
    await table.frames(4)
    await evening.capture("01-home-campaign")
    await tap("app.nba.series.campaign")
    await evening.capture("nba-series")
    await tap("app.nba.series.next")
    await evening.capture("nba-series-undecided")
    await tap("app.close")
    names = await keep(evening, session)
    await evening.capture("nba-series-kept")
    await tap("app.nba.series.next")
    await evening.capture("03-nba-campaign-second")
    await open_row(evening, evening.translate("app.nba.prepare.built_label"), "nba_team")
    await tap("app.nba.team.tab_bench", n=7)
    await evening.capture("nba-series-bench")
    await tap("app.nba.team.tab_tactics", n=5)
    await evening.capture("nba-series-tactics")
    await tap("app.nba.team.done")
    second = await start(evening)
    header = second.header
    assert (header["series"], header["follows"]) == ({"kind": "campaign", "match": 2, "first": first}, first)
    kept = header["setup"]["legacy"]["kept"]["one"]
    assert [header["setup"]["cards"][id]["name"] for id in kept] == names
    assert set(kept) <= {*header["setup"]["rosters"]["one"]["bench"], *header["setup"]["rosters"]["one"]["tactics"]}
    second.record({"event": "concede", "side": "one"})
    await table.frames(6)
    await tap("app.nba.series.campaign")
    await evening.capture("nba-series-over")
    await table.hold(evening.translate("app.nba.series.take_back"))
    await evening.capture("nba-series-taken-back")
    assert table.has(evening.translate("app.nba.series.next"))
    await tap("app.nba.series.restore")
    assert table.has(evening.translate("app.nba.series.again"))
    await tap("app.nba.series.again")
    await table.tap_widget(starting(evening, evening.translate("app.nba.prepare.begun.campaign")))
    await evening.capture("nba-series-list")
    await table.tap_widget(next(one for one in table.taps() if type(one).__name__ == "ChoiceButton"))
    await table.hold(evening.translate("app.nba.series.stop"))
    assert app.navigator.back_stack[-1].name == "home"
    assert not table.has(evening.translate("app.nba.series.campaign"))


async def legacy(evening: SceneContext) -> None:
    """Two stages of a legacy series between two players, with a threshold that they choose."""
    table, app, tap = evening.table, evening.table.app, evening.tap
    await preparation(evening)
    await tap("app.nba.prepare.mode.legacy")
    await tap("app.nba.prepare.duration.short")
    await evening.capture("03-nba-legacy")
    session = await start(evening)
    assert session.header["setup"]["legacy"] == {"stage": 1, "threshold": 0, "kept": {}}
    play_out(session, 2)
    await table.frames(6)
    await tap("app.nba.series.legacy")
    await table.tap_widget(starting(evening, "+"))
    await evening.capture("nba-series-legacy")
    await keep(evening, session, sides=2)
    await tap("app.nba.series.next")
    await evening.capture("03-nba-legacy-second")
    second = await start(evening)
    carried = second.header["setup"]["legacy"]
    assert (carried["stage"], carried["threshold"], set(carried["kept"])) == (2, 4, {"one", "two"})
    app.end_session()
    app.navigator.go_home()
    await table.frames(4)
    await evening.capture("01-home-legacy-going")


SCENES: dict[str, Scene] = {"nba_campaign_pages": campaign, "nba_legacy_pages": legacy}
