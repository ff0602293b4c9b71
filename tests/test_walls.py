"""Architecture and code conventions, checked on the source: import rules, complete checks, collected tests."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

from tests.tracked import LABORATORY, PRODUCT, ROOT, modules, text, tree

SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
COMPOSITION_ROOT = {"companion.cli", "companion.__main__", "companion.compose", "companion.commands"}
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
SAYS_NOTHING = {"util", "utils", "helper", "helpers", "misc", "common", "manager", "managers"}


def contracts() -> list[dict[str, object]]:
    return list(SETTINGS["importlinter"]["contracts"])


def test_every_package_imports_what_its_contract_allows() -> None:
    linter = Path(sys.executable).parent / "lint-imports"
    done = subprocess.run([str(linter), "--no-logo", "--no-cache"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_part_of_the_house_has_a_contract() -> None:
    packages = {str(contract["package"]) for contract in contracts() if "package" in contract}
    named = {package.removesuffix(".*") for package in packages} | COMPOSITION_ROOT
    companion = {f"companion.{path.parts[1].removesuffix('.py')}" for path in modules("companion")}
    parts = companion - {"companion.__init__"} | {top for top in PRODUCT if top != "companion" and modules(top)}
    assert sorted(parts - named) == []


def test_walls_and_types_cover_every_package() -> None:
    present = {top for top in (*PRODUCT, LABORATORY) if modules(top)}
    assert present <= set(SETTINGS["importlinter"]["root_packages"]), "import-linter does not see them all"
    assert present <= set(SETTINGS["mypy"]["files"]), "mypy does not see them all"


def test_names_of_modules_say_what_they_hold() -> None:
    assert [str(path) for path in modules() if SAYS_NOTHING & {path.stem, *path.parts[:-1]}] == []


def test_every_module_opens_with_a_sentence() -> None:
    silent = [str(path) for path in modules() if text(path).strip() and not ast.get_docstring(tree(path))]
    assert silent == []


def test_nothing_is_left_for_later() -> None:
    later = re.compile("|".join(("TO" + "DO", "FIX" + "ME", "XX" + "X", "NotImplemented" + "Error")))
    found = [f"{path}: {match.group()}" for path in modules() for match in later.finditer(text(path))]
    assert found == []


def collected_in(path: Path) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    return [node for node in ast.walk(tree(path)) if isinstance(node, FUNCTIONS) and node.name.startswith("test_")]


def test_every_test_can_fail() -> None:
    """A test asserts, expects an exception, or calls a function whose name says that it checks."""
    able = re.compile(r"Assert\(|id='(assert|check|expect)\w*'|attr='(raises|warns|assert\w*|check\w*|expect\w*|fail)'")
    unable = [
        f"{path}:{node.lineno} {node.name}"
        for path in modules("tests")
        if path.name.startswith("test_")
        for node in collected_in(path)
        if not able.search(ast.dump(node))
    ]
    assert unable == []


def test_no_test_sleeps() -> None:
    sleeping = [
        f"{path}:{node.lineno}"
        for path in modules("tests")
        if path.name.startswith("test_")
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("time.sleep", "sleep")
    ]
    assert sleeping == []


def test_every_test_file_is_collected() -> None:
    """A test file with another name would never run."""
    lost = [str(path) for path in modules("tests") if not path.name.startswith("test_") and collected_in(path)]
    assert lost == []
