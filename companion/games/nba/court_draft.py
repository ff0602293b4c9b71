"""A court being changed: who stands on which position, who is picked, what comes of it. Pure, no widget.

Whether the whole may be recorded is said by the game's `decide`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from companion.games.base import Fields, JsonObject
from companion.games.nba.awaits import CourtData


@dataclass
class CourtDraft:
    """`placed` is position → card, `picked` the card whose place is being chosen, `removed` the fatigue taken out."""

    data: CourtData
    placed: dict[str, str] = field(default_factory=dict)
    picked: str | None = None
    removed: int | None = None

    def __post_init__(self) -> None:
        self.before = dict(self.data.court)
        self.placed = self.placed or dict(self.before)
        self._may: dict[str, set[str]] = {position: set(ids) for position, ids in self.data.candidates}

    @property
    def bench(self) -> tuple[str, ...]:
        """Who could come on: whoever has just been taken off, then the side's own cards, then all others."""
        off = [id for id in self.before.values() if id not in self.placed.values()]
        every = dict.fromkeys(id for _, ids in self.data.candidates for id in ids)
        rest = [id for id in every if id not in self.placed.values() and id not in off]
        return (*off, *sorted(rest, key=lambda id: id not in self.data.owned))

    @property
    def entered(self) -> tuple[str, ...]:
        """The cards that were not on court before."""
        return tuple(id for id in self.placed.values() if id not in self.before.values())

    @property
    def fatigue(self) -> int:
        """Fatigue cards that are taken out: one for each card that enters, unless the players say less."""
        most = self.most_fatigue
        return most if self.removed is None else min(self.removed, most)

    @property
    def most_fatigue(self) -> int:
        return min(len(self.entered), self.data.held)

    def stands(self, id: str, position: str, listed: tuple[str, ...]) -> bool:
        """Whether a card may stand on a position; `listed` are the positions on the card."""
        return position in listed or id in self._may.get(position, ())

    def pick(self, id: str) -> None:
        """Picks a card, or lets go of the one picked."""
        self.picked = None if self.picked == id else id

    def place(self, position: str) -> None:
        """Puts the picked card on a position; one that stood elsewhere on the court changes places."""
        if self.picked is None:
            return
        standing = self.placed[position]
        mine = next((where for where, id in self.placed.items() if id == self.picked), None)
        self.placed[position] = self.picked
        if mine is not None:
            self.placed[mine] = standing
        self.picked = None

    def take(self, fields: Fields) -> None:
        """The court that an event of this side leaves behind."""
        self.placed = {**self.before, **fields.get("court", {})}
        self.removed = fields.get("fatigue_removed", self.removed)

    def reset(self) -> None:
        """The court as it stands."""
        self.placed, self.picked, self.removed = dict(self.before), None, None

    @property
    def event(self) -> JsonObject:
        """The event to record: the positions whose card changes, and the fatigue taken out."""
        changed = {position: id for position, id in self.placed.items() if id != self.before[position]}
        return {"event": "replace", "court": changed, "fatigue_removed": self.fatigue}
