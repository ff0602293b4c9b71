"""A PostgreSQL server of one's own for a trial: made from the system's programs, on loopback, gone with its folder."""

from __future__ import annotations

import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import URL

PLACES = ("/usr/lib/postgresql/*/bin", "/usr/local/bin", "/usr/bin")
"""Where Debian puts the programs (a folder a release), then where others do."""
USERS = ("postgres", "nobody")
"""As whom the server runs when root starts it, which it refuses to be."""
USER = "tapis"
"""Of the database; nobody of the system."""
STARTS_WITHIN = 60.0


class NoPostgres(Exception):
    """The system has no PostgreSQL that could be started; says why."""


def programs() -> Path:
    """The folder of `initdb` and `postgres`, the newest release first. Raises NoPostgres."""
    for pattern in PLACES:
        root = Path("/")
        for folder in sorted(root.glob(pattern[1:]), key=_release, reverse=True):
            if all(os.access(folder / name, os.X_OK) for name in ("initdb", "postgres", "pg_dump")):
                return folder
    raise NoPostgres("PostgreSQL is not installed (Debian: apt-get install postgresql)")


def _release(folder: Path) -> tuple[int, str]:
    number = folder.parent.name
    return (int(number) if number.isdecimal() else 0, str(folder))


@dataclass
class OwnPostgres:
    """A server in a folder of its own, on a port of loopback."""

    programs: Path
    folder: Path
    port: int
    password: str
    _account: dict[str, Any] = field(default_factory=dict)
    _server: subprocess.Popen[bytes] | None = None

    def url(self, database: str = "postgres") -> str:
        """How the hub names a database of this server."""
        url = URL.create("postgresql+psycopg", USER, self.password, "127.0.0.1", self.port, database)
        return url.render_as_string(hide_password=False)

    def create(self, database: str) -> str:
        """A new, empty database; returns its URL. Raises CalledProcessError."""
        self._tool("psql", "-q", "-c", f'CREATE DATABASE "{database}"', "postgres")
        return self.url(database)

    def dump(self, database: str, file: Path) -> None:
        """A backup of a database in use, as an organiser makes it. Raises CalledProcessError."""
        with file.open("wb") as out:
            self._tool("pg_dump", "--format=custom", database, out=out)

    def restore(self, database: str, file: Path) -> None:
        """Puts a backup in the place of a database; who is connected to it is cut off. Raises CalledProcessError."""
        self._tool("psql", "-q", "-c", f'DROP DATABASE IF EXISTS "{database}" WITH (FORCE)', "postgres")
        self.create(database)
        with file.open("rb") as content:
            self._tool("pg_restore", "--dbname", database, given=content)

    def start(self) -> None:
        """Starts the server on its folder and waits until it answers. Raises NoPostgres."""
        log = self.folder / "server.log"
        place = _words(D=self.folder / "data", p=self.port, k=self.folder, h="127.0.0.1")
        with log.open("ab") as said:
            self._server = subprocess.Popen(
                [str(self.programs / "postgres"), *place],
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
                start_new_session=True,  # a finger on Ctrl-C ends the trial, which then stops the server
                **self._account,
            )
        until = time.monotonic() + STARTS_WITHIN
        asked = [str(self.programs / "pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(self.port)]
        while subprocess.run(asked, check=False).returncode:
            if self._server.poll() is not None or time.monotonic() > until:
                self.stop()
                raise NoPostgres(f"PostgreSQL does not start: {_last_line(log)}")
            time.sleep(0.1)

    def stop(self) -> None:
        """Stops the server as the system does at its end; killed if it takes too long."""
        if self._server is not None and self._server.poll() is None:
            self._server.send_signal(signal.SIGINT)
            try:
                self._server.wait(STARTS_WITHIN)
            except subprocess.TimeoutExpired:
                self._server.kill()
                self._server.wait()
        self._server = None

    def _tool(self, name: str, *arguments: str, out: Any = None, given: Any = subprocess.DEVNULL) -> None:
        reached = ["-h", "127.0.0.1", "-p", str(self.port), "-U", USER]
        environment = {**os.environ, "PGPASSWORD": self.password}
        command = [str(self.programs / name), *reached, *arguments]
        subprocess.run(command, check=True, env=environment, stdin=given, stdout=out or subprocess.DEVNULL)


@contextmanager
def own_postgres(near: Path | None = None) -> Iterator[OwnPostgres]:
    """A new server, stopped and removed at the end; its folder is made below `near`. Raises NoPostgres, OSError."""
    found = programs()
    folder = Path(tempfile.mkdtemp(prefix="tapis-vert-postgres-", dir=near))
    server = OwnPostgres(found, folder, free_port(), secrets.token_hex(16), _account(folder))
    try:
        _make(server)
        server.start()
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)


def free_port() -> int:
    """A port of loopback that nobody listens at now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def _account(folder: Path) -> dict[str, Any]:
    """What `subprocess` needs to start the server as somebody who is not root; the folder becomes theirs."""
    if os.geteuid() != 0:
        return {}
    for name in USERS:
        try:
            account = pwd.getpwnam(name)
        except KeyError:
            continue
        os.chown(folder, account.pw_uid, account.pw_gid)
        return {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
    raise NoPostgres(f"PostgreSQL does not run as root, and there is no user {' or '.join(USERS)}")


def _make(server: OwnPostgres) -> None:
    secret = server.folder / "password"
    secret.touch(mode=0o600)
    secret.write_text(server.password + "\n", encoding="ascii")
    if server._account:
        os.chown(secret, server._account["user"], server._account["group"])
    options = _words(D=server.folder / "data", U=USER, E="UTF8", A="scram-sha-256")
    made = subprocess.run(
        [str(server.programs / "initdb"), *options, "--locale=C.UTF-8", f"--pwfile={secret}"],
        cwd=server.folder,
        check=False,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        **server._account,
    )
    secret.unlink()
    if made.returncode:
        raise NoPostgres(f"PostgreSQL makes no database: {made.stdout.decode(errors='replace').strip()[-300:]}")


def _words(**options: object) -> list[str]:
    """Options of one letter, each followed by its value."""
    return [word for letter, value in options.items() for word in (f"-{letter}", str(value))]


def _last_line(log: Path) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    return lines[-1] if lines else "it says nothing"
