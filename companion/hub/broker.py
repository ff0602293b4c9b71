"""The hub's own NATS server: started, watched over, told which tables may come; begun anew when it ends by itself.

Its folder holds everything of it: certificate, the tables' hashed keys, the hub's own password, the stream. A server
that outlived a hub which was killed is ended first.
"""

from __future__ import annotations

import logging
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sysconfig
import threading
import time
from pathlib import Path

import bcrypt
import msgspec

from companion.games.base import Message
from companion.hub.broker_config import HUB_USER, config
from companion.hub.certificate import CERTIFICATE, KEY, BadCertificate, Certificate, own_certificate
from companion.journal.files import write_whole
from companion.messages.token import certificate_print

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
            raise BrokerError("folder", folder=folder, reason=fault) from None
        except BadCertificate as bad:
            raise LostCertificate("certificate", file=bad.file, pem=folder / CERTIFICATE, key=folder / KEY) from None

    @property
    def user(self) -> str:
        """The hub's own user; `password` is its password."""
        return HUB_USER

    @property
    def print(self) -> bytes:
        """By what a token knows the certificate."""
        return certificate_print(self.certificate.der)

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
                raise BrokerError("folder", folder=store, reason=fault.strerror) from None
        return aside

    def _change(self, tables: dict[str, str]) -> None:
        try:
            write_whole(self._folder / TABLES, msgspec.json.encode(tables), mode=0o600)
            self._tables = tables
            if self._wanted:
                self._write_config()
        except OSError as fault:
            raise BrokerError("folder", folder=self._folder, reason=fault) from None
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
            raise BrokerError("program", program=program, reason=fault.strerror) from None

    def _write_config(self) -> None:
        hub = bcrypt.hashpw(self.password.encode(), bcrypt.gensalt(COST, b"2a")).decode()
        told = config(self.host, self.port, self._folder, self.certificate, hub, self._tables)
        write_whole(self._folder / CONFIG, told.encode(), mode=0o600)

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
            log.warning("the carrier ended by itself and is begun anew")
            if self._stopped.wait(pause):
                return
            with self._lock:
                try:
                    if self._wanted and self._process is process:
                        self._launch()
                except (BrokerError, OSError) as fault:
                    log.error("the carrier cannot be begun anew: %s", fault)
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
    log.warning("a carrier that outlived its hub is ended: %d", pid)
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
    """The hub's password at its carrier, drawn the first time. Raises OSError."""
    try:
        found = path.read_text().strip()
    except FileNotFoundError:
        found = ""
    if not found:
        found = secrets.token_urlsafe(32)
        write_whole(path, found.encode(), mode=0o600)
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
