"""What the line-up editor needs to know of a club, a team sheet it may start from, and the changes a club may make."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from companion.games.base import Ask, Barred, Choice, Fields, Message, Option
from companion.games.footclub.awaits_teams import by_post, fielded, possible_formations, suggested_team
from companion.games.footclub.awaits_trial import barred, first_legal
from companion.games.footclub.scene import board_player
from companion.games.footclub.scene_board import BoardPlayer
from companion.games.footclub.state import Club, Lineup, Player, State
from companion.games.footclub.tables import FORMATIONS, POSTS, TEAM_SIZE, Formation, Side
from companion.games.footclub.words import word
from companion.games.wording import literal, short_name

SETTLED = frozenset({"FC-3.9", "FC-12.1", "FC-12.2", "FC-13.9", "FC-14.4"})
"""Refusals of a change that no other players would avoid."""
ONE_IS_NOT_ENOUGH = ("FC-3.2", "FC-3.6", "FC-13.7")
"""Refusals of a single replacement that may be legal together with another."""


@dataclass(frozen=True, slots=True)
class LineupSheet:
    """The `data` of a `lineup` ask: the club as public as its team sheet is.

    `lineup` is None before the team sheet. `style` is how many technical, physical and tactical players the coach
    wants, `formations` those that this squad can field, none for a change. The answer has the keys `lineup` and
    `captain` for a team sheet; `subs`, and if need be `lineup` and `captain`, for a change.
    """

    side: Side
    event: str
    players: tuple[BoardPlayer, ...]
    lineup: Lineup | None
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
        formations=possible_formations(club) if event == "team_sheet" else (),
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


def change(state: State, side: Side) -> Choice:
    """A change of players in step 2 or an open window, with a legal one to start from; barred when none is possible.

    Where no single replacement leaves a legal team, several at once may: then nothing is suggested.
    """
    club = state.club(side)
    event = {"event": "change", "side": side}
    detail = Message("footclub.detail.replacements", {"n": club.replacements_left})
    title = Message("footclub.ask.change", {"club": state.setup.name(side)})
    found: Fields | Barred | None = first_legal(state, event, _possible_changes(state, club), SETTLED)
    rank: Literal[1, 3] = 1 if club.below else 3
    if isinstance(found, Barred):
        if found.rule not in ONE_IS_NOT_ENOUGH or club.replacements_left < 2:
            return Choice(event, word("do", "change"), side, detail, rank=rank, barred=found)
        found = None
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
        yield from _rearranged(club, pairs)
    if reorganises:
        yield {"subs": []}
    if not pairs:
        yield {"subs": [{"out": leaving[0], "in": leaving[0]}]}


def _rearranged(club: Club, pairs: Iterable[tuple[str, Player]]) -> Iterator[Fields]:
    """Single replacements with the ten players arranged anew (FC-12.5)."""
    for out, into in pairs:
        team_after = [club.players[id] for id in club.on_pitch if id != out] + [into]
        if len(team_after) < TEAM_SIZE:
            continue
        for formation in sorted(FORMATIONS):
            lineup = fielded(team_after, formation)
            if lineup is not None:
                yield {"subs": [{"out": out, "in": into.id}], "lineup": by_post(lineup)}


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
    ask = Ask("pick", "players", word("ask", "permute"), options)
    return Choice(event, word("do", "permute"), side, rank=3, asks=(ask,))


def _both(club: Club, pair: list[str]) -> Message:
    first, second = (literal(short_name(club.players[id].card.name)) for id in pair)
    return Message("footclub.option.two", {"first": first, "second": second})
