"""Starts a tournament table in its own process: `python -m tests.app.tournament_start FOLDER STEP`.

Prints the table's state after the start; then a player performs STEP by touch and the power is cut. The hub is
simulated: with `offline` and `still_offline` it is unreachable, with `mend` it returns.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from tests.app import driver
from tests.app.driver import AppDriver
from tests.app.evening import matches_in

NAMES = ("Ada", "Blaise", "Carl", "Dorothée")
GAME = "hoops21"
FIRST_EVENTS = 12
"""Number of events of a match that has just started."""
SHORT_MATCH = {"target": 7}


def simulated(store: Path, folder: Path, there: bool) -> Any:
    """Return a simulated tournament of four entries; this is table 1."""
    from companion.clock import SystemClock
    from companion.games.registry import GAMES
    from tests.link.simulated_hub import SimulatedHub, SimulatedTournament
    from tests.tournament import plans

    made = replace(plans.round_robin("Soirée du club", GAME), tables=2)
    tournament = SimulatedTournament(made, NAMES, Random(1), SystemClock(), 1)
    return SimulatedHub(store, folder / "hub", GAMES, tournament, there=there)


def play_on(session: Any, events: int | None = None) -> None:
    """Play `events` legal events of a match, or to its end."""
    random = Random(session.sequence)
    while not session.game.finished(session.state) and events != 0:
        session.record(session.game.random_event(session.state, random))
        events = None if events is None else events - 1


def where(app: Any) -> dict[str, Any]:
    """Return the table's state: page, step, sides present, confirmations, score."""
    standing = app.tournament_follower.desk.status()
    match = standing.match
    return {
        "page": app.navigator.back_stack[-1].name,
        "step": standing.step,
        "match": match and match.match,
        "present": sorted(match.present) if match else [],
        "confirmed": sorted(match.confirmed) if match else [],
        "score": [standing.score("home"), standing.score("away")],
        "line": standing.played_match and standing.played_match.line,
        "played": app.tournament_follower.desk.hub.snapshot().standings[0].rows[0].played,
    }


class Player:
    """The player who touches the screen."""

    def __init__(self, table: AppDriver) -> None:
        self.table, self.app = table, table.app

    def translate(self, id: str, **args: Any) -> str:
        return str(self.app.translate(id, **args))

    @property
    def match(self) -> Any:
        return self.app.tournament_follower.desk.hub.snapshot().match

    async def check_in(self) -> None:
        """Check in both sides, each by its row and its name."""
        for name in (self.match.home, self.match.away):
            await self.table.tap(self.translate("app.tournament.asked", name=name))
            await self.table.tap(f"{name} {self.translate('app.tournament.here')}")

    async def start_match(self) -> None:
        """Open the match from the tournament page and play some events."""
        await self.table.tap(self.translate("app.tournament.begin"))
        self.app.navigator.back_stack[-1].memory["chosen"].update(SHORT_MATCH)
        await self.table.tap(self.translate("app.prepare.start"))
        play_on(self.app.session, FIRST_EVENTS)

    async def finish(self) -> None:
        """Resume, play to the end, and confirm for the first side."""
        await self.table.tap(self.translate("app.home.resume"))
        play_on(self.app.session)
        moments = self.app.navigator.page.moments

        def is_over() -> bool:
            moments.skip()  # as a tap does: the last basket, then the last whistle
            return self.table.has(self.translate("app.tournament.to_confirm"))

        await self.table.until(is_over)
        await self.table.tap(self.translate("app.tournament.to_confirm"))
        await self.confirm(self.match.home)

    async def offline(self) -> None:
        """Disconnect the network, then confirm for the second side."""
        self.app.tournament_follower.desk.hub.cut()
        await self.confirm(self.match.away)

    async def still_offline(self) -> None:
        """Check that no action is possible except waiting."""
        await self.table.frames(2)

    async def mend(self) -> None:
        """Reconnect the network."""
        self.app.tournament_follower.desk.hub.mend()
        await self.table.seconds(0.6)

    async def confirm(self, name: str) -> None:
        await self.table.tap(self.translate("app.tournament.agreed", name=name))
        await self.table.tap(f"{name} {self.translate('app.tournament.confirm')}")


def main(folder: str, step: str) -> None:
    from companion.app.app import TapisVertApp, prepare_window
    from companion.app.platform import Platform
    from companion.config import Config
    from companion.messages.token import Token, format_token

    prepare_window(driver.SIZES["800x480"])
    matches = matches_in(Path(folder))
    hub = simulated(matches.store.path, Path(folder), there=step not in ("still_offline", "mend"))
    if not hub.snapshot().link.joined:
        hub.join("hub.local", format_token(Token("t1", "a key of sixteen")))
    app = TapisVertApp(matches, Config(), platform=Platform(hub=hub))

    async def play(table: AppDriver) -> None:
        print(json.dumps(where(app.context)), flush=True)
        await getattr(Player(table), step)()
        print(json.dumps(where(app.context)), flush=True)
        os.kill(os.getpid(), signal.SIGKILL)

    driver.drive(app, play)


if __name__ == "__main__":
    main(*sys.argv[1:])
