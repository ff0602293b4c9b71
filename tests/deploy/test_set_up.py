"""Decisions of the set-up script: one-time steps, packages from a Pi's system, error messages."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path

import pytest

from tests.tracked import ROOT

MAKING = "make_environment() { echo made; }"


def bash(line: str, *definitions: str, **variables: Path | str) -> subprocess.CompletedProcess[str]:
    """Run a line after sourcing the set-up; `definitions` replace its functions."""
    settings = [f"{name}={shlex.quote(str(value))}" for name, value in variables.items()]
    script = "\n".join(
        ["set -euo pipefail", f". {shlex.quote(str(ROOT / 'deploy/set-up.sh'))}", *settings, *definitions, line]
    )
    return subprocess.run(["bash", "-c", script], capture_output=True, text=True)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Create a small project in a folder with a space, and an environment whose python fails as the test requires."""
    root = tmp_path / "a project"
    (root / ".venv/bin").mkdir(parents=True)
    (root / "requirements.lock").write_text("numpy==1 \\\n    --hash=sha256:aa\nrich==2 \\\n    --hash=sha256:bb\n")
    (root / "pyproject.toml").write_text("[project]\nname = 'x'\n[tool.ruff]\nline-length = 1\n")
    return root


LOCKS = ("requirements.lock", "tests/suites/web.lock", "tests/suites/docs.lock")


@pytest.mark.parametrize("name", LOCKS)
def test_lock_holds_a_hash_for_every_package(name: str) -> None:
    blocks = re.split(r"\n(?=\S)", (ROOT / name).read_text().strip())
    assert len(blocks) >= 10
    assert [block.splitlines()[0] for block in blocks if not re.search(r"--hash=sha256:[0-9a-f]{64}", block)] == []


def test_lock_holds_what_the_project_asks_for() -> None:
    lock = "".join((ROOT / name).read_text() for name in LOCKS)
    locked = {line.split("==")[0] for line in lock.splitlines() if re.match(r"[a-z0-9]", line)}
    asked = set(re.findall(r'^    "([a-z0-9-]+)[=><]', (ROOT / "pyproject.toml").read_text(), re.MULTILINE))
    assert {"kivy", "pytest", "numpy", "setuptools"} <= asked
    assert asked - locked == {"mitsuba", "onnx", "torch"}, "only the training is left to itself"


def test_a_pi_takes_its_own_numpy_and_opencv(root: Path) -> None:
    elsewhere = bash('locked_packages "$root"', "on_a_pi() { false; }", root=root).stdout
    on_a_pi = bash('locked_packages "$root"', "on_a_pi() { true; }", root=root).stdout
    assert elsewhere == (root / "requirements.lock").read_text()
    assert on_a_pi == "rich==2 \\\n    --hash=sha256:bb\n"


def stamp(root: Path) -> str:
    return bash('set_up_stamp "$root"', root=root, python="python3").stdout


def test_the_stamp_follows_packages_and_project_but_not_the_settings_of_tools(root: Path) -> None:
    first = stamp(root)
    (root / "pyproject.toml").write_text("[project]\nname = 'x'\n[tool.ruff]\nline-length = 2\n")
    assert stamp(root) == first
    (root / "pyproject.toml").write_text("[project]\nname = 'y'\n[tool.ruff]\nline-length = 2\n")
    second = stamp(root)
    assert second != first
    (root / "requirements.lock").write_text("rich==3\n")
    assert stamp(root) != second


def test_a_finished_set_up_is_left_alone(root: Path) -> None:
    (root / ".venv/set-up.stamp").write_text(stamp(root))
    done = bash('set_up "$root" && echo ready', MAKING, "system_packages() { :; }", root=root)
    assert done.stdout == "ready\n"


def test_an_unfinished_set_up_is_taken_up(root: Path) -> None:
    (root / ".venv/set-up.stamp").write_text(stamp(root))
    (root / ".venv/unfinished").touch()
    done = bash('set_up "$root" && echo ready', MAKING, "system_packages() { :; }", root=root)
    assert done.stdout == "made\nready\n"


def failing_pip(root: Path, message: str) -> Path:
    """Create an environment whose pip prints `message` and fails; return the file that counts its calls."""
    python = root / ".venv/bin/python"
    calls = root / "calls"
    python.write_text(f"#!/bin/sh\necho call >>{shlex.quote(str(calls))}\necho {shlex.quote(message)}\nexit 1\n")
    python.chmod(0o755)
    return calls


def install(root: Path) -> subprocess.CompletedProcess[str]:
    return bash('pip_install "$log" rich', "sleep() { :; }", venv=root / ".venv", log=root / "log")


def test_a_failing_network_is_tried_three_times_then_said(root: Path) -> None:
    calls = failing_pip(root, "Connection refused")
    done = install(root)
    assert done.returncode == 1
    assert calls.read_text() == "call\n" * 3
    assert "Check the network" in done.stderr


def test_a_wrong_hash_is_never_tried_again(root: Path) -> None:
    calls = failing_pip(root, "THESE PACKAGES DO NOT MATCH THE HASHES")
    done = install(root)
    assert done.returncode == 1
    assert calls.read_text() == "call\n"
    assert "The hash of a package differs" in done.stderr


def test_without_rights_one_line_says_what_to_type(root: Path) -> None:
    done = bash(
        'system_packages "$log"',
        'packages_missing() { [ "$1" = fonts-lato ] || echo libmtdev1; }',
        "may_install() { false; }",
        "dpkg-query() { :; }",
        log=root / "log",
    )
    assert done.stderr == "tapis-vert: System packages are missing. Type: sudo apt-get install -y libmtdev1\n"


def test_a_library_under_its_name_in_debian_13_is_there() -> None:
    """Otherwise every start would request the library from the network again."""
    known = """dpkg-query() {
      case "$4" in libmtdev1) printf ' installed ' ;; curl) printf ' not-installed  config-files ' ;; esac
      case "$5" in libgl1t64) printf ' installed ' ;; esac
      return 1
    }"""
    done = bash("packages_missing libmtdev1 libgl1 curl nothing", known)
    assert (done.stdout, done.returncode) == ("curl\nnothing\n", 0)


def test_an_unfit_python_is_said_in_one_line(root: Path) -> None:
    done = bash('set_up "$root"', "system_packages() { :; }", "python_usable() { false; }", root=root)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "Python 3.11, 3.12 or 3.13" in done.stderr
