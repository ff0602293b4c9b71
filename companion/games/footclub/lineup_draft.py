"""A team sheet while it is being made: who stands where, what is fielded best, what the sheet comes to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from companion.games.base import Fields, JsonObject
from companion.games.footclub.state import Club, Lineup
from companion.games.footclub.tables import FORMATIONS, POSTS, PROFILES, TEAM_SIZE, Formation
from companion.games.footclub.team import attack, captains, defence, optimised

Spot = tuple[int, int]
"""A place on the pitch: post (index in POSTS) and index there, from left to right."""
Placed = dict[Spot, str]

BALANCED: Formation = (2, 2, 2, 2, 2)


def spots(formation: Formation) -> list[Spot]:
    """Every place of a formation."""
    return [(post, index) for post, count in enumerate(formation) for index in range(count)]


def strongest(club: Club, ids: Iterable[str], formation: Formation, wanted: Iterable[str] = ()) -> Placed | None:
    """The players with the highest levels who fill the formation, `wanted` ones before all others; None if none can.

    Players are tried from the strongest down and placed if the others can make room: for weights that depend on the
    player alone this greedy matching is the best one (the placeable sets form a matroid).
    """
    first = set(wanted)
    order = sorted(ids, key=lambda id: (id in first, club.players[id].level), reverse=True)
    placed: Placed = {}
    for id in order:
        if len(placed) < sum(formation):
            _place(club, id, formation, placed, set())
    return placed if len(placed) == sum(formation) else None


def _place(club: Club, id: str, formation: Formation, placed: Placed, tried: set[Spot]) -> bool:
    for spot in spots(formation):
        if spot in tried or POSTS[spot[0]] not in club.players[id].card.posts:
            continue
        tried.add(spot)
        if spot not in placed or _place(club, placed[spot], formation, placed, tried):
            placed[spot] = id
            return True
    return False


def lineup_of(formation: Formation, placed: Placed) -> Lineup:
    """The game's own form of a line-up."""
    return tuple(tuple(placed[post, index] for index in range(count)) for post, count in enumerate(formation))


def fieldable(club: Club, ids: Sequence[str]) -> dict[Formation, Placed]:
    """The formations of ten that these players can fill (FC-3.2, FC-3.6), in the order of their names, each filled."""
    found = {}
    for formation in sorted(FORMATIONS):
        placed = strongest(club, ids, formation)
        if placed is not None:
            found[formation] = placed
    return found


def advised(club: Club, ids: Sequence[str]) -> tuple[Formation, Placed] | None:
    """A team to begin with: optimised if a few exchanges lead there, balanced if possible; None for a short squad."""
    choices = fieldable(club, ids)
    if not choices:
        return None
    for formation in sorted(choices, key=lambda formation: formation != BALANCED):
        placed = _towards_style(club, ids, formation, choices[formation])
        if placed is not None:
            return formation, placed
    formation = BALANCED if BALANCED in choices else next(iter(choices))
    return formation, choices[formation]


def _towards_style(club: Club, ids: Sequence[str], formation: Formation, placed: Placed) -> Placed | None:
    """This team with at most two players exchanged so that it is optimised (FC-3.5), the strongest of those."""
    if _fits(club, formation, placed):
        return placed
    once = list(_exchanges(club, ids, placed))
    good = [team for team in once if _fits(club, formation, team)]
    if not good and sum(formation) == TEAM_SIZE:
        good = [twice for team in once for twice in _exchanges(club, ids, team) if _fits(club, formation, twice)]
    return max(good, key=lambda team: sum(club.players[id].level for id in team.values()), default=None)


def _exchanges(club: Club, ids: Sequence[str], placed: Placed) -> Iterable[Placed]:
    bench = [id for id in ids if id not in placed.values()]
    for spot in placed:
        for id in bench:
            if POSTS[spot[0]] in club.players[id].card.posts:
                yield {**placed, spot: id}


def _fits(club: Club, formation: Formation, placed: Placed) -> bool:
    return optimised(replace(club, lineup=lineup_of(formation, placed)))


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

    def take(self, fields: Fields) -> None:
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


def bench(draft: Draft) -> list[str]:
    """Who could come on, strongest first."""
    players = draft.club.players
    ids = [id for id in available(draft.club) if id not in draft.placed.values()]
    if draft.before is not None:
        ids = [id for id in ids if players[id].status == "bench" or id in draft.before.values()]
    return sorted(ids, key=lambda id: (-players[id].level, id))


def sums(draft: Draft) -> tuple[int, int, bool]:
    """ATT, DEF and whether the team is optimised (FC-3.4, FC-3.5)."""
    trial = draft.trial
    return attack(trial), defence(trial), optimised(trial)


def profiles(draft: Draft) -> list[tuple[str, int, int]]:
    """For each profile: its name, how many players count as it, how many the coach wants.

    A player with two profiles counts where one is missing, as far as it can be settled one player at a time.
    """
    wanted = list(draft.club.coach.style)
    counts = [0] * len(PROFILES)
    cards = [draft.club.players[id].card for id in draft.trial.on_pitch]
    for card in sorted(cards, key=lambda card: len(card.profiles)):
        indices = [PROFILES.index(profile) for profile in card.profiles]
        counts[max(indices, key=lambda index: wanted[index] - counts[index])] += 1
    return [(name, counts[index], wanted[index]) for index, name in enumerate(PROFILES)]


def effect(draft: Draft, spot: Spot) -> tuple[int, int]:
    """What moving the picked player to this place changes in ATT and DEF."""
    before, after = sums(draft), sums(replace(draft, placed=draft.moved(spot)))
    return after[0] - before[0], after[1] - before[1]


def event(draft: Draft) -> JsonObject:
    """The event to record: `team_sheet`, or `change` with what differs."""
    lineup = {post: list(line) for post, line in zip(POSTS, draft.trial.lineup or (), strict=True)}
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
