"""The team on the pitch (chapter 3): style, ATT and DEF, compositions, captains, and the team sheet."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

from companion.games.base import Outcome
from companion.games.footclub import tables
from companion.games.footclub.events import NameCaptain, TeamSheet
from companion.games.footclub.refusals import refusal
from companion.games.footclub.setup import Setup
from companion.games.footclub.state import Club, Lineup, Player, State
from companion.games.footclub.tables import FORMATIONS, POSTS, PROFILES, SHORT_FORMATIONS, TEAM_SIZE, Formation, Side

CAPTAIN_LEVEL = 4
DEFENSIVE_POSTS = (tables.FB, tables.CB, tables.DM)
OFFENSIVE_POSTS = (tables.AM, tables.FW)
FREE_BOOKINGS = 2


@lru_cache(maxsize=4096)
def fits_style(style: tuple[int, int, int], profiles: tuple[tuple[str, ...], ...]) -> bool:
    """Return True if these players' profiles can be counted to match the style exactly (FC-3.5)."""
    still_wanted = {style}
    for choices in profiles:
        still_wanted = {rest for wanted in still_wanted for choice in choices if (rest := _less(wanted, choice))}
    return (0, 0, 0) in still_wanted


def _less(wanted: tuple[int, int, int], profile: str) -> tuple[int, int, int] | None:
    """Return these counts with one player of a profile fewer, or None if none is wanted."""
    technical, physical, tactical = (n - (name == profile) for n, name in zip(wanted, PROFILES, strict=True))
    return None if min(technical, physical, tactical) < 0 else (technical, physical, tactical)


def optimised(club: Club) -> bool:
    """Return True if the team is optimised (FC-3.5, FC-13.6)."""
    on_pitch = club.on_pitch
    if len(on_pitch) != TEAM_SIZE:
        return False
    return fits_style(club.coach.style, tuple([club.players[id].card.profiles for id in on_pitch]))


def attack(club: Club) -> int:
    """Return ATT (FC-3.4)."""
    return club.coach.level + _levels(club, OFFENSIVE_POSTS) + optimised(club)


def defence(club: Club) -> int:
    """Return DEF (FC-3.4)."""
    return club.goalkeeper.level + _levels(club, DEFENSIVE_POSTS) + optimised(club) - malus(club)


def _levels(club: Club, posts: tuple[int, ...]) -> int:
    lineup = club.lineup or ((),) * len(POSTS)
    return sum([club.players[id].level for post in posts for id in lineup[post]])


def initial_bonus(state: State, side: Side) -> int:
    """Return the initial attack bonus (FC-8.7); both team sheets must exist."""
    return attack(state.club(side)) - defence(state.club(tables.opponent(side)))


def booking_halves(club: Club) -> int:
    """Return the half cards plus twice the yellow tokens of the players on the pitch (FC-13.5)."""
    return sum([club.players[id].half_yellow + 2 * club.players[id].yellow for id in club.on_pitch])


def bookings(club: Club) -> int:
    return (booking_halves(club) + 1) // 2


def malus(club: Club) -> int:
    """Return the defensive malus (FC-13.5), 0 or more."""
    return max(0, bookings(club) - FREE_BOOKINGS)


def formation_text(formation: Formation) -> str:
    """Format a formation, such as `2-2-2-2-2`."""
    return "-".join(map(str, formation))


def possible_captains(club: Club, on_pitch: Iterable[str]) -> tuple[str, ...]:
    """Return those of these players who may be captain (FC-3.8)."""
    ids = tuple(on_pitch)
    preferred = club.coach.preferred
    cards = [club.players[id].card for id in ids]
    chosen = tuple(card.id for card in cards if card.level >= CAPTAIN_LEVEL and preferred in card.profiles)
    return chosen or ids


def check_posts(club: Club, lineup: Lineup) -> None:
    """Check that each player may stand at his post (FC-3.6). Raises: Refusal."""
    for post, line in zip(POSTS, lineup, strict=True):
        for id in line:
            if post not in club.players[id].card.posts:
                raise refusal("FC-3.6", player=club.players[id].card.name)


def check_composition(lineup: Lineup) -> None:
    """Check the composition: FC-3.2 for ten players, FC-13.7 for fewer. Raises: Refusal."""
    fb, cb, dm, am, fw = (len(line) for line in lineup)
    formation = (fb, cb, dm, am, fw)
    if sum(formation) == TEAM_SIZE:
        if formation not in FORMATIONS:
            raise refusal("FC-3.2", formation=formation_text(formation))
    elif formation not in SHORT_FORMATIONS:
        raise refusal("FC-13.7", formation=formation_text(formation))


def check_captain(club: Club, on_pitch: Iterable[str], captain: str) -> None:
    """Check the captain (FC-3.8). Raises: Refusal."""
    if captain not in possible_captains(club, on_pitch):
        raise refusal("FC-3.8")


def enter_pitch(setup: Setup, player: Player, boost: int = 0) -> Player:
    """Return a player as he comes on: freshness (FC-6.1, FC-6.2), half card (FC-16.4), boost (FC-12.10)."""
    booked = setup.first_leg is not None and player.id in setup.first_leg.booked
    return replace(
        player,
        status="pitch",
        freshness=2 if player.card.strength == "ball_winner" else 1,
        half_yellow=int(booked),
        boost=boost,
    )


def check_team_sheet(state: State, event: TeamSheet) -> None:
    club = state.club(event.side)
    if club.lineup is not None:
        raise refusal("FC-18.6", "team_sheet")
    ids = [id for line in event.lineup for id in line]
    for id in ids:
        if id not in club.players:
            raise refusal("FC-3.1", "not_of_squad", player=id)
    for id in ids:
        if club.players[id].status == "suspended":
            raise refusal("FC-16.3", player=club.players[id].card.name)
    if len(ids) != TEAM_SIZE or len(set(ids)) != TEAM_SIZE:
        raise refusal("FC-3.1", "ten")
    check_posts(club, event.lineup)
    check_composition(event.lineup)
    check_captain(club, ids, event.captain)


def apply_team_sheet(state: State, event: TeamSheet) -> tuple[State, Outcome]:
    club = state.club(event.side)
    on_pitch = {id: enter_pitch(state.setup, club.players[id]) for line in event.lineup for id in line}
    club = replace(club, lineup=event.lineup, captain=event.captain, players={**club.players, **on_pitch})
    outcome = {
        "formation": formation_text(club.formation),
        "att": attack(club),
        "def": defence(club),
        "optimised": optimised(club),
        "captain": event.captain,
    }
    return replace(state, clubs=state.with_clubs(club)), outcome


def check_captain_named(state: State, event: NameCaptain) -> None:
    club = state.club(event.side)
    check_captain(club, club.on_pitch, event.player)


def apply_captain_named(state: State, event: NameCaptain) -> tuple[State, Outcome]:
    club = replace(state.club(event.side), captain=event.player)
    takes_ball = state.possession == event.side and state.holder is None
    holder = event.player if takes_ball else state.holder
    return replace(state, clubs=state.with_clubs(club), holder=holder), {"captain": event.player}
