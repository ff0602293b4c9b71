"""The way in for touches and buttons from other threads; the session empties it in its own."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from companion.games.base import Fields
from companion.table.presses import Seen
from hardware.ports import Press


@dataclass(frozen=True, slots=True)
class Tap:
    """A choice of a player, drawn for the state with this sequence."""

    fields: Fields
    sequence: int | None = None
    by: str = "touch"


@dataclass(frozen=True, slots=True)
class Pressed:
    """A button of the panel or the tray, with what its presser saw: the state with this sequence."""

    press: Press
    seen: Seen
    sequence: int


class Inbox:
    """First in, first out; `put` may be called from any thread (`deque.append` is atomic)."""

    def __init__(self) -> None:
        self._items: deque[Tap | Pressed] = deque()

    def put(self, item: Tap | Pressed) -> None:
        self._items.append(item)

    def drain(self) -> Iterator[Tap | Pressed]:
        while self._items:
            yield self._items.popleft()
