"""Names are standard terms of their field: none of all packages is on the list of vague names."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tracked import PRODUCT, ROOT, modules, tree

PACKAGES = {
    **{path.name: path for path in sorted((ROOT / "companion").iterdir()) if (path / "__init__.py").is_file()},
    **{name: ROOT / name for name in (*PRODUCT[1:], "tools", "tests", "examples")},
    "companion": ROOT / "companion",
}
"""Name and folder of every package; `companion` stands for its modules outside packages."""

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
    # A button that is held down, the words of a text.
    "app": {"turn", "away", "ButtonTest.pressed.held", "RoleLine.light.held"} | {"short_name.words"},
    "voice": {"EspeakVoice.speak.words"},
    # The turn of a match, the home and the away side, the rank in a table; fields of the journal keep their names.
    "games": {"turn", "away", "rank", "MarketPick.take", "MarketTransfer.take"},
    "tournament": {"away", "rank"},
    "hub": {"away", "rank", "TableNotifier._calls.told"},
    # Fields on the wire and in files keep their names.
    "messages": {"away", "rank", "StandingsBoard.told"},
    "vision": {"Calibration.held"},
    "tests": {"turn", "away", "rank"},
}
"""By package: names that are terms there, and single definitions."""


def defined(node: ast.AST, way: tuple[str, ...] = ()) -> Iterator[str]:
    """Yield every class, function, parameter, variable and attribute defined below `node`, with its path."""
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
    """Return the unclear names defined in a file, without those that are allowed."""
    names = {name for name in defined(tree(path)) if name.rpartition(".")[2].strip("_").lower() in UNCLEAR}
    names -= {name for name in names if name in allowed or name.rpartition(".")[2].strip("_") in allowed}
    return sorted(names) + [path.stem] * (path.stem in UNCLEAR)


def package_modules(package: str) -> list[Path]:
    """Return the modules of a package."""
    folder = PACKAGES[package].relative_to(ROOT)
    if package == "companion":
        return [path for path in modules("companion") if path.parent == folder]
    return [path for path in modules(folder.parts[0]) if folder in path.parents]


@pytest.mark.parametrize("package", PACKAGES)
def test_no_name_says_nothing(package: str) -> None:
    allowed = frozenset(CLEAR_HERE.get(package, ()))
    paths = package_modules(package)
    assert paths
    assert {str(path): names for path in paths if (names := unclear(path, allowed))} == {}


def test_a_clear_name_is_still_defined() -> None:
    """An exception that nothing needs is left over."""
    for package, allowed in CLEAR_HERE.items():
        names = {name for path in package_modules(package) for name in defined(tree(path))}
        names |= {name.rpartition(".")[2].strip("_") for name in names}
        assert allowed <= names, package


def test_an_unclear_name_is_found() -> None:
    code = "class Shelf:\n    def look(self, told):\n        self._said = begun = told\n"
    found = {name.rpartition(".")[2] for name in defined(ast.parse(code))}
    assert {"Shelf", "look", "told", "_said", "begun"} <= found


def namespace(path: Path) -> str:
    """Return where a class name is unique: within a game, the events of a tournament, or the rest of the project."""
    if path.parts[:2] == ("companion", "games") and len(path.parts) > 3:
        return path.parts[2]
    return path.stem if path == Path("companion/tournament/facts.py") else ""


def test_two_classes_never_share_a_name() -> None:
    places: dict[tuple[str, str], list[str]] = {}
    for path in modules(*PRODUCT, "tools"):
        for node in tree(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places.setdefault((namespace(path), node.name), []).append(str(path))
    assert {name: paths for (_, name), paths in places.items() if len(paths) > 1} == {}
