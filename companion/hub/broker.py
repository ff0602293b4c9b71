"""The hub's own NATS server: started, watched over, told which tables may come; begun anew when it ends by itself.

Its folder holds everything of it: certificate, the tables' hashed keys, the hub's own password, the stream. A server
that outlived a hub which was killed is ended first.
"""

from __future__ import annotations

import asyncio
import base64
import json
import logging
import os
import re
import secrets
import shutil
import signal
import socket
import ssl
import subprocess
import sysconfig
import threading
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import bcrypt
import msgspec
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.x509.oid import NameOID
from nats.aio.client import Client
from nats.errors import Error as NatsError
from nats.js.api import AckPolicy, ConsumerConfig, DiscardPolicy, RetentionPolicy, StorageType, StreamConfig
from nats.js.client import JetStreamContext
from nats.js.errors import APIError, NotFoundError

from companion.games.base import JsonObject, Message
from companion.journal.files import write_atomically
from companion.language import reason_of
from companion.messages import subjects
from companion.messages.subjects import publish_permissions, subscribe_permissions
from companion.messages.tls import NoTlsError, TlsContext
from companion.messages.token import DEFAULT_PORT, SYSTEM_AUTHORITIES, bracket_ipv6, certificate_fingerprint

CERTIFICATE, KEY, COMING = "hub.pem", "hub.key", ".hub.key"
"""The key takes its name once its certificate is there."""
NAME = "tapis-vert"
FROM, UNTIL = datetime(2000, 1, 1, tzinfo=UTC), datetime(2099, 12, 31, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Certificate:
    """Where certificate and key lie (PEM), and the certificate itself (DER)."""

    certificate: Path
    key: Path
    der: bytes
    fresh: bool = False
    """Whether it was made just now."""


class BadCertificate(Exception):
    """The certificate that tables know cannot be used: `file` is lost or damaged."""

    def __init__(self, file: Path) -> None:
        super().__init__(str(file))
        self.file = file


def own_certificate(folder: Path) -> Certificate:
    """The certificate in a folder, made if neither it nor its key is there.

    Raises BadCertificate, nothing then changed: every token names it, so another one would shut all tables out.
    Raises OSError.
    """
    certificate, key, coming = folder / CERTIFICATE, folder / KEY, folder / COMING
    if certificate.exists() and coming.exists() and not key.exists():
        coming.rename(key)  # the power went while they were made
    if not certificate.exists() and not key.exists():
        return _made(folder, certificate, key)
    for each in (certificate, key):
        if not each.exists():
            raise BadCertificate(each)
    try:
        found = x509.load_pem_x509_certificate(certificate.read_bytes())
    except ValueError:
        raise BadCertificate(certificate) from None
    try:
        private = serialization.load_pem_private_key(key.read_bytes(), None)
    except (ValueError, TypeError):
        raise BadCertificate(key) from None
    if private.public_key() != found.public_key():
        raise BadCertificate(key)
    return Certificate(certificate, key, found.public_bytes(serialization.Encoding.DER))


def _made(folder: Path, certificate: Path, key: Path) -> Certificate:
    private = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, NAME)])
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(private.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(FROM)
        .not_valid_after(UNTIL)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(NAME)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(private, hashes.SHA256())
    )
    secret = private.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    folder.mkdir(parents=True, exist_ok=True)
    coming = folder / COMING
    write_atomically(coming, secret, mode=0o600)
    write_atomically(certificate, made.public_bytes(serialization.Encoding.PEM))
    coming.rename(key)
    return Certificate(certificate, key, made.public_bytes(serialization.Encoding.DER), fresh=True)


# What the NATS server is told: where it listens, its certificate, and what each user may publish and read.


ACCOUNT = "TAPIS"
HUB_USER = ".hub"
"""No table has a dot in its id."""
MOST_PAYLOAD = 12 << 20
"""Bytes of a message: the longest line that a journal may have, and some more."""
MOST_STREAM = 1 << 30
"""Bytes that the stream may take on the disk. The oldest go first: tables send again what the hub does not have."""


def config(
    host: str, port: int, folder: Path, certificate: Certificate, hub_hash: str, tables: Mapping[str, str]
) -> str:
    """The server's file (JSON, which it reads too). `tables` are the bcrypt hashes of their keys."""
    users: list[dict[str, Any]] = [{"user": HUB_USER, "password": hub_hash}]
    users += _users(tables)
    told = {
        "server_name": "tapis-vert",
        "listen": f"{bracket_ipv6(host)}:{port}",
        "max_payload": MOST_PAYLOAD,
        "max_pending": 4 * MOST_PAYLOAD,
        "write_deadline": "10s",
        "ping_interval": "10s",
        "log_file": str(folder / "nats.log"),
        "logfile_size_limit": 8 << 20,
        "logfile_max_num": 3,
        "pid_file": str(folder / "nats.pid"),
        "jetstream": {"store_dir": str(folder), "max_mem": 64 << 20, "max_file": MOST_STREAM},
        "tls": {
            "cert_file": str(certificate.certificate),
            "key_file": str(certificate.key),
            "min_version": "1.2",
            "timeout": 5,
        },
        "accounts": {ACCOUNT: {"jetstream": "enabled", "users": users}},
    }
    return json.dumps(told, indent=1)


def permissions(table: str) -> JsonObject:
    """What a table may do: publish its own subjects, read what is for it and for all. All else is refused."""
    return {
        "publish": {"allow": list(publish_permissions(table))},
        "subscribe": {"allow": list(subscribe_permissions(table))},
    }


def for_own_cluster(tables: Mapping[str, str], hub: tuple[str, str] | None) -> str:
    """All users of the hub's account in the organiser's cluster: the hub, by name and hash, and one a table.

    All, since a server that includes the file into the account takes its list for any other list there.
    """
    users: list[dict[str, Any]] = [] if hub is None else [{"user": hub[0], "password": hub[1]}]
    return json.dumps({"users": users + _users(tables)}, indent=1)


def _users(tables: Mapping[str, str]) -> list[dict[str, Any]]:
    return [{"user": table, "password": hashed, "permissions": permissions(table)} for table, hashed in tables.items()]


log = logging.getLogger(__name__)

PROGRAM = "nats-server"
CONFIG, TABLES, SECRET, PID = "nats.json", "tables.json", "hub.secret", "nats.pid"
STORE, ASIDE = "jetstream", "jetstream-damaged"
"""Where the server keeps its stream, and where one lies that could not be used."""
STARTS_WITHIN, ENDS_WITHIN = 20.0, 10.0
GLANCE = 0.05
LEAST_PAUSE, MOST_PAUSE = 0.2, 5.0
"""Seconds before a server that ended by itself is begun anew; doubled each time that it ends soon."""
_EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}
COST = 4
"""Of bcrypt, the least: the keys are random and long, there is nothing to guess."""


class BrokerError(Exception):
    """The server cannot be started; `message` is the sentence."""

    def __init__(self, id: str, **args: object) -> None:
        self.message = Message(f"broker.{id}", args)
        super().__init__(str(self.message))


class LostCertificate(BrokerError):
    """The certificate that every token names is lost or damaged; a backup has it."""


class Broker:
    """`start`, then `admit` tables; `stop` when done. Safe to call from any thread."""

    def __init__(self, folder: Path, host: str = "127.0.0.1", port: int = 4222) -> None:
        """Raises BrokerError if the folder cannot be used."""
        self.host, self.port = host, port
        self._folder = folder.absolute()
        self._lock = threading.RLock()
        self._process: subprocess.Popen[bytes] | None = None
        self._wanted = False
        self._watcher: threading.Thread | None = None
        self._stopped = threading.Event()
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self.certificate: Certificate = own_certificate(self._folder)
            self.password = own_password(self._folder / SECRET)
            self._tables = read_tables(self._folder / TABLES)
        except (OSError, msgspec.MsgspecError) as fault:
            raise BrokerError("folder", folder=folder, reason=reason_of(fault)) from None
        except BadCertificate as bad:
            raise LostCertificate("certificate", file=bad.file, pem=folder / CERTIFICATE, key=folder / KEY) from None

    @property
    def user(self) -> str:
        """The hub's own user; `password` is its password."""
        return HUB_USER

    @property
    def print(self) -> bytes:
        """By what a token knows the certificate."""
        return certificate_fingerprint(self.certificate.der)

    @property
    def pid(self) -> int | None:
        """The number of the server's process, None while there is none."""
        process = self._process
        return None if process is None or process.poll() is not None else process.pid

    @property
    def tables(self) -> dict[str, str]:
        """The tables that may come, with the hashes of their keys."""
        with self._lock:
            return dict(self._tables)

    def start(self) -> None:
        """Starts the server; it answers on return. Raises BrokerError."""
        with self._lock:
            if self._wanted:
                return
            end_orphan(self._folder)
            if not _free(self.host, self.port):
                raise BrokerError("port", host=self.host, port=self.port)
            self._launch()
            self._wanted = True
        if not self._answers():
            self.stop()
            raise BrokerError("silent", log=self._folder / "nats.log")
        self._stopped.clear()
        self._watcher = threading.Thread(target=self._watch, name="broker", daemon=True)
        self._watcher.start()

    def stop(self) -> None:
        """Ends the server; the stream is whole."""
        self._wanted = False
        self._stopped.set()
        if self._watcher is not None and self._watcher is not threading.current_thread():
            self._watcher.join()
        with self._lock:
            if self._process is not None:
                _ended(self._process)
                self._process = None

    def admit(self, table: str, key: str) -> None:
        """The table may come with this key, and no longer with another. Raises BrokerError."""
        hashed = bcrypt.hashpw(key.encode(), bcrypt.gensalt(COST, b"2a")).decode()
        with self._lock:
            self._change({**self._tables, table: hashed})

    def dismiss(self, table: str) -> None:
        """The table's key opens nothing any more; it is disconnected. Raises BrokerError."""
        with self._lock:
            self._change({id: hashed for id, hashed in self._tables.items() if id != table})

    def put_stream_aside(self) -> Path:
        """Begins the server anew with an empty stream: tables send again what was on its way.

        The store that it had, damaged, lies in the returned folder; an earlier one there goes. Raises BrokerError.
        """
        store, aside = self._folder / STORE, self._folder / ASIDE
        with self._lock:
            try:
                if self._process is not None:
                    _ended(self._process)
                shutil.rmtree(aside, ignore_errors=True)
                if store.exists():
                    store.rename(aside)
                if self._wanted:
                    self._launch()
            except OSError as fault:
                raise BrokerError("folder", folder=store, reason=reason_of(fault)) from None
        return aside

    def _change(self, tables: dict[str, str]) -> None:
        try:
            write_atomically(self._folder / TABLES, msgspec.json.encode(tables), mode=0o600)
            self._tables = tables
            if self._wanted:
                self._write_config()
        except OSError as fault:
            raise BrokerError("folder", folder=self._folder, reason=reason_of(fault)) from None
        if self.pid is not None and self._process is not None:
            self._process.send_signal(signal.SIGHUP)

    def _launch(self) -> None:
        self._write_config()
        program = Path(sysconfig.get_path("scripts")) / PROGRAM
        try:
            self._process = subprocess.Popen(
                [program, "--config", self._folder / CONFIG],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # a finger on Ctrl-C ends the hub, which ends the server in its turn
            )
        except OSError as fault:
            raise BrokerError("program", program=program, reason=reason_of(fault)) from None

    def _write_config(self) -> None:
        hub = bcrypt.hashpw(self.password.encode(), bcrypt.gensalt(COST, b"2a")).decode()
        told = config(self.host, self.port, self._folder, self.certificate, hub, self._tables)
        write_atomically(self._folder / CONFIG, told.encode(), mode=0o600)

    def _answers(self) -> bool:
        until = time.monotonic() + STARTS_WITHIN
        while time.monotonic() < until and self.pid is not None:
            if not _free(self.host, self.port):
                return True
            time.sleep(GLANCE)
        return False

    def _watch(self) -> None:
        """Begins the server anew whenever it ends without being told to."""
        pause = LEAST_PAUSE
        while not self._stopped.is_set():
            process, began = self._process, time.monotonic()
            while process is not None and process.poll() is None and not self._stopped.wait(GLANCE):
                pass
            if self._stopped.is_set():
                return
            pause = LEAST_PAUSE if time.monotonic() - began > MOST_PAUSE else min(2 * pause, MOST_PAUSE)
            if self._process is not process:
                continue  # it was ended on purpose, and there is another one
            log.warning("the broker ended by itself and is begun anew")
            if self._stopped.wait(pause):
                return
            with self._lock:
                try:
                    if self._wanted and self._process is process:
                        self._launch()
                except (BrokerError, OSError) as fault:
                    log.error("the broker cannot be begun anew: %s", fault)
                    self._process = None


def end_orphan(folder: Path) -> None:
    """Ends a server of this very folder whose hub is gone."""
    folder = folder.absolute()
    try:
        pid = int((folder / PID).read_text())
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except (OSError, ValueError):
        return
    if str(folder / CONFIG).encode() not in words:
        return
    log.warning("a broker that outlived its hub is ended: %d", pid)
    try:
        os.kill(pid, signal.SIGTERM)
    except ProcessLookupError:
        return
    until = time.monotonic() + ENDS_WITHIN
    while Path(f"/proc/{pid}/cmdline").exists() and time.monotonic() < until:
        if not Path(f"/proc/{pid}/cmdline").read_bytes():
            return
        time.sleep(GLANCE)


def own_password(path: Path) -> str:
    """The hub's password at its broker, drawn the first time. Raises OSError."""
    try:
        found = path.read_text().strip()
    except FileNotFoundError:
        found = ""
    if not found:
        found = secrets.token_urlsafe(32)
        write_atomically(path, found.encode(), mode=0o600)
    return found


def read_tables(path: Path) -> dict[str, str]:
    """The hashed key of each table. Raises OSError, msgspec.MsgspecError."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, str])
    except FileNotFoundError:
        return {}


def _ended(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(ENDS_WITHIN)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _free(host: str, port: int) -> bool:
    """Whether nobody answers there."""
    try:
        socket.create_connection((_EVERYWHERE.get(host, host), port), 1).close()
    except OSError:
        return True
    return False


# A cluster of the organiser's: where it is, who the hub is there, and the file of users for its configuration.


USERS, CLUSTER_SECRET = "cluster-users.json", "cluster.secret"
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
        return f"{bracket_ipv6(host)}:{first.port}"


def cluster_address(text: str) -> ClusterAddress:
    """Reads `tls://nats.example`, `…://USER:PASSWORD@HOST:PORT`, or several with commas. Raises BrokerError."""
    servers, login = [], None
    for each in text.split(","):
        try:
            parts = urlsplit(each.strip())
            host, port = parts.hostname, parts.port or DEFAULT_PORT
        except ValueError:
            raise BrokerError("address", address=_without_login(text)) from None
        wrong = parts.scheme not in (SEALED, OPEN) or parts.path.strip("/") or parts.query or parts.fragment
        if not host or wrong or (parts.username is None) != (parts.password is None):
            raise BrokerError("address", address=_without_login(text))
        servers.append(f"{parts.scheme}://{bracket_ipv6(host)}:{port}")
        if parts.username is not None and parts.password is not None:
            login = unquote(parts.username), unquote(parts.password)
            if len(login[1].encode()) > MOST_PASSWORD:
                raise BrokerError("password", most=MOST_PASSWORD)
    return ClusterAddress(tuple(servers), login)


class OrganiserCluster:
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
                self.login = login or (HUB_USER, own_password(folder / CLUSTER_SECRET))
            self._hub = None if self.login is None else (self.login[0], _hashed(*self.login, self.users))
            self._write(self._tables)
        except (OSError, msgspec.MsgspecError) as fault:
            raise BrokerError("folder", folder=folder, reason=reason_of(fault)) from None

    @property
    def print(self) -> bytes:
        """Tokens name no certificate."""
        return SYSTEM_AUTHORITIES

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
            raise BrokerError("folder", folder=self._folder, reason=reason_of(fault)) from None
        self._tables = tables

    def _write(self, tables: dict[str, str]) -> None:
        users = for_own_cluster(tables, self._hub).encode()
        for path, content in ((self._folder / TABLES, msgspec.json.encode(tables)), (self.users, users)):
            if not path.exists() or path.read_bytes() != content:  # somebody may be waiting for the file to change
                write_atomically(path, content, mode=0o600)


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


# The hub's own way to the broker: its own NATS server, or a cluster of the organiser's by URL and credentials.


CONSUMER = "hub"
MOST_BYTES = 512 << 20
"""Of the stream on the disk; the oldest go first, tables send again what the hub does not have."""
MOST_OF_A_TABLE = 5000
"""Messages of one kind, so that one table that sends too much takes nothing from the others."""
ACKNOWLEDGED_WITHIN = 30.0
REPLICAS = 3
"""Servers of a cluster that keep the stream."""
CLUSTER_PAUSE = 1.0
"""Seconds between two attempts to get into a cluster."""
REFUSALS = ("authorization", "authentication", "permissions violation for connect")
_BLOCK = re.compile(r"-+BEGIN [A-Z ]+-+\s+(\S+)\s+-+END [A-Z ]+-+")
_SEED = slice(2, 34)
"""Where the 32 bytes of an Ed25519 seed stand in an NKey: after two bytes of its kind, before two of a checksum."""

Renew = Callable[[], Message]
"""Puts the stream of the hub's own server aside and begins another one; returns what to tell the organiser."""


@dataclass(frozen=True, slots=True)
class BrokerLogin:
    """Where the broker is and who the hub is there. `options` are those of nats-py.

    `renew` gives the hub's own server another stream where the one that it has is damaged.
    """

    servers: list[str]
    options: JsonObject
    renew: Renew | None = None


def own_server(broker: Broker) -> BrokerLogin:
    """The way to the hub's own server, which is known by its certificate."""
    context = TlsContext()
    context.check_hostname = False
    context.load_verify_locations(cafile=str(broker.certificate.certificate))
    host = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(broker.host, broker.host)
    options = {"tls": context, "user": broker.user, "password": context.secret_over_tls(lambda: broker.password)}
    return BrokerLogin([f"nats://{host}:{broker.port}"], options)


def own_cluster(address: ClusterAddress, login: tuple[str, str] | None, credentials: Path | None) -> BrokerLogin:
    """The way to a cluster of the organiser's: as a user with a password, or by a credentials file of NATS.

    `tls://` is never spoken without TLS; `nats://` is where the server does not ask for it. The system's authorities
    vouch for the servers. Raises BrokerError for a file that is none.
    """
    context = TlsContext.with_system_authorities()

    def guarded(secret: Callable[[], Any]) -> Callable[[], Any]:
        return context.secret_over_tls(secret) if address.sealed else secret

    options: dict[str, Any] = {"tls": context, "reconnect_time_wait": CLUSTER_PAUSE}
    if credentials is None:
        user, password = login or (None, "")
        return BrokerLogin(list(address.servers), {**options, "user": user, "password": guarded(lambda: password)})
    try:
        blocks = _BLOCK.findall(credentials.read_text(encoding="ascii"))
        token, seed = blocks[0], base64.b32decode(blocks[1] + "=" * (-len(blocks[1]) % 8))
        key = Ed25519PrivateKey.from_private_bytes(seed[_SEED])
    except IndexError:
        raise BrokerError("credentials", file=credentials, reason="BEGIN NATS USER JWT") from None
    except OSError as fault:
        raise BrokerError("credentials", file=credentials, reason=reason_of(fault)) from None
    except ValueError as fault:
        raise BrokerError("credentials", file=credentials, reason=reason_of(fault)) from None

    def signed(nonce: str) -> bytes:
        return base64.b64encode(key.sign(nonce.encode()))

    shown = guarded(lambda: bytearray(token.encode()))
    return BrokerLogin(list(address.servers), {**options, "signature_cb": signed, "user_jwt_cb": shown})


OnClosed = Callable[[], Awaitable[None]] | None
Troubled = Callable[[Message | None], None]
"""Told a sentence when the hub does not get to its broker, None when it is there."""


async def connect_to_broker(
    login: BrokerLogin, troubled: Troubled = lambda trouble: None, closed: OnClosed = None
) -> Client:
    """A connection that comes back by itself, waited for as long as it takes.

    `closed` is awaited when it has ended for good, as after a server has withdrawn the hub's leave. Raises the errors
    of nats-py for options that do not go together.
    """
    connection = Client()

    async def tell(fault: Exception) -> None:
        if isinstance(fault, (NatsError, OSError)):
            log.info("the hub's link: %s", fault)
        else:  # of the hub itself, while it took what a table said
            log.error("the hub's link failed", exc_info=fault)
        if not connection.is_connected:
            troubled(trouble_of(fault, login))

    async def back() -> None:
        troubled(None)

    options = {"reconnect_time_wait": 0.2, **login.options}
    try:
        await connection.connect(
            login.servers,
            name="hub",
            max_reconnect_attempts=-1,
            connect_timeout=5,
            ping_interval=10,
            error_cb=tell,
            closed_cb=closed,
            reconnected_cb=back,
            **options,
        )
    except asyncio.CancelledError:
        await connection.close()
        raise
    return connection


def trouble_of(fault: Exception, login: BrokerLogin) -> Message:
    """Why the hub does not get in, as a sentence."""
    servers = ", ".join(login.servers)
    words = str(fault) or type(fault).__name__
    if isinstance(fault, ssl.SSLCertVerificationError):
        return Message("broker.untrusted", {"servers": servers, "reason": reason_of(fault)})
    if isinstance(fault, (NoTlsError, ssl.SSLError)):
        return Message("broker.unsealed", {"servers": servers, "reason": reason_of(fault)})
    if any(sign in words.lower() for sign in REFUSALS):
        return Message("broker.refused", {"servers": servers})
    return Message("broker.unreachable", {"servers": servers, "reason": reason_of(fault)})


async def stream_consumer(connection: Client) -> JetStreamContext.PullSubscription:
    """The stream with the hub's place in it, both made where they are not there."""
    stream = connection.jetstream(timeout=10)
    await _have_stream(stream)
    config = ConsumerConfig(
        durable_name=CONSUMER,
        ack_policy=AckPolicy.EXPLICIT,
        ack_wait=ACKNOWLEDGED_WITHIN,
        max_ack_pending=4000,
    )
    return await stream.pull_subscribe("", durable=CONSUMER, stream=subjects.STREAM, config=config)


async def _have_stream(stream: JetStreamContext) -> None:
    """Made where it is not there: on three servers of a cluster that has them, so that one may fail."""
    config = StreamConfig(
        name=subjects.STREAM,
        subjects=list(subjects.STREAM_SUBJECTS),
        retention=RetentionPolicy.WORK_QUEUE,
        storage=StorageType.FILE,
        discard=DiscardPolicy.OLD,
        max_bytes=MOST_BYTES,
        max_msgs_per_subject=MOST_OF_A_TABLE,
    )
    try:
        await stream.stream_info(subjects.STREAM)
    except NotFoundError:
        try:
            await stream.add_stream(config, num_replicas=REPLICAS)
        except APIError as fault:
            log.info("the stream is kept by one server: %s", fault)
            await stream.add_stream(config, num_replicas=1)
