"""The shot (chapter 11): one die of each club, in one event or two, in play and in the shoot-out (FC-15.7)."""

from __future__ import annotations

from dataclasses import replace

from companion.games.base import Outcome
from companion.games.footclub import shootout as kicks
from companion.games.footclub.bonus import current_offensive
from companion.games.footclub.events import Shot
from companion.games.footclub.match_cards import discard_played, unplayable_refusal
from companion.games.footclub.match_flow import end_turn
from companion.games.footclub.refusals import refusal
from companion.games.footclub.state import Goal, Offensive, State
from companion.games.footclub.tables import PENALTY_BONUS, opponent


def check_shot(state: State, event: Shot) -> None:
    defence_die = state.offensive.defence_die if state.offensive else None
    if state.phase == "shootout":
        kicks.check_kick(state, event)
        defence_die = state.shootout.defence_die if state.shootout else None
    elif event.player is not None:
        raise refusal("FC-18.2", "shooter")
    if event.defence is not None and lacks_green_light(state):
        raise refusal("FC-9.8", club=state.setup.name(current_offensive(state).side))
    if defence_die is None and event.defence is None:
        raise refusal("FC-11.1", "defence_first")
    if defence_die is not None and (event.defence is not None or event.attack is None):
        raise refusal("FC-11.1", "attack_due")


def lacks_green_light(state: State) -> bool:
    """Return True if the attacking club must agree before the defence die is rolled (FC-9.8)."""
    return (
        state.setup.consent
        and state.phase == "offensive"
        and state.offensive is not None
        and not state.offensive.closed
        and not state.offensive.green_light
    )


def shot_result(throw: int, total: int, defence: int) -> str:
    """Return the result of an attack total against a defence die (FC-11.2, FC-11.3)."""
    if total == defence:
        return "second_throw" if throw == 1 else "post"
    if total > defence:
        return "goal"
    return "save" if throw == 1 else "corner"


def apply_shot(state: State, event: Shot) -> tuple[State, Outcome]:
    if state.shootout is not None:
        return _kick(state, event)
    offensive = current_offensive(state)
    defence = offensive.defence_die if event.defence is None else event.defence
    outcome: Outcome = {
        "side": offensive.side,
        "throw": offensive.throw,
        "defence": defence,
        "attack_total": None,
        "result": "pending",
    }
    if event.attack is None or defence is None:
        return replace(state, offensive=replace(offensive, defence_die=defence)), outcome
    total = event.attack + (offensive.final if offensive.throw == 1 else 0)
    result = shot_result(offensive.throw, total, defence)
    outcome.update(attack_total=total, result=result)
    if result in ("second_throw", "post"):
        return replace(state, offensive=replace(offensive, throw=2, defence_die=None)), outcome
    if result == "goal":
        outcome["scorer"] = state.holder
    return _end_offensive(state, offensive, result), outcome


def _end_offensive(state: State, offensive: Offensive, result: str) -> State:
    """End the offensive (FC-11.4 to FC-11.6); after a foul its card is already in the discard pile (FC-10.7)."""
    clubs = state.clubs
    if offensive.set_piece is None:
        clubs = state.with_clubs(discard_played(state.club(offensive.side), offensive.kind))
    state = replace(state, clubs=clubs, offensive=None)
    if result == "corner":
        return replace(state, phase="corner")
    opponents = opponent(offensive.side)
    scorer = state.holder
    state = replace(state, possession=opponents, holder=state.club(opponents).captain)
    if result == "save":
        return replace(state, phase="counter" if _awaits_counter(state) else "possession")
    blue, red = state.score
    kind = offensive.set_piece or offensive.kind
    goal = Goal(offensive.side, scorer or "", state.half, state.turn, kind)
    score = (blue + 1, red) if offensive.side == "blue" else (blue, red + 1)
    return end_turn(replace(state, score=score, goals=(*state.goals, goal)))


def _awaits_counter(state: State) -> bool:
    """Return True if the goalkeeper's club answers first: always without consent; with it, if it may have a card.

    Source: FC-8.11.
    """
    club = state.club(opponent(state.defenders))
    return not state.setup.consent or unplayable_refusal(club, "counter_attack") is None


def _kick(state: State, event: Shot) -> tuple[State, Outcome]:
    shootout = kicks.current_shootout(state)
    shooter = kicks.shooter(shootout, event)
    defence = shootout.defence_die if event.defence is None else event.defence
    outcome: Outcome = {"throw": shootout.throw, "defence": defence, "attack_total": None, "result": "pending"}
    shootout = replace(shootout, kicker=shooter)
    outcome["shooter"] = shooter
    if event.attack is None or defence is None:
        return replace(state, shootout=replace(shootout, defence_die=defence)), outcome
    total = event.attack + (PENALTY_BONUS if shootout.throw == 1 else 0)
    result = shot_result(shootout.throw, total, defence)
    outcome.update(attack_total=total, result=result)
    if result in ("second_throw", "post"):
        return replace(state, shootout=replace(shootout, throw=2, defence_die=None)), outcome
    return kicks.finish_kick(replace(state, shootout=shootout), result == "goal"), outcome
