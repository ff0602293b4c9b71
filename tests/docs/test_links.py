"""Links between documents point to existing files and headings, and the site has every document."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath
from posixpath import normpath

import pytest

from tests.docs.documents import DOCUMENTS, anchors, links, slug_of
from tests.tracked import ROOT, files, text
from tools.documentation.hooks import sources

SCHEME = re.compile(r"[a-z][a-z+.-]*:")
TRACKED = {path.as_posix() for path in files()}
FOLDERS = {parent.as_posix() for path in files() for parent in path.parents}
MADE = {"reference/python.md", "reference/pictures.md"}
"""Pages generated for the site (tools/documentation/hooks.py)."""


def broken(path: Path) -> list[str]:
    """Return the broken links of a document."""
    wrong = []
    for line, target in links(path):
        if SCHEME.match(target):
            continue
        file, _, anchor = target.partition("#")
        found = normpath((PurePosixPath(path.as_posix()).parent / file).as_posix()) if file else path.as_posix()
        if (file and found not in TRACKED | FOLDERS) or (anchor and anchor not in anchors(Path(found))):
            wrong.append(f"{path}:{line}: {target}")
    return wrong


@pytest.mark.parametrize("path", DOCUMENTS, ids=str)
def test_links_lead_somewhere(path: Path) -> None:
    assert broken(path) == []


def test_a_link_that_leads_nowhere_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    code = "`[in code](none.md)`\n\n```text\n[in a block](none.md)\n```\n"
    page.write_text(f"# Here\n\n[a](missing.md) [b](#nowhere)\n[c `d`](#here) {code}", "utf-8")
    assert broken(page) == [f"{page}:3: missing.md", f"{page}:3: #nowhere"]


def test_documents_are_linked_to_each_other() -> None:
    assert sum(len(list(links(path))) for path in DOCUMENTS) > 40


@pytest.mark.parametrize(
    ("heading", "slug"), [("1. State", "1-state"), ("The `watch` command", "the-watch-command"), ("Été", "été")]
)
def test_an_anchor_is_made_of_its_heading(heading: str, slug: str) -> None:
    assert slug_of(heading) == slug


def test_the_navigation_of_the_site_has_every_document() -> None:
    named = re.findall(r"[\w./-]+\.md", text(Path("mkdocs.yml")).split("\nnav:\n")[1])
    pages = {path for path in sources() if path.endswith(".md") and path in TRACKED}
    assert set(named) == pages | MADE
    assert len(named) == len(set(named)), "a page stands there twice"


def test_every_document_for_people_is_on_the_site() -> None:
    assert {path.as_posix() for path in DOCUMENTS} - set(sources()) == set()
    assert (ROOT / "docs/screens").is_dir()
