"""A cluster of the organiser's: where it is, who the hub is there, and the file of users for its configuration."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

import bcrypt
import msgspec

from companion.games.base import Message
from companion.hub.broker import COST, TABLES, BrokerError, own_password, read_tables
from companion.hub.broker_config import HUB_USER, for_own_cluster
from companion.journal.files import write_whole
from companion.messages.token import BY_AUTHORITY, PORT, bracketed

USERS, SECRET = "cluster-users.json", "cluster.secret"
OWN_COST = 11
"""Of bcrypt, for a password that the organiser may have thought of."""
MOST_PASSWORD = 72
"""Bytes; bcrypt looks at no more."""
SEALED, OPEN = "tls", "nats"
"""Schemes: always TLS, or only where the server asks for it."""


@dataclass(frozen=True, slots=True)
class ClusterAddress:
    """The servers of `--broker`: their URLs without user and password, and these two if they were named."""

    servers: tuple[str, ...]
    login: tuple[str, str] | None

    @property
    def sealed(self) -> bool:
        """Whether nothing may go there without TLS."""
        return all(urlsplit(server).scheme == SEALED for server in self.servers)

    def for_tables(self, instead_of_here: str) -> str:
        """`host:port` of the first server, for a table's token; loopback is no address for others."""
        first = urlsplit(self.servers[0])
        host = first.hostname or ""
        if host in ("localhost", "::1") or host.startswith("127."):
            host = instead_of_here
        return f"{bracketed(host)}:{first.port}"


def cluster_address(text: str) -> ClusterAddress:
    """Reads `tls://nats.example`, `…://USER:PASSWORD@HOST:PORT`, or several with commas. Raises BrokerError."""
    servers, login = [], None
    for each in text.split(","):
        try:
            parts = urlsplit(each.strip())
            host, port = parts.hostname, parts.port or PORT
        except ValueError:
            raise BrokerError("address", address=_without_login(text)) from None
        wrong = parts.scheme not in (SEALED, OPEN) or parts.path.strip("/") or parts.query or parts.fragment
        if not host or wrong or (parts.username is None) != (parts.password is None):
            raise BrokerError("address", address=_without_login(text))
        servers.append(f"{parts.scheme}://{bracketed(host)}:{port}")
        if parts.username is not None and parts.password is not None:
            login = unquote(parts.username), unquote(parts.password)
            if len(login[1].encode()) > MOST_PASSWORD:
                raise BrokerError("password", most=MOST_PASSWORD)
    return ClusterAddress(tuple(servers), login)


class OwnCluster:
    """Notes who may come; letting them in is the cluster's. Its certificate is vouched for by an authority."""

    def __init__(
        self,
        folder: Path,
        login: tuple[str, str] | None = None,
        by_credentials: bool = False,
        tell: Callable[[Message], None] = lambda told: None,
    ) -> None:
        """`login` is the hub's at the cluster; without it the hub makes one of its own, unless it has credentials.

        `tell` is told that the cluster has to be reloaded, since its users have changed. Raises BrokerError if the
        folder cannot be used.
        """
        self._folder, self._lock, self._tell = folder, threading.Lock(), tell
        self.users = folder / USERS
        """What the organiser includes into the account of the hub in the cluster's configuration: all its users."""
        self.login: tuple[str, str] | None = None
        """User and password of the hub, None with credentials."""
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._tables = read_tables(folder / TABLES)
            if not by_credentials:
                self.login = login or (HUB_USER, own_password(folder / SECRET))
            self._hub = None if self.login is None else (self.login[0], _hashed(*self.login, self.users))
            self._write(self._tables)
        except (OSError, msgspec.MsgspecError) as fault:
            raise BrokerError("folder", folder=folder, reason=fault) from None

    @property
    def print(self) -> bytes:
        """Tokens name no certificate."""
        return BY_AUTHORITY

    def admit(self, table: str, key: str) -> None:
        """Notes the table's key, hashed. Raises BrokerError."""
        hashed = bcrypt.hashpw(key.encode(), bcrypt.gensalt(COST, b"2a")).decode()
        with self._lock:
            self._change({**self._tables, table: hashed})
        self._tell(Message("broker.reload", {"table": table, "file": self.users}))

    def dismiss(self, table: str) -> None:
        """Strikes the table. Raises BrokerError."""
        with self._lock:
            if table not in self._tables:
                return
            self._change({id: hashed for id, hashed in self._tables.items() if id != table})
        self._tell(Message("broker.reload", {"table": table, "file": self.users}))

    def _change(self, tables: dict[str, str]) -> None:
        try:
            self._write(tables)
        except OSError as fault:
            raise BrokerError("folder", folder=self._folder, reason=fault) from None
        self._tables = tables

    def _write(self, tables: dict[str, str]) -> None:
        users = for_own_cluster(tables, self._hub).encode()
        for path, content in ((self._folder / TABLES, msgspec.json.encode(tables)), (self.users, users)):
            if not path.exists() or path.read_bytes() != content:  # somebody may be waiting for the file to change
                write_whole(path, content, mode=0o600)


def _hashed(user: str, password: str, users: Path) -> str:
    """The hash that stands in the file already, so that a start of the hub changes nothing there; else a new one."""
    try:
        first = msgspec.json.decode(users.read_bytes())["users"][0]
        old = str(first["password"])
        if first["user"] == user and bcrypt.checkpw(password.encode(), old.encode()):
            return old
    except (FileNotFoundError, msgspec.MsgspecError, LookupError, TypeError, ValueError):
        pass  # there is none that could be kept
    return bcrypt.hashpw(password.encode(), bcrypt.gensalt(OWN_COST, b"2a")).decode()


def _without_login(text: str) -> str:
    """An address that may be shown."""
    halves = (each.strip().rpartition("://") for each in text.split(","))
    return ",".join(f"{scheme}{sign}{rest.rpartition('@')[2]}" for scheme, sign, rest in halves)
