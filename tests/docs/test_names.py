"""Class names in backticks exist: in documents in the product, in docstrings in what the module may know."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

from tests.tracked import LABORATORY, PRODUCT, files, modules, text, tree

NAME = re.compile(r"`(?:\w+\.)*([A-Z]\w*[a-z]\w*[A-Z]\w*)(?:\.\w+)*(?:\(\))?`")
"""A name with two capitals at least, and small letters: of a class, not of a constant or a word."""


@cache
def classes(*tops: str) -> frozenset[str]:
    """Return the names of all classes and types below these folders."""
    found = set()
    for path in modules(*tops):
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.ClassDef):
                found.add(node.name)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                found.add(node.id)
    return frozenset(found)


def unknown_names(source: str, known: frozenset[str]) -> list[str]:
    """Return the class names in backticks that are neither known nor used elsewhere in the text."""
    code = re.sub(r"`[^`]*`", "", source)
    names = {found[1] for found in NAME.finditer(source)}
    return sorted(name for name in names - known if not re.search(rf"\b{name}\b", code))


def test_documents_name_classes_that_exist() -> None:
    known = classes(*PRODUCT)
    paths = [path for path in files() if path.suffix == ".md" and path.parts[:2] != ("docs", "rules")]
    paths = [path for path in paths if path.parts[0] != "tests"]
    assert {str(path): names for path in paths if (names := unknown_names(text(path), known))} == {}


def test_docstrings_name_classes_that_exist() -> None:
    for tops, known in ((PRODUCT, classes(*PRODUCT)), ((LABORATORY, "tests"), classes())):
        found = {str(path): names for path in modules(*tops) if (names := unknown_names(text(path), known))}
        assert found == {}


def test_a_name_that_does_not_exist_is_found() -> None:
    assert unknown_names("see `ButtonDispatcher.press` and `NoSuchClass`", frozenset({"ButtonDispatcher"})) == [
        "NoSuchClass"
    ]
    assert Path("docs/GLOSSARY.md") in files()
