"""Code metrics: no unused code, no function above the complexity limit, no untyped public signature.

Ruff limits the number of parameters (PLR0913 in `pyproject.toml`).
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator

from radon.complexity import cc_visit_ast

from tests.tracked import LABORATORY, PRODUCT, ROOT, modules, tree

CONFIDENCE_PERCENT = 80
MAX_COMPLEXITY = 15
"""Maximum number of paths through one function (McCabe complexity)."""

UNTYPED = {
    "companion/app/game_screens.py": "whatever a dotted name stands for",
    "companion/app/screens/table_centre.py": "each maker of a widget takes its own figure",
    "companion/app/screens/table_facing.py": "the arguments of `OddsFigure`",
    "companion/hub/web/connections.py": "ASGI's own types",
    "hardware/panel.py": "gpiozero has no annotations",
    "vision/calibration/steps.py": "a camera with or without the parts of `Turnable`",
    "vision/cameras/picamera.py": "picamera2 has no annotations",
    "vision/cameras/webcam.py": "pictures as OpenCV gives them",
}
"""Modules that may use `Any` in a public signature, with the reason. Elsewhere `Any` means JSON, by the names below."""
UNTYPED_NAMES = {
    "companion/app/page.py": {"PageArgs"},
    "companion/app/screens/card.py": {"Change"},
    "companion/app/screens/prepare.py": {"Chosen"},
    "companion/games/base.py": {"JsonObject", "Fields"},
    "companion/games/catalogue.py": {"Row"},
    "companion/games/engine.py": {"RuleEvent"},
    "companion/games/event_schema.py": {"FieldParser"},
    "companion/games/preparation.py": {"Memory"},
    "companion/hub/web/pages.py": {"Values"},
    "companion/journal/pages.py": {"Column"},
    "companion/tournament/validation.py": {"Reader"},
}
"""Names for values known only at run time: JSON, catalogue cells, columns of a damaged file, remembered choices."""


def test_no_code_is_dead() -> None:
    command = [sys.executable, "-m", "vulture", "--min-confidence", str(CONFIDENCE_PERCENT), *PRODUCT, LABORATORY]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert (done.stdout, done.returncode) == ("", 0), done.stderr


def test_no_function_is_too_complex() -> None:
    found = [
        f"{path}: {block.fullname} {block.complexity}"
        for path in modules(*PRODUCT, LABORATORY)
        for block in cc_visit_ast(tree(path))
        if block.letter != "C" and block.complexity > MAX_COMPLEXITY
    ]
    assert found == []


def test_public_signatures_say_what_they_take() -> None:
    found = [
        f"{path}:{line} {name}"
        for path in modules(*PRODUCT)
        if path.as_posix() not in UNTYPED
        for line, name in _untyped(tree(path).body)
        if name not in UNTYPED_NAMES.get(path.as_posix(), ())
    ]
    assert found == []


def test_no_exception_is_left_over() -> None:
    untyped = {path.as_posix(): {name for _, name in _untyped(tree(path).body)} for path in modules(*PRODUCT)}
    assert {path for path in UNTYPED if not untyped[path]} == set()
    assert {path: names - untyped[path] for path, names in UNTYPED_NAMES.items() if names - untyped[path]} == {}


def _untyped(body: list[ast.stmt]) -> Iterator[tuple[int, str]]:
    """Yield public parameters, results, attributes and type aliases with `Any`; keywords passed to Kivy are exempt."""
    for node in body:
        name = getattr(node, "name", "")
        if name.startswith("_") and name not in ("__init__", "__call__"):
            continue
        if isinstance(node, ast.ClassDef):
            yield from _untyped(node.body)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            arguments = node.args
            for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
                if _says_any(argument.annotation):
                    yield argument.lineno, f"{name}({argument.arg})"
            if _says_any(node.returns):
                yield node.lineno, name
        elif isinstance(node, ast.AnnAssign | ast.Assign):
            target = ast.unparse(node.target if isinstance(node, ast.AnnAssign) else node.targets[0])
            type_node = node.annotation if isinstance(node, ast.AnnAssign) else node.value
            if not target.startswith("_") and _says_any(type_node):
                yield node.lineno, target


def _says_any(annotation: ast.expr | None) -> bool:
    parts = () if annotation is None else ast.walk(annotation)
    return any(isinstance(part, ast.Name) and part.id == "Any" for part in parts)
