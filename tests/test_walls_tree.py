"""Tests of the repository contents: no machine-specific paths, no foreign pictures, scripts that parse."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.tracked import ROOT, files

BINARY = {".onnx", ".pt", ".ttf", ".otf"}
OWN_FILES = {(".png", "docs"), (".zip", "tests")}
SCRIPTS = [path for path in files() if path.suffix in ("", ".sh") and (ROOT / path).read_bytes().startswith(b"#!")]
PLACES = re.compile(r"(?<![\w.}$])/(?:work|tmp|Users|home/\w\w+|root)/[\w.]")
ADDRESS = re.compile(r"\b[a-z]+://(?P<host>[\w.-]+)")
OPEN_HOSTS = re.compile(r"(localhost|127\.0\.0\.1|0\.0\.0\.0|www\.w3\.org|(.*\.)?example(\.(org|com))?|[\w-]+\.local)")


def content(path: Path) -> str | None:
    """Return the text of a file, or None for a binary file."""
    try:
        decoded = (ROOT / path).read_bytes().decode("utf-8")
    except UnicodeDecodeError:
        return None
    return None if "\0" in decoded else decoded


TEXTS = {path: found for path in files() if (found := content(path)) is not None}


def test_binary_files_are_networks_fonts_own_pictures_and_samples() -> None:
    strange = [
        str(path)
        for path in files()
        if path not in TEXTS and path.suffix not in BINARY and (path.suffix, path.parts[0]) not in OWN_FILES
    ]
    assert strange == []


def test_no_file_knows_a_place_on_some_machine() -> None:
    found = [f"{path}: {match.group()}" for path, text in TEXTS.items() for match in PLACES.finditer(text)]
    assert found == []


def test_no_file_names_a_host() -> None:
    found = [
        f"{path}: {match.group()}"
        for path, text in TEXTS.items()
        for match in ADDRESS.finditer(text)
        if not OPEN_HOSTS.fullmatch(match["host"])
    ]
    assert found == []


@pytest.mark.parametrize("path", SCRIPTS, ids=str)
def test_scripts_parse(path: Path) -> None:
    shell = "bash" if b"bash" in (ROOT / path).read_bytes().split(b"\n", 1)[0] else "sh"
    done = subprocess.run([shell, "-n", str(path)], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(shutil.which("shellcheck") is None, reason="shellcheck is not installed")
def test_scripts_are_sound() -> None:
    done = subprocess.run(["shellcheck", "-x", *map(str, SCRIPTS)], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
