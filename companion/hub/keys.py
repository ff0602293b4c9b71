"""Keys of tables and people: 128 random bits shown once, kept as digests; and the organiser's hashed password."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Role = Literal["table", "player", "referee", "organiser", "set_up", "session"]


@dataclass(frozen=True, slots=True)
class Key:
    """A key as it is kept: whose it is, never the key itself. `until` is when it ends, None for never."""

    id: int
    role: Role
    table: str | None
    label: str
    made: str
    until: str | None


class Keys:
    """Makes, checks and revokes keys."""

    def issue(self, role: Role, table: str | None = None, label: str = "", seconds: int | None = None) -> str:
        """A new key as text for a QR code; it is not kept and cannot be shown again."""
        raise RuntimeError("not built yet")

    def check(self, key: str) -> Key | None:
        """Whose key it is, None for one that is unknown, ended or revoked."""
        raise RuntimeError("not built yet")

    def all(self, role: Role | None = None) -> tuple[Key, ...]:
        """The keys that are valid."""
        raise RuntimeError("not built yet")

    def revoke(self, id: int) -> None:
        """The key opens nothing any more."""
        raise RuntimeError("not built yet")

    def revoke_all(self, role: Role, table: str | None = None) -> int:
        """All keys of a role (of a table); returns how many."""
        raise RuntimeError("not built yet")

    def set_password(self, hashed: str) -> None:
        """Keeps the organiser's password as its argon2 hash."""
        raise RuntimeError("not built yet")

    def password(self) -> str | None:
        """The kept hash, None before the first set-up."""
        raise RuntimeError("not built yet")
