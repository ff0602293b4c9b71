"""What the pages are handed in, and what a part of a page is: a template, its values, and the changes that touch it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import tzinfo
from typing import Any

from companion.clock import Clock
from companion.hub.core import Core
from companion.hub.database import BackupState
from companion.hub.models import Changes
from companion.hub.web.limits import Limits


@dataclass(frozen=True)
class Parts:
    """What the pages work with.

    `address` is where visitors reach them (scheme, host and port), for QR codes; `link` what a table joins by
    (`host:port`), None while there is no carrier. `secure` says that pages come by TLS: cookies keep to it.
    """

    core: Core
    clock: Clock
    address: str
    link: str | None = None
    secure: bool = False
    limits: Limits = field(default_factory=Limits)
    zone: tzinfo | None = None
    revoked: Callable[[str], None] = lambda table: None
    """Told when a table's keys were revoked, so that the carrier lets it go."""
    admitted: Callable[[str, str], tuple[str, str]] = lambda table, key: (key, key)
    """Has the carrier let a table in with a new key; returns the token by which it joins, and its QR code's text."""

    backups: Callable[[], BackupState | None] = lambda: None
    """How the hub's own backups stand; None where nobody makes any."""

    @property
    def now(self) -> int:
        """Seconds since 1970."""
        return int(self.clock.now().timestamp())


@dataclass(frozen=True, slots=True)
class Needs:
    """Which changes touch a page: those of some tournaments, of one journal, of all journals, of tables, of notices."""

    tournaments: frozenset[str] = frozenset()
    journals: frozenset[tuple[str, int]] = frozenset()
    any_journal: bool = False
    any_tournament: bool = False
    tables: bool = False

    def touched(self, changes: Changes) -> bool:
        """Whether the page may look different now."""
        return bool(
            changes.all
            or (self.any_journal and changes.journals)
            or (self.any_tournament and changes.tournaments)
            or (self.tables and changes.tables)
            or self.tournaments & changes.tournaments
            or self.journals & changes.journals
        )


@dataclass(frozen=True, slots=True)
class Part:
    """The part of a page that follows the changes: its template with values, its title, what touches it.

    `tab` is the tab it stands under, `tournament` whose tabs those are; `every` the least seconds between two of it.
    """

    template: str
    title: str
    values: dict[str, Any]
    needs: Needs
    tournament: str | None = None
    tab: str = ""
    body: str = ""
    every: float = 0.25


class NoSuchPage(Exception):
    """There is no page at an address."""
