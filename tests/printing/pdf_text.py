"""Extracts the text of a reportlab PDF, page by page, from its streams and the character map of each font."""

from __future__ import annotations

import re
import zlib
from base64 import a85decode

_OBJECT = re.compile(rb"(\d+) 0 obj(.*?)endobj", re.DOTALL)
_STREAM = re.compile(rb"stream\r?\n(.*?)endstream", re.DOTALL)
_TEXT_OPERATOR = re.compile(rb"/(F[\w+]+) [\d.]+ Tf|\(((?:\\.|[^\\()])*)\) Tj|(T\*|Td|Tm)\b", re.DOTALL)
_SIGN = re.compile(rb"^<([0-9A-Fa-f]{2})> <([0-9A-Fa-f]{4,})>$", re.MULTILINE)
_ESCAPES = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f"}


def pages(pdf: bytes) -> list[str]:
    """Return the text of each page, with a line for each line of PDF text."""
    objects = {int(number): body for number, body in _OBJECT.findall(pdf)}
    fonts = _fonts(objects)
    return [
        _page_text(_content(objects, body), fonts) for body in objects.values() if re.search(rb"/Type /Page\b", body)
    ]


def plain(page: str) -> str:
    """Return the text of a page in one line with uniform spaces."""
    return " ".join(page.split())


def _content(objects: dict[int, bytes], page: bytes) -> bytes:
    found = re.search(rb"/Contents (\d+) 0 R", page)
    assert found
    return _stream(objects[int(found.group(1))])


def _stream(body: bytes) -> bytes:
    found = _STREAM.search(body)
    assert found
    raw = found.group(1)
    if b"/ASCII85Decode" in body:
        raw = a85decode(raw.strip().removesuffix(b"~>"))
    return zlib.decompressobj().decompress(raw) if b"/FlateDecode" in body else raw  # a line break ends the stream


def _fonts(objects: dict[int, bytes]) -> dict[bytes, dict[int, str]]:
    """Return the character of each code, by the names of the fonts on the pages."""
    fonts: dict[bytes, dict[int, str]] = {}
    for body in objects.values():
        for name, number in re.findall(rb"/(F[\w+]+) (\d+) 0 R", body):
            unicode = re.search(rb"/ToUnicode (\d+) 0 R", objects[int(number)])
            fonts[name] = _signs(_stream(objects[int(unicode.group(1))])) if unicode else {}
    return fonts


def _signs(table: bytes) -> dict[int, str]:
    """Return code and character of each line between beginbfchar and endbfchar."""
    return {int(code, 16): bytes.fromhex(sign.decode()).decode("utf-16-be") for code, sign in _SIGN.findall(table)}


def _page_text(content: bytes, fonts: dict[bytes, dict[int, str]]) -> str:
    parts, signs = [], {}
    for font, text, moved in _TEXT_OPERATOR.findall(content):
        if font:
            signs = fonts.get(font, {})
        elif moved:
            parts.append("\n")
        else:
            parts.append("".join(signs.get(code, chr(code)) for code in _unescaped(text)))
    return "".join(parts)


def _unescaped(text: bytes) -> bytes:
    def one(match: re.Match[bytes]) -> bytes:
        sign = match.group(1)
        return bytes([int(sign, 8)]) if sign.isdigit() else _ESCAPES.get(sign, sign)

    return re.sub(rb"\\([0-7]{1,3}|.)", one, text, flags=re.DOTALL)
