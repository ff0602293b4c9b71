"""The dice chart (chapter 6): the plays of the winner of a throw, and their effects."""

from __future__ import annotations

from dataclasses import replace

from companion.games.base import JsonObject, Outcome
from companion.games.hoops21.events import Choose
from companion.games.hoops21.refusals import refusal
from companion.games.hoops21.scoring import score_basket
from companion.games.hoops21.state import Contest, FreeThrows, State, balls, playable_symbols
from companion.games.hoops21.tables import (
    ACTIONS,
    DICE,
    DUNK_POINTS,
    PASS_LENGTH,
    REDUCED_DICE,
    Action,
    Effect,
    Side,
    Symbol,
    opponent,
)

_ATTACK: dict[Symbol, Effect] = {
    "ball": "advance",
    "pass": "blind_pass",
    "steal": "shot",
    "free_throw": "free_throws",
}
_DEFENCE: dict[Symbol, Effect] = {
    "ball": "push_back",
    "pass": "deflected_pass",
    "steal": "steal",
    "free_throw": "free_throws",
}


def effect_of(state: State, winner: Side, symbol: Symbol, action: Action | None = None) -> Effect:
    """Return the effect of a symbol of the chart for the winner of a throw (HB-6.1)."""
    if action == "shoot":
        return "shot"
    return (_ATTACK if winner == state.attack else _DEFENCE)[symbol]


def needs_action(state: State, winner: Side, symbol: Symbol) -> bool:
    """Return True if the winner must choose how to play the symbol (HB-6.2).

    Six balls never lead to a choice (HB-6.4).
    """
    return symbol == "ball" and winner == state.attack


def resolve_throw(state: State, contest: Contest, winner: Side) -> tuple[State, Outcome]:
    """Resolve a won throw: apply it at once if there is nothing to choose (HB-6.2)."""
    state = replace(state, contest=None, stats=state.incremented_stats(winner, "throws_won"))
    counts = contest.counts_of(winner)
    if balls(counts) == DICE:
        return _slam_dunk(state, winner)
    symbols = playable_symbols(counts)
    if len(symbols) == 1 and not needs_action(state, winner, symbols[0]):
        return _apply_symbol(state, winner, symbols[0], balls(counts))
    state = replace(state, phase="choose", contest=replace(contest, winner=winner))
    play = symbols[0] if len(symbols) == 1 else None
    return state, {"winner": winner, "play": play, "effect": "choose", "pawn": state.pawn, "points": 0}


def choosing_side(state: State) -> Side:
    """Return the side that won the throw and chooses now. Only in phase `choose`."""
    winner = state.open_contest.winner
    if winner is None:
        raise ValueError("nobody has won the throw")
    return winner


def winner_choices(state: State) -> list[JsonObject]:
    """Return all choices of the winner of a throw, as events."""
    winner = choosing_side(state)
    symbols = playable_symbols(state.open_contest.counts_of(winner))
    found: list[JsonObject] = []
    for symbol in symbols:
        event = {"event": "choose"} if len(symbols) == 1 else {"event": "choose", "symbol": symbol}
        actions = ACTIONS if needs_action(state, winner, symbol) else ()
        found += [{**event, "action": action} for action in actions] or [event]
    return found


def check_choose(state: State, event: Choose) -> None:
    winner = choosing_side(state)
    symbols = playable_symbols(state.open_contest.counts_of(winner))
    if event.symbol is None and len(symbols) > 1:
        raise refusal("HB-4.4", "missing")
    if event.symbol is not None and event.symbol not in symbols:
        raise refusal("HB-4.4", "symbol")
    action_needed = needs_action(state, winner, event.symbol or symbols[0])
    if action_needed and event.action is None:
        raise refusal("HB-6.2", "missing")
    if not action_needed and event.action is not None:
        raise refusal("HB-6.2", "action")


def apply_choose(state: State, event: Choose) -> tuple[State, Outcome]:
    winner = choosing_side(state)
    counts = state.open_contest.counts_of(winner)
    symbol = event.symbol or playable_symbols(counts)[0]
    return _apply_symbol(replace(state, contest=None), winner, symbol, balls(counts), event.action)


def _slam_dunk(state: State, winner: Side) -> tuple[State, Outcome]:
    """Apply a slam dunk (HB-6.4)."""
    state = score_basket(replace(state, stats=state.incremented_stats(winner, "slam_dunks")), winner, DUNK_POINTS)
    return state, {"winner": winner, "play": "ball", "effect": "slam_dunk", "pawn": state.pawn, "points": DUNK_POINTS}


def _apply_symbol(
    state: State, winner: Side, symbol: Symbol, count: int, action: Action | None = None
) -> tuple[State, Outcome]:
    """Apply the winner's symbol (HB-6.1); `count` is the number of balls it rolled."""
    effect = effect_of(state, winner, symbol, action)
    outcome: Outcome = {"winner": winner, "play": symbol, "effect": effect}
    before = state.score
    steps = PASS_LENGTH if symbol == "pass" else count
    state = replace(state, phase="throw")
    if effect in ("advance", "blind_pass"):
        state, outcome["dunk"] = _forward(state, winner, steps)
    elif effect in ("push_back", "deflected_pass"):
        state, outcome["intercepted"] = _back(state, winner, steps)
    elif effect == "steal":
        pawn = state.setup.court.beyond_half_line(winner)
        state = replace(state, attack=winner, pawn=pawn, stats=state.incremented_stats(winner, "steals"))
    elif effect == "shot":
        state = replace(state, phase="shot")
    else:
        state = replace(state, phase="free_throw", free_throws=FreeThrows(winner))
    if symbol == "pass" and state.phase == "throw":
        state = replace(state, dice_next=(DICE, REDUCED_DICE) if winner == "orange" else (REDUCED_DICE, DICE))
    outcome["pawn"] = state.pawn
    outcome["points"] = sum(state.score) - sum(before)
    return state, outcome


def _forward(state: State, winner: Side, steps: int) -> tuple[State, bool]:
    """Move the pawn forward; also return whether it was a dunk (HB-6.3)."""
    _, pawn = state.attack_and_pawn
    state = replace(state, pawn=state.setup.court.forward(winner, pawn, steps))
    if state.distance > 0:
        return state, False
    return score_basket(replace(state, stats=state.incremented_stats(winner, "dunks")), winner, DUNK_POINTS), True


def _back(state: State, winner: Side, steps: int) -> tuple[State, bool]:
    """Push the pawn back for the defence; also return whether it was an interception (HB-6.6)."""
    attack, pawn = state.attack_and_pawn
    court = state.setup.court
    pawn = court.backward(attack, pawn, steps)
    state = replace(state, pawn=pawn)
    if court.attacker(pawn) == attack:
        return state, False
    return replace(state, attack=opponent(attack), stats=state.incremented_stats(winner, "steals")), True
