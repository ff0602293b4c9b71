"""Tests of the PIN lock: the right PIN opens, wrong PINs cause increasing waits, and no lockout is permanent."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from argon2 import PasswordHasher

from companion.app.pin_lock import RETRY_DELAYS_S, PinLock, is_valid_pin

FAST_HASHER = PasswordHasher(time_cost=1, memory_cost=1024, parallelism=1)


class Clock:
    def __init__(self) -> None:
        self.now = datetime(2026, 3, 1, 20, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def go(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def lock(tmp_path, clock):
    made = PinLock(tmp_path / "data" / "lock.toml", clock, FAST_HASHER)
    made.set_pin("2580")
    made.lock()
    return made


def wrongly(lock, clock, times):
    """Enter `times` wrong PINs, each as soon as allowed, and return the waits that followed."""
    waits = []
    for _ in range(times):
        assert not lock.try_pin("0000")
        waits.append(lock.seconds_until_retry())
        clock.go(lock.seconds_until_retry())
    return waits


def test_without_a_pin_nothing_is_closed(tmp_path, clock):
    lock = PinLock(tmp_path / "lock.toml", clock, FAST_HASHER)
    assert not lock.has_pin
    assert not lock.is_locked
    assert not lock.try_pin("2580")


def test_the_right_pin_opens_until_it_is_shut_again(lock):
    assert lock.is_locked
    assert lock.try_pin("2580")
    assert not lock.is_locked
    lock.lock()
    assert lock.is_locked


def test_who_chooses_a_pin_is_in(tmp_path, clock):
    lock = PinLock(tmp_path / "lock.toml", clock, FAST_HASHER)
    lock.set_pin("123456")
    assert lock.has_pin
    assert not lock.is_locked


def test_the_file_holds_no_pin_and_is_the_owners_alone(tmp_path, lock):
    file = tmp_path / "data" / "lock.toml"
    assert "2580" not in file.read_text()
    assert "argon2id" in file.read_text()
    assert file.stat().st_mode & 0o077 == 0


def test_another_program_run_asks_for_the_same_pin(tmp_path, lock, clock):
    again = PinLock(tmp_path / "data" / "lock.toml", clock, FAST_HASHER)
    assert again.is_locked
    assert again.try_pin("2580")


def test_wrong_pins_make_wait_longer_and_longer_but_never_for_ever(lock, clock):
    waits = wrongly(lock, clock, len(RETRY_DELAYS_S) + 3)
    assert waits[:2] == [0, 0]
    assert waits == sorted(waits)
    assert waits[-1] == RETRY_DELAYS_S[-1] == 60
    assert lock.try_pin("2580"), "the right PIN opens after any number of wrong ones"
    lock.lock()
    assert wrongly(lock, clock, 1) == [0], "and they are forgotten then"


def test_while_one_has_to_wait_not_even_the_right_pin_is_tried(lock, clock):
    wrongly(lock, clock, 2)
    assert not lock.try_pin("0000")
    assert lock.seconds_until_retry() > 0
    assert not lock.try_pin("2580")
    clock.go(lock.seconds_until_retry())
    assert lock.try_pin("2580")


def test_a_restart_does_not_shorten_the_wait(tmp_path, lock, clock):
    wrongly(lock, clock, 4)
    assert not lock.try_pin("0000")
    waited = lock.seconds_until_retry()
    assert PinLock(tmp_path / "data" / "lock.toml", clock, FAST_HASHER).seconds_until_retry() == waited > 0


def test_a_clock_set_back_by_years_makes_wait_a_minute_at_most(lock, clock):
    wrongly(lock, clock, 5)
    lock.try_pin("0000")
    clock.go(-5 * 365 * 86400)
    assert lock.seconds_until_retry() == RETRY_DELAYS_S[-1]


def test_taken_away_it_is_open_to_all(lock):
    lock.remove_pin()
    lock.remove_pin()
    assert not lock.has_pin
    assert not lock.is_locked


@pytest.mark.parametrize("pin", ["", "123", "123456789", "12a4", "１２３４", " 1234", "12 34"])
def test_a_pin_is_of_4_to_8_digits(lock, pin):
    assert not is_valid_pin(pin)
    with pytest.raises(ValueError, match="digits"):
        lock.set_pin(pin)
    assert lock.try_pin("2580"), "the one before still holds"


@pytest.mark.parametrize("kept", ["", "hash = 3", "not toml [", 'hash = "x"\nwrong = "many"\nwait_until = "soon"'])
def test_a_damaged_file_lets_nobody_in_and_does_not_break(tmp_path, clock, kept):
    file = tmp_path / "lock.toml"
    file.write_text(kept)
    lock = PinLock(file, clock, FAST_HASHER)
    assert lock.is_locked
    assert not lock.try_pin("2580")
    lock.remove_pin()
    assert not lock.is_locked


def test_a_disk_that_cannot_be_written_does_not_keep_the_right_pin_out(lock, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(lock, "_write", full)
    assert not lock.try_pin("0000")
    assert lock.try_pin("2580")
