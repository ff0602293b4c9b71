"""The reader port: one contract for the process and the in-process reader, and the supervision of the process."""

from __future__ import annotations

import itertools
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.doubles import BlobReader, Film, film
from vision.cameras.protocol import Camera, CameraStuck, EndOfSource, Frame, SourceError
from vision.cameras.simulated_tray import SimulatedTray
from vision.dice_sets import DiceSetError
from vision.pictures import Picture
from vision.roll import CameraState, CameraTrouble, Face, Roll, RollRequest, SeenRoll, Status, TrayPicture
from vision.watching.supervisor import NewsQueue, ProcessReader, Supervision
from vision.watching.watcher import DiceReader
from vision.watching.worker import Alive, InlineReader, Observer, ReaderNews, ReaderSetup, TrayCommand

Port = ProcessReader | InlineReader


class NamedSetReader(BlobReader):
    """A blob reader whose dice are of the requested set's kind; its status is ASK if a request was given."""

    def read(self, picture: Picture, request: RollRequest | None = None) -> Roll:
        roll = super().read(picture, request)
        return roll if request is None or not roll.dice else Roll(Status.ASK, roll.dice)


def blobs(dice_set: str) -> DiceReader:
    return NamedSetReader()


def no_set(dice_set: str) -> DiceReader:
    raise DiceSetError(f"there is no dice set {dice_set!r}")


def two_throws() -> Camera:
    return film(([], 0.5), ([(5, 200.0, 200.0)], 0.6), ([], 0.5), ([(2, 300.0, 200.0)], 0.6))


def tray() -> Camera:
    return SimulatedTray(3)


class HungCamera(Film):
    """A camera whose driver hangs forever after its first frame."""

    def __init__(self) -> None:
        super().__init__([(0.0, np.full((480, 640, 3), 90, np.uint8))])

    def frame(self, timeout: float) -> Frame:
        try:
            return super().frame(timeout)
        except Exception:
            threading.Event().wait()
            raise


def hangs_the_first_time(marker: Path) -> Camera:
    if marker.exists():
        return two_throws()
    marker.touch()
    return HungCamera()


def dies_at_its_start() -> Camera:
    os._exit(3)


def inline(what: ReaderSetup) -> Port:
    return InlineReader(what, frames=30)


@pytest.fixture(params=[inline, ProcessReader], ids=["inline", "process"])
def port_of(request: pytest.FixtureRequest) -> Iterator[Callable[[ReaderSetup], Port]]:
    """Create reader ports of both types, and close them."""
    made: list[Port] = []

    def make(what: ReaderSetup) -> Port:
        port: Port = request.param(what)
        made.append(port)
        return port

    yield make
    for port in made:
        port.close()


def until(port: Port, enough: Callable[[Sequence[ReaderNews]], bool]) -> list[ReaderNews]:
    """Return news until `enough` accepts them; fails if the port is silent."""
    news: list[ReaderNews] = []
    for _ in range(400):
        news += port.poll(0.05)
        if enough(news):
            return news
    raise AssertionError(f"not enough news: {news}")


def rolls(news: Sequence[ReaderNews]) -> list[SeenRoll]:
    return [one for one in news if isinstance(one, SeenRoll)]


def states(news: Sequence[ReaderNews]) -> list[bool]:
    return [one.present for one in news if isinstance(one, CameraState)]


def test_a_worker_that_dies_at_each_start_is_told_after_the_second_time() -> None:
    port = ProcessReader(ReaderSetup(dies_at_its_start, blobs), supervision=Supervision(pause=0.0, longest_pause=0.0))
    try:
        news = until(port, lambda news: bool(states(news)))
        assert [(one.present, one.trouble) for one in news if isinstance(one, CameraState)] == [
            (False, CameraTrouble.READER_FAILS)
        ]
    finally:
        port.close()


def test_rolls_come_in_order_with_their_pictures(port_of: Callable[[ReaderSetup], Port]) -> None:
    news = until(port_of(ReaderSetup(two_throws, blobs)), lambda news: states(news) == [True, False])
    seen = rolls(news)
    assert [[die.face for die in one.roll.dice] for one in seen] == [[Face(5)], [Face(2)]]
    for one in seen:
        assert len(one.crops) == len(one.roll.dice)
        for data, longest in ((one.picture, 640), (one.crops[0], 160)):
            picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
            assert picture is not None
            assert 0 < max(picture.shape) <= longest


def test_the_camera_is_said_to_be_there_first_and_gone_at_the_end(port_of: Callable[[ReaderSetup], Port]) -> None:
    news = until(port_of(ReaderSetup(two_throws, blobs)), lambda news: states(news) == [True, False])
    assert isinstance(news[0], CameraState)
    assert news[0].name == "a film of the test's own"
    assert isinstance(news[-1], CameraState)
    assert news[-1].detail == "the recording is over"


def test_a_simulated_tray_does_what_it_is_told(port_of: Callable[[ReaderSetup], Port]) -> None:
    port = port_of(ReaderSetup(tray, blobs))
    port.show_tray(True)
    port.command(TrayCommand("throw", ([("ball", 1, "white")],)))
    assert until(port, lambda news: len(rolls(news)) == 1)


def test_pictures_of_the_tray_come_only_if_they_are_wanted(port_of: Callable[[ReaderSetup], Port]) -> None:
    port = port_of(ReaderSetup(tray, blobs))
    quiet = until(port, lambda news: states(news) == [True])
    assert not [one for one in quiet if isinstance(one, TrayPicture)]
    port.show_tray(True)
    assert until(port, lambda news: any(isinstance(one, TrayPicture) for one in news))


def test_a_request_reaches_the_reader(port_of: Callable[[ReaderSetup], Port]) -> None:
    port = port_of(ReaderSetup(tray, blobs))
    port.request(RollRequest("pips", (("pips", 2),)))
    port.command(TrayCommand("throw", ([("ball", 1, "white")],)))
    (seen,) = rolls(until(port, lambda news: len(rolls(news)) == 1))
    assert seen.roll.status is Status.ASK, "this reader asks whenever something is requested"


def test_a_closed_port_is_silent(port_of: Callable[[ReaderSetup], Port]) -> None:
    port = port_of(ReaderSetup(tray, blobs))
    until(port, lambda news: states(news) == [True])
    port.show_tray(True)
    port.close()
    assert port.poll() == []


def test_a_camera_that_is_not_there_is_said_and_tried_again() -> None:
    class Absent(Film):
        def open(self) -> None:
            raise SourceError("camera:7 is not there")

    clock = itertools.count()
    observer = Observer(Absent([]), blobs, lambda: float(next(clock)))
    news = [one for _ in range(6) for one in observer.step(0.0)]
    assert news == [CameraState(False, "a film of the test's own", "camera:7 is not there")]


def test_a_camera_is_lost_after_two_silent_seconds_and_back_with_its_next_frame() -> None:
    class Clocked(SimulatedTray):
        """A tray whose time advances with each frame, delivered or not."""

    source = Clocked(1)
    observer = Observer(source, blobs, lambda: source.t)
    observer.command(TrayCommand("lose", (1.5,)))
    short = [one for _ in range(60) for one in observer.step(0.0)]
    assert [one.present for one in short if isinstance(one, CameraState)] == [True]
    observer.command(TrayCommand("lose", (3.0,)))
    long = [one for _ in range(120) for one in observer.step(0.0)]
    assert [one.present for one in long if isinstance(one, CameraState)] == [False, True]


def test_the_tray_is_shown_ten_times_a_second_at_the_most() -> None:
    source = SimulatedTray(1)
    observer = Observer(source, blobs, lambda: source.t)
    observer.show_tray(True)
    pictures = [one for _ in range(62) for one in observer.step(0.0) if isinstance(one, TrayPicture)]
    assert 15 <= len(pictures) <= 21


def test_a_deal_that_no_tray_knows_is_refused() -> None:
    with pytest.raises(ValueError, match="knows no 'open'; it knows add_thing, clear"):
        TrayCommand("open")


class ManualClock:
    """A manual clock."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_worker_that_hangs_is_killed_and_the_next_one_goes_on_with_the_same_request(tmp_path: Path) -> None:
    clock = ManualClock()
    port = ProcessReader(ReaderSetup(partial(hangs_the_first_time, tmp_path / "hung"), blobs), clock=clock)
    try:
        port.request(RollRequest("pips", (("pips", 1),)))
        until(port, lambda news: states(news) == [True])
        first = port.pid
        assert first is not None
        clock.now += 3.1
        (lost,) = until(port, lambda news: states(news) == [False])
        assert isinstance(lost, CameraState)
        assert lost.detail == "the reader's process does not answer and is started again"
        assert port.pid is None
        clock.now += 1.1
        news = until(port, lambda news: len(rolls(news)) == 2)
        assert port.pid not in (None, first)
        assert states(news)[0] is True
        assert {seen.roll.status for seen in rolls(news)} == {Status.ASK}
    finally:
        port.close()


def test_a_worker_that_dies_is_replaced(tmp_path: Path) -> None:
    clock = ManualClock()
    port = ProcessReader(ReaderSetup(tray, blobs), clock=clock)
    try:
        until(port, lambda news: states(news) == [True])
        assert port.pid is not None
        os.kill(port.pid, signal.SIGKILL)
        (lost,) = until(port, lambda news: states(news) == [False])
        assert isinstance(lost, CameraState)
        assert "has stopped" in lost.detail
        clock.now += 1.1
        until(port, lambda news: states(news) == [True])
    finally:
        port.close()


class StuckCamera(Film):
    """A camera that requests a process restart after its first frame."""

    def __init__(self) -> None:
        super().__init__([(0.0, np.full((480, 640, 3), 90, np.uint8))])

    def frame(self, timeout: float) -> Frame:
        try:
            return super().frame(timeout)
        except EndOfSource:
            raise CameraStuck("the driver hangs") from None


def stuck_the_first_time(marker: Path) -> Camera:
    if marker.exists():
        return two_throws()
    marker.touch()
    return StuckCamera()


def test_a_camera_that_only_another_process_can_open_again_gets_one_at_once(tmp_path: Path) -> None:
    clock = ManualClock()
    port = ProcessReader(ReaderSetup(partial(stuck_the_first_time, tmp_path / "stuck"), blobs), clock=clock)
    try:
        first = port.pid
        news = until(port, lambda news: len(rolls(news)) == 2)
        assert states(news)[:3] == [True, False, True]
        assert [one.detail for one in news if isinstance(one, CameraState)][1] == "the driver hangs"
        assert port.pid not in (None, first)
    finally:
        port.close()


def test_the_one_that_stands_by_takes_over(tmp_path: Path) -> None:
    clock = ManualClock()
    supervision = Supervision(spare=True, steady=0.0)
    port = ProcessReader(ReaderSetup(tray, blobs), clock=clock, supervision=supervision)
    try:
        until(port, lambda news: states(news) == [True])
        first, spare = port.pid, port.spare
        assert first is not None
        assert spare is not None
        os.kill(first, signal.SIGSTOP)
        clock.now += 3.1
        until(port, lambda news: states(news) == [False, True])
        assert port.pid == spare
        until(port, lambda news: port.spare not in (None, spare))
        left = port.spare
    finally:
        port.close()
    for pid in (first, spare, left):
        assert pid is not None
        assert_gone(pid)


def assert_gone(pid: int) -> None:
    for _ in range(400):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return
        threading.Event().wait(0.01)
    raise AssertionError(f"process {pid} is still there")


def test_the_pause_grows_while_no_camera_is_seen_and_is_forgotten_once_it_is() -> None:
    clock = ManualClock()
    port = ProcessReader(ReaderSetup(tray, no_set, "dominoes"), clock=clock)
    waited = []
    try:
        for _ in range(4):
            until(port, lambda news: port.pid is None)
            begun = clock.now
            while port.pid is None:
                port.poll()
                clock.now += 0.25
            waited.append(clock.now - begun)
    finally:
        port.close()
    assert waited == [0.25, 1.25, 2.25, 4.25]


def test_a_slow_start_is_waited_for_longer() -> None:
    clock = ManualClock()
    port = ProcessReader(ReaderSetup(tray, blobs), clock=clock, supervision=Supervision(start=20.0))
    try:
        clock.now += 15.0
        first = port.pid
        until(port, lambda news: states(news) == [True])
        assert port.pid == first
    finally:
        port.close()


class ForgetsTheWorld(NamedSetReader):
    """Never returns from its first reading."""

    def __init__(self, marker: Path) -> None:
        super().__init__()
        self._marker = marker

    def read(self, picture: Picture, request: RollRequest | None = None) -> Roll:
        if not self._marker.exists():
            self._marker.touch()
            threading.Event().wait()
        return super().read(picture, request)


def forgetful(marker: Path, dice_set: str) -> DiceReader:
    return ForgetsTheWorld(marker)


def test_a_reading_that_never_ends_is_given_up_sooner_than_a_slow_start(tmp_path: Path) -> None:
    clock, patience = ManualClock(), Supervision(start=1e9, reading=2.0, silence=1e9)
    port = ProcessReader(
        ReaderSetup(two_throws, partial(forgetful, tmp_path / "begun")), clock=clock, supervision=patience
    )

    def given_up(news: Sequence[ReaderNews]) -> bool:
        clock.now += 0.05
        return states(news) == [True, False]

    try:
        lost = until(port, given_up)[-1]
        assert isinstance(lost, CameraState)
        assert "does not answer" in lost.detail
        again = until(port, lambda news: len(rolls(news)) == 2)
        assert [[die.face for die in one.roll.dice] for one in rolls(again)] == [[Face(5)], [Face(2)]]
    finally:
        port.close()


def test_a_worker_that_cannot_have_its_reader_says_why() -> None:
    port = ProcessReader(ReaderSetup(tray, no_set, "dominoes"))
    try:
        news = until(port, lambda news: bool(states(news)))
        assert news[0] == CameraState(False, "dominoes", "there is no dice set 'dominoes'")
    finally:
        port.close()


def test_closing_ends_the_process() -> None:
    port = ProcessReader(ReaderSetup(tray, blobs))
    until(port, lambda news: states(news) == [True])
    pid = port.pid
    assert pid is not None
    port.close()
    assert port.pid is None
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_of_pictures_nobody_takes_only_the_newest_waits() -> None:
    """20 s of pictures with a roll among them, without a poll."""
    waiting, roll = NewsQueue(), CameraState(True, "camera")
    for number in range(200):
        waiting.put(TrayPicture(b"%d" % number))
        waiting.put(Alive())
        if number == 100:
            waiting.put(roll)
    assert len(waiting) == 3
    taken = [waiting.get(0.0) for _ in range(4)]
    assert taken == [roll, TrayPicture(b"199"), Alive(), None]
