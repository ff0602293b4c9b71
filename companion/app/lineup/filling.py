"""Fills a formation with the players of a squad: who can stand where, and the strongest team that fits. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from companion.games.footclub.state import Club, Lineup
from companion.games.footclub.tables import FORMATIONS, POSTS, TEAM_SIZE, Formation
from companion.games.footclub.team import optimised

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
