"""The random player of every game: it throws the dice that are awaited or takes one of the choices that are offered.

It knows no rule. What it may do is what `Game.awaits` offers to people; each event is tried on the rules before it is
played.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, Protocol, runtime_checkable

from companion.games.base import Ask, Awaits, Choice, DiceAwait, Die, Fields, Game, Option, Refusal

TRIES = 60
MENU_CHANCE = 0.003
"""How often something is taken from the menu: a ruling, giving up."""
DICE_CHANCE = 0.6
"""How often the dice are thrown where there is something to choose besides."""
WEIGHTS = {1: 6, 2: 3, 3: 1}
"""How often a choice is taken, by its rank."""
MOST_FREE = 4
"""Dice of one kind that are thrown where the number is free."""
TEXT = "Décision de la table"


@runtime_checkable
class After(Protocol):
    """The `data` of an ask that depends on the answers before it."""

    def after(self, answers: Mapping[str, Any]) -> Ask: ...


def random_event(game: Game[Any, Any], state: Any, random: Random) -> dict[str, Any]:
    """Some event that is legal now. Only for a match that is not finished."""
    awaited = game.awaits(state)
    for _ in range(TRIES):
        for fields in _tried(game, state, awaited, random):
            if _legal(game, state, fields):
                return dict(fields)
    for choice in awaited.choices:  # nothing else is legal: give up
        if choice.menu and choice.held and _legal(game, state, choice.event):
            return dict(choice.event)
    raise ValueError(f"nothing that {game.id} offers is legal")


def _tried(game: Game[Any, Any], state: Any, awaited: Awaits, random: Random) -> Iterator[Fields]:
    """One throw and one choice, in random order."""
    free = [choice for choice in awaited.choices if choice.barred is None]
    menu = random.random() < MENU_CHANCE
    offered = [choice for choice in free if choice.menu == menu]
    thrown = game.throw(state, _thrown(game, state, awaited.dice, random)) if awaited.dice else None
    if thrown is not None and (not offered or random.random() < DICE_CHANCE):
        yield thrown
    if offered:
        chosen = random.choices(offered, [1 if choice.held else WEIGHTS[choice.rank] for choice in offered])[0]
        answers = _answers(chosen, random)
        if answers is not None:
            yield {**chosen.event, **answers}


def _legal(game: Game[Any, Any], state: Any, fields: Fields) -> bool:
    try:
        game.decide(state, game.parse(fields))
    except Refusal:
        return False
    return True


def _thrown(game: Game[Any, Any], state: Any, dice: tuple[DiceAwait, ...], random: Random) -> list[Die]:
    """The dice awaited, as they fall."""
    apart = [await_ for await_ in dice if await_.apart]
    due = [random.choice(apart)] if apart else sorted(dice, key=lambda await_: await_.order)
    found: list[Die] = []
    for await_ in due:
        count = await_.count if await_.least is None else random.randint(await_.least, min(await_.count, MOST_FREE))
        found += random.choices(game.faces(state, await_.kind), k=count)
    return found


def _answers(choice: Choice, random: Random) -> dict[str, Any] | None:
    """An answer to every ask of a choice; None if one has none."""
    answers: dict[str, Any] = {}
    for ask in choice.asks:
        made = ask.data.after(answers) if isinstance(ask.data, After) else ask
        if made.optional and random.random() < 0.5:
            continue
        answer = _answer(made, random)
        if answer is None:
            if made.optional:
                continue
            return None
        answers.update(answer)
    return answers


def _answer(ask: Ask, random: Random) -> dict[str, Any] | None:
    if ask.kind == "text":
        return {ask.field: TEXT}
    if ask.kind in ("count", "value"):
        return {ask.field: random.randint(ask.least, ask.most)}
    if ask.kind == "lineup":
        return None if ask.suggested is None else dict(ask.suggested)
    options = [option for option in ask.options if option.barred is None]
    if ask.kind == "counts":
        return {ask.field: _counts(options, ask.total, random)}
    if not options:
        return None
    return _picked(ask, options, random)


def _picked(ask: Ask, options: list[Option], random: Random) -> dict[str, Any] | None:
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


def _counts(options: list[Option], total: int | None, random: Random) -> dict[Any, int]:
    pool = [option.value for option in options for _ in range(option.most or 0)]
    taken = random.sample(pool, len(pool) if total is None else min(total, len(pool)))
    return {value: taken.count(value) for value in dict.fromkeys(taken)}
