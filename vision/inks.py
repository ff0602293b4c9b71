"""Weighs the face net's word on a mark's colour with how the mark differs from the body it stands on.

The same light falls on both, so it cancels out where one is divided by the other: in any light a red figure on a brown
die is hardly bluer than the die, a white one is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.classes import NOTHING, PLAIN, UNKNOWN
from vision.dice_sets import BODIES, Kind
from vision.find import Candidate
from vision.pictures import Picture
from vision.read import Look
from vision.white_balance import BODY_COLOURS, INK_COLOURS, witness_colour

Floats = npt.NDArray[np.float32]

_PLAIN_INKS = ("black", "white")
"""What a mark has whose colour its set leaves open."""

_REACH = 0.36
"""Edges of a die about its middle that hold its mark and nothing beside its top face."""

_SMALLEST = 27.0
"""Edge in pixels of a die from which its mark is more than a blur of ink and body: of 1,800 drawn marks on larger dice
one in a hundred was nearer to another ink, of 730 on smaller ones one in nine."""

_GRID = 20
"""Edge in pixels to which that is brought."""

_MARK, _MOST = 0.7, 0.96
"""Pixels are of the mark that differ from the body by `_MARK` of what all but a few (`_MOST`) differ at most."""

_SHINE = 0.03
"""What a surface mirrors of the light itself, whatever its colour (encoded)."""

_DARKEST = 0.05
"""Encoded value of the body under which a channel tells little."""

_THICKEST = 1.2
"""How much of a mark's colour its pixels may show: blurred ones show less than one, and no paint is quite as known."""

_SPREAD = 0.15
"""How far what is seen may be from a mark's colour, as a share of what the mark differs from the body."""

_UNLIKE = 0.02
"""The chance that is left to a colour however far off it is."""


def with_inks(picture: Picture, one: Candidate, look: Look, kinds: Sequence[Kind]) -> Look:
    """The look with `inks` in which what is measured in `picture` (BGR, as it was read) has its say.

    Only the colours that marks of `kinds` have, and those of a mark whose colour is open, are told apart; where no
    colour tells anything, nothing stands on the face or the die is small, the look is left as it is.
    """
    names = _names(kinds)
    if not names or one.edge < _SMALLEST or int(look.classes.argmax()) in (NOTHING, PLAIN, UNKNOWN):
        return look
    colours = _body_and_mark(picture, one)
    if colours is None:
        return look
    body = max((name for kind in kinds for name in kind.bodies), key=lambda name: look.paints[BODIES.index(name)])
    off = np.array([_off(*colours, body, name) for name in names])
    fits = np.maximum(np.exp(-0.5 * (off / _SPREAD) ** 2), _UNLIKE)
    places = [BODIES.index(name) for name in names]
    both = np.maximum(look.inks[places], 1e-6) * fits
    inks = look.inks.copy()
    inks[places] = both / both.sum() * look.inks[places].sum()
    return replace(look, inks=inks)


def _names(kinds: Sequence[Kind]) -> tuple[str, ...]:
    """The colours that marks of `kinds` may have, none where no mark's colour tells anything."""
    marked = [kind for kind in kinds if kind.marks in ("digits", "symbols")]
    told = {face.colour for kind in marked for face in kind.faces if face.colour is not None}
    if not told or not all(kind.bodies for kind in kinds):
        return ()
    return tuple(sorted(told | {ink for kind in marked for ink in kind.inks} | set(_PLAIN_INKS)))


def _body_and_mark(picture: Picture, one: Candidate) -> tuple[Floats, Floats] | None:
    """The encoded colours (3,) of the body and of what stands on it; None outside the picture."""
    colour = witness_colour(picture, one.x, one.y, one.edge)
    if colour is None:
        return None
    body = np.array(colour, np.float32)
    reach = _REACH * one.edge
    left, top = int(max(0, one.x - reach)), int(max(0, one.y - reach))
    part = picture[top : max(0, int(one.y + reach) + 1), left : max(0, int(one.x + reach) + 1)]
    pixels = np.asarray(cv2.resize(part, (_GRID, _GRID), interpolation=cv2.INTER_AREA), np.float32).reshape(-1, 3) / 255
    apart = np.linalg.norm((pixels - body) / np.maximum(body, _DARKEST), axis=1)
    return body, np.asarray(pixels[apart >= _MARK * np.quantile(apart, _MOST)].mean(0), np.float32)


def _off(seen_body: Floats, seen_mark: Floats, body: str, ink: str) -> float:
    """How far the mark is from the nearest shade of `ink` on `body`, 0 if it is that, 1 if nothing of it is."""
    scale = np.maximum(seen_body, _DARKEST)
    seen = (seen_mark - seen_body) / scale
    whole = max(float(np.linalg.norm(seen)), 1e-6)
    least = 1.0
    for shade in INK_COLOURS.get(ink) or (BODY_COLOURS[ink],):
        lit = seen_body * (np.array(shade) + _SHINE) / (np.array(BODY_COLOURS[body]) + _SHINE)
        due = (np.minimum(lit, 1.0) - seen_body) / scale
        share = float(np.clip(seen @ due / max(float(due @ due), 1e-6), 0, _THICKEST))
        least = min(least, float(np.linalg.norm(seen - share * due)) / whole)
    return least
