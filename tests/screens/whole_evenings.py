"""One whole evening for each game by touch alone: from home through a match to its report, every other room, home."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from random import Random
from typing import Any

from tests.app.evening import Evening, prepare
from tests.screens import hoops21_evenings, nba_evening, occasion_evenings, whole_after, whole_footclub
from tests.screens.scenes import starting
from tests.screens.whole_log import Log, logged

SEEDS = {"footclub": 38, "nba": 5, "hoops21": 4}
"""Matches that are short and yet have something of everything."""
FULL_TURNS = 99
"""More turns than a match has: all of them are played in full."""
FACING_FROM = 6
"""Events of hoops21 after which the players sit down face to face."""
CORRECTED_FROM = 12
"""Events of FootClub after which a throw is corrected."""
SLOW_STEPS = 400


async def footclub(evening: Evening, log: Log, eyes: bool = False) -> None:
    """Clubs, line-ups, secret tactics, a match with its changes; a throw corrected; a market and a squad."""
    whole_after.furnish(evening)
    if eyes:
        give_eyes(evening)
    await prepare(evening)
    await evening.tap("app.clubs.kick_off")
    await evening.table.frames(6)
    session = evening.table.app.session
    random = Random(SEEDS["footclub"])
    if not eyes:
        await whole_footclub.play(evening, session, log, random, until=lambda: told(session, log.events))
        await whole_footclub.correct_a_throw(evening, session)
    await whole_footclub.play(evening, session, log, random)
    await after(evening, session)
    await whole_after.clubs(evening)
    await whole_after.catalogues(evening)


def told(session: Any, events: int) -> bool:
    """Whether a throw has just been told that can be corrected."""
    return events >= CORRECTED_FROM and session.ledger.newest.fields["event"] == "roll"


def give_eyes(evening: Evening) -> None:
    """The simulated table, read by the real reader, as `companion run` has it where there is no camera."""
    from companion.commands.run import reader_of

    evening.table.app.reader_factory = partial(reader_of, "simulated", evening.folder / "dice")


async def footclub_thrown(evening: Evening, log: Log) -> None:
    """The same match, its dice thrown on the simulated tray."""
    await footclub(evening, log, eyes=True)


async def nba(evening: Evening, log: Log) -> None:
    """A short match: tactics, dice, the court changed; a card of the players looked at."""
    whole_after.furnish(evening)
    session = await nba_evening.prepared(evening)
    log.events = len(await nba_evening.play(evening, session, FULL_TURNS, Random(SEEDS["nba"])))
    await after(evening, session)
    await whole_after.catalogues(evening, "nba-players")


async def hoops21(evening: Evening, log: Log) -> None:
    """A race to seven points; after some events the players sit face to face, and at the end beside each other."""
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
        assert session.sequence > before, f"stuck in {session.state.phase}: {table.words()}"
        log.events += 1
        assert log.events < SLOW_STEPS
    await sit(evening, "beside")
    await after(evening, session)
    await whole_after.catalogues(evening)


async def sit(evening: Evening, how: str) -> None:
    """Through the menu of the table to the settings, and back to the match."""
    for word in ("table.menu", "table.menu_settings", "settings.room.seats", f"settings.seats.{how}", "back"):
        await evening.tap(f"app.{word}")
    assert evening.table.app.navigator.back_stack[-1].name == "table"


async def occasion(evening: Evening, log: Log) -> None:
    """One goal wins; a player's card is written at the table; a card of the chances looked at."""
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
        assert log.events < occasion_evenings.MOST_STEPS
    await after(evening, session)
    await whole_after.catalogues(evening, "occasion-chances")


async def new_card(evening: Evening, session: Any) -> None:
    """A player whose card is not in the catalogue yet."""
    before = [len(players) for players in session.state.players]
    await evening.tap("app.table.menu")
    await evening.table.tap_widget(starting(evening, evening.words("occasion.do.define_player")))
    assert evening.table.app.navigator.back_stack[-1].name == "new_card"
    await evening.table.tap_widget(starting(evening, evening.words("occasion.form.post")))
    await evening.tap("occasion.post.RB")
    await evening.tap("app.card.save")
    assert sum(len(players) for players in session.state.players) == sum(before) + 1, evening.table.words()


async def after(evening: Evening, session: Any) -> None:
    """What every game has after its match."""
    assert session.game.finished(session.state)
    await evening.look(f"04-whole-{session.game.id}")
    await whole_after.report(evening, session)
    await whole_after.look_back(evening, session)
    await whole_after.house_rooms(evening)
    await whole_after.tournament(evening)


EVENINGS: dict[str, Callable[[Evening], Awaitable[None]]] = {
    f"whole_{play.__name__}": logged(play) for play in (footclub, footclub_thrown, nba, hoops21, occasion)
}
