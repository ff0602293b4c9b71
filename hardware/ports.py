"""Interface between application and hardware: presses, shows, and the device protocol.

Plain values, independent of any device. Left and right are the seats as seen by someone facing the screen. The table
decides which side of the match sits where.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

HOLD_SECONDS = 0.8
"""Seconds after which a pressed button counts as held, as on the screen."""


class Role(StrEnum):
    """The function of a button, on any device."""

    CONFIRM = "confirm"
    UNDO = "undo"
    LEFT = "left"
    RIGHT = "right"
    REFEREE = "referee"


class PressSource(StrEnum):
    """The device type."""

    PANEL = "panel"
    TRAY = "tray"


# News from a device.


@dataclass(frozen=True, slots=True)
class PanelPress:
    """A button press, reported on release, or on reaching the hold time.

    `at` is the time when the finger came down, in seconds of the host's monotonic clock. The receiver may drop old
    presses: a device reports everything, including presses from before a reconnection.
    """

    role: Role
    is_long: bool
    source: PressSource
    at: float


@dataclass(frozen=True, slots=True)
class Moving:
    """The tray's sensor: dice move, or are still again. A hint only; the image decides."""

    on: bool
    at: float


@dataclass(frozen=True, slots=True)
class Lid:
    """The tray's lid is open or a hand is in the tray, or neither. A hint only."""

    open: bool
    at: float


class Trouble(StrEnum):
    """The reason why a device is unusable."""

    ABSENT = "absent"
    """No matching device is present."""
    RIGHTS = "rights"
    """The user has no permission to open it."""
    BUSY = "busy"
    """Another program uses it."""
    FOREIGN = "foreign"
    """The device or its driver is not the expected one."""
    VERSION = "version"
    """It uses another protocol version."""
    SILENT = "silent"
    """It is present but does not answer."""
    GONE = "gone"
    """It was disconnected."""


@dataclass(frozen=True, slots=True)
class Link:
    """The connection state of a device: online, or the reason why not. Reported on every change.

    `name` is its location (a port, a chip), for the user. `detail` is the system's message, for diagnostics.
    """

    source: PressSource
    online: bool
    name: str = ""
    trouble: Trouble | None = None
    detail: str = ""
    simulated: bool = False


DeviceNews = PanelPress | Moving | Lid | Link


# Commands to a device.


class LightScene(StrEnum):
    """The current situation, shown until it changes."""

    OFF = "off"
    REST = "rest"
    """No match, or no particular side is awaited."""
    LEFT = "left"
    """The left side is awaited."""
    RIGHT = "right"
    BOTH = "both"
    """Both sides may act."""
    READING = "reading"
    """Dice are rolling or being read: uniform white light only."""
    QUESTION = "question"
    """The screen asks about a die. It stays in place in white light."""
    LOST = "lost"
    """The camera is lost. The match continues by touch."""
    WON_LEFT = "won_left"
    WON_RIGHT = "won_right"
    DRAWN = "drawn"
    """The match ended without a winner."""


class Moment(StrEnum):
    """A momentary event, played once for at most MOMENT_SECONDS, then the scene returns."""

    GOAL_LEFT = "goal_left"
    GOAL_RIGHT = "goal_right"
    FOUL = "foul"
    WON = "won"
    REFUSED = "refused"
    """A press that has no effect now."""
    REFEREE = "referee"
    """Somebody calls the referee."""


MOMENT_SECONDS = 2.5
"""Maximum duration of a moment. Rolling dice end it early, because they need white light."""


class Lamp(StrEnum):
    """The state of a lamp."""

    OFF = "off"
    ON = "on"
    BREATHING = "breathing"
    """Draws attention: this button is awaited."""


@dataclass(frozen=True, slots=True)
class Lamps:
    """The lamp of each button.

    - `confirm`: breathes while a press has an effect.
    - `undo`: on while a press has an effect.
    - `left`, `right`: breathes while the side is awaited, on while it may act.
    - `referee`: breathes while a referee is called.
    """

    confirm: Lamp = Lamp.OFF
    undo: Lamp = Lamp.OFF
    left: Lamp = Lamp.OFF
    right: Lamp = Lamp.OFF
    referee: Lamp = Lamp.OFF


Colour = tuple[int, int, int]
"""Red, green and blue, 0 to 255, as an LED takes them."""

WHITE: Colour = (255, 255, 255)


@dataclass(frozen=True, slots=True)
class Show:
    """Everything that the lights and the small display show.

    - `reading`: dice are awaited, so the light on them must be white in any scene. Colours stay at the edge.
    - `score`: left and right, None outside a match.
    - `colours`: those of the two sides.
    - `moment`: played once each time such a value is shown, to its end even if a value without one follows. Not
      repeated after a reconnection.
    - `sound`: whether the buzzer is on.
    """

    scene: LightScene = LightScene.OFF
    reading: bool = False
    score: tuple[int, int] | None = None
    colours: tuple[Colour, Colour] = (WHITE, WHITE)
    lamps: Lamps = Lamps()
    moment: Moment | None = None
    sound: bool = True


class Device(Protocol):
    """A panel or a tray, real or simulated. No call blocks, and only `start` raises.

    A lost device reports this (`Link`) and reconnects automatically. The last show is then sent again.
    """

    def start(self) -> None:
        """Start the device. Detection runs in the background. Raises: ValueError for invalid settings."""
        ...

    def show(self, show: Show) -> None:
        """Set the current show. The newest value wins."""
        ...

    def poll(self) -> Sequence[DeviceNews]:
        """Return the news since the last call, oldest first."""
        ...

    @property
    def link(self) -> Link:
        """The current link state."""
        ...

    def close(self) -> None:
        """Turn the lights off and release everything. A second call does nothing."""
        ...
