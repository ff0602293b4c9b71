"""A hall for the tests: a real broker, a real hub with its database, tables with real stores and links."""

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
from companion.hub.broker import Broker, own_server
from companion.hub.core import Core, open_core
from companion.hub.link import HubLink, LinkOptions
from companion.hub.registry import Keys, TableBroker
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
from tools.trials.match import SimulatedMatch, invented_header
from tools.trials.network import Network
from tools.trials.own_postgres import free_port

GAME = "footclub"
NAMES = ("Ada", "Blaise", "Carl")
HURRIED = Intervals(
    hello=0.5,
    await_receipts=0.3,
    scan=0.05,
    retry_min=0.1,
    retry_max=0.5,
    retry_denied=1.0,
    confirm_retry=0.3,
    silence=7.0,
)
PATIENCE = 30.0
"""Seconds after which a test has waited long enough, on a machine that is busy with something else."""


def plan(places: int = 1) -> Plan:
    """Everyone against everyone."""
    made = plans.round_robin("Club evening", GAME)
    return Plan(made.name, made.game, made.stages, places, 30, 0)


def expect(
    met: Callable[[], bool], why: str, meanwhile: Callable[[], object] = lambda: None, patience: float = PATIENCE
) -> None:
    """Waits for something that will be so, looking often."""
    pause, end = threading.Event(), time.monotonic() + patience
    while not met():
        meanwhile()
        assert time.monotonic() < end, f"never came: {why}"
        pause.wait(0.02)


class Hall:
    """Broker, hub and organiser. Parts of it can be killed and begun again."""

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
        self.door = TableTokens(self.core.keys, self.broker, f"127.0.0.1:{self.broker.port}")
        self.tournament = self.core.tournaments.create(planning.fields(plan(places)), "test")
        self.decide(*(fa.Enter(f"e{number}", name) for number, name in enumerate(names, 1)), fa.Start())

    def begin_hub(self) -> None:
        self.core: Core = open_core(self.url, GAMES, SystemClock())
        run, heard = secrets.token_hex(8), self.troubles.append
        self.link = HubLink(self.core, own_server(self.broker), SystemClock(), run, self.options, heard)
        self.link.start()

    def end_hub(self) -> None:
        self.link.stop()
        self.core.close()

    def decide(self, *facts: fa.Fact) -> None:
        for fact in facts:
            self.core.tournaments.decide(self.tournament, fact, "test")

    def organise(self) -> None:
        """Decides what is due."""
        for fact in self.core.tournaments.proposals(self.tournament):
            try:
                self.decide(fact)
            except Refusal:
                continue

    def address(self, number: int) -> str:
        """Of a table's own wire, which can be cut."""
        return f"127.0.0.1:{self.network.wire(number)}"

    def close(self) -> None:
        self.end_hub()
        self.network.close()
        self.broker.stop()


@dataclass
class Seat:
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
        """The match called to this table, which there must be."""
        found = self.port.snapshot().match
        assert found is not None
        return found

    def begin(self) -> SimulatedMatch:
        """Begins the match that is called here."""
        called = self.match()
        header = invented_header(GAMES[GAME], self.random, called.header["sides"], called.header["setup"])
        made = SimulatedMatch.begin(self.store, GAMES[GAME], {**header, MARK: called.header[MARK]}, self.random)
        self.port.notify_appended()
        return made

    def play(self, match: SimulatedMatch, events: int | None = None) -> None:
        """Plays so many events, or to the end."""
        while events is None or events > 0:
            if match.step():
                break
            events = None if events is None else events - 1
        self.port.notify_appended()

    def confirm(self, match: SimulatedMatch, by: str) -> None:
        """Somebody confirms the match as it stands."""
        assert by in ("home", "away", "referee")
        self.port.confirm(self.match().match, match.id, match.lines, by)


def real_link(store: Path, folder: Path) -> TableLink:
    """The link that ships, hurried."""
    return TableLink(store, folder, SystemClock(), secrets.token_hex(8), intervals=HURRIED)


def exported(store: Store, match: str) -> bytes:
    """A journal as the table exports it."""
    return encode_file(store.header(match), (entry.fields for entry in store.events(match)))


class TableTokens:
    """Gives tables their tokens. `address` (`host:port`) is where they find the broker."""

    def __init__(self, keys: Keys, broker: TableBroker, address: str) -> None:
        self.address = address
        self._keys, self._broker = keys, broker

    def token(self, table: str) -> str:
        """A new token for a table; one that it had before opens nothing any more. Raises BrokerError."""
        self._keys.revoke_all("table", table)
        key = self._keys.issue("table", table)
        self._broker.admit(table, key)
        return format_token(Token(table, key, self._broker.print))
