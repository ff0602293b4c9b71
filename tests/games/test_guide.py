"""The guide "Add a game" quotes the code of the toy game unchanged."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.tracked import ROOT

PIG = Path(__file__).parent / "fifth" / "pig"
BLOCKS = re.findall(r"^```python\n(.*?)^```", (ROOT / "docs/GAMES.md").read_text("utf-8"), re.M | re.S)


@pytest.mark.parametrize("block", BLOCKS, ids=[block.strip().splitlines()[0] for block in BLOCKS])
def test_a_block_of_the_guide_is_code_of_the_game(block: str) -> None:
    assert any(block in (PIG / name).read_text("utf-8") for name in ("__init__.py", "spec.py"))


def test_the_guide_shows_the_whole_way() -> None:
    assert len(BLOCKS) == 7
