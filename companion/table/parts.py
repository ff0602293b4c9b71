"""The parts of a match, such as its turns: they divide the timeline and are the axis of the score. Pure."""

from __future__ import annotations

from companion.games.base import GameState, Message
from companion.games.registry import SPECS
from companion.games.spec import MatchPart


class PartCounter:
    """Follows a match event by event.

    - `part`: the part that the last event belongs to; None for a game without parts
    - `turns`: the number of turns begun up to it; of events in a game without parts
    """

    def __init__(self, game_id: str) -> None:
        self._part_of = SPECS[game_id].part
        self.part: MatchPart | None = None
        self.turns = 0

    def enter(self, before: GameState) -> None:
        """Move to the event that happens in a state."""
        part = self._part_of(before)
        if part is None or self.part is None or part.heading != self.part.heading:
            self.turns += part is None or part.is_turn
        self.part = part

    @property
    def heading(self) -> Message | None:
        """The heading of the part."""
        return None if self.part is None else self.part.heading
