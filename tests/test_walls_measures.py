"""Measures of the product's code: no code that nobody uses, no function too complex to follow.

How many parameters a function may have is held by ruff (PLR0913 in `pyproject.toml`).
"""

from __future__ import annotations

import subprocess
import sys

from radon.complexity import cc_visit_ast

from tests.tracked import LABORATORY, PRODUCT, ROOT, modules, tree

CONFIDENCE_PERCENT = 80
MOST_COMPLEX = 15
"""Paths through one function (McCabe)."""


def test_no_code_is_dead() -> None:
    command = [sys.executable, "-m", "vulture", "--min-confidence", str(CONFIDENCE_PERCENT), *PRODUCT, LABORATORY]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert (done.stdout, done.returncode) == ("", 0), done.stderr


def test_no_function_is_too_complex() -> None:
    found = [
        f"{path}: {block.fullname} {block.complexity}"
        for path in modules(*PRODUCT, LABORATORY)
        for block in cc_visit_ast(tree(path))
        if block.letter != "C" and block.complexity > MOST_COMPLEX
    ]
    assert found == []
