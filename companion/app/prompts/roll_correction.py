"""Correction of a recorded roll: finds the dice of an event, and shows a sheet to enter them again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kivy.metrics import dp
from kivy.uix.widget import Widget

from companion.app.display import display, text, translate
from companion.app.figures.tray import DieBox, Photograph
from companion.app.prompts.dice import FaceCounter, FaceGroup, FaceOption, FaceRows, die_rows, face_text, is_drawable
from companion.app.widgets.components import Box, Scroller, VBox
from companion.app.widgets.sheet import Sheet
from companion.app.widgets.text import BoldText, Text
from companion.games.base import AnyGame, DiceRequest, Die, Fields, GameState, JsonObject, Refusal
from companion.table.session import Session
from companion.table.throws import faces_of
from vision.roll import Face

if TYPE_CHECKING:
    from companion.app.screens.match_page import MatchPage


IGNORED_FIELDS = ("at", "by", "note")
"""Fields that no rule uses."""


def state_before(session: Session, line: int) -> GameState:
    """Return the game state before the event on a journal line. Raises: StopIteration if there is no valid event."""
    standing = session.ledger.events
    at = next(index for index, event in enumerate(standing) if event.line == line)
    return standing[at - 1].state_after if at else session.ledger.initial_state


def is_made_by_dice(session: Session, line: int) -> bool:
    """True if the event on a journal line was made by dice."""
    state = state_before(session, line)
    game = session.game
    fields = next(event.fields for event in session.ledger.events if event.line == line)
    return recorded_dice(game, state, game.decision(state).dice, fields) is not None


def without_ignored_fields(fields: Fields) -> JsonObject:
    """Return an event without the fields that no rule uses."""
    return {key: value for key, value in fields.items() if key not in IGNORED_FIELDS}


def is_same_event(session: Session, one: Fields, other: Fields) -> bool:
    """True if two events have the same meaning, even if written differently."""
    try:
        return bool(
            session.game.parse(without_ignored_fields(one)) == session.game.parse(without_ignored_fields(other))
        )
    except Refusal:
        return without_ignored_fields(one) == without_ignored_fields(other)


def matching_requests(dice: Sequence[DiceRequest], thrown: Sequence[Die]) -> tuple[DiceRequest, ...]:
    """Return the first awaited dice, in rolling order, that these dice satisfy; in a race, those of their side."""
    found: list[DiceRequest] = []
    kinds, count = {die.kind for die in thrown}, len(thrown)
    dice = [request for request in dice if not request.independent or request.kind in kinds]
    for request in sorted(dice, key=lambda request: request.order):
        if sum(other.count for other in found) < count:
            found.append(request)
    return tuple(found)


def recorded_dice(
    game: AnyGame, state: GameState, dice: Sequence[DiceRequest], fields: Fields
) -> tuple[Die, ...] | None:
    """Return the dice that made an event, or None if it was not made by dice that can be entered manually."""
    if not is_drawable(dice):
        return None
    thrown = game.dice_from_event(fields)
    return thrown if thrown and game.event_from_dice(state, thrown) == without_ignored_fields(fields) else None


MAX_DICE_ROWS = 4
"""Larger numbers of dice are entered by counts."""
_LINE, _DONE = 62, 64


class FaceCountRows(FaceCounter):
    """Count rows with their total height in pixels, `tall`."""

    tall = 0.0


def face_count_rows(
    session: Session,
    dice: Sequence[DiceRequest],
    done: Callable[[tuple[Die, ...]], None],
    initial: Sequence[Die] = (),
) -> FaceCountRows:
    """Return the faces of every kind of awaited dice; `initial` are dice that are already known."""
    groups = []
    for request in sorted(dice, key=lambda request: request.order):
        faces = tuple(
            FaceOption(Die(request.kind, face.value, face.colour, face.symbol), face, face_text(face))
            for face in faces_of(session.game, session.state, request.kind)
        )
        label = translate(f"app.table.dice.{request.kind}")
        groups.append(FaceGroup(request.kind, label, request.count, request.count, faces, request.side or ""))
    rows = FaceCountRows(groups, lambda values: done(tuple(die for die in values if isinstance(die, Die))), initial)
    rows.tall = dp(_LINE) * len(groups) + (dp(_DONE) if initial else 0)
    return rows


_LOOKBACK_EVENTS = 12
"""How many events to search for the newest roll. Older rolls are corrected in the timeline."""


@dataclass(frozen=True, slots=True)
class RecordedRoll:
    """A valid event made by dice: its line, the state before it, the awaited dice and the rolled dice."""

    line: int
    state: GameState
    dice: tuple[DiceRequest, ...]
    rolled: tuple[Die, ...]


def roll_at_line(session: Session, line: int) -> RecordedRoll | None:
    """Return the roll on a journal line, or None if its event was not made by dice that can be entered manually."""
    fields = next((event.fields for event in session.ledger.events if event.line == line), None)
    if fields is None or not session.game.dice_from_event(fields):
        return None
    state = state_before(session, line)
    dice = session.game.decision(state).dice
    fell = recorded_dice(session.game, state, dice, fields)
    return None if fell is None else RecordedRoll(line, state, matching_requests(dice, fell), fell)


def newest_roll(session: Session) -> RecordedRoll | None:
    """Return the last roll, if it is recent enough."""
    for event in reversed(session.ledger.events[-_LOOKBACK_EVENTS:]):
        roll = roll_at_line(session, event.line)
        if roll is not None:
            return roll
    return None


class RollSheet(Sheet):
    """Sheet to correct the faces of a roll. The newest event is corrected at once; older ones are previewed."""

    def __init__(self, page: MatchPage, roll: RecordedRoll) -> None:
        self._page, self._roll = page, roll
        upright = display.portrait
        body = Box(orientation="vertical" if upright else "horizontal", spacing=dp(14))
        picture = self._picture()
        if picture is not None:
            body.add_widget(picture)
        body.add_widget(self._faces())
        super().__init__(translate("app.mend.title"), body, box=(0.02, 0.04, 0.96, 0.92))

    def _picture(self) -> Widget | None:
        pictures = self._page.session.pictures(self._roll.line)
        if not pictures.tray:
            return None
        boxes = [DieBox(die.box, face_text(die.face)) for die in pictures.dice if die.certain]
        picture = Photograph(pictures.tray, boxes, whole=True, boxes_in=pictures.size)
        if display.portrait:
            picture.size_hint_y, picture.height = None, dp(190)
        else:
            picture.size_hint, picture.size, picture.pos_hint = (None, None), (dp(210), dp(150)), {"top": 1}
        return picture

    def _faces(self) -> Widget:
        page, roll = self._page, self._roll
        row = next(row for row in page.session.timeline() if row.line == roll.line)
        column = VBox(BoldText(text(row.text), kind="bouton", halign="left"), spacing=dp(10), grows=True)
        column.add_widget(Text(translate("app.mend.how"), tone="craie2", halign="left"))
        if len(roll.rolled) > MAX_DICE_ROWS:
            counter = face_count_rows(page.session, roll.dice, self._on_dice_chosen, initial=roll.rolled)
            counter.size_hint_y, counter.height = None, counter.tall
            column.add_widget(counter)
        else:
            was = [Face(die.value, die.colour, die.symbol) for die in roll.rolled]
            rows = die_rows(page.session, roll.dice)
            column.add_widget(FaceRows(rows, page.sides(), self._on_dice_chosen, known_faces=was, was=was, labels=True))
        return Scroller(column)

    def _on_dice_chosen(self, dice: tuple[Die, ...]) -> None:
        session = self._page.session
        fields = session.game.event_from_dice(self._roll.state, dice)
        self._page.remove_sheet(self)
        if fields is None or tuple(dice) == self._roll.rolled:
            return
        faces = [Face(die.value, die.colour, die.symbol) for die in dice]
        self._page.correct_line(self._roll.line, fields, {"faces": faces, "dice": dice})
