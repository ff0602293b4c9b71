"""Tests of the import contract type: it reports every violation and nothing else."""

from __future__ import annotations

import grimp
import pytest

from tests.import_walls import MayImport

IMPORTS = (
    ("companion.games.base", "json"),
    ("companion.games.nba.rules", "companion.games.base"),
    ("companion.games.nba.rules", "companion.games.occasion.tables"),
    ("companion.games.nba.screens.court", "companion.games.nba.rules"),
    ("companion.games.nba.screens.court", "companion.games.occasion.tables"),
    ("companion.app.screen", "vision.roll"),
    ("companion.app.screen", "vision.rolling"),
    ("companion.app.screen", "kivy"),
    ("companion.app.screen", "companion"),
)


@pytest.fixture
def graph() -> grimp.ImportGraph:
    made = grimp.ImportGraph()
    for module in sorted({module for pair in IMPORTS for module in pair}):
        made.add_module(module)
    for line, (importer, imported) in enumerate(IMPORTS, 1):
        made.add_import(importer=importer, imported=imported, line_number=line, line_contents=f"import {imported}")
    return made


def breaches(graph: grimp.ImportGraph, package: str, **options: list[str]) -> list[tuple[str, str, int]]:
    result = MayImport("a wall", {}, {"package": package, **options}).check(graph, verbose=False)
    assert result.kept is (result.metadata["broken"] == [])
    return list(result.metadata["broken"])


def test_the_standard_library_and_the_package_itself_are_open(graph: grimp.ImportGraph) -> None:
    assert breaches(graph, "companion.games") == []


def test_what_is_not_named_is_a_breach_with_its_line(graph: grimp.ImportGraph) -> None:
    assert breaches(graph, "companion.app", may_import=["vision.roll"]) == [
        ("companion.app.screen", "kivy", 8),
        ("companion.app.screen", "vision.rolling", 7),
    ]


def test_what_is_named_is_open_whole(graph: grimp.ImportGraph) -> None:
    assert breaches(graph, "companion.app", may_import=["vision", "kivy"]) == []


def test_parts_with_a_line_of_their_own_are_left_to_it(graph: grimp.ImportGraph) -> None:
    assert breaches(graph, "companion", apart_from=["companion.app"]) == []


def test_a_star_stands_for_one_name(graph: grimp.ImportGraph) -> None:
    may_import = ["companion.games.base"]
    assert breaches(graph, "companion.games.*", may_import=may_import, apart_from=["companion.games.*.screens"]) == [
        ("companion.games.nba.rules", "companion.games.occasion.tables", 3)
    ]
    assert breaches(graph, "companion.games.*.screens", may_import=["companion.games.*"]) == [
        ("companion.games.nba.screens.court", "companion.games.occasion.tables", 5)
    ]
