"""Mutations of valid inputs: first of their structure (values, keys, records), then of their bytes."""

from __future__ import annotations

import json
import math
import struct
import zlib
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

TEXTS = (
    "",
    " ",
    "\0",
    "\x1b[31m",
    "\u2028",
    "\u202e",
    "é" * 50,
    "Ω≈ç√∫",
    "😀",
    "a\u0301",
    "../../etc/passwd",
    "'; DROP TABLE matches; --",
    "{0}",
    "{n.__class__}",
    "%s%n",
    "<script>",
    "null",
    "nan",
    "1e999",
    "\ud800",
    "x" * 300,
    "line\nbreak",
)
"""Texts that a parser may not expect."""

NUMBERS = (
    0,
    1,
    -1,
    2,
    7,
    255,
    256,
    65535,
    2**31 - 1,
    2**31,
    -(2**31),
    2**53,
    2**63 - 1,
    2**63,
    -(2**63),
    2**64,
    10**30,
)
HUGE = 10**4400
"""An integer that Python refuses to convert to decimal text."""
DEEPEST = 20_000
"""Depth of a list that no parser may follow by recursion."""
FLOATS = (0.5, -0.0, 1e-300, 1e308, math.inf, -math.inf, math.nan)

MAX_EDITS = 3
"""Structural edits of one input; more hide each other."""


class Pairs(list[tuple[str, Any]]):
    """A JSON object as key-value pairs, so that a key may be there twice."""


class Raw(str):
    """A JSON text that is written as it is."""

    __slots__ = ()


def scalar(random: Random) -> Any:
    """Return a value of any type."""
    kind = random.randrange(8)
    if kind < 2:
        return random.choice(TEXTS)
    if kind < 4:
        return random.choice(NUMBERS)
    if kind == 4:
        return random.choice(FLOATS)
    if kind == 5:
        return random.choice((None, True, False))
    if kind == 6:
        return random.choice(([], {}, [[]], [None], {"": None}, [0] * 40))
    return HUGE if random.random() < 0.2 else random.randint(-1000, 1000)


def nested(random: Random) -> Any:
    """Return a deeply nested value."""
    if random.random() < 0.3:
        return Raw("[" * DEEPEST + "]" * DEEPEST)
    deep: Any = 1
    is_list = random.random() < 0.5
    for _ in range(random.choice((5, 30, 100))):
        deep = [deep] if is_list else {"a": deep}
    return deep


def _changed(value: Any, random: Random) -> Any:
    """Return a near value of the same type, or any other one."""
    if random.random() < 0.4:
        return nested(random) if random.random() < 0.05 else scalar(random)
    if isinstance(value, bool) or value is None:
        return random.choice((True, False, None, 0, 1))
    if isinstance(value, int) and abs(value) < 2**900:
        return random.choice((value + 1, value - 1, -value, value * 1000, value << 40, float(value), str(value)))
    if isinstance(value, float):
        return random.choice((-value, value * 1e6, math.nan, math.inf, int(value) if math.isfinite(value) else 0))
    if isinstance(value, str):
        at = random.randint(0, len(value))
        return random.choice((value[:at], value * 2, value.upper(), value[:at] + random.choice(TEXTS) + value[at:]))
    if isinstance(value, bytes):
        return random.choice((b"", value[: len(value) // 2], value * 2, random.randbytes(8), value.decode("latin-1")))
    return scalar(random)


def _places(value: Any, found: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """Collect (container, key) of every value below a list or dict."""
    stack = [value]
    while stack:
        inner = stack.pop()
        keys: Sequence[Any] = (
            list(inner) if type(inner) is dict else range(len(inner)) if isinstance(inner, list) else ()
        )
        if isinstance(inner, Pairs):
            continue
        for key in keys:
            found.append((inner, key))
            stack.append(inner[key])
    return found


def copied(value: Any) -> Any:
    """Return a copy of lists and dicts; tuples become lists."""
    if isinstance(value, Pairs):
        return value
    if isinstance(value, dict):
        return {key: copied(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [copied(inner) for inner in value]
    return value


def mutate_value(value: Any, random: Random, edits: int | None = None) -> Any:
    """Return a copy of plain data with one to three edits: values, types, keys and elements."""
    holder = [copied(value)]
    for _ in range(edits or random.randint(1, MAX_EDITS)):
        places = _places(holder, [])
        container, key = random.choice(places)
        action = random.randrange(7)
        if action < 3 or (isinstance(container, list) and container is holder):
            container[key] = _changed(container[key], random)
        elif action == 3:
            del container[key]
        elif action == 4 and isinstance(container, dict):
            container[random.choice((*TEXTS, f"{key}x", str(key).upper()))] = container.pop(key)
        elif action == 4:
            container.insert(key, copied(container[key]))
        elif action == 5:
            other, other_key = random.choice(places[1:] or places)
            if other_key in other if isinstance(other, dict) else other_key < len(other):
                container[key] = copied(other[other_key])
        elif isinstance(container, dict):
            container[key] = (
                Pairs([*container[key].items(), *container[key].items()])
                if isinstance(container[key], dict)
                else scalar(random)
            )
        else:
            random.shuffle(container)
    return holder[0] if holder else None


def _decimal(number: int) -> str:
    return str(number) if abs(number) < 10**4000 else "9" * 4400


def to_json(value: Any) -> str:
    """Return JSON text; allows duplicate keys, infinite numbers and integers of any size."""
    parts: list[str] = []
    _write_json(value, parts)
    return "".join(parts)


def _write_json(value: Any, parts: list[str]) -> None:
    # A stack, since values may be nested deeper than Python recurses.
    stack: list[Any] = [value]
    while stack:
        top = stack.pop()
        if isinstance(top, Raw):
            parts.append(top)
        elif isinstance(top, dict | Pairs):
            items = list(top.items()) if isinstance(top, dict) else list(top)
            stack.append(Raw("}"))
            for at, (key, inner) in reversed(list(enumerate(items))):
                stack.append(inner)
                stack.append(Raw((", " if at else "") + json.dumps(str(key), ensure_ascii=False) + ": "))
            stack.append(Raw("{"))
        elif isinstance(top, list | tuple):
            stack.append(Raw("]"))
            for at, inner in reversed(list(enumerate(top))):
                stack.append(inner)
                if at:
                    stack.append(Raw(", "))
            stack.append(Raw("["))
        elif isinstance(top, int) and not isinstance(top, bool):
            parts.append(_decimal(top))
        elif isinstance(top, bytes):
            parts.append(json.dumps(top.decode("latin-1")))
        else:
            parts.append(json.dumps(top, ensure_ascii=False))


def json_bytes(value: Any) -> bytes:
    """Return JSON in UTF-8; half characters stay as their invalid bytes."""
    return to_json(value).encode("utf-8", "surrogatepass")


def toml_bytes(value: Any) -> bytes:
    """Return TOML: top-level dicts as sections, everything else inline. Any other value becomes text of its own."""
    if not isinstance(value, dict):
        return json_bytes(value)
    plain = [(key, inner) for key, inner in value.items() if not isinstance(inner, dict)]
    lines = [f"{_toml_key(key)} = {_toml(inner)}" for key, inner in plain]
    for key, inner in value.items():
        if isinstance(inner, dict):
            lines.append(f"[{_toml_key(key)}]")
            lines += [f"{_toml_key(name)} = {_toml(deep)}" for name, deep in inner.items()]
    return "\n".join([*lines, ""]).encode("utf-8", "surrogatepass")


def _toml_key(key: object) -> str:
    text = str(key)
    return text if text.isascii() and text.replace("_", "").isalnum() else json.dumps(text)


def _toml(value: Any, depth: int = 0) -> str:
    if isinstance(value, Raw) or depth > 300:
        return str(value) if isinstance(value, Raw) else "1"
    if isinstance(value, dict | Pairs):
        items = value.items() if isinstance(value, dict) else value
        return "{ " + ", ".join(f"{_toml_key(key)} = {_toml(inner, depth + 1)}" for key, inner in items) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_toml(inner, depth + 1) for inner in value) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return '""'
    if isinstance(value, int):
        return str(value) if abs(value) < 10**4000 else hex(abs(value))  # TOML reads hexadecimal of any length
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else "nan" if math.isnan(value) else "-inf" if value < 0 else "inf"
    return json.dumps(str(value), ensure_ascii=False)


# Bytes.


def mutate_bytes(content: bytes, random: Random, other: bytes = b"") -> bytes:
    """Return the content with a few damaged bytes, a truncation, or a splice with `other`."""
    changed = bytearray(content)
    for _ in range(random.choice((1, 1, 1, 2, 5))):
        size = len(changed)
        at = random.randrange(size) if size else 0
        action = random.randrange(9)
        if action == 0 and size:
            changed[at] ^= 1 << random.randrange(8)
        elif action == 1 and size:
            changed[at] = random.choice((0, 255, 127, 128, 10, random.randrange(256)))
        elif action == 2:
            del changed[at:]
        elif action == 3:
            del changed[at : at + random.choice((1, 2, 8, 100))]
        elif action == 4:
            changed[at:at] = random.randbytes(random.choice((1, 2, 4, 30)))
        elif action == 5:
            changed[at:at] = changed[at : at + random.choice((1, 10, 200))]
        elif action == 6:
            width = random.choice((1, 2, 4))
            number = random.choice((0, 1, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF, 20000))
            order = random.choice(("little", "big"))
            changed[at : at + width] = (number & (256**width - 1)).to_bytes(width, order)  # type: ignore[arg-type]
        elif action == 7 and other:
            start = random.randrange(len(other))
            changed[at : at + random.choice((0, 50, size))] = other[start : start + random.choice((10, 500, 5000))]
        else:
            changed[at : at + 16] = bytes(len(changed[at : at + 16]))
    return bytes(changed)


def mutate_lines(lines: Sequence[bytes], random: Random, change: Callable[[bytes], bytes]) -> list[bytes]:
    """Return the lines with some changed, dropped, doubled, swapped or moved."""
    found = list(lines)
    for _ in range(random.randint(1, 2)):
        if not found:
            break
        at, to = random.randrange(len(found)), random.randrange(len(found))
        action = random.randrange(7)
        if action < 3:
            found[at] = change(found[at])
        elif action == 3:
            del found[at]
        elif action == 4:
            found.insert(to, found[at])
        elif action == 5:
            found[at], found[to] = found[to], found[at]
        else:
            del found[at:]
    return found


def mutate_header(content: bytes, random: Random, size: int = 64) -> bytes:
    """Return the content with one number in its first bytes replaced by an extreme one."""
    changed = bytearray(content)
    for _ in range(random.randint(1, 2)):
        width = random.choice((1, 2, 4))
        number = random.choice((0, 1, 2, 255, 1000, 30000, 65535, 100_000, 2**31 - 1, 2**31, 2**32 - 1))
        order = random.choice(("little", "big"))
        at = random.randrange(min(size, len(changed)) or 1)
        changed[at : at + width] = (number & (256**width - 1)).to_bytes(width, order)  # type: ignore[arg-type]
    return bytes(changed)


def mutate_png(content: bytes, random: Random) -> bytes:
    """Return a PNG with changed chunks whose checksums are correct."""
    chunks: list[tuple[bytes, bytes]] = []
    at = 8
    while at + 12 <= len(content):
        (length,) = struct.unpack_from(">I", content, at)
        chunks.append((content[at + 4 : at + 8], content[at + 8 : at + 8 + length]))
        at += 12 + length
    place = random.randrange(len(chunks))
    name, body = chunks[place]
    action = random.randrange(6)
    if action == 0 and name == b"IHDR":
        chunks[place] = name, mutate_header(body, random, 13)
    elif action == 1:
        del chunks[place]
    elif action == 2:
        chunks.insert(random.randrange(len(chunks)), chunks[place])
    elif action == 3 and name == b"IDAT":
        try:
            raw = zlib.decompress(body)
        except zlib.error:
            raw = body
        chunks[place] = name, zlib.compress(mutate_bytes(raw, random))
    elif action == 4:
        extra = random.choice(
            (b"gAMA", b"iCCP", b"tEXt", b"zTXt", b"eXIf", b"acTL", b"fcTL", b"PLTE", b"tRNS", b"sBIT")
        )
        chunks.insert(random.randint(1, len(chunks)), (extra, random.randbytes(random.choice((0, 4, 30, 2000)))))
    else:
        header = bytearray(chunks[0][1].ljust(13, b"\0"))
        header[random.randrange(13)] = random.randrange(256)
        chunks[0] = b"IHDR", bytes(header)
    parts = [content[:8]]
    for name, body in chunks:
        parts.append(struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body)))
    return b"".join(parts)
