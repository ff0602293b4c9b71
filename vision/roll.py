"""Reading results shared with the application: dice readings, rolls, and the request that precedes a roll.

Uses the standard library only. `vision` passes its results to the table as these frozen values. The application knows
nothing else of `vision` (ARCHITECTURE.md, "Packages").
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from math import hypot

Box = tuple[float, float, float, float]
"""x, y, width, height in pixels of the upright image."""

BALL_COLOURS = ("red", "orange", "yellow", "green", "blue", "violet")
"""Colours of plain faces in the order of the ribbon (FC-1.10): the faces of a ball die."""


class Doubt(StrEnum):
    """The reason why a die is uncertain (docs/CONTRACT.md, `doubt`)."""

    FACE = "face"
    COCKED = "cocked"
    BLURRED = "blurred"
    CUT_OFF = "cut_off"
    FOREIGN = "foreign"
    HIDDEN = "hidden"


class Status(StrEnum):
    """The result for an image as a whole (docs/CONTRACT.md, `status`)."""

    OK = "ok"
    ASK = "ask"
    EMPTY = "empty"
    ERROR = "error"


class Note(StrEnum):
    """A factor that changed the reading of an image as a whole, usually the roll request.

    Such a change is always reported in `Roll.notes`.
    """

    COUNT_MISMATCH = "another_count"
    """Every die is certain, but their number or kinds differ from the request. The status is `ask`."""

    FAINT_CANDIDATE_IGNORED = "trace_passed_over"
    """A find that is probably not a die was ignored: all requested dice are present, or a better find exists."""

    INFERRED_FROM_COUNT = "told_by_count"
    """As many dice are present as were requested, and this decided the kind of a die or that a find is a die."""

    POOR_LIGHT = "poor_light"
    """The image is overexposed, or so dark that noise may hide dice. Dice may be missing, so the status is `ask`."""


@dataclass(frozen=True, slots=True, order=True)
class Face:
    """The upper side of a die. Attributes that a kind of die does not have are None."""

    value: int | None = None
    colour: str | None = None
    symbol: str | None = None

    def __str__(self) -> str:
        parts = [str(part) for part in (self.colour, self.value, self.symbol) if part is not None]
        return " ".join(parts) or "?"


@dataclass(frozen=True, slots=True)
class DieReading:
    """One die in an image.

    `possible` lists every face that cannot be ruled out, with its probability, most likely first:
    - a certain die: exactly `face`;
    - `doubt` is FACE: at least two faces;
    - a die that could not be read: possibly none.
    """

    kind: str
    face: Face
    box: Box
    confidence: float
    doubt: Doubt | None = None
    body: str | None = None
    possible: tuple[tuple[Face, float], ...] = ()

    @property
    def certain(self) -> bool:
        return self.doubt is None

    def gap(self, other: DieReading) -> float:
        """Return the distance between the centres of two readings, in widths of the larger one."""
        (ax, ay, aw, ah), (bx, by, bw, bh) = self.box, other.box
        return hypot(ax + aw / 2 - bx - bw / 2, ay + ah / 2 - by - bh / 2) / max(aw, ah, bw, bh, 1.0)


@dataclass(frozen=True, slots=True)
class Roll:
    """The dice in the tray, from a settled throw or from one image.

    - `t`: seconds from the start of the source to the last frame used; None for a single image.
    - `again`: the same roll was read again after a die was moved.
    - `ms`: milliseconds from the decoded image to the reading.
    - `notes`: other factors that changed the reading.
    """

    status: Status
    dice: tuple[DieReading, ...] = ()
    ms: float = 0.0
    t: float | None = None
    again: bool = False
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True)
class RollRequest:
    """The dice that the game expects. Passed to the reader before the dice land.

    `kinds` lists the expected kinds of dice and the number of each, None if any number is allowed. Empty means any
    number of any kind.
    """

    dice_set: str = "pips"
    kinds: tuple[tuple[str, int | None], ...] = field(default=())

    @property
    def count(self) -> int | None:
        """Return the total number of expected dice, None if any number is allowed."""
        counts = [count for _, count in self.kinds if count is not None]
        return sum(counts) if self.kinds and len(counts) == len(self.kinds) else None


@dataclass(frozen=True, slots=True)
class SeenRoll:
    """A settled roll with its images, as passed to the table: JPEG bytes of the tray and of each die in `roll.dice`.

    `size` is the width and height in pixels of the image that was read; the bounding boxes use its coordinates.
    `picture` may be smaller.
    """

    roll: Roll
    picture: bytes = b""
    crops: tuple[bytes, ...] = ()
    size: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class TrayPicture:
    """The current view of the tray as JPEG bytes, for display only."""

    picture: bytes


class CameraTrouble(StrEnum):
    """What is wrong with a camera although it delivers images: a setting that it does not keep, or images that show
    nothing."""

    LIGHT_NOT_HELD = "light_not_held"
    """Exposure, gain or colours keep changing. Readings may become uncertain when a hand passes."""

    FOCUS_NOT_HELD = "focus_not_held"
    """The lens does not keep its focus position."""

    READER_FAILS = "reader_fails"
    """The process that reads the dice ends at its start, again and again."""

    BLACK = "black"
    """The lens is covered or the light is off."""

    WHITE = "white"
    """The image is overexposed almost everywhere."""

    NOISY = "noisy"
    """The image consists of noise, as with a loose cable."""

    FROZEN = "frozen"
    """The same image is delivered again and again."""


BLINDING = frozenset({CameraTrouble.BLACK, CameraTrouble.WHITE, CameraTrouble.NOISY, CameraTrouble.FROZEN})
"""Troubles in which no die can be seen."""


@dataclass(frozen=True, slots=True)
class CameraState:
    """A state change of the source: connected, disconnected, not keeping its settings, or showing nothing.

    `name` identifies the source. `detail` gives the reason in English, for the log.
    """

    present: bool
    name: str = ""
    detail: str = ""
    trouble: CameraTrouble | None = None

    @property
    def sees(self) -> bool:
        """True if the source delivers images in which dice can be seen."""
        return self.present and self.trouble not in BLINDING
