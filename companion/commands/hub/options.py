"""How the hub is to be reached and where it keeps things, as its command line says it."""

from __future__ import annotations

import socket
from dataclasses import dataclass
from pathlib import Path

from companion.commands.hub.archive import default_url
from companion.commands.hub.arguments import PAGES_PORT, TABLES_PORT

HERE, EVERYWHERE = "127.0.0.1", "0.0.0.0"


@dataclass(frozen=True, slots=True)
class HubOptions:
    """How the hub is to be reached and where it keeps things (docs/HUB.md); `folder` is the hub's own."""

    folder: Path
    database: str | None = None
    lan: bool = False
    address: str | None = None
    port: int = PAGES_PORT
    tables_port: int = TABLES_PORT
    broker: str | None = None
    credentials: Path | None = None
    certificate: Path | None = None
    key: Path | None = None
    backups: Path | None = None
    """A second place for backups, a stick say."""

    @property
    def host(self) -> str:
        """How others reach this machine."""
        return HERE if not self.lan else self.address or lan_address()

    @property
    def url(self) -> str:
        """The database's."""
        return self.database or default_url(self.folder)


def lan_address() -> str:
    """This machine's address in the network by which others would be reached; loopback where there is none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address of nobody (RFC 5737); nothing is sent
        except OSError:
            return HERE
        address: str = probe.getsockname()[0]
        return address
