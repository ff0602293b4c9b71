"""The random player of every game: it throws the dice that are awaited or takes one of the choices that are offered.

It knows no rule. What it may do is what `Game.awaits` offers to people; each event is tried on the rules before it is
played.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Protocol, runtime_checkable

from companion.games.base import (
    Ask,
    Awaits,
    Choice,
    DiceAwait,
    Die,
    Event,
    Fields,
    Game,
    JsonObject,
    Option,
    Refusal,
    State,
)

TRIES = 60
ANSWER_TRIES = 12
"""Answers to one ask, of those whose options cannot all be taken together."""
WEIGHTS = {1: 600, 2: 300, 3: 100}
"""How often a choice is taken, by its rank."""
MENU_WEIGHT = 3
"""How often one of the menu is taken: a ruling, a new card."""
HELD_FACTOR = 0.3
"""How much less often one is taken that a button must be held for: it ends something."""
DICE_WEIGHT = 1.5
"""How often the dice are thrown, beside all that there is to choose."""
MOST_FREE = 4
"""Dice of one kind that are thrown where the number is free."""
TEXT = "Décision de la table"


@runtime_checkable
class Invents(Protocol):
    """The `data` of an ask that a whole form answers."""

    def invent(self, random: Random) -> JsonObject | None:
        """A legal answer, None if there is none."""
        ...


def random_event(game: Game[State, Event], state: State, random: Random) -> JsonObject:
    """Some event that is legal now. Only for a match that is not finished."""
    awaited = game.awaits(state)
    for _ in range(TRIES):
        fields = _drawn(game, state, awaited, random)
        if fields is not None and _legal(game, state, fields):
            return dict(fields)
    for choice in awaited.choices:  # nothing else is legal: give up
        if choice.menu and choice.held and _legal(game, state, choice.event):
            return dict(choice.event)
    raise ValueError(f"nothing that {game.id} offers is legal")


def _drawn(game: Game[State, Event], state: State, awaited: Awaits, random: Random) -> Fields | None:
    """A throw or a choice, by weight; None where there is none or its answers are not found."""
    offered = [choice for choice in awaited.choices if choice.barred is None]
    weights = [_weight(choice) for choice in offered]
    if awaited.dice:
        weights.append(DICE_WEIGHT * max(sum(weights), WEIGHTS[1]))
    if not weights:
        return None
    chosen = random.choices([*offered, None][: len(weights)], weights)[0]
    if chosen is None:
        return game.throw(state, _thrown(game, state, awaited.dice, random))
    return complete(chosen, random)


def _weight(choice: Choice) -> float:
    weight = MENU_WEIGHT if choice.menu else WEIGHTS[choice.rank]
    return weight * HELD_FACTOR if choice.held else weight


def _legal(game: Game[State, Event], state: State, fields: Fields) -> bool:
    try:
        game.decide(state, game.parse(fields))
    except Refusal:
        return False
    return True


def _thrown(game: Game[State, Event], state: State, dice: tuple[DiceAwait, ...], random: Random) -> list[Die]:
    """The dice awaited, as they fall."""
    apart = [await_ for await_ in dice if await_.apart]
    due = [random.choice(apart)] if apart else sorted(dice, key=lambda await_: await_.order)
    found: list[Die] = []
    for await_ in due:
        count = await_.count if await_.least is None else random.randint(await_.least, min(await_.count, MOST_FREE))
        found += [game.roll(state, await_.kind, random) for _ in range(count)]
    return found


def complete(choice: Choice, random: Random) -> JsonObject | None:
    """The event of a choice with a random answer to every ask; None if one has none."""
    answers: JsonObject = {}
    for ask in choice.asks:
        made = ask.resolved(answers)
        if made.optional and random.random() < 0.5:
            continue
        answer = _fitting(made, answers, random)
        if answer is None:
            if made.optional:
                continue
            return None
        answers.update(answer)
    return {**choice.event, **answers}


def _fitting(ask: Ask, before: Fields, random: Random) -> JsonObject | None:
    """An answer that fits those before it, where one is found."""
    answer = _answer(ask, random)
    for _ in range(ANSWER_TRIES):
        if answer is None or ask.answers_barred({**before, **answer}) is None:
            break
        answer = _answer(ask, random)
    return answer


def _answer(ask: Ask, random: Random) -> JsonObject | None:
    if isinstance(ask.data, Invents):
        return ask.data.invent(random)
    if ask.kind == "text":
        return {ask.field: TEXT}
    if ask.kind in ("count", "value"):
        return {ask.field: random.randint(ask.least, ask.most)}
    if ask.kind == "lineup":
        return dict(ask.suggested) if isinstance(ask.suggested, Mapping) else None
    options = [option for option in ask.options if option.barred is None]
    if ask.kind == "counts":
        return {ask.field: _counts(options, ask.total, random)}
    if not options:
        return None
    return _picked(ask, options, random)


def _picked(ask: Ask, options: list[Option], random: Random) -> JsonObject | None:
    if ask.kind == "dice" and isinstance(ask.data, Mapping):
        by_kind = {kind: [one.value for one in options if one.die and one.die.kind == kind] for kind in ask.data}
        return {ask.field: [die for kind, n in ask.data.items() for die in random.choices(by_kind[kind], k=n)]}
    pool = [option.value for option in options for _ in range(option.most or 1)]
    if ask.most:
        times = random.randint(min(ask.least, len(pool)), min(ask.most, len(pool)))
        return {ask.field: random.sample(pool, times)}
    if ask.times == 1:
        return {ask.field: random.choice(pool)}
    return {ask.field: random.sample(pool, ask.times)} if len(pool) >= ask.times else None


def _counts(options: list[Option], total: int | None, random: Random) -> dict[object, int]:
    pool = [option.value for option in options for _ in range(option.most or 0)]
    taken = random.sample(pool, len(pool) if total is None else min(total, len(pool)))
    return {value: taken.count(value) for value in dict.fromkeys(taken)}
