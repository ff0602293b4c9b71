"""What the ring shows of a scene: a colour for each light, as three bytes red, green, blue.

Plain arithmetic on whole numbers; times are milliseconds. The first half of the ring lies at the left seat, the second
at the right one; behind the ring come the lights of the edge, which do not shine on the dice, again left half first.
Every light is at most `level` bright, so that the ring never draws more current than all white at that level.
"""

WAITING = "waiting"
"""The scene without a host."""
STRANGE = "strange"
"""The scene with a host of another version."""

SCENES = (
    "off", "rest", "left", "right", "both", "reading", "question", "lost", "won_left", "won_right", "drawn",
)  # fmt: skip
"""What the host may ask for; another word is shown as `rest`."""
MOMENTS = {"goal_left": 2400, "goal_right": 2400, "foul": 1500, "won": 2400, "refused": 300, "referee": 2000}
"""What is played once, with its length in milliseconds. Nothing flashes more than twice a second."""

FRAME_MS = 40
"""Between two pictures of what moves."""
LAP_MS = 1200
"""Of the two heads that run round the ring."""

WHITE = (255, 255, 255)
WARM = (255, 170, 80)
AMBER = (255, 120, 0)
RED = (255, 0, 0)
BLUE = (60, 90, 255)
DARK = (0, 0, 0)

_MOVING = ("won_left", "won_right", "drawn", "lost", WAITING, STRANGE)
_WHITE = ("reading", "question")


def moves(scene: str, moment: str | None) -> bool:
    """Whether the picture changes by itself."""
    return moment is not None or scene in _MOVING


def whole(scene: str, reading: bool) -> bool:
    """Whether the ring must be nothing but white."""
    return reading or scene in _WHITE


class Ring:
    """The picture of the ring and the edge behind it, drawn into `rgb` anew each time."""

    def __init__(self, lights: int, edge: int, level: int, turn: int = 0) -> None:
        """`turn`: which light of the chain is the first of the left seat's half."""
        self._lights = lights
        self._edge = edge
        self._level = level
        self._turn = turn
        self.rgb = bytearray(3 * (lights + edge))

    def draw(
        self, scene: str, reading: bool, colours: tuple[tuple[int, int, int], tuple[int, int, int]], since: int
    ) -> None:
        """A scene that stands for `since`; `colours` of the left and the right side."""
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
        if whole(scene, reading):
            self._white()

    def play(
        self, moment: str, reading: bool, colours: tuple[tuple[int, int, int], tuple[int, int, int]], since: int
    ) -> None:
        """A moment that began `since` ago; where dice are read, at the edge only."""
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
        """Two heads run round, each with a tail of a quarter of the ring."""
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
        """One light, `lit` of 255 as bright as it may be."""
        if index < self._lights:
            index = (index + self._turn) % self._lights
        strength = self._level * lit
        at = 3 * index
        self.rgb[at] = colour[0] * strength // 65025
        self.rgb[at + 1] = colour[1] * strength // 65025
        self.rgb[at + 2] = colour[2] * strength // 65025


def wave(since: int, period: int) -> int:
    """A breath: 64 up to 255 and down again in `period`."""
    half = period // 2
    at = since % period
    return 64 + 191 * (at if at < half else period - at) // half
