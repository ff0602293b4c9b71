"""The examples in the documents run and print the output shown below them."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.docs.documents import DOCUMENTS, Block, blocks
from tests.tracked import ROOT
from tools import module_environment
from vision.drawing.tray import DrawnDie, draw_tray

ALL = [block for path in DOCUMENTS for block in blocks(path)]
FRAGMENTS = {Path("docs/GAMES.md")}
"""Documents with parts of a module as blocks. tests/games/test_guide.py compares them with the module."""
LANGUAGES = {"sh", "console", "python", "toml", "json", "ini", "text"}
RUN = [
    block for block in ALL if block.language == "python" and not block.compiled_only and block.document not in FRAGMENTS
]


def of(language: str) -> list[Block]:
    return [block for block in ALL if block.language == language]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the working folder of examples: a picture of a three and a five, and the example journals."""
    folder = tmp_path_factory.mktemp("examples of the documents")
    dice = [DrawnDie(face=3, x=200, y=200, edge=46), DrawnDie(face=5, x=420, y=220, edge=46)]
    cv2.imwrite(str(folder / "photo.jpg"), draw_tray(dice, np.random.default_rng(1)))
    (folder / "examples").symlink_to(ROOT / "examples")
    return folder


def test_every_block_names_its_language() -> None:
    assert [str(block) for block in ALL if block.language not in LANGUAGES] == []


@pytest.mark.parametrize("block", of("python"), ids=str)
def test_python_compiles(block: Block) -> None:
    code = block.body
    if block.document in FRAGMENTS and not code.startswith(("@", "def ", "class ", "SPEC")):
        code = f"dict({{{code}}})"  # an entry of a dictionary
    assert compile(code, str(block), "exec") is not None


@pytest.mark.parametrize("block", RUN, ids=str)
def test_python_runs_and_prints_what_is_shown(block: Block, folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", block.body],
        cwd=folder,
        env=module_environment(),
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert block.output in (None, done.stdout)


def test_there_are_examples_with_their_output() -> None:
    assert sum(block.output is not None for block in RUN) >= 3


@pytest.mark.parametrize("block", of("toml"), ids=str)
def test_toml_is_sound(block: Block) -> None:
    assert tomllib.loads(block.body)


@pytest.mark.parametrize("block", of("json"), ids=str)
def test_json_is_sound(block: Block) -> None:
    assert json.loads(block.body)


@pytest.mark.parametrize("block", of("sh"), ids=str)
def test_shell_lines_parse(block: Block) -> None:
    done = subprocess.run(["bash", "-n"], input=block.body, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
