"""The simulated table as the app gets it: a drawn tray in the reader's own process, thrown into from the screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random

from companion.commands.table.own_dice import set_of, table_reader
from companion.commands.table.simulated import MOST_DICE, edge_of
from companion.games.base import DiceAwait
from companion.table.ports import ReaderNews
from vision.calibration.calibrated import Calibrated
from vision.calibration_words import CalibrationOrder
from vision.cameras.protocol import Camera, Paced
from vision.cameras.simulated_tray import Rigged
from vision.dice_sets import DiceSet
from vision.roll import RollRequest
from vision.watching.supervisor import ProcessReader
from vision.watching.worker import InlineReader, ReaderSetup, TrayCommand

BODIES = ("white", "red")
"""Bodies of the two sides' dice, where the dice set leaves them open."""


def idle_tray(seed: int, edge: float, calibration: Path | None = None) -> Camera:
    """A drawn tray at the speed of the clock on the wall, in which nothing happens by itself; `calibration` is the
    file of how its camera was set up."""
    return Calibrated(Paced(Rigged(seed, edge=edge)), calibration)


def coloured(dice_set: DiceSet, random: Random) -> DiceSet:
    """The dice as somebody made them: every number whose colour the set leaves open has one."""
    kinds = []
    for kind in dice_set.kinds:
        faces = [
            replace(face, colour=random.choice(kind.inks)) if index in kind.open_faces else face
            for index, face in enumerate(kind.faces)
        ]
        kinds.append(replace(kind, faces=tuple(faces)))
    return replace(dice_set, kinds=tuple(kinds))


class SimulatedTable:
    """A reader port whose dice are thrown by program: `throw_due` throws what is awaited, faces by chance."""

    def __init__(
        self,
        dice_set: str,
        random: Random | None = None,
        own_sets: Path | None = None,
        calibration: Path | None = None,
        run: Callable[[ReaderSetup], ProcessReader | InlineReader] = ProcessReader,
    ) -> None:
        """`own_sets` is the folder of what players have confirmed of their dice, `calibration` the camera's file, `run`
        what looks through it."""
        self._random = random or Random()
        camera = partial(idle_tray, self._random.randrange(2**31), edge_of(MOST_DICE.get(dice_set, 0)), calibration)
        self._reader = run(ReaderSetup(camera, partial(table_reader, own_sets, True), dice_set))
        self._kinds = {kind.name: kind for kind in coloured(set_of(dice_set, own_sets), self._random).kinds}
        self._lying = False

    def throw_due(self, dice: Sequence[DiceAwait], beside: bool) -> None:
        """Throws these dice, beside those that lie there or after a hand has taken them out."""
        if self._lying and not beside:
            self._reader.command(TrayCommand("clear", options={"by_hand": False}))
        sides = sorted({await_.side for await_ in dice if await_.side is not None})
        thrown = [
            (self._kinds[await_.kind], self._random.randint(1, 6), self._body(await_, sides))
            for await_ in dice
            for _ in range(await_.count)
        ]
        self._reader.command(TrayCommand("throw", (thrown,)))
        self._lying = True

    def _body(self, await_: DiceAwait, sides: Sequence[str]) -> str:
        own = self._kinds[await_.kind].bodies
        return own[0] if own else BODIES[sides.index(await_.side) % 2 if await_.side else 0]

    def calibrate(self, order: CalibrationOrder) -> None:
        """Sets the drawn camera up."""
        self._reader.calibrate(order)

    def lay_card(self, there: bool) -> None:
        """Lays the calibration card down, or clears the tray."""
        self._reader.command(TrayCommand("lay_card") if there else TrayCommand("clear", options={"by_hand": False}))
        self._lying = self._lying and there

    def throw_one(self) -> None:
        """Throws one die of the table into the cleared tray."""
        kind = self._random.choice(list(self._kinds.values()))
        self._reader.command(TrayCommand("clear", options={"by_hand": False}))
        body = kind.bodies[0] if kind.bodies else BODIES[0]
        self._reader.command(TrayCommand("throw", ([(kind, self._random.randint(1, 6), body)],)))
        self._lying = True

    def request(self, request: RollRequest) -> None:
        self._reader.request(request)

    def show_tray(self, on: bool) -> None:
        self._reader.show_tray(on)

    def stirred(self, moving: bool | None) -> None:
        """What the tray feels from now on (see `ProcessReader.stirred`)."""
        self._reader.stirred(moving)

    def poll(self) -> Sequence[ReaderNews]:
        return self._reader.poll()

    def close(self) -> None:
        self._reader.close()
