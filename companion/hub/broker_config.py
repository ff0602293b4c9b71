"""What the NATS server is told: where it listens, its certificate, and what each user may publish and read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from companion.hub.certificate import Certificate
from companion.messages.subjects import table_may_publish, table_may_read
from companion.messages.token import bracketed

ACCOUNT = "TAPIS"
HUB_USER = ".hub"
"""No table has a dot in its id."""
MOST_PAYLOAD = 12 << 20
"""Bytes of a message: the longest line that a journal may have, and some more."""
MOST_STREAM = 1 << 30
"""Bytes that the stream may take on the disk. The oldest go first: tables send again what the hub does not have."""


def config(
    host: str, port: int, folder: Path, certificate: Certificate, hub_hash: str, tables: Mapping[str, str]
) -> str:
    """The server's file (JSON, which it reads too). `tables` are the bcrypt hashes of their keys."""
    users: list[dict[str, Any]] = [{"user": HUB_USER, "password": hub_hash}]
    users += _users(tables)
    told = {
        "server_name": "tapis-vert",
        "listen": f"{bracketed(host)}:{port}",
        "max_payload": MOST_PAYLOAD,
        "max_pending": 4 * MOST_PAYLOAD,
        "write_deadline": "10s",
        "ping_interval": "10s",
        "log_file": str(folder / "nats.log"),
        "logfile_size_limit": 8 << 20,
        "logfile_max_num": 3,
        "pid_file": str(folder / "nats.pid"),
        "jetstream": {"store_dir": str(folder), "max_mem": 64 << 20, "max_file": MOST_STREAM},
        "tls": {
            "cert_file": str(certificate.certificate),
            "key_file": str(certificate.key),
            "min_version": "1.2",
            "timeout": 5,
        },
        "accounts": {ACCOUNT: {"jetstream": "enabled", "users": users}},
    }
    return json.dumps(told, indent=1)


def permissions(table: str) -> dict[str, Any]:
    """What a table may do: publish its own subjects, read what is for it and for all. All else is refused."""
    return {
        "publish": {"allow": list(table_may_publish(table))},
        "subscribe": {"allow": list(table_may_read(table))},
    }


def for_own_cluster(tables: Mapping[str, str], hub: tuple[str, str] | None) -> str:
    """All users of the hub's account in the organiser's cluster: the hub, by name and hash, and one a table.

    All, since a server that includes the file into the account takes its list for any other list there.
    """
    users: list[dict[str, Any]] = [] if hub is None else [{"user": hub[0], "password": hub[1]}]
    return json.dumps({"users": users + _users(tables)}, indent=1)


def _users(tables: Mapping[str, str]) -> list[dict[str, Any]]:
    return [{"user": table, "password": hashed, "permissions": permissions(table)} for table, hashed in tables.items()]
