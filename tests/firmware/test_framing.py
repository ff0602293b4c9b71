"""Frames on the line: encoded like another library, and resynchronised after any noise."""

from __future__ import annotations

import pytest
from cobs import cobs
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.cbor import Malformed
from firmware.framing import MAX_BODY, MAX_FRAME, FrameDecoder, cobs_decode, cobs_encode, frame

PIECES = st.binary(max_size=600) | st.lists(st.sampled_from([0, 1, 255]), max_size=600).map(bytes)
BODIES = st.binary(min_size=1, max_size=MAX_BODY)


@given(PIECES | st.integers(250, 512).map(lambda size: b"\x01" * size))
def test_stuffed_as_the_library_does(data: bytes) -> None:
    assert cobs_encode(data) == cobs.encode(data)
    assert cobs_decode(cobs_encode(data)) == data


@given(st.binary(max_size=300))
def test_unstuffed_as_the_library_does(data: bytes) -> None:
    try:
        expected = cobs.decode(data)
    except cobs.DecodeError:
        with pytest.raises(Malformed):
            cobs_decode(data)
    else:
        assert cobs_decode(data) == expected


@given(st.binary(max_size=700), BODIES)
def test_a_frame_after_any_noise_is_found(noise: bytes, body: bytes) -> None:
    assert FrameDecoder().feed(noise + frame(body))[-1] == body


@settings(max_examples=25, deadline=None)
@given(st.lists(BODIES, min_size=1, max_size=3), st.lists(st.integers(1, 400), max_size=8))
def test_frames_come_whole_however_they_are_cut(bodies: list[bytes], sizes: list[int]) -> None:
    line, framer, found = b"".join(map(frame, bodies)), FrameDecoder(), []
    for size in sizes:
        found += framer.feed(line[:size])
        line = line[size:]
    found += framer.feed(line)
    assert found == bodies
    assert framer.bad == 0


@settings(max_examples=50, deadline=None)
@given(BODIES, st.data())
def test_one_wrong_bit_is_noticed(body: bytes, data: st.DataObject) -> None:
    line = bytearray(frame(body))
    line[data.draw(st.integers(1, len(line) - 2))] ^= 1 << data.draw(st.integers(0, 7))
    assert FrameDecoder().feed(bytes(line)) == []


def test_the_longest_frame_fits_and_a_longer_one_is_refused() -> None:
    body = bytes(range(1, 241)) * 2
    assert len(body) == MAX_BODY
    assert FrameDecoder().feed(frame(body)) == [body]
    with pytest.raises(ValueError):
        frame(body + b"\1")


def test_endless_noise_keeps_no_memory_and_counts_once() -> None:
    framer = FrameDecoder()
    for _ in range(100):
        framer.feed(b"\x55" * 1000)
        assert len(framer._buffer) <= MAX_FRAME
    assert framer.feed(frame(b"after")) == [b"after"]
    assert framer.bad == 1
