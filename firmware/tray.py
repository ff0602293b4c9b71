"""The tray's work, a small step at a time: inputs become messages, the host's wishes become light and digits.

It knows its board by a few calls only (`parts.Parts`), so that it runs without one, too.
"""

from firmware import digits, protocol, scenes
from firmware.debounce import Button
from firmware.parts import Parts
from firmware.settings import order
from firmware.stillness import Stillness

REFRESH_MS = 1000
"""Lights are sent anew so often though nothing changed: one that caught a spark is right again."""
LID_SETTLE_MS = 60
KEEP_FOR_PRESSES = 16
"""Room in the queue that hints about dice and lid leave free."""
WHITES = ((255, 255, 255), (255, 255, 255))


def about(settings: dict[str, dict[str, int]], version: str, python: str) -> dict[str, object]:
    """Who this tray is, handed over in the greeting: the host needs no list of its own."""
    return {
        "name": "tapis-vert tray",
        "version": version,
        "python": python,
        "buttons": order(settings["buttons"]),
        "ring": [settings["ring"]["lights"], settings["ring"]["edge"]],
        "parts": [part for part in ("piezo", "lid", "display") if part in settings],
    }


class Tray:
    """All of a tray but its pins and its port."""

    def __init__(self, board: Parts, settings: dict[str, dict[str, int]], link: protocol.Link) -> None:
        self._board = board
        self._link = link
        timing, ring = settings["timing"], settings["ring"]
        self._buttons = [Button(timing["settle_ms"], timing["hold_ms"]) for _ in order(settings["buttons"])]
        self._lid = Button(LID_SETTLE_MS)
        piezo = settings.get("piezo")
        self._stillness = Stillness(piezo["on"], piezo["off"], piezo["still_ms"]) if piezo else None
        self._ring = scenes.Ring(ring["lights"], ring["edge"], ring["level"], ring["turn"])
        self._told: dict[str, bool] = {}
        self._greeted = 0
        self._missed = 0
        self._scene = "rest"
        self._shown = ""
        self._reading = False
        self._colours = WHITES
        self._since = 0
        self._moment: str | None = None
        self._moment_since = 0
        self._drawn = -REFRESH_MS
        self._changed = True
        self._digits = b""

    def step(self, received: bytes, now: int) -> bytes:
        """Takes what came from the host, looks at all inputs, lights what is due; gives what is to be sent."""
        for message, _ in self._link.feed(received, now):
            self._told_by_host(message, now)
        self._feel(now)
        self._light(now)
        return self._link.due(now)

    @property
    def prompt_asked(self) -> bool:
        """Whether the host wants MicroPython's prompt."""
        return protocol.REPL in self._link.words

    def tell(self, message: list[object], at: int) -> None:
        """Sends a message that must arrive; one without room is counted, and the count is sent."""
        if not self._link.offer(message, at):
            self._missed += 1

    def _feel(self, now: int) -> None:
        for index, down, at in self._board.edges():
            self._press(index, self._buttons[index].feed(down, at))
        for index, down in enumerate(self._board.buttons()):
            self._press(index, self._buttons[index].feed(down, now))
        self._lid.feed(self._board.lid(), now)
        if self._link.greetings != self._greeted:  # whoever greets may not know how things are
            self._greeted = self._link.greetings
            self._told = {}
        if self._stillness is not None:
            self._hint(protocol.MOVING, self._stillness.feed(self._board.piezo(), now), now)
        self._hint(protocol.LID, self._lid.down, now)
        if self._missed and self._link.offer([protocol.MISSED, self._missed], now):
            self._missed = 0

    def _press(self, index: int, presses: list[tuple[bool, int]]) -> None:
        for held, at in presses:
            self.tell([protocol.PRESS, index, held], at)

    def _hint(self, kind: str, on: bool, now: int) -> None:
        """Tells how something is now, once it can be told: nobody needs to know how it was meanwhile."""
        if on != self._told.get(kind) and self._link.linked and self._link.waiting < protocol.ROOM - KEEP_FOR_PRESSES:
            self._told[kind] = on
            self._link.offer([kind, on], now)

    def _told_by_host(self, message: object, now: int) -> None:
        if not isinstance(message, list) or len(message) != 6 or message[0] != protocol.SHOW:
            self.tell([protocol.FAULT, "unknown message"], now)
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
        shown = digits.DARK
        if isinstance(score, list) and len(score) == 2 and all(isinstance(part, int) for part in score):
            shown = digits.of_score(score[0], score[1])
        if shown != self._digits:
            self._digits = shown
            self._board.digits(shown)

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
        self._changed = self._changed or scene != self._shown
        due = scenes.FRAME_MS if scenes.moves(scene, moment) else REFRESH_MS
        if not (self._changed or now - self._drawn >= due):
            return
        self._changed, self._drawn, self._shown = False, now, scene
        reading = self._reading and not alone
        if moment and not alone:
            self._ring.play(moment, scenes.whole(scene, reading), self._colours, now - self._moment_since)
        else:
            self._ring.draw(scene, reading, self._colours, now - self._since)
        self._board.light(self._ring.rgb)
