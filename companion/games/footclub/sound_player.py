"""A simple sound player for both clubs: declares, spends and supports what the exact odds of the next throw favour.

The cards of a hand and the section that a ribbon names are as random as for the random player: it is no secret what
they could be, but it is secret what they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import Any

from companion.games.footclub import moves, moves_cards, odds
from companion.games.footclub.rulebook import RULEBOOK
from companion.games.footclub.state import Offensive, State
from companion.games.footclub.tables import MOST_SPENT

Move = dict[str, Any]
TRIES = 8
"""Ways to name a card that are compared: which section of a ribbon lies there is chance."""
LEAST_GAIN = Fraction(1, 20)
"""Chance of a goal that a supporter must at least be worth: those that stay strengthen the next offensive."""
LEAST_TACKLE = Fraction(1, 2)
"""Chance of success below which a tackle is left: a foul gives the opponents an attack."""
CARDS_COST = Fraction(1, 3)
"""What a yellow card counts as a share of a goal, and a red one three times."""


def sound_event(state: State, random: Random) -> Move:
    """The best event by the odds; dice and hidden cards fall by chance."""
    chosen = _CHOICES[state.phase](state, random) if state.phase in _CHOICES and _undisturbed(state) else None
    return chosen if chosen is not None else moves.random_event(state, random)


def _undisturbed(state: State) -> bool:
    """Whether no club must name a captain or make its team whole first, and no changes are open."""
    return not state.window and not any(club.vacant or club.below for club in state.clubs)


def _tackle(state: State, random: Random) -> Move | None:
    """The tackle with the best odds of those that may lie there, in its better mode; None if it is not worth it."""
    best, worth = {"event": "leave", "side": state.defenders}, LEAST_TACKLE
    for _ in range(TRIES):
        for event in _modes(moves_cards.duels(state, state.defenders, "tackle", random)):
            value = _duel_worth(state, event)
            if value is not None and value > worth:
                best, worth = event, value
    return best if moves_cards.why_not(state, best) is None else None


def _modes(events: Iterator[Move]) -> Iterator[Move]:
    """Each play in both modes."""
    for event in events:
        plain = {key: value for key, value in event.items() if key != "mode"}
        yield from ({**plain, "mode": mode} for mode in ("regular", "aggressive"))


def _duel_worth(state: State, event: Move) -> Fraction | None:
    """The chance of success less what its cards may cost; None if it is not legal."""
    if moves_cards.why_not(state, event) is not None:
        return None
    duel = RULEBOOK.apply(state, RULEBOOK.parse(event))[0].duel
    if duel is None:
        return None
    chances = odds.duel(duel.mode, duel.modifier)
    return chances["success"] - CARDS_COST * (chances["yellow"] + 3 * chances["red"])


def _attack(state: State, random: Random) -> Move | None:
    """The offensive with the highest bonus of those that may lie there, rather than none."""
    side = state.possession
    if side is None:
        return None
    kinds = ("counter_attack",) if state.phase == "counter" else ("positional_attack", "solo_effort")
    found = [
        event
        for _ in range(TRIES)
        for event in moves_cards.offensives(state, side, kinds, random)
        if moves_cards.why_not(state, event) is None
    ]
    return max(found, key=lambda event: _goal(state, event), default=None)


def _goal(state: State, event: Move | None = None) -> Fraction:
    """The chance of a goal of the offensive under way, once `event` was played."""
    after = state if event is None else RULEBOOK.apply(state, RULEBOOK.parse(event))[0]
    offensive = after.offensive
    return Fraction(0) if offensive is None else _chance(offensive)


def _chance(offensive: Offensive) -> Fraction:
    return odds.shot(offensive.final, offensive.throw, offensive.defence_die)["goal"]


def _offensive(state: State, random: Random) -> Move | None:
    """Supports and supporters of either side while each is worth its price; then the shot."""
    offensive = state.offensive
    if offensive is None or offensive.closed:
        return None
    now = _chance(offensive)
    for side, sign in ((offensive.side, 1), (state.defenders, -1)):
        most = min(state.club(side).supporters, MOST_SPENT)
        plays: list[Move] = [{"event": "spend", "side": side, "supporters": n} for n in range(1, most + 1)]
        if sign > 0:
            plays.insert(0, {"event": "attacking_support", "side": side})
        for event in plays:
            if moves_cards.why_not(state, event) is None:
                price = LEAST_GAIN * event.get("supporters", 0)
                if sign * (_goal(state, event) - now) > price:
                    return event
    return {"event": "shot", "defence": random.randint(1, 6)}


_CHOICES = {
    "possession": _tackle,
    "attack": _attack,
    "counter": _attack,
    "offensive": _offensive,
}
"""Where the odds have a say; elsewhere the random player acts."""
