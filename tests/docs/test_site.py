"""The documentation site builds without warnings and loads nothing from other hosts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tools.documentation import site
from tools.documentation.hooks import pictures, reference, sources
from tools.documentation.public_api import public_names

FETCHED = re.compile(r"""<(?:script|link|img)\b[^>]*?\b(?:src|href)=["']?(?:https?:)?//""")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the site, built in strict mode like `python -m tools site`: a warning is an error."""
    folder = tmp_path_factory.mktemp("site")
    site.build_site(folder)
    return folder


@pytest.mark.slow
def test_every_document_is_a_page(built: Path) -> None:
    pages = {page.relative_to(built).as_posix() for page in built.rglob("*.html")}
    expected = {
        path.removesuffix("README.md") + "index.html" if path.endswith("README.md") else path[:-3] + ".html"
        for path in sources()
        if path.endswith(".md")
    }
    assert expected <= pages


@pytest.mark.slow
def test_the_reference_holds_every_public_name(built: Path) -> None:
    page = (built / "reference/python.html").read_text("utf-8")
    assert [name.path for name in public_names() if f'id="{name.path}"' not in page] == []


@pytest.mark.slow
def test_a_translated_page_names_its_language(built: Path) -> None:
    assert '<html lang="fr"' in (built / "docs/fr/JOUER.html").read_text("utf-8")
    assert '<html lang="en"' in (built / "docs/PLAYING.html").read_text("utf-8")


@pytest.mark.slow
def test_no_page_fetches_from_another_host(built: Path) -> None:
    assert [page.name for page in built.rglob("*.html") if FETCHED.search(page.read_text("utf-8"))] == []


def test_pages_that_are_made_hold_every_name_and_picture() -> None:
    assert all(f"::: {name.path}\n" in reference() for name in public_names())
    displayed = pictures()
    assert all(
        f"../{path}" in displayed for path in sources() if path.startswith("docs/screens/") and path.endswith(".png")
    )


def test_a_package_that_cannot_be_installed_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    lock = site.ROOT / "tests/suites/docs.lock"
    wrong = tmp_path / "docs.lock"
    wrong.write_text(lock.read_text("utf-8").split("\n")[0].replace(" \\", ""), "utf-8")  # without hashes
    monkeypatch.setattr(site, "LOCK", wrong)
    monkeypatch.setattr(site, "ROOT", tmp_path)
    with pytest.raises(site.SiteFailure, match=r"docs\.lock cannot be installed"):
        site.ensure_environment(tmp_path / "environment")
    assert "hash" in capfd.readouterr().err.lower()
    assert not (tmp_path / "environment/installed.lock").exists()
