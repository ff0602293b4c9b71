"""The hub's own way to the carrier: its own NATS server, or a cluster of the organiser's by URL and credentials."""

from __future__ import annotations

import asyncio
import base64
import errno
import logging
import os
import re
import socket
import ssl
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from nats.aio.client import Client
from nats.errors import Error as NatsError
from nats.js.api import AckPolicy, ConsumerConfig, DiscardPolicy, RetentionPolicy, StorageType, StreamConfig
from nats.js.client import JetStreamContext
from nats.js.errors import APIError, NotFoundError

from companion.games.base import Message
from companion.hub.broker import Broker, BrokerError
from companion.hub.own_cluster import ClusterAddress
from companion.messages import subjects
from companion.messages.tls import Sealed, Unsealed

log = logging.getLogger(__name__)

CONSUMER = "hub"
MOST_BYTES = 512 << 20
"""Of the stream on the disk; the oldest go first, tables send again what the hub does not have."""
MOST_OF_A_TABLE = 5000
"""Messages of one kind, so that one table that sends too much takes nothing from the others."""
ACKNOWLEDGED_WITHIN = 30.0
REPLICAS = 3
"""Servers of a cluster that keep the stream."""
CLUSTER_PAUSE = 1.0
"""Seconds between two attempts to get into a cluster."""
REFUSALS = ("authorization", "authentication", "permissions violation for connect")
_BLOCK = re.compile(r"-+BEGIN [A-Z ]+-+\s+(\S+)\s+-+END [A-Z ]+-+")
_SEED = slice(2, 34)
"""Where the 32 bytes of an Ed25519 seed stand in an NKey: after two bytes of its kind, before two of a checksum."""

Renew = Callable[[], Message]
"""Puts the stream of the hub's own server aside and begins another one; returns what to tell the organiser."""


@dataclass(frozen=True, slots=True)
class Entrance:
    """Where the carrier is and who the hub is there. `options` are those of nats-py.

    `renew` gives the hub's own server another stream where the one that it has is damaged.
    """

    servers: list[str]
    options: dict[str, Any]
    renew: Renew | None = None


def own_server(broker: Broker) -> Entrance:
    """The way to the hub's own server, which is known by its certificate."""
    context = Sealed()
    context.check_hostname = False
    context.load_verify_locations(cafile=str(broker.certificate.certificate))
    host = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(broker.host, broker.host)
    options = {"tls": context, "user": broker.user, "password": context.only_sealed(lambda: broker.password)}
    return Entrance([f"nats://{host}:{broker.port}"], options)


def own_cluster(address: ClusterAddress, login: tuple[str, str] | None, credentials: Path | None) -> Entrance:
    """The way to a cluster of the organiser's: as a user with a password, or by a credentials file of NATS.

    `tls://` is never spoken without TLS; `nats://` is where the server does not ask for it. The system's authorities
    vouch for the servers. Raises BrokerError for a file that is none.
    """
    context = Sealed.by_authority()

    def guarded(secret: Callable[[], Any]) -> Callable[[], Any]:
        return context.only_sealed(secret) if address.sealed else secret

    options: dict[str, Any] = {"tls": context, "reconnect_time_wait": CLUSTER_PAUSE}
    if credentials is None:
        user, password = login or (None, "")
        return Entrance(list(address.servers), {**options, "user": user, "password": guarded(lambda: password)})
    try:
        blocks = _BLOCK.findall(credentials.read_text(encoding="ascii"))
        token, seed = blocks[0], base64.b32decode(blocks[1] + "=" * (-len(blocks[1]) % 8))
        key = Ed25519PrivateKey.from_private_bytes(seed[_SEED])
    except IndexError:
        raise BrokerError("credentials", file=credentials, reason="BEGIN NATS USER JWT") from None
    except OSError as fault:
        raise BrokerError("credentials", file=credentials, reason=fault.strerror) from None
    except ValueError as fault:
        raise BrokerError("credentials", file=credentials, reason=fault) from None

    def signed(nonce: str) -> bytes:
        return base64.b64encode(key.sign(nonce.encode()))

    shown = guarded(lambda: bytearray(token.encode()))
    return Entrance(list(address.servers), {**options, "signature_cb": signed, "user_jwt_cb": shown})


OnClosed = Callable[[], Awaitable[None]] | None
Troubled = Callable[[Message | None], None]
"""Told a sentence when the hub does not get to its carrier, None when it is there."""


async def enter_as_hub(
    entrance: Entrance, troubled: Troubled = lambda trouble: None, closed: OnClosed = None
) -> Client:
    """A connection that comes back by itself, waited for as long as it takes.

    `closed` is awaited when it has ended for good, as after a server has withdrawn the hub's leave. Raises the errors
    of nats-py for options that do not go together.
    """
    connection = Client()

    async def tell(fault: Exception) -> None:
        if isinstance(fault, (NatsError, OSError)):
            log.info("the hub's link: %s", fault)
        else:  # of the hub itself, while it took what a table said
            log.error("the hub's link failed", exc_info=fault)
        if not connection.is_connected:
            troubled(trouble_of(fault, entrance))

    async def back() -> None:
        troubled(None)

    options = {"reconnect_time_wait": 0.2, **entrance.options}
    try:
        await connection.connect(
            entrance.servers,
            name="hub",
            max_reconnect_attempts=-1,
            connect_timeout=5,
            ping_interval=10,
            error_cb=tell,
            closed_cb=closed,
            reconnected_cb=back,
            **options,
        )
    except asyncio.CancelledError:
        await connection.close()
        raise
    return connection


def trouble_of(fault: Exception, entrance: Entrance) -> Message:
    """Why the hub does not get in, as a sentence."""
    servers = ", ".join(entrance.servers)
    words = str(fault) or type(fault).__name__
    if isinstance(fault, ssl.SSLCertVerificationError):
        return Message("broker.untrusted", {"servers": servers, "reason": fault.verify_message})
    if isinstance(fault, (Unsealed, ssl.SSLError)):
        return Message("broker.unsealed", {"servers": servers, "reason": words})
    if any(sign in words.lower() for sign in REFUSALS):
        return Message("broker.refused", {"servers": servers})
    if isinstance(fault, TimeoutError):
        words = os.strerror(errno.ETIMEDOUT)
    elif isinstance(fault, OSError) and fault.errno is not None and not isinstance(fault, socket.gaierror):
        words = os.strerror(fault.errno)  # asyncio adds addresses, in the words of a program
    return Message("broker.unreachable", {"servers": servers, "reason": words})


async def stream_consumer(connection: Client) -> JetStreamContext.PullSubscription:
    """The stream with the hub's place in it, both made where they are not there."""
    stream = connection.jetstream(timeout=10)
    await _have_stream(stream)
    config = ConsumerConfig(
        durable_name=CONSUMER,
        ack_policy=AckPolicy.EXPLICIT,
        ack_wait=ACKNOWLEDGED_WITHIN,
        max_ack_pending=4000,
    )
    return await stream.pull_subscribe("", durable=CONSUMER, stream=subjects.STREAM, config=config)


async def _have_stream(stream: JetStreamContext) -> None:
    """Made where it is not there: on three servers of a cluster that has them, so that one may fail."""
    config = StreamConfig(
        name=subjects.STREAM,
        subjects=list(subjects.KEPT_SUBJECTS),
        retention=RetentionPolicy.WORK_QUEUE,
        storage=StorageType.FILE,
        discard=DiscardPolicy.OLD,
        max_bytes=MOST_BYTES,
        max_msgs_per_subject=MOST_OF_A_TABLE,
    )
    try:
        await stream.stream_info(subjects.STREAM)
    except NotFoundError:
        try:
            await stream.add_stream(config, num_replicas=REPLICAS)
        except APIError as fault:
            log.info("the stream is kept by one server: %s", fault)
            await stream.add_stream(config, num_replicas=1)
