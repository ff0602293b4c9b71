"""The table's view of a tournament hub: a snapshot of everything known, and the actions of the table.

A tournament match is identified by its own journal: its header, based on `TableMatch.header`, has the key
`tournament`. So the journal alone tells which tournament match was played, with or without the hub.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, Protocol

from companion.games.base import Message
from companion.messages.wire import (
    CalledMatch,
    ComingMatch,
    Dispute,
    DisputeReason,
    PodiumStep,
    Ruling,
    Side,
    StandingTable,
)

Signer = Literal["home", "away", "referee"]
"""Who confirms a result at the table."""


@dataclass(frozen=True, slots=True)
class LinkState:
    """Status of the link to the hub.

    - `since`: time of the last connect or disconnect, None before the first
    - `waiting`: number of journal lines that the hub has not acknowledged
    - `trouble`: what to do about a permanent fault (rejected token, another server at that address, unreadable
      matches); None for a mere network failure
    """

    joined: bool = False
    online: bool = False
    since: datetime | None = None
    waiting: int = 0
    trouble: Message | None = None


class TableMatch(CalledMatch, frozen=True, kw_only=True):
    """The match called to this table by the hub, with its check-ins and confirmations.

    - `header`: the journal header fields set by the tournament (`sides`, `setup`, `tournament`); the table adds
      squads, cards and the rest, and keeps `tournament`
    - `confirmed`: confirmations of the current journal; a correction resets them
    - `dispute`: the side that does not agree with the result of the current journal
    - `sent`: True if the hub has the result
    """

    present: frozenset[Side] = frozenset()
    confirmed: frozenset[Signer] = frozenset()
    dispute: Dispute | None = None
    sent: bool = False

    @property
    def required_signers(self) -> tuple[Signer, ...]:
        """Who must confirm the result."""
        return ("home", "away", "referee") if self.referee else ("home", "away")


@dataclass(frozen=True, slots=True)
class HubSnapshot:
    """Everything that this table knows of the tournament at one moment, as last reported by the hub.

    `reported_at` is the time of the last standings and matches. While `frozen`, a result is under review and the
    standings are not updated.
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
    """Address of the hub's pages, for a QR code on the table's screen."""
    pages: Mapping[str, str] = field(default_factory=dict)
    """Addresses of the public pages of matches, by match id."""
    ruling: Ruling | None = None
    """What the organiser decided about this table's last match."""
    podium: tuple[PodiumStep, ...] | None = None
    """The first ranks at the end of the tournament, empty if nobody has won; None before."""

    @property
    def ended(self) -> bool:
        """True if everything of the tournament is played and answered."""
        return self.podium is not None

    referee_pin: str | None = field(default=None, repr=False)
    """Argon2 hash of the PIN that the organiser gave to the referee for all tables."""


PairingStep = Literal["asking", "waiting", "joined", "failed"]


@dataclass(frozen=True, slots=True)
class PairingState:
    """What has come of a request to join by a pairing code.

    - `code`: the digits to show while the desk is awaited
    - `trouble`: why it failed, or what delays it
    - `invitation`: address and token, once the desk has let the table in
    """

    step: PairingStep
    code: str = ""
    trouble: Message | None = None
    invitation: tuple[str, str] | None = field(default=None, repr=False)


class PairingPort(Protocol):
    """A request to join by a pairing code. No call waits for the network."""

    def state(self) -> PairingState: ...

    def close(self) -> None:
        """End the request."""
        ...


class Pairing(Protocol):
    """Asks hubs to let this table join by a pairing code."""

    def address_fault(self, address: str) -> Message | None:
        """Return what is wrong with a typed address, or None."""
        ...

    def ask(self, address: str) -> PairingPort:
        """Ask the hub whose pages are at a valid address."""
        ...


class HubPort(Protocol):
    """A table's link to a hub. No call waits for the network or raises network errors; `snapshot` shows the effect.

    Actions while the hub is offline are saved to disk and sent after reconnection, even after a restart.
    """

    def snapshot(self) -> HubSnapshot:
        """Return the current snapshot. The same object until something changes, so `is` tells whether to redraw."""
        ...

    def join(self, address: str, token: str) -> Message | None:
        """Join the hub at an address (`host` or `host:port`).

        Returns the fault of a malformed address or token. Whether the hub accepts them shows in `LinkState`.
        """
        ...

    def leave(self) -> None:
        """Leave the hub. Matches stay in the store; unsent lines are not sent."""
        ...

    def notify_appended(self) -> None:
        """Signal new lines in the store. Without this hint they are found a little later."""
        ...

    def check_in(self, match: str, side: Side, present: bool) -> None:
        """Record whether a side is present."""
        ...

    def confirm(self, match: str, journal: str, line: int, by: Signer, given: bool = True) -> None:
        """Confirm (or revoke) the result of a journal (its id in the store) at its last `line`.

        Once all required signers have confirmed, the hub is informed. It computes the result from the journal.
        """
        ...

    def dispute(self, match: str, journal: str, line: int, by: Side, why: DisputeReason | None) -> None:
        """Record that a side does not agree with the result of a journal; without `why` that it does after all.

        Its confirmation is revoked.
        """
        ...

    def close(self) -> None:
        """Close the link, within one second."""
        ...
