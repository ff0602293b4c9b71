"""Light scenes: the colours of the ring and edge lights, three bytes red, green, blue per light.

Integer arithmetic only; times are in milliseconds. The first half of the ring is at the left seat, the second at the
right one. The edge lights follow the ring, left half first; they do not shine on the dice. No light is brighter than
`level`, so the ring never draws more current than all white at that level.
"""

WAITING = "waiting"
"""The scene without a host."""
STRANGE = "strange"
"""The scene with a host of another version."""

SCENES = (
    "off", "rest", "left", "right", "both", "reading", "question", "lost", "won_left", "won_right", "drawn",
)  # fmt: skip
"""Scenes that the host may request. Any other is shown as `rest`."""
MOMENTS = {"goal_left": 2400, "goal_right": 2400, "foul": 1500, "won": 2400, "refused": 300, "referee": 2000}
"""Momentary effects with their duration in milliseconds. Nothing flashes more than twice a second."""

FRAME_MS = 40
"""Milliseconds between two frames of an animation."""
LAP_MS = 1200
"""Milliseconds per lap of the two comets around the ring."""

WHITE = (255, 255, 255)
WARM = (255, 170, 80)
AMBER = (255, 120, 0)
RED = (255, 0, 0)
BLUE = (60, 90, 255)
DARK = (0, 0, 0)

_MOVING = ("won_left", "won_right", "drawn", "lost", WAITING, STRANGE)
_WHITE = ("reading", "question")


def moves(scene: str, moment: str | None) -> bool:
    """Return True if the scene or moment is animated."""
    return moment is not None or scene in _MOVING


def is_white(scene: str, reading: bool) -> bool:
    """Return True if the ring must be entirely white."""
    return reading or scene in _WHITE


class LightRing:
    """The colours of the ring and the edge, redrawn into `rgb` each time."""

    def __init__(self, lights: int, edge: int, level: int, rotation: int = 0) -> None:
        """Create a ring. `rotation`: index of the chain's light that is the first of the left half."""
        self._lights = lights
        self._edge = edge
        self._level = level
        self._rotation = rotation
        self.rgb = bytearray(3 * (lights + edge))

    def draw(
        self, scene: str, reading: bool, colours: tuple[tuple[int, int, int], tuple[int, int, int]], since: int
    ) -> None:
        """Draw a scene that started `since` ago. `colours` are those of the left and the right side."""
        left, right = colours
        if scene == "off":
            self._sides(DARK, 0, DARK, 0)
        elif scene in ("left", "won_left"):
            self._sides(left, wave(since, 2000) if scene == "won_left" else 255, WARM, 16)
        elif scene in ("right", "won_right"):
            self._sides(WARM, 16, right, wave(since, 2000) if scene == "won_right" else 255)
        elif scene == "both":
            self._sides(left, 255, right, 255)
        elif scene == "drawn":
            self._sides(left, wave(since, 3000), right, wave(since + 1500, 3000))
        elif scene in ("lost", STRANGE):
            self._sides(AMBER, wave(since, 2000), AMBER, wave(since, 2000))
        elif scene == WAITING:
            self._sides(BLUE, wave(since, 4000) >> 2, BLUE, wave(since, 4000) >> 2)
        else:
            self._sides(WARM, 64, WARM, 64)
        if is_white(scene, reading):
            self._white()

    def play(
        self, moment: str, reading: bool, colours: tuple[tuple[int, int, int], tuple[int, int, int]], since: int
    ) -> None:
        """Draw a moment that started `since` ago. While dice are read it uses the edge only."""
        if moment == "goal_left":
            self._comet(colours[0], colours[0], since)
        elif moment == "goal_right":
            self._comet(colours[1], colours[1], since)
        elif moment == "won":
            self._comet(colours[0], colours[1], since)
        elif moment == "referee":
            first = 255 if since // 500 % 2 == 0 else 0
            self._sides(AMBER, first, AMBER, 255 - first)
        else:
            lit = 96 if moment == "refused" else 255 if since // 250 % 2 == 0 else 0
            self._sides(RED, lit, RED, lit)
        if reading:
            self._white()

    def _sides(self, left: tuple[int, int, int], lit: int, right: tuple[int, int, int], lit_right: int) -> None:
        for start, count in ((0, self._lights), (self._lights, self._edge)):
            for index in range(count):
                if index < count // 2:
                    self._put(start + index, left, lit)
                else:
                    self._put(start + index, right, lit_right)

    def _comet(self, one: tuple[int, int, int], two: tuple[int, int, int], since: int) -> None:
        """Draw two comets that run around the ring, each with a tail of a quarter of the ring."""
        tail = max(2, self._lights // 4)
        head = since * self._lights // LAP_MS
        for index in range(self._lights):
            behind = (head - index) % self._lights
            behind_two = (behind + self._lights // 2) % self._lights
            if behind <= behind_two:
                self._put(index, one, max(0, 255 - behind * 255 // tail))
            else:
                self._put(index, two, max(0, 255 - behind_two * 255 // tail))
        for index in range(self._edge):
            self._put(self._lights + index, one if index < self._edge // 2 else two, 255)

    def _white(self) -> None:
        for index in range(self._lights):
            self._put(index, WHITE, 255)

    def _put(self, index: int, colour: tuple[int, int, int], lit: int) -> None:
        """Set one light to the share `lit` of 255 of its maximum brightness."""
        if index < self._lights:
            index = (index + self._rotation) % self._lights
        strength = self._level * lit
        at = 3 * index
        self.rgb[at] = colour[0] * strength // 65025
        self.rgb[at + 1] = colour[1] * strength // 65025
        self.rgb[at + 2] = colour[2] * strength // 65025


def wave(since: int, period: int) -> int:
    """Return a triangle wave: from 64 up to 255 and back within `period`."""
    half = period // 2
    at = since % period
    return 64 + 191 * (at if at < half else period - at) // half
