"""`companion hub` as its users see it: output, services, shutdown, and refused options."""

from __future__ import annotations

import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import closing
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
    load_pem_private_key,
)

from companion.clock import SystemClock
from companion.commands.hub.backups import HubLocation, run_hub_restore, write_backup
from companion.commands.hub.options import HubOptions, lan_address
from companion.commands.hub.serve import run_hub
from companion.games.registry import GAMES
from companion.hub.broker import load_certificate
from companion.hub.core import open_core
from tools.trials.local_postgres import free_port

DONE, FAILED, REFUSED = 0, 1, 2
TIMEOUT_S = 180
END_TIMEOUT_S = 30
"""Maximum seconds until a hub has stopped, on a busy machine."""


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """Return settings in English with all data below this folder."""
    file = tmp_path / "config.toml"
    file.write_text(f'[display]\nlanguage = "en"\n[data]\nfolder = "{tmp_path / "data"}"\n')
    return file


def options(**given: object) -> HubOptions:
    return HubOptions(Path(), port=free_port(), tables_port=free_port(), **given)  # type: ignore[arg-type]


def address(output: list[str], what: str) -> str:
    found = re.search(rf"{what}: (\S+)", "".join(output))
    assert found is not None, output
    return found[1]


def test_it_serves_this_machine_alone_once_and_ends_cleanly(
    config: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ports = ["--port", str(free_port()), "--tables-port", str(free_port())]
    command = [sys.executable, "-m", "companion", "--config", str(config), "hub", *ports]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        try:
            output = []
            while (line := process.stderr.readline()) and "Ctrl-C" not in line:
                output.append(line)
            with urllib.request.urlopen(address(output, "Pages"), timeout=TIMEOUT_S) as page:
                assert page.status == 200
            host, port = address(output, "Tables").split(":")
            with closing(socket.create_connection((host, int(port)), timeout=TIMEOUT_S)) as table:
                assert table.recv(5) == b"INFO "
            assert host == "127.0.0.1"
            assert "/desk/set-up?key=" in "".join(output)
            broker = int((tmp_path / "data" / "hub" / "broker" / "nats.pid").read_text())

            assert run_hub(config, options()) == FAILED  # a second one on the same file
            assert "hub.sqlite" in capsys.readouterr().err

            process.send_signal(signal.SIGTERM)
            assert process.wait(TIMEOUT_S) == DONE
        finally:
            process.kill()
    assert not Path(f"/proc/{broker}").exists()
    folder = tmp_path / "data" / "hub"
    assert folder.stat().st_mode & 0o777 == 0o700
    key = (folder / "broker" / "hub.key").read_bytes()
    newest = max(folder.glob("backups/*.zip"))
    (folder / "broker" / "hub.key").write_bytes(b"")
    assert run_hub(config, options()) == FAILED
    refused = capsys.readouterr().err
    assert f"{folder / 'broker' / 'hub.key'} is lost or damaged" in refused
    assert refused.endswith(f"The newest backup: {newest}\n")
    assert max(folder.glob("backups/*.zip")) == newest, "what is damaged comes into no backup"
    shutil.rmtree(folder / "broker")
    (folder / "hub.sqlite").unlink()
    restore = [*command[:-4], "--restore", str(newest)]
    assert subprocess.run(restore, timeout=TIMEOUT_S, check=False).returncode == DONE
    assert (folder / "broker" / "hub.key").read_bytes() == key
    (folder / "hub.sqlite").unlink()
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        try:
            first = process.stderr.readline()
            assert "was not there; a new one was made" in first
            assert str(newest) in first
        finally:
            process.terminate()
    assert subprocess.run(restore, timeout=TIMEOUT_S, check=False).returncode == DONE
    assert (folder / "hub.sqlite").exists()


@pytest.mark.parametrize(
    ("given", "word"),
    [
        ({"certificate": Path("x.pem")}, "--key"),
        ({"credentials": Path("x.creds")}, "--broker"),
        ({"address": "10.0.0.1"}, "--lan"),
        ({"broker": "zzz"}, "zzz names no NATS servers"),
    ],
)
def test_what_does_not_go_together_is_refused(
    given: dict[str, object], word: str, config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_hub(config, options(**given)) == REFUSED
    assert word in capsys.readouterr().err


def test_ports_that_are_taken_are_told(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        port = taken.getsockname()[1]
        assert run_hub(config, HubOptions(Path(), port=port, tables_port=free_port())) == FAILED
        assert f"port {port}" in capsys.readouterr().err
        assert run_hub(config, HubOptions(Path(), port=free_port(), tables_port=port)) == FAILED
        assert str(port) in capsys.readouterr().err


@pytest.mark.parametrize(
    "url", ["mysql://localhost/x", "nonsense", "sqlite:////dev/null", "postgresql://localhost:1/x"]
)
def test_a_database_that_cannot_be_used_is_told(url: str, config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_hub(config, options(database=url)) == FAILED
    assert capsys.readouterr().err.strip()


def test_a_database_that_is_damaged_leads_to_the_newest_backup(
    config: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "data" / "hub"
    place = HubLocation(folder, folder / "hub.sqlite")

    def made() -> None:
        with closing(open_core(f"sqlite:///{place.database}", GAMES, SystemClock())) as core:
            core.tables.register("t1", 1)

    made()
    assert place.database is not None
    place.database.write_bytes(place.database.read_bytes()[:9000])
    assert run_hub(config, options()) == FAILED
    stderr = capsys.readouterr().err
    assert f"{place.database} is damaged" in stderr
    assert f"There is no backup in {folder / 'backups'}" in stderr
    place.database.unlink()
    made()
    (folder / "backups").mkdir()
    (archive,) = write_backup(place, [folder / "backups"], SystemClock().now()).files
    for content, word in ((place.database.read_bytes()[:9000], "is damaged"), (b"", "is empty")):
        place.database.write_bytes(content)
        assert run_hub(config, options()) == FAILED
        stderr = capsys.readouterr().err
        assert f"{place.database} {word}" in stderr
        assert str(archive) in stderr
        for aside in folder.glob("before-restore-*"):
            shutil.rmtree(aside)  # its name has the same second as the previous one
        assert run_hub_restore(config, archive, None) == DONE
    with closing(open_core(f"sqlite:///{place.database}", GAMES, SystemClock())) as core:
        assert core.tables.number_of("t1") == 1


def test_a_certificate_that_is_none_is_told(config: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "x.pem"
    file.write_text("no certificate")
    assert run_hub(config, options(certificate=file, key=file)) == REFUSED
    assert f"{file} holds no certificate in PEM form" in capsys.readouterr().err
    good, other = load_certificate(tmp_path / "good"), load_certificate(tmp_path / "other")
    locked = tmp_path / "locked.key"
    private = load_pem_private_key(good.key.read_bytes(), None)
    form = Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"a phrase")
    locked.write_bytes(private.private_bytes(*form))
    for key, word in (
        (file, "no private key"),
        (locked, "pass phrase"),
        (other.key, "not that of"),
        (Path("x"), "x: "),
    ):
        assert run_hub(config, options(certificate=good.certificate, key=key)) == REFUSED
        stderr = capsys.readouterr().err
        assert word in stderr
        assert "SSL" not in stderr


@pytest.mark.parametrize("name", ["data", "data/hub"])
def test_a_folder_that_is_a_file_is_told(
    name: str, config: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("a file")
    assert run_hub(config, options()) == REFUSED
    assert f"{tmp_path / name} is a file: the hub needs a folder" in capsys.readouterr().err


def test_pages_and_tables_need_a_port_each(config: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    port = free_port()
    assert run_hub(config, HubOptions(Path(), port=port, tables_port=port)) == REFUSED
    assert f"both say {port}" in capsys.readouterr().err
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("listens", [True, False])
def test_a_cluster_that_does_not_answer_is_told_and_keeps_nobody_from_ending(
    listens: bool, config: Path, tmp_path: Path
) -> None:
    """One server refuses the connection, and one accepts it and sends nothing."""
    with closing(socket.socket()) as silent:
        silent.bind(("127.0.0.1", 0))
        if listens:
            silent.listen()
        there = ["--broker", f"tls://127.0.0.1:{silent.getsockname()[1]}", "--port", str(free_port())]
        command = [sys.executable, "-m", "companion", "--config", str(config), "hub", *there]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
            assert process.stderr is not None
            try:
                output = ""
                while "Ctrl-C" not in output or "does not answer" not in output:
                    line = process.stderr.readline()
                    assert line, output
                    output += line
                process.send_signal(signal.SIGTERM)
                began = time.monotonic()
                rest = process.stderr.read()
                assert process.wait(TIMEOUT_S) == DONE
                assert time.monotonic() - began < END_TIMEOUT_S
            finally:
                process.kill()
    assert "Traceback" not in output + rest


def test_odd_requests_of_visitors_are_not_the_organisers_business(config: Path) -> None:
    port = free_port()
    ports = ["--port", str(port), "--tables-port", str(free_port())]
    command = [sys.executable, "-m", "companion", "--config", str(config), "hub", *ports]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        try:
            while "Ctrl-C" not in process.stderr.readline():
                pass
            upgrade = (
                "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: eA=="
            )
            for request in (f"GET / HTTP/1.1\r\nHost: x\r\n{upgrade}\r\n\r\n", "no request at all\r\n\r\n"):
                with closing(socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT_S)) as visitor:
                    visitor.sendall(request.encode())
                    assert visitor.recv(9) == b"HTTP/1.1 "
            process.send_signal(signal.SIGTERM)
            rest = process.stderr.read()
        finally:
            process.kill()
    assert rest.splitlines() == ["Stopped: everything is on the disk."]


def test_this_machine_knows_its_address() -> None:
    assert socket.inet_aton(lan_address())


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--restore", "a.zip", "--lan", "--tables-port", "99"], "--restore cannot be used with --lan, --tables-port."),
        (["--restore", "a.zip", "--port", "99", "--database", "sqlite:///x"], "--restore cannot be used with --port."),
    ],
)
def test_what_an_option_would_pass_over_is_told(config: Path, arguments: list[str], expected: str) -> None:
    command = [sys.executable, "-m", "companion", "--config", str(config), "hub", *arguments]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_S)
    assert (ended.returncode, ended.stdout, ended.stderr.strip()) == (REFUSED, "", expected)
