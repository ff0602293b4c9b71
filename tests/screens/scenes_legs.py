"""Two legs by touch: home side by lot, a first leg, its second leg with transfers, and the board of both."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from companion.games.base import Fields
from companion.games.footclub import FOOTCLUB
from companion.games.footclub.greedy_player import greedy_event
from companion.games.footclub.squads import CONSENT, header, sample_clubs
from companion.table.league import read_league
from tests.app.evening import SceneContext
from tests.screens.scenes import Scene

MAX_EVENTS = 1000
CHOSEN = ("Valcendre", "Port-Mélian")
LEVELS = (4, 4, 4, 5, 5)


def played(evening: SceneContext, made: dict[str, Any], seed: int = 2) -> str:
    """Play a match to its end with the greedy player, in the store, and return its id."""
    session = evening.table.app.matches.start("footclub", made)
    random = Random(seed)
    for _ in range(MAX_EVENTS):
        if FOOTCLUB.finished(session.state):
            break
        session.record(next_event(session.state, random))
    assert FOOTCLUB.finished(session.state)
    session.close()
    return str(session.match_id)


def next_event(state: Any, random: Random) -> Fields:
    """Return the next event of the greedy player, or of the random one where that does not look."""
    return greedy_event(state, random) or FOOTCLUB.random_event(state, random)


def first_leg(evening: SceneContext) -> str:
    """Play the first leg of two sample clubs and return its id."""
    blue, red = sample_clubs()[:2]
    return played(evening, header(blue, red, format="leg1", options=dict(CONSENT)))


async def home(evening: SceneContext) -> None:
    """Return to the home page."""
    app = evening.table.app
    app.end_session()
    app.navigator.go_home()
    await evening.table.frames(4)


async def options(evening: SceneContext) -> None:
    """The options of a match: formats, both readings of the kop, the home club by lot; no first leg to follow yet."""
    table, tap = evening.table, evening.tap
    await home(evening)
    table.app.open("clubs")
    await table.frames(4)
    await tap("app.clubs.kop.K01_1")
    await evening.capture("03-kop-reading")
    await tap("app.close")
    await tap("app.clubs.toss")
    await evening.capture("03-toss")
    await tap("app.close")
    await tap("app.clubs.format.leg2")
    await evening.capture("03-no-first-leg")
    await tap("app.close")
    await tap("app.clubs.format.leg1")
    await evening.capture("03-first-leg")
    await choose_clubs(evening)
    await evening.tap("app.clubs.sheet", "Valcendre")
    session = table.app.session
    assert session.header["toss"] == {"home": session.header["setup"]["home"]}
    assert session.header["setup"]["options"] == {"consent": True, "kop_attack_bonus": 1}
    assert session.header["setup"]["format"] == "leg1"
    await home(evening)
    table.app.matches.store.remove(session.match_id)


async def choose_clubs(evening: SceneContext) -> None:
    """Choose two sample clubs on the clubs page."""
    for side, club in zip(("blue", "red"), CHOSEN, strict=True):
        await evening.tap("app.clubs.squad", evening.translate(f"app.side.{side}"))
        await evening.table.tap(club)


async def second_leg(evening: SceneContext) -> None:
    """From the home page to the second leg: carried facts, transfers by lot and by hand, then its board and end."""
    table, app = evening.table, evening.table.app
    first = first_leg(evening)
    await home(evening)
    await evening.capture("01-home-second-leg")
    await evening.tap("app.clubs.format.leg2")
    assert app.navigator.back_stack[-1].name == "clubs"
    await evening.capture("03-second-leg")
    names = [club.name for club in sample_clubs()[:2]]
    await transfers(evening, names)
    session = app.session
    setup = session.header["setup"]
    assert (session.header["follows"], setup["home"], setup["format"]) == (first, "red", "leg2")
    await prepared(evening, names)
    await evening.capture("03-second-leg-ready")
    await evening.tap("app.clubs.kick_off")
    await table.frames(6)
    await evening.capture("04-second-leg")
    await play_to_end(evening, session, seed=3)
    await evening.capture("04-second-leg-over")
    await evening.tap("app.report.open")
    await evening.capture("report-second-leg")


async def play_to_end(evening: SceneContext, session: Any, seed: int) -> None:
    """Play the rest of a match with random events, and show its end."""
    random = Random(seed)
    while not FOOTCLUB.finished(session.state):
        session.record(next_event(session.state, random))
    await evening.table.frames(6)


async def transfers(evening: SceneContext, names: Sequence[str]) -> None:
    """The offer of one club is drawn by lot, that of the other is entered; each takes two players."""
    table, app = evening.table, evening.table.app
    await evening.tap("app.clubs.transfers", names[0])
    await evening.capture("03-transfers")
    await evening.tap("app.transfers.draw")
    await evening.capture("03-transfers-drawn")
    await take_players(evening, (4, 4))
    await evening.capture("03-transfers-done")
    await evening.tap("app.clubs.sheet", names[1])
    await evening.capture("03-transfers-first")
    await evening.tap("app.close")
    await evening.tap("app.clubs.transfers", names[1])
    for level in LEVELS:
        await tap_card(evening, level)
    await evening.capture("03-transfers-by-hand")
    await evening.tap("app.transfers.offered")
    await take_players(evening, (4, 5))
    events = [entry.fields["event"] for entry in app.session.ledger.all_events]
    assert events == ["market_transfer"] * 2
    assert table.app.navigator.back_stack[-1].name == "clubs"


async def take_players(evening: SceneContext, levels: tuple[int, ...]) -> None:
    """Take players of these levels and confirm."""
    for level in levels:
        await tap_card(evening, level)
    await evening.tap("app.transfers.confirm")


async def tap_card(evening: SceneContext, level: int) -> None:
    """Tap the first card of a level that is not marked yet."""
    page = evening.table.app.navigator.page
    rows = [tap for tap in evening.table.taps() if type(tap).__name__ == "ChoiceButton" and tap.prominence == 2]
    names = {page._row(id)["name"] for id in page._free_ids() if page._card(id)["level"] == level}
    await evening.table.tap_widget(next(row for row in rows if any(name in row.text for name in names)))


async def league(evening: SceneContext) -> None:
    """A league evening: four clubs, the first match by touch, the others played at once, the final table."""
    table, app = evening.table, evening.table.app
    await home(evening)
    app.open("clubs")
    await table.frames(4)
    await begin_league(evening)
    await evening.tap("app.league.next")
    await evening.capture("03-league-match")
    names = [side["name"] for side in app.navigator.page.route.args["decided"]["sides"].values()]
    session = await prepared(evening, names)
    league_id = session.header["league"]["id"]
    await evening.tap("app.clubs.kick_off")
    await play_to_end(evening, session, seed=7)
    await evening.capture("04-league-match-over")
    await evening.tap("app.league.table")
    await evening.capture("league-after-one")
    for seed in range(4):
        going = read_league(app.matches, league_id)
        assert going is not None
        assert going.next is not None
        decided = going.header(going.next)
        played(
            evening, {"journal": 1, "game": "footclub", **decided, "setup": {"kop": "K02", **decided["setup"]}}, seed
        )
    await home(evening)
    await evening.tap("app.league.table")
    await evening.capture("league-day-three")
    row = next(tap for tap in table.taps() if " \N{EN DASH} " in tap.spoken_name())
    await table.tap_widget(row)
    assert app.navigator.back_stack[-1].name == "clubs"


async def begin_league(evening: SceneContext) -> None:
    """Go from the clubs page to a league of the four sample clubs."""
    await evening.tap("app.clubs.format.league")
    await evening.capture("03-league")
    await evening.tap("app.clubs.league")
    await evening.tap("app.league.begin")
    await evening.tap("app.close")
    for club in sample_clubs():
        await evening.table.tap_widget(next(tap for tap in evening.table.taps() if tap_text(tap) == club.name))
    await evening.capture("league-clubs")
    await evening.tap("app.league.begin")
    await evening.capture("league-begun")


def tap_text(tap: Any) -> str:
    """Return the label of a button."""
    return str(getattr(tap, "text", ""))


async def prepared(evening: SceneContext, names: Sequence[str]) -> Any:
    """Pick both teams and make both tactical choices on the clubs page; return the session."""
    for club in names:
        await evening.tap("app.clubs.sheet", club)
        await evening.table.hold(evening.translate("app.secret.alone"))
        await evening.tap("app.lineup.validate")
        await evening.tap("app.clubs.tactics", club)
        await evening.table.hold(evening.translate("app.secret.alone"))
        await evening.tap("app.tactics.advised")
        await evening.tap("app.tactics.done")
    return evening.table.app.session


SCENES: dict[str, Scene] = {"legs_options": options, "legs_second": second_leg, "legs_league": league}
