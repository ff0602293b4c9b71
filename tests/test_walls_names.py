"""Names of the app, the table and what joins them are words of their field: none of those that say nothing."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tracked import modules, tree

PACKAGES = ("app", "table", "journal", "link", "messages", "commands", "voice", "statistics", "printing")
UNCLEAR = frozenset(
    [
        "manners",
        "house",
        "room",
        "hearing",
        "pressing",
        "kiosk",
        "settled",
        "sorry",
        "ruled",
        "warming",
        "tidying",
        "slices",
        "pulse",
        "asks",
        "told",
        "tell",
        "lifting",
        "mending",
        "awaits",
        "barred",
        "held",
        "rank",
        "fallen",
        "luck",
        "sound_player",
        "invention",
        "words",
        "shelf",
        "sitting",
        "taking",
        "settling",
        "doing",
        "arriving",
        "visit",
        "door",
        "stranger",
        "away",
        "keeping",
        "hublook",
        "grew",
        "eye",
        "turn",
        "deal",
        "sight",
        "let_in",
        "dazzle",
        "stirred",
        "feeling",
        "lying",
        "looks",
        "look",
        "counted",
        "to_the_end",
        "said",
        "say",
        "take",
        "begin",
        "shown",
    ]
)
CLEAR_HERE = {
    # A turn of the match, a button that is held down, the away side, the words of a text.
    "app": {"ClockLine.__init__.turn", "Ticks.__init__.turn", "Ticks._turn", "ButtonTest.pressed.held"}
    | {"RoleLine.light.held", "MatchCard._names.away", "SingleLineText._choose.words", "short_name.words"},
    "voice": {"EspeakVoice.speak.words"},
    # Fields on the wire keep their names.
    "messages": {"called_match.away", "CalledMatch.away", "ComingMatch.away", "StandingRow.rank", "Board.told"},
}


def defined(node: ast.AST, way: tuple[str, ...] = ()) -> Iterator[str]:
    """Every class, function, parameter, variable and attribute that is defined below `node`, with its way."""
    for child in ast.iter_child_nodes(node):
        inner = way
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            inner = (*way, child.name)
            yield ".".join(inner)
        elif isinstance(child, ast.arg):
            yield ".".join((*way, child.arg))
        elif isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store):
            yield ".".join((*way, child.id))
        elif isinstance(child, ast.Attribute) and isinstance(child.ctx, ast.Store):
            yield ".".join((*way[:-1], child.attr))
        yield from defined(child, inner)


def unclear(path: Path, allowed: frozenset[str]) -> list[str]:
    names = {name for name in defined(tree(path)) if name.rpartition(".")[2].strip("_").lower() in UNCLEAR}
    return sorted(names - allowed) + [path.stem] * (path.stem in UNCLEAR)


@pytest.mark.parametrize("package", PACKAGES)
def test_no_name_says_nothing(package: str) -> None:
    allowed = frozenset(CLEAR_HERE.get(package, ()))
    paths = [path for path in modules("companion") if path.parts[1] == package]
    assert {str(path): names for path in paths if (names := unclear(path, allowed))} == {}


def test_an_unclear_name_is_found() -> None:
    code = "class Shelf:\n    def look(self, told):\n        self._said = begun = told\n"
    found = {name.rpartition(".")[2] for name in defined(ast.parse(code))}
    assert {"Shelf", "look", "told", "_said", "begun"} <= found
