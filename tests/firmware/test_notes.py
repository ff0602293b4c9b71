"""What the tray remembers over its starts: numbers that never come again, a crash, the wish for the prompt."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware import notes


@pytest.fixture
def folder(tmp_path: Path) -> str:
    return f"{tmp_path}/"


def test_every_start_has_a_number_of_its_own(folder: str) -> None:
    boots = [notes.boot(folder) for _ in range(50)]
    assert len({boot >> 24 for boot in boots}) == 50
    assert all(0 < boot < 2**53 for boot in boots)


def test_a_tray_that_cannot_write_starts_all_the_same(tmp_path: Path) -> None:
    nowhere = f"{tmp_path}/nowhere/"
    assert notes.boot(nowhere) != notes.boot(nowhere)
    assert not notes.ask_prompt(nowhere)
    assert not notes.prompt_asked(nowhere)
    assert notes.crashes(nowhere) == 0


def test_the_prompt_is_asked_for_once(folder: str) -> None:
    assert not notes.prompt_asked(folder)
    assert notes.ask_prompt(folder)
    assert notes.prompt_asked(folder)
    assert not notes.prompt_asked(folder)


def test_crashes_are_counted_until_a_start_was_good(folder: str) -> None:
    for count in range(1, 4):
        notes.crashed(folder, "x" * 1000 + f"crash {count}")
        assert notes.crashes(folder) == count
    notes.forgive(folder)
    assert notes.crashes(folder) == 0
    assert notes.last_crash(folder).endswith("crash 3")
    assert len(notes.last_crash(folder)) == notes.LONGEST


def test_files_of_nonsense_do_no_harm(folder: str, tmp_path: Path) -> None:
    (tmp_path / notes.BOOTS).write_bytes(b"\xff\xfe nonsense")
    (tmp_path / notes.CRASH).write_text("many\nlines")
    assert notes.boot(folder) > 0
    assert notes.crashes(folder) == 0
