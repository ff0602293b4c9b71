"""Reading starts during the settling time: same rolls from the same stills, one reading at a time."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor

import pytest

from tests.vision.doubles import BlobReader, Film, film
from vision.cameras.protocol import Camera, EndOfSource
from vision.pictures import Picture
from vision.roll import Roll, RollRequest
from vision.watching.rest_detector import LIVE_TIMINGS
from vision.watching.watcher import Watcher

FIVE = [(5, 200.0, 200.0)]
TWO = [(5, 200.0, 200.0), (2, 420.0, 300.0)]


class OneAtATime(BlobReader):
    """Fails on a call during another call; records the brightness of each picture's corner."""

    def __init__(self) -> None:
        super().__init__()
        self._reading = False

    def read(self, picture: Picture, request: RollRequest | None = None) -> Roll:
        assert not self._reading
        self._reading = True
        try:
            return super().read(picture, request)
        finally:
            self._reading = False


class CountingExecutor(Executor):
    """Executes tasks at once and counts them."""

    def __init__(self) -> None:
        self.given = 0

    def submit(self, fn, /, *args, **kwargs):  # type: ignore[no-untyped-def]
        self.given += 1
        done: Future[Roll] = Future()
        done.set_result(fn(*args, **kwargs))
        return done


@pytest.fixture
def thread() -> Iterator[Executor]:
    with ThreadPoolExecutor(1) as executor:
        yield executor


def timed_rolls(
    source: Camera, reader: BlobReader, ahead: Executor | None = None, request: RollRequest | None = None
) -> list[tuple[float, bool, list[int | None]]]:
    """Return for each roll the second of its frame, its `again` flag, and its values."""
    watcher = Watcher(reader, timings=LIVE_TIMINGS, ahead=ahead, request_of=lambda: request)
    rolls = []
    with source:
        while True:
            try:
                frame = source.frame(1.0)
            except EndOfSource:
                return rolls
            result = watcher.on_frame(frame)
            if result is not None:
                values = sorted(die.face.value or 0 for die in result.roll.dice)
                rolls.append((frame.t, result.roll.again, values))


def throws() -> Film:
    return film(([], 0.5), (FIVE, 0.4), (TWO, 0.4), ([], 0.4), (FIVE, 0.1), (TWO, 0.4))


def test_the_same_rolls_are_said_at_the_same_frames(thread: Executor) -> None:
    reader = OneAtATime()
    usual = timed_rolls(throws(), BlobReader())
    assert [values for _, _, values in usual] == [[5], [2, 5], [2, 5]]
    assert timed_rolls(throws(), reader, thread) == usual


def test_a_look_that_was_begun_is_not_made_again() -> None:
    plain, early, counting = BlobReader(), BlobReader(), CountingExecutor()
    timed_rolls(film(([], 0.5), (FIVE, 0.5)), plain)
    timed_rolls(film(([], 0.5), (FIVE, 0.5)), early, counting)
    assert counting.given == 4, "two of the empty tray at first, then two of the die"
    assert early.reads == plain.reads


def test_what_lies_there_already_is_not_looked_at_again() -> None:
    counting = CountingExecutor()
    passing = [([(5, 200.0, 200.0), (3, 60.0 + 80 * step, 400.0)], 1 / 30) for step in range(6)]
    timed_rolls(film(([], 0.5), (FIVE, 0.5), *passing, (FIVE, 0.5)), BlobReader(), counting)
    assert counting.given == 4


def test_a_look_for_another_request_does_not_count() -> None:
    reader, requests = OneAtATime(), [RollRequest("pips", (("pips", 1),)), RollRequest("pips", (("pips", 2),))]
    watcher = Watcher(reader, timings=LIVE_TIMINGS, ahead=CountingExecutor(), request_of=lambda: requests[0])
    source = film((FIVE, 0.5))
    with source:
        for number in range(8):
            if number == 4:
                requests.reverse()
            watcher.on_frame(source.frame(1.0))
    assert requests[0] in reader.requests[-2:]
    assert reader.requests[0] == requests[1]
    assert len(reader.requests) == 4
