"""Backups beside others whose names come from a clock that was ahead."""

from __future__ import annotations

from pathlib import Path

from companion.clock import ManualClock
from companion.commands.backup import run_backup
from companion.journal.store import Store


def test_the_new_backup_stays_beside_those_of_a_clock_that_was_ahead(tmp_path: Path) -> None:
    data, stick, config = tmp_path / "data", tmp_path / "stick", tmp_path / "config.toml"
    data.mkdir()
    stick.mkdir()
    config.write_text(f'[data]\nfolder = "{data}"\n')
    Store.open(data / "matches.sqlite", ManualClock()).close()
    later = stick / "tapis-vert-2090-01-01-120000.zip"
    later.write_bytes(b"later by its name")
    assert run_backup(config, stick, 1, True) == 0
    assert len(list(stick.iterdir())) == 2
    assert later.exists()
