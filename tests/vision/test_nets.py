"""The shipped networks give the same results on every processor."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from vision.models import FOLDER

_GRAPH, _INITIALISERS = 7, 5
_DATA_TYPE, _RAW_DATA, _INT8 = 2, 9, 3
"""Field numbers of ONNX's ModelProto, GraphProto and TensorProto, and the id of type int8 (onnx.proto3)."""


def _number(data: bytes, at: int) -> tuple[int, int]:
    """Return a protocol buffer varint and its end."""
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at


def _fields(data: bytes) -> Iterator[tuple[int, int | bytes]]:
    """Yield the fields of a message by their numbers."""
    at = 0
    while at < len(data):
        key, at = _number(data, at)
        if key & 7 == 0:
            value, at = _number(data, at)
            yield key >> 3, value
            continue
        length, at = _number(data, at) if key & 7 == 2 else (8 if key & 7 == 1 else 4, at)
        yield key >> 3, data[at : at + length]
        at += length


def _inner(data: bytes, wanted: int) -> Iterator[bytes]:
    return (value for number, value in _fields(data) if number == wanted and isinstance(value, bytes))


@pytest.mark.parametrize(
    ("net", "least"),
    [("finder", 8), ("second", 8), ("faces", 8), ("close", 8), ("six_or_nine", 8), ("top_colour", 7), ("pose", 11)],
)
def test_no_sum_of_two_products_is_cut_off_in_16_bits(net: str, least: int) -> None:
    largest = []
    for graph in _inner((FOLDER / f"{net}.onnx").read_bytes(), _GRAPH):
        for tensor in _inner(graph, _INITIALISERS):
            fields = dict(_fields(tensor))
            if fields.get(_DATA_TYPE) == _INT8 and isinstance(raw := fields.get(_RAW_DATA), bytes):
                largest.append(int(np.abs(np.frombuffer(raw, np.int8).astype(int)).max(initial=0)))
    assert len(largest) >= least, "the net's convolutions are in 8 bits"
    assert 2 * 255 * max(largest) <= 2**15 - 1
