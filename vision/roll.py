"""The word the rest of the house may use for what the reader saw: dice readings, rolls, and the request before a roll.

Standard library only. A reading passes from `vision` to the table as one of these frozen values; nothing else of
`vision` is known to the application (ARCHITECTURE.md, "Packages").
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from math import hypot

Box = tuple[float, float, float, float]
"""x, y, width, height in pixels of the upright picture."""

BALL_COLOURS = ("red", "orange", "yellow", "green", "blue", "violet")
"""The colours of plain faces in the order of the ribbon (FC-1.10): what a ball die can show."""


class Doubt(StrEnum):
    """Why a die is uncertain (docs/CONTRACT.md, `doubt`)."""

    FACE = "face"
    COCKED = "cocked"
    BLURRED = "blurred"
    CUT_OFF = "cut_off"
    FOREIGN = "foreign"
    HIDDEN = "hidden"


class Status(StrEnum):
    """What a picture as a whole says (docs/CONTRACT.md, `status`)."""

    OK = "ok"
    ASK = "ask"
    EMPTY = "empty"
    ERROR = "error"


class Note(StrEnum):
    """What changed the reading of a picture as a whole, most often the roll request (`Roll.notes`): never in
    silence."""

    ANOTHER_COUNT = "another_count"
    """Every die is certain, but there are more or fewer, or others, than are awaited: asked."""

    TRACE_PASSED_OVER = "trace_passed_over"
    """What is hardly a die was passed over: beside the dice awaited, or beside something that is rather one."""

    TOLD_BY_COUNT = "told_by_count"
    """As many dice as are awaited lie there, and by that a die was told: its kind, or that it is one."""

    POOR_LIGHT = "poor_light"
    """The picture is burnt out, or so dark that noise hides what lies there: dice may be missing, so it is asked."""


@dataclass(frozen=True, slots=True, order=True)
class Face:
    """The upper side of a die. What a kind of die lacks is None."""

    value: int | None = None
    colour: str | None = None
    symbol: str | None = None

    def __str__(self) -> str:
        parts = [str(part) for part in (self.colour, self.value, self.symbol) if part is not None]
        return " ".join(parts) or "?"


@dataclass(frozen=True, slots=True)
class DieReading:
    """One die as it lies.

    `possible` holds every face that cannot be ruled out with its probability, most likely first: exactly `face` when
    the die is certain, at least two when `doubt` is FACE, and possibly nothing at all when the die could not be read.
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
        """How far apart the middles of two readings lie, in widths of the larger one."""
        (ax, ay, aw, ah), (bx, by, bw, bh) = self.box, other.box
        return hypot(ax + aw / 2 - bx - bw / 2, ay + ah / 2 - by - bh / 2) / max(aw, ah, bw, bh, 1.0)


@dataclass(frozen=True, slots=True)
class Roll:
    """A settled throw, or one picture: every die that lies in the tray.

    `t` is in seconds from the start of the source to the last frame used (None for a single picture); `again` marks the
    same roll read anew after a die was moved; `ms` is the time from the decoded picture to the reading; `notes` say
    what else made the reading what it is.
    """

    status: Status
    dice: tuple[DieReading, ...] = ()
    ms: float = 0.0
    t: float | None = None
    again: bool = False
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True)
class RollRequest:
    """What the game awaits, said to the reader before the dice land.

    `kinds` names the kinds of dice that may lie there and how many of each are due, None where the number is open;
    empty means any number of any kind.
    """

    dice_set: str = "pips"
    kinds: tuple[tuple[str, int | None], ...] = field(default=())

    @property
    def count(self) -> int | None:
        """How many dice are due in all, None if any number may lie there."""
        counts = [count for _, count in self.kinds if count is not None]
        return sum(counts) if self.kinds and len(counts) == len(self.kinds) else None


@dataclass(frozen=True, slots=True)
class SeenRoll:
    """A settled roll with its pictures, as the table gets it: JPEG bytes of the tray and of each die of `roll.dice`.

    `size` is the width and height in pixels of the picture that was read and that the boxes are in; `picture` may be
    smaller.
    """

    roll: Roll
    picture: bytes = b""
    crops: tuple[bytes, ...] = ()
    size: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class TrayPicture:
    """The tray as it is now, for the screen only: JPEG bytes."""

    picture: bytes


class CameraTrouble(StrEnum):
    """What a camera that gives pictures does not do as it was told."""

    LIGHT_NOT_HELD = "light_not_held"
    """Exposure, gain or colours go on changing: readings may become uncertain when a hand passes."""

    FOCUS_NOT_HELD = "focus_not_held"
    """The lens does not stay where it was set."""


@dataclass(frozen=True, slots=True)
class CameraState:
    """The source came (back), went, or does not do as it was told. `name` says which source, `detail` why (English, for
    the log)."""

    present: bool
    name: str = ""
    detail: str = ""
    trouble: CameraTrouble | None = None
