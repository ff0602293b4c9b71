"""What the table sees of a tournament's hub: one picture of all that is known, and the few things that it tells.

A match of the tournament is known by its own journal: the header that `TableMatch.header` begins carries the key
`tournament`. So nothing but the journal itself says which match was played in it, with the hub or without.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, Protocol

from companion.games.base import Message
from companion.messages.wire import CalledMatch, ComingMatch, Side, StandingTable

Signer = Literal["home", "away", "referee"]
"""Who confirms a result at the table."""


@dataclass(frozen=True, slots=True)
class LinkState:
    """How the link to the hub stands.

    `since` is when it came or went, None before the first time. `waiting` counts the journal lines that the hub has not
    acknowledged. `trouble` says what to do about a link that will not come by itself (a token not taken, another
    machine at that address, matches that cannot be read); a network that is gone is none of it.
    """

    joined: bool = False
    online: bool = False
    since: datetime | None = None
    waiting: int = 0
    trouble: Message | None = None


class TableMatch(CalledMatch, frozen=True, kw_only=True):
    """The match that the hub has called to this table, with what was told here.

    `header` is what the tournament decides of the journal's header (`sides`, `setup`, `tournament`); squads, cards and
    all else are added at the table, and `tournament` stays in it. `confirmed` are those whose confirmation is of the
    journal as it stands now: a correction asks all of them again. `sent` says that the hub has the result.
    """

    present: frozenset[Side] = frozenset()
    confirmed: frozenset[Signer] = frozenset()
    sent: bool = False

    @property
    def required_signers(self) -> tuple[Signer, ...]:
        """Who must confirm its result."""
        return ("home", "away", "referee") if self.referee else ("home", "away")


@dataclass(frozen=True, slots=True)
class HubSnapshot:
    """All that this table knows of the tournament, at one moment. What came from the hub is as it was last told.

    `told` is when the hub last spoke of standings and matches. While `frozen`, a result is under review and the
    standings stand still.
    """

    link: LinkState = LinkState()
    tournament: str | None = None
    table: int | None = None
    match: TableMatch | None = None
    standings: tuple[StandingTable, ...] = ()
    coming: tuple[ComingMatch, ...] = ()
    reported_at: datetime | None = None
    frozen: bool = False
    address: str | None = None
    """Of the hub's pages, for a QR code on the table's screen."""
    pages: Mapping[str, str] = field(default_factory=dict)
    """Addresses of the public page of a match, by its id."""


class HubPort(Protocol):
    """A table's link to a hub. No call waits for the network or raises for it; what comes of it is seen by `look`.

    What is told while the hub is away is kept on the disk and sent when it comes back, after a restart too.
    """

    def snapshot(self) -> HubSnapshot:
        """How things stand. The same object until something changes, so that `is` tells whether to draw anew."""
        ...

    def join(self, address: str, token: str) -> Message | None:
        """Joins the hub at an address (`host` or `host:port`) from now on. Returns what is wrong with the two, if they
        cannot be right; whether the hub takes them shows in `LinkState`."""
        ...

    def leave(self) -> None:
        """Has done with the hub; matches stay in the store, and what was not sent is not sent."""
        ...

    def notify_appended(self) -> None:
        """The store has more than before; without this hint it is seen a little later."""
        ...

    def check_in(self, match: str, side: Side, present: bool) -> None:
        """A side is there, or was said to be by mistake."""
        ...

    def confirm(self, match: str, journal: str, line: int, by: Signer, given: bool = True) -> None:
        """`by` confirms the result of the journal (its id in the store) as it stands at its last `line`, or takes that
        back. With all that are needed, the hub is told; it reckons the result itself from the journal."""
        ...

    def close(self) -> None:
        """Ends the link; at most a second."""
        ...
