"""CBOR encoder and decoder (RFC 8949), limited to what the tray needs, as MicroPython has none.

Supports None, booleans, integers up to 64 bits, bytes, text, lists, and dictionaries with integer or text keys; no
fractions, tags or indefinite lengths. Decoding never allocates more memory than the received bytes justify.
"""

DEEPEST = 6
"""Maximum nesting depth of lists and dictionaries, enforced on both sides."""


class Malformed(ValueError):
    """Invalid bytes."""


def encode(value: object) -> bytes:
    """Encode a value as CBOR.

    Supports None, booleans, integers up to 64 bits, bytes, text, lists and dictionaries. Raises: ValueError for others.
    """
    out = bytearray()
    _encode(value, out, 0)
    return bytes(out)


def _encode(value: object, out: bytearray, depth: int) -> None:
    if depth > DEEPEST:
        raise ValueError("too deep")
    if value is None:
        out.append(0xF6)
    elif value is True or value is False:
        out.append(0xF5 if value else 0xF4)
    elif isinstance(value, int):
        _head(0 if value >= 0 else 1, value if value >= 0 else -1 - value, out)
    elif isinstance(value, (bytes, bytearray)):
        _head(2, len(value), out)
        out.extend(value)
    elif isinstance(value, str):
        raw = value.encode()
        _head(3, len(raw), out)
        out.extend(raw)
    elif isinstance(value, (list, tuple)):
        _head(4, len(value), out)
        for item in value:
            _encode(item, out, depth + 1)
    elif isinstance(value, dict):
        _head(5, len(value), out)
        for key in value:
            _encode(key, out, depth + 1)
            _encode(value[key], out, depth + 1)
    else:
        raise ValueError("no CBOR of ours for this")


def _head(major: int, number: int, out: bytearray) -> None:
    if number < 24:
        out.append(major << 5 | number)
        return
    for code, size in ((24, 1), (25, 2), (26, 4), (27, 8)):
        if number >> 8 * size == 0:
            out.append(major << 5 | code)
            out.extend(number.to_bytes(size, "big"))
            return
    raise ValueError("number of more than 64 bits")


def decode(data: bytes) -> object:
    """Decode exactly one CBOR item. Raises: Malformed for anything else."""
    try:
        value, end = _decode(data, 0, 0)
    except IndexError:
        raise Malformed("cut off") from None
    except UnicodeError:
        raise Malformed("not UTF-8") from None
    if end != len(data):
        raise Malformed("more than one item")
    return value


def _decode(data: bytes, at: int, depth: int) -> tuple[object, int]:
    if depth > DEEPEST:
        raise Malformed("too deep")
    first = data[at]
    at += 1
    major, number = first >> 5, first & 31
    if major == 7:
        if 20 <= number <= 22:
            return (False, True, None)[number - 20], at
        raise Malformed("no value of ours")
    if number > 23:
        if number > 27:
            raise Malformed("endless or reserved")
        size = 1 << (number - 24)
        if at + size > len(data):
            raise Malformed("cut off")
        number = int.from_bytes(data[at : at + size], "big")
        at += size
    if major == 0:
        return number, at
    if major == 1:
        return -1 - number, at
    if major > 5:
        raise Malformed("tagged")
    if number > len(data) - at:  # an item has at least one byte: avoids useless allocation
        raise Malformed("longer than the frame")
    if major == 2:
        return data[at : at + number], at + number
    if major == 3:
        return data[at : at + number].decode(), at + number
    return _decode_items(data, at, depth, major, number)


def _decode_items(data: bytes, at: int, depth: int, major: int, number: int) -> tuple[object, int]:
    if major == 4:
        items = []
        for _ in range(number):
            item, at = _decode(data, at, depth + 1)
            items.append(item)
        return items, at
    pairs = {}
    for _ in range(number):
        key, at = _decode(data, at, depth + 1)
        if not isinstance(key, (int, str)):
            raise Malformed("a key that is neither number nor text")
        pairs[key], at = _decode(data, at, depth + 1)
    return pairs, at
