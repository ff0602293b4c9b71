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

from companion.messages.tls import Sealed, Unsealed
from companion.messages.token import BY_AUTHORITY, Token, bracketed, certificate_print

log = logging.getLogger(__name__)

SECONDS = 5.0
"""For each step of connecting."""
WEB_SECONDS = 2.0
"""For a server of web pages to answer."""
_REFUSALS = ("authorization violation", "authentication")

OnClosed = Callable[[], Awaitable[None]]


class Refused(Exception):
    """The hub does not take the table's key."""


class Stranger(Exception):
    """What answers at the address is not the hub that the token names."""


class WrongPort(Stranger):
    """What answers is no NATS server: the address leads to another port, to that of the hub's pages for one."""


class Away(Exception):
    """Nothing answers; it will some day."""


async def enter(host: str, port: int, token: Token, closed: OnClosed, seconds: float = SECONDS) -> Client:
    """A connection as the token's table; `closed` is awaited when it ends. Raises Refused, Stranger, Away.

    Each step takes so many `seconds` at most.
    """
    try:
        context = await _trusted(host, port, token, seconds)
        return await nats.connect(
            f"nats://{bracketed(host)}:{port}",
            tls=context,
            user=token.table,
            password=context.only_sealed(lambda: token.key),
            name=token.table,
            allow_reconnect=False,
            max_reconnect_attempts=1,
            reconnect_time_wait=0,
            connect_timeout=max(1, int(seconds)),
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


async def _trusted(host: str, port: int, token: Token, seconds: float) -> Sealed:
    """What trusts the hub's certificate and no other; the system's authorities where the token names none."""
    reader, writer = await asyncio.wait_for(asyncio.open_connection(host, port), seconds)
    try:
        await _greeted(host, port, reader, writer, seconds)
        if token.certificate == BY_AUTHORITY:
            return Sealed.by_authority()
        der = await asyncio.wait_for(_shown_certificate(host, port, writer), seconds)
    finally:
        writer.close()
    if certificate_print(der) != token.certificate:
        raise Stranger(f"{host}:{port} shows another certificate")
    context = Sealed()
    context.check_hostname = False  # the hub is known by its certificate; its address is the hall's and changes
    context.load_verify_locations(cadata=ssl.DER_cert_to_PEM_cert(der))
    return context


async def _greeted(
    host: str, port: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, seconds: float
) -> None:
    """A NATS server speaks first. One that does not is asked whether it is one of web pages."""
    try:
        greeting = await asyncio.wait_for(reader.readline(), seconds)
    except TimeoutError:
        if await _serves_pages(host, port, reader, writer):
            raise WrongPort(f"{host}:{port} serves web pages") from None
        raise
    except ValueError:  # no line of this length is a greeting
        raise WrongPort(f"{host}:{port} is no NATS server") from None
    if not greeting.endswith(b"\n"):
        raise Away(f"{host}:{port} hung up")  # on its way down, or the network is
    if not greeting.startswith(b"INFO "):
        raise WrongPort(f"{host}:{port} is no NATS server")


async def _serves_pages(host: str, port: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
    """Whether somebody who waits to be spoken to answers as HTTP does, or as HTTPS, which hangs up on the former."""
    try:
        writer.write(b"HEAD / HTTP/1.0\r\n\r\n")
        answer = await asyncio.wait_for(reader.read(5), WEB_SECONDS)
        if answer:
            return answer == b"HTTP/"
        _, sealed = await asyncio.wait_for(asyncio.open_connection(host, port, ssl=_looking()), WEB_SECONDS)
        sealed.close()
    except (OSError, TimeoutError):
        return False
    return True


async def _shown_certificate(host: str, port: int, writer: asyncio.StreamWriter) -> bytes:
    """The certificate (DER) that a NATS server shows, after its greeting. Nothing is told to it."""
    try:
        await writer.start_tls(_looking())
    except ssl.SSLError as fault:
        raise Stranger(f"{host}:{port}: {fault}") from None
    session = writer.get_extra_info("ssl_object")
    der: bytes | None = session.getpeercert(binary_form=True)
    if der is None:
        raise Stranger(f"{host}:{port} shows no certificate")
    return der


def _looking() -> ssl.SSLContext:
    """Takes any certificate; nothing secret is told over it."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def _worth_saying(record: logging.LogRecord) -> bool:
    """asyncio warns whenever a server hangs up on a connection that was sealed after it began, as NATS has it."""
    return not str(record.msg).startswith("returning true from eof_received()")


logging.getLogger("asyncio").addFilter(_worth_saying)


async def _log(fault: Exception) -> None:
    log.info("the link to the hub: %s", fault)
