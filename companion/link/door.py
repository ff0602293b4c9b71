"""The way into the hub's NATS server: TLS with the certificate that the token names, the table's id and key."""

from __future__ import annotations

import asyncio
import logging
import ssl
from collections.abc import Awaitable, Callable

import nats
from nats.aio.client import Client
from nats.errors import Error as NatsError
from nats.errors import NoServersError

from companion.wire.sealed import Sealed, Unsealed
from companion.wire.token import BY_AUTHORITY, Token, certificate_print

log = logging.getLogger(__name__)

SECONDS = 5.0
"""For each step of connecting."""
_REFUSALS = ("authorization violation", "authentication")

OnClosed = Callable[[], Awaitable[None]]


class Refused(Exception):
    """The hub does not take the table's key."""


class Stranger(Exception):
    """What answers at the address is not the hub that the token names."""


class Away(Exception):
    """Nothing answers; it will some day."""


async def enter(host: str, port: int, token: Token, closed: OnClosed) -> Client:
    """A connection as the token's table; `closed` is awaited when it ends. Raises Refused, Stranger, Away."""
    try:
        context = await _trusted(host, port, token)
        return await nats.connect(
            f"nats://{_bracketed(host)}:{port}",
            tls=context,
            user=token.table,
            password=context.only_sealed(lambda: token.key),
            name=token.table,
            allow_reconnect=False,
            max_reconnect_attempts=1,
            reconnect_time_wait=0,
            connect_timeout=int(SECONDS),
            ping_interval=5,
            max_outstanding_pings=2,
            inbox_prefix=f"_INBOX_{token.table}",
            error_cb=_log,
            closed_cb=closed,
        )
    except (ssl.SSLCertVerificationError, Unsealed) as fault:
        raise Stranger(str(fault)) from None
    except NoServersError as fault:
        raise Away(str(fault)) from None
    except NatsError as fault:
        if any(sign in str(fault).lower() for sign in _REFUSALS):
            raise Refused(str(fault)) from None
        raise Away(str(fault)) from None
    except (OSError, TimeoutError, EOFError) as fault:
        raise Away(str(fault)) from None


async def _trusted(host: str, port: int, token: Token) -> Sealed:
    """What trusts the hub's certificate and no other; the system's authorities where the token names none."""
    if token.certificate == BY_AUTHORITY:
        return Sealed.by_authority()
    der = await asyncio.wait_for(_shown_certificate(host, port), SECONDS)
    if certificate_print(der) != token.certificate:
        raise Stranger(f"{host}:{port} shows another certificate")
    context = Sealed()
    context.check_hostname = False  # the hub is known by its certificate; its address is the hall's and changes
    context.load_verify_locations(cadata=ssl.DER_cert_to_PEM_cert(der))
    return context


async def _shown_certificate(host: str, port: int) -> bytes:
    """The certificate (DER) that a NATS server shows, after its greeting. Nothing is told to it."""
    looking = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    looking.check_hostname = False
    looking.verify_mode = ssl.CERT_NONE
    reader, writer = await asyncio.open_connection(host, port)
    try:
        greeting = await reader.readline()
        if not greeting.endswith(b"\n"):
            raise Away(f"{host}:{port} hung up")  # on its way down, or the network is
        if not greeting.startswith(b"INFO "):
            raise Stranger(f"{host}:{port} is no NATS server")
        await writer.start_tls(looking)
        session = writer.get_extra_info("ssl_object")
        der: bytes | None = session.getpeercert(binary_form=True)
        if der is None:
            raise Stranger(f"{host}:{port} shows no certificate")
        return der
    except ssl.SSLError as fault:
        raise Stranger(f"{host}:{port}: {fault}") from None
    finally:
        writer.close()


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


async def _log(fault: Exception) -> None:
    log.info("the link to the hub: %s", fault)
