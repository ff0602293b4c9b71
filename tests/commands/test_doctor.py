"""The doctor as a whole: exit status, JSON output, and the text of every step in both languages."""

from __future__ import annotations

import json
import string
import subprocess
import sys
from pathlib import Path

import pytest

from companion.commands.checks import greet_tray
from companion.commands.doctor import examine, report, run_doctor
from companion.language import Language
from companion.table.health import Check, Health
from hardware.ports import Trouble
from tests.commands.small_system import put, system

PARTS = (
    "camera", "reader", "tray", "panel", "display", "touch", "sound", "tones", "disk", "journal", "config", "hub",
    "clock", "power", "processor", "service", "versions",
)  # fmt: skip


def settings(root: Path, text: str = "") -> Path:
    return put(root, "/etc/config.toml", f'[data]\nfolder = "{root}/data"\n{text}')


def test_every_part_has_a_state_and_one_step_unless_it_is_in_order(tmp_path):
    checks = examine(system(tmp_path), settings(tmp_path))
    assert tuple(check.part for check in checks) == PARTS
    assert all((check.remedy is None) is (check.health is Health.OK) for check in checks)


def test_a_part_not_in_order_must_say_what_to_do():
    with pytest.raises(ValueError, match="next step"):
        Check("camera", Health.ATTENTION)


def test_the_answer_to_machines_has_its_documented_shape(tmp_path):
    small = system(tmp_path)
    answer = json.loads(json.dumps(report(examine(small, settings(tmp_path)), small)))
    assert answer.keys() == {"doctor", "version", "at", "parts"}
    assert (answer["doctor"], answer["at"]) == (1, "2026-11-22T20:00:00+00:00")
    for part in answer["parts"]:
        assert part.keys() == {"part", "state", "found", "next", "next_id"}
        assert part["state"] in {"ok", "attention", "missing", "off"}
        assert all(isinstance(fact, str) and fact for fact in part["found"])
        assert (part["next"] is None) is (part["state"] == "ok")


@pytest.mark.parametrize("code", ["fr", "en"])
def test_every_part_is_named_and_every_sentence_is_filled_in(tmp_path, code):
    language = Language(code)
    for check in examine(system(tmp_path), settings(tmp_path)):
        sentences = [language(f"cli.part.{check.part}")]
        sentences += [language.text(fact) for fact in check.details if not isinstance(fact, str)]
        sentences += [language.text(check.remedy)] if check.remedy else []
        for sentence in sentences:
            assert not sentence.startswith(("cli.", "doctor.", "button.")), sentence
            assert not [name for _, name, _, _ in string.Formatter().parse(sentence) if name is not None], sentence


def test_unsound_settings_are_a_part_to_look_at_and_the_rest_is_told(tmp_path):
    file = put(tmp_path, "/etc/config.toml", "[display]\nlangage = 1\n")
    found = {check.part: check.health for check in examine(system(tmp_path, XDG_DATA_HOME=str(tmp_path)), file)}
    assert found["config"] is Health.ATTENTION
    assert found["reader"] is Health.OK


def test_the_status_says_whether_a_part_wants_attention(tmp_path, monkeypatch, capsys):
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    status = run_doctor(settings(tmp_path, '[camera]\nsource = "none"\n'), as_json=True)
    states = {part["part"]: part["state"] for part in json.loads(capsys.readouterr().out)["parts"]}
    assert states["camera"] == "off"
    assert status == int("attention" in states.values())
    (tmp_path / "data").write_text("no folder")
    assert run_doctor(settings(tmp_path), as_json=False) == 1
    assert "→" in capsys.readouterr().err


def test_a_section_of_the_settings_is_named_with_its_brackets(tmp_path, capsys):
    run_doctor(settings(tmp_path, '[hardware]\ntray = "none"\n[hub]\naddress = "[::1"\ntoken = "zz"\n'), as_json=False)
    stderr = " ".join(capsys.readouterr().err.split())
    assert "dans [hardware]" in stderr
    assert "[::1" in stderr
    assert "corrigez [hub]" in stderr


def test_words_that_nobody_gets_are_a_failure(tmp_path):
    """Messages for people go to standard error, messages for programs to standard output."""
    command = [sys.executable, "-m", "companion", "--config", str(settings(tmp_path)), "doctor"]
    with open("/dev/full", "w") as full:
        spoken = subprocess.run(command, stdout=subprocess.PIPE, stderr=full)
        written = subprocess.run([*command, "--json"], stdout=full, stderr=subprocess.PIPE)
    assert (spoken.returncode, spoken.stdout) == (1, b"")
    assert (written.returncode, written.stderr) == (
        1,
        "La sortie ne peut pas être écrite (plus de place sur le disque)\n".encode(),
    )


def test_a_port_that_is_no_tray_is_greeted_in_vain(tmp_path):
    port = put(tmp_path, "ttyACM0", "a plain file")
    link = greet_tray(str(port), timeout_s=1.0)
    assert not link.online
    assert link.trouble in (Trouble.FOREIGN, Trouble.SILENT, Trouble.GONE)
