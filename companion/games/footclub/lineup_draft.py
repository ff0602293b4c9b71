"""A team sheet under construction: placed players, the suggested team, and the resulting numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from companion.games.base import Fields, JsonObject
from companion.games.footclub.state import Club, Lineup
from companion.games.footclub.tables import FORMATIONS, POSTS, PROFILES, TEAM_SIZE, Formation
from companion.games.footclub.team import attack, defence, optimised, possible_captains

Spot = tuple[int, int]
"""A place on the pitch: the post (index in POSTS) and the index within it, from left to right."""
Placement = dict[Spot, str]

BALANCED: Formation = (2, 2, 2, 2, 2)


def spots(formation: Formation) -> list[Spot]:
    """Return all places of a formation."""
    return [(post, index) for post, count in enumerate(formation) for index in range(count)]


def strongest_lineup(
    club: Club, ids: Iterable[str], formation: Formation, wanted: Iterable[str] = ()
) -> Placement | None:
    """Return the highest-level players who fill the formation, `wanted` ones first; None if it cannot be filled.

    Players are tried from the strongest down and placed if the others can make room. Because the weights depend only
    on the player, this greedy matching is optimal (the placeable sets form a matroid).
    """
    first = set(wanted)
    order = sorted(ids, key=lambda id: (id in first, club.players[id].level), reverse=True)
    placed: Placement = {}
    for id in order:
        if len(placed) < sum(formation):
            _place(club, id, formation, placed, set())
    return placed if len(placed) == sum(formation) else None


def _place(club: Club, id: str, formation: Formation, placed: Placement, tried: set[Spot]) -> bool:
    for spot in spots(formation):
        if spot in tried or POSTS[spot[0]] not in club.players[id].card.posts:
            continue
        tried.add(spot)
        if spot not in placed or _place(club, placed[spot], formation, placed, tried):
            placed[spot] = id
            return True
    return False


def lineup_of(formation: Formation, placed: Placement) -> Lineup:
    """Return the placed players in the game's line-up format."""
    return tuple(tuple(placed[post, index] for index in range(count)) for post, count in enumerate(formation))


def fieldable_formations(club: Club, ids: Sequence[str]) -> dict[Formation, Placement]:
    """Return the formations of ten that these players can fill (FC-3.2, FC-3.6), sorted by name, each filled."""
    found = {}
    for formation in sorted(FORMATIONS):
        placed = strongest_lineup(club, ids, formation)
        if placed is not None:
            found[formation] = placed
    return found


def suggest_lineup(club: Club, ids: Sequence[str]) -> tuple[Formation, Placement] | None:
    """Return a suggested team, or None for a squad that is too small.

    The team is optimised if a few swaps achieve it, and balanced if possible.
    """
    choices = fieldable_formations(club, ids)
    if not choices:
        return None
    for formation in sorted(choices, key=lambda formation: formation != BALANCED):
        placed = _optimise(club, ids, formation, choices[formation])
        if placed is not None:
            return formation, placed
    formation = BALANCED if BALANCED in choices else next(iter(choices))
    return formation, choices[formation]


def _optimise(club: Club, ids: Sequence[str], formation: Formation, placed: Placement) -> Placement | None:
    """Return the strongest optimised team (FC-3.5) with at most two players of this team replaced."""
    if _fits(club, formation, placed):
        return placed
    once = list(_exchanges(club, ids, placed))
    good = [team for team in once if _fits(club, formation, team)]
    if not good and sum(formation) == TEAM_SIZE:
        good = [twice for team in once for twice in _exchanges(club, ids, team) if _fits(club, formation, twice)]
    return max(good, key=lambda team: sum(club.players[id].level for id in team.values()), default=None)


def _exchanges(club: Club, ids: Sequence[str], placed: Placement) -> Iterable[Placement]:
    bench = [id for id in ids if id not in placed.values()]
    for spot in placed:
        for id in bench:
            if POSTS[spot[0]] in club.players[id].card.posts:
                yield {**placed, spot: id}


def _fits(club: Club, formation: Formation, placed: Placement) -> bool:
    return optimised(replace(club, lineup=lineup_of(formation, placed)))


INJURED = "injured_off"


@dataclass
class LineupDraft:
    """One club's line-up while it is edited.

    With `before` (the line-up at the start of a change), players are replaced one by one and the result is a
    `change`; without it, a `team_sheet`. A player who left injured and was not replaced keeps his place in `placed`
    until another player takes it (FC-12.6). `picked` is the player selected to be moved.
    """

    club: Club
    formation: Formation
    placed: Placement
    captain: str | None
    before: Placement | None = None
    picked: str | None = None
    squad_fields: Mapping[Formation, Placement] = field(default_factory=dict)

    @classmethod
    def sheet(cls, club: Club) -> LineupDraft | None:
        """Return a suggested team sheet, or None for a squad that cannot fill any formation."""
        ids = available(club)
        start = suggest_lineup(club, ids)
        if start is None:
            return None
        draft = cls(club, *start, None, squad_fields=fieldable_formations(club, ids))
        draft.captain = _best_captain(draft.resulting_club)
        return draft

    @classmethod
    def change(cls, club: Club) -> LineupDraft:
        """Return the current team, ready to be changed; `club` must have a line-up."""
        rows = [list(line) for line in club.lineup or ()]
        for player in club.players.values():
            if player.status == INJURED and player.left_from is not None:
                post, at = player.left_from
                rows[post].insert(at, player.id)
        placed = {(post, at): id for post, line in enumerate(rows) for at, id in enumerate(line)}
        fb, cb, dm, am, fw = (len(row) for row in rows)
        return cls(club, (fb, cb, dm, am, fw), dict(placed), club.captain, before=placed)

    # What the editor shows

    @property
    def resulting_club(self) -> Club:
        """Return the club with the edited line-up."""
        rows = lineup_of(self.formation, self.placed)
        standing = tuple(tuple(id for id in row if not self.injured(id)) for row in rows)
        return replace(self.club, lineup=standing, captain=self.captain)

    def injured(self, id: str) -> bool:
        """Return True if this player left injured and has not been replaced."""
        return self.club.players[id].status == INJURED

    def can_move_to(self, spot: Spot) -> bool:
        """Return True if the picked player may move to this place (FC-3.6) and its current player can make room."""
        there = self.placed[spot]
        if self.picked is None or there == self.picked or self.injured(self.picked):
            return False
        mine = _spot_of(self.placed, self.picked)
        return _can_play(self.club, self.picked, spot) and (
            mine is None or (_can_play(self.club, there, mine) and not self.injured(there))
        )

    def can_replace_picked(self, id: str) -> bool:
        """Return True if this player of the bench may take the picked player's place."""
        mine = _spot_of(self.placed, self.picked) if self.picked else None
        return mine is not None and _can_play(self.club, id, mine)

    def can_be_captain(self, id: str) -> bool:
        """Return True if this player may be captain of the current team (FC-3.8)."""
        return not self.injured(id) and id in possible_captains(self.club, self.resulting_club.on_pitch)

    def formations(self) -> tuple[Formation, ...]:
        """Return the available formations: of the whole squad for a team sheet, of the current players in a change."""
        if self.before is None:
            return tuple(self.squad_fields)
        return tuple(fieldable_formations(self.club, self.resulting_club.on_pitch)) or (self.formation,)

    # User actions

    def apply_event(self, fields: Fields) -> None:
        """Take over the line-up and the captain of an event of this club, if it names them."""
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
        """Select the player to move, or deselect him."""
        self.picked = None if self.picked == id else id

    def move(self, spot: Spot) -> None:
        """Move the picked player there. The player in that place takes his place, or goes to the bench."""
        self.placed = self.placement_after_move(spot)
        self.picked = None
        self._keep_a_captain()

    def change_formation(self, formation: Formation) -> None:
        """Change the formation; as many players as possible stay on the pitch."""
        ids = available(self.club) if self.before is None else list(self.resulting_club.on_pitch)
        placed = strongest_lineup(self.club, ids, formation, self.placed.values())
        if placed is None:
            return
        self.formation, self.placed, self.picked = formation, placed, None
        self._keep_a_captain()

    def set_captain(self, id: str) -> None:
        """Give the armband to a player on the pitch."""
        self.captain, self.picked = id, None

    # Helpers

    def placement_after_move(self, spot: Spot) -> Placement:
        """Return all places with the picked player moved to this one."""
        if self.picked is None:
            return self.placed
        mine = _spot_of(self.placed, self.picked)
        moved = {**self.placed, spot: self.picked}
        if mine is not None:
            moved[mine] = self.placed[spot]
        return moved

    def _keep_a_captain(self) -> None:
        if self.captain not in self.placed.values() or (
            self.before is None and not self.can_be_captain(str(self.captain))
        ):
            self.captain = _best_captain(self.resulting_club)


def available(club: Club) -> list[str]:
    """Return all players who may be on the pitch: not sent off, suspended, injured or already replaced."""
    return [id for id, player in club.players.items() if player.status in ("pitch", "bench")]


def _best_captain(club: Club) -> str:
    """Return the strongest player on the pitch who may be captain."""
    return max(possible_captains(club, club.on_pitch), key=lambda id: club.players[id].level)


def _can_play(club: Club, id: str, spot: Spot) -> bool:
    """Return True if a player may be at a place (FC-3.6)."""
    return POSTS[spot[0]] in club.players[id].card.posts


def _spot_of(placed: Placement, id: str) -> Spot | None:
    return next((spot for spot, other in placed.items() if other == id), None)


def bench(draft: LineupDraft) -> list[str]:
    """Return the players who could come on, strongest first."""
    players = draft.club.players
    ids = [id for id in available(draft.club) if id not in draft.placed.values()]
    if draft.before is not None:
        ids = [id for id in ids if players[id].status == "bench" or id in draft.before.values()]
    return sorted(ids, key=lambda id: (-players[id].level, id))


def team_sums(draft: LineupDraft) -> tuple[int, int, bool]:
    """Return ATT, DEF and whether the team is optimised (FC-3.4, FC-3.5)."""
    trial = draft.resulting_club
    return attack(trial), defence(trial), optimised(trial)


def profiles(draft: LineupDraft) -> list[tuple[str, int, int]]:
    """Return for each profile: its name, the players who count as it, the number that the coach wants.

    A player with two profiles counts where one is missing, as far as assigning one player at a time allows.
    """
    wanted = list(draft.club.coach.style)
    counts = [0] * len(PROFILES)
    cards = [draft.club.players[id].card for id in draft.resulting_club.on_pitch]
    for card in sorted(cards, key=lambda card: len(card.profiles)):
        indices = [PROFILES.index(profile) for profile in card.profiles]
        counts[max(indices, key=lambda index: wanted[index] - counts[index])] += 1
    return [(name, counts[index], wanted[index]) for index, name in enumerate(PROFILES)]


def move_effect(draft: LineupDraft, spot: Spot) -> tuple[int, int]:
    """Return the change of ATT and DEF if the picked player moves to this place."""
    before, after = team_sums(draft), team_sums(replace(draft, placed=draft.placement_after_move(spot)))
    return after[0] - before[0], after[1] - before[1]


def event_from_draft(draft: LineupDraft) -> JsonObject:
    """Return the event to record: `team_sheet`, or `change` with the differences."""
    lineup = {post: list(line) for post, line in zip(POSTS, draft.resulting_club.lineup or (), strict=True)}
    side = draft.club.side
    if draft.before is None:
        return {"event": "team_sheet", "side": side, "lineup": lineup, "captain": draft.captain}
    left = [id for id in draft.before.values() if id not in draft.placed.values()]
    came = [id for id in draft.placed.values() if id not in draft.before.values()]
    subs = [{"out": out, "in": into} for out, into in zip(left, came, strict=True)]
    made: JsonObject = {"event": "change", "side": side, "subs": subs, "lineup": lineup}
    if draft.captain != draft.club.captain:
        made["captain"] = draft.captain
    return made
