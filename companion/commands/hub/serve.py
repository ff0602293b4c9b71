"""`companion hub`: assembles, runs and shuts down the tournament server."""

from __future__ import annotations

import asyncio
import gc
import logging
import secrets
import signal
import socket
import ssl
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import TracebackType

from sqlalchemy.engine import make_url

from companion.clock import Clock, SystemClock
from companion.commands.backup import HUB
from companion.commands.exit_codes import DONE, FAILED, REFUSED
from companion.commands.hub.backups import BROKER, CLUSTER, HubBackups, HubLocation, newest_backup, with_newest_backup
from companion.commands.hub.log_limit import RepeatFilter
from companion.commands.hub.options import ALL_INTERFACES, LOOPBACK, HubOptions, options_fault
from companion.commands.settings import data_folder_of, language_of
from companion.games.base import Message
from companion.games.registry import GAMES
from companion.hub.broker import (
    TABLES_FILE,
    Broker,
    BrokerError,
    BrokerLogin,
    ClusterAddress,
    LostCertificate,
    OrganiserCluster,
    cluster_login,
    own_server_login,
    parse_cluster_address,
)
from companion.hub.core import Core, open_core
from companion.hub.database import DatabaseDamaged, DatabaseError
from companion.hub.link import HubLink, LinkOptions, TablePresence
from companion.hub.password_link import VALID_S, PasswordLink
from companion.hub.registry import TableBroker
from companion.hub.web.app import PageServer, make_app, server
from companion.hub.web.connections import raise_file_limit
from companion.hub.web.pages import PageDependencies
from companion.journal.lock import LockHeldError
from companion.language import Language, reason_of
from companion.messages.token import Token, format_token, invitation
from vision.files import take_damaged_files

log = logging.getLogger(__name__)

SWEEP_INTERVAL_S = 3600.0
"""Seconds between two deletions of expired data."""


class HubStartError(Exception):
    """The hub cannot start. `message` is the reason."""

    def __init__(self, message: Message) -> None:
        super().__init__(str(message))
        self.message = message


class RunningHub:
    """A running hub as an async context manager: running after entry, everything saved after exit."""

    def __init__(self, options: HubOptions, notify: Callable[[Message], None] = lambda message: None) -> None:
        """Prepare the hub. `notify` is called, on any thread, with messages for the organiser.

        Raises: HubStartError for an invalid broker address.
        """
        self._options, self._clock, self._notify = options, SystemClock(), notify
        self._cluster_at: ClusterAddress | None = None
        try:
            if options.broker is not None:
                self._cluster_at = parse_cluster_address(options.broker)
        except BrokerError as fault:
            raise HubStartError(fault.message) from None
        self.address = options.pages_address
        at_cluster = self._cluster_at and self._cluster_at.table_address(options.host)
        self.tables_address = at_cluster or f"{options.host}:{options.tables_port}"
        self.cluster_users: Path | None = None
        """The file to include in an organiser's cluster configuration."""
        self._ended = asyncio.Event()
        self._own_broker: Broker | None = None
        self._link: HubLink | None = None
        self.backups: HubBackups | None = None
        self._jobs: list[asyncio.Task[None]] = []
        self._is_started = False
        self._trouble: Message | None = None

    @property
    def broker_pid(self) -> int | None:
        """The process id of the hub's own NATS server."""
        return self._own_broker.pid if self._own_broker else None

    def token(self, table: str) -> str:
        """Return a new token for a registered table. Revokes older ones."""
        self.core.keys.revoke_all("table", table)
        return self._admit(table, self.core.keys.issue("table", table))[0]

    def presence(self) -> Mapping[str, TablePresence]:
        """Return the tables heard since the start, by id."""
        return {} if self._link is None else self._link.presence.all()

    def set_up_address(self) -> str | None:
        """Return the one-time link for choosing the organiser's password; None if it is already set."""
        access = self._server.config.app.state.site.access  # type: ignore[union-attr]
        return None if access.is_set_up else f"{self.address}/desk/set-up?key={access.set_up_key()}"

    def end(self) -> None:
        """Stop the hub. Call it on the hub's event loop."""
        self._ended.set()

    async def stopped_within(self, seconds: float | None = None) -> bool:
        """Wait for this time, or forever. Returns True if the hub is to stop."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._ended.wait(), seconds)
        return self._ended.is_set()

    async def __aenter__(self) -> RunningHub:
        """Start the hub. Raises: HubStartError with a message; then nothing is left running."""
        raise_file_limit()
        loop = asyncio.get_running_loop()
        for sign in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(sign, self._ended.set)
        try:
            self._options.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as fault:
            message = Message("cli.hub.folder", {"folder": self._options.folder, "reason": reason_of(fault)})
            raise HubStartError(message) from None
        listener = self._open_listener()
        try:
            self.core: Core = await asyncio.to_thread(_open_core, self._options, self._clock, self._notify)
        except DatabaseError as fault:
            listener.close()
            is_damaged = isinstance(fault, DatabaseDamaged)
            raise HubStartError(
                with_newest_backup(fault.message, self._options) if is_damaged else fault.message
            ) from None
        try:
            await self._start(listener)
        except BaseException as fault:
            await self._end()
            if isinstance(fault, LostCertificate):
                raise HubStartError(with_newest_backup(fault.message, self._options)) from None
            if isinstance(fault, BrokerError | DatabaseError):
                raise HubStartError(fault.message) from None
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._end()

    async def _start(self, listener: socket.socket) -> None:
        self.backups = await asyncio.to_thread(_make_backups, self._options, self.core, self._clock)
        login = await asyncio.to_thread(self._broker_login)
        parts = PageDependencies(
            self.core,
            self._clock,
            self.address,
            self.tables_address,
            secure=self._options.certificate is not None,
            revoked=self._broker.dismiss,
            admitted=self._admit,
            backups=self.backups.state,
            presence=self.presence,
            folder=self._options.folder,
        )
        certificate, key = (str(file) if file else None for file in (self._options.certificate, self._options.key))
        try:
            self._server: PageServer = server(make_app(parts), LOOPBACK, self._options.port, certificate, key)
            self._server.config.load()
        except (OSError, ssl.SSLError) as fault:
            message = Message("cli.hub.certificate", {"file": self._options.certificate, "reason": reason_of(fault)})
            raise HubStartError(message) from None

        def on_trouble(trouble: Message | None) -> None:
            self._notify(trouble or _recovery_message(self._trouble))
            self._trouble = trouble

        self._link = HubLink(
            self.core,
            login,
            self._clock,
            secrets.token_hex(8),
            self._link_options(),
            on_trouble,
        )
        self._link.start()
        jobs = (self._serve(listener), self._sweep_forever(), self.backups.run())
        self._jobs = [asyncio.create_task(job) for job in jobs]
        while not self._server.started and not self._jobs[0].done():
            await asyncio.sleep(0.01)
        if self._jobs[0].done():
            try:
                await self._jobs[0]
            except OSError as fault:
                raise HubStartError(_port_message(self._options.port, fault)) from None
        gc.collect()
        gc.freeze()  # what is loaded by now stays: a full collection that walks all of it delays a page by 80 ms
        self._is_started = True

    def _link_options(self) -> LinkOptions:
        return LinkOptions(
            page=lambda tournament, match: f"{self.address}/t/{tournament}/match/{match}", pages=self.address
        )

    def _broker_login(self) -> BrokerLogin:
        options = self._options
        if self._cluster_at is not None:
            by_file = options.credentials is not None
            cluster = OrganiserCluster(options.folder / CLUSTER, self._cluster_at.login, by_file, self._notify)
            self._broker: TableBroker = cluster
            self.cluster_users = cluster.users
            return cluster_login(self._cluster_at, cluster.login, options.credentials)
        host = ALL_INTERFACES if options.lan else LOOPBACK
        self._broker = self._own_broker = Broker(options.folder / BROKER, host, options.tables_port)
        if self._own_broker.certificate.is_new and self.core.keys.all("table"):
            self._notify(Message("broker.new_certificate", {"file": self._own_broker.certificate.certificate}))
        for damaged in take_damaged_files():
            if damaged.path.name == TABLES_FILE:
                self._notify(Message("broker.damaged_tables", {"file": damaged.moved_to or damaged.path}))
        self._own_broker.start()
        return replace(own_server_login(self._own_broker), renew=partial(_renew_stream, self._own_broker))

    def _open_listener(self) -> socket.socket:
        """Open the socket of the web pages. An occupied port is reported before anything starts."""
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((ALL_INTERFACES if self._options.lan else LOOPBACK, self._options.port))
            listener.listen()  # at once, so that no other program can take the port
        except OSError as fault:
            listener.close()
            raise HubStartError(_port_message(self._options.port, fault)) from None
        return listener

    async def _serve(self, listener: socket.socket) -> None:
        try:
            await self._server.serve(sockets=[listener])
        finally:
            self._ended.set()  # without pages the hub is useless

    async def _sweep_forever(self) -> None:
        """Delete expired data periodically. Continues after any error, since expired data must be deleted."""
        while True:
            trouble: Message | None = None
            try:
                await asyncio.to_thread(self.core.retention.sweep)
                if not self.core.database.vacuumed:
                    trouble = Message("tournament.hub.not_vacuumed")
            except DatabaseError as fault:
                log.warning("nothing was swept: %s", fault)
                trouble = Message("tournament.hub.not_swept", {"reason": fault.message})
            except Exception as fault:
                log.exception("nothing was swept")
                trouble = Message("tournament.hub.not_swept", {"reason": reason_of(fault)})
            if trouble is not None:
                self._notify(trouble)
            await asyncio.sleep(SWEEP_INTERVAL_S)

    def _admit(self, table: str, key: str) -> tuple[str, str]:
        """Admit a table with this key at the broker. Returns its token, and the text of a QR code."""
        self._broker.admit(table, key)
        token = format_token(Token(table, key, self._broker.fingerprint))
        return token, invitation(self.tables_address, token)

    async def _end(self) -> None:
        """Stop the web pages first, then the table connections, then the database."""
        if self._jobs:
            self._server.should_exit = True
            for job in self._jobs[1:]:
                job.cancel()
            await asyncio.gather(*self._jobs, return_exceptions=True)
        if self._link is not None:
            await asyncio.to_thread(self._link.stop)
        if self._own_broker is not None:
            await asyncio.to_thread(self._own_broker.stop)
        if self.backups is not None:
            await asyncio.to_thread(self.backups.finish, self._is_started)
        await asyncio.to_thread(self.core.close)


def _open_core(options: HubOptions, clock: Clock, notify: Callable[[Message], None]) -> Core:
    """Open the core. Calls `notify` if its database is missing although backups of it exist.

    Raises: DatabaseError.
    """
    file = HubLocation.of(options.folder, options.url).database
    is_database_lost = file is not None and not file.exists() and newest_backup(options) is not None
    core = open_core(options.url, GAMES, clock)
    if is_database_lost:
        notify(with_newest_backup(Message("cli.hub.new_database", {"file": file}), options))
    return core


def _recovery_message(trouble: Message | None) -> Message:
    """Return the message for the end of a problem."""
    id = "" if trouble is None else trouble.id
    if id in ("tournament.hub.passed_over", "tournament.hub.link_failed"):
        return Message("tournament.hub.taken_again")
    return Message("tournament.hub.back" if id.startswith("tournament.") else "broker.there")


def _renew_stream(broker: Broker) -> Message:
    """Replace a damaged stream by a new one. Returns the message about it."""
    try:
        return Message("broker.stream_aside", {"aside": broker.reset_stream()})
    except BrokerError as fault:
        return fault.message


def _port_message(port: int, fault: OSError) -> Message:
    args = {"what": Message("cli.hub.what.pages"), "port": port, "option": "--port"}
    return Message("cli.hub.port_taken", {**args, "reason": reason_of(fault)})


def _make_backups(options: HubOptions, core: Core, clock: Clock) -> HubBackups:
    """Return the hub's backups. Raises: HubStartError, DatabaseError."""
    folder = options.folder
    try:
        return HubBackups(HubLocation.of(folder, options.url), core.database, clock, options.backups)
    except LockHeldError as held:
        raise HubStartError(Message("cli.hub.restore.open", {"folder": folder, "holder": held.holder})) from None
    except OSError as fault:
        message = Message("cli.hub.folder", {"folder": fault.filename or folder, "reason": reason_of(fault)})
        raise HubStartError(message) from None


# `companion hub --new-password`: prints the link for a new password. The hub may be running.


def run_new_password(config: Path | None, options: HubOptions) -> int:
    """Print a one-time link for a new password, at the address of a hub with these options. Returns the exit status."""
    language, folder = language_of(config), data_folder_of(config) / HUB
    if not folder.is_dir():
        print(language("cli.hub.new_password.none", folder=folder), file=sys.stderr)
        return REFUSED
    try:
        key = PasswordLink(folder, SystemClock()).issue()
    except OSError as fault:
        print(language("cli.hub.folder", folder=folder, reason=reason_of(fault)), file=sys.stderr)
        return FAILED
    address = f"{options.pages_address}/desk/set-up?key={key}"
    print(language("cli.hub.new_password", address=address, minutes=VALID_S // 60))
    return DONE


# `companion hub`: starts the tournament server, prints its addresses, and stops it cleanly.


def run_hub(config: Path | None, options: HubOptions) -> int:
    """Serve until SIGINT or SIGTERM. Returns the exit status."""
    language = language_of(config)
    hub_options = replace(options, folder=data_folder_of(config) / HUB)
    wrong = options_fault(hub_options)
    if wrong is not None:
        print(language.text(wrong), file=sys.stderr)
        return REFUSED
    _set_up_log(SystemClock())
    try:
        asyncio.run(_serve(hub_options, language))
    except HubStartError as fault:
        print(language.text(fault.message), file=sys.stderr)
        return FAILED
    print(language("cli.hub.stopped"), file=sys.stderr)
    return DONE


def _set_up_log(clock: Clock) -> None:
    """Write warnings to the standard error stream, where the system's journal keeps a limited amount."""
    handler = logging.StreamHandler()
    handler.addFilter(RepeatFilter(clock.monotonic))
    logging.basicConfig(level=logging.WARNING, format="%(name)s: %(message)s", handlers=[handler])
    logging.getLogger("asyncio").setLevel(logging.ERROR)  # it logs every closed TLS connection
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)  # it logs every malformed request


async def _serve(options: HubOptions, language: Language) -> None:
    def print_message(message: Message) -> None:
        print(language.text(message), file=sys.stderr, flush=True)

    async with RunningHub(options, notify=print_message) as hub:
        database = make_url(options.url).render_as_string(hide_password=True)
        lines = [
            language("cli.hub.pages", address=hub.address),
            language("cli.hub.tables", address=hub.tables_address),
            language("cli.hub.database", database=database),
        ]
        if hub.backups is not None:
            lines.append(
                language("cli.hub.backups", folders=", ".join(str(each) for each in hub.backups.state().folders))
            )
        if hub.cluster_users is not None:
            lines.append(language("cli.hub.cluster", file=hub.cluster_users))
        if not options.lan:
            lines.append(language("cli.hub.only_here"))
        elif options.certificate is None:
            lines.append(language("cli.hub.no_https"))
        set_up = await asyncio.to_thread(hub.set_up_address)
        if set_up is not None:
            lines.append(language("cli.hub.set_up", address=set_up))
        print("\n".join([*lines, language("cli.hub.stops")]), file=sys.stderr, flush=True)
        await hub.stopped_within(None)
