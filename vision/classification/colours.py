"""Colours of dice: bodies and plain faces under one common light, and inks relative to their bodies.

The same light falls on a mark and its body, so it cancels out in their ratio: in any light a red figure on a brown die
is hardly bluer than the die, a white one is. An ivory die in shadow is as dark as a grey one in the light, but so is
the table around it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.classification import classes
from vision.classification.classes import NOTHING, PLAIN, UNKNOWN
from vision.classification.face_nets import Classification, TopColour
from vision.classification.illuminant import (
    BODY_COLOURS,
    INK_COLOURS,
    PAINT_COLOURS,
    IlluminantEstimate,
    IlluminantHypothesis,
    IlluminantMemory,
    body_colour,
    estimate_illuminant,
)
from vision.detection.finder import Candidate
from vision.dice_sets import BODIES, Kind
from vision.pictures import Picture
from vision.roll import Box, Face
from vision.white_balance import Colour

_PLAIN_INKS = ("black", "white")
"""Possible inks of a mark whose colour the set does not specify."""

_MARK_REACH = 0.36
"""Half width, in edges, of the square that contains the mark and only the top face."""

_SMALLEST = 27.0
"""Minimum edge in pixels for measuring a mark. Below it the mark is a blur of ink and body.

Of 1,800 drawn marks on larger dice one in a hundred was nearer to another ink, of 730 on smaller ones one in nine.
"""

_MARK_GRID = 20
"""Edge in pixels to which the mark area is scaled."""

_MARK, _FULL_MARK = 0.7, 0.96
"""Mark pixels differ from the body by at least this share of a high quantile of the differences."""

_SHINE = 0.03
"""Surface reflection of the light itself, independent of the colour (encoded)."""

_DARKEST_BODY = 0.05
"""Encoded body value below which a channel carries little information."""

_THICKEST = 1.2
"""Maximum share of a mark's colour in its pixels. Blur gives less than one, and paints differ a little."""

_SPREAD = 0.15
"""Tolerance around a mark's colour, as a share of the mark's difference from the body."""

_UNLIKE = 0.02
"""Minimum probability of a colour, however far off."""

_GROUND_REACH = 1.45
"""Half width, in edges, of the area around a die where its ground is measured."""

_GROUND_GRID = 24
"""Edge in pixels to which that area is shrunk first."""

_MARGIN = 0.08
"""Margin around a die's box that is left out, as a share of its width: shadow, and errors of the box."""

_ENOUGH = 25
"""Minimum number of ground pixels."""

_ALIKE = 0.1
"""Maximum difference between colour shares of this ground and the other dice's ground.

Above it the ground is a different one, which may be darker itself.
"""

_DARKEST_GROUND = 0.03
"""Mean value (0..1) below which a ground is too dark to use."""

_TRUST = 0.6
"""Exponent of the ground ratio, because grounds differ. Chosen on drawn dice that are not used for measurement."""

_LEAST_FACTOR, _MOST_FACTOR = 0.6, 1.8

Floats = npt.NDArray[np.float32]

_LIGHT, _FACES, _TOP = 0.6, 0.1, 1.0
"""Exponents of the probabilities by the light, the face networks and the colour network in their product.

They gave the right colour most often on drawn dice that are not used for measurement. All three see the same pixels, so
they do not count in full.
"""

_LIGHT_ALONE = 0.2
"""Exponent of the light if only one die shows it. The light is then little more than the prior."""

_DOUBT = 0.005
"""Probability that the light model does not apply to a die: a spot of another lamp, a glare."""

_TINY = 1e-30

_LEAST_CHANCE = 1e-6
"""Minimum probability of a colour by a network, so that no single network can veto it."""

_STRANGE = 0.3
"""Palette share by the face networks below which a die is of another set. Its colours are left to these networks."""

_STRANGE_TO_ALL, _NAMED = 0.1, 0.99
"""Lower limit used instead (first) where the colour network gives the palette at least the second.

An overexposed yellow face alone looks ivory, less so beside the rest. Of 75 plain ivory and grey dice among balls, the
face networks gave more than 0.1 to one, for which the colour network said 0.84.
"""

_SISTERS = frozenset({"red", "orange"})
"""Colours that a reflected lamp makes alike. They differ by a little green, which white light has more of."""

_PALE = 0.3
"""Maximum saturation of a pale face: the range of its channels as a share of the brightest one.

Of 252 red and orange tops of rendered balls that were named correctly one is pale, and both that were named wrongly
are. Of 528 drawn ones none is.
"""


class TrayLight:
    """Memory of the light over one tray for a fixed camera, one per palette."""

    def __init__(self) -> None:
        self._memories: dict[frozenset[str], IlluminantMemory] = {}

    def update(self, dice: Sequence[Colour], palette: Mapping[str, Colour]) -> IlluminantEstimate:
        """Return the light from these dice and those of the last images (see `IlluminantMemory.update`)."""
        memory = self._memories.setdefault(frozenset(palette), IlluminantMemory(palette))
        return memory.update(dice)


@dataclass(frozen=True, slots=True)
class WeighedColours:
    """Looks with the paints of networks and light combined.

    - `classifications`: the updated looks, in order.
    - `net_paints`: by index, for the dice used as light witnesses, the networks' probabilities of the palette's colours
      (as long as BODIES).
    - `hypotheses`: these dice in each of the most likely lights.
    """

    classifications: list[Classification]
    net_paints: Mapping[int, Floats]
    hypotheses: tuple[IlluminantHypothesis, ...]
    palette: tuple[str, ...]

    def by_light(self) -> Iterator[tuple[float, list[Classification]]]:
        """Yield, for each likely light, its log probability (up to a constant) and the looks in that light.

        In a single light, dice of two bodies rarely look alike. The mix of all lights blurs this.
        """
        places = [BODIES.index(name) for name in self.palette]
        net = np.array(list(self.net_paints.values())).reshape(-1, len(BODIES))
        for light in self.hypotheses:
            paints = np.zeros_like(net)
            paints[:, places] = light.colours[:, :-1] + light.colours[:, -1:] * net[:, places]
            paints *= net
            whole = np.maximum(paints.sum(1, keepdims=True), _TINY)
            classifications = list(self.classifications)
            for index, paint in zip(self.net_paints, paints / whole, strict=True):
                classifications[index] = replace(classifications[index], paints=paint)
            yield float(np.log(max(light.chance, _TINY)) + np.log(whole).sum()), classifications
        if not self.hypotheses:
            yield 0.0, list(self.classifications)


def weigh_colours(
    picture: Picture,
    seen: Sequence[tuple[Candidate, Classification]],
    kinds: Sequence[Kind],
    top_colour: TopColour | None,
    tray: TrayLight | None = None,
) -> WeighedColours:
    """Combine networks and light: all dice of a palette are witnesses of one common light.

    With `tray`, earlier images count too. `top_colour` may be None if no kind has colours of its own. A die in a shadow
    counts as if it were in the light of the others. If light and networks disagree, no colour is certain. Dice of any
    colour carry no information and stay unchanged, as do dice that fit no colour in any light, such as a glaring face.
    """
    palette = palette_of(kinds)
    classifications = [classification for _, classification in seen]
    if not palette or top_colour is None:
        return WeighedColours(classifications, {}, (), ())
    colours = _body_colours(picture, seen, kinds)
    tops = top_colour.chances(picture, [seen[index][0] for index in colours])
    net = _of_palette(palette, {index: classifications[index].paints for index in colours}, tops)
    if not net:
        return WeighedColours(classifications, {}, (), ())
    brighter = brightening(picture, [one for one, _ in seen])
    witnesses = [_clipped(colours[index], brighter[index]) for index in net]
    power = _LIGHT_ALONE if len(net) == 1 and tray is None else _LIGHT
    in_light = (tray.update if tray is not None else estimate_illuminant)(witnesses, palette)
    for (index, paints), lit in zip(net.items(), in_light.colours, strict=True):
        classifications[index] = replace(classifications[index], paints=_in_light(paints, lit, power))
    return WeighedColours(classifications, net, in_light.hypotheses, tuple(palette))


def palette_of(kinds: Sequence[Kind]) -> Mapping[str, Colour]:
    """Return the possible colours of dice of `kinds`, empty if not specified."""
    if any(kind.marks == "plain" for kind in kinds):
        return PAINT_COLOURS if all(not kind.bodies for kind in kinds) else {}
    if not all(kind.bodies for kind in kinds):
        return {}
    return {name: BODY_COLOURS[name] for kind in kinds for name in kind.bodies}


def is_washed_out(picture: Picture, one: Candidate, face: Face) -> bool:
    """Return True if a plain red or orange face is too pale to be told from the other colour.

    `picture` is (height, width, 3), BGR.
    """
    seen = body_colour(picture, one.x, one.y, one.edge) if face.colour in _SISTERS else None
    return seen is not None and max(seen) - min(seen) < _PALE * max(seen)


def with_measured_inks(
    picture: Picture, one: Candidate, classification: Classification, kinds: Sequence[Kind]
) -> Classification:
    """Return the look with `inks` updated by the colours measured in `picture` (BGR, as it was read).

    Only the colours of `kinds`' marks, and those of open ones, are compared. The look is unchanged if no colour
    matters, the face is empty or the die is small.
    """
    names = _inks_of(kinds)
    if not names or one.edge < _SMALLEST or int(classification.classes.argmax()) in (NOTHING, PLAIN, UNKNOWN):
        return classification
    colours = _body_and_mark(picture, one)
    if colours is None:
        return classification
    body = max(
        (name for kind in kinds for name in kind.bodies), key=lambda name: classification.paints[BODIES.index(name)]
    )
    off = np.array([_misfit(*colours, body, name) for name in names])
    fits = np.maximum(np.exp(-0.5 * (off / _SPREAD) ** 2), _UNLIKE)
    places = [BODIES.index(name) for name in names]
    both = np.maximum(classification.inks[places], 1e-6) * fits
    inks = classification.inks.copy()
    inks[places] = both / both.sum() * classification.inks[places].sum()
    return replace(classification, inks=inks)


def brightening(picture: Picture, dice: Sequence[Candidate]) -> list[float]:
    """Return for each die the factor for its encoded colour that matches the light on most other dice.

    The factor is 1.0 if the light is unknown.
    """
    boxes = [one.box for one in dice]
    grounds = [_ground(picture, one, boxes) for one in dice]
    known = [ground for ground in grounds if ground is not None]
    if len(known) < 2:
        return [1.0] * len(dice)
    usual = np.asarray(np.median(known, axis=0))
    return [1.0 if ground is None else _factor(ground, usual) for ground in grounds]


def _inks_of(kinds: Sequence[Kind]) -> tuple[str, ...]:
    """Return the possible mark colours of `kinds`, empty if no mark's colour matters."""
    marked = [kind for kind in kinds if kind.marks in ("digits", "symbols")]
    colours = {face.colour for kind in marked for face in kind.faces if face.colour is not None}
    if not colours or not all(kind.bodies for kind in kinds):
        return ()
    return tuple(sorted(colours | {ink for kind in marked for ink in kind.inks} | set(_PLAIN_INKS)))


def _body_and_mark(picture: Picture, one: Candidate) -> tuple[Floats, Floats] | None:
    """Return the encoded colours (3,) of the body and its mark; None outside the image."""
    colour = body_colour(picture, one.x, one.y, one.edge)
    if colour is None:
        return None
    body = np.array(colour, np.float32)
    reach = _MARK_REACH * one.edge
    left, top = int(max(0, one.x - reach)), int(max(0, one.y - reach))
    part = picture[top : max(0, int(one.y + reach) + 1), left : max(0, int(one.x + reach) + 1)]
    pixels = (
        np.asarray(cv2.resize(part, (_MARK_GRID, _MARK_GRID), interpolation=cv2.INTER_AREA), np.float32).reshape(-1, 3)
        / 255
    )
    apart = np.linalg.norm((pixels - body) / np.maximum(body, _DARKEST_BODY), axis=1)
    return body, np.asarray(pixels[apart >= _MARK * np.quantile(apart, _FULL_MARK)].mean(0), np.float32)


def _misfit(seen_body: Floats, seen_mark: Floats, body: str, ink: str) -> float:
    """Return the distance of the mark from the nearest shade of `ink` on `body`: 0 for a match, 1 for no similarity."""
    scale = np.maximum(seen_body, _DARKEST_BODY)
    seen = (seen_mark - seen_body) / scale
    whole = max(float(np.linalg.norm(seen)), 1e-6)
    least = 1.0
    for shade in INK_COLOURS.get(ink) or (BODY_COLOURS[ink],):
        lit = seen_body * (np.array(shade) + _SHINE) / (np.array(BODY_COLOURS[body]) + _SHINE)
        due = (np.minimum(lit, 1.0) - seen_body) / scale
        share = float(np.clip(seen @ due / max(float(due @ due), 1e-6), 0, _THICKEST))
        least = min(least, float(np.linalg.norm(seen - share * due)) / whole)
    return least


def _factor(ground: npt.NDArray[np.float32], usual: npt.NDArray[np.float32]) -> float:
    mean, wanted = float(ground.mean()), float(usual.mean())
    if min(mean, wanted) < _DARKEST_GROUND or np.abs(ground / ground.sum() - usual / usual.sum()).max() > _ALIKE:
        return 1.0
    return float(np.clip((wanted / mean) ** _TRUST, _LEAST_FACTOR, _MOST_FACTOR))


def _ground(picture: Picture, one: Candidate, boxes: Sequence[Box]) -> npt.NDArray[np.float32] | None:
    """Return the median colour (3,), 0..1, of the ground around a die.

    The dice in `boxes` (left, top, right, bottom) are left out.
    """
    reach = _GROUND_REACH * one.edge
    left, top = int(max(0, one.x - reach)), int(max(0, one.y - reach))
    part = picture[top : max(0, int(one.y + reach) + 1), left : max(0, int(one.x + reach) + 1)]
    if part.size == 0:
        return None
    scale = min(1.0, _GROUND_GRID / max(part.shape[:2]))
    size = (max(1, round(part.shape[1] * scale)), max(1, round(part.shape[0] * scale)))
    small = np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA), np.float32)
    y, x = np.mgrid[: size[1], : size[0]]
    x = (x + 0.5) * part.shape[1] / size[0] + left
    y = (y + 0.5) * part.shape[0] / size[1] + top
    free = np.ones(small.shape[:2], bool)
    for before, above, after, below in boxes:
        rim = _MARGIN * (after - before)
        free &= ~((x > before - rim) & (x < after + rim) & (y > above - rim) & (y < below + rim))
    pixels = small[free]
    return np.asarray(np.median(pixels, axis=0) / 255, np.float32) if len(pixels) >= _ENOUGH else None


def _of_palette(palette: Collection[str], paints: Mapping[int, Floats], tops: Floats) -> dict[int, Floats]:
    """Return by index the combined palette colours of the networks, without dice of another set.

    `paints` are from the face networks, `tops` (in the same order) from the colour network.
    """
    among = np.array([name in palette for name in BODIES], np.float32)
    net: dict[int, Floats] = {}
    for (index, paint), top in zip(paints.items(), tops, strict=True):
        share = paint * among
        if share.sum() > (_STRANGE_TO_ALL if float(top @ among) >= _NAMED else _STRANGE):
            net[index] = _together(share / share.sum(), top)
    return net


def _in_light(paints: Floats, lit: Mapping[str, float], power: float) -> Floats:
    """Combine the networks' colours with the light's probabilities by name."""
    light = np.array([lit.get(name, 0.0) for name in BODIES], np.float32)
    light = light + (1 - light.sum()) * paints
    both = ((1 - _DOUBT) * light + _DOUBT * paints) ** power * paints
    return np.asarray(both / both.sum(), np.float32)


def _body_colours(
    picture: Picture, seen: Sequence[tuple[Candidate, Classification]], kinds: Sequence[Kind]
) -> dict[int, Colour]:
    """Return by index the colour around the marks of the dice that can show the light."""
    plain = any(kind.marks == "plain" for kind in kinds)
    colours: dict[int, Colour] = {}
    for index, (one, classification) in enumerate(seen):
        colour = body_colour(picture, one.x, one.y, one.edge)
        if colour is not None and (not plain or classification.classes[classes.PLAIN] >= 0.5):
            colours[index] = colour
    return colours


def _clipped(colour: Colour, brighter: float) -> Colour:
    blue, green, red = (min(1.0, value * brighter) for value in colour)
    return blue, green, red


def _together(faces: Floats, top: Floats) -> Floats:
    """Combine the networks' answers for the colours that `faces` allows."""
    both = np.where(faces > 0, (faces + _LEAST_CHANCE) ** _FACES * (top + _LEAST_CHANCE) ** _TOP, 0)
    return np.asarray(both / both.sum(), np.float32)
