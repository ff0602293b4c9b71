"""Which widget tells dice by touch: a row of faces for each of a few dice, the faces with a count for many."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kivy.metrics import dp

from companion.app.asks.counted_faces import CountedFace, CountedFaces, FaceGroup
from companion.app.asks.faces import face_word
from companion.app.figures.words import say
from companion.games.base import DiceAwait, Die
from companion.table.session import Session
from companion.table.throws import faces_of

MANY = 4
"""More dice than this are told by numbers."""
_LINE, _DONE = 62, 64


class CountedRows(CountedFaces):
    """`tall` is the height in pixels that all of it takes."""

    tall = 0.0


def counted_rows(
    session: Session,
    dice: Sequence[DiceAwait],
    done: Callable[[tuple[Die, ...]], None],
    told: Sequence[Die] = (),
) -> CountedRows:
    """The faces of every kind of dice awaited; `told` are dice known from the start."""
    groups = []
    for await_ in sorted(dice, key=lambda await_: await_.order):
        faces = tuple(
            CountedFace(Die(await_.kind, face.value, face.colour, face.symbol), face, face_word(face))
            for face in faces_of(session.game, session.state, await_.kind)
        )
        label = say(f"app.table.dice.{await_.kind}")
        groups.append(FaceGroup(await_.kind, label, await_.count, await_.count, faces, await_.side or ""))
    rows = CountedRows(groups, lambda values: done(tuple(values)), told)
    rows.tall = dp(_LINE) * len(groups) + (dp(_DONE) if told else 0)
    return rows
