"""Goals, ends of turns and of the match, recovered cards, new cards, rulings: OC-1.6, chapters 10 and 11."""

from __future__ import annotations

from dataclasses import replace

from companion.games.base import Message, Outcome
from companion.games.occasion.cards import InvalidCard, PlayerCard, check_posts
from companion.games.occasion.events import (
    CardsRecovered,
    ChanceMissed,
    Concede,
    DefineCard,
    GoalScored,
    MatchEnded,
    Ruling,
    TurnEnded,
)
from companion.games.occasion.progress import end_match, end_turn, goals_winner
from companion.games.occasion.refusals import refusal
from companion.games.occasion.state import State, with_side_value
from companion.games.occasion.tables import SIDES, opponent, side_index


def _score(state: State) -> dict[str, int]:
    return dict(zip(SIDES, state.score, strict=True))


def apply_goal_scored(state: State, event: GoalScored) -> tuple[State, Outcome]:
    """Add a goal for the attack, which wins the match if it was the last one needed (OC-10.3)."""
    state = replace(state, score=with_side_value(state.score, state.attack, state.score[side_index(state.attack)] + 1))
    winner = goals_winner(state)
    state = end_turn(state) if winner is None else end_match(state, winner)
    return state, {"goal": True, "score": _score(state)}


def apply_chance_missed(state: State, event: ChanceMissed) -> tuple[State, Outcome]:
    return end_turn(state), {"goal": False, "score": _score(state)}


def apply_turn_ended(state: State, event: TurnEnded) -> tuple[State, Outcome]:
    state = end_turn(state)
    return state, {"turn": state.turn, "attack": state.attack}


def apply_match_ended(state: State, event: MatchEnded) -> tuple[State, Outcome]:
    home, away = state.score
    state = end_match(state, None if home == away else "home" if home > away else "away")
    return state, {"winner": state.winner}


def apply_concede(state: State, event: Concede) -> tuple[State, Outcome]:
    state = end_match(state, opponent(event.side))
    return state, {"winner": state.winner}


def check_define_card(state: State, event: DefineCard) -> None:
    known = state.occasions if event.side is None else state.players[side_index(event.side)]
    if event.id in known:
        raise refusal("OC-1.6", "taken", card=event.id)
    if isinstance(event.card, Message):
        raise refusal("OC-1.6", "card", card=event.id, reason=event.card)
    try:
        check_posts(event.card, state.setup.posts)
    except InvalidCard as fault:
        raise refusal("OC-1.6", "card", card=event.id, reason=fault.message) from None


def apply_define_card(state: State, event: DefineCard) -> tuple[State, Outcome]:
    outcome = {"kind": event.kind, "id": event.id}
    if isinstance(event.card, Message):
        raise ValueError("a card that is none was let pass")
    if isinstance(event.card, PlayerCard):
        side = event.side or "home"
        players = {**state.players[side_index(side)], event.id: event.card}
        return replace(state, players=with_side_value(state.players, side, players)), outcome
    return replace(state, occasions={**state.occasions, event.id: event.card}), outcome


def check_cards_recovered(state: State, event: CardsRecovered) -> None:
    left = list(state.used(event.side))
    for player in event.players:
        if player not in left:
            card = state.card(event.side, player)
            raise refusal("OC-10.4", "player", player=card.name if card else player)
        left.remove(player)
    used = state.energy_used[side_index(event.side)]
    if event.energy > used:
        raise refusal("OC-10.4", "energy", n=used)


def apply_cards_recovered(state: State, event: CardsRecovered) -> tuple[State, Outcome]:
    side = event.side
    left = tuple(player for player in state.used(side) if player not in event.players)
    state = replace(state, discard=with_side_value(state.discard, side, left)).with_energy(side, -event.energy)
    return state, {"discard": list(left), "energy_used": state.energy_used[side_index(side)]}


def check_ruling(state: State, event: Ruling) -> None:
    for side, goals, more in zip(SIDES, state.score, event.goals, strict=True):
        if goals + more < 0:
            raise refusal("OC-11.1", side=state.setup.name(side))


def apply_ruling(state: State, event: Ruling) -> tuple[State, Outcome]:
    """Apply the goals first; the next attacking side only matters if the match continues."""
    (home, away), (more_home, more_away) = state.score, event.goals
    state = replace(state, score=(home + more_home, away + more_away))
    winner = goals_winner(state)
    if winner is not None:
        state = end_match(state, winner)
    elif event.next_attack is not None:
        state = end_turn(state, event.next_attack)
    return state, {"score": _score(state)}
