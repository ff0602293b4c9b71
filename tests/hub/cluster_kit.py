"""An organiser's own servers: a certificate authority, NATS configured as in docs/HUB.md, a hub from the command
line."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import sysconfig
import textwrap
import threading
from datetime import UTC, datetime, timedelta
from functools import partial
from ipaddress import IPv4Address
from pathlib import Path
from types import TracebackType

import httpx
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from companion.hub.broker import USERS_FILE
from tests.hub.web.pages_kit import PASSWORD, mark_of
from tests.link import hall
from tools.trials.local_postgres import free_port

HERE = "127.0.0.1"
DOCS = Path(__file__).parents[2] / "docs" / "HUB.md"
TIMEOUT_S = 180.0
"""Timeout in seconds for a busy machine."""
PROGRAM = Path(sysconfig.get_path("scripts")) / "nats-server"


expect = partial(hall.expect, patience=TIMEOUT_S)
"""Poll until a condition is true."""


class CertificateAuthority:
    """A local certificate authority; `pem` is its certificate."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Club authority")])
        self.pem = folder / "authority.pem"
        self.pem.write_bytes(_pem(self._signed(self._name, self._key, authority=True)))

    def certificate(self) -> tuple[Path, Path]:
        """Create a certificate and key for a local server."""
        key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
        paths = self._folder / "server.pem", self._folder / "server.key"
        paths[0].write_bytes(_pem(self._signed(name, key, authority=False)))
        form = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        paths[1].write_bytes(key.private_bytes(serialization.Encoding.PEM, *form))
        return paths

    def _signed(self, name: x509.Name, key: ec.EllipticCurvePrivateKey, authority: bool) -> x509.Certificate:
        here = x509.SubjectAlternativeName([x509.DNSName("localhost"), x509.IPAddress(IPv4Address(HERE))])
        now = datetime.now(UTC)
        made = x509.CertificateBuilder().subject_name(name).issuer_name(self._name).public_key(key.public_key())
        made = made.serial_number(x509.random_serial_number()).add_extension(here, critical=False)
        made = made.not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=1))
        made = made.add_extension(x509.BasicConstraints(authority, None), critical=True)
        return made.sign(self._key, hashes.SHA256())


def _pem(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.PEM)


def documented(heading: str) -> str:
    """Return the configuration that docs/HUB.md shows below a heading."""
    found = re.search(rf"```\w+\n *# {re.escape(heading)}\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None, f"docs/HUB.md shows no {heading}"
    return textwrap.dedent(found[1])


class NatsServer:
    """One NATS server in its own folder, configured as documented, with the test's paths and ports."""

    def __init__(
        self, folder: Path, authority: CertificateAuthority, routes: tuple[int, ...] = (), number: int = 0
    ) -> None:
        folder.mkdir()
        self._folder = folder
        self.port = free_port()
        self.name = f"server{number}"
        certificate, key = authority.certificate()
        text = documented("/etc/nats/nats.conf")
        if routes:
            text += documented("/etc/nats/nats.conf, each of several servers besides")
            links = ", ".join(f"nats://{HERE}:{route}" for route in routes)
            text = re.sub(r"routes: \[.*?\]", f"routes: [{links}]", text, flags=re.DOTALL)
            text = text.replace("0.0.0.0:6222", f"{HERE}:{routes[number]}")
        paths = {"/etc/nats/server.pem": certificate, "/etc/nats/server.key": key, "/var/lib/nats": folder / "data"}
        replaced = {"0.0.0.0:4222": f"{HERE}:{self.port}", "server_name: one": f"server_name: {self.name}"}
        for old, new in {**replaced, **{old: str(path) for old, path in paths.items()}}.items():
            assert old in text, f"the documented configuration has no {old}"
            text = text.replace(old, new)
        (folder / "nats.conf").write_text(f"{text}\npid_file: {folder / 'nats.pid'}\nlog_file: {folder / 'log'}\n")
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def config(self) -> Path:
        """Write the configuration file and return its path."""
        return self._folder / "nats.conf"

    def install_users(self, users: Path) -> None:
        """Copy the hub's users file to the path that the configuration includes."""
        shutil.copy(users, self._folder / USERS_FILE)

    def start(self) -> None:
        """Start the server; it runs until `kill`."""
        self._process = subprocess.Popen([PROGRAM, "--config", self.config], stdin=subprocess.DEVNULL)

    def answers(self) -> bool:
        """Return True if the server is up."""
        try:
            socket.create_connection((HERE, self.port), 1).close()
        except OSError:
            return False
        return True

    def reload(self) -> None:
        """Reload the configuration, as the organiser does."""
        subprocess.run([PROGRAM, "--signal", f"reload={self._folder / 'nats.pid'}"], check=True, timeout=TIMEOUT_S)

    def kill(self) -> None:
        """Kill the server at once, as by a power cut."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()


class HubProcess:
    """`companion hub` on a cluster as a process; its output is read continuously."""

    def __init__(self, folder: Path, *arguments: str, authority: Path | None = None) -> None:
        folder.mkdir(exist_ok=True)
        settings = folder / "config.toml"
        settings.write_text(f'[display]\nlanguage = "en"\n[data]\nfolder = "{folder / "data"}"\n')
        self.folder, self.url = folder / "data" / "hub", ""
        self.users = self.folder / "cluster" / USERS_FILE
        command = [sys.executable, "-m", "companion", "--config", str(settings), "hub", "--port", str(free_port())]
        surroundings = {name: value for name, value in os.environ.items() if name != "SSL_CERT_FILE"}
        if authority is not None:
            surroundings["SSL_CERT_FILE"] = str(authority)
        self.process = subprocess.Popen([*command, *arguments], stderr=subprocess.PIPE, text=True, env=surroundings)
        self._output: list[str] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> HubProcess:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.process.kill()
        self.process.wait()
        self._reader.join()

    @property
    def output(self) -> str:
        """Return all output so far."""
        return "".join(self._output)

    def wait_for_output(self, text: str) -> None:
        """Wait until the output contains `text`."""
        expect(lambda: text in self.output or self.process.poll() is not None, f"{text} in {self.output}")
        assert text in self.output, self.output

    def end(self) -> str:
        """Stop the hub with Ctrl-C and return its output."""
        self.process.send_signal(signal.SIGINT)
        assert self.process.wait(TIMEOUT_S) == 0
        self._reader.join()
        return self.output

    def _read(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self._output.append(line)


class DeskClient:
    """The organiser, logged in by the link that the hub printed."""

    def __init__(self, hub: HubProcess) -> None:
        hub.wait_for_output("Ctrl-C")
        found = re.search(r"(http://\S+)/desk/set-up\?key=(\S+)", hub.output)
        assert found is not None, hub.output
        self._pages = httpx.Client(base_url=found[1], follow_redirects=True, timeout=TIMEOUT_S)
        fields = {"key": found[2], "name": "Claire", "password": PASSWORD, "again": PASSWORD}
        self._posted("/desk/set-up", fields)

    def close(self) -> None:
        """Close the session."""
        self._pages.close()

    def token(self, number: int) -> tuple[str, str]:
        """Register a table; return its address and token as in its QR code."""
        here = {"form": mark_of(self._pages.get("/desk/tables"))}
        self._posted(
            "/desk/do/register", {**here, "number": str(number), "name": f"Table {number}", "id": f"t{number}"}
        )
        response = self._posted("/desk/do/issue", {**here, "role": "table", "of_table": f"t{number}", "label": ""})
        found = re.search(r"tapis-vert://([^/\s]+)/([A-Z2-7-]+)", response.text)
        assert found is not None, response.text
        return textwrap.dedent(found[1]), found[2]

    def revoke(self) -> None:
        """Revoke the newest key of a table."""
        page = self._pages.get("/desk/tables")
        keys = re.findall(r'id="key-(\d+)"', page.text)
        self._posted("/desk/do/revoke", {"form": mark_of(page), "key": keys[-1]})

    def call_a_match(self, game: str) -> None:
        """Create a tournament of two entries at one table and call its match."""
        form = {"form": mark_of(self._pages.get("/desk")), "name": "Cup", "game": game, "format": "round_robin"}
        made = self._posted("/desk/do/create", {**form, "tables": "1", "minutes": "30"})
        here = f"/desk/t/{made.url.path.split('/')[3]}"
        mark = {"form": mark_of(self._pages.get(f"{here}/entries"))}
        self._posted(here, {**mark, "page": "entries", "event": "enter_many", "lines": "Ada\nBlaise"})
        page = self._posted(here, {**mark, "page": "overview", "event": "start"})
        for form in re.findall(r"<form.*?</form>", page.text, re.DOTALL):
            fields = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form))
            if fields.get("event") == "proposal":
                self._posted(here, {name: _plain(value) for name, value in fields.items()})
                return
        raise AssertionError(page.text)

    def _posted(self, page: str, fields: dict[str, str]) -> httpx.Response:
        answer = self._pages.post(page, data=fields)
        assert answer.status_code == 200, answer.text
        return answer


def _plain(value: str) -> str:
    return value.replace("&#39;", "'").replace("&#34;", '"').replace("&amp;", "&")
