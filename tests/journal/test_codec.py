"""Lines of a journal file: round trips, and an error message for every unreadable line."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.journal.codec import (
    MAX_LINE_BYTES,
    FileUnreadable,
    JournalLine,
    LineUnreadable,
    decode,
    encode,
    encode_file,
    read_file,
    read_lines,
)
from companion.language import LANGUAGES, Language

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
VALUE = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | TEXT | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=10,
)
FIELDS = st.dictionaries(TEXT, VALUE, max_size=5)


@given(FIELDS)
def test_what_is_written_is_read_back(fields: dict[str, Any]) -> None:
    line = encode(fields)
    assert b"\n" not in line
    assert decode(line) == fields


@given(FIELDS, st.lists(FIELDS, max_size=3))
@settings(max_examples=30)
def test_a_file_is_read_back_line_by_line(header: dict[str, Any], events: list[dict[str, Any]]) -> None:
    content = encode_file(header, events)
    read = list(read_lines(content.split(b"\n")))
    assert read == [JournalLine(line, fields) for line, fields in enumerate([header, *events], start=1)]


@given(st.binary(max_size=60))
def test_any_bytes_are_an_object_or_a_sentence(raw: bytes) -> None:
    try:
        fields = decode(raw)
    except LineUnreadable as fault:
        sentence = Language("en").text(fault.message)
        assert sentence.endswith(".")
    else:
        assert isinstance(fields, dict)


def test_blank_lines_are_skipped_but_counted() -> None:
    lines = [b"\n", b' {"a": 1}\r\n', b" \t \r\n", b"\n", b'{"b": 2}']
    assert list(read_lines(lines)) == [JournalLine(2, {"a": 1}), JournalLine(5, {"b": 2})]


def test_a_byte_order_mark_before_the_first_line_is_not_part_of_it() -> None:
    assert list(read_lines([b'\xef\xbb\xbf{"a": 1}\n'])) == [JournalLine(1, {"a": 1})]
    with pytest.raises(LineUnreadable):
        list(read_lines([b'{"a": 1}\n', b'\xef\xbb\xbf{"a": 1}\n']))


def test_only_a_newline_ends_a_line(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    path.write_bytes('{"note": "a\u2028b\u0085c"}\n{"b": 2}\n'.encode())
    assert [entry.line for entry in read_file(path)] == [1, 2]


@pytest.mark.parametrize(
    ("raw", "id"),
    [
        (b"[1]", "journal.line.not_object"),
        (b"null", "journal.line.not_object"),
        (b'"undo"', "journal.line.not_object"),
        (b"undo", "journal.line.not_json"),
        (b"{'a': 1}", "journal.line.not_json"),
        (b'{"a": 1} {"b": 2}', "journal.line.not_json"),
        (b'{"a": 1,}', "journal.line.not_json"),
        (b'{"a": NaN}', "journal.line.not_json"),
        (b'{"a": -Infinity}', "journal.line.not_json"),
        (b'{"a": 01}', "journal.line.not_json"),
        (b'{"a": 1}\x00', "journal.line.not_json"),
        (b'{"event": "ro', "journal.line.torn"),
        (b'{"a": 1', "journal.line.torn"),
        (b'{"a": 1\n', "journal.line.not_json"),
        (b'{"a": "\xff"}', "journal.line.not_utf8"),
        (b'{"a": "\xed\xa0\x80"}', "journal.line.not_utf8"),
        (b'{"a": "\\ud800"}\n', "journal.line.not_json"),
        (b'{"a": 1e999}', "journal.line.number"),
        (b'{"a": ' + b"9" * 5000 + b"}", "journal.line.number"),
        (b'{"a": ' + b"[" * 100_000, "journal.line.too_deep"),
        (b'{"a": 1, "b": {"c": 1, "c": 1}}', "journal.line.twice"),
    ],
)
def test_a_line_that_is_no_object_says_why(raw: bytes, id: str) -> None:
    with pytest.raises(LineUnreadable) as caught:
        list(read_lines([b"{}\n", b"\n", raw]))
    assert (caught.value.line, caught.value.message.id) == (3, id)
    for code in LANGUAGES:
        assert Language(code).text(caught.value.message) != id


def test_a_file_that_is_not_lines_at_all_is_given_up_early(tmp_path: Path) -> None:
    path = tmp_path / "zeros.jsonl"
    with path.open("wb") as file:
        file.truncate(MAX_LINE_BYTES * 3)
    with pytest.raises(LineUnreadable) as caught:
        list(read_file(path))
    assert (caught.value.line, caught.value.message.id) == (1, "journal.line.too_long")


@pytest.mark.parametrize("value", [math.nan, math.inf, "\ud800", b"x", {1, 2}])
def test_what_json_cannot_hold_is_not_written(value: object) -> None:
    with pytest.raises((ValueError, TypeError)):
        encode({"a": value})


def test_a_file_that_cannot_be_read_says_why(tmp_path: Path) -> None:
    cases = {
        tmp_path / "none.jsonl": "journal.file.missing",
        tmp_path: "journal.file.folder",
        Path("a\0b"): "journal.file.unreadable",
        tmp_path / ("x" * 300): "journal.file.unreadable",
    }
    for path, id in cases.items():
        with pytest.raises(FileUnreadable) as caught:
            list(read_file(path))
        assert caught.value.message.id == id
