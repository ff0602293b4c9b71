"""Reading from the virtual camera: every throw once, every die correctly; and the camera contract on this camera."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from itertools import islice, pairwise
from pathlib import Path
from random import Random

import numpy as np

from tests.camera.film import Reel, Throw, shoot
from tests.camera.virtual import VirtualCameraFolder, camera
from vision import dice_sets
from vision.cameras.simulated_tray import BODIES, Die, drawable_kinds
from vision.roll import CameraState, Roll, RollRequest, SeenRoll, Status
from vision.watching.supervisor import ProcessReader, Supervision
from vision.watching.worker import ReaderSetup, make_reader

RATE = 15.0
ROLLS = 5
"""Throws per film; there is one film for each dice set."""

SETS = {"pips": 4, "footclub": 3, "numerals": 3, "hoops21": 3}
"""Number of dice per throw for each set."""

END = 60
"""Number of pictures of the empty tray at the end: enough for the observation time."""

TIMEOUT_S = 180.0
"""Seconds without a roll after which the wait ends."""

CALM = Supervision(silence=20.0)
"""A long silence limit, so that the result does not depend on machine load."""

Check = tuple[str, list[str]]


def contract(folder: Path) -> Iterator[Check]:
    """Run the contract of all cameras (`tests/vision/test_cameras_contract.py`) on this one."""
    reel = shoot(folder / "contract", 1, [[("pips", 5, "white")]], rate=RATE, stays=0.5)
    place = _place(reel)
    source = camera(place)
    with source:
        frames = [source.frame(5.0) for _ in range(8)]
        copy = frames[0].picture.copy()
        source.frame(5.0)
    wrong = [] if np.array_equal(copy, frames[0].picture) else ["a picture that was given has changed"]
    shapes = {(frame.picture.shape, None if frame.small is None else frame.small.shape) for frame in frames}
    wrong += [] if shapes == {((480, 640, 3), (240, 320, 3))} else [f"pictures of {shapes}"]
    wrong += [
        f"{other.t:.3f} s, number {other.sequence} after {one.t:.3f} s, number {one.sequence}"
        for one, other in pairwise(frames)
        if not (one.t < other.t and one.sequence < other.sequence)
    ]
    yield "frames are pictures whose time and number run on", wrong
    source.close()
    with source:
        asked = time.monotonic()
        fresh = source.frame(5.0)
    yield "closed twice and opened again", [] if fresh.picture.size and fresh.t == 0.0 else ["no first picture"]
    yield "opening again takes no three seconds", [] if time.monotonic() - asked < 3.0 else ["it does"]


def rolls(folder: Path) -> Iterator[Check]:
    """Read twenty throws of four dice sets through camera, worker and reader."""
    for seed, (name, dice) in enumerate(SETS.items(), start=1):
        random = Random(seed)
        reel = shoot(folder / name, seed, islice(_throws(name, dice, random), ROLLS), rate=RATE, stays=0.7)
        read_rolls = _watched(_place(reel), name, len(reel.throws))
        for number, throw in enumerate(reel.throws):
            roll = read_rolls[number] if number < len(read_rolls) else None
            read = None if roll is None else _dice_labels(roll)
            due = _true(name, throw)
            right = roll is not None and roll.status is Status.OK and read == due
            yield f"{name} roll {number + 1}", [] if right else [f"thrown {due}, read {read}"]
        more = read_rolls[len(reel.throws) :]
        yield f"{name}: no roll besides", [f"{len(more)} more"] if more else []


def _throws(name: str, count: int, random: Random) -> Iterator[list[Die]]:
    kinds = drawable_kinds(dice_sets.load(name))
    while True:
        one = [random.choice(kinds) for _ in range(count)]
        yield [(kind, random.randint(1, 6), random.choice(bodies or BODIES)) for kind, bodies in one]


def _watched(place: VirtualCameraFolder, name: str, due: int) -> list[Roll]:
    """Return the rolls reported by the product's worker until the film ends."""
    reader = ProcessReader(ReaderSetup(partial(camera, place), make_reader, name), supervision=CALM)
    read_rolls: list[Roll] = []
    reader.request(RollRequest(name))
    try:
        end = time.monotonic() + TIMEOUT_S
        while time.monotonic() < end and not (place.over() and len(read_rolls) >= due):
            for news in reader.poll(0.05):
                if isinstance(news, SeenRoll):
                    # On a busy machine the hand moves slowly; the remaining dice are the same roll, read again.
                    read_rolls += [] if news.roll.again else [news.roll]
                    end = time.monotonic() + TIMEOUT_S
                elif isinstance(news, CameraState) and not news.present:
                    raise RuntimeError(f"the camera was lost: {news.detail}")
            if place.over():
                end = min(end, time.monotonic() + 2.0)
    finally:
        reader.close()
    return read_rolls


def _dice_labels(roll: Roll) -> list[str]:
    """Return the dice of a roll in words, sorted."""
    return sorted(f"{die.kind} {die.face}" for die in roll.dice)


def _true(name: str, throw: Throw) -> list[str]:
    """Return the true dice in the same form."""
    kinds = {kind.name: kind for kind in dice_sets.load(name).kinds}
    return sorted(f"{kind} {kinds[kind].faces[number - 1]}" for kind, number in throw.faces)


def _place(reel: Reel) -> VirtualCameraFolder:
    here = reel.folder.parent / f"{reel.folder.name}-camera"
    here.mkdir()
    return VirtualCameraFolder(here, reel.folder, reel.count, reel.rate, reel.count + END, patient=True)
