"""From a recorded event back to the dice that made it, so that they can be told anew."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.app.asks.faces import drawn
from companion.games.base import DiceAwait, Die, Fields, Game, Refusal
from companion.table.session import Session

FREE = ("at", "by", "note")
"""Fields that no rule looks at."""


def state_before(session: Session, line: int) -> Any:
    """The situation in which the standing event of a line was recorded. StopIteration if none stands there."""
    standing = session.ledger.standing
    at = next(index for index, event in enumerate(standing) if event.line == line)
    return standing[at - 1].state_after if at else session.ledger.initial


def made_by_dice(session: Session, line: int) -> bool:
    """Whether dice made the standing event of a line."""
    state = state_before(session, line)
    game = session.game
    fields = next(event.fields for event in session.ledger.standing if event.line == line)
    return old_faces(game, state, game.awaits(state).dice, fields) is not None


def bare(fields: Fields) -> dict[str, Any]:
    """An event without the fields that no rule looks at."""
    return {key: value for key, value in fields.items() if key not in FREE}


def same(session: Session, one: Fields, other: Fields) -> bool:
    """Whether two events come to the same fact, however they are written."""
    try:
        return bool(session.game.parse(bare(one)) == session.game.parse(bare(other)))
    except Refusal:
        return bare(one) == bare(other)


def first_dice(dice: Sequence[DiceAwait], thrown: Sequence[Die]) -> tuple[DiceAwait, ...]:
    """The first awaits, in the order of their throwing, that these dice fulfil; of a race, those of their side."""
    found: list[DiceAwait] = []
    kinds, count = {die.kind for die in thrown}, len(thrown)
    dice = [await_ for await_ in dice if not await_.apart or await_.kind in kinds]
    for await_ in sorted(dice, key=lambda await_: await_.order):
        if sum(other.count for other in found) < count:
            found.append(await_)
    return tuple(found)


def old_faces(game: Game[Any, Any], state: Any, dice: Sequence[DiceAwait], fields: Fields) -> tuple[Die, ...] | None:
    """The dice that made an event; None if it was not made by dice that can be told by touch."""
    if not drawn(dice):
        return None
    thrown = game.dice(fields)
    return thrown if thrown and game.throw(state, thrown) == bare(fields) else None
