"""The tray's logic, one small step at a time: inputs become messages, and the host's shows become light and digits.

It accesses its board only through the interface `parts.Parts`, so it also runs without hardware.
"""

from firmware import digits, protocol, scenes
from firmware.debounce import Button
from firmware.motion_sensor import MotionSensor
from firmware.parts import Parts
from firmware.settings import order

REFRESH_MS = 1000
"""Milliseconds after which unchanged lights are sent again, to correct one disturbed by interference."""
LID_SETTLE_MS = 60
RESERVED_FOR_PRESSES = 16
"""Queue slots that hints about dice and lid leave free for presses."""
WHITES = ((255, 255, 255), (255, 255, 255))


def tray_info(settings: dict[str, dict[str, int]], version: str, python: str) -> dict[str, object]:
    """Return the tray's identification for the greeting. The host needs no list of its own."""
    return {
        "name": "tapis-vert tray",
        "version": version,
        "python": python,
        "buttons": order(settings["buttons"]),
        "ring": [settings["ring"]["lights"], settings["ring"]["edge"]],
        "parts": [part for part in ("piezo", "lid", "display") if part in settings],
    }


class Tray:
    """The tray without its pins and port."""

    def __init__(self, board: Parts, settings: dict[str, dict[str, int]], link: protocol.SerialLink) -> None:
        self._board = board
        self._link = link
        timing, ring = settings["timing"], settings["ring"]
        self._buttons = [Button(timing["settle_ms"], timing["hold_ms"]) for _ in order(settings["buttons"])]
        self._lid = Button(LID_SETTLE_MS)
        piezo = settings.get("piezo")
        self._stillness = MotionSensor(piezo["on"], piezo["off"], piezo["still_ms"]) if piezo else None
        self._ring = scenes.LightRing(ring["lights"], ring["edge"], ring["level"], ring["turn"])
        self._reported_hints: dict[str, bool] = {}
        self._greeted = 0
        self._missed = 0
        self._scene = "rest"
        self._displayed_scene = ""
        self._reading = False
        self._colours = WHITES
        self._since = 0
        self._moment: str | None = None
        self._moment_since = 0
        self._drawn_at = -REFRESH_MS
        self._changed = True
        self._digits = b""

    def step(self, received: bytes, now: int) -> bytes:
        """Process bytes from the host, poll all inputs, update the lights. Return the bytes to send."""
        for message, _ in self._link.feed(received, now):
            self._on_host_message(message, now)
        self._read_inputs(now)
        self._light(now)
        return self._link.due(now)

    @property
    def prompt_requested(self) -> bool:
        """True if the host requests MicroPython's prompt."""
        return protocol.REPL in self._link.peer_words

    def send(self, message: list[object], at: int) -> None:
        """Send a message that must arrive. If the queue is full, it is counted, and the count is sent later."""
        if not self._link.offer(message, at):
            self._missed += 1

    def _read_inputs(self, now: int) -> None:
        for index, down, at in self._board.edges():
            self._press(index, self._buttons[index].feed(down, at))
        for index, down in enumerate(self._board.buttons()):
            self._press(index, self._buttons[index].feed(down, now))
        self._lid.feed(self._board.lid(), now)
        if self._link.greetings != self._greeted:  # a greeting peer may not know the current state
            self._greeted = self._link.greetings
            self._reported_hints = {}
        if self._stillness is not None:
            self._hint(protocol.MOVING, self._stillness.feed(self._board.piezo(), now), now)
        self._hint(protocol.LID, self._lid.down, now)
        if self._missed and self._link.offer([protocol.MISSED, self._missed], now):
            self._missed = 0

    def _press(self, index: int, presses: list[tuple[bool, int]]) -> None:
        for is_long, at in presses:
            self.send([protocol.PRESS, index, is_long], at)

    def _hint(self, kind: str, on: bool, now: int) -> None:
        """Send the current state of a hint when possible. Intermediate states are not needed."""
        if (
            on != self._reported_hints.get(kind)
            and self._link.linked
            and self._link.waiting < protocol.QUEUE_SIZE - RESERVED_FOR_PRESSES
        ):
            self._reported_hints[kind] = on
            self._link.offer([kind, on], now)

    def _on_host_message(self, message: object, now: int) -> None:
        if not isinstance(message, list) or len(message) != 6 or message[0] != protocol.SHOW:
            self.send([protocol.FAULT, "unknown message"], now)
            return
        _, scene, reading, score, colours, moment = message
        if isinstance(colours, bytes) and len(colours) == 6:
            both = (colours[0], colours[1], colours[2]), (colours[3], colours[4], colours[5])
            self._colours = both
        scene = scene if scene in scenes.SCENES else "rest"
        if scene != self._scene:
            self._scene, self._since = scene, now
        self._reading = reading is True
        self._changed = True
        if isinstance(moment, str) and moment in scenes.MOMENTS:
            self._moment, self._moment_since = moment, now
        self._score(score)

    def _score(self, score: object) -> None:
        segments = digits.DARK
        if isinstance(score, list) and len(score) == 2 and all(isinstance(part, int) for part in score):
            segments = digits.score_segments(score[0], score[1])
        if segments != self._digits:
            self._digits = segments
            self._board.digits(segments)

    def _light(self, now: int) -> None:
        scene = self._scene
        if not self._link.linked:
            scene = scenes.STRANGE if self._link.peer_version not in (0, protocol.VERSION) else scenes.WAITING
        moment = self._moment
        dice_roll = self._stillness is not None and self._stillness.moving
        if moment and (now - self._moment_since >= scenes.MOMENTS[moment] or dice_roll):
            moment = self._moment = None
            self._changed = True
        alone = scene != self._scene
        self._changed = self._changed or scene != self._displayed_scene
        due = scenes.FRAME_MS if scenes.moves(scene, moment) else REFRESH_MS
        if not (self._changed or now - self._drawn_at >= due):
            return
        self._changed, self._drawn_at, self._displayed_scene = False, now, scene
        reading = self._reading and not alone
        if moment and not alone:
            self._ring.play(moment, scenes.is_white(scene, reading), self._colours, now - self._moment_since)
        else:
            self._ring.draw(scene, reading, self._colours, now - self._since)
        self._board.light(self._ring.rgb)
