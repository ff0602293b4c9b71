"""Cards, injuries and teams below the minimum size (chapter 13), and the forfeit that ends a match (FC-18.7)."""

from __future__ import annotations

from dataclasses import replace

from companion.games.base import Outcome
from companion.games.footclub.events import Forfeit
from companion.games.footclub.state import Club, Result, State
from companion.games.footclub.tables import FORFEIT_GOALS, MAX_RED_CARDS, Side, opponent


def without_player(club: Club, id: str, status: str) -> Club:
    """Return the club after a player has left the pitch; the armband is vacant if he wore it (FC-3.9)."""
    place = club.place_of(id)
    player = replace(club.players[id], status=status, left_from=place if status == "injured_off" else None)
    lineup = tuple([tuple([mate for mate in line if mate != id]) for line in club.lineup or ()])
    captain = None if club.captain == id else club.captain
    return replace(club, lineup=lineup, captain=captain, players={**club.players, id: player})


def with_booking(club: Club, id: str, card: str) -> tuple[Club, bool]:
    """Return the club after a player was shown a card, and whether he is sent off (FC-13.1 to FC-13.3)."""
    player = club.players[id]
    yellow = player.yellow + (card == "yellow")
    club = club.with_player(replace(player, yellow=yellow))
    if card == "yellow" and yellow < 2:
        return club, False
    return replace(without_player(club, id, "sent_off"), reds=club.reds + 1), True


def with_injury(club: Club, id: str, injury: str) -> Club:
    """Return the club after a player was injured, `light` or `serious` (FC-7.8, FC-7.9)."""
    if injury == "serious":
        return without_player(club, id, "injured_off")
    player = club.players[id]
    return club.with_player(replace(player, injury=player.injury + 1))


def reassign_ball(state: State) -> State:
    """Move the ball to the captain if its holder has left the pitch (FC-12.11).

    If the armband is vacant, nobody has the ball.
    """
    if state.possession is None:
        return state
    club = state.club(state.possession)
    if state.holder is not None and club.players[state.holder].status == "pitch":
        return state
    return replace(state, holder=club.captain)


def open_change_window(state: State) -> State:
    """Open a window for changes of both clubs (FC-13.4)."""
    return replace(state, window=True, stage=0, replaced=frozenset())


def can_replace_injured(club: Club) -> bool:
    """Return True if a club can still replace an injured player."""
    statuses = [player.status for player in club.players.values()]
    return club.replacements_left > 0 and "bench" in statuses and "injured_off" in statuses


def forfeit_if_due(state: State, first: Side) -> State:
    """Stop the match if a club has four red cards (FC-13.8) or stays too small (FC-13.9).

    If both clubs would lose, `first` loses: the club that tackled.
    """
    for side in (first, opponent(first)):
        club = state.club(side)
        if club.reds >= MAX_RED_CARDS or (club.is_too_small and not can_replace_injured(club)):
            return forfeit_match(state, side)
    return state


def forfeit_match(state: State, loser: Side) -> State:
    """Return the match in its current situation, ended 3–0 (FC-18.7)."""
    winner = opponent(loser)
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
    return forfeit_match(state, event.side), {"winner": opponent(event.side)}
