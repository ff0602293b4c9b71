"""The tray's CBOR compared with a library: same bytes, same values, and only its own error type."""

from __future__ import annotations

import cbor2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.cbor import DEEPEST, Malformed, decode, encode

NUMBERS = st.integers(-(2**64), 2**64 - 1)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.binary(max_size=300) | st.text(max_size=80),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5) | NUMBERS, inner, max_size=4),
    max_leaves=12,
)


def depth(value: object) -> int:
    if isinstance(value, dict):
        return 1 + max((depth(part) for part in value.values()), default=0)
    return 1 + max((depth(part) for part in value), default=0) if isinstance(value, list) else 0


@settings(max_examples=60, deadline=None)
@given(VALUES.filter(lambda value: depth(value) <= DEEPEST))
def test_another_reader_reads_what_is_written_and_the_other_way_round(value: object) -> None:
    assert encode(value) == cbor2.dumps(value)
    assert decode(cbor2.dumps(value)) == value


@given(st.binary(max_size=60))
def test_any_bytes_are_a_value_or_malformed(data: bytes) -> None:
    try:
        value = decode(data)
    except Malformed:
        return
    assert cbor2.loads(data) == value


@pytest.mark.parametrize("value", [300, -70000, "été", b"\0\1", [1, ["a", None]], {"a": 1, 2: [True]}])
def test_what_is_cut_off_or_goes_on_is_malformed(value: object) -> None:
    whole = encode(value)
    for end in range(len(whole)):
        with pytest.raises(Malformed):
            decode(whole[:end])
    with pytest.raises(Malformed):
        decode(whole + b"\0")


@pytest.mark.parametrize("value", [1.5, object(), 2**64, {(): 1}.keys()])
def test_what_the_tray_never_says_is_refused(value: object) -> None:
    with pytest.raises(ValueError):
        encode(value)


@pytest.mark.parametrize(
    "data",
    [
        bytes.fromhex(digits)
        for digits in (
            "",
            "f90000",
            "f7",
            "9fff",
            "5f41ff",
            "c100",
            "9b7fffffffffffffff",
            "7affffffff",
            "61ff",
            "a14100",
            "1c",
        )
    ],
)
def test_what_the_tray_never_hears_is_malformed(data: bytes) -> None:
    """Floats, indefinite lengths, tags, lengths beyond the frame, invalid text, byte strings as keys."""
    with pytest.raises(Malformed):
        decode(data)


def test_lists_in_lists_end_somewhere() -> None:
    with pytest.raises(Malformed):
        decode(b"\x81" * 50 + b"\x00")
    nested: object = 0
    for _ in range(50):
        nested = [nested]
    with pytest.raises(ValueError):
        encode(nested)
