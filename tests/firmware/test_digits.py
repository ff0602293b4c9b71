"""The eight digits of the score display, decoded from their segments."""

from __future__ import annotations

import pytest

from firmware.digits import score_segments

SEEN = {
    0x7E: "0", 0x30: "1", 0x6D: "2", 0x79: "3", 0x33: "4", 0x5B: "5", 0x5F: "6", 0x70: "7", 0x7F: "8", 0x7B: "9",
    0x01: "-", 0x00: " ",
}  # fmt: skip


@pytest.mark.parametrize(
    ("left", "right", "seen"),
    [(0, 0, "  0--0  "), (12, 7, " 12--7  "), (103, 98, "103--98 "), (999, 120, "999--120"), (5000, -3, "999--0  ")],
)
def test_both_scores_stand_next_to_a_dash(left: int, right: int, seen: str) -> None:
    assert "".join(SEEN[digit] for digit in score_segments(left, right)) == seen
