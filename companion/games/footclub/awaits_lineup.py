"""What the line-up editor needs to know of a club, a team sheet it may start from, and the changes a club may make."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

from companion.games.base import Ask, Barred, Choice, Fields, Message, Option
from companion.games.footclub import team
from companion.games.footclub.awaits_trial import barred, first_legal
from companion.games.footclub.scene import board_player
from companion.games.footclub.scene_board import BoardPlayer
from companion.games.footclub.state import Club, Player, State
from companion.games.footclub.tables import FORMATIONS, POSTS, Formation, Side
from companion.games.footclub.words import literal, short_name, word

SETTLED = frozenset({"FC-3.9", "FC-12.1", "FC-12.2", "FC-13.9", "FC-14.4"})
"""Refusals of a change that no other players would avoid."""


@dataclass(frozen=True, slots=True)
class LineupSheet:
    """The `data` of a `lineup` ask: the club as public as its team sheet is.

    `lineup` is None before the team sheet. `style` is how many technical, physical and tactical players the coach
    wants, `formations` those that this squad can field. The answer has the keys `lineup` and `captain` for a team
    sheet; `subs`, and if need be `lineup` and `captain`, for a change.
    """

    side: Side
    event: str
    players: tuple[BoardPlayer, ...]
    lineup: tuple[tuple[str, ...], ...] | None
    captain: str | None
    coach: str
    coach_level: int
    goalkeeper: str
    goalkeeper_level: int
    style: tuple[int, int, int]
    preferred: str
    formations: tuple[Formation, ...]
    replacements_left: int


def sheet(state: State, club: Club, event: str) -> LineupSheet:
    posts = {id: post for post, line in zip(POSTS, club.lineup or (), strict=False) for id in line}
    return LineupSheet(
        side=club.side,
        event=event,
        players=tuple(
            board_player(state, club, player, posts.get(player.id, player.card.posts[0]))
            for player in club.players.values()
        ),
        lineup=club.lineup,
        captain=club.captain,
        coach=club.coach.name,
        coach_level=club.coach.level,
        goalkeeper=club.goalkeeper.name,
        goalkeeper_level=club.goalkeeper.level,
        style=club.coach.style,
        preferred=club.coach.preferred,
        formations=tuple(sorted(formation for formation in FORMATIONS if fielded(club, formation) is not None)),
        replacements_left=club.replacements_left,
    )


def team_sheet(state: State, side: Side) -> Choice:
    """The team sheet of a club, with a strong legal one to start from; barred if its squad allows none (FC-2.8)."""
    club = state.club(side)
    event = {"event": "team_sheet", "side": side}
    title = Message("footclub.ask.team_sheet", {"club": state.setup.name(side)})
    suggested = suggested_team(club)
    if suggested is None:
        return Choice(event, word("do", "team_sheet"), side, barred=Barred("FC-2.8", word("barred", "FC-2.8")))
    ask = Ask("lineup", "lineup", title, suggested=suggested, data=sheet(state, club, "team_sheet"))
    return Choice(event, word("do", "team_sheet"), side, rank=1, asks=(ask,))


def suggested_team(club: Club) -> dict[str, Any] | None:
    """The team with the most stars, an optimised one if it is as strong (FC-3.4); None if the club can field none."""
    teams = [found for formation in sorted(FORMATIONS) if (found := fielded(club, formation)) is not None]
    if not teams:
        return None
    best = max(teams, key=lambda lineup: _strength(club, lineup))
    on_pitch = [id for line in best for id in line]
    captain = max(team.captains(club, on_pitch), key=lambda id: club.players[id].card.level)
    return {"lineup": {post: list(line) for post, line in zip(POSTS, best, strict=True)}, "captain": captain}


def _strength(club: Club, lineup: tuple[tuple[str, ...], ...]) -> int:
    players = [club.players[id] for line in lineup for id in line]
    fits = team.fits_style(club.coach.style, tuple(player.card.profiles for player in players))
    return sum(player.level for player in players) + 2 * fits


def fielded(club: Club, formation: Formation) -> tuple[tuple[str, ...], ...] | None:
    """The line-up with the most stars in a formation; None if the squad has none.

    Only full and centre backs, and attacking midfielders and forwards, share versatile players (FC-1.5): each block
    takes its strongest players one by one as long as they fit together, which is best for choices of this kind.
    """
    fb, cb, dm, am, fw = formation
    able = [player for player in club.players.values() if player.status in ("pitch", "bench")]
    able.sort(key=lambda player: -player.level)
    blocks = (_block(able, ("fb", "cb"), (fb, cb)), _block(able, ("dm",), (dm,)), _block(able, ("am", "fw"), (am, fw)))
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


def change(state: State, side: Side) -> Choice:
    """A change of players in step 2 or an open window, with a legal one to start from; barred when none is possible."""
    club = state.club(side)
    event = {"event": "change", "side": side}
    detail = Message("footclub.detail.replacements", {"n": club.replacements_left})
    title = Message("footclub.ask.change", {"club": state.setup.name(side)})
    found = first_legal(state, event, _possible_changes(state, club), SETTLED)
    rank: Literal[1, 3] = 1 if club.below else 3
    if isinstance(found, Barred):
        return Choice(event, word("do", "change"), side, detail, rank=rank, barred=found)
    ask = Ask("lineup", "lineup", title, suggested=found, data=sheet(state, club, "change"))
    return Choice(event, word("do", "change"), side, detail, rank=rank, asks=(ask,))


def _possible_changes(state: State, club: Club) -> Iterator[Fields]:
    """Single replacements, the injured and players of a shared post first; then a mere reorganisation (FC-12.5)."""
    leaving = [id for id, player in club.players.items() if player.status == "injured_off"] + list(club.on_pitch)
    entering = [player for player in club.players.values() if player.status == "bench"]
    pairs = [(out, into) for out in leaving for into in entering]
    pairs.sort(key=lambda pair: not set(pair[1].card.posts) & set(club.players[pair[0]].card.posts))
    reorganises = club.side in state.replaced
    if club.replacements_left > 0 or not reorganises:
        yield from ({"subs": [{"out": out, "in": into.id}]} for out, into in pairs)
    if reorganises:
        yield {"subs": []}
    if not pairs:
        yield {"subs": [{"out": leaving[0], "in": leaving[0]}]}


def permutation(state: State, side: Side) -> Choice:
    """Two players of one post swap places (FC-12.9): the pairs of all posts where two or more stand."""
    club = state.club(side)
    event = {"event": "permute", "side": side}
    lines = zip(POSTS, club.lineup or (), strict=False)
    pairs = [(post, list(pair)) for post, line in lines for pair in combinations(line, 2)]
    reason = barred(state, {**event, "players": pairs[0][1]})
    if reason is not None:
        return Choice(event, word("do", "permute"), side, rank=3, barred=reason)
    options = tuple(Option(pair, _both(club, pair), word("post", post)) for post, pair in pairs)
    return Choice(
        event, word("do", "permute"), side, rank=3, asks=(Ask("pick", "players", word("ask", "permute"), options),)
    )


def _both(club: Club, pair: list[str]) -> Message:
    first, second = (literal(short_name(club.players[id].card.name)) for id in pair)
    return Message("footclub.option.two", {"first": first, "second": second})
