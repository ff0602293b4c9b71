"""The hub on an organiser's own NATS servers: as documented, from the command line; what goes wrong; all is equal."""

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
    OrganiserCluster,
    cluster_address,
    connect_to_broker,
    own_cluster,
    stream_consumer,
)
from companion.hub.core import open_core
from companion.link.table_link import UntrustedHost, connect_to_hub
from companion.messages import subjects
from companion.messages.token import Token
from tests.hub.cluster_kit import HERE, WAITS, AtDesk, Authority, CommandHub, Server, expect
from tests.hub.operator_kit import operated
from tests.link.hall import GAME, Seat, real_link
from tools.trials.compare import compare
from tools.trials.own_postgres import free_port

LOGIN = "organiser", "chosen by hand"
NOT_IN = "does not let the hub in"


@pytest.fixture
def authority(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Authority:
    """One that this process trusts, as a table does whose system knows it."""
    made = Authority(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(made.pem))
    return made


@pytest.fixture
def running(tmp_path: Path, authority: Authority) -> Iterator[Callable[..., Server]]:
    """Makes servers, which are ended with the test."""
    servers: list[Server] = []

    def made(routes: tuple[int, ...] = ()) -> Server:
        servers.append(Server(tmp_path / f"nats{len(servers)}", authority, routes, len(servers)))
        return servers[-1]

    yield made
    for server in servers:
        server.kill()


def all_equal(hub: Path, seat: Seat) -> None:
    """The journal of the hub is the table's, and its match has its result."""
    core = open_core(f"sqlite:///{hub / 'hub.sqlite'}", GAMES, SystemClock())
    try:
        compared = compare(core, {"t1": [seat.store.path]})
        assert (compared.problems, compared.journals) == ((), 1)
        (tournament,) = core.tournaments.all()
        assert len(core.tournaments.state(tournament.id).reports) == 1
    finally:
        core.close()


def played_to_the_end(seat: Seat, midway: Callable[[], object] = lambda: None) -> None:
    match = seat.begin()
    seat.play(match, 20)
    midway()
    seat.play(match)
    for by in ("home", "away"):
        seat.confirm(match, by)
    expect(lambda: seat.match().sent, "the result is with the hub")
    expect(lambda: seat.port.snapshot().link.waiting == 0, "all lines are with the hub")


def test_a_match_through_an_organisers_own_server(
    tmp_path: Path, authority: Authority, running: Callable[..., Server]
) -> None:
    server = running()
    seat = Seat(tmp_path / "t1", real_link)
    with CommandHub(tmp_path, "--broker", f"tls://{HERE}:{server.port}", authority=authority.pem) as hub:
        hub.says("does not answer")
        hub.says(f"Users of the NATS cluster: {hub.users}")
        server.take(hub.users)
        server.start()
        hub.says("The hub is connected")
        desk = AtDesk(hub)
        address, token = desk.token(1)
        assert address == f"{HERE}:{server.port}"
        hub.says("Table t1: the file")
        assert seat.port.join(address, token) is None
        expect(lambda: trouble(seat) == "link.refused", "not yet in the cluster")
        server.take(hub.users)
        server.reload()
        assert seat.port.join(address, token) is None, "at once, not when it would try again"
        expect(lambda: seat.port.snapshot().link.online, "let in")
        desk.call_a_match(GAME)
        expect(lambda: seat.port.snapshot().match is not None, "the match is called")
        played_to_the_end(seat)
        shut_out_and_in_again(hub, server)
        desk.revoke()
        server.take(hub.users)
        server.reload()
        expect(lambda: trouble(seat) == "link.refused", "thrown out")
        desk.close()
        assert "Traceback" not in hub.end()
    all_equal(hub.folder, seat)
    seat.switch_off()


def shut_out_and_in_again(hub: CommandHub, server: Server) -> None:
    """The organiser forgets the hub in a reload: it comes back by itself once that is mended."""
    other = hub.users.with_name("others.json")
    other.write_text(hub.users.read_text().replace(f'"{HUB_USER}"', '"somebody"'))
    before = hub.said.count("is connected")
    server.take(other)
    server.reload()
    hub.says(NOT_IN)
    server.take(hub.users)
    server.reload()
    expect(lambda: hub.said.count("is connected") > before, "back")


def trouble(seat: Seat) -> str | None:
    found = seat.port.snapshot().link.trouble
    return None if found is None else found.id


def said_of(url: str, login: tuple[str, str]) -> str:
    """The id of the first sentence that a hub which tries to get in there has for the organiser."""

    async def attempt() -> str:
        told: asyncio.Queue[str] = asyncio.Queue()
        entering = asyncio.create_task(
            connect_to_broker(
                own_cluster(cluster_address(url), login, None), lambda trouble: told.put_nowait(trouble.id)
            )  # type: ignore[union-attr]
        )
        try:
            return await asyncio.wait_for(told.get(), WAITS)
        finally:
            entering.cancel()
            await asyncio.wait((entering,))

    return asyncio.run(attempt())


def test_what_is_wrong_with_the_cluster_is_said(
    tmp_path: Path, running: Callable[..., Server], monkeypatch: pytest.MonkeyPatch
) -> None:
    server, plain = running(), running()
    users = OrganiserCluster(tmp_path / "hub", LOGIN).users
    config = plain.config.read_text()
    plain.config.write_text(config[: config.index("tls {")] + config[config.index("jetstream {") :])
    for each in (server, plain):
        each.take(users)
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
    said = capsys.readouterr().err
    assert word in said
    assert "secret" not in said


@pytest.mark.slow
def test_a_leader_that_dies_takes_nothing_with_it(
    tmp_path: Path, authority: Authority, running: Callable[..., Server]
) -> None:
    """Three servers; the one that leads the stream is killed amid a match, and stays away."""
    routes = (free_port(), free_port(), free_port())
    servers = [running(routes) for _ in routes]
    urls = ",".join(f"tls://{LOGIN[0]}:{LOGIN[1].replace(' ', '%20')}@{HERE}:{each.port}" for each in servers)
    seat = Seat(tmp_path / "t1", real_link)
    with CommandHub(tmp_path, "--broker", urls, authority=authority.pem) as hub:
        desk = AtDesk(hub)
        _, token = desk.token(1)
        desk.call_a_match(GAME)
        desk.close()
        for each in servers:
            each.take(hub.users)
            each.start()
        hub.says("The hub is connected")
        state = asyncio.run(state_of_the_stream(urls))
        assert state.config.num_replicas == 3
        assert state.cluster is not None
        leader = next(each for each in servers if each.name == state.cluster.leader)
        table_at = next(each for each in servers if each is not leader)
        assert seat.port.join(f"{HERE}:{table_at.port}", token) is None
        expect(lambda: seat.port.snapshot().match is not None, "the match is called")
        played_to_the_end(seat, leader.kill)
        said = hub.end()
    assert "Traceback" not in said
    assert not any(part in said for part in (LOGIN[1], LOGIN[1].replace(" ", "%20")))
    all_equal(hub.folder, seat)
    seat.switch_off()


def test_a_credentials_file_opens_an_operators_server(
    tmp_path: Path, authority: Authority, running: Callable[..., Server]
) -> None:
    server = running()
    lines, credentials = operated(tmp_path)
    config = server.config.read_text()
    accounts = config[config.index("accounts {") : config.index("pid_file")]
    server.config.write_text(config.replace(accounts, f"{lines}\n"))
    server.start()
    there = cluster_address(f"tls://{HERE}:{server.port}")

    async def attempt() -> StreamInfo:
        connection = await asyncio.wait_for(connect_to_broker(own_cluster(there, None, credentials)), WAITS)
        try:
            await stream_consumer(connection)
            return await connection.jetstream().stream_info(subjects.STREAM)
        finally:
            await connection.close()

    state = asyncio.run(attempt())
    assert state.config.num_replicas == 1
    assert OrganiserCluster(tmp_path / "hub", by_credentials=True).login is None


async def state_of_the_stream(urls: str) -> StreamInfo:
    found = cluster_address(urls)
    connection = await connect_to_broker(own_cluster(found, found.login, None))
    try:
        return await connection.jetstream(timeout=WAITS).stream_info(subjects.STREAM)
    finally:
        await connection.close()


def test_nobody_is_told_a_key_without_tls(tmp_path: Path, authority: Authority) -> None:
    """A server, or somebody on the way, that claims to know no TLS hears nothing but the end of the connection."""
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
