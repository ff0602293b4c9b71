"""The dice chart (chapter 6): what the winner of a throw plays, and what it comes to."""

from __future__ import annotations

from dataclasses import replace

from companion.games.base import JsonObject, Outcome
from companion.games.hoops21.events import Choose
from companion.games.hoops21.refusing import refusal
from companion.games.hoops21.scoring import basket
from companion.games.hoops21.state import Contest, FreeThrows, State, balls, candidates
from companion.games.hoops21.tables import ACTIONS, DICE, DUNK, FEWER, PASS_LENGTH, Action, Effect, Side, Symbol, other

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
    """What a symbol of the chart comes to for the winner of a throw (HB-6.1)."""
    if action == "shoot":
        return "shot"
    return (_ATTACK if winner == state.attack else _DEFENCE)[symbol]


def action_due(state: State, winner: Side, symbol: Symbol) -> bool:
    """Whether the winner must say how it plays the symbol (HB-6.2). Six balls never come to a choice (HB-6.4)."""
    return symbol == "ball" and winner == state.attack


def decided(state: State, contest: Contest, winner: Side) -> tuple[State, Outcome]:
    """A throw is won: carried out at once where nothing is left to choose (HB-6.2)."""
    state = replace(state, contest=None, stats=state.counted(winner, "throws_won"))
    counts = contest.of(winner)
    if balls(counts) == DICE:
        return _slam_dunk(state, winner)
    symbols = candidates(counts)
    if len(symbols) == 1 and not action_due(state, winner, symbols[0]):
        return _carried_out(state, winner, symbols[0], balls(counts))
    state = replace(state, phase="choose", contest=replace(contest, winner=winner))
    play = symbols[0] if len(symbols) == 1 else None
    return state, {"winner": winner, "play": play, "effect": "choose", "pawn": state.pawn, "points": 0}


def chooser(state: State) -> Side:
    """Who has won the throw and chooses now. Only in phase `choose`."""
    winner = state.lying.winner
    if winner is None:
        raise ValueError("nobody has won the throw")
    return winner


def choices(state: State) -> list[JsonObject]:
    """Everything that the winner of a throw may say now, as events."""
    winner = chooser(state)
    symbols = candidates(state.lying.of(winner))
    found: list[JsonObject] = []
    for symbol in symbols:
        event = {"event": "choose"} if len(symbols) == 1 else {"event": "choose", "symbol": symbol}
        actions = ACTIONS if action_due(state, winner, symbol) else ()
        found += [{**event, "action": action} for action in actions] or [event]
    return found


def check_choose(state: State, event: Choose) -> None:
    winner = chooser(state)
    symbols = candidates(state.lying.of(winner))
    if event.symbol is None and len(symbols) > 1:
        raise refusal("HB-4.4", "missing")
    if event.symbol is not None and event.symbol not in symbols:
        raise refusal("HB-4.4", "symbol")
    due = action_due(state, winner, event.symbol or symbols[0])
    if due and event.action is None:
        raise refusal("HB-6.2", "missing")
    if not due and event.action is not None:
        raise refusal("HB-6.2", "action")


def apply_choose(state: State, event: Choose) -> tuple[State, Outcome]:
    winner = chooser(state)
    counts = state.lying.of(winner)
    symbol = event.symbol or candidates(counts)[0]
    return _carried_out(replace(state, contest=None), winner, symbol, balls(counts), event.action)


def _slam_dunk(state: State, winner: Side) -> tuple[State, Outcome]:
    """HB-6.4."""
    state = basket(replace(state, stats=state.counted(winner, "slam_dunks")), winner, DUNK)
    return state, {"winner": winner, "play": "ball", "effect": "slam_dunk", "pawn": state.pawn, "points": DUNK}


def _carried_out(
    state: State, winner: Side, symbol: Symbol, count: int, action: Action | None = None
) -> tuple[State, Outcome]:
    """The winner's symbol (HB-6.1); `count` is the number of balls it threw."""
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
        pawn = state.setup.court.beyond(winner)
        state = replace(state, attack=winner, pawn=pawn, stats=state.counted(winner, "steals"))
    elif effect == "shot":
        state = replace(state, phase="shot")
    else:
        state = replace(state, phase="free_throw", free_throws=FreeThrows(winner))
    if symbol == "pass" and state.phase == "throw":
        state = replace(state, dice_next=(DICE, FEWER) if winner == "orange" else (FEWER, DICE))
    outcome["pawn"] = state.pawn
    outcome["points"] = sum(state.score) - sum(before)
    return state, outcome


def _forward(state: State, winner: Side, steps: int) -> tuple[State, bool]:
    """A forward move, and whether it was a dunk (HB-6.3)."""
    _, pawn = state.on_court
    state = replace(state, pawn=state.setup.court.forward(winner, pawn, steps))
    if state.distance > 0:
        return state, False
    return basket(replace(state, stats=state.counted(winner, "dunks")), winner, DUNK), True


def _back(state: State, winner: Side, steps: int) -> tuple[State, bool]:
    """The pawn pushed back by the defence, and whether that was an interception (HB-6.6)."""
    attack, pawn = state.on_court
    court = state.setup.court
    pawn = court.backward(attack, pawn, steps)
    state = replace(state, pawn=pawn)
    if court.attacker(pawn) == attack:
        return state, False
    return replace(state, attack=other(attack), stats=state.counted(winner, "steals")), True
