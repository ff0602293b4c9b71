"""Tests of the PIN lock: the right PIN opens, wrong PINs cause increasing waits, and no lockout is permanent."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from argon2 import PasswordHasher

from companion.app.pin_lock import RETRY_DELAYS_S, PinLock
from companion.clock import ManualClock
from companion.messages.pin import is_valid_pin

FAST_HASHER = PasswordHasher(time_cost=1, memory_cost=1024, parallelism=1)


@pytest.fixture
def clock():
    return ManualClock()


@pytest.fixture
def lock(tmp_path, clock):
    made = PinLock(tmp_path / "data" / "lock.toml", clock.monotonic, FAST_HASHER)
    made.set_pin("2580")
    made.lock()
    return made


def wrongly(lock, clock, times):
    """Enter `times` wrong PINs, each as soon as allowed, and return the waits that followed."""
    waits = []
    for _ in range(times):
        assert not lock.try_pin("0000")
        waits.append(lock.seconds_until_retry())
        clock.advance(lock.seconds_until_retry())
    return waits


def test_without_a_pin_nothing_is_closed(tmp_path, clock):
    lock = PinLock(tmp_path / "lock.toml", clock.monotonic, FAST_HASHER)
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
    lock = PinLock(tmp_path / "lock.toml", clock.monotonic, FAST_HASHER)
    lock.set_pin("123456")
    assert lock.has_pin
    assert not lock.is_locked


def test_the_file_holds_no_pin_and_is_the_owners_alone(tmp_path, lock):
    file = tmp_path / "data" / "lock.toml"
    assert "2580" not in file.read_text()
    assert "argon2id" in file.read_text()
    assert file.stat().st_mode & 0o077 == 0


def test_another_program_run_asks_for_the_same_pin(tmp_path, lock, clock):
    again = PinLock(tmp_path / "data" / "lock.toml", clock.monotonic, FAST_HASHER)
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
    clock.advance(lock.seconds_until_retry())
    assert lock.try_pin("2580")


def test_a_restart_begins_the_wait_again(tmp_path, lock, clock):
    wrongly(lock, clock, 4)
    assert not lock.try_pin("0000")
    waited = lock.seconds_until_retry()
    clock.advance(waited - 1)
    again = PinLock(tmp_path / "data" / "lock.toml", clock.monotonic, FAST_HASHER)
    assert again.seconds_until_retry() == waited > 0
    clock.advance(waited)
    assert again.try_pin("2580")


@pytest.mark.parametrize("year", [1970, 2016, 2036])
def test_a_clock_set_by_years_does_not_change_the_wait(tmp_path, lock, clock, year):
    wrongly(lock, clock, 4)
    lock.try_pin("0000")
    waited = lock.seconds_until_retry()
    clock.set(datetime(year, 1, 1, tzinfo=UTC))
    assert lock.seconds_until_retry() == waited > 0
    clock.advance(waited)
    assert lock.try_pin("2580")


def test_a_wait_until_a_date_from_an_older_version_is_ignored(tmp_path, lock, clock):
    file = tmp_path / "data" / "lock.toml"
    hashed = file.read_text().splitlines()[0]
    file.write_text(f"{hashed}\nwrong = 4\nwait_until = 2099-01-01T00:00:00+00:00\n")
    again = PinLock(file, clock.monotonic, FAST_HASHER)
    assert 0 < again.seconds_until_retry() <= RETRY_DELAYS_S[-1]
    clock.advance(again.seconds_until_retry())
    assert again.try_pin("2580")


@pytest.mark.parametrize("wrong", [-3, 10**9])
def test_an_impossible_number_of_wrong_pins_waits_a_minute_at_most(tmp_path, lock, clock, wrong):
    file = tmp_path / "data" / "lock.toml"
    file.write_text(file.read_text().replace("wrong = 0", f"wrong = {wrong}"))
    again = PinLock(file, clock.monotonic, FAST_HASHER)
    assert 0 <= again.seconds_until_retry() <= RETRY_DELAYS_S[-1]


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


DAMAGED = [
    b"",
    b"hash = 3",
    b"not toml [",
    b'hash = "x"\nwrong = "many"\nwait_until = "soon"',
    b'hash = "$argon2id$\xff"',
    b'hash = "' + b"x" * 10_000_000 + b'"',
    b'hash = "$argon2id$v=19$m=4000000000,t=1,p=1$c29tZXNhbHQxMg$c29tZWhhc2hzb21laGFzaA"',
    'hash = "$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQxMg$c29tZWhhc2hzb21laGFzaA\u2028é"'.encode(),
]


@pytest.mark.parametrize("kept", DAMAGED, ids=range(len(DAMAGED)))
def test_a_damaged_file_lets_nobody_in_and_stays_as_it_is(tmp_path, clock, kept):
    file = tmp_path / "lock.toml"
    file.write_bytes(kept)
    lock = PinLock(file, clock.monotonic, FAST_HASHER)
    assert lock.is_locked
    assert lock.is_damaged
    for _ in range(5):
        assert not lock.try_pin("2580")
    assert lock.seconds_until_retry() == 0
    assert file.read_bytes() == kept
    lock.remove_pin()
    assert not lock.is_locked
    assert not lock.is_damaged


def test_a_disk_that_cannot_be_written_does_not_keep_the_right_pin_out(lock, clock, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(lock, "_write", full)
    waits = wrongly(lock, clock, 4)
    assert waits[-1] > 0, "wrong PINs are counted in memory"
    assert lock.try_pin("2580")


def test_a_tournaments_pin_counts_in_place_of_the_own_one_until_the_table_leaves(lock, tmp_path, clock):
    given, other = FAST_HASHER.hash("1111"), FAST_HASHER.hash("2222")
    lock.adopt(given)
    assert lock.is_adopted
    assert not lock.try_pin("2580"), "who chose the table's own PIN is no referee of the tournament"
    assert lock.try_pin("1111")
    lock.adopt(given)
    assert lock.is_unlocked, "nothing is new"
    lock.adopt(other)
    assert not lock.is_unlocked
    again = PinLock(tmp_path / "data" / "lock.toml", clock.monotonic, FAST_HASHER)
    assert again.is_adopted, "also after a restart"
    wrongly(again, clock, 4)
    restarted = PinLock(tmp_path / "data" / "lock.toml", clock.monotonic, FAST_HASHER)
    assert restarted.seconds_until_retry() > 0, "a restart does not end the wait"
    restarted.adopt(None)
    assert not restarted.is_adopted
    assert restarted.try_pin("2580")


def test_without_an_own_pin_nothing_is_left_of_a_tournaments(tmp_path, clock):
    lock = PinLock(tmp_path / "lock.toml", clock.monotonic, FAST_HASHER)
    lock.adopt(None)
    lock.adopt("no hash")
    assert not lock.has_pin
    lock.adopt(FAST_HASHER.hash("1111"))
    assert lock.try_pin("1111")
    lock.adopt(None)
    assert not lock.has_pin
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_adopted_pin_is_replaced_by_the_hubs(tmp_path, clock):
    lock, given = PinLock(tmp_path / "lock.toml", clock.monotonic, FAST_HASHER), FAST_HASHER.hash("1111")
    lock.adopt(given)
    next(tmp_path.iterdir()).write_bytes(b"\xff")
    assert lock.is_damaged
    lock.adopt(given)
    assert lock.try_pin("1111")
