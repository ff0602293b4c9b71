"""From a recorded event back to the dice that made it, so that they can be told anew. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from companion.games.base import DiceAwait, Die, Fields, Game
from companion.table.session import Session
from companion.table.throws import FACES

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


def first_dice(dice: Sequence[DiceAwait], count: int) -> tuple[DiceAwait, ...]:
    """The first awaits, in the order of their throwing, that make up so many dice."""
    found: list[DiceAwait] = []
    for await_ in sorted(dice, key=lambda await_: await_.order):
        if sum(other.count for other in found) < count:
            found.append(await_)
    return tuple(found)


def old_faces(game: Game[Any, Any], state: Any, dice: Sequence[DiceAwait], fields: Fields) -> tuple[Die, ...] | None:
    """The dice that made an event; None if it was not made by dice that can be told by touch."""
    if not dice or any(await_.kind not in FACES for await_ in dice):
        return None
    wanted = bare(fields)
    for thrown in _throws(dice):
        if game.throw(state, thrown) == wanted:
            return thrown
    return None


def _throws(dice: Sequence[DiceAwait]) -> Iterator[tuple[Die, ...]]:
    """Every throw of all awaited dice, then of those thrown first alone."""
    orders = sorted({await_.order for await_ in dice})
    for last in reversed(orders):
        thrown = [await_ for await_ in sorted(dice, key=lambda await_: await_.order) if await_.order <= last]
        kinds = [await_.kind for await_ in thrown for _ in range(await_.count)]
        for faces in product(*(FACES[kind] for kind in kinds)):
            yield tuple(
                Die(kind, face.value, face.colour, face.symbol) for kind, face in zip(kinds, faces, strict=True)
            )
