"""Keys that are sent only over TLS. NATS announces in plain text whether it wants TLS, and its client believes it.

A server without TLS, or an attacker who poses as one, would get the key in plain text. A `TlsContext` detects whether
TLS was started with it since the last request for a key, and gives no key otherwise.
"""

from __future__ import annotations

import ssl
from collections.abc import Callable
from typing import TypeVar

Secret = TypeVar("Secret")


class NoTlsError(OSError):
    """The server does not use TLS. No key was sent."""


class TlsContext(ssl.SSLContext):
    """A client's TLS context. Trusts no authority unless it is made by `with_system_authorities`."""

    _is_tls_started = False

    def __new__(cls) -> TlsContext:
        made = super().__new__(cls, ssl.PROTOCOL_TLS_CLIENT)
        made.minimum_version = ssl.TLSVersion.TLSv1_2
        return made

    @classmethod
    def with_system_authorities(cls) -> TlsContext:
        """Return a context that trusts the system's authorities, or those in the file named by SSL_CERT_FILE."""
        made = cls()
        made.load_default_certs(ssl.Purpose.SERVER_AUTH)
        return made

    def wrap_bio(
        self,
        incoming: ssl.MemoryBIO,
        outgoing: ssl.MemoryBIO,
        server_side: bool = False,
        server_hostname: str | bytes | None = None,
        session: ssl.SSLSession | None = None,
    ) -> ssl.SSLObject:
        """Start TLS as the base class does, and record it."""
        self._is_tls_started = True
        return super().wrap_bio(incoming, outgoing, server_side, server_hostname, session)

    def secret_over_tls(self, secret: Callable[[], Secret]) -> Callable[[], Secret]:
        """Return a callback that reveals the secret once per TLS connection. It raises NoTlsError without TLS."""

        def reveal() -> Secret:
            started, self._is_tls_started = self._is_tls_started, False
            if not started:
                raise NoTlsError("no TLS")
            return secret()

        return reveal
