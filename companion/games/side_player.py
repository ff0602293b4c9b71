"""A player of some sides of a match, in three strengths: what an opponent at the table does. Pure.

It decides only on what its sides may know (`GameSpec.known_state`) and never acts for another side.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal, get_args

from companion.games.base import AnyGame, Choice, Decision, DiceRequest, Die, Fields, GameState, Refusal
from companion.games.random_player import NOTHING, complete_randomly, decision_of, random_side_event
from companion.games.spec import AnySpec

Strength = Literal["casual", "sound", "strong"]
STRENGTHS: tuple[Strength, ...] = get_args(Strength)

CARELESS_SHARE: Mapping[Strength, float] = {"casual": 0.9, "sound": 0.6, "strong": 0}
"""The share of its choices that a player makes without thinking; the others are the best by the odds."""
TRIES = 20
"""How many random events to try for a careless choice."""


@dataclass(frozen=True, slots=True)
class SidePlayer:
    """The player of `sides` in matches of a game. `seed` deals the hidden cards of its sides, the same in a match."""

    spec: AnySpec
    sides: frozenset[str]
    strength: Strength
    seed: str = ""

    def event(self, state: GameState, random: Random) -> Fields | None:
        """Return the next event of these sides, or None if they have to wait. An event with dice has random faces."""
        game: AnyGame = self.spec.game
        known = self.spec.known_state(state, self.sides, self.seed)
        decision = game.decision(known)
        own = decision_of(decision, self.sides)
        if not own.dice and _may_wait(decision, own):
            return None
        found = None
        if self._is_careless(own, random):
            found = self._careless(known, own, random)
        if found is None:
            found = self._sound(known, decision, own, random)
        if found is None:
            found = random_side_event(game, known, random, self.sides)
        return found or None

    def _is_careless(self, own: Decision, random: Random) -> bool:
        """Return True if the player does not think about this choice. What is left to chance is nobody's choice."""
        by_chance = any(choice.event["event"] in self.spec.table_results for choice in own.choices)
        return not by_chance and random.random() < CARELESS_SHARE[self.strength]

    def _careless(self, state: GameState, own: Decision, random: Random) -> Fields | None:
        """Return a random event of the game's own careless player, or of the choices that are not played down."""
        if self.spec.careless_player is not None:
            return self.spec.careless_player(state, random, self.sides)
        plain = [
            one
            for one in own.choices
            if one.disabled_reason is None and not one.menu and not one.needs_long_press and one.prominence < 3
        ]
        dice = roll_own_dice(self.spec.game, state, own.dice, random)
        for _ in range(TRIES):
            chosen = random.choice([*plain, None]) if own.dice or not plain else random.choice(plain)
            event = dice if chosen is None else complete_randomly(chosen, random)
            if event and is_legal(self.spec.game, state, event):
                return event
        return None

    def _sound(self, state: GameState, decision: Decision, own: Decision, random: Random) -> Fields | None:
        """Return the event by the odds, or the dice that are due; `NOTHING` to wait, None if neither decides."""
        found = self._greedy(state, decision, own, random)
        if found is None and any(not dice.independent for dice in own.dice):
            found = roll_own_dice(self.spec.game, state, own.dice, random)
        return found

    def _greedy(self, state: GameState, decision: Decision, own: Decision, random: Random) -> Fields | None:
        """Return the greedy player's event if it is one of these sides, `NOTHING` if they wait, None if undecided."""
        if self.spec.greedy_player is None:
            return None
        found = self.spec.greedy_player(state, random, self.sides)
        if not found or is_event_of(self.spec.game, own, found):
            return found
        others = {*decision.sides} - self.sides
        return NOTHING if others else None


def _may_wait(decision: Decision, own: Decision) -> bool:
    """Return True if a side has nothing to choose, or only what is played down while dice or another side are due."""
    legal = [choice for choice in decision.choices if choice.disabled_reason is None]
    mine = [choice for choice in legal if choice in own.choices]
    others_due = bool(decision.dice) or any(choice.prominence < 3 for choice in legal if choice not in own.choices)
    return not mine or (others_due and all(choice.prominence == 3 for choice in mine))


def is_legal(game: AnyGame, state: GameState, fields: Fields) -> bool:
    """Return True if the game accepts an event in a state."""
    try:
        game.validate(state, game.parse(fields))
    except Refusal:
        return False
    return True


def is_event_of(game: AnyGame, own: Decision, fields: Fields) -> bool:
    """Return True if an event is one of the choices of a decision, or is made of its dice."""
    dice = game.dice_from_event(fields)
    if dice:
        counts = Counter(die.kind for die in dice)
        most = Counter({request.kind: request.count for request in own.dice})
        return counts <= most
    return any(
        choice.disabled_reason is None and not is_surrender(choice) and _is_made_by(game, choice, fields)
        for choice in own.choices
    )


def _is_made_by(game: AnyGame, choice: Choice, fields: Fields) -> bool:
    """Return True if an event is of the kind of a choice, for the same side. Its other fields are the rules' matter."""
    sides = {key: value for key, value in choice.event.items() if value == choice.side}
    return bool(choice.event["event"] == fields["event"] and all(fields.get(key) == sides[key] for key in sides))


def is_surrender(choice: Choice) -> bool:
    """Return True if a choice gives the match up: only people do that."""
    return choice.menu and choice.needs_long_press


def roll_own_dice(game: AnyGame, state: GameState, dice: Sequence[DiceRequest], random: Random) -> Fields | None:
    """Return the event of the exact dice of these requests with random faces; None if their number is free."""
    if any(request.min_count is not None for request in dice):
        return None
    return game.event_from_dice(state, roll(game, state, dice, random))


def roll(game: AnyGame, state: GameState, dice: Sequence[DiceRequest], random: Random) -> list[Die]:
    """Return random dice of these requests, in their order."""
    return [game.roll(state, request.kind, random) for request in dice for _ in range(request.count)]


def shared_dice(decision: Decision, sides: Collection[str]) -> tuple[DiceRequest, ...]:
    """Return the dice of these sides in a roll that other sides make with them at the same time."""
    first = min((request.order for request in decision.dice), default=0)
    due = [request for request in decision.dice if request.order == first and not request.independent]
    own = tuple(request for request in due if request.side in sides)
    return own if len(own) < len(due) and all(request.min_count is None for request in due) else ()


def dice_counts(dice: Sequence[Die]) -> Mapping[str, int]:
    """Return the number of dice of each kind."""
    return Counter(die.kind for die in dice)
