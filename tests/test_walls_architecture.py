"""Every file and function named in ARCHITECTURE.md and docs/DEVELOPING.md exists."""

from __future__ import annotations

import ast
import re

import pytest

from tests.tracked import ROOT, tree

PAGE = ROOT / "ARCHITECTURE.md"
GUIDE = ROOT / "docs" / "DEVELOPING.md"
NAMED = sorted(
    {
        found
        for page in (PAGE, GUIDE)
        for found in re.findall(r"`([a-z_/]+\.py)(?::([A-Za-z_.]+))?`", page.read_text("utf-8"))
    }
)
MAX_LINES = 110
"""Maximum number of lines of the page."""


@pytest.mark.parametrize(("path", "name"), [pair for pair in NAMED if "/" in pair[0]])
def test_what_the_page_names_exists(path: str, name: str) -> None:
    assert (ROOT / path).is_file()
    body: list[ast.stmt] = tree((ROOT / path).relative_to(ROOT)).body
    for part in name.split(".") if name else ():
        found = next((node for node in body if part in names(node)), None)
        assert found is not None, part
        body = getattr(found, "body", [])


def names(node: ast.stmt) -> list[str]:
    """Return the names that a statement defines."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return [target.id for target in targets if isinstance(target, ast.Name)]


def test_folders_of_the_page_exist() -> None:
    page = PAGE.read_text(encoding="utf-8")
    folders = re.findall(r"`((?:companion|vision|hardware|firmware|tools)(?:/[a-z_]+)+)`", page)
    assert [folder for folder in folders if not (ROOT / folder).is_dir()] == []


def test_it_is_one_page() -> None:
    assert len(PAGE.read_text(encoding="utf-8").splitlines()) <= MAX_LINES
