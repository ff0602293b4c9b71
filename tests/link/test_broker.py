"""The hub's own NATS server and certificate: creation, restart, and cleanup of a server left by a crashed hub."""

from __future__ import annotations

import json
import os
import signal
import socket
import ssl
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from companion.hub.broker import (
    CONFIG_FILE,
    PASSWORD_FILE,
    TABLES_FILE,
    Broker,
    BrokerError,
    LostCertificate,
    OrganiserCluster,
    cluster_login,
    load_certificate,
    parse_cluster_address,
    permissions,
)
from companion.messages.token import SYSTEM_AUTHORITIES
from tests.link.hall import expect
from tools.trials.local_postgres import free_port


def test_the_certificate_is_made_once(tmp_path: Path) -> None:
    first = load_certificate(tmp_path)
    assert load_certificate(tmp_path).der == first.der
    assert first.key.stat().st_mode & 0o077 == 0
    found = ssl.PEM_cert_to_DER_cert(first.certificate.read_text())
    assert found == first.der


@pytest.mark.parametrize("name", ["hub.pem", "hub.key"])
@pytest.mark.parametrize("content", [None, b"", b"damaged", "another"])
def test_a_certificate_that_tokens_name_is_never_replaced(
    name: str, content: bytes | str | None, tmp_path: Path
) -> None:
    first = load_certificate(tmp_path / "broker")
    load_certificate(tmp_path / "other")
    damaged = tmp_path / "broker" / name
    if content is None:
        damaged.unlink()
    else:
        damaged.write_bytes(content if isinstance(content, bytes) else (tmp_path / "other" / name).read_bytes())
    before = {path.name: path.read_bytes() for path in damaged.parent.iterdir()}
    with pytest.raises(LostCertificate) as refused:
        Broker(tmp_path / "broker")
    named = tmp_path / "broker" / ("hub.key" if content == "another" else name)
    assert refused.value.message.args["file"] == named
    assert {path.name: path.read_bytes() for path in damaged.parent.iterdir()} == before
    for path in (first.certificate, first.key):
        path.unlink(missing_ok=True)
    made = load_certificate(tmp_path / "broker")
    assert made.is_new
    assert made.der != first.der, "who removes both gets another one"


def test_a_certificate_whose_making_the_power_ended_is_whole_the_next_time(tmp_path: Path) -> None:
    first = load_certificate(tmp_path)
    first.key.rename(tmp_path / ".hub.key")
    again = load_certificate(tmp_path)
    assert (again.der, again.is_new) == (first.der, False)
    first.certificate.unlink()
    first.key.rename(tmp_path / ".hub.key")
    assert load_certificate(tmp_path).is_new


def test_secrets_lie_hashed_or_for_the_owner_alone(tmp_path: Path) -> None:
    broker = Broker(tmp_path / "broker", port=free_port())
    broker.admit("t1", "a key that nobody guesses")
    broker.start()
    broker.stop()
    for name in (CONFIG_FILE, TABLES_FILE, PASSWORD_FILE):
        assert (tmp_path / "broker" / name).stat().st_mode & 0o077 == 0
    for name in (CONFIG_FILE, TABLES_FILE):
        content = (tmp_path / "broker" / name).read_text()
        assert "a key that nobody guesses" not in content
        assert broker.password not in content
    assert Broker(tmp_path / "broker").password == broker.password
    assert set(Broker(tmp_path / "broker").tables) == {"t1"}


def test_one_that_ends_by_itself_is_begun_anew(tmp_path: Path) -> None:
    broker = Broker(tmp_path, port=free_port())
    broker.start()
    try:
        for _ in range(2):
            before = broker.pid
            assert before is not None
            os.kill(before, signal.SIGKILL)
            expect(lambda before=before: broker.pid not in (None, before), "another server")  # type: ignore[misc]
    finally:
        broker.stop()
    assert broker.pid is None


def test_one_that_outlived_its_hub_is_ended_first(tmp_path: Path) -> None:
    port = free_port()
    killed = (
        "import os, signal, pathlib\n"
        "from companion.hub.broker import Broker\n"
        f"broker = Broker(pathlib.Path({str(tmp_path)!r}), port={port})\n"
        "broker.start()\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    assert subprocess.run([sys.executable, "-c", killed], check=False, timeout=60).returncode == -signal.SIGKILL
    orphan = int((tmp_path / "nats.pid").read_text())
    broker = Broker(tmp_path, port=port)
    broker.start()
    try:
        assert broker.pid not in (None, orphan)
        command_line = Path(f"/proc/{orphan}/cmdline")
        assert not command_line.exists() or not command_line.read_bytes(), (
            "ended, perhaps not yet taken note of by its parent"
        )
    finally:
        broker.stop()


def test_a_port_that_is_taken_is_said(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        broker = Broker(tmp_path, port=other.getsockname()[1])
        with pytest.raises(BrokerError) as fault:
            broker.start()
    assert fault.value.message.id == "broker.port"
    assert broker.pid is None


def test_a_folder_that_is_none_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    for make in (Broker, OrganiserCluster):
        with pytest.raises(BrokerError) as fault:
            make(tmp_path / "file")
        assert fault.value.message.id == "broker.folder"


def test_tables_may_be_let_in_from_many_threads(tmp_path: Path) -> None:
    broker = Broker(tmp_path, port=free_port())
    threads = [threading.Thread(target=broker.admit, args=(f"t{number}", "key")) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(Broker(tmp_path).tables) == {f"t{number}" for number in range(12)}


def test_the_organisers_cluster_gets_the_users_and_what_they_may(tmp_path: Path) -> None:
    cluster = OrganiserCluster(tmp_path)
    assert cluster.fingerprint == SYSTEM_AUTHORITIES
    cluster.admit("t1", "key one")
    cluster.admit("t2", "key two")
    cluster.dismiss("t1")
    users = json.loads(cluster.users.read_text())["users"]
    hub, *tables = users
    assert "permissions" not in hub
    assert (hub["user"], *[(user["user"], user["permissions"]) for user in tables]) == (
        ".hub",
        ("t2", permissions("t2")),
    )
    assert cluster.login is not None
    for secret in ("key two", cluster.login[1]):
        assert secret not in cluster.users.read_text()
    again = OrganiserCluster(tmp_path)
    assert again.login == cluster.login
    assert json.loads(again.users.read_text())["users"] == users, "a start of the hub changes nothing"
    OrganiserCluster(tmp_path, ("me", "secret"))
    first, *others = json.loads(cluster.users.read_text())["users"]
    assert (first["user"], others) == ("me", tables)


@pytest.mark.parametrize("content", [None, "", "-----BEGIN NATS USER JWT-----\nx\n------END NATS USER JWT------\n"])
def test_a_credentials_file_that_is_none_is_said(tmp_path: Path, content: str | None) -> None:
    path = tmp_path / "hub.creds"
    if content is not None:
        path.write_text(content)
    with pytest.raises(BrokerError) as fault:
        cluster_login(parse_cluster_address("tls://nats.example:4222"), None, path)
    assert fault.value.message.id == "broker.credentials"


def test_the_address_of_a_cluster_is_read() -> None:
    found = parse_cluster_address("tls://nats.example, tls:" + "//a%40b:p%2Fw@[fd00::1]:4223/")
    assert found.servers == ("tls://nats.example:4222", "tls://[fd00::1]:4223")
    assert found.login == ("a@b", "p/w")
    assert found.requires_tls
    assert found.table_address("192.168.1.20") == "nats.example:4222"
    here = parse_cluster_address("nats://127.0.0.1:4333")
    assert (here.table_address("192.168.1.20"), here.requires_tls, here.login) == ("192.168.1.20:4333", False, None)


@pytest.mark.parametrize(
    "text",
    [
        "nats.example",
        "https://nats.example",
        "tls://",
        "tls://h.example:port",
        "tls://h.example/x",
        "tls:" + "//me@h.example",
        "tls://a.example,",
        "tls://[h",
    ],
)
def test_an_address_of_a_cluster_that_is_none_is_said(text: str) -> None:
    with pytest.raises(BrokerError) as fault:
        parse_cluster_address(text)
    assert fault.value.message.id == "broker.address"


def test_a_password_is_not_in_what_is_said() -> None:
    with pytest.raises(BrokerError) as fault:
        parse_cluster_address("tls:" + "//me:secret@h/x,tls:" + "//me:secret@[h")
    assert "secret" not in str(fault.value.message)
    with pytest.raises(BrokerError) as fault:
        parse_cluster_address("tls:" + f"//me:{'x' * 73}@h")
    assert fault.value.message.id == "broker.password"
