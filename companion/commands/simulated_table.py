"""The simulated table: rendered dice in a rendered tray, read by the real reader behind the usual reader port."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from math import hypot
from pathlib import Path
from random import Random

import numpy as np

from companion.commands.own_dice import table_dice_set, table_reader
from companion.games.base import DiceRequest, Die, Message
from companion.games.registry import SPECS
from companion.table.ports import ReaderNews
from vision.calibration.calibrated import CalibratedCamera
from vision.calibration_messages import CalibrationCommand
from vision.cameras.protocol import Camera, CameraLost, Paced
from vision.cameras.simulated_tray import AdjustableTray, SimulatedTray
from vision.decision.reader import Reader
from vision.detection.table_plane import Overhead
from vision.dice_sets import DiceSet, Kind
from vision.roll import Box, CameraState, Face, RollRequest
from vision.watching.supervisor import ProcessReader
from vision.watching.watcher import Watcher, seen_roll
from vision.watching.worker import InlineReader, ReaderSetup, TrayCommand

BODIES = ("white", "ivory", "red", "blue", "green", "black")
"""Body colours of classic dice. Each match draws two of them."""

MAX_FRAMES = 900
"""Half a minute of tray time: far longer than any throw needs to come to rest."""

EDGES = ((12, 44.0), (30, 40.0))
"""Die edge in pixels by the maximum number of dice in the tray: a larger tray is seen from further away."""

EMPTY_TRAY_S = 0.5
"""Seconds from picking the dice up to throwing them."""


class RollNotRead(Exception):
    """A throw that was not read although the tray was at rest."""

    def __init__(self, fault: str, **args: object) -> None:
        self.message = Message(f"cli.demo_not_read.{fault}", args)
        super().__init__(str(self.message))


class SimulatedReader:
    """A tray controlled by the program, in virtual time: frames advance only on request."""

    def __init__(self, dice_set: DiceSet, seed: int, *, made_set: DiceSet | None = None, max_dice: int = 0) -> None:
        """Create the tray and its reader.

        - `dice_set`: the dice as known to the reader
        - `made_set`: the dice as manufactured (six faces each), if different
        - `max_dice`: maximum number of dice in the tray
        """
        self.camera = SimulatedTray(seed, edge=die_edge(max_dice))
        self._thrown_dice: list[Die] = []
        self._request = RollRequest(dice_set.name)
        reader = Reader(dice_set, view=Overhead(), one_tray=True)
        self._watcher = Watcher(reader, request_of=lambda: self._request, limit_light=self.camera.limit_light)
        self._news: list[ReaderNews] = [CameraState(True, self.camera.describe())]
        chance = np.random.default_rng(seed)
        self._bodies = [str(body) for body in chance.choice(BODIES, size=2, replace=False)]
        self._kinds = {kind.name: kind for kind in (made_set or dice_set).kinds}

    def request(self, request: RollRequest) -> None:
        self._request = request

    def poll(self) -> Sequence[ReaderNews]:
        news, self._news = self._news, []
        return news

    def show_tray(self, on: bool) -> None:
        """Do nothing: the demo has no screen."""

    def on_motion(self, moving: bool | None) -> None:
        """Set the tray's motion hint."""
        self._watcher.on_motion(moving)

    def close(self) -> None:
        self.camera.close()

    @property
    def placed_kinds(self) -> frozenset[str]:
        """The kinds of the dice in the tray."""
        return frozenset(die.kind for die in self.camera.dice)

    def clear(self) -> None:
        """Take all dice out by hand, and leave the tray empty for a moment."""
        self.camera.clear()
        self._thrown_dice.clear()
        self.advance_until(lambda: self.camera.at_rest and not self.camera.dice)
        empty_until = self.camera.t + EMPTY_TRAY_S
        self.advance_until(lambda: self.camera.t >= empty_until)

    def throw(self, dice: Sequence[Die], side: int = 0) -> None:
        """Throw dice with these faces up, beside those in the tray."""
        body = self._bodies[side % len(self._bodies)]
        self._thrown_dice += dice
        numbered = [face_on_top(self._kinds[die.kind], die) for die in dice]
        self.camera.throw([(kind, number, kind.bodies[0] if kind.bodies else body) for kind, number in numbered])

    def truth_at(self, box: Box) -> Die | None:
        """Return the true die in a box of the picture; None if there is none."""
        x, y = box[0] + box[2] / 2, box[1] + box[3] / 2
        near = [
            (hypot(placed.x - x, placed.y - y), index)
            for index, placed in enumerate(self.camera.dice)
            if hypot(placed.x - x, placed.y - y) < placed.edge / 2
        ]
        return self._thrown_dice[min(near)[1]] if near else None

    def advance_until(self, is_done: Callable[[], bool]) -> None:
        """Advance the tray's time until `is_done`. Raises: RollNotRead after MAX_FRAMES."""
        for _ in range(MAX_FRAMES):
            self.step()
            if is_done():
                return
        raise RollNotRead("nothing")

    def step(self) -> None:
        """Advance one frame."""
        try:
            roll = self._watcher.on_frame(self.camera.frame(0.0))
        except CameraLost as loss:
            self._news.append(CameraState(False, self.camera.describe(), str(loss)))
            return
        if roll is not None:
            self._news.append(seen_roll(roll))


def die_edge(max_dice: int) -> float:
    """Return the edge of dice in pixels for a maximum number of dice in the tray."""
    return next((edge for count, edge in EDGES if max_dice <= count), EDGES[-1][1])


def face_on_top(kind: Kind, die: Die) -> tuple[Kind, int]:
    """Return the die with this face up: its kind, and the number of the face, from 1.

    A face that the kind lacks replaces another one, of the same value if there is one.
    """
    wanted = Face(die.value, die.colour, die.symbol)
    if wanted in kind.faces:
        return kind, kind.faces.index(wanted) + 1
    place = next((index for index, face in enumerate(kind.faces) if face.value == die.value), 0)
    return replace(kind, faces=(*kind.faces[:place], wanted, *kind.faces[place + 1 :])), place + 1


# The simulated table of the app: a rendered tray in the reader's process, with throws from the screen.


SIDE_BODIES = ("white", "red")
"""Body colours of the two sides' dice, if the dice set leaves them open."""


def idle_tray(seed: int, edge: float, calibration: Path | None = None) -> Camera:
    """Return a rendered, idle tray in real time. `calibration` is its camera's calibration file."""
    return CalibratedCamera(Paced(AdjustableTray(seed, edge=edge)), calibration)


def with_random_colours(dice_set: DiceSet, random: Random) -> DiceSet:
    """Return the dice as manufactured: every open number colour is chosen at random."""
    kinds = []
    for kind in dice_set.kinds:
        faces = [
            replace(face, colour=random.choice(kind.inks)) if index in kind.open_faces else face
            for index, face in enumerate(kind.faces)
        ]
        kinds.append(replace(kind, faces=tuple(faces)))
    return replace(dice_set, kinds=tuple(kinds))


def _shows(die: Die, face: Face) -> bool:
    """Return True if a die shows a face; a colour that the game leaves out may be any."""
    return (die.value, die.symbol) == (face.value, face.symbol) and die.colour in (None, face.colour)


class SimulatedTable:
    """A reader port with dice thrown by the program: `throw_due` throws the awaited dice with random faces."""

    def __init__(
        self,
        dice_set: str,
        random: Random | None = None,
        own_sets: Path | None = None,
        calibration: Path | None = None,
        run: Callable[[ReaderSetup], ProcessReader | InlineReader] = ProcessReader,
    ) -> None:
        """Start the simulated table.

        - `own_sets`: folder of the dice faces confirmed by players
        - `calibration`: the camera's calibration file
        - `run`: creates the reader
        """
        self._random = random or Random()
        max_dice = SPECS[dice_set].max_dice if dice_set in SPECS else 0
        camera = partial(idle_tray, self._random.randrange(2**31), die_edge(max_dice), calibration)
        self._reader = run(ReaderSetup(camera, partial(table_reader, own_sets, True), dice_set))
        self._kinds = {
            kind.name: kind for kind in with_random_colours(table_dice_set(dice_set, own_sets), self._random).kinds
        }
        self._has_dice = False
        self._picked_up: tuple[Die, ...] = ()

    def throw_due(self, dice: Sequence[DiceRequest], beside: bool, picked_up: Sequence[Die] = ()) -> None:
        """Throw these dice, beside those in the tray or after clearing it by hand. Dice picked up are taken out."""
        if self._has_dice and not beside:
            self._reader.command(TrayCommand("clear", options={"by_hand": False}))
        if picked_up and tuple(picked_up) == self._picked_up:  # the same throw again: its dice were not read
            self._reader.command(TrayCommand("take_out_last", (len(picked_up),)))
        else:
            self._take_out(picked_up)
        self._picked_up = tuple(picked_up)
        sides = sorted({request.side for request in dice if request.side is not None})
        dice_to_throw = [
            (self._kinds[await_.kind], self._random.randint(1, 6), self._body(await_, sides))
            for await_ in dice
            for _ in range(await_.count)
        ]
        self._reader.command(TrayCommand("throw", (dice_to_throw,)))
        self._has_dice = True

    def _take_out(self, dice: Sequence[Die]) -> None:
        for die in dice:
            faces = [number for number, face in enumerate(self._kinds[die.kind].faces, 1) if _shows(die, face)]
            self._reader.command(TrayCommand("take_out", (die.kind, faces)))

    def _body(self, request: DiceRequest, sides: Sequence[str]) -> str:
        own = self._kinds[request.kind].bodies
        return own[0] if own else SIDE_BODIES[sides.index(request.side) % 2 if request.side else 0]

    def calibrate(self, order: CalibrationCommand) -> None:
        """Calibrate the simulated camera."""
        self._reader.calibrate(order)

    def lay_card(self, is_present: bool) -> None:
        """Place the calibration card, or clear the tray."""
        self._reader.command(
            TrayCommand("lay_card") if is_present else TrayCommand("clear", options={"by_hand": False})
        )
        self._has_dice = self._has_dice and is_present

    def throw_test_die(self) -> None:
        """Throw one die of the table into the cleared tray."""
        kind = self._random.choice(list(self._kinds.values()))
        self._reader.command(TrayCommand("clear", options={"by_hand": False}))
        body = kind.bodies[0] if kind.bodies else SIDE_BODIES[0]
        self._reader.command(TrayCommand("throw", ([(kind, self._random.randint(1, 6), body)],)))
        self._has_dice = True

    def request(self, request: RollRequest) -> None:
        self._reader.request(request)

    def show_tray(self, on: bool) -> None:
        self._reader.show_tray(on)

    def on_motion(self, moving: bool | None) -> None:
        """Set the tray's motion hint (see `ProcessReader.on_motion`)."""
        self._reader.on_motion(moving)

    def poll(self) -> Sequence[ReaderNews]:
        return self._reader.poll()

    def close(self) -> None:
        self._reader.close()
