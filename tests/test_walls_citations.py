"""Rule numbers, screen sections and documents cited in code, tests, catalogues and docs exist."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from tests.tracked import ROOT, files

RULES = {"FC": "footclub", "NBA": "nba", "HB": "hoops21", "OC": "occasion"}
CITED_RULE = re.compile(rf"\b({'|'.join(RULES)})-(\d+)(?:\.(\d+))?(?![\w-])")
CITED_SECTION = re.compile(r"\bSCREENS (\d+)(?:\.(\d+))?")
CITED_DOCUMENT = re.compile(r"(?<![\w/.\"$-])((?:docs|vision|companion|\.\.)/[\w/-]+\.md|[A-Z][A-Z-]+\.md(?!\"))\b")
TEXTS = [
    path for path in files() if path.suffix in {".py", ".po", ".toml", ".md", ".kv", ".html", ".sh", ".yml", ".yaml"}
]


def numbers(document: str, heading: str, item: str) -> set[str]:
    """Return the chapters and numbered paragraphs of a document, such as `4` and `4.7`."""
    text = (ROOT / document).read_text("utf-8")
    return set(re.findall(heading, text, re.M)) | set(re.findall(item, text, re.M))


@cache
def rules(prefix: str) -> set[str]:
    return numbers(f"docs/rules/{RULES[prefix]}.md", r"^## (\d+)\. ", rf"^(?:- )?\*\*{prefix}-(\d+\.\d+)")


@cache
def sections() -> set[str]:
    """Return the sections of the screens document and their numbered points."""
    found: set[str] = set()
    section = ""
    for line in (ROOT / "docs/screens/SCREENS.md").read_text("utf-8").splitlines():
        if heading := re.match(r"## (\d+)\. ", line):
            section = heading[1]
            found.add(section)
        elif point := re.match(r"(\d+)\. ", line):
            found.add(f"{section}.{point[1]}")
    return found


def missing(path: Path) -> list[str]:
    """Return the citations of a file that have no target."""
    text = (ROOT / path).read_text("utf-8")
    wrong = [
        match[0]
        for match in CITED_RULE.finditer(text)
        if ".".join(filter(None, match.groups()[1:])) not in rules(match[1])
    ]
    wrong += [
        match[0] for match in CITED_SECTION.finditer(text) if ".".join(filter(None, match.groups())) not in sections()
    ]
    for match in CITED_DOCUMENT.finditer(text):
        places = (ROOT / match[1], ROOT / path.parent / match[1])
        wrong += [] if any(place.exists() for place in places) else [match[0]]
    return wrong


def test_what_is_cited_exists() -> None:
    assert {str(path): wrong for path in TEXTS if (wrong := missing(path))} == {}


@pytest.mark.parametrize("prefix", RULES)
def test_every_chapter_of_the_rules_has_numbered_paragraphs(prefix: str) -> None:
    assert len(rules(prefix)) > 40
    assert all(number.split(".")[0] in rules(prefix) for number in rules(prefix))
