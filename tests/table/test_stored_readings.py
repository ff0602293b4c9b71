"""The readings stored with a roll: read back, or left out when damaged."""

from __future__ import annotations

import pytest

from companion.journal.store import READING, Picture
from companion.table.dice import TRAY, evidence, pictures_of
from tests.table.readings import pips, seen


def test_a_stored_reading_is_read_back() -> None:
    roll = seen(pips(3), pips(5, x=200))
    found = pictures_of(evidence(roll, roll.roll.dice))
    assert (found.dice, found.size, found.purged) == (roll.roll.dice, roll.size, False)


@pytest.mark.parametrize("content", [b"\xff", b'{"dice": [{"kind": "\xff"}]}', b"{}", b"[" * 20_000, b'{"dice": 1}'])
def test_a_damaged_reading_counts_as_purged(content: bytes) -> None:
    found = pictures_of([Picture(READING, content), Picture(TRAY, b"jpeg")])
    assert (found.tray, found.dice, found.purged) == (b"jpeg", (), True)
