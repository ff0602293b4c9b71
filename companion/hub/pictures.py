"""Pictures of the newest roll of each match, for pages that may show them."""

from __future__ import annotations

import re

from sqlalchemy import Connection, delete, func, insert, select

from companion.hub.database import Work
from companion.hub.schema import PICTURES
from companion.hub.shelf import Shelf
from companion.messages.wire import RollPicture

LARGEST = 512 * 1024
"""Bytes of a picture; a die's cut-out has some 20,000."""

MOST_OF_A_ROLL = 24
"""Pictures of one roll: each die and the tray."""

_WHAT = re.compile(r"[a-z_]{1,40}")

_SIGNS = (b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n")
"""How JPEG and PNG begin; nothing else is shown to anybody."""


def keep_picture(work: Work, shelf: Shelf, picture: RollPicture) -> bool:
    """Keeps a picture of a journal that is there, unless a newer roll has pictures already; older ones go."""
    heads = shelf.epoch((picture.table, picture.epoch)).heads
    if not heads or heads[0].forgotten is not None or not _welcome(picture):
        return False
    head, connection = heads[0], work.connection
    newest, count = connection.execute(
        select(func.max(PICTURES.c.seq), func.count()).where(PICTURES.c.journal == head.id)
    ).one()
    if newest is not None and newest > picture.seq:
        return False
    if newest == picture.seq:
        this = (PICTURES.c.journal == head.id, PICTURES.c.what == picture.what)
        same = select(PICTURES.c.id).where(*this, PICTURES.c.die.is_not_distinct_from(picture.die))
        if count >= MOST_OF_A_ROLL or connection.scalar(same) is not None:
            return False
    connection.execute(delete(PICTURES).where(PICTURES.c.journal == head.id, PICTURES.c.seq < picture.seq))
    connection.execute(
        insert(PICTURES).values(
            journal=head.id, seq=picture.seq, what=picture.what, die=picture.die, image=picture.image, at=work.now
        )
    )
    shelf.put(head)
    return True


def picture_of(connection: Connection, journal: int, number: int) -> bytes | None:
    """The picture of a number, if it is of this journal."""
    found = select(PICTURES.c.image).where(PICTURES.c.journal == journal, PICTURES.c.id == number)
    image = connection.scalar(found)
    return None if image is None else bytes(image)


def numbers_of(connection: Connection, journal: int, seq: int) -> tuple[int, ...]:
    """The numbers of the pictures of a journal's roll, in the order in which they came."""
    rows = select(PICTURES.c.id).where(PICTURES.c.journal == journal, PICTURES.c.seq == seq)
    return tuple(connection.scalars(rows.order_by(PICTURES.c.id)))


def _welcome(picture: RollPicture) -> bool:
    return (
        0 < picture.seq < 2**31
        and len(picture.image) <= LARGEST
        and _WHAT.fullmatch(picture.what) is not None
        and (picture.die is None or 0 <= picture.die < 1000)
        and picture.image.startswith(_SIGNS)
    )
