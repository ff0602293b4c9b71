"""Who may: the organiser's password, the one-time link that sets it, sessions, and the mark that keeps forms theirs."""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from hashlib import sha256

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from companion.hub.registry import Key, Keys

LEAST_PASSWORD, MOST_PASSWORD = 10, 200
"""Characters of an organiser's password."""

SESSION_SECONDS = 12 * 3600
SET_UP_SECONDS = 24 * 3600
LONGEST_KEY = 200
"""No key is longer; what is longer is not even looked up."""


@dataclass(frozen=True, slots=True)
class Session:
    """Someone who has logged in: the name for the record, and the mark that each of their forms carries.

    With a `table` it is that table's referee, without one the organiser.
    """

    name: str
    form: str
    table: str | None = None


class Access:
    """The organiser's password and sessions, kept among the hub's keys."""

    def __init__(self, keys: Keys, hasher: PasswordHasher | None = None) -> None:
        self._keys = keys
        self._hasher = hasher or PasswordHasher()

    @property
    def set_up(self) -> bool:
        """Whether there is an organiser's password."""
        return self._keys.password() is not None

    def set_up_key(self) -> str:
        """A new key for the one-time link, good for a day; any earlier one is void."""
        self._keys.revoke_all("set_up")
        return self._keys.issue("set_up", seconds=SET_UP_SECONDS)

    def may_set_up(self, key: str) -> bool:
        """Whether the key is that of the link shown last, and still good."""
        found = self.key(key)
        return found is not None and found.role == "set_up"

    def choose(self, key: str, password: str) -> bool:
        """Sets the organiser's password by the one-time key, which is void then, as is every session."""
        if not well_formed(password) or not self.may_set_up(key):
            return False
        self._keys.set_password(self._hasher.hash(password))
        self._keys.revoke_all("set_up")
        self._keys.revoke_all("session")
        return True

    def right(self, password: str) -> bool:
        """Whether this is the organiser's password. Slow by design: argon2."""
        kept = self._keys.password()
        if kept is None or len(password) > MOST_PASSWORD:
            return False
        try:
            return self._hasher.verify(kept, password)
        except (VerificationError, InvalidHashError):
            return False

    def begin(self, name: str, table: str | None = None, key: Key | None = None) -> str:
        """The secret of a new session: the organiser's, or that of a table's referee; with a key it ends with that."""
        return self._keys.issue("session", table, name, SESSION_SECONDS, None if key is None else key.id)

    def session(self, secret: str | None) -> Session | None:
        """The session of a secret, None for none, a wrong one or one that ran out."""
        found = self.key(secret)
        if secret is None or found is None or found.role != "session":
            return None
        return Session(found.label, form_mark(secret), found.table)

    def end(self, secret: str | None) -> None:
        """Ends a session."""
        found = self.key(secret)
        if found is not None and found.role == "session":
            self._keys.revoke(found.id)

    def key(self, key: str | None) -> Key | None:
        """Whose key it is; None for what can be no key."""
        if not key or len(key) > LONGEST_KEY or not key.isascii() or not key.isprintable():
            return None
        return self._keys.check(key)


def well_formed(password: str) -> bool:
    """Whether it can be a password."""
    return LEAST_PASSWORD <= len(password) <= MOST_PASSWORD


def form_mark(secret: str) -> str:
    """What every form of a session carries; another site cannot know it, nor find the secret by it."""
    return hmac.new(secret.encode(), b"form", sha256).hexdigest()
