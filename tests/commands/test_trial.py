"""The trial run of a version: the real app off screen on a copy of the data, and its messages on a failed start."""

from __future__ import annotations

import os

import apsw
import pytest

from companion.clock import SystemClock
from companion.commands.trial import run_trial
from companion.journal.store import Store

DONE, FAILED = 0, 1


@pytest.fixture
def config(tmp_path):
    file = tmp_path / "config.toml"
    file.write_text(f'[display]\nlanguage = "en"\n[data]\nfolder = "{tmp_path}/data"\n[camera]\nsource = "camera:7"\n')
    with Store.open(tmp_path / "data/matches.sqlite", SystemClock()) as store:
        store.create({"type": "match", "game": "hoops21", "sides": {"A": {"name": "a"}, "B": {"name": "b"}}})
    return file


@pytest.mark.slow
def test_the_app_comes_up_and_changes_nothing(config, tmp_path, capsys):
    kept = (config, tmp_path / "data/matches.sqlite")
    before = [path.read_bytes() for path in kept]
    assert run_trial(config, 120.0) == DONE
    assert "opened and keeps running" in capsys.readouterr().err
    assert [path.read_bytes() for path in kept] == before


def test_an_app_that_does_not_come_up_in_time_is_said_and_ended(config, capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    assert run_trial(config, 0.05) == FAILED
    assert "did not open" in capsys.readouterr().err
    assert not [name for name in os.listdir(tmp_path) if name.startswith("tapis-vert-trial")]


def test_data_of_a_newer_version_fail_the_trial_with_their_sentence(config, tmp_path, capsys):
    newer = apsw.Connection(str(tmp_path / "data/matches.sqlite"))
    newer.execute("CREATE TABLE later (id)")
    newer.pragma("user_version", 99)
    newer.close()
    assert run_trial(config, 5.0) == FAILED
    assert "99" in capsys.readouterr().err
