"""Connections of the pages: idle, half-open, unread and too many; pages answer all the while."""

from __future__ import annotations

import os
import re
import resource
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
import pytest

from companion.clock import ManualClock
from companion.hub.broker import load_certificate
from companion.hub.core import Core
from companion.hub.web import connections as limits_of_time
from companion.hub.web.app import make_app
from companion.hub.web.connections import MAX_CLOSING, ConnectionLimits, Connections
from companion.hub.web.middleware import Limits
from companion.hub.web.pages import PageDependencies
from tests.hub.web.pages_kit import ADDRESS, FAST_HASHER, FREE
from tests.hub.web.test_feed import TIMEOUT_S, served, waits_for

FEW = ConnectionLimits(total=24, per_address=24, streams=8)


@contextmanager
def hub(
    core: Core, clock: ManualClock, most: ConnectionLimits = FEW, limits: Limits = FREE
) -> Iterator[tuple[tuple[str, int], Connections]]:
    """Serve the pages. Yields their address and the connections."""
    connections = Connections(most, clock.monotonic)
    app = make_app(
        PageDependencies(core, clock, ADDRESS, limits=limits, zone=clock.now().tzinfo), FAST_HASHER, connections
    )
    with served(app) as address:
        yield ("127.0.0.1", int(address.rpartition(":")[2])), connections


def answers(place: tuple[str, int]) -> bool:
    """Return whether a page loads through a new connection."""
    return httpx.get(f"http://{place[0]}:{place[1]}/", timeout=TIMEOUT_S).status_code == 200


def is_ended(connection: socket.socket) -> bool:
    """Wait for the hub to end a connection."""
    connection.settimeout(TIMEOUT_S)
    try:
        while connection.recv(65536):
            pass
    except (ConnectionResetError, BrokenPipeError):
        pass
    except TimeoutError:
        return False
    return True


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nHost: hub\r\nX-Slow: "], ids=["silent", "half a head"])
def test_idle_connections_make_room_for_pages(core: Core, clock: ManualClock, sent: bytes) -> None:
    with hub(core, clock) as (place, connections), ExitStack() as stack:
        for _ in range(200):
            stack.enter_context(socket.create_connection(place)).sendall(sent)
        waits_for(lambda: len(connections) >= FEW.total)
        assert all(answers(place) for _ in range(5))
        assert len(connections) <= FEW.total + MAX_CLOSING


def test_a_hall_behind_one_address_leaves_room_for_the_others(core: Core, clock: ManualClock) -> None:
    with hub(core, clock, ConnectionLimits(24, 8, 8)) as (place, connections), ExitStack() as stack:
        other = stack.enter_context(socket.create_connection(place, source_address=("127.0.0.2", 0)))
        for _ in range(100):
            stack.enter_context(socket.create_connection(place))
        assert answers(place)
        other.sendall(b"GET / HTTP/1.1\r\nHost: hub\r\nConnection: close\r\n\r\n")
        assert other.recv(12) == b"HTTP/1.1 200"
        assert len(connections) <= 9 + MAX_CLOSING


def test_a_slow_request_head_and_an_idle_connection_are_ended_in_time(core: Core, clock: ManualClock) -> None:
    with hub(core, clock) as (place, connections), ExitStack() as stack:
        silent, slow, used = (stack.enter_context(socket.create_connection(place)) for _ in range(3))
        slow.sendall(b"GET / HTTP/1.1\r\n")
        used.sendall(b"GET / HTTP/1.1\r\nHost: hub\r\n\r\n")
        assert used.recv(12) == b"HTTP/1.1 200"
        waits_for(lambda: len(connections) == 3)
        clock.advance(limits_of_time.FIRST_REQUEST_TIMEOUT_S - 1)
        slow.sendall(b"Host: hub\r\n")
        connections.close_overdue()
        assert len(connections) == 3
        clock.advance(1)
        assert is_ended(silent)
        assert is_ended(slow), "another line gives no more time"
        waits_for(lambda: len(connections) <= 1)


def test_a_slow_request_body_is_ended_in_time(core: Core, clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits_of_time, "BODY_TIMEOUT_S", 0.05)
    with hub(core, clock) as (place, connections), socket.create_connection(place) as slow:
        slow.sendall(b"POST /desk/login HTTP/1.1\r\nHost: hub\r\nContent-Length: 100\r\n\r\nname=")
        assert is_ended(slow)
        waits_for(lambda: len(connections) == 0)


def test_who_does_not_read_is_ended(core: Core, clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> None:
    """A thousand style sheets are asked for and none is read: the hub stops at what the sockets hold."""
    monkeypatch.setattr(limits_of_time, "SEND_TIMEOUT_S", 0.05)
    with hub(core, clock) as (place, connections), socket.socket() as reader:
        reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        reader.connect(place)
        waits_for(lambda: len(connections) == 1)
        reader.sendall(b"GET /style.css HTTP/1.1\r\nHost: hub\r\n\r\n" * 1000)
        waits_for(lambda: len(connections) == 0)
        assert is_ended(reader)


def test_streams_are_limited_in_all_and_pages_go_on(core: Core, clock: ManualClock) -> None:
    with hub(core, clock) as (place, _), ExitStack() as stack:
        statuses = []
        for _ in range(FEW.streams + 3):
            stream = stack.enter_context(socket.create_connection(place))
            stream.sendall(b"GET /events?page=/ HTTP/1.1\r\nHost: hub\r\n\r\n")
            statuses.append(stream.recv(12))
        assert statuses == [b"HTTP/1.1 200"] * FEW.streams + [b"HTTP/1.1 429"] * 3
        assert answers(place)


def test_when_only_busy_connections_are_open_the_next_is_refused(core: Core, clock: ManualClock) -> None:
    limits = ConnectionLimits(6, 6, 6)
    with hub(core, clock, limits) as (place, connections), ExitStack() as stack:
        for _ in range(6):
            stream = stack.enter_context(socket.create_connection(place))
            stream.sendall(b"GET /events?page=/ HTTP/1.1\r\nHost: hub\r\n\r\n")
            assert stream.recv(12) == b"HTTP/1.1 200"
        assert is_ended(stack.enter_context(socket.create_connection(place)))
        assert len(connections) == 6
        stream.close()
        waits_for(lambda: len(connections) < 6)
        assert answers(place)


def test_half_a_tls_handshake_counts_as_idle(core: Core, clock: ManualClock, tmp_path: Path) -> None:
    made = load_certificate(tmp_path)
    connections = Connections(FEW, clock.monotonic)
    app = make_app(PageDependencies(core, clock, ADDRESS, limits=FREE), FAST_HASHER, connections)
    trusted = ssl.create_default_context(cafile=str(made.certificate))
    trusted.check_hostname = False
    with served(app, tls=(str(made.certificate), str(made.key))) as address, ExitStack() as stack:
        place = ("127.0.0.1", int(address.rpartition(":")[2]))
        silent = [stack.enter_context(socket.create_connection(place)) for _ in range(100)]
        with httpx.Client(verify=trusted) as client:
            assert client.get(f"https://127.0.0.1:{place[1]}/", timeout=TIMEOUT_S).status_code == 200
        assert len(connections) <= FEW.total + MAX_CLOSING
        clock.advance(limits_of_time.FIRST_REQUEST_TIMEOUT_S)
        assert is_ended(silent[-1])


PROGRAM = """
import resource, sys
from companion.hub.web import connections
hard = int(sys.argv[1])
resource.setrlimit(resource.RLIMIT_NOFILE, (32, hard))
print(connections.raise_file_limit(), connections.ConnectionLimits.of(connections.max_open_files()))
"""


@pytest.mark.parametrize(("hard", "total"), [(64, 64), (1024, 768), (8192, 4096)])
def test_the_file_limit_is_raised_and_the_limits_follow_from_it(hard: int, total: int) -> None:
    if resource.getrlimit(resource.RLIMIT_NOFILE)[1] < hard:
        pytest.skip("this process may not open so many files")
    done = subprocess.run([sys.executable, "-c", PROGRAM, str(hard)], capture_output=True, text=True, check=True)
    found = ConnectionLimits(total, total * 3 // 4, total // 2)
    assert done.stdout == f"{hard} {found}\n"


def test_no_more_files_than_the_system_permits_still_lets_pages_through(
    core: Core, clock: ManualClock, caplog: pytest.LogCaptureFixture
) -> None:
    """The system's limit is reached before the hub's own."""
    with hub(core, clock, ConnectionLimits()) as (place, connections), ExitStack() as stack:
        assert answers(place)
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        clients = [stack.enter_context(socket.socket()) for _ in range(60)]
        now = max(int(each) for each in os.listdir("/proc/self/fd"))
        stack.callback(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        resource.setrlimit(resource.RLIMIT_NOFILE, (now + 20, hard))
        for each in clients:
            each.connect(place)
        waits_for(lambda: len(connections) > 5)
        clients[-1].close()
        clients[-2].close()
        assert answers(place)
        assert not re.search("out of system resource", caplog.text)
