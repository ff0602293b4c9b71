"""Mutation operators: each replaces one expression or statement of a module's source."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

SCREENS = "screens"
"""Excluded folders: a game's drawing is checked by eye, not by assertions."""

_COMPARED: dict[type[ast.cmpop], str] = {
    ast.Lt: "<=",
    ast.LtE: "<",
    ast.Gt: ">=",
    ast.GtE: ">",
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.In: "not in",
    ast.NotIn: "in",
    ast.Is: "is not",
    ast.IsNot: "is",
}
_COMPUTED: dict[type[ast.operator], str] = {ast.Add: "-", ast.Sub: "+", ast.Mult: "//", ast.FloorDiv: "*"}
_DECLARING = {"strict", "frozen", "slots", "kw_only", "repr"}
"""Keywords whose value does not change the result of a correct program."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A mutation: the bytes `start` to `end` of the file at `path` (relative to the root) become `text`."""

    path: str
    line: int
    operator: str
    start: int
    end: int
    before: str
    text: str

    def apply(self, source: bytes) -> bytes:
        """Return the source with the mutation applied."""
        return source[: self.start] + self.text.encode() + source[self.end :]


class _Finder:
    """A visitor for one module that skips annotations, docstrings, decorators and type-checking imports."""

    def __init__(self, path: str, source: bytes) -> None:
        self._path, self._source = path, source
        self._starts = [0]
        for line in source.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))

    def find(self) -> Iterator[Mutant]:
        yield from self._below(ast.parse(self._source))

    def _below(self, node: ast.AST) -> Iterator[Mutant]:
        for child in _children(node):
            yield from self._values(child)
            yield from self._decisions(child)
            yield from self._below(child)

    def _values(self, node: ast.AST) -> Iterator[Mutant]:
        """Yield mutations of the value of an expression."""
        match node:
            case ast.Compare(ops=[relation]) if type(relation) in _COMPARED:
                left, right = self._text(node.left), self._text(node.comparators[0])
                yield self._mutant(node, "comparison", f"({left} {_COMPARED[type(relation)]} {right})")
            case ast.BinOp(op=sign) if type(sign) in _COMPUTED and not _has_text(node):
                left, right = self._text(node.left), self._text(node.right)
                yield self._mutant(node, "arithmetic", f"({left} {_COMPUTED[type(sign)]} {right})")
            case ast.AugAssign(op=ast.Add() | ast.Sub()):
                step = "-=" if isinstance(node.op, ast.Add) else "+="
                yield self._mutant(node, "arithmetic", f"{self._text(node.target)} {step} {self._text(node.value)}")
            case ast.Constant(value=bool()):
                yield self._mutant(node, "boolean", str(not node.value))
            case ast.Constant(value=int(number)):
                yield self._mutant(node, "constant", str(number + 1))
            case ast.Return(value=ast.expr()) if not _is_none(node.value):
                yield self._mutant(node, "return None", "return None")

    def _decisions(self, node: ast.AST) -> Iterator[Mutant]:
        """Yield mutations of the control flow."""
        match node:
            case ast.BoolOp():
                word = " or " if isinstance(node.op, ast.And) else " and "
                yield self._mutant(node, "and/or", f"({word.join(f'({self._text(part)})' for part in node.values)})")
            case ast.UnaryOp(op=ast.Not()):
                yield self._mutant(node, "not removed", f"({self._text(node.operand)})")
            case ast.Break() | ast.Continue():
                yield self._mutant(node, "loop", "continue" if isinstance(node, ast.Break) else "break")
            case ast.If() | ast.While() | ast.IfExp() if _negated_nowhere_else(node.test):
                yield self._negation(node.test)
            case ast.comprehension():
                yield from (self._negation(test) for test in node.ifs if _negated_nowhere_else(test))

    def _negation(self, test: ast.expr) -> Mutant:
        return self._mutant(test, "negation", f"(not ({self._text(test)}))")

    def _span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return (
            self._starts[node.lineno - 1] + node.col_offset,
            self._starts[node.end_lineno - 1] + node.end_col_offset,
        )

    def _text(self, node: ast.expr) -> str:
        start, end = self._span(node)
        text = self._source[start:end].decode()
        return f"({text})" if isinstance(node, ast.BinOp | ast.IfExp | ast.BoolOp | ast.GeneratorExp) else text

    def _mutant(self, node: ast.expr | ast.stmt, operator: str, text: str) -> Mutant:
        start, end = self._span(node)
        return Mutant(self._path, node.lineno, operator, start, end, self._source[start:end].decode(), text)


def _children(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the children of a node in which a mutation makes sense."""
    match node:
        case ast.JoinedStr():
            return  # positions inside a formatted string refer to the string
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            yield from (default for default in (*node.args.defaults, *node.args.kw_defaults) if default is not None)
            yield from node.body
        case ast.ClassDef():
            yield from node.body
        case ast.AnnAssign():
            yield from [node.value] if node.value is not None else []
        case ast.Call():
            yield from (node.func, *node.args)
            yield from (keyword.value for keyword in node.keywords if keyword.arg not in _DECLARING)
        case _:
            yield from ast.iter_child_nodes(node)


def _has_text(node: ast.BinOp) -> bool:
    return any(
        isinstance(part, ast.JoinedStr | ast.Tuple | ast.List)
        or (isinstance(part, ast.Constant) and isinstance(part.value, str))
        for part in (node.left, node.right)
    )


def _is_none(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _negated_nowhere_else(test: ast.expr) -> bool:
    """Return True if no other operator negates the condition, and it is evaluated at run time."""
    if isinstance(test, ast.Name) and test.id == "TYPE_CHECKING":
        return False
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        return isinstance(test.ops[0], ast.Lt | ast.LtE | ast.Gt | ast.GtE)
    return not (isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not))


def find_mutants(root: Path, packages: Sequence[str]) -> list[Mutant]:
    """Return every mutation of the packages (folders below `root`), in the order of files and lines."""
    found: list[Mutant] = []
    for package in packages:
        for file in sorted((root / package).rglob("*.py")):
            path = file.relative_to(root)
            if SCREENS not in path.parts:
                found += _Finder(path.as_posix(), file.read_bytes()).find()
    return found


def sample_mutants(root: Path, packages: Sequence[str], count: int, seed: int) -> tuple[list[Mutant], int]:
    """Return `count` random mutations (fewer if there are fewer) and the total number.

    Mutations that do not compile are left out of the sample.
    """
    found = find_mutants(root, packages)
    total = len(found)
    Random(seed).shuffle(found)
    sample: list[Mutant] = []
    for mutant in found:
        if len(sample) == count:
            break
        if _compiles(mutant.apply((root / mutant.path).read_bytes())):
            sample.append(mutant)
    return sample, total


def _compiles(source: bytes) -> bool:
    try:
        compile(source, "", "exec", dont_inherit=True)
    except SyntaxError:
        return False
    return True
