"""The hub's own NATS server: start, supervision, restart after a crash, and the list of admitted tables.

Its folder contains all its files: the certificate, the tables' hashed keys, the hub's own password and the
stream. A server left by a killed hub is stopped first.
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
from cryptography.exceptions import UnsupportedAlgorithm
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
from companion.language import reason_of
from companion.messages import subjects
from companion.messages.subjects import publish_permissions, subscribe_permissions
from companion.messages.tls import NoTlsError, TlsContext
from companion.messages.token import DEFAULT_PORT, SYSTEM_AUTHORITIES, bracket_ipv6, certificate_fingerprint
from vision.files import read_limited, read_replaceable, write_atomically

CERTIFICATE_FILE, KEY_FILE, PENDING_KEY_FILE = "hub.pem", "hub.key", ".hub.key"
"""File names. The key has the name `PENDING_KEY_FILE` until its certificate is written."""
CERTIFICATE_NAME = "tapis-vert"
FROM, UNTIL = datetime(2000, 1, 1, tzinfo=UTC), datetime(2099, 12, 31, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Certificate:
    """Paths of certificate and key (PEM), and the certificate itself (DER)."""

    certificate: Path
    key: Path
    der: bytes
    is_new: bool = False
    """Whether the certificate was just created."""


class BadCertificate(Exception):
    """The certificate known to the tables cannot be used: `file` is missing or damaged."""

    def __init__(self, file: Path) -> None:
        super().__init__(str(file))
        self.file = file


def load_certificate(folder: Path) -> Certificate:
    """Return the certificate of a folder; create it if both certificate and key are missing.

    Raises:
        BadCertificate: a file is missing or damaged. Nothing is changed: every token names this certificate, so a
            new one would lock out all tables.
        OSError.
    """
    certificate, key, coming = folder / CERTIFICATE_FILE, folder / KEY_FILE, folder / PENDING_KEY_FILE
    if certificate.exists() and coming.exists() and not key.exists():
        coming.rename(key)  # the power failed while they were created
    if not certificate.exists() and not key.exists():
        return _create_certificate(folder, certificate, key)
    for each in (certificate, key):
        if not each.exists():
            raise BadCertificate(each)
    try:
        found = x509.load_pem_x509_certificate(read_limited(certificate, MAX_SECRET_BYTES))
    except (ValueError, UnsupportedAlgorithm):
        raise BadCertificate(certificate) from None
    try:
        private = serialization.load_pem_private_key(read_limited(key, MAX_SECRET_BYTES), None)
        is_of_certificate = private.public_key() == found.public_key()
    except (ValueError, TypeError, UnsupportedAlgorithm):
        raise BadCertificate(key) from None
    if not is_of_certificate:
        raise BadCertificate(key)
    return Certificate(certificate, key, found.public_bytes(serialization.Encoding.DER))


def _create_certificate(folder: Path, certificate: Path, key: Path) -> Certificate:
    private = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, CERTIFICATE_NAME)])
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(private.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(FROM)
        .not_valid_after(UNTIL)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(CERTIFICATE_NAME)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(private, hashes.SHA256())
    )
    secret = private.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    folder.mkdir(parents=True, exist_ok=True)
    coming = folder / PENDING_KEY_FILE
    write_atomically(coming, secret, mode=0o600)
    write_atomically(certificate, made.public_bytes(serialization.Encoding.PEM))
    coming.rename(key)
    return Certificate(certificate, key, made.public_bytes(serialization.Encoding.DER), is_new=True)


# Configuration of the NATS server: address, certificate, and the permissions of each user.


MAX_SECRET_BYTES = 1024 * 1024
"""Limit for a file of passwords, keys or certificates. One of 1,000 tables has 0.1 MB."""

ACCOUNT = "TAPIS"
HUB_USER = ".hub"
"""The hub's user. No table id contains a dot."""
MAX_PAYLOAD_BYTES = 12 << 20
"""Maximum size of a message in bytes: the longest journal line plus a margin."""
MAX_STORE_BYTES = 1 << 30
"""Maximum size of the stream on disk in bytes.

The oldest messages are dropped first; tables send again what the hub lacks.
"""
MAX_BROKER_CONNECTIONS = 8192
"""Far more than tables: connections that have not logged in count too, until their time is over."""
MAX_SUBSCRIPTIONS = 64
"""Maximum number of subscriptions of one connection; a table has about ten."""
LOGIN_TIMEOUT_S = 5
"""Seconds for the TLS handshake of a connection; handshake and login together may take twice as long."""


def server_config(
    host: str, port: int, folder: Path, certificate: Certificate, hub_hash: str, tables: Mapping[str, str]
) -> str:
    """Return the server's configuration file (as JSON, which NATS accepts).

    `tables` maps tables to bcrypt hashes of their keys.
    """
    users: list[dict[str, Any]] = [{"user": HUB_USER, "password": hub_hash}]
    users += _users(tables)
    settings = {
        "server_name": "tapis-vert",
        "listen": f"{bracket_ipv6(host)}:{port}",
        "max_payload": MAX_PAYLOAD_BYTES,
        "max_pending": 4 * MAX_PAYLOAD_BYTES,
        "max_connections": MAX_BROKER_CONNECTIONS,
        "max_subscriptions": MAX_SUBSCRIPTIONS,
        "write_deadline": "10s",
        "ping_interval": "10s",
        "log_file": str(folder / "nats.log"),
        "logfile_size_limit": 8 << 20,
        "logfile_max_num": 3,
        "pid_file": str(folder / "nats.pid"),
        "jetstream": {"store_dir": str(folder), "max_mem": 64 << 20, "max_file": MAX_STORE_BYTES},
        "tls": {
            "cert_file": str(certificate.certificate),
            "key_file": str(certificate.key),
            "min_version": "1.2",
            "timeout": LOGIN_TIMEOUT_S,
        },
        "authorization": {"timeout": 2 * LOGIN_TIMEOUT_S},
        "accounts": {ACCOUNT: {"jetstream": "enabled", "users": users}},
    }
    return json.dumps(settings, indent=1)


def permissions(table: str) -> JsonObject:
    """Return the permissions of a table.

    A table may publish its own subjects and read its own and the common subjects, nothing else.
    """
    return {
        "publish": {"allow": list(publish_permissions(table))},
        "subscribe": {"allow": list(subscribe_permissions(table))},
    }


def cluster_users_config(tables: Mapping[str, str], hub: tuple[str, str] | None) -> str:
    """Return all users of the hub's account in the organiser's cluster: the hub (name and hash) and one per table.

    The list must be complete: a server that includes the file in the account replaces any other list there.
    """
    users: list[dict[str, Any]] = [] if hub is None else [{"user": hub[0], "password": hub[1]}]
    return json.dumps({"users": users + _users(tables)}, indent=1)


def _users(tables: Mapping[str, str]) -> list[dict[str, Any]]:
    return [{"user": table, "password": hashed, "permissions": permissions(table)} for table, hashed in tables.items()]


log = logging.getLogger(__name__)

PROGRAM = "nats-server"
CONFIG_FILE, TABLES_FILE, PASSWORD_FILE, PID_FILE = "nats.json", "tables.json", "hub.secret", "nats.pid"
STORE_FOLDER, DAMAGED_STORE_FOLDER = "jetstream", "jetstream-damaged"
"""Folder of the server's stream, and folder of a damaged stream that was moved aside."""
START_TIMEOUT_S, STOP_TIMEOUT_S = 20.0, 10.0
POLL_INTERVAL_S = 0.05
MIN_RESTART_DELAY_S, MAX_RESTART_DELAY_S = 0.2, 5.0
"""Minimum and maximum delay in seconds before a crashed server is restarted; doubled after each early crash."""
_LOOPBACK_OF = {"0.0.0.0": "127.0.0.1", "::": "::1"}
BCRYPT_COST = 4
"""Minimum bcrypt cost: the keys are random and long, so they cannot be guessed."""


class BrokerError(Exception):
    """The server cannot be started. `message` is the text for the organiser."""

    def __init__(self, id: str, **args: object) -> None:
        self.message = Message(f"broker.{id}", args)
        super().__init__(str(self.message))


class LostCertificate(BrokerError):
    """The certificate named by every token is missing or damaged; a backup contains it."""


class Broker:
    """The hub's NATS server: `start`, `admit` tables, `stop`. Safe to call from any thread."""

    def __init__(self, folder: Path, host: str = "127.0.0.1", port: int = 4222) -> None:
        """Read certificate, password and tables from the folder. Raises: BrokerError, if the folder cannot be used."""
        self.host, self.port = host, port
        self._folder = folder.absolute()
        self._lock = threading.RLock()
        self._process: subprocess.Popen[bytes] | None = None
        self._should_run = False
        self._watcher: threading.Thread | None = None
        self._stopped = threading.Event()
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self.certificate: Certificate = load_certificate(self._folder)
            self.password = load_password(self._folder / PASSWORD_FILE)
            self._tables = read_tables(self._folder / TABLES_FILE)
        except (OSError, msgspec.MsgspecError) as fault:
            raise BrokerError("folder", folder=folder, reason=reason_of(fault)) from None
        except BadCertificate as bad:
            raise LostCertificate(
                "certificate", file=bad.file, pem=folder / CERTIFICATE_FILE, key=folder / KEY_FILE
            ) from None

    @property
    def user(self) -> str:
        """The hub's own user name; the password is `password`."""
        return HUB_USER

    @property
    def fingerprint(self) -> bytes:
        """Fingerprint of the certificate, as tokens contain it."""
        return certificate_fingerprint(self.certificate.der)

    @property
    def pid(self) -> int | None:
        """Process id of the server, or None if it is not running."""
        process = self._process
        return None if process is None or process.poll() is not None else process.pid

    @property
    def tables(self) -> dict[str, str]:
        """The admitted tables with the hashes of their keys."""
        with self._lock:
            return dict(self._tables)

    def start(self) -> None:
        """Start the server and wait until it accepts connections. Raises: BrokerError."""
        with self._lock:
            if self._should_run:
                return
            end_orphan(self._folder)
            if not _is_port_free(self.host, self.port):
                raise BrokerError("port", host=self.host, port=self.port)
            self._launch()
            self._should_run = True
        if not self._wait_until_ready():
            self.stop()
            raise BrokerError("silent", log=self._folder / "nats.log")
        self._stopped.clear()
        self._watcher = threading.Thread(target=self._restart_on_exit, name="broker", daemon=True)
        self._watcher.start()

    def stop(self) -> None:
        """Stop the server. The stream stays intact."""
        self._should_run = False
        self._stopped.set()
        if self._watcher is not None and self._watcher is not threading.current_thread():
            self._watcher.join()
        with self._lock:
            if self._process is not None:
                _terminate(self._process)
                self._process = None

    def admit(self, table: str, key: str) -> None:
        """Admit a table with this key; its previous key becomes invalid. Raises: BrokerError."""
        hashed = bcrypt.hashpw(key.encode(), bcrypt.gensalt(BCRYPT_COST, b"2a")).decode()
        with self._lock:
            self._change({**self._tables, table: hashed})

    def dismiss(self, table: str) -> None:
        """Revoke a table's key and disconnect the table. Raises: BrokerError."""
        with self._lock:
            self._change({id: hashed for id, hashed in self._tables.items() if id != table})

    def reset_stream(self) -> Path:
        """Restart the server with an empty stream; tables send again the messages that were in transit.

        The damaged store is moved to the returned folder and replaces an earlier one there.

        Raises: BrokerError.
        """
        store, aside = self._folder / STORE_FOLDER, self._folder / DAMAGED_STORE_FOLDER
        with self._lock:
            try:
                if self._process is not None:
                    _terminate(self._process)
                shutil.rmtree(aside, ignore_errors=True)
                if store.exists():
                    store.rename(aside)
                if self._should_run:
                    self._launch()
            except OSError as fault:
                raise BrokerError("folder", folder=store, reason=reason_of(fault)) from None
        return aside

    def _change(self, tables: dict[str, str]) -> None:
        try:
            write_atomically(self._folder / TABLES_FILE, msgspec.json.encode(tables), mode=0o600)
            self._tables = tables
            if self._should_run:
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
                [program, "--config", self._folder / CONFIG_FILE],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C reaches only the hub, which stops the server
            )
        except OSError as fault:
            raise BrokerError("program", program=program, reason=reason_of(fault)) from None

    def _write_config(self) -> None:
        hub = bcrypt.hashpw(self.password.encode(), bcrypt.gensalt(BCRYPT_COST, b"2a")).decode()
        text = server_config(self.host, self.port, self._folder, self.certificate, hub, self._tables)
        write_atomically(self._folder / CONFIG_FILE, text.encode(), mode=0o600)

    def _wait_until_ready(self) -> bool:
        until = time.monotonic() + START_TIMEOUT_S
        while time.monotonic() < until and self.pid is not None:
            if not _is_port_free(self.host, self.port):
                return True
            time.sleep(POLL_INTERVAL_S)
        return False

    def _restart_on_exit(self) -> None:
        """Restart the server whenever it exits unexpectedly."""
        pause = MIN_RESTART_DELAY_S
        while not self._stopped.is_set():
            process, began = self._process, time.monotonic()
            while process is not None and process.poll() is None and not self._stopped.wait(POLL_INTERVAL_S):
                pass
            if self._stopped.is_set():
                return
            pause = (
                MIN_RESTART_DELAY_S
                if time.monotonic() - began > MAX_RESTART_DELAY_S
                else min(2 * pause, MAX_RESTART_DELAY_S)
            )
            if self._process is not process:
                continue  # it was stopped on purpose, and a new one runs
            log.warning("the broker ended by itself and is begun anew")
            if self._stopped.wait(pause):
                return
            with self._lock:
                try:
                    if self._should_run and self._process is process:
                        self._launch()
                except (BrokerError, OSError) as fault:
                    log.error("the broker cannot be begun anew: %s", fault)
                    self._process = None


def end_orphan(folder: Path) -> None:
    """Stop a server of this folder whose hub no longer runs."""
    folder = folder.absolute()
    try:
        pid = int((folder / PID_FILE).read_text())
        arguments = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except (OSError, ValueError):
        return
    if str(folder / CONFIG_FILE).encode() not in arguments:
        return
    log.warning("a broker that outlived its hub is ended: %d", pid)
    try:
        os.kill(pid, signal.SIGTERM)
    except ProcessLookupError:
        return
    until = time.monotonic() + STOP_TIMEOUT_S
    while Path(f"/proc/{pid}/cmdline").exists() and time.monotonic() < until:
        if not Path(f"/proc/{pid}/cmdline").read_bytes():
            return
        time.sleep(POLL_INTERVAL_S)


def load_password(path: Path) -> str:
    """Return the hub's password for its broker; generate it if there is none. Raises: OSError."""
    found = read_replaceable(path, lambda content: content.decode("ascii").strip(), MAX_SECRET_BYTES)
    if not found:
        found = secrets.token_urlsafe(32)
        write_atomically(path, found.encode(), mode=0o600)
    return found


def read_tables(path: Path) -> dict[str, str]:
    """Return the hashed key of each table. Without a usable file every table needs a new key. Raises: OSError."""
    return read_replaceable(path, _decode_tables, MAX_SECRET_BYTES) or {}


def _decode_tables(content: bytes) -> dict[str, str]:
    return msgspec.json.decode(content, type=dict[str, str])


def _terminate(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(STOP_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _is_port_free(host: str, port: int) -> bool:
    """Return whether no server accepts connections at this address."""
    try:
        socket.create_connection((_LOOPBACK_OF.get(host, host), port), 1).close()
    except OSError:
        return True
    return False


# The organiser's cluster: its address, the hub's login there, and the users file for its configuration.


USERS_FILE, CLUSTER_PASSWORD_FILE = "cluster-users.json", "cluster.secret"
CLUSTER_BCRYPT_COST = 11
"""Bcrypt cost for a password that the organiser may have chosen."""
MAX_PASSWORD_BYTES = 72
"""Maximum password length in bytes; bcrypt ignores the rest."""
TLS_SCHEME, PLAIN_SCHEME = "tls", "nats"
"""URL schemes: always TLS, or TLS only if the server requires it."""


@dataclass(frozen=True, slots=True)
class ClusterAddress:
    """The servers of `--broker`: their URLs without user and password, and the login if the URL contains one."""

    servers: tuple[str, ...]
    login: tuple[str, str] | None

    @property
    def requires_tls(self) -> bool:
        """Whether every connection must use TLS."""
        return all(urlsplit(server).scheme == TLS_SCHEME for server in self.servers)

    def table_address(self, loopback_replacement: str) -> str:
        """Return `host:port` of the first server for a table's token.

        A loopback host is replaced by `loopback_replacement`.
        """
        first = urlsplit(self.servers[0])
        host = first.hostname or ""
        if host in ("localhost", "::1") or host.startswith("127."):
            host = loopback_replacement
        return f"{bracket_ipv6(host)}:{first.port}"


def parse_cluster_address(text: str) -> ClusterAddress:
    """Parse `tls://nats.example`, `…://USER:PASSWORD@HOST:PORT`, or a comma-separated list. Raises: BrokerError."""
    servers, login = [], None
    for each in text.split(","):
        try:
            each.encode()  # a sign of the command line that is no UTF-8
            parts = urlsplit(each.strip())
            host, port = parts.hostname, parts.port or DEFAULT_PORT
        except ValueError:
            raise BrokerError("address", address=_redact_login(text)) from None
        wrong = parts.scheme not in (TLS_SCHEME, PLAIN_SCHEME) or parts.path.strip("/") or parts.query or parts.fragment
        if not host or wrong or (parts.username is None) != (parts.password is None):
            raise BrokerError("address", address=_redact_login(text))
        servers.append(f"{parts.scheme}://{bracket_ipv6(host)}:{port}")
        if parts.username is not None and parts.password is not None:
            login = unquote(parts.username), unquote(parts.password)
            if len(login[1].encode()) > MAX_PASSWORD_BYTES:
                raise BrokerError("password", most=MAX_PASSWORD_BYTES)
    return ClusterAddress(tuple(servers), login)


class OrganiserCluster:
    """Writes the users file of the organiser's cluster, which admits the tables. An authority signs its certificate."""

    def __init__(
        self,
        folder: Path,
        login: tuple[str, str] | None = None,
        by_credentials: bool = False,
        notify: Callable[[Message], None] = lambda message: None,
    ) -> None:
        """Read the tables and write the users file.

        Args:
            login: the hub's login at the cluster. Without it the hub creates one, unless it has credentials.
            notify: called when the users have changed and the cluster must be reloaded.

        Raises: BrokerError, if the folder cannot be used.
        """
        self._folder, self._lock, self._notify = folder, threading.Lock(), notify
        self.users = folder / USERS_FILE
        """File with all users, which the organiser includes in the hub's account of the cluster configuration."""
        self.login: tuple[str, str] | None = None
        """The hub's user and password, or None with credentials."""
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._tables = read_tables(folder / TABLES_FILE)
            if not by_credentials:
                self.login = login or (HUB_USER, load_password(folder / CLUSTER_PASSWORD_FILE))
            self._hub = None if self.login is None else (self.login[0], _hashed(*self.login, self.users))
            self._write(self._tables)
        except (OSError, msgspec.MsgspecError) as fault:
            raise BrokerError("folder", folder=folder, reason=reason_of(fault)) from None

    @property
    def fingerprint(self) -> bytes:
        """Fingerprint for tokens: no certificate, the system's authorities instead."""
        return SYSTEM_AUTHORITIES

    def admit(self, table: str, key: str) -> None:
        """Store the hash of the table's key. Raises: BrokerError."""
        hashed = bcrypt.hashpw(key.encode(), bcrypt.gensalt(BCRYPT_COST, b"2a")).decode()
        with self._lock:
            self._change({**self._tables, table: hashed})
        self._notify(Message("broker.reload", {"table": table, "file": self.users}))

    def dismiss(self, table: str) -> None:
        """Remove the table. Raises: BrokerError."""
        with self._lock:
            if table not in self._tables:
                return
            self._change({id: hashed for id, hashed in self._tables.items() if id != table})
        self._notify(Message("broker.reload", {"table": table, "file": self.users}))

    def _change(self, tables: dict[str, str]) -> None:
        try:
            self._write(tables)
        except OSError as fault:
            raise BrokerError("folder", folder=self._folder, reason=reason_of(fault)) from None
        self._tables = tables

    def _write(self, tables: dict[str, str]) -> None:
        users = cluster_users_config(tables, self._hub).encode()
        for path, content in ((self._folder / TABLES_FILE, msgspec.json.encode(tables)), (self.users, users)):
            if not path.exists() or path.read_bytes() != content:  # only on a change: it may be watched
                write_atomically(path, content, mode=0o600)


def _hashed(user: str, password: str, users: Path) -> str:
    """Return the hash from the users file if it still matches, otherwise a new one.

    So a restart of the hub does not change the file.
    """
    try:
        first = msgspec.json.decode(read_limited(users, MAX_SECRET_BYTES))["users"][0]
        old = str(first["password"])
        if first["user"] == user and bcrypt.checkpw(password.encode(), old.encode()):
            return old
    except (FileNotFoundError, msgspec.MsgspecError, LookupError, TypeError, ValueError):
        pass  # no hash to keep
    return bcrypt.hashpw(password.encode(), bcrypt.gensalt(CLUSTER_BCRYPT_COST, b"2a")).decode()


def _redact_login(text: str) -> str:
    """Return the address without user and password, for display."""
    halves = (each.strip().rpartition("://") for each in text.split(","))
    return ",".join(f"{scheme}{sign}{rest.rpartition('@')[2]}" for scheme, sign, rest in halves)


# The hub's connection to the broker: its own NATS server, or the organiser's cluster by URL and credentials.


CONSUMER = "hub"
MAX_STREAM_BYTES = 512 << 20
"""Maximum size of the stream on disk in bytes.

The oldest messages are dropped first; tables send again what the hub lacks.
"""
MAX_MESSAGES_PER_SUBJECT = 5000
"""Maximum number of messages per subject, so that a table that sends too much does not displace the others."""
ACK_TIMEOUT_S = 30.0
REPLICAS = 3
"""Number of cluster servers that store the stream."""
CLUSTER_RETRY_S = 1.0
"""Seconds between two connection attempts to a cluster."""
AUTH_ERRORS = ("authorization", "authentication", "permissions violation for connect")
_BLOCK = re.compile(r"-+BEGIN [A-Z ]+-+\s+(\S+)\s+-+END [A-Z ]+-+")
_SEED = slice(2, 34)
"""Position of the 32 bytes of an Ed25519 seed in an NKey: after two prefix bytes, before two checksum bytes."""

Renew = Callable[[], Message]
"""Callback that moves the stream of the hub's own server aside and starts a new one.

Returns the message for the organiser.
"""


@dataclass(frozen=True, slots=True)
class BrokerLogin:
    """Address of the broker and the hub's login. `options` are those of nats-py.

    `renew` replaces a damaged stream of the hub's own server.
    """

    servers: list[str]
    options: JsonObject
    renew: Renew | None = None


def own_server_login(broker: Broker) -> BrokerLogin:
    """Return the login for the hub's own server, verified by its certificate."""
    context = TlsContext()
    context.check_hostname = False
    context.load_verify_locations(cafile=str(broker.certificate.certificate))
    host = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(broker.host, broker.host)
    options = {"tls": context, "user": broker.user, "password": context.secret_over_tls(lambda: broker.password)}
    return BrokerLogin([f"nats://{host}:{broker.port}"], options)


def cluster_login(address: ClusterAddress, login: tuple[str, str] | None, credentials: Path | None) -> BrokerLogin:
    """Return the login for the organiser's cluster: a user with a password, or a NATS credentials file.

    `tls://` requires TLS; `nats://` uses TLS only if the server asks for it. The system's authorities verify the
    servers.

    Raises: BrokerError, if the file contains no credentials.
    """
    context = TlsContext.with_system_authorities()

    def over_tls(secret: Callable[[], Any]) -> Callable[[], Any]:
        return context.secret_over_tls(secret) if address.requires_tls else secret

    options: dict[str, Any] = {"tls": context, "reconnect_time_wait": CLUSTER_RETRY_S}
    if credentials is None:
        user, password = login or (None, "")
        return BrokerLogin(list(address.servers), {**options, "user": user, "password": over_tls(lambda: password)})
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

    user_jwt = over_tls(lambda: bytearray(token.encode()))
    return BrokerLogin(list(address.servers), {**options, "signature_cb": signed, "user_jwt_cb": user_jwt})


OnClosed = Callable[[], Awaitable[None]] | None
TroubleCallback = Callable[[Message | None], None]
"""Callback with a message when the hub cannot reach its broker, and None when it can again."""


async def connect_to_broker(
    login: BrokerLogin, on_trouble: TroubleCallback = lambda trouble: None, on_closed: OnClosed = None
) -> Client:
    """Connect to the broker and wait as long as necessary. The connection reconnects automatically.

    `on_closed` is awaited when the connection is closed permanently, for example because the server revoked the
    hub's access. Raises the errors of nats-py for invalid combinations of options.
    """
    connection = Client()

    async def on_error(fault: Exception) -> None:
        if isinstance(fault, (NatsError, OSError)):
            log.info("the hub's link: %s", fault)
        else:  # an error of the hub itself in a message callback
            log.error("the hub's link failed", exc_info=fault)
        if not connection.is_connected:
            on_trouble(connection_trouble(fault, login))

    async def on_reconnected() -> None:
        on_trouble(None)

    options = {"reconnect_time_wait": 0.2, **login.options}
    try:
        await connection.connect(
            login.servers,
            name="hub",
            max_reconnect_attempts=-1,
            connect_timeout=5,
            ping_interval=10,
            error_cb=on_error,
            closed_cb=on_closed,
            reconnected_cb=on_reconnected,
            **options,
        )
    except asyncio.CancelledError:
        await connection.close()
        raise
    return connection


def connection_trouble(fault: Exception, login: BrokerLogin) -> Message:
    """Return the message for a failed connection."""
    servers = ", ".join(login.servers)
    text = str(fault) or type(fault).__name__
    if isinstance(fault, ssl.SSLCertVerificationError):
        return Message("broker.untrusted", {"servers": servers, "reason": reason_of(fault)})
    if isinstance(fault, (NoTlsError, ssl.SSLError)):
        return Message("broker.unsealed", {"servers": servers, "reason": reason_of(fault)})
    if any(sign in text.lower() for sign in AUTH_ERRORS):
        return Message("broker.refused", {"servers": servers})
    return Message("broker.unreachable", {"servers": servers, "reason": reason_of(fault)})


async def stream_consumer(connection: Client) -> JetStreamContext.PullSubscription:
    """Return the hub's durable consumer of the stream. Creates both if they are missing."""
    stream = connection.jetstream(timeout=10)
    await _ensure_stream(stream)
    config = ConsumerConfig(
        durable_name=CONSUMER,
        ack_policy=AckPolicy.EXPLICIT,
        ack_wait=ACK_TIMEOUT_S,
        max_ack_pending=4000,
    )
    return await stream.pull_subscribe("", durable=CONSUMER, stream=subjects.STREAM, config=config)


async def _ensure_stream(stream: JetStreamContext) -> None:
    """Create the stream if it is missing, with three replicas if the cluster has enough servers.

    One of the three may then fail.
    """
    config = StreamConfig(
        name=subjects.STREAM,
        subjects=list(subjects.STREAM_SUBJECTS),
        retention=RetentionPolicy.WORK_QUEUE,
        storage=StorageType.FILE,
        discard=DiscardPolicy.OLD,
        max_bytes=MAX_STREAM_BYTES,
        max_msgs_per_subject=MAX_MESSAGES_PER_SUBJECT,
    )
    try:
        await stream.stream_info(subjects.STREAM)
    except NotFoundError:
        try:
            await stream.add_stream(config, num_replicas=REPLICAS)
        except APIError as fault:
            log.info("the stream is kept by one server: %s", fault)
            await stream.add_stream(config, num_replicas=1)
