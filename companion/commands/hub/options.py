"""Options of `companion hub`, and their validation before the server starts."""

from __future__ import annotations

import socket
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from companion.commands.arguments import PAGES_PORT, TABLES_PORT
from companion.games.base import Message
from companion.hub.broker import BrokerError, parse_cluster_address
from companion.language import reason_of
from vision.files import read_limited

_MAX_PEM_BYTES = 1_000_000
"""Maximum size of a certificate with its chain, or of a key. Chains have about 6,000 bytes."""

LOOPBACK, ALL_INTERFACES = "127.0.0.1", "0.0.0.0"


DEFAULT_DATABASE = "hub.sqlite"
"""Default database file in the hub's folder."""


def default_url(folder: Path) -> str:
    """Return the default database URL of a hub in this folder."""
    return f"sqlite:///{folder.absolute() / DEFAULT_DATABASE}"


@dataclass(frozen=True, slots=True)
class HubOptions:
    """Addresses and storage of the hub (docs/HUB.md). `folder` is the hub's own folder."""

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
    """Additional backup folder, e.g. a USB drive."""

    @property
    def host(self) -> str:
        """Host name or address by which others reach this computer."""
        return LOOPBACK if not self.lan else self.address or lan_address()

    @property
    def pages_address(self) -> str:
        """Address of the pages: scheme, host and port."""
        scheme = "https" if self.certificate else "http"
        return f"{scheme}://{self.host}:{self.port}"

    @property
    def url(self) -> str:
        """URL of the database."""
        return self.database or default_url(self.folder)


def lan_address() -> str:
    """Return this computer's address on the local network; loopback if there is none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # reserved address (RFC 5737); nothing is sent
        except OSError:
            return LOOPBACK
        address: str = probe.getsockname()[0]
        return address


def options_fault(options: HubOptions) -> Message | None:
    """Return the error for invalid options, None if they are valid. `options.folder` is the hub's folder."""
    if (options.certificate is None) != (options.key is None):
        return Message("cli.hub.needs_both")
    if options.credentials is not None and options.broker is None:
        return Message("cli.hub.needs_broker")
    if options.address is not None and not options.lan:
        return Message("cli.hub.needs_lan")
    if options.backups is not None and not options.backups.is_dir():
        return Message("cli.hub.backup.no_folder", {"folder": options.backups})
    if options.broker is not None:
        try:
            parse_cluster_address(options.broker)
        except BrokerError as fault:
            return fault.message
    elif options.port == options.tables_port:
        return Message("cli.hub.same_port", {"port": options.port})
    if options.certificate is not None and options.key is not None:
        return _certificate_fault(options.certificate, options.key)
    return _blocking_file(options.folder)


def _blocking_file(folder: Path) -> Message | None:
    """Return the error for a file in the path of the hub's folder."""
    for place in (folder, *folder.parents):
        if place.is_dir():
            return None
        if place.exists():
            return Message("cli.hub.file_there", {"file": place, "folder": folder})
    return None


def _certificate_fault(certificate: Path, key: Path) -> Message | None:
    """Check the HTTPS files. Done here, since OpenSSL would ask for a passphrase on the terminal."""
    try:
        public_key = x509.load_pem_x509_certificates(read_limited(certificate, _MAX_PEM_BYTES))[0].public_key()
    except OSError as fault:
        return Message("cli.hub.certificate", {"file": certificate, "reason": reason_of(fault)})
    except ValueError:
        return Message("cli.hub.certificate.none", {"file": certificate})
    try:
        private = load_pem_private_key(read_limited(key, _MAX_PEM_BYTES), None)
    except OSError as fault:
        return Message("cli.hub.certificate", {"file": key, "reason": reason_of(fault)})
    except TypeError:
        return Message("cli.hub.certificate.locked", {"file": key})
    except ValueError:
        return Message("cli.hub.certificate.no_key", {"file": key})
    if private.public_key() != public_key:
        return Message("cli.hub.certificate.other_key", {"file": certificate, "key": key})
    return None
