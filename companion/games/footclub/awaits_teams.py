"""Teams that a squad can field: the strongest in each formation, and one for a team sheet to start from (chapter 3)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from companion.games.footclub import team
from companion.games.footclub.state import Club, Lineup, Player
from companion.games.footclub.tables import FORMATIONS, POSTS, Formation


def suggested_team(club: Club) -> dict[str, Any] | None:
    """The team with the most stars, an optimised one if it is as strong (FC-3.4); None if the club can field none."""
    teams = [found for formation in sorted(FORMATIONS) if (found := fielded(_able(club), formation)) is not None]
    if not teams:
        return None
    best = max(teams, key=lambda lineup: _strength(club, lineup))
    on_pitch = [id for line in best for id in line]
    captain = max(team.captains(club, on_pitch), key=lambda id: club.players[id].card.level)
    return {"lineup": by_post(best), "captain": captain}


def by_post(lineup: Lineup) -> dict[str, list[str]]:
    return {post: list(line) for post, line in zip(POSTS, lineup, strict=True)}


def _able(club: Club) -> list[Player]:
    """Everybody who may stand in a team now."""
    return [player for player in club.players.values() if player.status in ("pitch", "bench")]


def possible_formations(club: Club) -> tuple[Formation, ...]:
    return tuple(sorted(formation for formation in FORMATIONS if fielded(_able(club), formation) is not None))


def _strength(club: Club, lineup: Lineup) -> int:
    players = [club.players[id] for line in lineup for id in line]
    fits = team.fits_style(club.coach.style, tuple(player.card.profiles for player in players))
    return sum(player.level for player in players) + 2 * fits


def fielded(able: Iterable[Player], formation: Formation) -> Lineup | None:
    """The line-up with the most stars that these players can form; None if they cannot form it.

    Only full and centre backs, and attacking midfielders and forwards, share versatile players (FC-1.5): each block
    takes its strongest players one by one as long as they fit together, which is best for choices of this kind.
    """
    fb, cb, dm, am, fw = formation
    ranked = sorted(able, key=lambda player: -player.level)
    backs, forwards = _block(ranked, ("fb", "cb"), (fb, cb)), _block(ranked, ("am", "fw"), (am, fw))
    blocks = (backs, _block(ranked, ("dm",), (dm,)), forwards)
    if any(block is None for block in blocks):
        return None
    return tuple(line for block in blocks for line in block or ())


def _block(able: list[Player], posts: tuple[str, ...], counts: tuple[int, ...]) -> list[tuple[str, ...]] | None:
    """The lines of neighbouring posts, filled from players in falling order of stars."""
    free = dict(zip(posts, counts, strict=True))
    lines: dict[str, list[str]] = {post: [] for post in posts}
    both: list[str] = []
    for player in able:
        here = [post for post in player.card.posts if post in free]
        if len(here) > 1 and sum(free.values()) > len(both):
            both.append(player.id)
        elif len(here) == 1 and free[here[0]] > 0 and sum(free.values()) > len(both):
            free[here[0]] -= 1
            lines[here[0]].append(player.id)
    if sum(free.values()) > len(both):
        return None
    for post in posts:
        lines[post] += [both.pop() for _ in range(free[post])]
    return [tuple(lines[post]) for post in posts]
