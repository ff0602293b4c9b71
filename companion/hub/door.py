"""Letting tables in: a key for each, shown once as a token, known to the carrier and to the hub as hashes only."""

from __future__ import annotations

from typing import Protocol

from companion.hub.keys import Keys
from companion.messages.token import Token, invitation, written


class Doorkeeper(Protocol):
    """A carrier that lets tables in: the hub's own server, or the organiser's cluster."""

    @property
    def print(self) -> bytes:
        """By what a token knows the carrier's certificate."""
        ...

    def admit(self, table: str, key: str) -> None:
        """The table may come with this key, and no longer with another. Raises BrokerError."""
        ...

    def dismiss(self, table: str) -> None:
        """The table may come no more. Raises BrokerError."""
        ...


class TableDoor:
    """Gives tables their tokens. `address` (`host:port`) is where they find the carrier."""

    def __init__(self, keys: Keys, carrier: Doorkeeper, address: str) -> None:
        self.address = address
        self._keys, self._carrier = keys, carrier

    def token(self, table: str) -> str:
        """A new token for a table; one that it had before opens nothing any more. Raises BrokerError."""
        self._keys.revoke_all("table", table)
        key = self._keys.issue("table", table)
        self._carrier.admit(table, key)
        return written(Token(table, key, self._carrier.print))

    def invitation(self, table: str) -> str:
        """The text of a QR code with address and a new token. Raises BrokerError."""
        return invitation(self.address, self.token(table))

    def shut(self, table: str) -> None:
        """The table's token opens nothing any more. Raises BrokerError."""
        self._keys.revoke_all("table", table)
        self._carrier.dismiss(table)
