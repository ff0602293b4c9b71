"""Screen 17: the tournament at a table, every step of its match, the link's states, groups, QR code, settings."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from companion.table.hub_port import LinkState
from tests.app.evening import Evening
from tests.screens.scenes_house import furnish, home
from tests.screens.staged_hub import LONG, NAMES, StagedHub, at, cup, match, table, title

Scene = Callable[["Evening"], Awaitable[None]]


def attached(evening: Evening, hub: Any, **parts: Any) -> Any:
    """Puts a link to a hub into the house of the running app; the app."""
    from companion.app.kiosk import Kiosk

    app = evening.table.app
    app.end_session()
    house = furnish(evening, hub=hub, **parts)
    app.kiosk = Kiosk(app, house)
    return app


async def opened(evening: Evening, hub: Any, **parts: Any) -> Any:
    """The tournament's page over the home page."""
    app = attached(evening, hub, **parts)
    await home(evening)
    app.open("tournament")
    await evening.table.frames(6)
    return app


async def waiting(evening: Evening) -> None:
    """Who is there, in every state of the link; no match; groups; a knock-out; long names; a QR code; the menu."""
    hub = StagedHub(cup())
    app = await opened(evening, hub)
    await evening.look("17-gathering")
    for name, look in LOOKS.items():
        hub.now = look
        app.redraw()
        await evening.look(f"17-{name}")
    hub.now = cup()
    app.redraw()
    await evening.table.frames(3)
    await evening.tap("app.tournament.qr.title")
    await evening.look("17-qr")
    await evening.tap("app.close")
    await evening.tap("app.table.menu")
    await evening.look("17-menu")
    await evening.tap("app.close")
    hub.now = LOOKS["groups"]
    app.redraw()
    await evening.table.frames(3)
    await evening.table.tap("Poule A")
    await evening.look("17-groups-list")
    await evening.table.tap("Poule C")
    await evening.look("17-groups-other")
    app.home()
    await evening.look("01-home-tournament")


async def presences(evening: Evening) -> None:
    """Sides come, one by mistake; both there, the match may begin."""
    hub = StagedHub(cup(match=match()))
    await opened(evening, hub)
    await evening.look("17-nobody")
    await evening.table.tap(evening.words("app.tournament.asked", name="Valcendre"))
    await evening.look("17-here")
    await evening.tap("app.tournament.here", "Valcendre")
    await evening.table.tap(evening.words("app.tournament.asked", name="Port-Mélian"))
    await evening.tap("app.tournament.here", "Port-Mélian")
    await evening.look("17-ready")
    await evening.tap("app.tournament.presence")
    await evening.look("17-presences")
    await evening.table.tap("Valcendre")
    await evening.look("17-absent")
    await evening.tap("app.tournament.absent", "Valcendre")
    assert hub.now.match.present == {"away"}


LOOKS = {
    "offline": cup(link=LinkState(joined=True, since=at(15, 32), waiting=41)),
    "never": cup(link=LinkState(joined=True), told=None),
    "trouble": cup(link=LinkState(joined=True, since=at(9, 2), trouble=title("Jeton refusé."))),
    "no-match": cup(match=None),
    "no-match-none-coming": cup(match=None, coming=()),
    "frozen": cup(frozen=True),
    "review": cup(match=match(review=True)),
    "sent": cup(match=match(sent=True)),
    "groups": cup(match=None, standings=tuple(table(name=f"Poule {letter}", advance=2) for letter in "ABC")),
    "many": cup(standings=(table(tuple(f"Club {n}" for n in range(38)) + NAMES, "Ronde 4", 0),)),
    "knock-out": cup(standings=()),
    "long": cup(
        match=match(*LONG),
        standings=(table((*LONG, *NAMES[2:])),),
        tournament="Championnat interrégional d’automne",
        link=LinkState(joined=True, since=at(15, 32)),
    ),
}


SCENES: dict[str, Scene] = {"tournament_waiting": waiting, "tournament_presences": presences}
