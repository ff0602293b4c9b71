"""A simple greedy player for both clubs: it acts when the exact odds of the next roll favour it.

It declares, spends and supports by taking one of the choices that the game offers. The section named by a ribbon is
random, as for the random player; so are the cards of a hand, unless the state holds the hand of the club that the
player plays (`known_state`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction
from random import Random

from companion.games.base import JsonObject, Refusal
from companion.games.footclub import odds
from companion.games.footclub.decisions import decision
from companion.games.footclub.match_flow import must_discard
from companion.games.footclub.rulebook import RULEBOOK
from companion.games.footclub.shot import lacks_green_light
from companion.games.footclub.state import Offensive, State
from companion.games.footclub.tables import MAX_SPENT, SIDES, TYPES, opponent
from companion.games.random_player import NOTHING, complete_randomly

BEFORE_HALF = ("pre_match", "half_time", "extra_time_break")
"""The phases in which both clubs compose their teams and piles."""
TRIES = 8
"""How many completions of a choice to compare in a match without people; the section of a ribbon is random."""
MIN_GOAL_GAIN = Fraction(1, 20)
"""The minimum gain in goal probability for spending a supporter: an unspent one strengthens the next offensive."""
MIN_TACKLE_SUCCESS = Fraction(1, 2)
"""The minimum success probability of a tackle: a foul gives the opponents an attack."""
CARDS_COST = Fraction(1, 3)
"""The cost of a yellow card in goals; a red card costs three times as much."""


def greedy_event(state: State, random: Random, sides: Collection[str] = SIDES) -> JsonObject | None:
    """Return the best event by the odds, or None if the odds do not decide; dice and hidden cards are random."""
    if not _has_free_choice(state, sides):
        return None
    if state.phase in BEFORE_HALF:
        return None if len(sides) == len(SIDES) else _compose(state, sides)
    if state.phase == "offensive":
        return _offensive(state, random, sides)
    tries = TRIES if len(sides) == len(SIDES) else 1  # a club at the table has one card, which names one section
    if state.phase == "preparation" and len(sides) < len(SIDES):
        return _prepare(state, random, sides)
    if state.phase == "end_of_turn" and len(sides) < len(SIDES):
        return _discard(state, sides)
    if state.phase in ("attack", "counter") and opponent(state.defenders) not in sides:
        return NOTHING if state.phase == "attack" or state.setup.consent else _tackle(state, random, tries)
    return _CHOICES[state.phase](state, random, tries) if state.phase in _CHOICES else None


def _compose(state: State, sides: Collection[str]) -> JsonObject | None:
    """Return the team sheet or the tactical choice that the game suggests to a club; None once it has both."""
    for choice in decision(state).choices:
        for prompt in choice.prompts:
            if choice.side in sides and choice.disabled_reason is None and prompt.suggested is not None:
                if choice.event["event"] == "team_sheet" and isinstance(prompt.suggested, Mapping):
                    return {**choice.event, **prompt.suggested}
                if choice.event["event"] == "tactics":
                    return {**choice.event, prompt.field: prompt.suggested}
    return None


def _prepare(state: State, random: Random, sides: Collection[str]) -> JsonObject | None:
    """Return the supporter that a side lays down, then the end of the step by the club without the ball."""
    for side in SIDES:
        lay = {"event": "supporter", "side": side}
        if side in sides and refusal_for(state, lay) is None:
            return lay
    return _tackle(state, random, 1) if state.defenders in sides else NOTHING


UNPLAYED_CARD = "defensive_support"
"""The card that this player never plays: its duel may cost more than it gains."""


def _discard(state: State, sides: Collection[str]) -> JsonObject | None:
    """Return the discard of a club that knows its hand: what it never plays, then what it holds most of."""
    for side in SIDES:
        club = state.club(side)
        count = must_discard(state, club)
        if side in sides and count and club.cards_left is not None:
            hand = dict(zip(TYPES, club.cards_left, strict=True))
            gone: list[str] = []
            for _ in range(count):
                worst = max(TYPES, key=lambda type_: (hand[type_] > 0 and type_ == UNPLAYED_CARD, hand[type_]))
                hand[worst] -= 1
                gone.append(worst)
            return {"event": "discard", "side": side, "cards": gone}
    return None


def _has_free_choice(state: State, sides: Collection[str]) -> bool:
    """Return True if no club must name a captain or complete its team, and no window for changes is open.

    A player of one club alone makes no changes that it need not make.
    """
    is_window = state.window and len(sides) == len(SIDES)
    return not is_window and not any(club.lacks_captain or club.is_too_small for club in state.clubs)


def refusal_for(state: State, fields: JsonObject) -> Refusal | None:
    """Return why the event of these fields is not legal now, or None."""
    return RULEBOOK.refusal_for(state, RULEBOOK.parse(fields))


def _offered(state: State, kind: str, random: Random, tries: int) -> Iterator[JsonObject]:
    """Yield legal events of a kind, made from the choices that the game offers."""
    for choice in decision(state).choices:
        if choice.event["event"] == kind and choice.disabled_reason is None:
            for _ in range(tries):
                event = complete_randomly(choice, random)
                if event is not None and refusal_for(state, event) is None:
                    yield event


def _tackle(state: State, random: Random, tries: int) -> JsonObject | None:
    """Return the possible tackle with the best odds, in its better mode; None if it is not worth the risk.

    A club that knows its hand presses first: a pressing wins the ball without dice.
    """
    if tries == 1:
        press = next(_offered(state, "press", random, tries), None)
        if press is not None:
            return press
    best, worth = {"event": "leave", "side": state.defenders}, MIN_TACKLE_SUCCESS
    for tackle in _offered(state, "tackle", random, tries):
        for mode in ("regular", "aggressive"):
            event = {**tackle, "mode": mode}
            value = _duel_worth(state, event)
            if value is not None and value > worth:
                best, worth = event, value
    return best if refusal_for(state, best) is None else None


def _duel_worth(state: State, event: JsonObject) -> Fraction | None:
    """Return the probability of success minus the expected cost of cards; None if it is not legal."""
    if refusal_for(state, event) is not None:
        return None
    duel = RULEBOOK.apply(state, RULEBOOK.parse(event))[0].duel
    if duel is None:
        return None
    chances = odds.duel(duel.mode, duel.modifier)
    return chances["success"] - CARDS_COST * (chances["yellow"] + 3 * chances["red"])


def _attack(state: State, random: Random, tries: int) -> JsonObject | None:
    """Return the possible offensive with the highest bonus, or None if there is none."""
    return max(_offered(state, "offensive", random, tries), key=lambda event: _goal(state, event), default=None)


def _goal(state: State, event: JsonObject | None = None) -> Fraction:
    """Return the goal probability of the current offensive after `event`."""
    after = state if event is None else RULEBOOK.apply(state, RULEBOOK.parse(event))[0]
    offensive = after.offensive
    return Fraction(0) if offensive is None else _chance(offensive)


def _chance(offensive: Offensive) -> Fraction:
    return odds.shot(offensive.final, offensive.throw, offensive.defence_die)["goal"]


def _offensive(state: State, random: Random, sides: Collection[str]) -> JsonObject | None:
    """Return supports and supporters of these sides while each is worth its cost, then the shot."""
    offensive = state.offensive
    if offensive is None or offensive.closed:
        return None
    now = _chance(offensive)
    for side, sign in ((offensive.side, 1), (state.defenders, -1)):
        if side not in sides:
            continue
        most = min(state.club(side).supporters, MAX_SPENT)
        plays: list[JsonObject] = [{"event": "spend", "side": side, "supporters": n} for n in range(1, most + 1)]
        if sign > 0:
            plays.insert(0, {"event": "attacking_support", "side": side})
        for event in plays:
            if refusal_for(state, event) is None:
                price = MIN_GOAL_GAIN * event.get("supporters", 0)
                if sign * (_goal(state, event) - now) > price:
                    return event
    if lacks_green_light(state):
        return {"event": "green_light", "side": offensive.side} if offensive.side in sides else NOTHING
    return NOTHING if state.defenders not in sides else {"event": "shot", "defence": random.randint(1, 6)}


_CHOICES = {
    "possession": _tackle,
    "attack": _attack,
    "counter": _attack,
}
"""The phases in which the odds decide, besides an offensive."""
