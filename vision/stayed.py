"""Whether a die is the one that lay there before, in whatever light: by its face, and by how its place looks."""

from __future__ import annotations

from dataclasses import dataclass

from vision.change import Mask, Small, likeness, likeness_of_colours, relit, share_of
from vision.roll import Box, DieReading, Roll
from vision.settle import Rest

SAME_LOOK = 0.94
"""A die whose place looks at least this much alike (see `change.likeness`) has not been moved."""

SAME_LOOK_RELIT = 0.84
"""The same where the light has changed on a RELIT share of it: shading and gloss are others then."""

RELIT = 0.25

SAME_COLOURS = 0.85
"""A die that is read with the same face in the same place, where the light has changed, has not been moved if its
colours are at least this much alike (see `change.likeness_of_colours`)."""

SAME_COLOURS_ANOTHER_LAMP = 0.5
"""The same under another lamp: where the light has changed on nearly the whole picture (ANOTHER_LAMP), or from one
picture to the next, for within that time nobody moves a die."""

ANOTHER_LAMP = 0.7

LIT = 0.12
"""Less than RELIT: the edge of a shadow or of a patch of sun. Where only a die has moved it is less than this."""

SAME_PIXELS = 0.02
"""Where less of a box differs from the picture before, nothing has happened, whatever two readings make of it."""

A_THING = 0.3
"""At least so much of a die's box differs from the empty tray."""


@dataclass(frozen=True, slots=True, eq=False)
class Standing:
    """The roll that lies in the tray and was said already, with the small picture and the size it was read at."""

    roll: Roll
    small: Small
    size: tuple[int, int]


def has_its_face(old: DieReading, now: DieReading | None, differs: float) -> bool:
    """Whether a die shows what it showed. `differs` is the share of its box that differs from the picture before: what
    a reader makes of an unchanged picture is no proof."""
    if now is None or not (old.certain and now.certain):
        return True
    return (old.kind, old.face) == (now.kind, now.face) or differs < SAME_PIXELS


def looks_as_before(old: DieReading, now: DieReading | None, before: Standing, rest: Rest) -> bool:
    """Whether a die's place looks as it did; the more the light has changed, the less is asked."""
    box = as_share(old.box, before.size)
    like = likeness(rest.small, before.small, box)
    if like >= SAME_LOOK:
        return True
    light = relit(rest.small, before.small, box)
    if light > RELIT and like >= SAME_LOOK_RELIT:
        return True
    if now is None or now.face != old.face or light <= LIT:
        return False
    lamp = rest.at_once or relit(rest.small, before.small, (0.0, 0.0, 1.0, 1.0)) > ANOTHER_LAMP
    least = SAME_COLOURS_ANOTHER_LAMP if lamp else SAME_COLOURS
    return likeness_of_colours(rest.small, before.small, box) >= least


def is_new(die: DieReading, moved: Mask, rest: Rest, size: tuple[int, int]) -> bool:
    """Whether a die that was not read before came since, or was overlooked."""
    box = as_share(die.box, size)
    overlooked = die.certain and rest.new is not None and share_of(rest.new, box) >= A_THING
    return overlooked or share_of(moved, box) >= SAME_PIXELS


def as_share(box: Box, size: tuple[int, int]) -> Box:
    """A box in pixels of a picture of that size, as shares of it."""
    width, height = size
    return box[0] / width, box[1] / height, box[2] / width, box[3] / height
