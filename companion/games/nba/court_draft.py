"""A court being edited: cards by position, the picked card and the result. Pure, no widgets.

The game's `validate` decides whether the result may be recorded.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from companion.games.base import Fields, JsonObject
from companion.games.nba.decisions import CourtData


@dataclass
class CourtDraft:
    """The edited court.

    `placed` is position → card, `picked` the card to be placed, `removed` the removed fatigue cards.
    """

    data: CourtData
    placed: dict[str, str] = field(default_factory=dict)
    picked: str | None = None
    removed: int = 0

    def __post_init__(self) -> None:
        self.initial_court = dict(self.data.court)
        self.placed = self.placed or dict(self.initial_court)
        self._may: dict[str, set[str]] = {position: set(ids) for position, ids in self.data.candidates}

    @property
    def bench(self) -> tuple[str, ...]:
        """The cards that could come on: those just taken off, then the side's own cards, then all others."""
        off = [id for id in self.initial_court.values() if id not in self.placed.values()]
        every = dict.fromkeys(id for _, ids in self.data.candidates for id in ids)
        rest = [id for id in every if id not in self.placed.values() and id not in off]
        return (*off, *sorted(rest, key=lambda id: id not in self.data.owned))

    @property
    def entered(self) -> tuple[str, ...]:
        """The cards that were not on court before."""
        return tuple(id for id in self.placed.values() if id not in self.initial_court.values())

    @property
    def fatigue(self) -> int:
        """The number of fatigue cards to remove: at first 0, because the app does not know the hand (NBA-6.4)."""
        return min(self.removed, self.max_fatigue)

    @property
    def max_fatigue(self) -> int:
        return min(len(self.entered), self.data.fatigue_held)

    def can_stand(self, id: str, position: str, listed: tuple[str, ...]) -> bool:
        """Return True if a card may be at a position; `listed` are the positions on the card."""
        return position in listed or id in self._may.get(position, ())

    def pick(self, id: str) -> None:
        """Pick a card, or deselect it."""
        self.picked = None if self.picked == id else id

    def place(self, position: str) -> None:
        """Put the picked card at a position; a card from elsewhere on the court swaps places."""
        if self.picked is None:
            return
        standing = self.placed[position]
        mine = next((where for where, id in self.placed.items() if id == self.picked), None)
        self.placed[position] = self.picked
        if mine is not None:
            self.placed[mine] = standing
        self.picked = None

    def apply_event(self, fields: Fields) -> None:
        """Set the court to the result of an event of this side."""
        self.placed = {**self.initial_court, **fields.get("court", {})}
        self.removed = fields.get("fatigue_removed", self.removed)

    def reset(self) -> None:
        """Reset to the current court."""
        self.placed, self.picked, self.removed = dict(self.initial_court), None, 0

    @property
    def event(self) -> JsonObject:
        """The event to record: the positions whose card changes, and the removed fatigue cards."""
        changed = {position: id for position, id in self.placed.items() if id != self.initial_court[position]}
        return {"event": "replace", "court": changed, "fatigue_removed": self.fatigue}
