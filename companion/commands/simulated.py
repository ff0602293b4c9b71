"""The simulated table: drawn dice in a drawn tray, read by the real reader, as a reader port like any other."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from companion.games.base import Die
from companion.table.ports import ReaderNews
from vision.cameras.drawn import Drawn
from vision.cameras.protocol import CameraLost
from vision.dice_sets import DiceSet
from vision.pipeline import Reader
from vision.roll import BALL_COLOURS, CameraState, RollRequest
from vision.snapshots import seen_roll
from vision.view import Overhead
from vision.watch import Watcher

BODIES = ("white", "ivory", "red", "blue", "green", "black")
"""Bodies of classic dice; each match draws two of them."""

MOST_FRAMES = 900
"""Half a minute of the tray's time: far longer than any throw takes to lie still."""


EMPTY_SECONDS = 0.5
"""How long players take from picking the dice up to throwing them."""


class NeverSettled(Exception):
    """A throw that was not read although the tray lay still."""


class SimulatedReader:
    """A tray that is thrown into by program. Its time is virtual: frames pass only when they are asked for."""

    def __init__(self, dice_set: DiceSet, seed: int) -> None:
        self.camera = Drawn(seed)
        self._request = RollRequest(dice_set.name)
        self._watcher = Watcher(Reader(dice_set, view=Overhead(), one_tray=True), request_of=lambda: self._request)
        self._news: list[ReaderNews] = [CameraState(True, self.camera.describe())]
        chance = np.random.default_rng(seed)
        self._bodies = [str(body) for body in chance.choice(BODIES, size=2, replace=False)]

    def request(self, request: RollRequest) -> None:
        self._request = request

    def poll(self) -> Sequence[ReaderNews]:
        news, self._news = self._news, []
        return news

    def show_tray(self, on: bool) -> None:
        """The demo has no screen."""

    def close(self) -> None:
        self.camera.close()

    def clear(self) -> None:
        """A hand takes all dice out, and the tray lies empty for a moment."""
        self.camera.clear()
        self.pass_frames(lambda: self.camera.at_rest and not self.camera.lying)
        empty_until = self.camera.t + EMPTY_SECONDS
        self.pass_frames(lambda: self.camera.t >= empty_until)

    def throw(self, dice: Sequence[Die], side: int = 0) -> None:
        """Throws dice with these faces on top in beside those that lie there."""
        body = self._bodies[side % len(self._bodies)]
        self.camera.throw([(die.kind, face_number(die), body) for die in dice])

    def pass_frames(self, done: Callable[[], bool]) -> None:
        """Lets the tray's time pass until `done`. Raises NeverSettled after MOST_FRAMES."""
        for _ in range(MOST_FRAMES):
            self.step()
            if done():
                return
        raise NeverSettled(f"nothing was read at second {self.camera.t:.1f}")

    def step(self) -> None:
        """One frame."""
        try:
            settled = self._watcher.see(self.camera.frame(0.0))
        except CameraLost as loss:
            self._news.append(CameraState(False, self.camera.describe(), str(loss)))
            return
        if settled is not None:
            self._news.append(seen_roll(settled))


def face_number(die: Die) -> int:
    """The number of a face as the tray counts them."""
    if die.colour is not None:
        return BALL_COLOURS.index(die.colour) + 1
    if die.value is None:
        raise ValueError(f"{die} has neither a value nor a colour")
    return die.value
