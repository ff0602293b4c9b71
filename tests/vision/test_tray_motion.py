"""The tray's stillness signal: used if the picture agrees, harmless if the tray is wrong."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from tests.vision.doubles import BlobReader, TruthReader
from tests.vision.test_rest_detector import FIVE, rests, scene, shots, sliding
from vision.cameras.protocol import Frame
from vision.cameras.simulated_tray import SimulatedTray
from vision.watching.rest_detector import LIVE_TIMINGS, Rest, RestDetector, RestTimings
from vision.watching.watcher import Watcher
from vision.watching.worker import InlineReader, ReaderSetup, TrayMotion, execute

MotionSensor = Callable[[SimulatedTray], bool | None]
"""Return the tray's signal at a frame, given the truth; None for no signal."""

SPINNING = {1}
"""Throws in which one die spins on a corner for a while."""


def settled_at(settle: RestDetector, motion: dict[float, bool | None], fps: float = 30.0) -> float:
    """Return when a die that slides in for a second and stops is offered, counted from its stop.

    `motion` maps a second to the tray's signal before that second's picture.
    """
    found = []
    for number, (t, picture) in enumerate(
        shots((scene([]), 1.0), (sliding(1.0), 1.0), (scene(FIVE), 2.0), fps=fps, noise=2.0)
    ):
        for second in [second for second in motion if second <= t]:
            settle.on_motion(motion.pop(second))
        rest = settle.on_frame(Frame(picture, t, number))
        found += [(t, rest)] if isinstance(rest, Rest) and t > 1.5 else []
    ((t, _),) = rests(found)
    return t - 2.0


@pytest.mark.parametrize(("fps", "due"), [(60, 0.13), (30, 4 / 30), (15, 4 / 15), (10, 0.35), (5, 0.35)])
def test_five_steady_frames_are_enough_for_those_who_wait(fps: float, due: float) -> None:
    assert due - 1.01 / fps <= settled_at(RestDetector(LIVE_TIMINGS), {}, fps) <= due + 1.01 / fps


@pytest.mark.parametrize("patience", [LIVE_TIMINGS, RestTimings()])
def test_three_are_enough_once_the_tray_has_felt_its_dice_come_to_rest(patience: RestTimings) -> None:
    assert settled_at(RestDetector(patience), {1.1: True, 2.03: False}) <= 0.07


@pytest.mark.parametrize(
    "motion",
    [
        {0.5: False},
        {1.1: True, 1.5: False},
        {1.1: True},
        {1.1: True, 2.01: None, 2.03: False},
        {1.1: True, 1.4: False, 2.03: False},
    ],
    ids=["still only", "still too soon", "moving for ever", "gone", "still once more"],
)
def test_a_word_that_does_not_fit_changes_nothing(motion: dict[float, bool | None]) -> None:
    assert settled_at(RestDetector(LIVE_TIMINGS), motion) == settled_at(RestDetector(LIVE_TIMINGS), {})


def in_turns() -> MotionSensor:
    """Return a tray that alternates moving and still with every frame."""
    state = [False]

    def sensor(tray: SimulatedTray) -> bool:
        state[0] = not state[0]
        return state[0]

    return sensor


def the_wrong_way_round(tray: SimulatedTray) -> bool:
    return tray.at_rest


def always_still(tray: SimulatedTray) -> bool:
    return False


def never(tray: SimulatedTray) -> None:
    return None


def truly(tray: SimulatedTray) -> bool:
    return not tray.at_rest


def thrown(sensor: MotionSensor, throws: int = 3) -> tuple[list[str], list[float]]:
    """Return the faults of `throws` throws with the signals of `sensor`, and the seconds from rest to roll of each."""
    tray = SimulatedTray(11)
    watcher = Watcher(TruthReader(tray), timings=LIVE_TIMINGS)
    wrong: list[str] = []
    waited: list[float] = []
    for number in range(throws):
        tray.clear(by_hand=False)
        _watched(tray, watcher, sensor, 0.6)
        faces = [1 + (number + die) % 6 for die in range(3)]
        tray.throw([("pips", face, "white") for face in faces], spins=0.5 if number in SPINNING else 0.0)
        rested, rolls = _watched(tray, watcher, sensor, 1.2)
        if [sorted(values) for _, _, values in rolls] != [sorted(faces)]:
            wrong.append(f"throw {number}: {faces} said as {[values for _, _, values in rolls]}")
        for t, used, _ in rolls:
            wrong += [f"throw {number}: read from second {used:.3f}, at rest at {rested:.3f}"] if used < rested else []
            waited.append(t - rested)
    return wrong, waited


def _watched(
    tray: SimulatedTray, watcher: Watcher, sensor: MotionSensor, quiet: float
) -> tuple[float, list[tuple[float, float, list[int | None]]]]:
    """Process frames until nothing has moved for `quiet` seconds.

    Returns the start of the rest, and the rolls with the last second used.
    """
    rolls: list[tuple[float, float, list[int | None]]] = []
    rested = None
    while rested is None or tray.t - rested < quiet:
        word = sensor(tray)
        if word is not None:
            watcher.on_motion(word)
        frame = tray.frame(0.0)
        rested = (tray.t if rested is None else rested) if tray.at_rest else None
        result = watcher.on_frame(frame)
        if result is not None:
            assert result.roll.t is not None
            rolls.append((frame.t, result.roll.t + 1e-6, [die.face.value for die in result.roll.dice]))
    return rested, rolls


@pytest.mark.parametrize(
    "sensor", [in_turns(), the_wrong_way_round, always_still, never], ids=lambda sensor: sensor.__name__
)
def test_a_tray_that_lies_or_is_silent_never_makes_a_roll_wrong_or_early(sensor: MotionSensor) -> None:
    wrong, waited = thrown(sensor)
    assert wrong == []
    assert max(waited) <= 0.35


def test_a_tray_that_tells_the_truth_saves_frames() -> None:
    wrong, waited = thrown(truly)
    assert wrong == []
    silent = thrown(never)[1]
    assert sum(waited) / len(waited) <= sum(silent) / len(silent) - 0.9 / 30


def test_the_word_goes_through_the_reader_port() -> None:
    heard: list[bool | None] = []

    class Listening:
        def on_motion(self, moving: bool | None) -> None:
            heard.append(moving)

    assert execute(Listening(), TrayMotion(True))  # type: ignore[arg-type]
    port = InlineReader(ReaderSetup(partial(SimulatedTray, 1), lambda dice_set: BlobReader()))
    port.on_motion(False)
    port.close()
    assert heard == [True]
