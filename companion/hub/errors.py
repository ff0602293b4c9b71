"""What can go wrong with the hub's database, with a sentence for the organiser."""

from __future__ import annotations

from typing import Any

from companion.games.base import Message


class HubError(Exception):
    """The database cannot be used. `message` is the sentence."""

    def __init__(self, id: str, **args: Any) -> None:
        self.message = Message(f"tournament.hub.{id}", args)
        super().__init__(str(self.message))


class HubBusy(HubError):
    """Another hub writes to this database."""


class HubNewer(HubError):
    """A newer version of the program made the database; it was left untouched."""


class HubGone(HubError):
    """The database does not answer or its disk is full; what was asked has not happened, and may be asked again."""


class HubRefused(HubGone):
    """The database is there, but does not take this: asked again it would say the same. The program's fault."""


class HubDamaged(HubGone):
    """The database is damaged, or holds nothing where it should: the way on is a backup."""


class UnknownTournament(KeyError):
    """No tournament of that id."""


class UnknownJournal(KeyError):
    """No journal of that table, epoch and branch."""
