"""The hash chain of a journal distinguishes any two histories."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from companion.journal.codec import CHAIN_SIZE, CHAIN_START, chain_links

LINES = st.lists(st.binary(max_size=8), max_size=6)


@given(LINES, LINES)
def test_two_histories_have_one_chain_only_if_they_are_the_same(one: list[bytes], other: list[bytes]) -> None:
    ends = [(chain_links(CHAIN_START, lines) or [CHAIN_START])[-1] for lines in (one, other)]
    assert (ends[0] == ends[1]) == (one == other)


@given(LINES, st.integers(0, 6))
def test_a_chain_goes_on_from_any_line(lines: list[bytes], at: int) -> None:
    whole = [CHAIN_START, *chain_links(CHAIN_START, lines)]
    at = min(at, len(lines))
    assert chain_links(whole[at], lines[at:]) == whole[at + 1 :]
    assert {len(link) for link in whole} == {CHAIN_SIZE}
