"""The random player of every game: it rolls the expected dice or takes one of the offered choices.

It knows no rules. It picks from what `Game.decision` offers to players, and validates each event before playing it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from random import Random
from typing import Protocol, runtime_checkable

from companion.games.base import (
    Choice,
    Decision,
    DiceRequest,
    Die,
    Event,
    Fields,
    Game,
    JsonObject,
    Option,
    Prompt,
    Refusal,
    State,
)

TRIES = 60
ANSWER_TRIES = 12
"""How many random answers to try for an ask whose options are not all legal together."""
PROMINENCE_WEIGHTS = {1: 600, 2: 300, 3: 100}
"""The weight of a choice, by its rank."""
MENU_WEIGHT = 3
"""The weight of a choice of the menu, such as a ruling or a new card."""
LONG_PRESS_FACTOR = 0.3
"""The weight factor of a choice that needs a held button, because it ends something."""
DICE_WEIGHT = 1.5
"""The weight of rolling the dice, against all choices."""
MAX_FREE_DICE = 4
"""The maximum dice of one kind to roll when the number is free."""
TEXT = "Décision de la table"


@runtime_checkable
class RandomAnswer(Protocol):
    """The `data` of an ask that is answered by a whole form."""

    def random_answer(self, random: Random) -> JsonObject | None:
        """Return a legal answer, or None if there is none."""
        ...


NOTHING: JsonObject = {}
"""What a greedy player returns if the side does nothing now although it may."""


def decision_of(decision: Decision, sides: Collection[str]) -> Decision:
    """Return the part of a decision that belongs to some sides; what belongs to nobody counts if only they may act."""
    owners: set[str | None] = {*sides}
    if set(decision.sides) <= owners:
        owners.add(None)
    choices = tuple(choice for choice in decision.choices if choice.side in owners)
    return replace(decision, choices=choices, dice=_dice_of(decision, owners))


def _dice_of(decision: Decision, owners: Collection[str | None]) -> tuple[DiceRequest, ...]:
    """Return the dice that only these sides roll now; empty if another side rolls with them."""
    first = min((request.order for request in decision.dice), default=0)
    due = [request for request in decision.dice if request.order == first]
    together = [request for request in due if not request.independent]
    if together and all(request.side in owners for request in together):
        return tuple(together)
    return tuple(request for request in due if request.independent and request.side in owners)


def random_side_event(
    game: Game[State, Event], state: State, random: Random, sides: Collection[str]
) -> JsonObject | None:
    """Return a random legal event of some sides, or None if they have none. They never give the match up."""
    own = decision_of(game.decision(state), sides)
    plain = tuple(choice for choice in own.choices if not choice.menu)
    for choices in ([choice for choice in plain if not choice.needs_long_press], plain):
        for _ in range(TRIES):
            fields = _draw_event(game, state, replace(own, choices=tuple(choices)), random)
            if fields is not None and _legal(game, state, fields):
                return dict(fields)
    return None


def random_event(game: Game[State, Event], state: State, random: Random) -> JsonObject:
    """Return a random legal event. The match must not be finished."""
    decision = game.decision(state)
    for _ in range(TRIES):
        fields = _draw_event(game, state, decision, random)
        if fields is not None and _legal(game, state, fields):
            return dict(fields)
    for choice in decision.choices:  # no other choice is legal: give up
        if choice.menu and choice.needs_long_press and _legal(game, state, choice.event):
            return dict(choice.event)
    raise ValueError(f"nothing that {game.id} offers is legal")


def _draw_event(game: Game[State, Event], state: State, decision: Decision, random: Random) -> Fields | None:
    """Return a weighted random roll or choice; None if there is none or no answers are found."""
    offered = [choice for choice in decision.choices if choice.disabled_reason is None]
    weights = [_weight(choice) for choice in offered]
    if decision.dice:
        weights.append(DICE_WEIGHT * max(sum(weights), PROMINENCE_WEIGHTS[1]))
    if not weights:
        return None
    chosen = random.choices([*offered, None][: len(weights)], weights)[0]
    if chosen is None:
        return game.event_from_dice(state, _roll_dice(game, state, decision.dice, random))
    return complete_randomly(chosen, random)


def _weight(choice: Choice) -> float:
    weight = MENU_WEIGHT if choice.menu else PROMINENCE_WEIGHTS[choice.prominence]
    return weight * LONG_PRESS_FACTOR if choice.needs_long_press else weight


def _legal(game: Game[State, Event], state: State, fields: Fields) -> bool:
    try:
        game.validate(state, game.parse(fields))
    except Refusal:
        return False
    return True


def _roll_dice(game: Game[State, Event], state: State, dice: tuple[DiceRequest, ...], random: Random) -> list[Die]:
    """Roll the expected dice."""
    apart = [request for request in dice if request.independent]
    due = [random.choice(apart)] if apart else sorted(dice, key=lambda await_: await_.order)
    found: list[Die] = []
    for await_ in due:
        count = (
            await_.count
            if await_.min_count is None
            else random.randint(await_.min_count, min(await_.count, MAX_FREE_DICE))
        )
        found += [game.roll(state, await_.kind, random) for _ in range(count)]
    return found


def complete_randomly(choice: Choice, random: Random) -> JsonObject | None:
    """Return the event of a choice with a random answer to every ask; None if an ask has no answer."""
    answers: JsonObject = {}
    for prompt in choice.prompts:
        resolved = prompt.resolved(answers)
        if resolved.optional and random.random() < 0.5:
            continue
        answer = _fitting_answer(resolved, answers, random)
        if answer is None:
            if resolved.optional:
                continue
            return None
        answers.update(answer)
    return {**choice.event, **answers}


def _fitting_answer(prompt: Prompt, answers_before: Fields, random: Random) -> JsonObject | None:
    """Return a random answer that is legal with the earlier ones, or None if none is found."""
    answer = _answer(prompt, random)
    for _ in range(ANSWER_TRIES):
        if answer is None or prompt.answers_disabled_reason({**answers_before, **answer}) is None:
            break
        answer = _answer(prompt, random)
    return answer


def _answer(prompt: Prompt, random: Random) -> JsonObject | None:
    if isinstance(prompt.data, RandomAnswer):
        return prompt.data.random_answer(random)
    if prompt.kind == "text":
        return {prompt.field: TEXT}
    if prompt.kind in ("count", "value"):
        return {prompt.field: random.randint(prompt.minimum, prompt.maximum)}
    if prompt.kind == "lineup":
        return dict(prompt.suggested) if isinstance(prompt.suggested, Mapping) else None
    options = [option for option in prompt.options if option.disabled_reason is None]
    if prompt.kind == "counts":
        return {prompt.field: _counts(options, prompt.total, random)}
    if not options:
        return None
    return _picked(prompt, options, random)


def _picked(prompt: Prompt, options: list[Option], random: Random) -> JsonObject | None:
    if prompt.kind == "dice" and isinstance(prompt.data, Mapping):
        by_kind = {kind: [one.value for one in options if one.die and one.die.kind == kind] for kind in prompt.data}
        return {prompt.field: [die for kind, n in prompt.data.items() for die in random.choices(by_kind[kind], k=n)]}
    pool = [option.value for option in options for _ in range(option.maximum or 1)]
    if prompt.maximum:
        times = random.randint(min(prompt.minimum, len(pool)), min(prompt.maximum, len(pool)))
        return {prompt.field: random.sample(pool, times)}
    if prompt.pick_count == 1:
        return {prompt.field: random.choice(pool)}
    return {prompt.field: random.sample(pool, prompt.pick_count)} if len(pool) >= prompt.pick_count else None


def _counts(options: list[Option], total: int | None, random: Random) -> dict[object, int]:
    pool = [option.value for option in options for _ in range(option.maximum or 0)]
    taken = random.sample(pool, len(pool) if total is None else min(total, len(pool)))
    return {value: taken.count(value) for value in dict.fromkeys(taken)}
