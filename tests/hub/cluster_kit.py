"""An organiser with servers of their own: an authority, NATS as docs/HUB.md has it, a hub from the command line."""

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

from companion.hub.broker import USERS
from tests.hub.web.pages_kit import PASSWORD, mark_of
from tests.link import hall
from tools.trials.own_postgres import free_port

HERE = "127.0.0.1"
DOCS = Path(__file__).parents[2] / "docs" / "HUB.md"
WAITS = 180.0
"""Seconds after which something will not come, on a machine that is busy with something else."""
PROGRAM = Path(sysconfig.get_path("scripts")) / "nats-server"


expect = partial(hall.expect, patience=WAITS)
"""Waits for something that will be so, looking often."""


class Authority:
    """Signs certificates of this machine; `pem` is what others trust."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Club authority")])
        self.pem = folder / "authority.pem"
        self.pem.write_bytes(_pem(self._signed(self._name, self._key, authority=True)))

    def certificate(self) -> tuple[Path, Path]:
        """Certificate and key of a server here."""
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
    """The configuration that docs/HUB.md shows below a first line."""
    found = re.search(rf"```\w+\n *# {re.escape(heading)}\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None, f"docs/HUB.md shows no {heading}"
    return textwrap.dedent(found[1])


class Server:
    """One NATS server in a folder of its own, configured as documented, with paths and ports of the test."""

    def __init__(self, folder: Path, authority: Authority, routes: tuple[int, ...] = (), number: int = 0) -> None:
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
        """The file of its configuration."""
        return self._folder / "nats.conf"

    def take(self, users: Path) -> None:
        """Copies the hub's file of users to where the configuration includes it."""
        shutil.copy(users, self._folder / USERS)

    def start(self) -> None:
        """Runs until `kill`."""
        self._process = subprocess.Popen([PROGRAM, "--config", self.config], stdin=subprocess.DEVNULL)

    def answers(self) -> bool:
        """Whether it is up."""
        try:
            socket.create_connection((HERE, self.port), 1).close()
        except OSError:
            return False
        return True

    def reload(self) -> None:
        """As the organiser does it."""
        subprocess.run([PROGRAM, "--signal", f"reload={self._folder / 'nats.pid'}"], check=True, timeout=WAITS)

    def kill(self) -> None:
        """At once, as by a power cut."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()


class CommandHub:
    """`companion hub` on a cluster, as a process; what it says is read as it comes."""

    def __init__(self, folder: Path, *words: str, authority: Path | None = None) -> None:
        folder.mkdir(exist_ok=True)
        settings = folder / "config.toml"
        settings.write_text(f'[display]\nlanguage = "en"\n[data]\nfolder = "{folder / "data"}"\n')
        self.folder, self.url = folder / "data" / "hub", ""
        self.users = self.folder / "cluster" / USERS
        command = [sys.executable, "-m", "companion", "--config", str(settings), "hub", "--port", str(free_port())]
        surroundings = {name: value for name, value in os.environ.items() if name != "SSL_CERT_FILE"}
        if authority is not None:
            surroundings["SSL_CERT_FILE"] = str(authority)
        self.process = subprocess.Popen([*command, *words], stderr=subprocess.PIPE, text=True, env=surroundings)
        self._said: list[str] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> CommandHub:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.process.kill()
        self.process.wait()
        self._reader.join()

    @property
    def said(self) -> str:
        """All that it wrote until now."""
        return "".join(self._said)

    def says(self, words: str) -> None:
        """Waits for words."""
        expect(lambda: words in self.said or self.process.poll() is not None, f"{words} in {self.said}")
        assert words in self.said, self.said

    def end(self) -> str:
        """Ctrl-C; all that it said."""
        self.process.send_signal(signal.SIGINT)
        assert self.process.wait(WAITS) == 0
        self._reader.join()
        return self.said

    def _read(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self._said.append(line)


class AtDesk:
    """The organiser, logged in by the link that the hub printed."""

    def __init__(self, hub: CommandHub) -> None:
        hub.says("Ctrl-C")
        found = re.search(r"(http://\S+)/desk/set-up\?key=(\S+)", hub.said)
        assert found is not None, hub.said
        self._pages = httpx.Client(base_url=found[1], follow_redirects=True, timeout=WAITS)
        fields = {"key": found[2], "name": "Claire", "password": PASSWORD, "again": PASSWORD}
        self._posted("/desk/set-up", fields)

    def close(self) -> None:
        """Goes away."""
        self._pages.close()

    def token(self, number: int) -> tuple[str, str]:
        """Registers a table; where it joins, and by what, as its QR code says."""
        here = {"form": mark_of(self._pages.get("/desk/tables"))}
        self._posted(
            "/desk/do/register", {**here, "number": str(number), "name": f"Table {number}", "id": f"t{number}"}
        )
        shown = self._posted("/desk/do/issue", {**here, "role": "table", "of_table": f"t{number}", "label": ""})
        found = re.search(r"tapis-vert://([^/\s]+)/([A-Z2-7-]+)", shown.text)
        assert found is not None, shown.text
        return found[1], found[2]

    def revoke(self) -> None:
        """Takes back the newest key of a table."""
        page = self._pages.get("/desk/tables")
        keys = re.findall(r'id="key-(\d+)"', page.text)
        self._posted("/desk/do/revoke", {"form": mark_of(page), "key": keys[-1]})

    def call_a_match(self, game: str) -> None:
        """A tournament of two at one table, up to the call of its match."""
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
