"""The looks at a roll are begun while the stillness lasts: the same rolls of the same stills, never two at once."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor

import pytest

from tests.vision.doubles import BlobReader, Film, film
from vision.cameras.protocol import Camera, EndOfSource
from vision.pictures import Picture
from vision.roll import Roll, RollRequest
from vision.watching.settle import LIVE
from vision.watching.watcher import Watcher

FIVE = [(5, 200.0, 200.0)]
TWO = [(5, 200.0, 200.0), (2, 420.0, 300.0)]


class OneAtATime(BlobReader):
    """Fails if it is asked before it has answered; notes how bright the corner of each picture was."""

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


class Counting(Executor):
    """Does at once what it is given, and counts it."""

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


def said(
    source: Camera, reader: BlobReader, ahead: Executor | None = None, request: RollRequest | None = None
) -> list[tuple[float, bool, list[int | None]]]:
    """For each roll the second of its frame, whether it is the same one anew, and its values."""
    watcher = Watcher(reader, patience=LIVE, ahead=ahead, request_of=lambda: request)
    rolls = []
    with source:
        while True:
            try:
                frame = source.frame(1.0)
            except EndOfSource:
                return rolls
            settled = watcher.see(frame)
            if settled is not None:
                values = sorted(die.face.value or 0 for die in settled.roll.dice)
                rolls.append((frame.t, settled.roll.again, values))


def throws() -> Film:
    return film(([], 0.5), (FIVE, 0.4), (TWO, 0.4), ([], 0.4), (FIVE, 0.1), (TWO, 0.4))


def test_the_same_rolls_are_said_at_the_same_frames(thread: Executor) -> None:
    reader = OneAtATime()
    usual = said(throws(), BlobReader())
    assert [values for _, _, values in usual] == [[5], [2, 5], [2, 5]]
    assert said(throws(), reader, thread) == usual


def test_a_look_that_was_begun_is_not_made_again() -> None:
    plain, early, counting = BlobReader(), BlobReader(), Counting()
    said(film(([], 0.5), (FIVE, 0.5)), plain)
    said(film(([], 0.5), (FIVE, 0.5)), early, counting)
    assert counting.given == 4, "two of the empty tray at first, then two of the die"
    assert early.reads == plain.reads


def test_what_lies_there_already_is_not_looked_at_again() -> None:
    counting = Counting()
    passing = [([(5, 200.0, 200.0), (3, 60.0 + 80 * step, 400.0)], 1 / 30) for step in range(6)]
    said(film(([], 0.5), (FIVE, 0.5), *passing, (FIVE, 0.5)), BlobReader(), counting)
    assert counting.given == 4


def test_a_look_for_another_request_does_not_count() -> None:
    reader, requests = OneAtATime(), [RollRequest("pips", (("pips", 1),)), RollRequest("pips", (("pips", 2),))]
    watcher = Watcher(reader, patience=LIVE, ahead=Counting(), request_of=lambda: requests[0])
    source = film((FIVE, 0.5))
    with source:
        for number in range(8):
            if number == 4:
                requests.reverse()
            watcher.see(source.frame(1.0))
    assert requests[0] in reader.requests[-2:]
    assert reader.requests[0] == requests[1]
    assert len(reader.requests) == 4
