"""Read the Markdown documents of the repository: fenced blocks, prose, links and headings."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.tracked import files, text

DOCUMENTS = [path for path in files() if path.suffix == ".md" and path.parts[0] != ".github"]

COMPILED_ONLY = "<!-- compiled only"
"""Start of the comment above a Python block that is compiled but not run. The comment gives the reason."""

_OPENING = re.compile(r"^(?P<indent> *)(?P<marks>`{3,}|~{3,})(?P<language>[\w-]*)")
_HEADING = re.compile(r"^#{1,6} +(.+?) *#*$")
_LINK = re.compile(r"(?<!\\)!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(\s*<?([^)\s>]*)>?(?:\s+\"[^\"]*\")?\s*\)")
_CODE = re.compile(r"(`+)(?!`)(.+?)(?<!`)\1(?!`)")


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block of a document.

    - `line`: line number of the opening fence, from 1.
    - `body`: the text without indentation.
    - `output`: text of the `text` block that follows directly, None without one.
    - `compiled_only`: True if the comment COMPILED_ONLY is above the block.
    """

    document: Path
    line: int
    language: str
    body: str
    output: str | None = None
    compiled_only: bool = False

    def __str__(self) -> str:
        return f"{self.document}:{self.line}"


def blocks(path: Path) -> list[Block]:
    """Return the fenced blocks of a document."""
    found: list[tuple[int, int, Block]] = []
    lines = text(path).splitlines()
    number = 0
    while number < len(lines):
        opening = _OPENING.match(lines[number])
        if opening is None:
            number += 1
            continue
        end = next((at for at in range(number + 1, len(lines)) if lines[at].strip() == opening["marks"]), len(lines))
        body = textwrap.dedent("\n".join(lines[number + 1 : end])) + "\n"
        marked = number > 0 and lines[number - 1].strip().startswith(COMPILED_ONLY)
        found.append((number, end, Block(path, number + 1, opening["language"], body, None, marked)))
        number = end + 1
    return [_with_output(found, index, lines) for index in range(len(found))]


def _with_output(found: list[tuple[int, int, Block]], index: int, lines: list[str]) -> Block:
    _, end, block = found[index]
    if index + 1 == len(found):
        return block
    start, _, after = found[index + 1]
    if after.language != "text" or "".join(lines[end + 1 : start]).strip():
        return block
    return Block(block.document, block.line, block.language, block.body, after.body, block.compiled_only)


@cache
def prose(path: Path) -> str:
    """Return a document with the lines of its fenced blocks emptied. The other lines keep their numbers."""
    lines = text(path).splitlines()
    for block in blocks(path):
        for number in range(block.line - 1, block.line + block.body.count("\n") + 1):
            if number < len(lines):
                lines[number] = ""
    return "\n".join(lines)


def spans(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the code spans of a document's prose with their line numbers."""
    for match in _CODE.finditer(prose(path)):
        yield prose(path).count("\n", 0, match.start()) + 1, " ".join(match[2].split())


def links(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the targets of a document's links and pictures with their line numbers."""
    bare = _CODE.sub(lambda match: " " * len(match[0]), prose(path)) if "`" in prose(path) else prose(path)
    for match in _LINK.finditer(_keeping_lines(prose(path), bare)):
        yield prose(path).count("\n", 0, match.start()) + 1, match[1]


def _keeping_lines(original: str, bare: str) -> str:
    """Return `bare` with the line breaks of `original`, which are missing in blanked code spans."""
    return "".join("\n" if sign == "\n" else other for sign, other in zip(original, bare, strict=True))


@cache
def anchors(path: Path) -> frozenset[str]:
    """Return the anchors of a document's headings, the same on the site and on a repository's pages."""
    found: dict[str, int] = {}
    for line in prose(path).splitlines():
        if heading := _HEADING.match(line):
            slug = slug_of(heading[1])
            found[slug] = found.get(slug, -1) + 1
    return frozenset(
        slug if not count else f"{slug}-{count}" for slug, last in found.items() for count in range(last + 1)
    )


def slug_of(heading: str) -> str:
    """Return the anchor of a heading: lower case, without punctuation, a hyphen for each space."""
    plain = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").replace("*", "")
    return re.sub(r"[^\w\- ]", "", plain.lower()).strip().replace(" ", "-")
