"""Changes and permutations (chapter 12): who comes on, who goes off, and the resulting team."""

from __future__ import annotations

from dataclasses import replace

from companion.games.base import Outcome, Refusal
from companion.games.footclub import team
from companion.games.footclub.discipline import forfeit_if_due, reassign_ball
from companion.games.footclub.events import Change, Permute, Substitution
from companion.games.footclub.refusals import refusal
from companion.games.footclub.state import Club, Lineup, State
from companion.games.footclub.tables import CARDS_DRAWN, POSTS, Side

AWAY_CHANGED, HOME_CHANGED, PERMUTED = 1, 2, 3
"""Values of `State.stage`: the progress of step 2 (FC-14.4)."""


def too_late_refusal(state: State, side: Side) -> Refusal | None:
    """Return why it is too late for a change of this club (FC-14.4), or None."""
    if state.club(side).is_too_small:
        return None
    if state.stage == PERMUTED:
        return refusal("FC-14.4", "after_permutation")
    if state.stage == HOME_CHANGED and side == state.setup.away:
        return refusal("FC-14.4", "after_home")
    return None


def is_boosted_entry(state: State, club: Club) -> bool:
    """Return True if a player who comes on now gets the boost (FC-12.10)."""
    return state.half == 3 or (state.half == 2 and club.deck <= CARDS_DRAWN)


def check_change(state: State, event: Change) -> None:
    club = state.club(event.side)
    reason = too_late_refusal(state, event.side)
    if reason is not None:
        raise reason
    if not event.subs and event.side not in state.replaced:
        raise refusal("FC-12.5")
    if len(event.subs) > club.replacements_left:
        raise refusal("FC-12.2", n=club.replacements_left)
    _check_leaving(club, event.subs)
    _check_entering(club, event.subs)
    lineup = lineup_after(club, event)
    if sorted(_ids(lineup)) != sorted(_on_pitch_after(club, event.subs)):
        raise refusal("FC-12.7")
    team.check_posts(club, lineup)
    team.check_composition(lineup)
    if event.captain is None:
        return
    if club.captain is not None and club.captain in _ids(lineup):
        raise refusal("FC-3.10")
    team.check_captain(club, _ids(lineup), event.captain)


def _check_leaving(club: Club, subs: tuple[Substitution, ...]) -> None:
    """Check who goes off (FC-12.6). Raises: Refusal."""
    for sub in subs:
        player = club.players.get(sub.leaving)
        if player is None or player.status not in ("pitch", "injured_off"):
            raise refusal("FC-12.6", player=player.card.name if player else sub.leaving)
    if len({sub.leaving for sub in subs}) < len(subs):
        raise refusal("FC-12.6", "twice")


def _check_entering(club: Club, subs: tuple[Substitution, ...]) -> None:
    """Check who comes on (FC-12.4, FC-16.3). Raises: Refusal."""
    for sub in subs:
        if sub.entering not in club.players:
            raise refusal("FC-12.4", "not_of_squad", player=sub.entering)
    for sub in subs:
        if club.players[sub.entering].status == "suspended":
            raise refusal("FC-16.3", player=club.players[sub.entering].card.name)
    for sub in subs:
        if club.players[sub.entering].status != "bench":
            raise refusal("FC-12.4", "not_on_bench", player=club.players[sub.entering].card.name)
    if len({sub.entering for sub in subs}) < len(subs):
        raise refusal("FC-12.4", "twice")


def _ids(lineup: Lineup) -> list[str]:
    return [id for line in lineup for id in line]


def _on_pitch_after(club: Club, subs: tuple[Substitution, ...]) -> list[str]:
    leaving = {sub.leaving for sub in subs}
    return [id for id in club.on_pitch if id not in leaving] + [sub.entering for sub in subs]


def lineup_after(club: Club, event: Change) -> Lineup:
    """Return the line-up after a change: the given one, or each substitute in the place he takes over (FC-12.7)."""
    if event.lineup is not None:
        return event.lineup
    lines = [list(line) for line in club.lineup or ((),) * len(POSTS)]
    for sub in event.subs:
        left_from = club.players[sub.leaving].left_from
        if left_from is not None:
            post, index = left_from
            lines[post].insert(index, sub.entering)
            continue
        for line in lines:
            if sub.leaving in line:
                line[line.index(sub.leaving)] = sub.entering
    return tuple([tuple(line) for line in lines])


def apply_change(state: State, event: Change) -> tuple[State, Outcome]:
    club = state.club(event.side)
    boost = int(is_boosted_entry(state, club))
    players = dict(club.players)
    for sub in event.subs:
        players[sub.leaving] = replace(players[sub.leaving], status="out")
        players[sub.entering] = team.enter_pitch(state.setup, players[sub.entering], boost)
    captain = event.captain or club.captain
    club = replace(
        club,
        players=players,
        lineup=lineup_after(club, event),
        captain=captain if captain is not None and players[captain].status == "pitch" else None,
        replacements_left=club.replacements_left - len(event.subs),
        changed=True,
    )
    reached = AWAY_CHANGED if event.side == state.setup.away else HOME_CHANGED
    state = replace(
        state,
        clubs=state.with_clubs(club),
        stage=max(state.stage, reached),
        replaced=state.replaced | {event.side} if event.subs else state.replaced,
    )
    outcome = {
        "out": [sub.leaving for sub in event.subs],
        "in": [sub.entering for sub in event.subs],
        "boost": boost,
        "att": team.attack(club),
        "def": team.defence(club),
        "optimised": team.optimised(club),
        "replacements_left": club.replacements_left,
    }
    return forfeit_if_due(reassign_ball(state), event.side), outcome


def check_permute(state: State, event: Permute) -> None:
    club = state.club(event.side)
    if club.permuted:
        raise refusal("FC-12.8", "again")
    if club.changed:
        raise refusal("FC-12.8", "after_change")
    first, second = (club.place_of(id) for id in event.players)
    if first is None or second is None or first[0] != second[0]:
        raise refusal("FC-12.9")


def apply_permute(state: State, event: Permute) -> tuple[State, Outcome]:
    club = state.club(event.side)
    first, second = event.players
    swap = {first: second, second: first}
    lineup = tuple([tuple([swap.get(id, id) for id in line]) for line in club.lineup or ()])
    club = replace(club, lineup=lineup, permuted=True)
    place = club.place_of(first)
    post = place[0] if place else 0
    state = replace(state, clubs=state.with_clubs(club), stage=PERMUTED)
    return state, {"post": POSTS[post], "line": list(lineup[post])}
