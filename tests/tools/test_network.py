"""The simulated network: data that passes, connections that are refused, data that is dropped."""

from __future__ import annotations

import gc
import socket
import threading
import warnings
from collections.abc import Iterator
from contextlib import closing, suppress

import pytest

from tools.trials.network import Network

TIMEOUT_S = 5.0


@pytest.fixture
def echo() -> Iterator[int]:
    """Yield the port of an echo server."""
    server = socket.create_server(("127.0.0.1", 0))

    def answer(one: socket.socket) -> None:
        with one, suppress(OSError):
            while data := one.recv(4096):
                one.sendall(data)

    def serve() -> None:
        with suppress(OSError):
            while True:
                threading.Thread(target=answer, args=(server.accept()[0],), daemon=True).start()

    threading.Thread(target=serve, daemon=True).start()
    yield server.getsockname()[1]
    server.close()


@pytest.fixture
def network(echo: int) -> Iterator[Network]:
    made = Network("127.0.0.1", echo)
    yield made
    made.close()


def connected(network: Network, table: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", network.relay_port(table)), timeout=TIMEOUT_S)


def said_again(one: socket.socket, data: bytes) -> bool:
    one.sendall(data)
    return one.recv(len(data)) == data


def is_gone(one: socket.socket) -> bool:
    try:
        return one.recv(1) == b""
    except ConnectionResetError:
        return True


def test_an_open_wire_carries_both_ways(network: Network) -> None:
    with closing(connected(network, 1)) as one, closing(connected(network, 2)) as other:
        assert said_again(one, b"one")
        assert said_again(other, b"other")


def test_a_cut_wire_drops_what_is_open_and_refuses_what_comes(network: Network) -> None:
    with closing(connected(network, 1)) as one, closing(connected(network, 2)) as other:
        assert said_again(one, b"before")
        network.cut(1)
        assert is_gone(one)
        with pytest.raises(OSError, match="refused"):
            connected(network, 1)
        assert said_again(other, b"still here")
    port = network.relay_port(1)
    network.restore(1)
    assert network.relay_port(1) == port
    with closing(connected(network, 1)) as again:
        assert said_again(again, b"after")


def test_a_silent_wire_swallows_and_is_dropped_when_it_is_mended(network: Network) -> None:
    with closing(connected(network, 1)) as one:
        assert said_again(one, b"before")
        network.cut(1, silent=True)
        one.sendall(b"lost")
        one.settimeout(0.2)
        with pytest.raises(TimeoutError):
            one.recv(1)
        network.restore(1)
        one.settimeout(TIMEOUT_S)
        assert is_gone(one)
    with closing(connected(network, 1)) as again:
        assert said_again(again, b"after")


def test_a_closed_network_leaves_nothing_open(echo: int) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ResourceWarning)
        network = Network("127.0.0.1", echo)
        with closing(connected(network, 1)) as one:
            assert said_again(one, b"before")
            network.close()
        del network
        gc.collect()
    assert [text for each in caught if "loop" in (text := str(each.message)) or "transport" in text] == []


def test_a_wire_without_a_broker_drops_who_comes() -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        port = taken.getsockname()[1]
    network = Network("127.0.0.1", port)
    with closing(connected(network, 1)) as one:
        assert is_gone(one)
    network.close()
