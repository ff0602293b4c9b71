"""Keeps a camera's light and focus as they are: waits until they have settled, locks them, and has it confirmed.

Pure: what each frame says of itself goes in (libcamera's metadata), controls to be set come out. libcamera takes a
control with some later frame and rounds it to what the sensor can do, so nothing counts before frames have said it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from math import isclose
from typing import Any

from vision.cameras.protocol import LEAST_LIGHT
from vision.roll import CameraTrouble

Metadata = Mapping[str, Any]
"""What libcamera says of one frame, by the names of its controls."""

LIGHT = ("ExposureTime", "AnalogueGain", "ColourGains")

_ALIKE = 0.02
"""Share by which exposure and colours may differ from frame to frame and count as settled."""

_TAKEN_UP = {"ExposureTime": 0.03, "AnalogueGain": 0.06, "ColourGains": 0.02}
"""Shares by which a value taken up may differ from the one asked for: sensors know lines and steps of gain only."""

_DIOPTRES = 0.06

_SETTLED_FRAMES = 8
_CONFIRMING_FRAMES = 3
_SETTLING, _TAKING_UP = 4.0, 2.0
"""Seconds after which a light that never settles is locked as it is, and after which a control was not taken up."""

_LETTING_IN = 1.0
"""Seconds after which another share of the light was not taken up: the usual one is held again."""

_OTHER_LIGHT, _OTHER_LIGHT_LASTS = 2.0, 5.0
"""So many times as much light, or as little, for so many seconds is another light, and no hand: settle anew."""

_ASTRAY_FRAMES = 10


class Held(Enum):
    """How far it has come."""

    SETTLING = "settling"
    LOCKING = "locking"
    HELD = "held"
    REFUSED = "refused"
    UNKNOWN = "unknown"
    """This camera has nothing that could be held."""


@dataclass(frozen=True, slots=True)
class Light:
    """What makes a picture's brightness and colours: microseconds, gain of the sensor, gains of red and blue."""

    exposure_us: int
    gain: float
    colours: tuple[float, float]

    def controls(self) -> dict[str, Any]:
        """The controls that fix it, in libcamera's names."""
        return {
            "AeEnable": False,
            "AwbEnable": False,
            "ExposureTime": self.exposure_us,
            "AnalogueGain": self.gain,
            "ColourGains": self.colours,
        }

    @classmethod
    def of(cls, metadata: Metadata) -> Light | None:
        """The light of a frame, None if the frame does not say it."""
        if not all(name in metadata for name in LIGHT):
            return None
        red, blue = metadata["ColourGains"]
        return cls(int(metadata["ExposureTime"]), float(metadata["AnalogueGain"]), (float(red), float(blue)))

    @property
    def much(self) -> float:
        """How much light makes a picture: microseconds at a gain of one."""
        return self.exposure_us * self.gain

    def times(self, share: float) -> Light:
        """A share of it, 1 or less: with less gain while there is any, as that is noise, then exposed for less time."""
        gain = max(min(1.0, self.gain), self.gain * share)
        return Light(max(1, round(self.exposure_us * share * self.gain / gain)), gain, self.colours)

    def like(self, other: Light, exposure: float, gain: float, colours: float) -> bool:
        """Whether both are the same within these shares."""
        pairs = [(self.exposure_us, other.exposure_us, exposure), (self.gain, other.gain, gain)]
        pairs += [(one, two, colours) for one, two in zip(self.colours, other.colours, strict=True)]
        return all(isclose(one, two, rel_tol=share) for one, two, share in pairs)


class Hold:
    """Follows one camera from its start. `see` is called with every frame."""

    def __init__(self, can: frozenset[str], light: Light | None = None, dioptres: float | None = None) -> None:
        """`can` names the controls that the camera has; `light` and `dioptres` are to be held if they are known."""
        self.dioptres = dioptres if "LensPosition" in can else None
        self.light: Light | None = light
        """What is to be held, None while it is not known."""
        self._usual = light
        self._letting_in = self._deaf = False
        possible = can.issuperset(LIGHT)
        self.state = Held.UNKNOWN if not possible else Held.SETTLING if light is None else Held.LOCKING
        self.trouble: CameraTrouble | None = None
        self._due: dict[str, Any] = light.controls() if light is not None and possible else {}
        self._since: float | None = None
        self._alike: list[Light] = []
        self._good = self._astray = self._blurred = 0
        self._lux: float | None = None
        self._other_light_since: float | None = None

    @property
    def dimmed(self) -> float:
        """The share of the usual light, that which was to be held before any `let_in`, that is to be held now."""
        return 1.0 if self.light is None or self._usual is None else self.light.much / self._usual.much

    @property
    def usual(self) -> Light | None:
        """What was to be held before any `let_in`; None until the camera has confirmed what is held."""
        return self._usual if self.state is Held.HELD or self.dimming else None

    @property
    def dimming(self) -> bool:
        """Whether the camera has yet to take up another share of its light."""
        return self.state is Held.LOCKING and self._letting_in

    def see(self, metadata: Metadata, t: float) -> dict[str, Any]:
        """Take what the frame of second `t` says; gives the controls to set now, mostly none."""
        self._since = t if self._since is None else self._since
        due, self._due = self._due, {}
        now = Light.of(metadata)
        if now is None:
            if self.state in (Held.SETTLING, Held.LOCKING) and t - self._since > _SETTLING:
                self._refuse()
        elif self.state is Held.SETTLING:
            due |= self._settle(now, metadata, t)
        elif self.state is Held.LOCKING:
            due |= self._confirm(now, metadata, t)
        elif self.state is not Held.UNKNOWN:
            due |= self._watch(now, metadata, t)
        self._look_at_focus(metadata, t)
        return due

    def lock(self, light: Light, t: float) -> dict[str, Any]:
        """Hold this light from now on; gives the controls to set."""
        self._usual, self._letting_in, self._deaf = light, False, False
        return self._lock(light, t)

    def let_in(self, share: float, t: float) -> dict[str, Any] | None:
        """Hold this share of the usual light from now on; gives the controls to set. None where none is held for
        certain, for less than LEAST_LIGHT, or if the camera did not do so the last time."""
        ready = self.state is Held.HELD or self.dimming
        if not ready or self._usual is None or share < LEAST_LIGHT or self._deaf:
            return None
        if share == self.dimmed:
            return {}
        self._letting_in = True
        return self._lock(self._usual.times(share), t)

    def _lock(self, light: Light, t: float) -> dict[str, Any]:
        self.light, self.state, self._since, self._good = light, Held.LOCKING, t, 0
        return light.controls()

    def _settle(self, now: Light, metadata: Metadata, t: float) -> dict[str, Any]:
        first = self._alike[0] if self._alike else now
        searching = metadata.get("AeLocked") is False
        if searching or not now.like(first, _ALIKE, _ALIKE, _ALIKE):
            self._alike.clear()
        if not searching:
            self._alike.append(now)
        if len(self._alike) < _SETTLED_FRAMES and t - (self._since or 0.0) < _SETTLING:
            return {}
        self._alike.clear()
        return self.lock(now, t)

    def _confirm(self, now: Light, metadata: Metadata, t: float) -> dict[str, Any]:
        self._good = self._good + 1 if self._is_held(now) else 0
        if self._good >= _CONFIRMING_FRAMES:
            self.state, self.trouble, self._astray = Held.HELD, self._without(CameraTrouble.LIGHT_NOT_HELD), 0
            self._lux, self._other_light_since = metadata.get("Lux"), None
            self._letting_in = False
        elif self._letting_in and self._usual is not None and t - (self._since or 0.0) > _LETTING_IN:
            self._letting_in, self._deaf = False, True
            return self._lock(self._usual, t)
        elif t - (self._since or 0.0) > _TAKING_UP:
            self._refuse()
        return {}

    def _watch(self, now: Light, metadata: Metadata, t: float) -> dict[str, Any]:
        """Held or refused: does it stay so, and is it still the light of the room?"""
        if self._is_another_light(metadata.get("Lux"), t):
            self.state, self._since = Held.SETTLING, t
            return {"AeEnable": True, "AwbEnable": True}
        self._astray = 0 if self._is_held(now) else self._astray + 1
        if self.state is Held.HELD and self._astray >= _ASTRAY_FRAMES and self.light is not None:
            return self._lock(self.light, t)
        if self.state is Held.REFUSED and self._astray == 0:
            self.state, self.trouble = Held.HELD, self._without(CameraTrouble.LIGHT_NOT_HELD)
        return {}

    def _is_held(self, now: Light) -> bool:
        shares = (_TAKEN_UP[name] for name in LIGHT)
        return self.light is not None and now.like(self.light, *shares)

    def _is_another_light(self, lux: float | None, t: float) -> bool:
        if not lux or not self._lux or 1 / _OTHER_LIGHT < lux / self._lux < _OTHER_LIGHT:
            self._other_light_since = None
        elif self._other_light_since is None:
            self._other_light_since = t
        return self._other_light_since is not None and t - self._other_light_since >= _OTHER_LIGHT_LASTS

    def _look_at_focus(self, metadata: Metadata, t: float) -> None:
        at = metadata.get("LensPosition")
        if self.dioptres is None or at is None:
            return
        self._blurred = 0 if abs(at - self.dioptres) <= _DIOPTRES else self._blurred + 1
        if self._blurred == 0:
            self.trouble = self._without(CameraTrouble.FOCUS_NOT_HELD)
        elif self._blurred >= 2 * _ASTRAY_FRAMES and self.trouble is None:
            self.trouble = CameraTrouble.FOCUS_NOT_HELD

    def _refuse(self) -> None:
        self.state, self.trouble, self._astray = Held.REFUSED, CameraTrouble.LIGHT_NOT_HELD, 1

    def _without(self, trouble: CameraTrouble) -> CameraTrouble | None:
        return None if self.trouble is trouble else self.trouble
