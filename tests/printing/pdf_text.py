"""The words of a PDF that reportlab made, page by page: its streams, with each font's own table of signs."""

from __future__ import annotations

import re
import zlib
from base64 import a85decode

_OBJECT = re.compile(rb"(\d+) 0 obj(.*?)endobj", re.DOTALL)
_STREAM = re.compile(rb"stream\r?\n(.*?)endstream", re.DOTALL)
_SHOWN = re.compile(rb"/(F[\w+]+) [\d.]+ Tf|\(((?:\\.|[^\\()])*)\) Tj|(T\*|Td|Tm)\b", re.DOTALL)
_SIGN = re.compile(rb"^<([0-9A-Fa-f]{2})> <([0-9A-Fa-f]{4,})>$", re.MULTILINE)
_ESCAPES = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f"}


def pages(pdf: bytes) -> list[str]:
    """What stands on each page, a line of the PDF's text a line here."""
    objects = {int(number): body for number, body in _OBJECT.findall(pdf)}
    fonts = _fonts(objects)
    return [_words(_content(objects, body), fonts) for body in objects.values() if re.search(rb"/Type /Page\b", body)]


def plain(page: str) -> str:
    """The words of a page in one line, every kind of space alike."""
    return " ".join(page.split())


def _content(objects: dict[int, bytes], page: bytes) -> bytes:
    found = re.search(rb"/Contents (\d+) 0 R", page)
    assert found
    return _stream(objects[int(found.group(1))])


def _stream(body: bytes) -> bytes:
    found = _STREAM.search(body)
    assert found
    raw = found.group(1).strip()
    if b"/ASCII85Decode" in body:
        raw = a85decode(raw.removesuffix(b"~>"))
    return zlib.decompress(raw) if b"/FlateDecode" in body else raw


def _fonts(objects: dict[int, bytes]) -> dict[bytes, dict[int, str]]:
    """The sign of each code, by the names that the pages give to fonts."""
    fonts: dict[bytes, dict[int, str]] = {}
    for body in objects.values():
        for name, number in re.findall(rb"/(F[\w+]+) (\d+) 0 R", body):
            unicode = re.search(rb"/ToUnicode (\d+) 0 R", objects[int(number)])
            fonts[name] = _signs(_stream(objects[int(unicode.group(1))])) if unicode else {}
    return fonts


def _signs(table: bytes) -> dict[int, str]:
    """Code and sign of each line between beginbfchar and endbfchar."""
    return {int(code, 16): bytes.fromhex(sign.decode()).decode("utf-16-be") for code, sign in _SIGN.findall(table)}


def _words(content: bytes, fonts: dict[bytes, dict[int, str]]) -> str:
    shown, signs = [], {}
    for font, text, moved in _SHOWN.findall(content):
        if font:
            signs = fonts.get(font, {})
        elif moved:
            shown.append("\n")
        else:
            shown.append("".join(signs.get(code, chr(code)) for code in _unescaped(text)))
    return "".join(shown)


def _unescaped(text: bytes) -> bytes:
    def one(match: re.Match[bytes]) -> bytes:
        sign = match.group(1)
        return bytes([int(sign, 8)]) if sign.isdigit() else _ESCAPES.get(sign, sign)

    return re.sub(rb"\\([0-7]{1,3}|.)", one, text, flags=re.DOTALL)
