"""A temporary PostgreSQL server for a trial: runs the system's programs on loopback and is removed with its folder."""

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

PROGRAM_FOLDERS = ("/usr/lib/postgresql/*/bin", "/usr/local/bin", "/usr/bin")
"""Folders of the programs: first Debian's (one for each release), then the usual ones elsewhere."""
USERS = ("postgres", "nobody")
"""Accounts for the server when it is started by root, because PostgreSQL refuses to run as root."""
USER = "tapis"
"""Database user; not a user of the system."""
START_TIMEOUT_S = 60.0


class PostgresUnavailable(Exception):
    """Error: no PostgreSQL can be started on this system. The message gives the reason."""


def programs() -> Path:
    """Return the folder of `initdb` and `postgres` of the newest release. Raises PostgresUnavailable."""
    for pattern in PROGRAM_FOLDERS:
        root = Path("/")
        for folder in sorted(root.glob(pattern[1:]), key=_release, reverse=True):
            if all(os.access(folder / name, os.X_OK) for name in ("initdb", "postgres", "pg_dump")):
                return folder
    raise PostgresUnavailable("PostgreSQL is not installed (Debian: apt-get install postgresql)")


def _release(folder: Path) -> tuple[int, str]:
    number = folder.parent.name
    return (int(number) if number.isdecimal() else 0, str(folder))


@dataclass
class LocalPostgres:
    """A server in its own folder, on a loopback port."""

    programs: Path
    folder: Path
    port: int
    password: str
    _account: dict[str, Any] = field(default_factory=dict)
    _server: subprocess.Popen[bytes] | None = None

    def url(self, database: str = "postgres") -> str:
        """Return the URL of a database of this server, as used by the hub."""
        url = URL.create("postgresql+psycopg", USER, self.password, "127.0.0.1", self.port, database)
        return url.render_as_string(hide_password=False)

    def create(self, database: str) -> str:
        """Create an empty database and return its URL. Raises CalledProcessError."""
        self._tool("psql", "-q", "-c", f'CREATE DATABASE "{database}"', "postgres")
        return self.url(database)

    def dump(self, database: str, file: Path) -> None:
        """Back up a database in use, as an organiser does. Raises CalledProcessError."""
        with file.open("wb") as out:
            self._tool("pg_dump", "--format=custom", database, out=out)

    def restore(self, database: str, file: Path) -> None:
        """Replace a database with a backup, and close its connections. Raises CalledProcessError."""
        self._tool("psql", "-q", "-c", f'DROP DATABASE IF EXISTS "{database}" WITH (FORCE)', "postgres")
        self.create(database)
        with file.open("rb") as content:
            self._tool("pg_restore", "--dbname", database, given=content)

    def start(self) -> None:
        """Start the server on its folder and wait until it answers. Raises PostgresUnavailable."""
        log = self.folder / "server.log"
        place = _short_options(D=self.folder / "data", p=self.port, k=self.folder, h="127.0.0.1")
        with log.open("ab") as output:
            self._server = subprocess.Popen(
                [str(self.programs / "postgres"), *place],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,  # Ctrl-C must reach only the trial, which then stops the server
                **self._account,
            )
        until = time.monotonic() + START_TIMEOUT_S
        asked = [str(self.programs / "pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(self.port)]
        while subprocess.run(asked, check=False).returncode:
            if self._server.poll() is not None or time.monotonic() > until:
                self.stop()
                raise PostgresUnavailable(f"PostgreSQL does not start: {_last_line(log)}")
            time.sleep(0.1)

    def stop(self) -> None:
        """Stop the server as at a system shutdown. It is killed after a timeout."""
        if self._server is not None and self._server.poll() is None:
            self._server.send_signal(signal.SIGINT)
            try:
                self._server.wait(START_TIMEOUT_S)
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
def local_postgres(near: Path | None = None) -> Iterator[LocalPostgres]:
    """Yield a new server and remove it at the end. Its folder is created below `near`. Raises PostgresUnavailable,
    OSError."""
    found = programs()
    folder = Path(tempfile.mkdtemp(prefix="tapis-vert-postgres-", dir=near))
    server = LocalPostgres(found, folder, free_port(), secrets.token_hex(16), _account(folder))
    try:
        _make(server)
        server.start()
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)


def free_port() -> int:
    """Return a free loopback port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def _account(folder: Path) -> dict[str, Any]:
    """Return the arguments of `subprocess` for running the server as a non-root user.

    That user becomes the owner of the folder.
    """
    if os.geteuid() != 0:
        return {}
    for name in USERS:
        try:
            account = pwd.getpwnam(name)
        except KeyError:
            continue
        os.chown(folder, account.pw_uid, account.pw_gid)
        return {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
    raise PostgresUnavailable(f"PostgreSQL does not run as root, and there is no user {' or '.join(USERS)}")


def _make(server: LocalPostgres) -> None:
    secret = server.folder / "password"
    secret.touch(mode=0o600)
    secret.write_text(server.password + "\n", encoding="ascii")
    if server._account:
        os.chown(secret, server._account["user"], server._account["group"])
    options = _short_options(D=server.folder / "data", U=USER, E="UTF8", A="scram-sha-256")
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
        raise PostgresUnavailable(
            f"PostgreSQL makes no database: {made.stdout.decode(errors='replace').strip()[-300:]}"
        )


def _short_options(**options: object) -> list[str]:
    """Return options of one letter, each followed by its value."""
    return [word for letter, value in options.items() for word in (f"-{letter}", str(value))]


def _last_line(log: Path) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    return lines[-1] if lines else "it says nothing"
