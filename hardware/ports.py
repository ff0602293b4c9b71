"""The words that the house and its hardware share: what a button says, what lights show, how a device is spoken to.

Plain values; whoever uses them knows no device. Left and right are the seats as one looks at the screen; which side of
the match sits there is the table's business.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

HOLD_SECONDS = 0.8
"""A button kept down for so long is held: the same time as on the screen."""


class Role(StrEnum):
    """What a button means, wherever it is."""

    CONFIRM = "confirm"
    UNDO = "undo"
    LEFT = "left"
    RIGHT = "right"
    REFEREE = "referee"


class Source(StrEnum):
    """Which device it is."""

    PANEL = "panel"
    TRAY = "tray"


# What a device tells.


@dataclass(frozen=True, slots=True)
class Press:
    """A button was pressed: one that is let go tells it then, one that is held as soon as it is.

    `at`: when the finger came down, in seconds of the host's steady clock. Whoever gets the press may find it too old:
    a device tells all that happened, even what waited for a line to come back.
    """

    role: Role
    held: bool
    source: Source
    at: float


@dataclass(frozen=True, slots=True)
class Moving:
    """Dice roll in the tray, or lie still again, as the tray feels it. A hint: the picture decides."""

    on: bool
    at: float


@dataclass(frozen=True, slots=True)
class Lid:
    """The tray's lid is open or a hand is in the tray, or neither. A hint, too."""

    open: bool
    at: float


class Trouble(StrEnum):
    """Why a device cannot be used."""

    ABSENT = "absent"
    """Nothing there that could be it."""
    RIGHTS = "rights"
    """It is there, and this user may not open it."""
    BUSY = "busy"
    """Another program has it."""
    FOREIGN = "foreign"
    """What answers, or what should drive it, is not what is expected."""
    VERSION = "version"
    """It speaks another version of the protocol."""
    SILENT = "silent"
    """It is there and does not answer."""
    GONE = "gone"
    """It was there and was taken away."""


@dataclass(frozen=True, slots=True)
class Link:
    """How a device is: in use, or why not. Told whenever it changes.

    `name`: where it is (a port, a chip), for people; `detail`: what the system says, for the diagnostic.
    """

    source: Source
    online: bool
    name: str = ""
    trouble: Trouble | None = None
    detail: str = ""
    simulated: bool = False


DeviceNews = Press | Moving | Lid | Link


# What a device is told.


class Scene(StrEnum):
    """What stands, until something else does."""

    OFF = "off"
    REST = "rest"
    """No match, or nothing awaited from anybody in particular."""
    LEFT = "left"
    """The left side is awaited."""
    RIGHT = "right"
    BOTH = "both"
    """Both sides may act."""
    READING = "reading"
    """Dice lie or roll and are being read: nothing but even white light."""
    QUESTION = "question"
    """The screen asks about a die; it lies where it is, in white light."""
    LOST = "lost"
    """The camera is lost: the match goes on by touch."""
    WON_LEFT = "won_left"
    WON_RIGHT = "won_right"
    DRAWN = "drawn"
    """The match is over without a winner."""


class Moment(StrEnum):
    """What happened just now: played once, at most MOMENT_SECONDS, before the scene stands again."""

    GOAL_LEFT = "goal_left"
    GOAL_RIGHT = "goal_right"
    FOUL = "foul"
    WON = "won"
    REFUSED = "refused"
    """A press that means nothing now."""
    REFEREE = "referee"
    """Somebody calls the referee."""


MOMENT_SECONDS = 2.5
"""Longest play of a moment; rolling dice cut it short, for they need white light."""


class Lamp(StrEnum):
    """How a lamp is."""

    OFF = "off"
    ON = "on"
    BREATHING = "breathing"
    """Look here: it is awaited."""


@dataclass(frozen=True, slots=True)
class Lamps:
    """The lamp of each button.

    `confirm` breathes and `undo` is on while a press does something; a side's breathes while the side is awaited and is
    on while it may act; the referee's breathes while one is called.
    """

    confirm: Lamp = Lamp.OFF
    undo: Lamp = Lamp.OFF
    left: Lamp = Lamp.OFF
    right: Lamp = Lamp.OFF
    referee: Lamp = Lamp.OFF


Colour = tuple[int, int, int]
"""Red, green and blue, 0 to 255, as a light-emitting diode takes them."""

WHITE: Colour = (255, 255, 255)


@dataclass(frozen=True, slots=True)
class Show:
    """All that lights and the small display show from now on.

    `reading`: dice are awaited, so that the light on them must be white whatever the scene; colour stays at the edge.
    `score`: left and right, None outside a match. `colours`: of the two sides. `moment` is played once each time a
    value with it is shown, to its end if a value without one follows; never when a device that was lost is shown the
    value anew. `sound`: whether the buzzer may be heard.
    """

    scene: Scene = Scene.OFF
    reading: bool = False
    score: tuple[int, int] | None = None
    colours: tuple[Colour, Colour] = (WHITE, WHITE)
    lamps: Lamps = Lamps()
    moment: Moment | None = None
    sound: bool = True


class Device(Protocol):
    """A panel or a tray, real or simulated. No call blocks, and none but `start` raises.

    A device that is lost says so (`Link`) and comes back by itself; what it was shown last is shown again then.
    """

    def start(self) -> None:
        """Begins; what is there is found in the background. Raises ValueError for settings that cannot work."""
        ...

    def show(self, show: Show) -> None:
        """What is to be seen from now on; the newest value wins."""
        ...

    def poll(self) -> Sequence[DeviceNews]:
        """What happened since the last call, oldest first."""
        ...

    @property
    def link(self) -> Link:
        """How the device is now."""
        ...

    def close(self) -> None:
        """Lights out, and everything given back. A second call does nothing."""
        ...
