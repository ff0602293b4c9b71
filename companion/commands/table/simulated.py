"""The simulated table: drawn dice in a drawn tray, read by the real reader, as a reader port like any other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import hypot

import numpy as np

from companion.games.base import Die
from companion.table.ports import ReaderNews
from vision.cameras.protocol import CameraLost
from vision.cameras.simulated_tray import Drawn
from vision.decision.reader import Reader
from vision.detection.table_plane import Overhead
from vision.dice_sets import DiceSet, Kind
from vision.roll import Box, CameraState, Face, RollRequest
from vision.watching.watcher import Watcher, seen_roll

BODIES = ("white", "ivory", "red", "blue", "green", "black")
"""Bodies of classic dice; each match draws two of them."""

MOST_FRAMES = 900
"""Half a minute of the tray's time: far longer than any throw takes to lie still."""

EDGES = ((12, 44.0), (30, 40.0))
"""Edge in pixels of dice of which so many lie in the tray at once: a larger tray is seen from further away."""

MOST_DICE = {"hoops21": 12, "nba": 30}
"""Dice that may lie there at once, by game; six in the others."""

EMPTY_SECONDS = 0.5
"""How long players take from picking the dice up to throwing them."""


class NeverSettled(Exception):
    """A throw that was not read although the tray lay still."""


class SimulatedReader:
    """A tray that is thrown into by program. Its time is virtual: frames pass only when they are asked for."""

    def __init__(self, dice_set: DiceSet, seed: int, *, made: DiceSet | None = None, most: int = 0) -> None:
        """`dice_set` is what the reader knows of the dice, `made` how they are made (six faces each), if that differs.

        At `most` so many dice lie in the tray at once.
        """
        self.camera = Drawn(seed, edge=edge_of(most))
        self._thrown: list[Die] = []
        self._request = RollRequest(dice_set.name)
        reader = Reader(dice_set, view=Overhead(), one_tray=True)
        self._watcher = Watcher(reader, request_of=lambda: self._request, let_in=self.camera.let_in)
        self._news: list[ReaderNews] = [CameraState(True, self.camera.describe())]
        chance = np.random.default_rng(seed)
        self._bodies = [str(body) for body in chance.choice(BODIES, size=2, replace=False)]
        self._kinds = {kind.name: kind for kind in (made or dice_set).kinds}

    def request(self, request: RollRequest) -> None:
        self._request = request

    def poll(self) -> Sequence[ReaderNews]:
        news, self._news = self._news, []
        return news

    def show_tray(self, on: bool) -> None:
        """The demo has no screen."""

    def stirred(self, moving: bool | None) -> None:
        """What the tray feels from now on."""
        self._watcher.stirred(moving)

    def close(self) -> None:
        self.camera.close()

    @property
    def lying(self) -> frozenset[str]:
        """The kinds of the dice in the tray."""
        return frozenset(die.kind for die in self.camera.lying)

    def clear(self) -> None:
        """A hand takes all dice out, and the tray lies empty for a moment."""
        self.camera.clear()
        self._thrown.clear()
        self.pass_frames(lambda: self.camera.at_rest and not self.camera.lying)
        empty_until = self.camera.t + EMPTY_SECONDS
        self.pass_frames(lambda: self.camera.t >= empty_until)

    def throw(self, dice: Sequence[Die], side: int = 0) -> None:
        """Throws dice with these faces on top in beside those that lie there."""
        body = self._bodies[side % len(self._bodies)]
        self._thrown += dice
        lying = [showing(self._kinds[die.kind], die) for die in dice]
        self.camera.throw([(kind, number, kind.bodies[0] if kind.bodies else body) for kind, number in lying])

    def truth_at(self, box: Box) -> Die | None:
        """The die that truly lies in a box of the picture; None if there is none."""
        x, y = box[0] + box[2] / 2, box[1] + box[3] / 2
        near = [
            (hypot(lying.x - x, lying.y - y), index)
            for index, lying in enumerate(self.camera.lying)
            if hypot(lying.x - x, lying.y - y) < lying.edge / 2
        ]
        return self._thrown[min(near)[1]] if near else None

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


def edge_of(most: int) -> float:
    """The edge of dice in pixels where at most so many lie in the tray at once."""
    return next((edge for count, edge in EDGES if most <= count), EDGES[-1][1])


def showing(kind: Kind, die: Die) -> tuple[Kind, int]:
    """The die with this face on top: its kind and the number of the face, counted from 1.

    A face that the kind is not made with is painted over another, of the same value if there is one.
    """
    wanted = Face(die.value, die.colour, die.symbol)
    if wanted in kind.faces:
        return kind, kind.faces.index(wanted) + 1
    place = next((index for index, face in enumerate(kind.faces) if face.value == die.value), 0)
    return replace(kind, faces=(*kind.faces[:place], wanted, *kind.faces[place + 1 :])), place + 1
