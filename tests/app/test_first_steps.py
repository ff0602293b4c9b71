"""The questions of the first start: their order, when they are asked, and how settings beside them are kept."""

from __future__ import annotations

import pytest

from companion.app.preferences import DONE, STEPS, Settled, after, before, due
from companion.config import Config, Table, read_config


def test_each_step_leads_to_the_next_and_back():
    walked, step = [], STEPS[0]
    while step is not None:
        walked.append(step)
        step = after(step)
    assert tuple(walked) == STEPS
    assert [before(step) for step in STEPS] == [None, *STEPS[:-1]]


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
    assert due(Config(table=Table(first_steps=step)), used) == asked


def test_every_step_can_be_kept():
    for step in (*STEPS, DONE):
        settled = Settled(Config(), None)
        assert settled.keep("table", "first_steps", step) is None
        assert settled.config.table.first_steps == step


def test_a_setting_is_kept_beside_the_others(tmp_path):
    file = tmp_path / "config.toml"
    file.write_text('# ours\n[table]\nname = "Table 4"\n')
    settled = Settled(read_config(file), file)
    assert settled.keep("data", "pictures_days", 30) is None
    assert read_config(file) == settled.config
    assert file.read_text().startswith("# ours")
    assert settled.config.table.name == "Table 4"


def test_a_setting_that_cannot_be_written_holds_and_is_told(tmp_path):
    (tmp_path / "file").write_text("")
    settled = Settled(Config(), tmp_path / "file" / "config.toml")
    fault = settled.keep("table", "name", "Table 2")
    assert fault is not None
    assert settled.config.table.name == "Table 2"
