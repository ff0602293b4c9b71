"""A simple sound player for both clubs: declares, spends and supports what the exact odds of the next throw favour.

It takes one of the choices that the game offers. The cards of a hand and the section that a ribbon names are as random
as for the random player: it is no secret what they could be, but it is secret what they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from random import Random

from companion.games.base import JsonObject, Refusal
from companion.games.footclub import odds
from companion.games.footclub.awaits import awaits
from companion.games.footclub.rulebook import RULEBOOK
from companion.games.footclub.state import Offensive, State
from companion.games.footclub.tables import MOST_SPENT
from companion.games.random_player import complete

TRIES = 8
"""Ways to complete a choice that are compared: which section of a ribbon lies there is chance."""
LEAST_GAIN = Fraction(1, 20)
"""Chance of a goal that a supporter must at least be worth: those that stay strengthen the next offensive."""
LEAST_TACKLE = Fraction(1, 2)
"""Chance of success below which a tackle is left: a foul gives the opponents an attack."""
CARDS_COST = Fraction(1, 3)
"""What a yellow card counts as a share of a goal, and a red one three times."""


def sound_event(state: State, random: Random) -> JsonObject | None:
    """The best event by the odds, None where they have no say; dice and hidden cards fall by chance."""
    return _CHOICES[state.phase](state, random) if state.phase in _CHOICES and _undisturbed(state) else None


def _undisturbed(state: State) -> bool:
    """Whether no club must name a captain or make its team whole first, and no changes are open."""
    return not state.window and not any(club.vacant or club.below for club in state.clubs)


def why_not(state: State, fields: JsonObject) -> Refusal | None:
    """Why the event of these fields is not legal now, or None."""
    return RULEBOOK.legal(state, RULEBOOK.parse(fields))


def _offered(state: State, kind: str, random: Random) -> Iterator[JsonObject]:
    """Legal events of a kind, made of the choices that the game offers."""
    for choice in awaits(state).choices:
        if choice.event["event"] == kind and choice.barred is None:
            for _ in range(TRIES):
                event = complete(choice, random)
                if event is not None and why_not(state, event) is None:
                    yield event


def _tackle(state: State, random: Random) -> JsonObject | None:
    """The tackle with the best odds of those that may lie there, in its better mode; None if it is not worth it."""
    best, worth = {"event": "leave", "side": state.defenders}, LEAST_TACKLE
    for tackle in _offered(state, "tackle", random):
        for mode in ("regular", "aggressive"):
            event = {**tackle, "mode": mode}
            value = _duel_worth(state, event)
            if value is not None and value > worth:
                best, worth = event, value
    return best if why_not(state, best) is None else None


def _duel_worth(state: State, event: JsonObject) -> Fraction | None:
    """The chance of success less what its cards may cost; None if it is not legal."""
    if why_not(state, event) is not None:
        return None
    duel = RULEBOOK.apply(state, RULEBOOK.parse(event))[0].duel
    if duel is None:
        return None
    chances = odds.duel(duel.mode, duel.modifier)
    return chances["success"] - CARDS_COST * (chances["yellow"] + 3 * chances["red"])


def _attack(state: State, random: Random) -> JsonObject | None:
    """The offensive with the highest bonus of those that may lie there, rather than none."""
    return max(_offered(state, "offensive", random), key=lambda event: _goal(state, event), default=None)


def _goal(state: State, event: JsonObject | None = None) -> Fraction:
    """The chance of a goal of the offensive under way, once `event` was played."""
    after = state if event is None else RULEBOOK.apply(state, RULEBOOK.parse(event))[0]
    offensive = after.offensive
    return Fraction(0) if offensive is None else _chance(offensive)


def _chance(offensive: Offensive) -> Fraction:
    return odds.shot(offensive.final, offensive.throw, offensive.defence_die)["goal"]


def _offensive(state: State, random: Random) -> JsonObject | None:
    """Supports and supporters of either side while each is worth its price; then the shot."""
    offensive = state.offensive
    if offensive is None or offensive.closed:
        return None
    now = _chance(offensive)
    for side, sign in ((offensive.side, 1), (state.defenders, -1)):
        most = min(state.club(side).supporters, MOST_SPENT)
        plays: list[JsonObject] = [{"event": "spend", "side": side, "supporters": n} for n in range(1, most + 1)]
        if sign > 0:
            plays.insert(0, {"event": "attacking_support", "side": side})
        for event in plays:
            if why_not(state, event) is None:
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
"""Where the odds have a say."""
