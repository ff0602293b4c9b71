"""Cards, injuries and teams that become too small (chapter 13), and the forfeit that ends a match (FC-18.7)."""

from __future__ import annotations

from dataclasses import replace

from companion.games.base import Outcome
from companion.games.footclub.events import Forfeit
from companion.games.footclub.state import Club, Result, State
from companion.games.footclub.tables import FORFEIT_GOALS, MOST_REDS, Side, other


def leaves(club: Club, id: str, status: str) -> Club:
    """The club once a player has left the pitch; its armband is vacant if he wore it (FC-3.9)."""
    place = club.place_of(id)
    player = replace(club.players[id], status=status, left_from=place if status == "injured_off" else None)
    lineup = tuple([tuple([mate for mate in line if mate != id]) for line in club.lineup or ()])
    captain = None if club.captain == id else club.captain
    return replace(club, lineup=lineup, captain=captain, players={**club.players, id: player})


def booked(club: Club, id: str, card: str) -> tuple[Club, bool]:
    """The club once a card was shown to a player, and whether he is sent off by it (FC-13.1 to FC-13.3)."""
    player = club.players[id]
    yellow = player.yellow + (card == "yellow")
    club = club.with_player(replace(player, yellow=yellow))
    if card == "yellow" and yellow < 2:
        return club, False
    return replace(leaves(club, id, "sent_off"), reds=club.reds + 1), True


def injured(club: Club, id: str, injury: str) -> Club:
    """The club once a player was injured, `light` or `serious` (FC-7.8, FC-7.9)."""
    if injury == "serious":
        return leaves(club, id, "injured_off")
    player = club.players[id]
    return club.with_player(replace(player, injury=player.injury + 1))


def ball_follows(state: State) -> State:
    """If the ball holder has left the pitch, his captain has the ball; nobody if the armband is vacant (FC-12.11)."""
    if state.possession is None:
        return state
    club = state.club(state.possession)
    if state.holder is not None and club.players[state.holder].status == "pitch":
        return state
    return replace(state, holder=club.captain)


def opened_window(state: State) -> State:
    """A window for changes of both clubs opens (FC-13.4)."""
    return replace(state, window=True, stage=0, replaced=frozenset())


def replaceable(club: Club) -> bool:
    """Whether a club can still replace an injured player."""
    statuses = [player.status for player in club.players.values()]
    return club.replacements_left > 0 and "bench" in statuses and "injured_off" in statuses


def judged(state: State, first: Side) -> State:
    """The match stopped if a club has four red cards (FC-13.8) or is too small for good (FC-13.9).

    `first` loses if both clubs would: the club that tackled.
    """
    for side in (first, other(first)):
        club = state.club(side)
        if club.reds >= MOST_REDS or (club.below and not replaceable(club)):
            return forfeited(state, side)
    return state


def forfeited(state: State, loser: Side) -> State:
    """The match as it lies, ended 3–0 (FC-18.7)."""
    winner = other(loser)
    shootout = state.shootout and replace(state.shootout, next=None)
    return replace(
        state,
        phase="finished",
        score=(FORFEIT_GOALS, 0) if winner == "blue" else (0, FORFEIT_GOALS),
        window=False,
        offensive=None,
        duel=None,
        market=None,
        shootout=shootout,
        result=Result(winner, "forfeit"),
    )


def apply_forfeit(state: State, event: Forfeit) -> tuple[State, Outcome]:
    return forfeited(state, event.side), {"winner": other(event.side)}
