"""The penalty shoot-out (FC-15.5 to FC-15.8): the shooters, their order, and when it is decided."""

from __future__ import annotations

from dataclasses import replace

from companion.games.base import Outcome
from companion.games.footclub.events import NameShooters, Shot, StartShootout
from companion.games.footclub.refusals import refusal
from companion.games.footclub.state import Result, Shootout, State
from companion.games.footclub.tables import SHOOTERS, Side, index_of, opponent


def current_shootout(state: State) -> Shootout:
    """Return the shoot-out of phase `shootout`."""
    if state.shootout is None:
        raise ValueError(f"no shoot-out in phase {state.phase}")
    return state.shootout


def possible_shooters(state: State, side: Side) -> frozenset[str]:
    """Return all people of a club who may shoot: its players on the pitch and its goalkeeper."""
    club = state.club(side)
    return frozenset((*club.on_pitch, club.goalkeeper.id))


def may_shoot(state: State, side: Side) -> frozenset[str]:
    """Return the people who may be named for a sudden-death kick (FC-15.8)."""
    everyone = possible_shooters(state, side)
    return everyone - current_shootout(state).shot[index_of(side)] or everyone


def sudden_death(shootout: Shootout) -> bool:
    """Return True if the current kick comes after five kicks of each club."""
    return min(shootout.taken) >= SHOOTERS


def check_shooters(state: State, event: NameShooters) -> None:
    if current_shootout(state).shooters[index_of(event.side)]:
        raise refusal("FC-18.6", "shooters")
    if not possible_shooters(state, event.side).issuperset(event.players):
        raise refusal("FC-15.5", "not_on_pitch")


def apply_shooters(state: State, event: NameShooters) -> tuple[State, Outcome]:
    shootout = current_shootout(state)
    blue, red = shootout.shooters
    shooters = (event.players, red) if event.side == "blue" else (blue, event.players)
    return replace(state, shootout=replace(shootout, shooters=shooters)), {"players": list(event.players)}


def check_start(state: State, event: StartShootout) -> None:
    shootout = current_shootout(state)
    if shootout.first is not None:
        raise refusal("FC-18.6", "shootout")
    if not all(shootout.shooters):
        raise refusal("FC-15.5", "shooters_missing")


def apply_start(state: State, event: StartShootout) -> tuple[State, Outcome]:
    shootout = replace(current_shootout(state), first=event.first, next=event.first)
    return replace(state, shootout=shootout), {"first": event.first}


def check_kick(state: State, event: Shot) -> None:
    """Check a kick before the checks of its dice. Raises: Refusal."""
    shootout = current_shootout(state)
    begun = shootout.throw > 1 or shootout.defence_die is not None or event.defence is None
    if event.player is not None and (shootout.next is None or not sudden_death(shootout) or begun):
        raise refusal("FC-18.2", "shooter")
    if shootout.next is None:
        raise refusal("FC-15.5", "not_started")
    if event.player is not None and event.player not in may_shoot(state, shootout.next):
        raise refusal("FC-15.8")


def next_shooter(shootout: Shootout) -> str | None:
    """Return who takes the current kick, as far as he is known; None before the first kick."""
    if shootout.next is None:
        return None
    at = index_of(shootout.next)
    return shootout.kicker if sudden_death(shootout) else shootout.shooters[at][shootout.taken[at]]


def shooter(shootout: Shootout, event: Shot) -> str | None:
    """Return who takes the current kick; None if nobody was named for a kick in sudden death."""
    return (event.player if sudden_death(shootout) else None) or next_shooter(shootout)


def finish_kick(state: State, goal: bool) -> State:
    """End the current kick, and the match once it is decided (FC-15.8)."""
    shootout = current_shootout(state)
    side = shootout.next or "blue"
    kicker = frozenset({shootout.kicker}) if shootout.kicker is not None else frozenset()
    blue_shot, red_shot = shootout.shot
    blue = side == "blue"
    blue_kicks, red_kicks = shootout.kicks
    kicks = shootout.kicks[index_of(side)]
    shootout = replace(
        shootout,
        next=opponent(side),
        kicks=((*kicks, goal), red_kicks) if blue else (blue_kicks, (*kicks, goal)),
        throw=1,
        defence_die=None,
        kicker=None,
        shot=(blue_shot | kicker, red_shot) if blue else (blue_shot, red_shot | kicker),
    )
    winner = decided_winner(shootout)
    if winner is None:
        return replace(state, shootout=shootout)
    return replace(state, phase="finished", shootout=replace(shootout, next=None), result=Result(winner, "shootout"))


def decided_winner(shootout: Shootout) -> Side | None:
    """Return the winner as soon as the other club can no longer catch up (FC-15.8), otherwise None."""
    rounds = max(SHOOTERS, *shootout.taken)
    blue, red = shootout.scored
    if blue > red + rounds - shootout.taken[1]:
        return "blue"
    if red > blue + rounds - shootout.taken[0]:
        return "red"
    return None
