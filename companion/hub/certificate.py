"""The hub's certificate, made once at set-up: its own, since no authority vouches for a machine in a hall.

Tables know it by the beginning of its SHA-256, which their token brings. It is valid at any time: a table without a
battery for its clock may believe to be years back, and who knows the certificate itself needs no date.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from companion.journal.files import write_whole

CERTIFICATE, KEY, COMING = "hub.pem", "hub.key", ".hub.key"
"""The key takes its name once its certificate is there."""
NAME = "tapis-vert"
FROM, UNTIL = datetime(2000, 1, 1, tzinfo=UTC), datetime(2099, 12, 31, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Certificate:
    """Where certificate and key lie (PEM), and the certificate itself (DER)."""

    certificate: Path
    key: Path
    der: bytes
    fresh: bool = False
    """Whether it was made just now."""


class BadCertificate(Exception):
    """The certificate that tables know cannot be used: `file` is lost or damaged."""

    def __init__(self, file: Path) -> None:
        super().__init__(str(file))
        self.file = file


def own_certificate(folder: Path) -> Certificate:
    """The certificate in a folder, made if neither it nor its key is there.

    Raises BadCertificate, nothing then changed: every token names it, so another one would shut all tables out.
    Raises OSError.
    """
    certificate, key, coming = folder / CERTIFICATE, folder / KEY, folder / COMING
    if certificate.exists() and coming.exists() and not key.exists():
        coming.rename(key)  # the power went while they were made
    if not certificate.exists() and not key.exists():
        return _made(folder, certificate, key)
    for each in (certificate, key):
        if not each.exists():
            raise BadCertificate(each)
    try:
        found = x509.load_pem_x509_certificate(certificate.read_bytes())
    except ValueError:
        raise BadCertificate(certificate) from None
    try:
        private = serialization.load_pem_private_key(key.read_bytes(), None)
    except (ValueError, TypeError):
        raise BadCertificate(key) from None
    if private.public_key() != found.public_key():
        raise BadCertificate(key)
    return Certificate(certificate, key, found.public_bytes(serialization.Encoding.DER))


def _made(folder: Path, certificate: Path, key: Path) -> Certificate:
    private = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, NAME)])
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(private.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(FROM)
        .not_valid_after(UNTIL)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(NAME)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(private, hashes.SHA256())
    )
    secret = private.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    folder.mkdir(parents=True, exist_ok=True)
    coming = folder / COMING
    write_whole(coming, secret, mode=0o600)
    write_whole(certificate, made.public_bytes(serialization.Encoding.PEM))
    coming.rename(key)
    return Certificate(certificate, key, made.public_bytes(serialization.Encoding.DER), fresh=True)
