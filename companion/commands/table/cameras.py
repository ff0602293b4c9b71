"""The camera of the table as the players choose it: what there is, what each sees, which one the next match gets."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Sequence

from companion.table.ports import ReaderPort
from vision.cameras import webcam

NONE, PICAMERA, SIMULATED = "none", "picamera", "simulated"
SHOWN_WITH = "pips"
"""The dice that are looked for while somebody only looks."""

MakeReader = Callable[[str, str], ReaderPort | None]
"""Gives the reader behind a source for a game's dice."""


class Eyes:
    """`companion.app.house.Eyes` over the real cameras; `source` is the one that the next match gets."""

    def __init__(
        self,
        source: str,
        reader: MakeReader,
        webcams: Callable[[], list[int]] = webcam.present,
        has_picamera: Callable[[], bool] = lambda: importlib.util.find_spec("picamera2") is not None,
    ) -> None:
        self.source = source
        self._reader, self._webcams, self._has_picamera = reader, webcams, has_picamera

    def sources(self) -> Sequence[str]:
        """What dice could be seen through, the one in force first; to see nothing is the last choice."""
        there = [*([PICAMERA] if self._has_picamera() else []), *(f"camera:{number}" for number in self._webcams())]
        found = there or [SIMULATED]
        return tuple(dict.fromkeys([*([self.source] if self.source != NONE else []), *found, NONE]))

    def look(self, source: str) -> ReaderPort | None:
        """A reader behind that source, to see what it sees. Whoever asks closes it."""
        return self._reader(source, SHOWN_WITH)

    def choose(self, source: str) -> str:
        """The next match gets this one. Returns what the settings keep of it."""
        self.source = source
        return "auto" if source == SIMULATED else source

    def reader(self, game_id: str) -> ReaderPort | None:
        """The reader for a game's dice."""
        return self._reader(self.source, game_id)
