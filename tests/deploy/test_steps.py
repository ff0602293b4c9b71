"""Single steps of the installer in test folders; the suite `arm64` runs the whole installer."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path

import pytest

from tests.tracked import ROOT

DEPLOY = ROOT / "deploy"


def bash(line: str, **variables: Path | str) -> subprocess.CompletedProcess[str]:
    """Run a line after sourcing the steps, with variables set."""
    settings = [f"{name}={shlex.quote(str(value))}" for name, value in variables.items()]
    sources = [f". {shlex.quote(str(DEPLOY / name))}" for name in ("set-up.sh", "steps.sh")]
    script = "\n".join(["set -euo pipefail", *sources, "stack=wheels python=python3 log=/dev/null", *settings, line])
    return subprocess.run(["bash", "-c", script], capture_output=True, text=True)


def good(line: str, **variables: Path | str) -> str:
    done = bash(line, **variables)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def place(tmp_path):
    """Return a folder of versions. The oldest one is active."""
    for name in ("1.0+aa", "1.1+bb", "1.2+cc"):
        (tmp_path / name / "bin").mkdir(parents=True)
        (tmp_path / name / "bin/companion").write_text("#!/bin/sh\nexit 0\n")
        (tmp_path / name / "bin/companion").chmod(0o755)
    (tmp_path / "current").symlink_to("1.0+aa")
    return tmp_path


def links(place: Path) -> dict[str, str]:
    return {path.name: str(path.readlink()) for path in place.iterdir() if path.is_symlink()}


def folders(place: Path) -> list[str]:
    return sorted(path.name for path in place.iterdir() if not path.is_symlink())


def test_a_file_in_its_place_is_left_alone(tmp_path):
    source, there = tmp_path / "source", tmp_path / "deep" / "there"
    source.write_text("one")
    good('put "$a" "$b" 644', a=source, b=there)
    first = there.stat()
    good('put "$a" "$b" 644', a=source, b=there)
    assert (there.stat().st_ino, there.stat().st_ctime_ns) == (first.st_ino, first.st_ctime_ns)
    source.write_text("two")
    good('put "$a" "$b" 755', a=source, b=there)
    assert there.read_text() == "two"
    assert there.stat().st_mode & 0o777 == 0o755
    assert there.stat().st_ino != first.st_ino, "a new file takes the name; nobody ever reads half of it"
    assert [path.name for path in there.parent.iterdir()] == ["there"]


def test_a_package_has_its_files_where_debian_has_them(tmp_path):
    good('files "$root" "$to" package', root=ROOT, to=tmp_path)
    found = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if not path.is_dir()}
    units = {f"lib/systemd/system/{unit.name}" for unit in (DEPLOY / "systemd").iterdir()}
    assert found == units | {"usr/bin/companion", "usr/sbin/tapis-vert-update", "lib/udev/rules.d/70-tapis-vert.rules"}
    update = (tmp_path / "usr/sbin/tapis-vert-update").readlink()
    assert str(update) == "/opt/tapis-vert/current/deploy/update.sh"


def names(lock: str) -> set[str]:
    return {line.split("==")[0] for line in lock.splitlines() if re.match(r"[a-z0-9]", line)}


def test_an_installed_table_gets_what_the_product_needs_and_no_tools_of_the_tests():
    lock = good('run_time_lock "$root"', root=ROOT)
    whole = names((ROOT / "requirements.lock").read_text())
    listed = {line for line in (DEPLOY / "run-time.txt").read_text().splitlines() if not line.startswith("#")}
    project = (ROOT / "pyproject.toml").read_text().partition("[project.optional-dependencies]")[0]
    asked = {name.replace(".", "-") for name in re.findall(r'^    "([a-z0-9.-]+)[=><]', project, re.MULTILINE)}
    assert names(lock) == listed <= whole
    assert asked | {"gpiozero", "setuptools"} <= names(lock)
    assert not {"pytest", "mypy", "ruff", "hypothesis"} & names(lock)
    blocks = re.split(r"\n(?=\S)", lock.strip())
    assert [block for block in blocks if "--hash=sha256:" not in block] == []


def test_with_the_systems_camera_stack_numpy_and_opencv_are_the_systems():
    lock = names(good('stack=system; run_time_lock "$root"', root=ROOT))
    assert not {"numpy", "opencv-python-headless"} & lock
    assert "onnxruntime" in lock


@pytest.fixture
def source(tmp_path):
    """Return a small product."""
    folder = tmp_path / "a product"
    for name in ("companion", "vision", "hardware", "firmware", "deploy"):
        (folder / name).mkdir(parents=True)
    (folder / "companion/__init__.py").write_text('"""Words."""\n\n__version__ = "3.2.1"\n')
    (folder / "pyproject.toml").write_text("")
    (folder / "deploy/run-time.txt").write_text("rich\n")
    (folder / "requirements.lock").write_text("rich==2 \\\n    --hash=sha256:bb\nmypy==1 \\\n    --hash=sha256:cc\n")
    return folder


def version(source: Path, **variables: str) -> str:
    return good('name_version "$source"; echo "$version"', source=source, **variables).strip()


def test_a_version_is_named_after_all_that_it_is_made_of(source):
    first = version(source)
    assert re.fullmatch(r"3\.2\.1\+[0-9a-f]{8}", first)
    (source / "companion/__pycache__").mkdir()
    (source / "companion/__pycache__/x.pyc").write_text("made by itself")
    assert version(source) == first
    assert version(source, stack="system") != first
    (source / "vision/new.py").write_text("")
    assert version(source) != first


def test_a_package_names_its_version_by_its_wheel(source, tmp_path):
    packaged = tmp_path / "packaged"
    (packaged / "wheels").mkdir(parents=True)
    (packaged / "deploy").mkdir()
    (packaged / "deploy/run-time.txt").write_text("rich\n")
    (packaged / "requirements.lock").write_text("rich==2\n")
    (packaged / "wheels/tapis_vert-4.5.6-py3-none-any.whl").write_text("")
    assert version(packaged).startswith("4.5.6+")
    (packaged / "wheels/tapis_vert-4.5.6-py3-none-any.whl").unlink()
    done = bash('name_version "$source"', source=packaged)
    assert done.returncode != 0


def test_a_switch_keeps_the_version_before_and_no_other(place):
    good("version=1.1+bb; switch", place=place)
    assert links(place) == {"current": "1.1+bb", "previous": "1.0+aa"}
    assert folders(place) == ["1.0+aa", "1.1+bb"]


def test_a_switch_that_was_cut_off_is_made_good(place):
    (place / "previous").symlink_to("1.0+aa")
    (place / "current.new").symlink_to("1.1+bb")
    good("version=1.1+bb; switch", place=place)
    assert links(place)["current"] == "1.1+bb"
    assert "current.new" not in links(place)


def test_a_second_switch_to_the_same_version_loses_no_way_back(place):
    good("version=1.1+bb; switch; switch", place=place)
    assert links(place)["previous"] == "1.0+aa"


def test_a_way_back_is_taken_once(place, tmp_path):
    good("version=1.1+bb; switch", place=place)
    result = bash("back", place=place, safe_copy=tmp_path / "none")
    assert result.returncode == 0
    assert "Back from version 1.1+bb to 1.0+aa." in result.stderr
    assert links(place) == {"current": "1.0+aa"}
    again = bash("back", place=place, safe_copy=tmp_path / "none")
    assert again.returncode == 1
    assert "There is no version before 1.0+aa." in again.stderr


def test_without_root_the_installer_changes_nothing_and_says_what_to_type():
    done = subprocess.run(
        ["bash", "-c", f"id() {{ echo 1000; }}; export -f id; {shlex.quote(str(DEPLOY / 'install.sh'))}"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert "Type: sudo" in done.stderr


@pytest.mark.parametrize("script", ["install.sh", "update.sh"])
def test_help_and_a_wrong_word(script):
    helped = subprocess.run([DEPLOY / script, "--help"], capture_output=True, text=True)
    assert helped.returncode == 0
    assert "sudo" in helped.stdout
    wrong = subprocess.run(
        ["bash", "-c", f"id() {{ echo 0; }}; export -f id; {shlex.quote(str(DEPLOY / script))} /no/such/thing"],
        capture_output=True,
        text=True,
    )
    assert wrong.returncode == 2


@pytest.mark.slow
def test_packages_of_others_are_taken_over_while_the_lock_stays(source, tmp_path):
    """Real environments without packages: the second one needs no pip and no network, and is independent of the
    first."""
    (source / "requirements.lock").write_text("")
    made = (
        'scratch_lock=$(mktemp); mkdir -p "$place"; venv=$place/1; packages_of_others "$source"; : >"$venv/complete"; '
    )
    made += 'ln -s 1 "$place/current"; '
    place = tmp_path / "versions"
    good(made + 'pip_install() { exit 1; }; venv=$place/2; packages_of_others "$source"', source=source, place=place)
    first, second = place / "1", place / "2"
    assert (second / "bin/pip").read_text().startswith(f"#!{second}/bin/python")
    assert (first / "bin/pip").read_text().startswith(f"#!{first}/bin/python")
    assert not (second / "complete").exists(), "it counts once all of it is there"
    asked = [second / "bin/python", "-c", "import sys, pip; print(sys.prefix, pip.__file__)"]
    prefix, pip = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.split()
    assert prefix == str(second)
    assert Path(pip).is_relative_to(second)
    (source / "requirements.lock").write_text("rich==2 \\\n    --hash=sha256:bb\n")
    done = bash(
        'scratch_lock=$(mktemp); pip_install() { echo fetched; }; venv=$place/3; packages_of_others "$source"',
        source=source,
        place=place,
    )
    assert "fetched" in done.stdout
