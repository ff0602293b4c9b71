"""What is wrong since the start of the app, and how it goes on: for the page that says it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.games.base import Message

if TYPE_CHECKING:
    from companion.journal.store import Store


@dataclass(slots=True)
class StartTrouble:
    """What is wrong since the start.

    - `messages`: what is wrong and what to do, the most important first
    - `reopen`: opens the matches for writing and returns the store and messages, or raises StoreError; None while they
      are open
    - `restore_settings`: puts the last good settings back, or raises ConfigError; None if they are not needed or lost
    - `restart`: ends the app and starts it again
    """

    messages: tuple[Message, ...] = ()
    reopen: Callable[[], tuple[Store, tuple[Message, ...]]] | None = None
    restore_settings: Callable[[], None] | None = None
    restart: Callable[[], None] | None = None

    @property
    def is_read_only(self) -> bool:
        """True while nothing can be recorded."""
        return self.reopen is not None
