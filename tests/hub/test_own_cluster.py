"""The hub on an organiser's own NATS servers: documented set-up, command line, failures, identical data."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from nats.js.api import StreamInfo

from companion.clock import SystemClock
from companion.commands.hub.options import HubOptions
from companion.commands.hub.serve import run_hub
from companion.games.registry import GAMES
from companion.hub.broker import (
    HUB_USER,
    BrokerError,
    OrganiserCluster,
    cluster_login,
    connect_to_broker,
    parse_cluster_address,
    stream_consumer,
)
from companion.hub.core import open_core
from companion.link.table_link import UntrustedHost, connect_to_hub
from companion.messages import subjects
from companion.messages.token import Token
from tests.hub.cluster_kit import HERE, TIMEOUT_S, CertificateAuthority, DeskClient, HubProcess, NatsServer, expect
from tests.hub.operator_kit import operated
from tests.link.hall import GAME, TableSeat, real_link
from tools.trials.compare import compare
from tools.trials.local_postgres import free_port

LOGIN = "organiser", "chosen by hand"
NOT_IN = "does not let the hub in"


@pytest.fixture
def authority(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CertificateAuthority:
    """Return an authority that this process trusts, as a table's system would."""
    made = CertificateAuthority(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(made.pem))
    return made


@pytest.fixture
def running(tmp_path: Path, authority: CertificateAuthority) -> Iterator[Callable[..., NatsServer]]:
    """Return a factory for servers, which are stopped at the end of the test."""
    servers: list[NatsServer] = []

    def made(routes: tuple[int, ...] = ()) -> NatsServer:
        servers.append(NatsServer(tmp_path / f"nats{len(servers)}", authority, routes, len(servers)))
        return servers[-1]

    yield made
    for server in servers:
        server.kill()


def all_equal(hub: Path, seat: TableSeat) -> None:
    """Check that the hub's journal equals the table's and that the match has its result."""
    core = open_core(f"sqlite:///{hub / 'hub.sqlite'}", GAMES, SystemClock())
    try:
        compared = compare(core, {"t1": [seat.store.path]})
        assert (compared.problems, compared.journals) == ((), 1)
        (tournament,) = core.tournaments.all()
        assert len(core.tournaments.state(tournament.id).reports) == 1
    finally:
        core.close()


def played_to_the_end(seat: TableSeat, midway: Callable[[], object] = lambda: None) -> None:
    called, match = seat.match().match, seat.start_match()
    seat.play(match, 20)
    midway()
    seat.play(match)
    for by in ("home", "away"):
        seat.confirm(match, by)
    expect(lambda: seat.is_reported(called), "the result is with the hub")
    expect(lambda: seat.port.snapshot().link.waiting == 0, "all lines are with the hub")


def test_a_match_through_an_organisers_own_server(
    tmp_path: Path, authority: CertificateAuthority, running: Callable[..., NatsServer]
) -> None:
    server = running()
    seat = TableSeat(tmp_path / "t1", real_link)
    with HubProcess(tmp_path, "--broker", f"tls://{HERE}:{server.port}", authority=authority.pem) as hub:
        hub.wait_for_output("does not answer")
        hub.wait_for_output(f"Users of the NATS cluster: {hub.users}")
        server.install_users(hub.users)
        server.start()
        hub.wait_for_output("The hub is connected")
        desk = DeskClient(hub)
        address, token = desk.token(1)
        assert address == f"{HERE}:{server.port}"
        hub.wait_for_output("Table t1: the file")
        assert seat.port.join(address, token) is None
        expect(lambda: trouble(seat) == "link.refused", "not yet in the cluster")
        server.install_users(hub.users)
        server.reload()
        assert seat.port.join(address, token) is None, "at once, not when it would try again"
        expect(lambda: seat.port.snapshot().link.online, "let in")
        desk.call_a_match(GAME)
        expect(lambda: seat.port.snapshot().match is not None, "the match is called")
        played_to_the_end(seat)
        shut_out_and_in_again(hub, server)
        desk.revoke()
        server.install_users(hub.users)
        server.reload()
        expect(lambda: trouble(seat) == "link.refused", "thrown out")
        desk.close()
        assert "Traceback" not in hub.end()
    all_equal(hub.folder, seat)
    seat.switch_off()


def shut_out_and_in_again(hub: HubProcess, server: NatsServer) -> None:
    """A reload removes the hub's user; the hub reconnects once the user is back."""
    other = hub.users.with_name("others.json")
    other.write_text(hub.users.read_text().replace(f'"{HUB_USER}"', '"somebody"'))
    before = hub.output.count("is connected")
    server.install_users(other)
    server.reload()
    hub.wait_for_output(NOT_IN)
    server.install_users(hub.users)
    server.reload()
    expect(lambda: hub.output.count("is connected") > before, "back")


def trouble(seat: TableSeat) -> str | None:
    found = seat.port.snapshot().link.trouble
    return None if found is None else found.id


def said_of(url: str, login: tuple[str, str]) -> str:
    """Return the id of the first message that a hub prints when it tries to connect there."""

    async def attempt() -> str:
        troubles: asyncio.Queue[str] = asyncio.Queue()
        entering = asyncio.create_task(
            connect_to_broker(
                cluster_login(parse_cluster_address(url), login, None), lambda trouble: troubles.put_nowait(trouble.id)
            )  # type: ignore[union-attr]
        )
        try:
            return await asyncio.wait_for(troubles.get(), TIMEOUT_S)
        finally:
            entering.cancel()
            await asyncio.wait((entering,))

    return asyncio.run(attempt())


def test_what_is_wrong_with_the_cluster_is_said(
    tmp_path: Path, running: Callable[..., NatsServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    server, plain = running(), running()
    users = OrganiserCluster(tmp_path / "hub", LOGIN).users
    config = plain.config.read_text()
    plain.config.write_text(config[: config.index("tls {")] + config[config.index("jetstream {") :])
    for each in (server, plain):
        each.install_users(users)
        each.start()
        expect(each.answers, "the server is up")
    sealed = f"tls://{HERE}:{server.port}"
    assert said_of(sealed, (LOGIN[0], "wrong")) == "broker.refused"
    assert said_of(f"tls://{HERE}:{plain.port}", LOGIN) == "broker.unsealed"
    assert said_of(f"tls://{HERE}:{free_port()}", LOGIN) == "broker.unreachable"
    monkeypatch.delenv("SSL_CERT_FILE")
    assert said_of(sealed, LOGIN) == "broker.untrusted"


@pytest.mark.parametrize(
    ("given", "word"),
    [
        ({"broker": "tls://h.example", "credentials": Path("no.creds")}, "no.creds"),
        ({"broker": "http:" + "//me:secret@h.example"}, "http://h.example names no NATS servers"),
    ],
)
def test_a_hub_that_cannot_even_try_says_so(
    given: dict[str, Any], word: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = tmp_path / "config.toml"
    settings.write_text(f'[display]\nlanguage = "en"\n[data]\nfolder = "{tmp_path / "data"}"\n')
    assert run_hub(settings, HubOptions(Path(), port=free_port(), **given)) != 0
    stderr = capsys.readouterr().err
    assert word in stderr
    assert "secret" not in stderr


@pytest.mark.slow
def test_a_leader_that_dies_takes_nothing_with_it(
    tmp_path: Path, authority: CertificateAuthority, running: Callable[..., NatsServer]
) -> None:
    """Of three servers, the stream leader is killed during a match and stays down."""
    routes = (free_port(), free_port(), free_port())
    servers = [running(routes) for _ in routes]
    urls = ",".join(f"tls://{LOGIN[0]}:{LOGIN[1].replace(' ', '%20')}@{HERE}:{each.port}" for each in servers)
    seat = TableSeat(tmp_path / "t1", real_link)
    with HubProcess(tmp_path, "--broker", urls, authority=authority.pem) as hub:
        desk = DeskClient(hub)
        _, token = desk.token(1)
        desk.call_a_match(GAME)
        desk.close()
        for each in servers:
            each.install_users(hub.users)
            each.start()
        hub.wait_for_output("The hub is connected")
        state = asyncio.run(state_of_the_stream(urls))
        assert state.config.num_replicas == 3
        assert state.cluster is not None
        leader = next(each for each in servers if each.name == state.cluster.leader)
        table_at = next(each for each in servers if each is not leader)
        assert seat.port.join(f"{HERE}:{table_at.port}", token) is None
        expect(lambda: seat.port.snapshot().match is not None, "the match is called")
        played_to_the_end(seat, leader.kill)
        output = hub.end()
    assert "Traceback" not in output
    assert not any(part in output for part in (LOGIN[1], LOGIN[1].replace(" ", "%20")))
    all_equal(hub.folder, seat)
    seat.switch_off()


def test_a_credentials_file_opens_an_operators_server(
    tmp_path: Path, authority: CertificateAuthority, running: Callable[..., NatsServer]
) -> None:
    server = running()
    lines, credentials = operated(tmp_path)
    config = server.config.read_text()
    accounts = config[config.index("accounts {") : config.index("pid_file")]
    server.config.write_text(config.replace(accounts, f"{lines}\n"))
    server.start()
    there = parse_cluster_address(f"tls://{HERE}:{server.port}")

    async def attempt() -> StreamInfo:
        connection = await asyncio.wait_for(connect_to_broker(cluster_login(there, None, credentials)), TIMEOUT_S)
        try:
            await stream_consumer(connection)
            return await connection.jetstream().stream_info(subjects.STREAM)
        finally:
            await connection.close()

    state = asyncio.run(attempt())
    assert state.config.num_replicas == 1
    assert OrganiserCluster(tmp_path / "hub", by_credentials=True).login is None


@pytest.mark.parametrize(
    "text", ["tls://u.example:\udcff@x", "tls://\udcff", "http://a.example", "tls://a.example:port", ""]
)
def test_an_address_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(BrokerError) as refused:
        parse_cluster_address(text)
    assert refused.value.message.id == "broker.address"


async def state_of_the_stream(urls: str) -> StreamInfo:
    found = parse_cluster_address(urls)
    connection = await connect_to_broker(cluster_login(found, found.login, None))
    try:
        return await connection.jetstream(timeout=TIMEOUT_S).stream_info(subjects.STREAM)
    finally:
        await connection.close()


def test_nobody_is_told_a_key_without_tls(tmp_path: Path, authority: CertificateAuthority) -> None:
    """A server or man in the middle that claims not to support TLS receives no key; the connection is closed."""
    heard: list[bytes] = []

    async def attempt() -> None:
        async def claim(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(b'INFO {"server_id":"x","version":"2.11.0","auth_required":true,"max_payload":1048576}\r\n')
            heard.append(await reader.read())
            writer.close()

        async def closed() -> None: ...

        async with await asyncio.start_server(claim, HERE, 0) as liar:
            port = liar.sockets[0].getsockname()[1]
            with pytest.raises(UntrustedHost):
                await connect_to_hub(HERE, port, Token("t1", "the key"), closed)
            found = await asyncio.to_thread(said_of, f"tls://{HERE}:{port}", ("hub", "the key"))
            assert found == "broker.unsealed"

    asyncio.run(attempt())
    assert heard
    assert not any(heard), heard
