"""Corrects a recorded roll: from an event back to the dice that made it, and a sheet on which they are told anew."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kivy.metrics import dp
from kivy.uix.widget import Widget

from companion.app.asks.dice import CountedFace, CountedFaces, FaceGroup, FaceRows, die_rows, drawn, face_word
from companion.app.display import display, say, text
from companion.app.figures.tray import Boxed, Photograph
from companion.app.widgets.pieces import Box, Scroller, VBox
from companion.app.widgets.sheet import Sheet
from companion.app.widgets.text import Head, Text
from companion.games.base import AnyGame, DiceAwait, Die, Fields, GameState, JsonObject, Refusal
from companion.table.session import Session
from companion.table.throws import faces_of
from vision.roll import Face

if TYPE_CHECKING:
    from companion.app.screens.match_page import MatchPage


FREE = ("at", "by", "note")
"""Fields that no rule looks at."""


def state_before(session: Session, line: int) -> GameState:
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


def bare(fields: Fields) -> JsonObject:
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


def old_faces(game: AnyGame, state: GameState, dice: Sequence[DiceAwait], fields: Fields) -> tuple[Die, ...] | None:
    """The dice that made an event; None if it was not made by dice that can be told by touch."""
    if not drawn(dice):
        return None
    thrown = game.dice(fields)
    return thrown if thrown and game.throw(state, thrown) == bare(fields) else None


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
    rows = CountedRows(groups, lambda values: done(tuple(die for die in values if isinstance(die, Die))), told)
    rows.tall = dp(_LINE) * len(groups) + (dp(_DONE) if told else 0)
    return rows


_LOOKED_AT = 12
"""So many facts are looked through for the newest roll: further back the timeline is the way."""


@dataclass(frozen=True, slots=True)
class RollFact:
    """A standing fact that dice made: its line, the situation before it, the dice awaited then and those that fell."""

    line: int
    state: GameState
    dice: tuple[DiceAwait, ...]
    fell: tuple[Die, ...]


def roll_on(session: Session, line: int) -> RollFact | None:
    """The roll that stands on a line; None if the fact there was not made by dice that can be told by touch."""
    fields = next((event.fields for event in session.ledger.standing if event.line == line), None)
    if fields is None or not session.game.dice(fields):
        return None
    state = state_before(session, line)
    dice = session.game.awaits(state).dice
    fell = old_faces(session.game, state, dice, fields)
    return None if fell is None else RollFact(line, state, first_dice(dice, fell), fell)


def newest_roll(session: Session) -> RollFact | None:
    """The roll thrown last, if it is not too far back."""
    for event in reversed(session.ledger.standing[-_LOOKED_AT:]):
        roll = roll_on(session, event.line)
        if roll is not None:
            return roll
    return None


class RollSheet(Sheet):
    """A face tapped is what lay there. The newest fact is corrected at once; one that others follow is shown first."""

    def __init__(self, page: MatchPage, roll: RollFact) -> None:
        self._page, self._roll = page, roll
        upright = display.portrait
        body = Box(orientation="vertical" if upright else "horizontal", spacing=dp(14))
        picture = self._picture()
        if picture is not None:
            body.add_widget(picture)
        body.add_widget(self._faces())
        super().__init__(say("app.mend.title"), body, box=(0.02, 0.04, 0.96, 0.92))

    def _picture(self) -> Widget | None:
        kept = self._page.session.pictures(self._roll.line)
        if not kept.tray:
            return None
        boxes = [Boxed(die.box, face_word(die.face)) for die in kept.dice if die.certain]
        picture = Photograph(kept.tray, boxes, whole=True, boxes_in=kept.size)
        if display.portrait:
            picture.size_hint_y, picture.height = None, dp(190)
        else:
            picture.size_hint, picture.size, picture.pos_hint = (None, None), (dp(210), dp(150)), {"top": 1}
        return picture

    def _faces(self) -> Widget:
        page, roll = self._page, self._roll
        row = next(row for row in page.session.timeline() if row.line == roll.line)
        column = VBox(Head(text(row.text), kind="bouton", halign="left"), spacing=dp(10), grows=True)
        column.add_widget(Text(say("app.mend.how"), tone="craie2", halign="left"))
        if len(roll.fell) > MANY:
            counted = counted_rows(page.session, roll.dice, self._told, told=roll.fell)
            counted.size_hint_y, counted.height = None, counted.tall
            column.add_widget(counted)
        else:
            was = [Face(die.value, die.colour, die.symbol) for die in roll.fell]
            rows = die_rows(page.session, roll.dice)
            column.add_widget(FaceRows(rows, page.sides(), self._told, told=was, was=was, labels=True))
        return Scroller(column)

    def _told(self, dice: tuple[Die, ...]) -> None:
        session = self._page.session
        fields = session.game.throw(self._roll.state, dice)
        self._page.take(self)
        if fields is None or tuple(dice) == self._roll.fell:
            return
        faces = [Face(die.value, die.colour, die.symbol) for die in dice]
        self._page.correct_line(self._roll.line, fields, {"faces": faces, "dice": dice})
