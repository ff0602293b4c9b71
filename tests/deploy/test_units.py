"""Units and scripts of the deployment, checked by systemd and shellcheck if these are installed."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from companion.commands.backup import HUB
from companion.commands.exit_codes import REFUSED
from tests.tracked import ROOT, files, text


def first_line(path: Path) -> str:
    """Return the first line of a file; empty for pictures and neural networks."""
    with (ROOT / path).open("rb") as file:
        return file.readline(200).decode(errors="replace")


UNITS = sorted((ROOT / "deploy/systemd").iterdir())
SERVICES = [unit for unit in UNITS if unit.suffix == ".service"]
SCRIPTS = [path for path in files() if re.match(r"#!(/bin/sh|/usr/bin/env bash)|# shellcheck shell=", first_line(path))]
MAX_EXPOSURE = 4.0
systemd = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not here")


@systemd
def test_systemd_finds_nothing_to_say_about_the_units(tmp_path):
    """The programs are not installed here, so true(1) replaces them; everything else is as shipped."""
    for unit in UNITS:
        (tmp_path / unit.name).write_text(re.sub(r"(?m)^ExecStart=.*", "ExecStart=/bin/true", unit.read_text()))
    verify = ["systemd-analyze", "verify", *(str(tmp_path / unit.name) for unit in UNITS)]
    done = subprocess.run(verify, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@systemd
@pytest.mark.parametrize("unit", SERVICES, ids=lambda unit: unit.name)
def test_no_service_is_more_exposed_than_it_must_be(unit):
    judged = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--no-pager", unit], capture_output=True, text=True
    )
    found = re.search(r"Overall exposure level for \S+: ([\d.]+)", judged.stdout)
    assert found is not None, judged.stdout + judged.stderr
    assert float(found[1]) <= MAX_EXPOSURE


def test_the_screen_is_watched_and_alone_on_its_terminal():
    lines = (ROOT / "deploy/systemd/tapis-vert.service").read_text().splitlines()
    assert {
        "Type=notify",
        "NotifyAccess=main",
        "WatchdogSec=1min",
        "Restart=always",
        "Conflicts=getty@tty1.service",
        "TTYPath=/dev/tty1",
        "Environment=SDL_VIDEODRIVER=kmsdrm",
        "User=tapis-vert",
    } <= set(lines)


LIMITS = {"MemoryMax", "TasksMax", "LimitCORE", "LogRateLimitIntervalSec", "LogRateLimitBurst"}
SANDBOX = {
    *("ProtectSystem", "ProtectHome", "PrivateTmp", "NoNewPrivileges", "CapabilityBoundingSet", "ProtectClock"),
    *("ProtectControlGroups", "ProtectHostname", "ProtectKernelLogs", "ProtectKernelModules", "ProtectProc"),
    *("RestrictAddressFamilies", "RestrictNamespaces", "RestrictRealtime", "RestrictSUIDSGID", "LockPersonality"),
    *("KeyringMode", "SystemCallArchitectures", "SystemCallFilter", "SystemCallErrorNumber"),
}


def settings_of(unit: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for key, value in re.findall(r"(?m)^([A-Za-z]+)=(.*)$", unit.read_text()):
        found.setdefault(key, []).append(value)
    return found


@pytest.mark.parametrize("unit", SERVICES, ids=lambda unit: unit.name)
def test_every_service_is_limited_and_sandboxed(unit: Path) -> None:
    found = settings_of(unit)
    assert (LIMITS | SANDBOX) - set(found) == set()
    assert found["ProtectSystem"] == ["strict"]
    assert found["NoNewPrivileges"] == ["yes"]


def test_table_and_hub_fit_into_a_machine_with_two_gigabytes() -> None:
    units = {"M": 1, "G": 1024}
    maxima = [
        settings_of(ROOT / f"deploy/systemd/{name}.service")["MemoryMax"][0]
        for name in ("tapis-vert", "tapis-vert-hub")
    ]
    assert sum(int(value[:-1]) * units[value[-1]] for value in maxima) <= 1800, "megabytes; the system has the rest"


def test_a_service_that_keeps_failing_is_given_up_for_a_while() -> None:
    for name in ("tapis-vert", "tapis-vert-hub"):
        found = settings_of(ROOT / f"deploy/systemd/{name}.service")
        assert int(found["StartLimitBurst"][0]) >= 3
        assert found["StartLimitIntervalSec"] == ["10min"]
        assert float(found["RestartSec"][0].removesuffix("s")) >= 1


def test_the_hub_has_its_own_folder_and_options_that_the_command_knows(tmp_path: Path) -> None:
    """The unit may write the hub's folder only: the one that `companion hub` uses with the settings of a table."""
    found = settings_of(ROOT / "deploy/systemd/tapis-vert-hub.service")
    config = tomllib.loads((ROOT / "deploy/config.toml").read_text())
    assert f"/var/lib/{found['StateDirectory'][0]}" == f"{config['data']['folder']}/{HUB}"
    options = dict(line.split("=", 1) for line in found["Environment"])["HUB_OPTIONS"].split()
    (tmp_path / "config.toml").write_text(f'[data]\nfolder = "{tmp_path}"\n')
    command = [sys.executable, "-m", "companion", "--config", str(tmp_path / "config.toml"), "hub"]
    done = subprocess.run([*command, *options, "--key", str(tmp_path / "none")], capture_output=True, text=True)
    assert done.returncode == REFUSED, "the options are read before the missing certificate is refused"
    assert "--certificate" in done.stderr
    assert found["RestartPreventExitStatus"] == [str(REFUSED)]


def test_the_documents_that_units_name_are_installed() -> None:
    named = {line for unit in SERVICES for line in settings_of(unit)["Documentation"]}
    names = {line.removeprefix("file:///opt/tapis-vert/current/deploy/").removesuffix(".md") for line in named}
    copied = re.search(r"docs/\{([A-Z,]+)\}\.md", text(Path("deploy/steps.sh")))
    assert copied is not None
    assert names == {"INSTALL", "HUB"} <= set(copied[1].split(","))


def test_every_program_that_a_unit_starts_is_installed():
    """A version's folder holds the command and the deployment scripts; the links point to versions."""
    started = {line for unit in SERVICES for line in unit.read_text().splitlines() if line.startswith("ExecStart=")}
    programs = {re.split(r"[= ]", line)[1] for line in started}
    assert programs == {"/opt/tapis-vert/current/bin/companion", "/opt/tapis-vert/current/deploy/update.sh"}
    assert (ROOT / "deploy/update.sh").stat().st_mode & 0o111


def test_the_tray_has_a_name_of_its_own():
    rules = (ROOT / "deploy/udev/70-tapis-vert.rules").read_text()
    tray = next(line for line in rules.splitlines() if "tapis-vert-tray" in line)
    for part in ('ATTRS{idVendor}=="2e8a"', 'SYMLINK+="tapis-vert-tray"', 'GROUP="dialout"'):
        assert part in tray


@pytest.mark.skipif(shutil.which("shellcheck") is None, reason="shellcheck is not here")
def test_shellcheck_finds_nothing_in_any_script():
    assert len(SCRIPTS) > 12
    done = subprocess.run(
        ["shellcheck", "--external-sources", *map(str, SCRIPTS)], cwd=ROOT, capture_output=True, text=True
    )
    assert done.stdout == ""
    assert done.returncode == 0


def test_the_image_has_the_packages_that_the_installer_wants():
    layer, set_up = text(Path("deploy/image/layer/tapis-vert.yaml")), text(Path("deploy/set-up.sh"))
    wanted = re.findall(r"^(?:welcome|pi)_packages=\((.*)\)$", set_up, re.MULTILINE)
    names = {name for line in wanted for name in line.split()}
    assert len(names) > 6
    listed = set(re.findall(r"^    - (\S+)$", layer, re.MULTILINE))
    assert names <= listed


def test_the_image_layer_says_of_every_variable_what_it_takes():
    layer, config = text(Path("deploy/image/layer/tapis-vert.yaml")), text(Path("deploy/image/config/tapis-vert.yaml"))
    default = re.search(r"^# X-Env-Var-package: (.+)$", layer, re.MULTILINE)
    valid = re.search(r"^# X-Env-Var-package-Valid: regex:(.+)$", layer, re.MULTILINE)
    chosen = re.search(r"^tapisvert:\n  package: (.+)$", config, re.MULTILINE)
    assert default
    assert valid
    assert chosen
    assert re.match(valid[1], default[1])
    assert re.match(valid[1], chosen[1])
    used = set(re.findall(r"\$IGconf_(\w+)", layer))
    assert used == {"tapisvert_package"}
