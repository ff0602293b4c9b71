"""Tables at a cluster of the organiser's: their users stand in a file that the organiser adds to its configuration."""

from __future__ import annotations

import threading
from pathlib import Path

import bcrypt
import msgspec

from companion.hub.broker import COST, TABLES, BrokerError
from companion.hub.broker_config import for_own_cluster
from companion.journal.files import write_whole
from companion.wire.token import BY_AUTHORITY

USERS = "cluster-users.json"


class OwnCluster:
    """Notes who may come; letting them in is the cluster's. Its certificate is vouched for by an authority."""

    def __init__(self, folder: Path) -> None:
        """Raises BrokerError if the folder cannot be used."""
        self._folder, self._lock = folder, threading.Lock()
        self.users = folder / USERS
        """What the organiser adds to the account of the hub in the cluster's configuration."""
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            path = folder / TABLES
            self._tables = msgspec.json.decode(path.read_bytes(), type=dict[str, str]) if path.exists() else {}
        except (OSError, msgspec.MsgspecError) as fault:
            raise BrokerError("folder", folder=folder, reason=fault) from None

    @property
    def print(self) -> bytes:
        """Tokens name no certificate."""
        return BY_AUTHORITY

    def admit(self, table: str, key: str) -> None:
        """Notes the table's key, hashed. Raises BrokerError."""
        hashed = bcrypt.hashpw(key.encode(), bcrypt.gensalt(COST, b"2a")).decode()
        with self._lock:
            self._write({**self._tables, table: hashed})

    def dismiss(self, table: str) -> None:
        """Strikes the table. Raises BrokerError."""
        with self._lock:
            self._write({id: hashed for id, hashed in self._tables.items() if id != table})

    def _write(self, tables: dict[str, str]) -> None:
        try:
            write_whole(self._folder / TABLES, msgspec.json.encode(tables), mode=0o600)
            write_whole(self.users, for_own_cluster(tables).encode(), mode=0o600)
        except OSError as fault:
            raise BrokerError("folder", folder=self._folder, reason=fault) from None
        self._tables = tables
