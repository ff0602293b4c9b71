"""mkdocs hooks (mkdocs.yml): the pages of the site are the documents of the repository, at the same paths.

Generates two more pages: the Python reference for the names in docs/API.md, and the pictures in docs/screens.
"""

from __future__ import annotations

import re
import sys
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tools.documentation.public_api import public_names  # noqa: E402

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

SOURCES = (
    "*.md",
    "LICENSE",
    "docs/**/*",
    "examples/*.py",
    "firmware/README.md",
    "tests/fault/README.md",
    "vision/models/CARD.md",
)
"""Files of the site: the documents and the files that they link to."""

SEARCH_WORKER = Path(__file__).with_name("iframe-worker.js")
"""Script that makes the search work without a server (`extra.polyfills` in mkdocs.yml)."""

MEMBERS = {"vision.decision.reader.Reader": ("read",)}
"""The public members of classes that are only partly public (docs/API.md). All other classes are fully public."""

_TOP = ".."
"""Relative path from a generated page to the root of the site."""

_PICTURE = re.compile(r"(?P<number>\d\d)-(?P<name>.+)-(?P<width>\d+)x(?P<height>\d+)")


def sources() -> list[str]:
    """Return the files of the site, as paths relative to the root."""
    found = {path for pattern in SOURCES for path in ROOT.glob(pattern) if path.is_file()}
    return sorted(path.relative_to(ROOT).as_posix() for path in found)


def reference() -> str:
    """Return the page of the Python reference: a mkdocstrings directive for each public name."""
    parts = [f"# Python reference\n\nFrom the docstrings of the names in [Python API]({_TOP}/docs/API.md)."]
    for chapter, names in groupby(public_names(), key=lambda name: name.chapter):
        parts += [f"## {chapter}", *(_directive(name.path) for name in names)]
    return "\n\n".join(parts) + "\n"


def _directive(path: str) -> str:
    """Return the mkdocstrings directive for a name."""
    members = "".join(f"\n        - {member}" for member in MEMBERS.get(path, ()))
    return f"::: {path}" + (f"\n    options:\n      members:{members}" if members else "")


def pictures() -> str:
    """Return the page with the pictures of the screens, in order of their numbers."""
    parts = [
        "# Pictures of the screens",
        f"The design of the app. The numbers are those in [Screens]({_TOP}/docs/screens/SCREENS.md#6-the-screens).",
        "Players, clubs and camera pictures are invented.",
    ]
    for path in sorted((ROOT / "docs/screens").glob("*.png")):
        match = _PICTURE.fullmatch(path.stem)
        title = path.stem
        if match is not None:
            title = f"{match['number']} {match['name'].replace('-', ' ')}, {match['width']} × {match['height']}"
        parts += [f"## {title}", f"![Screen {title}]({_TOP}/docs/screens/{path.name}){{ loading=lazy }}"]
    return "\n\n".join(parts) + "\n"


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Replace the files of `docs_dir` with those of the repository, and add the generated pages."""
    from mkdocs.structure.files import File

    for file in list(files):
        if file.src_dir == config.docs_dir:
            files.remove(file)
    for path in sources():
        files.append(File(path, str(ROOT), config.site_dir, config.use_directory_urls))
    files.append(File.generated(config, "reference/python.md", content=reference()))
    files.append(File.generated(config, "reference/pictures.md", content=pictures()))
    files.append(File.generated(config, f"assets/{SEARCH_WORKER.name}", abs_src_path=str(SEARCH_WORKER)))
    return files


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Set the language of a translated page, for screen readers and hyphenation."""
    if not page.file.src_uri.startswith("docs/fr/"):
        return output
    return output.replace(f'<html lang="{config.theme["language"]}"', '<html lang="fr"', 1)
