"""The hub's own way to the carrier: its own NATS server, or a cluster of the organiser's by URL and credentials."""

from __future__ import annotations

import base64
import logging
import re
import ssl
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nats
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from nats.aio.client import Client
from nats.js.api import AckPolicy, ConsumerConfig, DiscardPolicy, RetentionPolicy, StorageType, StreamConfig
from nats.js.client import JetStreamContext
from nats.js.errors import NotFoundError

from companion.hub.broker import Broker, BrokerError
from companion.wire import subjects

log = logging.getLogger(__name__)

CONSUMER = "hub"
MOST_BYTES = 512 << 20
"""Of the stream on the disk; the oldest go first, tables send again what the hub does not have."""
MOST_OF_A_TABLE = 5000
"""Messages of one kind, so that one table that sends too much takes nothing from the others."""
ACKNOWLEDGED_WITHIN = 30.0
_BLOCK = re.compile(r"-+BEGIN [A-Z ]+-+\s+(\S+)\s+-+END [A-Z ]+-+")
_SEED = slice(2, 34)
"""Where the 32 bytes of an Ed25519 seed stand in an NKey: after two bytes of its kind, before two of a checksum."""


@dataclass(frozen=True, slots=True)
class Entrance:
    """Where the carrier is and who the hub is there. `options` are those of `nats.connect`."""

    url: str
    options: dict[str, Any]


def own_server(broker: Broker) -> Entrance:
    """The way to the hub's own server, which is known by its certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.load_verify_locations(cafile=str(broker.certificate.certificate))
    host = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(broker.host, broker.host)
    options = {"tls": context, "user": broker.user, "password": broker.password}
    return Entrance(f"nats://{host}:{broker.port}", options)


def own_cluster(url: str, credentials: Path | None) -> Entrance:
    """The way to a cluster of the organiser's: user and password in the URL, or a credentials file of NATS.

    Raises BrokerError for a file that is none.
    """
    if credentials is None:
        return Entrance(url, {})
    try:
        blocks = _BLOCK.findall(credentials.read_text(encoding="ascii"))
        token, seed = blocks[0], base64.b32decode(blocks[1] + "=" * (-len(blocks[1]) % 8))
        key = Ed25519PrivateKey.from_private_bytes(seed[_SEED])
    except (OSError, ValueError, IndexError) as fault:
        raise BrokerError("credentials", file=credentials, reason=fault) from None

    def signed(nonce: str) -> bytes:
        return base64.b64encode(key.sign(nonce.encode()))

    return Entrance(url, {"signature_cb": signed, "user_jwt_cb": lambda: bytearray(token.encode())})


async def enter_as_hub(entrance: Entrance) -> Client:
    """A connection that comes back by itself. Raises the errors of nats-py, OSError, TimeoutError."""

    async def tell(fault: Exception) -> None:
        log.info("the hub's link: %s", fault)

    return await nats.connect(
        entrance.url,
        name="hub",
        max_reconnect_attempts=-1,
        reconnect_time_wait=0.2,
        connect_timeout=5,
        ping_interval=10,
        error_cb=tell,
        **entrance.options,
    )


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
        await stream.add_stream(config)
