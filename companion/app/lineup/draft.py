"""A line-up being made: formation, who stands where, the captain, and what an exchange would change. Pure, no widget.

The rules are asked, never copied: levels, style and captains come from `companion.games.footclub`, and whether the
whole may be recorded is said by the game's `decide`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from companion.app.lineup.filling import Placed, Spot, advised, fieldable, lineup_of, strongest
from companion.games.footclub.state import Club
from companion.games.footclub.tables import POSTS, Formation
from companion.games.footclub.team import captains

INJURED = "injured_off"


@dataclass
class Draft:
    """One club's line-up under the players' fingers.

    With `before` (the line-up at the start of a change) players are exchanged one by one and the result is a `change`;
    without, it is a `team_sheet`. A player who left injured and was not replaced keeps his place in `placed` until
    somebody takes it (FC-12.6). `picked` is the player whose move is being chosen.
    """

    club: Club
    formation: Formation
    placed: Placed
    captain: str | None
    before: Placed | None = None
    picked: str | None = None
    squad_fields: Mapping[Formation, Placed] = field(default_factory=dict)

    @classmethod
    def sheet(cls, club: Club) -> Draft | None:
        """A team sheet to begin with; None for a squad that cannot fill any formation."""
        ids = available(club)
        start = advised(club, ids)
        if start is None:
            return None
        draft = cls(club, *start, None, squad_fields=fieldable(club, ids))
        draft.captain = _best_captain(draft.trial)
        return draft

    @classmethod
    def change(cls, club: Club) -> Draft:
        """The team as it stands, to be changed; `club` has a line-up."""
        rows = [list(line) for line in club.lineup or ()]
        for player in club.players.values():
            if player.status == INJURED and player.left_from is not None:
                post, at = player.left_from
                rows[post].insert(at, player.id)
        placed = {(post, at): id for post, line in enumerate(rows) for at, id in enumerate(line)}
        fb, cb, dm, am, fw = (len(row) for row in rows)
        return cls(club, (fb, cb, dm, am, fw), dict(placed), club.captain, before=placed)

    # What is seen

    @property
    def trial(self) -> Club:
        """The club as it would be."""
        rows = lineup_of(self.formation, self.placed)
        standing = tuple(tuple(id for id in row if not self.injured(id)) for row in rows)
        return replace(self.club, lineup=standing, captain=self.captain)

    def injured(self, id: str) -> bool:
        """Whether this player left injured and still waits to be replaced."""
        return self.club.players[id].status == INJURED

    def goes(self, spot: Spot) -> bool:
        """Whether the picked player may come to this place (FC-3.6), whoever stands there making room."""
        there = self.placed[spot]
        if self.picked is None or there == self.picked or self.injured(self.picked):
            return False
        mine = _spot_of(self.placed, self.picked)
        return _can(self.club, self.picked, spot) and (
            mine is None or (_can(self.club, there, mine) and not self.injured(there))
        )

    def comes(self, id: str) -> bool:
        """Whether this player of the bench may take the picked player's place."""
        mine = _spot_of(self.placed, self.picked) if self.picked else None
        return mine is not None and _can(self.club, id, mine)

    def can_lead(self, id: str) -> bool:
        """Whether this player may be captain of the team as it stands (FC-3.8)."""
        return not self.injured(id) and id in captains(self.club, self.trial.on_pitch)

    def formations(self) -> tuple[Formation, ...]:
        """The formations to choose from: the whole squad's for a team sheet, these same players' in a change."""
        if self.before is None:
            return tuple(self.squad_fields)
        return tuple(fieldable(self.club, self.trial.on_pitch)) or (self.formation,)

    # What fingers do

    def take(self, fields: Mapping[str, Any]) -> None:
        """The line-up and the captain of an event of this club, so far as it names them."""
        lineup = fields.get("lineup")
        if lineup is not None:
            rows = [list(lineup.get(post, ())) for post in POSTS]
            self.placed = {(post, at): id for post, row in enumerate(rows) for at, id in enumerate(row)}
            fb, cb, dm, am, fw = (len(row) for row in rows)
            self.formation = (fb, cb, dm, am, fw)
        else:
            for sub in fields.get("subs", ()):
                spot = _spot_of(self.placed, sub["out"])
                if spot is not None:
                    self.placed[spot] = sub["in"]
        self.captain = fields.get("captain", self.captain)

    def pick(self, id: str) -> None:
        """Chooses the player to move, or lets him go again."""
        self.picked = None if self.picked == id else id

    def move(self, spot: Spot) -> None:
        """Puts the picked player there; who stood there takes his place, or sits down."""
        self.placed = self.moved(spot)
        self.picked = None
        self._keep_a_captain()

    def reform(self, formation: Formation) -> None:
        """Another formation: those on the pitch stay on it as far as they can."""
        ids = available(self.club) if self.before is None else list(self.trial.on_pitch)
        placed = strongest(self.club, ids, formation, self.placed.values())
        if placed is None:
            return
        self.formation, self.placed, self.picked = formation, placed, None
        self._keep_a_captain()

    def lead(self, id: str) -> None:
        """Gives the armband to a player on the pitch."""
        self.captain, self.picked = id, None

    # Inside

    def moved(self, spot: Spot) -> Placed:
        """Where everybody would stand with the picked player in this place."""
        if self.picked is None:
            return self.placed
        mine = _spot_of(self.placed, self.picked)
        moved = {**self.placed, spot: self.picked}
        if mine is not None:
            moved[mine] = self.placed[spot]
        return moved

    def _keep_a_captain(self) -> None:
        if self.captain not in self.placed.values() or (self.before is None and not self.can_lead(str(self.captain))):
            self.captain = _best_captain(self.trial)


def available(club: Club) -> list[str]:
    """Everyone who may be on the pitch: not sent off, suspended, injured or already replaced."""
    return [id for id, player in club.players.items() if player.status in ("pitch", "bench")]


def _best_captain(club: Club) -> str:
    """The strongest of those on the pitch who may lead it."""
    return max(captains(club, club.on_pitch), key=lambda id: club.players[id].level)


def _can(club: Club, id: str, spot: Spot) -> bool:
    """FC-3.6."""
    return POSTS[spot[0]] in club.players[id].card.posts


def _spot_of(placed: Placed, id: str) -> Spot | None:
    return next((spot for spot, other in placed.items() if other == id), None)
