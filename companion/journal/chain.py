"""The chain of a journal: a short digest of all lines up to one, by which two stores know that they hold the same."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b

SIZE = 16
"""Bytes of a link of the chain."""

START = bytes(SIZE)
"""The chain before the first line."""


def link(before: bytes, line: bytes) -> bytes:
    """The chain after one more line (without its newline), from the chain before it."""
    return blake2b(line, digest_size=SIZE, key=before).digest()


def links(before: bytes, lines: Iterable[bytes]) -> list[bytes]:
    """The chain after each of some lines."""
    found = []
    for line in lines:
        before = link(before, line)
        found.append(before)
    return found
