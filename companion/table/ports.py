"""Interfaces of the table: the dice reader and the outputs for news. Both are injected."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol, runtime_checkable

from companion.games.base import DiceRequest, Die, Fields, Message, Outcome
from vision.calibration_messages import CalibrationCommand, CalibrationNews
from vision.roll import CameraState, RollRequest, SeenRoll, TrayPicture

log = logging.getLogger(__name__)

ReaderNews = SeenRoll | TrayPicture | CameraState | CalibrationNews


class ReaderPort(Protocol):
    """A dice reader, in its own process or not. No call blocks."""

    def request(self, request: RollRequest) -> None:
        """Announce the awaited dice before they land."""
        ...

    def poll(self) -> Sequence[ReaderNews]:
        """Return the reports since the last call, oldest first."""
        ...

    def show_tray(self, on: bool) -> None:
        """Turn live pictures of the tray on or off."""
        ...

    def close(self) -> None: ...


@runtime_checkable
class DiceThrower(Protocol):
    """A simulated table: its dice are thrown from the screen."""

    def throw_due(self, dice: Sequence[DiceRequest], beside: bool, picked_up: Sequence[Die] = ()) -> None:
        """Throw these dice with random faces, beside the dice in the tray or into the cleared tray.

        `picked_up` are dice in the tray, by their faces, that are taken out before the throw.
        """
        ...


@runtime_checkable
class CalibratableReader(Protocol):
    """A reader whose camera can be calibrated. `poll` returns the result of an order."""

    def calibrate(self, order: CalibrationCommand) -> None:
        """Run a calibration step, save the result, or cancel."""
        ...


@runtime_checkable
class SimulatedCalibration(Protocol):
    """A simulated table, where the program places the calibration card and throws a test die."""

    def lay_card(self, is_present: bool) -> None:
        """Place the card in the tray, or clear the tray."""
        ...

    def throw_test_die(self) -> None:
        """Throw one die with a random face into the cleared tray."""
        ...


@runtime_checkable
class MotionListener(Protocol):
    """A reader that accepts motion hints from the tray."""

    def on_motion(self, moving: bool | None) -> None:
        """Report whether dice or a hand move in the tray; None if no sensor knows. A hint: the pictures decide."""
        ...


class DiceMemory(Protocol):
    """Face confirmations by players for this table's own dice. Persists across matches."""

    def is_confirmed(self, die: Die) -> bool:
        """Return True if a die of this table is known to have this face, or if the face was never in question."""
        ...

    def confirm(self, die: Die) -> None:
        """Remember a face confirmed by a player."""
        ...

    def with_known_faces(self, header: Fields) -> Fields:
        """Return a match header with the known faces, unless it already has them."""
        ...


class NewsKind(StrEnum):
    """Kinds of news for outputs."""

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
    """A news item: already on disk (entries) or currently true (the others).

    - `TRAY`: a new picture of the tray
    - `DICE`: the dice in the tray have changed
    - `line`, `fields`: set for entries, undo and correct
    - `text`: the message, if there is one
    """

    kind: NewsKind
    line: int | None = None
    fields: Fields = field(default_factory=dict)
    outcome: Outcome | None = None
    text: Message | None = None


class Output(Protocol):
    """An output: screen, lights, voice or hub outbox. Called in order; returns nothing."""

    def __call__(self, news: News, /) -> None: ...


class Outputs:
    """The outputs of one session, notified in order of subscription."""

    def __init__(self) -> None:
        self._outputs: list[Output] = []

    def subscribe(self, output: Output) -> None:
        self._outputs.append(output)

    def unsubscribe(self, output: Output) -> None:
        """Unsubscribe an output. Does nothing if it is not subscribed."""
        if output in self._outputs:
            self._outputs.remove(output)

    def notify(self, news: News) -> None:
        """Notify every output. A failing output is logged and does not affect the others."""
        for output in tuple(self._outputs):
            try:
                output(news)
            except Exception:
                log.exception("an output failed on %s", news.kind)
