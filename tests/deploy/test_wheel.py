"""The wheel contains all run-time files: code, screens, sentences, dice sets, neural networks."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.tracked import LABORATORY, PRODUCT, ROOT, files

NEEDED = {".csv", ".py", ".kv", ".po", ".toml", ".onnx", ".ttf", ".json", ".svg"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    """Build the wheel from a copy, so that the tree stays clean."""
    folder = tmp_path_factory.mktemp("wheel")
    for path in files():
        if path.parts[0] in (*PRODUCT, LABORATORY) or len(path.parts) == 1:
            (folder / "copy" / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / path, folder / "copy" / path)
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    done = subprocess.run(
        [*command, "--wheel-dir", str(folder), str(folder / "copy")], capture_output=True, text=True, cwd=folder
    )
    assert done.returncode == 0, done.stderr
    return zipfile.ZipFile(next(folder.glob("*.whl")))


def test_every_file_needed_at_run_time_is_in_the_wheel(wheel: zipfile.ZipFile) -> None:
    needed = {str(path) for path in files() if path.parts[0] in PRODUCT and path.suffix in NEEDED}
    assert sorted(needed - set(wheel.namelist())) == []


def test_nothing_else_is_in_the_wheel(wheel: zipfile.ZipFile) -> None:
    tops = {Path(name).parts[0] for name in wheel.namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} <= set(PRODUCT)


def test_the_wheel_brings_the_command_and_the_licence(wheel: zipfile.ZipFile) -> None:
    names = wheel.namelist()
    points = next(name for name in names if name.endswith("entry_points.txt"))
    assert "companion = companion.__main__:main" in wheel.read(points).decode()
    assert any(name.endswith("licenses/LICENSE") for name in names)
