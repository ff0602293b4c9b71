"""A player of some sides of a match, in three strengths: what an opponent at the table does. Pure.

It decides only on what its sides may know: it looks at the public state of the game and never acts for another side.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from random import Random
from typing import Literal, get_args

from companion.games.base import AnyGame, Choice, Decision, DiceRequest, Die, Fields, GameState, Refusal
from companion.games.random_player import NOTHING, complete_randomly, decision_of, random_side_event
from companion.games.spec import AnySpec

Strength = Literal["casual", "sound", "strong"]
"""`casual` takes a random sensible choice, `sound` the best one by the odds, `strong` looks one roll further."""
STRENGTHS: tuple[Strength, ...] = get_args(Strength)

COMPLETIONS = 2
"""How many completions of each choice `strong` compares."""
MAX_CANDIDATES = 12
"""The maximum number of events that `strong` compares."""
MAX_OUTCOMES = 36
"""The maximum number of results of a roll that `strong` counts through: two classic dice."""


@dataclass(frozen=True, slots=True)
class SidePlayer:
    """The player of `sides` in matches of a game."""

    spec: AnySpec
    sides: frozenset[str]
    strength: Strength

    def event(self, state: GameState, random: Random) -> Fields | None:
        """Return the next event of these sides, or None if they have to wait. An event with dice has random faces."""
        game: AnyGame = self.spec.game
        decision = game.decision(state)
        own = decision_of(decision, self.sides)
        legal = [choice for choice in own.choices if choice.disabled_reason is None]
        awaits_dice = bool(decision.dice) and all(choice.prominence == 3 for choice in legal)
        if not own.dice and (not legal or awaits_dice):
            return None
        is_free = any(dice.min_count is not None for dice in own.dice)
        found = None
        if self.strength != "casual" or is_free:
            found = self._sound(state, decision, own, random)
        if found is None:
            found = random_side_event(game, state, random, self.sides)
        return found or None

    def _sound(self, state: GameState, decision: Decision, own: Decision, random: Random) -> Fields | None:
        """Return the event by the odds, or the dice that are due; `NOTHING` to wait, None if neither decides."""
        found = self._greedy(state, decision, own, random)
        if self.strength == "strong" and found is not None:
            found = self._best(state, own, found, random)
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

    def _best(self, state: GameState, own: Decision, greedy: Fields, random: Random) -> Fields:
        """Return the event after which these sides may expect most, counting through the next roll."""
        lead = self.spec.expected_lead
        if lead is None or (greedy and self.spec.game.dice_from_event(greedy)):
            return greedy
        side = next(iter(sorted(self.sides)))
        candidates = [greedy, *self._other_events(own, random)][:MAX_CANDIDATES]
        best, most = greedy, None
        for fields in candidates:
            after = self._state_after(state, fields)
            if after is None:
                continue
            worth = self.expected(after, side)
            if most is None or worth > most:
                best, most = fields, worth
        return best

    def _other_events(self, own: Decision, random: Random) -> Iterator[Fields]:
        for choice in own.choices:
            if choice.disabled_reason is None and not choice.menu and not choice.needs_long_press:
                for _ in range(COMPLETIONS if choice.prompts else 1):
                    event = complete_randomly(choice, random)
                    if event is not None and not self.spec.game.dice_from_event(event):
                        yield event

    def _state_after(self, state: GameState, fields: Fields) -> GameState | None:
        game = self.spec.game
        if not fields:
            return state
        try:
            event = game.parse(fields)
            game.validate(state, event)
        except Refusal:
            return None
        return game.apply(state, event)[0]

    def expected(self, state: GameState, side: str) -> Fraction:
        """Return the expected lead of a side, as the mean over the results of the next roll where they are few."""
        lead = self.spec.expected_lead
        if lead is None:
            return Fraction(0)
        leads = [lead(after, side) for after in _results(self.spec.game, state)]
        return sum(leads, Fraction(0)) / len(leads) if leads else lead(state, side)


def _results(game: AnyGame, state: GameState) -> list[GameState]:
    """Return the states after each result of the next roll, all equally likely; empty if they are too many."""
    if game.finished(state):
        return []
    requests = game.decision(state).dice
    first = min((request.order for request in requests), default=0)
    due = [request for request in requests if request.order == first]
    if not due or any(request.independent or request.min_count is not None for request in due):
        return []
    faces = [game.faces(state, request.kind) for request in due for _ in range(request.count)]
    total = 1
    for found in faces:
        total *= len(found)
    if not 0 < total <= MAX_OUTCOMES:
        return []
    found_states = []
    for dice in product(*faces):
        fields = game.event_from_dice(state, dice)
        if fields is None:
            return []
        found_states.append(game.apply(state, game.parse(fields))[0])
    return found_states


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
