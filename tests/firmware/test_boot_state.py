"""The tray's persistent notes: unique start numbers, a crash report, the request for the prompt."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware import boot_state


@pytest.fixture
def folder(tmp_path: Path) -> str:
    return f"{tmp_path}/"


def test_every_start_has_a_number_of_its_own(folder: str) -> None:
    boots = [boot_state.boot(folder) for _ in range(50)]
    assert len({boot >> 24 for boot in boots}) == 50
    assert all(0 < boot < 2**53 for boot in boots)


def test_a_tray_that_cannot_write_starts_all_the_same(tmp_path: Path) -> None:
    nowhere = f"{tmp_path}/nowhere/"
    assert boot_state.boot(nowhere) != boot_state.boot(nowhere)
    assert not boot_state.request_prompt(nowhere)
    assert not boot_state.pop_prompt_request(nowhere)
    assert boot_state.crashes(nowhere) == 0


def test_the_prompt_is_asked_for_once(folder: str) -> None:
    assert not boot_state.pop_prompt_request(folder)
    assert boot_state.request_prompt(folder)
    assert boot_state.pop_prompt_request(folder)
    assert not boot_state.pop_prompt_request(folder)


def test_crashes_are_counted_until_a_start_was_good(folder: str) -> None:
    for count in range(1, 4):
        boot_state.crashed(folder, "x" * 1000 + f"crash {count}")
        assert boot_state.crashes(folder) == count
    boot_state.reset_crash_count(folder)
    assert boot_state.crashes(folder) == 0
    assert boot_state.last_crash(folder).endswith("crash 3")
    assert len(boot_state.last_crash(folder)) == boot_state.MAX_CRASH_LENGTH


def test_files_of_nonsense_do_no_harm(folder: str, tmp_path: Path) -> None:
    (tmp_path / boot_state.BOOTS).write_bytes(b"\xff\xfe nonsense")
    (tmp_path / boot_state.CRASH).write_text("many\nlines")
    assert boot_state.boot(folder) > 0
    assert boot_state.crashes(folder) == 0
