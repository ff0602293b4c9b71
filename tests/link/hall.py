"""A tournament hall for tests: a real broker, a real hub with its database, tables with real stores and links."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from companion.clock import SystemClock
from companion.games.base import Message, Refusal
from companion.games.registry import GAMES
from companion.hub.broker import Broker, own_server_login
from companion.hub.core import Core, open_core
from companion.hub.link import HubLink, LinkOptions
from companion.hub.registry import KeyRegistry, TableBroker
from companion.journal.codec import encode_file
from companion.journal.store import Store
from companion.link.table_link import Intervals, TableLink
from companion.messages.token import Token, format_token
from companion.table.hub_port import HubPort, TableMatch
from companion.tournament import facts as fa
from companion.tournament import planning
from companion.tournament.headers import MARK
from companion.tournament.values import Plan
from tests.tournament import plans
from tools.trials.local_postgres import free_port
from tools.trials.match import SimulatedMatch, random_tournament_header
from tools.trials.network import Network

GAME = "footclub"
NAMES = ("Ada", "Blaise", "Carl")
SHORT_INTERVALS = Intervals(
    hello=0.5,
    await_receipts=0.3,
    scan=0.05,
    retry_min=0.1,
    retry_max=0.5,
    retry_denied=1.0,
    confirm_retry=0.3,
    silence=7.0,
)
TIMEOUT_S = 30.0
"""Timeout in seconds for a busy machine."""


def plan(places: int = 1) -> Plan:
    """Return the plan of a round robin."""
    made = plans.round_robin("Club evening", GAME)
    return Plan(made.name, made.game, made.stages, places, 30, 0)


def expect(
    met: Callable[[], bool], why: str, meanwhile: Callable[[], object] = lambda: None, patience: float = TIMEOUT_S
) -> None:
    """Poll until a condition is true."""
    pause, end = threading.Event(), time.monotonic() + patience
    while not met():
        meanwhile()
        assert time.monotonic() < end, f"never came: {why}"
        pause.wait(0.02)


class TournamentHall:
    """Broker, hub and organiser. Its parts can be killed and restarted."""

    def __init__(
        self,
        folder: Path,
        places: int = 1,
        names: tuple[str, ...] = NAMES,
        options: LinkOptions | None = None,
        url: str | None = None,
    ) -> None:
        self.folder, self.options = folder, options
        self.url = url or f"sqlite:///{folder / 'hub.sqlite'}"
        self.troubles: list[Message | None] = []
        self.broker = Broker(folder / "broker", port=free_port())
        self.broker.start()
        self.network = Network("127.0.0.1", self.broker.port)
        self.begin_hub()
        for number in range(1, places + 1):
            self.core.tables.register(f"t{number}", number, f"Table {number}")
        self.table_tokens = TableTokens(self.core.keys, self.broker, f"127.0.0.1:{self.broker.port}")
        self.tournament = self.core.tournaments.create(planning.to_json(plan(places)), "test")
        self.decide(*(fa.Enter(f"e{number}", name) for number, name in enumerate(names, 1)), fa.Start())

    def begin_hub(self) -> None:
        self.core: Core = open_core(self.url, GAMES, SystemClock())
        run, heard = secrets.token_hex(8), self.troubles.append
        self.link = HubLink(self.core, own_server_login(self.broker), SystemClock(), run, self.options, heard)
        self.link.start()

    def end_hub(self) -> None:
        self.link.stop()
        self.core.close()

    def decide(self, *facts: fa.Fact) -> None:
        for fact in facts:
            self.core.tournaments.decide(self.tournament, fact, "test")

    def organise(self) -> None:
        """Make the decisions that are due."""
        for fact in self.core.tournaments.proposals(self.tournament):
            try:
                self.decide(fact)
            except Refusal:
                continue

    def address(self, number: int) -> str:
        """Return the address of a table's own connection, which can be cut."""
        return f"127.0.0.1:{self.network.relay_port(number)}"

    def close(self) -> None:
        self.end_hub()
        self.network.close()
        self.broker.stop()


@dataclass
class TableSeat:
    """A table: its folder (its card), store and port."""

    folder: Path
    open_port: Callable[[Path, Path], HubPort]
    random: Random = field(default_factory=lambda: Random(1))
    store: Store = field(init=False)
    port: HubPort = field(init=False)

    def __post_init__(self) -> None:
        self.switch_on()

    def switch_on(self) -> None:
        self.store = Store.open(self.folder / "matches.sqlite", SystemClock())
        self.port = self.open_port(self.store.path, self.folder)

    def switch_off(self) -> None:
        self.port.close()
        self.store.close()

    def match(self) -> TableMatch:
        """Return the match called to this table; it must exist."""
        found = self.port.snapshot().match
        assert found is not None
        return found

    def is_reported(self, match: str) -> bool:
        """Return True once the hub has the result of a match, which may have left the table by then.

        The next match is called, or the tournament ends and the table shows the podium.
        """
        here = self.port.snapshot().match
        return here is None or here.match != match or here.sent

    def start_match(self) -> SimulatedMatch:
        """Start the match that is called here."""
        called = self.match()
        header = random_tournament_header(GAMES[GAME], self.random, called.header["sides"], called.header["setup"])
        made = SimulatedMatch.start(self.store, GAMES[GAME], {**header, MARK: called.header[MARK]}, self.random)
        self.port.notify_appended()
        return made

    def play(self, match: SimulatedMatch, events: int | None = None) -> None:
        """Play `events` events, or to the end."""
        while events is None or events > 0:
            if match.step():
                break
            events = None if events is None else events - 1
        self.port.notify_appended()

    def confirm(self, match: SimulatedMatch, by: str) -> None:
        """Confirm the match in its current state."""
        assert by in ("home", "away", "referee")
        self.port.confirm(self.match().match, match.id, match.lines, by)


def real_link(store: Path, folder: Path) -> TableLink:
    """Return the product's link with short intervals."""
    return TableLink(store, folder, SystemClock(), secrets.token_hex(8), intervals=SHORT_INTERVALS)


def exported(store: Store, match: str) -> bytes:
    """Return a journal as the table exports it."""
    return encode_file(store.header(match), (entry.fields for entry in store.events(match)))


class TableTokens:
    """Creates the tokens of tables. `address` (`host:port`) is the broker's address for them."""

    def __init__(self, keys: KeyRegistry, broker: TableBroker, address: str) -> None:
        self.address = address
        self._keys, self._broker = keys, broker

    def token(self, table: str) -> str:
        """Return a new token for a table; its previous token is revoked.

        Raises: BrokerError.
        """
        self._keys.revoke_all("table", table)
        key = self._keys.issue("table", table)
        self._broker.admit(table, key)
        return format_token(Token(table, key, self._broker.fingerprint))
