"""Keys that leave only on a sealed line: NATS says in clear whether it wants TLS, and its client believes it.

A server without TLS, or somebody on the way who claims to be one, would be told the key in clear. A `Sealed` context
notices whether TLS was begun with it since a key was last asked for, and gives none where it was not.
"""

from __future__ import annotations

import ssl
from collections.abc import Callable
from typing import TypeVar

Secret = TypeVar("Secret")


class NoTlsError(OSError):
    """The other end speaks no TLS; it was told nothing."""


class TlsContext(ssl.SSLContext):
    """A client's context. It trusts nobody yet, unless it is made by `by_authority`."""

    _is_tls_started = False

    def __new__(cls) -> TlsContext:
        made = super().__new__(cls, ssl.PROTOCOL_TLS_CLIENT)
        made.minimum_version = ssl.TLSVersion.TLSv1_2
        return made

    @classmethod
    def with_system_authorities(cls) -> TlsContext:
        """Trusts the system's authorities, or those in the file that the variable SSL_CERT_FILE names."""
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
        """As every context has it: a connection is sealed."""
        self._is_tls_started = True
        return super().wrap_bio(incoming, outgoing, server_side, server_hostname, session)

    def secret_over_tls(self, secret: Callable[[], Secret]) -> Callable[[], Secret]:
        """The secret for one connection each time it is asked for; Unsealed is raised for one without TLS."""

        def reveal() -> Secret:
            started, self._is_tls_started = self._is_tls_started, False
            if not started:
                raise NoTlsError("no TLS")
            return secret()

        return reveal
