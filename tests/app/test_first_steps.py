"""Tests of the setup assistant: order of the questions, when they are asked, and how the settings are saved."""

from __future__ import annotations

import pytest

from companion.app.preferences import (
    DONE,
    FIRST_START_STEPS,
    SettingsStore,
    next_step,
    pending_first_step,
    previous_step,
)
from companion.config import Config, TableConfig, read_config


def test_each_step_leads_to_the_next_and_back():
    walked, step = [], FIRST_START_STEPS[0]
    while step is not None:
        walked.append(step)
        step = next_step(step)
    assert tuple(walked) == FIRST_START_STEPS
    assert [previous_step(step) for step in FIRST_START_STEPS] == [None, *FIRST_START_STEPS[:-1]]


@pytest.mark.parametrize(
    ("step", "used", "asked"),
    [
        (None, False, "language"),
        (None, True, None),
        ("camera", False, "camera"),
        ("camera", True, "camera"),
        (DONE, False, None),
    ],
)
def test_a_new_table_is_asked_once_and_goes_on_where_it_was_cut(step, used, asked):
    assert pending_first_step(Config(table=TableConfig(first_steps=step)), used) == asked


def test_every_step_can_be_kept():
    for step in (*FIRST_START_STEPS, DONE):
        settings_store = SettingsStore(Config(), None)
        assert settings_store.save("table", "first_steps", step) is None
        assert settings_store.config.table.first_steps == step


def test_a_setting_is_kept_beside_the_others(tmp_path):
    file = tmp_path / "config.toml"
    file.write_text('# ours\n[table]\nname = "Table 4"\n')
    settings_store = SettingsStore(read_config(file), file)
    assert settings_store.save("data", "pictures_days", 30) is None
    assert read_config(file) == settings_store.config
    assert file.read_text().startswith("# ours")
    assert settings_store.config.table.name == "Table 4"


def test_a_setting_that_cannot_be_written_holds_and_is_told(tmp_path):
    (tmp_path / "file").write_text("")
    settings_store = SettingsStore(Config(), tmp_path / "file" / "config.toml")
    fault = settings_store.save("table", "name", "Table 2")
    assert fault is not None
    assert settings_store.config.table.name == "Table 2"
