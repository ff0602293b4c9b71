"""Activation of a tactic: the first roll, the reroll, the kept dice (chapter 7, level `full`)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from companion.games.base import Outcome
from companion.games.nba import events as ev
from companion.games.nba import rerolls, solo
from companion.games.nba.card_lookup import invalid_field, known_tactic
from companion.games.nba.cards import TacticCard
from companion.games.nba.dice_set import NbaFace, check_dice, die_face
from companion.games.nba.refusals import refusal
from companion.games.nba.scoring import stopped_points
from companion.games.nba.state import Roll, State
from companion.games.nba.tactics_board import remove_tactics
from companion.games.nba.teams import LaidDice


def check_activate(state: State, event: ev.Activate) -> None:
    """Check NBA-1.2, 12.3, 12.6, 7.1 (not prepared), 8.4, 7.1 (second of a type), 7.2, 2.4, 2.6, 2.5, 7.3.

    Raises: Refusal.
    """
    card = known_tactic(state, event.tactic)
    solo.check_activation(state, event)
    check_usable(state, card)
    check_dice(state.setup.dice_set, event.dice)
    rolled = [die.kind for die in event.dice]
    size = state.roll_size(state.active_side, card)
    if len(rolled) != sum(size.values()) or any(rolled.count(kind) != count for kind, count in size.items()):
        raise refusal("NBA-7.3", count=sum(size.values()))


def check_usable(state: State, card: TacticCard) -> None:
    """Check NBA-7.1 (not prepared), NBA-8.4, NBA-7.1 (second of a type), NBA-7.2. Raises: Refusal."""
    team = state.team(state.active_side)
    if card.id not in team.prepared:
        raise refusal("NBA-7.1", "not_prepared", tactic=card.name)
    if state.ultimate and card.type == "offence":
        raise refusal("NBA-8.4", "offence")
    if card.type in state.done:
        raise refusal("NBA-7.1", f"second_{card.type}")
    level = state.collective(team.side)
    if level < card.complexity:
        raise refusal("NBA-7.2", tactic=card.name, complexity=card.complexity, level=level)


def apply_activate(state: State, event: ev.Activate) -> tuple[State, Outcome]:
    card = state.setup.tactic(event.tactic)
    roll = Roll(card.id, tuple([die_face(die) for die in event.dice]))
    state = replace(state, roll=roll, phase="roll", done=state.done_with(card.type))
    outcome: Outcome = {
        "type": card.type,
        "rerolls": rerolls.remaining(state),
        "coach_reroll": rerolls.coach_die_remaining(state),
    }
    if state.solo_turn and not solo.planned_reroll(state, outcome["rerolls"]):
        return _settle(state, solo.planned_keep(state), outcome)
    return state, outcome


def check_reroll(state: State, event: ev.Reroll) -> None:
    """Check NBA-1.2, 12.7, 7.6 (second reroll), 7.4 or 7.5, 2.4, 2.6, 2.5, 7.6 (kind). Raises: Refusal."""
    roll = state.open_roll
    _check_indices(roll, event.dice)
    solo.check_reroll(state, event, rerolls.remaining(state))
    if roll.rerolled:
        raise refusal("NBA-7.6", "second")
    most = max_rerolled(state, event.dice)
    if len(event.dice) > most:
        offence = state.setup.tactic(roll.tactic).type == "offence"
        raise refusal("NBA-7.4" if offence else "NBA-7.5", n=most)
    check_dice(state.setup.dice_set, event.to)
    if any(roll.dice[index].die != die.kind for index, die in zip(event.dice, event.to, strict=True)):
        raise refusal("NBA-7.6", "kind")


def max_rerolled(state: State, indices: Iterable[int]) -> int:
    """Return the maximum number of dice in one reroll that includes these dice."""
    type_ = state.setup.tactic(state.open_roll.tactic).type
    return rerolls.max_rerolls(state, state.active_side, type_) + rerolls.coach_extra(state, indices)


def apply_reroll(state: State, event: ev.Reroll) -> tuple[State, Outcome]:
    roll = state.open_roll
    dice = list(roll.dice)
    for index, die in zip(event.dice, event.to, strict=True):
        dice[index] = die_face(die)
    fatigue = rerolls.fatigue_price(state, event.dice)
    team = state.team(state.active_side)
    state = replace(
        state,
        pile=state.pile - fatigue,
        teams=state.with_teams(replace(team, taken=team.taken + fatigue)),
        roll=replace(roll, dice=tuple(dice), rerolled=tuple(sorted(event.dice)), fatigue=fatigue),
    )
    outcome: Outcome = {"fatigue": fatigue, "dice": dice_view(dice)}
    if state.solo_turn:
        return _settle(state, solo.planned_keep(state), outcome)
    return state, outcome


def check_keep(state: State, event: ev.Keep) -> None:
    """Check NBA-1.2, then NBA-7.7. Raises: Refusal."""
    roll = state.open_roll
    _check_indices(roll, event.dice)
    card = state.setup.tactic(roll.tactic)
    check_kept(card, [roll.dice[index].die for index in event.dice])


def check_kept(card: TacticCard, kinds: list[str]) -> None:
    """Check that each skill has at most the tactic's number of dice, and no other skill has any (NBA-7.7, NBA-7.9)."""
    for kind in set(kinds):
        if kinds.count(kind) > card.keep_count(kind):
            raise refusal("NBA-7.7", tactic=card.name, n=card.keep_count(kind))


def apply_keep(state: State, event: ev.Keep) -> tuple[State, Outcome]:
    return _settle(state, event.dice, {})


def _settle(state: State, indices: Iterable[int], outcome: Outcome) -> tuple[State, Outcome]:
    """Move the kept dice to the zone of the tactic's type and remove the tactic from the board (NBA-7.7, NBA-7.8).

    A solo opponent's tactic stays (NBA-12.6).
    """
    roll = state.open_roll
    card = state.setup.tactic(roll.tactic)
    team = state.team(state.active_side)
    kept = tuple([roll.dice[index] for index in sorted(indices)])
    laid = LaidDice(kept, card.id) if kept else None
    board = team.prepared if state.solo_turn else remove_tactics(team.prepared, (card.id,))
    if card.type == "offence":
        team = replace(team, prepared=board, attack=laid)
    else:
        team = replace(team, prepared=board, defence=laid)
    state = replace(state, teams=state.with_teams(team), roll=None, phase="activation")
    outcome = {**outcome, "type": card.type, "kept": dice_view(kept)}
    if card.type == "offence":
        return state, {**outcome, "value": sum(die.value for die in kept)}
    return state, {**outcome, "against": stopped_points(state, team.side), "fatigue": roll.fatigue}


def _check_indices(roll: Roll, indices: Iterable[int]) -> None:
    if any(index >= len(roll.dice) for index in indices):
        raise invalid_field("dice")


def dice_view(dice: Iterable[NbaFace]) -> list[dict[str, object]]:
    """Return dice in the format of the state and the outcomes (NBA-2.7)."""
    return [{"die": die.die, "value": die.value, "colour": die.colour} for die in dice]
