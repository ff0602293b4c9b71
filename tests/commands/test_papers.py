"""The papers name no command that does not exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import typer.main

from companion.cli import app
from tests.tracked import ROOT

PAPERS = [*sorted((ROOT / "docs").glob("*.md")), ROOT / "README.md", ROOT / "ARCHITECTURE.md"]
_NAMED = re.compile(r"(?:`companion|\./run)((?: [a-z][a-z-]*)+)")


@pytest.mark.parametrize("paper", PAPERS, ids=lambda path: path.name)
def test_every_command_that_is_named_exists(paper: Path) -> None:
    root = typer.main.get_command(app)
    for said in _NAMED.findall(paper.read_text(encoding="utf-8")):
        group = root
        for word in said.split():
            if not getattr(group, "commands", None):
                break  # what follows are its arguments
            assert word in group.commands, f"{paper.name}: companion{said}"
            group = group.commands[word]
