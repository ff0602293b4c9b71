"""The way in for touches and buttons from other threads; the session empties it in its own."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from companion.games.base import Fields


@dataclass(frozen=True, slots=True)
class Tap:
    """A choice of a player, drawn for the state with this sequence."""

    fields: Fields
    sequence: int | None = None
    by: str = "touch"


@dataclass(frozen=True, slots=True)
class Press:
    """A button of the panel or the tray: `confirm` plays the one usual choice, `undo` takes back the newest fact."""

    role: Literal["confirm", "undo"]


class Inbox:
    """First in, first out; `put` may be called from any thread (`deque.append` is atomic)."""

    def __init__(self) -> None:
        self._items: deque[Tap | Press] = deque()

    def put(self, item: Tap | Press) -> None:
        self._items.append(item)

    def drain(self) -> Iterator[Tap | Press]:
        while self._items:
            yield self._items.popleft()
