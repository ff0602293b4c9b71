"""Sums of the store's rows. A row whose sum does not fit was changed by something other than this program.

Each sum covers the key of its row, so that a line moved to another place does not fit either. A sum needs no other row:
the lines after a damaged one can still be verified. `matches.lines` tells how many lines there must be.
"""

from __future__ import annotations

from hashlib import blake2b

SUM_BYTES = 16

Part = bytes | int | None
"""A column: text as its UTF-8 bytes, because damaged text may be none."""


def match_sum(id: bytes, game: bytes, epoch: int, header: bytes, created: bytes) -> bytes:
    """Return the sum of the columns of a match that never change."""
    return _sum(b"match", id, game, epoch, header, created)


def state_sum(id: bytes, ended: bytes | None, removed: bytes | None, lines: int) -> bytes:
    """Return the sum of the columns of a match that change while it is played."""
    return _sum(b"state", id, ended, removed, lines)


def entry_sum(match: bytes, seq: int, fields: bytes, at: bytes) -> bytes:
    """Return the sum of one journal line."""
    return _sum(b"entry", match, seq, fields, at)


def picture_sum(match: bytes, seq: int, die: int | None, what: bytes, image: bytes) -> bytes:
    """Return the sum of a picture. A deleted picture has none."""
    return _sum(b"picture", match, seq, die, what, image)


def _sum(kind: bytes, *parts: Part) -> bytes:
    digest = blake2b(digest_size=SUM_BYTES, person=kind)
    for part in parts:
        if isinstance(part, bytes):
            digest.update(b"%d:" % len(part))
            digest.update(part)
        else:
            digest.update(b"-;" if part is None else b"%d;" % part)
    return digest.digest()
