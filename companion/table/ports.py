"""What the table needs from outside: a reader of dice and outputs that are told the news. Both are handed in."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol, runtime_checkable

from companion.games.base import DiceAwait, Die, Fields, Message, Outcome
from vision.calibration_words import CalibrationNews, CalibrationOrder
from vision.roll import CameraState, RollRequest, SeenRoll, TrayPicture

log = logging.getLogger(__name__)

ReaderNews = SeenRoll | TrayPicture | CameraState | CalibrationNews


class ReaderPort(Protocol):
    """A reader of dice, in its own process or not. No call blocks."""

    def request(self, request: RollRequest) -> None:
        """Says which dice are awaited, before they land."""
        ...

    def poll(self) -> Sequence[ReaderNews]:
        """What was seen since the last call, oldest first."""
        ...

    def show_tray(self, on: bool) -> None:
        """Whether pictures of the tray are wanted as they come."""
        ...

    def close(self) -> None: ...


@runtime_checkable
class DiceThrower(Protocol):
    """A simulated table: its dice are thrown from the screen."""

    def throw_due(self, dice: Sequence[DiceAwait], beside: bool) -> None:
        """Throws these dice, beside those that lie there or into the cleared tray; faces by chance."""
        ...


@runtime_checkable
class CalibratableReader(Protocol):
    """A reader whose camera can be set up; what comes of an order is told by `poll`."""

    def calibrate(self, order: CalibrationOrder) -> None:
        """Does a step, keeps what was found, or leaves all as it was."""
        ...


@runtime_checkable
class SimulatedCalibration(Protocol):
    """A simulated table, at which the program lays the calibration card down and throws a die to try."""

    def lay_card(self, is_present: bool) -> None:
        """Lays the card into the tray, or clears the tray."""
        ...

    def throw_test_die(self) -> None:
        """Throws one die into the cleared tray; its face by chance."""
        ...


@runtime_checkable
class MotionListener(Protocol):
    """A reader that takes the tray's word for dice that move."""

    def on_motion(self, moving: bool | None) -> None:
        """Dice move or a hand is in the tray, or no longer; None: nothing feels it. A hint: the pictures decide."""
        ...


class DiceMemory(Protocol):
    """What players have confirmed about the faces of this table's own dice. It outlives the match."""

    def is_confirmed(self, die: Die) -> bool:
        """Whether it is known that a die of this table has this face; one that was never in question is."""
        ...

    def confirm(self, die: Die) -> None:
        """Remembers a face that a player told."""
        ...

    def with_known_faces(self, header: Fields) -> Fields:
        """The header of a new match with what is known of the faces, if the header does not say it itself."""
        ...


class NewsKind(StrEnum):
    """What an output may be told."""

    EVENT = "entry"
    UNDO = "undo"
    CORRECT = "correct"
    QUESTION = "question"
    NOTICE = "notice"
    CAMERA = "camera"
    TRAY = "tray"
    DICE = "dice"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class News:
    """Something that is already on disk (entries) or true now (the others).

    TRAY: a new picture of the tray. DICE: other dice lie in it. `line` and `fields` are given for entries, undo and
    correct; `text` is the sentence for it where there is one.
    """

    kind: NewsKind
    line: int | None = None
    fields: Fields = field(default_factory=dict)
    outcome: Outcome | None = None
    text: Message | None = None


class Output(Protocol):
    """Screen, lights, voice, hub outbox: told in order, returns nothing."""

    def __call__(self, news: News, /) -> None: ...


class Outputs:
    """The outputs of one session, told in the order in which they subscribed."""

    def __init__(self) -> None:
        self._outputs: list[Output] = []

    def subscribe(self, output: Output) -> None:
        self._outputs.append(output)

    def unsubscribe(self, output: Output) -> None:
        """Stop telling an output; nothing for one that is not subscribed."""
        if output in self._outputs:
            self._outputs.remove(output)

    def notify(self, news: News) -> None:
        """Tells every output. One that fails is logged and stops nobody."""
        for output in tuple(self._outputs):
            try:
                output(news)
            except Exception:
                log.exception("an output failed on %s", news.kind)
