"""Fault rounds of the camera and of the tray's line, in simulated time.

Each round is one throw in a match, with one fault of the camera at a random moment. Afterwards the journal must contain
each throw once and with its true faces, play must have gone on by touch during the fault, and the screen must have been
told within `LIMIT_S`.
"""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import hypot
from pathlib import Path
from random import Random

from companion.clock import ManualClock
from companion.journal.store import Store
from companion.table.ports import News, NewsKind
from firmware.protocol import SerialLink
from tests.camera import game
from tests.fault.checks import Check, Rounds
from tests.firmware.lines import Noise
from vision.calibration_messages import CalibrationCommand
from vision.cameras.protocol import CameraStuck, ForwardingCamera, Frame
from vision.cameras.simulated_tray import Die, Sensor, SimulatedDie, SimulatedTray
from vision.roll import Box, CameraState, CameraTrouble, DieReading, Face, RollRequest
from vision.watching.worker import InlineReader, ReaderNews, ReaderSetup, make_reader

RATE = 15.0
"""Pictures per second of the simulated camera."""

LIMIT_S = 3.0
"""Maximum seconds until the screen is told of a fault, and until a throw is recorded after it."""

PAUSE_S = 1.0
"""Seconds until a stuck reader is replaced."""

SHORT_S, LONG_S = 0.7, 4.5
"""Seconds of a fault that nobody needs to be told of, and of one that must be told."""

BODIES = ("white", "ivory", "red")


@dataclass(frozen=True, slots=True)
class CameraFault:
    """A fault of the camera, and the trouble that is reported. `is_told`: the screen must be told if it lasts."""

    name: str
    start: Callable[[FaultTable, float], object]
    trouble: CameraTrouble | None = None
    is_told: bool = True


class HangingCamera(ForwardingCamera):
    """A camera whose driver hangs until a given second of the tray; a new process can open it again afterwards."""

    def __init__(self, tray: SimulatedTray) -> None:
        super().__init__(tray)
        self.tray = tray
        self.hangs_until = 0.0

    def frame(self, timeout: float) -> Frame:
        frame = self.tray.frame(timeout)
        if self.tray.t < self.hangs_until:
            raise CameraStuck("vision.camera.hangs", name="camera:0")
        return frame


class RestartedReader:
    """A reader that is replaced when its camera is stuck, as the supervisor replaces its process."""

    def __init__(self, camera: HangingCamera) -> None:
        self._camera = camera
        self._start_at = 0.0
        self._request: RollRequest | None = None
        self._reader = self._new_reader()

    def _new_reader(self) -> InlineReader:
        return InlineReader(ReaderSetup(lambda: self._camera, make_reader), clock=lambda: self._camera.tray.t)

    def request(self, request: RollRequest) -> None:
        self._request = request
        self._reader.request(request)

    def show_tray(self, on: bool) -> None:
        """Do nothing: no picture is looked at."""

    def on_motion(self, moving: bool | None) -> None:
        self._reader.on_motion(moving)

    def calibrate(self, order: CalibrationCommand) -> None:
        """Do nothing: the camera is not calibrated."""

    def poll(self) -> Sequence[ReaderNews]:
        if not self._reader.stuck:
            news = self._reader.poll()
            self._start_at = self._camera.tray.t + PAUSE_S
            return news
        self._camera.tray.frame(0.0)
        if self._camera.tray.t >= self._start_at:
            self._reader = self._new_reader()
            gc.collect()  # a reader and its networks refer to each other; a process that ends frees them at once
            if self._request is not None:
                self._reader.request(self._request)
        return []

    def close(self) -> None:
        self._reader.close()


class FaultTable:
    """A match at a simulated table with the real reader. `due` are the throws that must be recorded, each sorted."""

    def __init__(self, store: Store, seed: int) -> None:
        self.tray = SimulatedTray(seed, sensor=Sensor(rate=RATE))
        self.camera = HangingCamera(self.tray)
        self.session = game.start_session(store, RestartedReader(self.camera))
        self.session.outputs.subscribe(self._hear)
        self.due: list[list[int]] = []
        self.states: list[tuple[float, CameraState]] = []
        self.asked = 0

    def _hear(self, news: News) -> None:
        state = self.session.dice.camera
        if news.kind is NewsKind.CAMERA and state is not None:
            self.states.append((self.tray.t, state))

    def run(self, seconds: float) -> None:
        """Advance the time at the table; players answer each question with the true face."""
        end = self.tray.t + seconds
        while self.tray.t < end:
            self.session.poll()
            if self.session.dice.question is not None:
                self._answer()

    def _answer(self) -> None:
        question = self.session.dice.question
        assert question is not None
        self.asked += 1
        if question.reading is None:
            self.session.dice.dismiss(all_dice=True)
            return
        box = question.reading.box
        near = [die for die in self.tray.dice if _is_at(die, box)]
        self.session.answer(Face(near[0].face) if near else question.index)

    def throw(self, random: Random) -> None:
        """Take the dice out between two frames and throw three new ones."""
        self.tray.clear(by_hand=False)
        self.run(0.5)
        self.throw_in(random)

    def throw_in(self, random: Random) -> None:
        """Throw three dice, which must be recorded."""
        dice: list[Die] = [("pips", random.randint(1, 6), body) for body in BODIES]
        self.tray.throw(dice)
        self.due.append(sorted(face for _, face, _ in dice))

    def is_ambiguous(self, placed: Sequence[DieReading]) -> bool:
        """Return True if a die lies where one of `placed` lay, with its face.

        After a camera was blind, nobody can tell whether that die was thrown again, so it does not count.
        """
        return any(
            _is_at(die, reading.box) and die.face == reading.face.value for die in self.tray.dice for reading in placed
        )

    def problems(self) -> list[str]:
        """Return how the recorded throws differ from those made."""
        recorded = game.thrown(self.session)
        lost, doubled = Counter(map(tuple, self.due)), Counter(map(tuple, recorded))
        return [] if recorded == self.due else [f"lost {[*(lost - doubled)]}, too many {[*(doubled - lost)]}"]


def _is_at(die: SimulatedDie, box: Box) -> bool:
    return hypot(die.x - box[0] - box[2] / 2, die.y - box[1] - box[3] / 2) < die.edge / 2


def _hang(table: FaultTable, seconds: float) -> None:
    table.camera.hangs_until = table.tray.t + seconds


FAULTS = (
    *(
        CameraFault(
            trouble.value, lambda table, seconds, trouble=trouble: table.tray.fail_picture(trouble, seconds), trouble
        )
        for trouble in (CameraTrouble.BLACK, CameraTrouble.WHITE, CameraTrouble.NOISY, CameraTrouble.FROZEN)
    ),
    CameraFault("gone", lambda table, seconds: table.tray.lose(seconds)),
    CameraFault("hung", _hang),
    CameraFault("hand", lambda table, seconds: table.tray.hand(stays=seconds), is_told=False),
)
"""All faults of a camera."""

MEANWHILE = ("nothing", "thrown", "taken", "added")
"""What happens to the dice during a fault: nothing, a new throw, one die taken out, or one laid down."""


def camera_faults(folder: Path, fault: CameraFault, count: int, random: Random) -> Iterator[Check]:
    """Cause one fault `count` times in one match, at random moments of a throw."""
    with Store.open(folder / f"camera {fault.name}" / "matches.sqlite", ManualClock()) as store:
        table = FaultTable(store, random.randrange(2**31))
        table.run(1.0)
        for number in range(count):
            moment, meanwhile = random.uniform(0.0, 3.0), MEANWHILE[number % len(MEANWHILE)]
            seconds = random.choice((SHORT_S, LONG_S, LONG_S))
            name = f"camera {fault.name} {number + 1} ({seconds} s from {moment:.2f} s, {meanwhile})"
            yield name, _camera_fault(table, fault, seconds, moment, meanwhile, random)


def _camera_fault(
    table: FaultTable, fault: CameraFault, seconds: float, moment: float, meanwhile: str, random: Random
) -> list[str]:
    """Cause one fault and return what is wrong afterwards."""
    placed = [die.reading for die in table.session.dice.placed_dice]
    table.throw(random)
    table.run(moment)
    if meanwhile != "nothing":
        table.run(4.0 - moment)  # these dice have been read
    placed += [die.reading for die in table.session.dice.placed_dice]
    before, since, touched = len(table.states), table.tray.t, game.touched(table.session)
    fault.start(table, seconds)
    table.run(seconds / 2)
    _change_dice(table, meanwhile, random)
    game.touch(table.session)
    table.run(seconds / 2)
    wrong = _report_problems(table, fault, before, since) if fault.is_told and seconds == LONG_S else []
    table.run(LIMIT_S + 1.0)
    state = table.session.dice.camera
    wrong += [] if state is not None and state.sees else ["the screen still shows the fault"]
    wrong += [] if game.touched(table.session) == touched + 1 else ["touch did not go on"]
    wrong += [] if table.is_ambiguous(placed) else table.problems()
    table.due = game.thrown(table.session)  # each fault is reported once
    return wrong


def _change_dice(table: FaultTable, meanwhile: str, random: Random) -> None:
    """Change the dice between two frames."""
    if meanwhile == "thrown":
        table.tray.clear(by_hand=False)
        table.throw_in(random)
    elif meanwhile == "taken":
        table.tray.remove_die(0)
    elif meanwhile == "added":
        table.tray.lay_down(("pips", random.randint(1, 6), "green"))


def _report_problems(table: FaultTable, fault: CameraFault, before: int, since: float) -> list[str]:
    """Return what is wrong with the reports of a fault that began at second `since`."""
    reports = [(t - since, state) for t, state in table.states[before:] if not state.sees]
    if not reports:
        return ["the screen was not told"]
    after, state = reports[0]
    late = [f"told after {after:.2f} s"] if after > LIMIT_S else []
    return late if state.trouble is fault.trouble else [*late, f"told as {state.trouble}"]


# The tray's line: two ends of the protocol over a noisy line, with a simulated clock.


PRESSES = 40
"""Number of presses in one round of the tray's line."""

LINE_LIMIT_MS = 120_000
"""Milliseconds after which a line that still owes a message stands still."""


class TrayLine:
    """A host and a tray over a line. `sent` are the presses of the running tray, `heard` those at the host."""

    def __init__(self, random: Random, rate: float) -> None:
        self._random = random
        self._noise = Noise(random.randrange(2**31), rate)
        self._boot = 2
        self.host = SerialLink(1, {"name": "host"}, greets=True)
        self.tray = SerialLink(self._boot, {"name": "tray"})
        self.now = 0
        self.sent = 0
        self.heard: list[int] = []

    def step(self, torn: bool = False) -> None:
        """Advance by some milliseconds. `torn`: each end receives only a part of what the other one sends."""
        self.now += self._random.choice((1, 3, 10))
        for one, other in ((self.host, self.tray), (self.tray, self.host)):
            data = self._noise.passed(one.due(self.now))
            messages = other.feed(data[: self._random.randint(0, len(data))] if torn else data, self.now)
            if other is self.host:
                self.heard += [message[1] for message, _ in messages if isinstance(message, list)]

    def press(self) -> None:
        """Press a button of the tray, if it has room for the message."""
        self.sent += self.tray.offer(["press", self.sent, False], self.now)

    def reboot(self) -> None:
        """Restart the tray in the middle of a frame: it forgets what was not acknowledged."""
        self.step(torn=True)
        self._boot += 1
        self.tray = SerialLink(self._boot, {"name": "tray"})

    def unplug(self) -> None:
        """Unplug the tray while frames are in transit, and plug it in again after a while."""
        self.step(torn=True)
        self.now += self._random.randrange(10_000)
        self.host.reopened()


def tray_noise(count: int, random: Random) -> Iterator[Check]:
    """Press buttons over a noisy line: each press arrives once and in order."""
    for number in range(count):
        yield f"tray noise {number + 1}", _pressed(TrayLine(random, random.choice((0.5, 4.0, 12.0))), random, None)


def tray_unplugged(count: int, random: Random) -> Iterator[Check]:
    """Unplug the tray at random moments, acknowledgements included: each press arrives once and in order."""
    for number in range(count):
        yield f"tray unplugged {number + 1}", _pressed(TrayLine(random, 0.5), random, TrayLine.unplug)


def _pressed(line: TrayLine, random: Random, fault: Callable[[TrayLine], None] | None) -> list[str]:
    while len(line.heard) < PRESSES and line.now < LINE_LIMIT_MS:
        if line.sent < PRESSES:
            line.press()
        if fault is not None and random.random() < 0.02:
            fault(line)
        line.step()
    for _ in range(300):
        line.step()
    return [] if line.heard == list(range(PRESSES)) else [f"pressed 0 to {PRESSES - 1}, heard {line.heard}"]


def tray_reboots(count: int, random: Random) -> Iterator[Check]:
    """Restart the tray in the middle of a frame: no press arrives twice, and those after the restart all arrive."""
    for number in range(count):
        line = TrayLine(random, 0.5)
        for _ in range(random.randint(1, 200)):
            line.press()
            line.step()
        line.reboot()
        first = line.sent
        while line.sent < first + PRESSES or line.tray.waiting:
            if line.now > LINE_LIMIT_MS:
                break
            if line.sent < first + PRESSES:
                line.press()
            line.step()
        before = [press for press in line.heard if press < first]
        after = [press for press in line.heard if press >= first]
        wrong = [] if before == list(range(len(before))) else [f"before the restart {before}"]
        wrong += [] if after == list(range(first, first + PRESSES)) else [f"after the restart {after}"]
        yield f"tray restart {number + 1} ({len(before)} presses before)", wrong


def camera_rounds(folder: Path, count: int, random: Random) -> Rounds:
    """Return all rounds of camera and tray by name. `count` is the number of faults of each kind."""
    rounds: Rounds = [
        (f"camera {fault.name}", partial(camera_faults, folder, fault, count, random)) for fault in FAULTS
    ]
    tray = (("tray noise", tray_noise), ("tray unplugged", tray_unplugged), ("tray restart", tray_reboots))
    return rounds + [(name, partial(way, count, random)) for name, way in tray]
