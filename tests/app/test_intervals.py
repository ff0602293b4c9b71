"""Repeated calls of the app go on after an error, and end with their object."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from kivy.base import ExceptionHandler, ExceptionManager

from companion.app import intervals
from companion.clock import ManualClock

APP = Path(intervals.__file__).parent


class Handler(ExceptionHandler):
    """An exception handler as that of the app: it notes the error and lets the app continue."""

    def __init__(self) -> None:
        self.faults: list[BaseException] = []

    def handle_exception(self, exception: BaseException) -> int:
        self.faults.append(exception)
        return int(ExceptionManager.PASS)


class Service:
    """A service that raises in its first call."""

    def __init__(self) -> None:
        self.calls = 0

    def poll(self, *_: object) -> None:
        self.calls += 1
        if self.calls == 1:
            raise OSError("no device")


@pytest.fixture
def handler():
    made = Handler()
    ExceptionManager.add_handler(made)
    yield made
    ExceptionManager.remove_handler(made)


@pytest.fixture
def clock(monkeypatch):
    made = ManualClock()
    monkeypatch.setattr(intervals.Clock, "get_time", made.monotonic, raising=False)
    return made


def test_an_error_pauses_the_calls_and_does_not_end_them(handler, clock):
    service = Service()
    call = intervals._RepeatedCall(service.poll)
    for _ in range(3):
        assert call(0.1) is None, "False would end the interval"
    assert service.calls == 1
    clock.advance(intervals.ERROR_PAUSE_S)
    call(0.1)
    call(0.1)
    assert service.calls == 3
    assert [str(fault) for fault in handler.faults] == ["no device"]


def test_without_a_handler_an_error_is_raised(clock):
    service = Service()
    with pytest.raises(OSError, match="no device"):
        intervals._RepeatedCall(service.poll)(0.1)


def test_an_interval_ends_with_its_object(clock):
    service = Service()
    call = intervals._RepeatedCall(service.poll)
    assert call.owner is service
    del service
    assert call(0.1) is False


def test_the_app_repeats_calls_in_this_way_only():
    pattern = re.compile(r"schedule_interval\(|interval=True")
    places = [
        f"{path.relative_to(APP)}:{number}"
        for path in sorted(APP.rglob("*.py"))
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if pattern.search(line) and path.name != "intervals.py" and "self._run_slice" not in line
    ]
    assert places == []
