"""The public Python API (docs/API.md): every name can be imported, is typed and has a docstring."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from tests.docs.documents import blocks
from tests.tracked import PRODUCT, ROOT, modules, text, tree
from tools.documentation.hooks import MEMBERS
from tools.documentation.public_api import PublicName, public_names

NAMES = public_names()
PATHS = {name.path for name in NAMES}
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
RAISED = re.compile(r"\bRaises:?\s+(.*?)(?:\.(?:\s|$)|\n\s*\n|$)", re.S)
"""The part of a docstring after `Raises`, up to the end of the sentence."""


def ids(name: PublicName) -> str:
    return name.path


def definition(name: PublicName) -> tuple[ast.stmt, str | None]:
    """Return the statement that defines a name, and its docstring."""
    body = tree(Path(name.source)).body
    for node, after in zip(body, [*body[1:], None], strict=True):
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)) and node.name == name.name:
            return node, ast.get_docstring(node)
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if isinstance(node, ast.Assign | ast.AnnAssign) and any(
            isinstance(target, ast.Name) and target.id == name.name for target in targets
        ):
            text_after = after.value if isinstance(after, ast.Expr) else None
            docstring = text_after.value if isinstance(text_after, ast.Constant) else None
            return node, docstring if isinstance(docstring, str) else None
    raise AssertionError(f"{name.source} does not define {name.name}")


def public_functions(name: PublicName, node: ast.stmt) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Yield the function itself, or the public methods of a class, including its constructor."""
    if isinstance(node, FUNCTIONS):
        yield node
    elif isinstance(node, ast.ClassDef):
        named = MEMBERS.get(name.path)
        for method in node.body:
            if isinstance(method, FUNCTIONS):
                public = method.name in named if named else not method.name.startswith("_")
                if public or method.name in ("__init__", "__call__"):
                    yield method


def untyped(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
    """Return the parameters without annotation, and `return` if the result has none."""
    given = function.args
    parameters = [*given.posonlyargs, *given.args, *given.kwonlyargs, *filter(None, (given.vararg, given.kwarg))]
    found = [one.arg for one in parameters if one.annotation is None and one.arg not in ("self", "cls")]
    return found + ["return"] * (function.returns is None)


def test_the_page_names_the_whole_api_once() -> None:
    assert len(NAMES) > 30
    assert len(PATHS) == len(NAMES)
    assert {name.chapter for name in NAMES} == {"Dice", "Journals", "Odds"}


@pytest.mark.parametrize("name", NAMES, ids=ids)
def test_it_can_be_imported_from_where_the_page_says(name: PublicName) -> None:
    assert hasattr(import_module(name.module), name.name)
    assert (ROOT / name.source).is_file()
    assert name.module.replace(".", "/") in (name.source.removesuffix(".py"), name.source.removesuffix("/__init__.py"))


@pytest.mark.parametrize("name", NAMES, ids=ids)
def test_it_says_what_it_is(name: PublicName) -> None:
    assert definition(name)[1]


@pytest.mark.parametrize("name", NAMES, ids=ids)
def test_it_is_typed(name: PublicName) -> None:
    node = definition(name)[0]
    functions = list(public_functions(name, node))
    assert {function.name: missing for function in functions if (missing := untyped(function))} == {}
    if isinstance(node, ast.ClassDef):
        bare = [ast.unparse(line) for line in node.body if isinstance(line, ast.Assign) and not is_enum(node)]
        assert bare == []


def is_enum(node: ast.ClassDef) -> bool:
    return any(ast.unparse(base).endswith("Enum") for base in node.bases)


def imported(code: str) -> set[str]:
    """Return the dotted names of the product that a program uses."""
    found: set[str] = set()
    parsed = ast.parse(code)
    given: dict[str, str] = {}
    for node in ast.walk(parsed):
        if isinstance(node, ast.Import):
            given |= {alias.asname or alias.name: alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            given |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
    product = {short: path for short, path in given.items() if path.split(".")[0] in PRODUCT}
    used = {
        f"{product[node.value.id]}.{node.attr}": product[node.value.id]
        for node in ast.walk(parsed)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in product
    }
    through = {module for path, module in used.items() if path in PATHS}
    found |= {path for path in used if path in PATHS}
    return found | (set(product.values()) - through)


@pytest.mark.parametrize("path", modules("examples"), ids=str)
def test_the_examples_use_nothing_else(path: Path) -> None:
    assert imported(text(path)) - PATHS == set()


@pytest.mark.parametrize(
    "block",
    [block for page in ("README.md", "docs/API.md") for block in blocks(Path(page)) if block.language == "python"],
    ids=str,
)
def test_the_documents_use_nothing_else(block: object) -> None:
    assert imported(getattr(block, "body", "")) - PATHS == set()


def test_a_private_name_in_an_example_is_found() -> None:
    assert imported("from companion.journal.store import Store\nStore()") == {"companion.journal.store.Store"}
    assert imported("import vision\nvision.read('x')") == {"vision.read"}


def exceptions() -> set[str]:
    """Return the names of Python's exceptions and of all classes of the product."""
    classes = re.findall(r"^class (\w+)", "\n".join(text(path) for path in modules(*PRODUCT, "tools")), re.M)
    return {*classes, "CalledProcessError", *(name for name in dir(builtins) if name[0].isupper())}


def test_errors_that_docstrings_name_exist() -> None:
    known = exceptions()
    found = []
    for path in modules(*PRODUCT, "tools"):
        if "Raises" not in text(path):
            continue
        for node in ast.walk(tree(path)):
            if not isinstance(node, (*FUNCTIONS, ast.ClassDef)):
                continue
            for raised in RAISED.findall(ast.get_docstring(node) or ""):
                errors = re.findall(r"(?<![\w.`])[A-Z][a-z]+(?:[A-Z][a-z]*)+\b(?!\.)", raised)
                found += [f"{path}:{node.lineno}: {error}" for error in errors if error not in known]
    assert found == []
