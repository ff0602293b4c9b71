"""One full scenario per game by touch alone: from home through a match to its report, all other pages, home."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from random import Random
from typing import Any

from tests.app.evening import SceneContext, prepare
from tests.screens import (
    hoops21_evenings,
    nba_evening,
    occasion_evenings,
    scenes_legs,
    scenes_season,
    whole_after,
    whole_footclub,
)
from tests.screens.scenes import starting
from tests.screens.scenes_nba_prepare import build_teams, deal_draft, draw_deck, read_rules
from tests.screens.scenes_nba_series import look_at_campaigns
from tests.screens.whole_log import EveningLog, logged

SEEDS = {"footclub": 38, "nba": 5, "hoops21": 4}
"""Seeds of short matches that still cover most situations."""
FULL_TURNS = 99
"""More turns than a match has: all turns are played in full."""
FACING_FROM = 6
"""Number of hoops21 events after which the layout changes to face to face."""
CORRECTED_FROM = 12
"""Number of FootClub events after which a throw is corrected."""
SLOW_STEPS = 400


async def footclub(evening: SceneContext, log: EveningLog, eyes: bool = False) -> None:
    """Clubs, line-ups, secret tactics, a match with substitutions; a corrected throw; a market and a squad."""
    whole_after.furnish(evening)
    if eyes:
        give_eyes(evening)
    await prepare(evening)
    await evening.tap("app.clubs.kick_off")
    await evening.table.frames(6)
    session = evening.table.app.session
    random = Random(SEEDS["footclub"])
    if not eyes:
        await whole_footclub.play(
            evening, session, log, random, until=lambda: has_correctable_roll(session, log.events)
        )
        await whole_footclub.correct_a_throw(evening, session)
    await whole_footclub.play(evening, session, log, random)
    await after(evening, session)
    await whole_after.clubs(evening)
    await whole_after.catalogues(evening)


def has_correctable_roll(session: Any, events: int) -> bool:
    """Return True if a throw that can be corrected was just entered."""
    return events >= CORRECTED_FROM and session.ledger.newest.fields["event"] == "roll"


def give_eyes(evening: SceneContext) -> None:
    """Install the simulated table with the real reader, as `companion run` does without a camera."""
    from companion.commands.run import reader_of

    evening.table.app.reader_factory = partial(reader_of, "simulated", evening.folder / "dice")


async def footclub_legs(evening: SceneContext, log: EveningLog) -> None:
    """Two legs from home: a press too early in the first, transfers between them, the aggregate at the end."""
    app, random = evening.table.app, Random(SEEDS["footclub"])
    whole_after.furnish(evening)
    await evening.tap("app.home.new")
    await evening.tap("app.game.footclub")
    await evening.tap("app.clubs.format.leg1")
    await scenes_legs.choose_clubs(evening)
    await whole_match(evening, log, random, scenes_legs.CHOSEN)
    first = app.session
    await evening.tap("app.clubs.format.leg2")
    await scenes_legs.transfers(evening, scenes_legs.CHOSEN)
    await whole_match(evening, log, random, scenes_legs.CHOSEN)
    assert app.session.header["follows"] == first.match_id
    assert app.session.state.result.by in ("aggregate", "away_goals", "shootout")
    await after(evening, app.session)


async def footclub_league(evening: SceneContext, log: EveningLog) -> None:
    """A league day of four clubs from home: both matches, the table after each."""
    table, app, random = evening.table, evening.table.app, Random(SEEDS["footclub"])
    whole_after.furnish(evening)
    await evening.tap("app.home.new")
    await evening.tap("app.game.footclub")
    await scenes_legs.begin_league(evening)
    for _ in range(2):
        await evening.tap("app.league.next")
        names = [side["name"] for side in app.navigator.page.route.args["decided"]["sides"].values()]
        await whole_match(evening, log, random, names)
        session = app.session
        await evening.tap("app.league.table")
        await evening.capture("17-whole-league")
    assert sum(" \N{EN DASH} " in tap.spoken_name() for tap in table.taps()) <= 10
    await evening.tap("app.back")
    await after(evening, session)


async def footclub_season(evening: SceneContext, _: EveningLog) -> None:
    """Three matches of a season from home: a suspension and an injury carried to the second leg, then another match."""
    whole_after.furnish(evening)
    await scenes_season.three_matches(evening, scenes_season.by_touch)
    session = evening.table.app.session
    await evening.tap("app.back")
    await after(evening, session)


async def whole_match(evening: SceneContext, log: EveningLog, random: Random, names: Sequence[str]) -> None:
    """Prepare and play a match to its end; after a save the beaten club presses too early."""
    await scenes_legs.prepared(evening, names)
    await evening.tap("app.clubs.kick_off")
    await evening.table.frames(6)
    session = evening.table.app.session
    await whole_footclub.play(
        evening, session, log, random, until=lambda: whole_footclub.is_press_tempting(session.state)
    )
    if whole_footclub.is_press_tempting(session.state):
        await whole_footclub.press_too_early(evening, session)
    await whole_footclub.play(evening, session, log, random)


async def footclub_thrown(evening: SceneContext, log: EveningLog) -> None:
    """Play the same match with dice thrown on the simulated tray."""
    await footclub(evening, log, eyes=True)


async def nba(evening: SceneContext, log: EveningLog) -> None:
    """A short match with built teams and a dealt draft: tactics, dice, court changes; then a player card."""
    whole_after.furnish(evening)
    steps = look_at_campaigns, build_teams, deal_draft, draw_deck, read_rules
    session = await nba_evening.prepared(evening, *steps)
    log.events = len(await nba_evening.play(evening, session, FULL_TURNS, Random(SEEDS["nba"])))
    await after(evening, session)
    await whole_after.catalogues(evening, "nba-players")


async def hoops21(evening: SceneContext, log: EveningLog) -> None:
    """A race to seven points; after some events face to face, and side by side at the end."""
    table, tap = evening.table, evening.tap
    whole_after.furnish(evening)
    await tap("app.home.new")
    await tap("app.game.hoops21")
    await table.tap(hoops21_evenings.SHORT)
    await tap("app.prepare.start")
    session, random = table.app.session, Random(SEEDS["hoops21"])
    while not session.game.finished(session.state):
        before = session.sequence
        if log.events == FACING_FROM:
            await sit(evening, "facing")
        await hoops21_evenings.step(evening, session, random)
        assert session.sequence > before, f"stuck in {session.state.phase}: {table.texts()}"
        log.events += 1
        assert log.events < SLOW_STEPS
    await sit(evening, "beside")
    await after(evening, session)
    await whole_after.catalogues(evening)


async def sit(evening: SceneContext, how: str) -> None:
    """Change the seating in the settings through the table menu, and return to the match."""
    for word in ("table.menu", "table.menu_settings", "settings.room.seats", f"settings.seats.{how}", "back"):
        await evening.tap(f"app.{word}")
    assert evening.table.app.navigator.back_stack[-1].name == "table"


async def occasion(evening: SceneContext, log: EveningLog) -> None:
    """Play to one goal; a player card is entered at the table; then an occasion card is opened."""
    table, app = evening.table, evening.table.app
    whole_after.furnish(evening)
    await evening.tap("app.home.new")
    await evening.tap("app.game.occasion")
    await table.tap("1")
    await evening.tap("app.prepare.start")
    session = app.session
    await new_card(evening, session)
    done: set[str] = set()
    while not session.game.finished(session.state):
        await occasion_evenings.step(evening, session, done)
        log.events += 1
        assert log.events < occasion_evenings.MAX_STEPS
    await after(evening, session)
    await whole_after.catalogues(evening, "occasion-chances")


async def new_card(evening: SceneContext, session: Any) -> None:
    """Enter a player whose card is not in the catalogue."""
    before = [len(players) for players in session.state.players]
    await evening.tap("app.table.menu")
    await evening.table.tap_widget(starting(evening, evening.translate("occasion.do.define_player")))
    assert evening.table.app.navigator.back_stack[-1].name == "new_card"
    await evening.table.tap_widget(starting(evening, evening.translate("occasion.form.post")))
    await evening.tap("occasion.post.RB")
    await evening.tap("app.card.save")
    assert sum(len(players) for players in session.state.players) == sum(before) + 1, evening.table.texts()


async def after(evening: SceneContext, session: Any) -> None:
    """Do the steps that every game has after its match."""
    assert session.game.finished(session.state)
    await evening.capture(f"04-whole-{session.game.id}")
    await whole_after.report(evening, session)
    await whole_after.look_back(evening, session)
    await whole_after.house_rooms(evening)
    await whole_after.tournament(evening)


PLAYED = (footclub, footclub_thrown, footclub_legs, footclub_league, footclub_season, nba, hoops21, occasion)
EVENINGS: dict[str, Callable[[SceneContext], Awaitable[None]]] = {
    f"whole_{play.__name__}": logged(play) for play in PLAYED
}
