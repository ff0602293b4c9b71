"""The colours of dice: of bodies and plain faces in one light over all of them, of inks beside their bodies.

The same light falls on a mark and its body, so it cancels out where one is divided by the other: in any light a red
figure on a brown die is hardly bluer than the die, a white one is. An ivory die in a shadow is as dark as a grey one in
the light, but so is the table round it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.classification import classes
from vision.classification.classes import NOTHING, PLAIN, UNKNOWN
from vision.classification.dice_light import (
    BODY_COLOURS,
    INK_COLOURS,
    PAINT_COLOURS,
    DiceLight,
    LightHypothesis,
    LightMemory,
    body_colour,
    dice_light,
)
from vision.classification.face_nets import Look, TopColour
from vision.detection.finder import Candidate
from vision.dice_sets import BODIES, Kind
from vision.pictures import Picture
from vision.roll import Box, Face
from vision.white_balance import Colour

_PLAIN_INKS = ("black", "white")
"""What a mark has whose colour its set leaves open."""

_MARK_REACH = 0.36
"""Edges of a die about its middle that hold its mark and nothing beside its top face."""

_SMALLEST = 27.0
"""Edge in pixels of a die from which its mark is more than a blur of ink and body: of 1,800 drawn marks on larger dice
one in a hundred was nearer to another ink, of 730 on smaller ones one in nine."""

_MARK_GRID = 20
"""Edge in pixels to which that is brought."""

_MARK, _FULL_MARK = 0.7, 0.96
"""Pixels are of the mark that differ from the body by `_MARK` of what all but a few (`_MOST`) differ at most."""

_SHINE = 0.03
"""What a surface mirrors of the light itself, whatever its colour (encoded)."""

_DARKEST_BODY = 0.05
"""Encoded value of the body under which a channel tells little."""

_THICKEST = 1.2
"""How much of a mark's colour its pixels may show: blurred ones show less than one, and no paint is quite as known."""

_SPREAD = 0.15
"""How far what is seen may be from a mark's colour, as a share of what the mark differs from the body."""

_UNLIKE = 0.02
"""The chance that is left to a colour however far off it is."""

_GROUND_REACH = 1.45
"""Edges of a die about its middle in which its ground is looked at."""

_GROUND_GRID = 24
"""Edge in pixels to which that surrounding is shrunk first."""

_MARGIN = 0.08
"""Share of a die's width that is left out about its box: its own shadow, and what the box lacks."""

_ENOUGH = 25
"""Pixels of ground from which it tells something."""

_ALIKE = 0.1
"""How far the shares of blue, green and red may be from those of the other dice's ground: else it is another ground,
which may be darker by itself."""

_DARKEST_GROUND = 0.03
"""Mean value (0..1) under which a ground is too dark to tell."""

_TRUST = 0.6
"""The power in which the grounds' ratio counts, as they are never quite alike: chosen on drawn dice of seeds that
measure nothing."""

_LEAST_FACTOR, _MOST_FACTOR = 0.6, 1.8

Floats = npt.NDArray[np.float32]

_LIGHT, _FACES, _TOP = 0.6, 0.1, 1.0
"""The powers in which the chances by the light, by the nets that read faces and by the net that names colours are
multiplied: with these the right colour came out likeliest on drawn dice of other seeds than those that measure the
reader. All see the same pixels, so they do not count in full."""

_LIGHT_ALONE = 0.2
"""The light's where only one die tells of it: then it is but a guess at what lamps there are."""

_DOUBT = 0.005
"""How often what the light says of a die is worth nothing: a spot of another lamp, a glare."""

_TINY = 1e-30

_LEAST_CHANCE = 1e-6
"""Chance that a net leaves a colour that it rules out: no single one can veto it."""

_STRANGE = 0.3
"""A die whose colours within the palette have less than this chance by the nets that read faces is of another set, and
left to them."""

_STRANGE_TO_ALL, _NAMED = 0.1, 0.99
"""Down to the first it is not where the net that names colours gives the palette the second: a yellow face that is
burnt out looks like an ivory one by itself, and less so beside all the rest. Of 75 plain ivory and grey dice that lay
among balls the faces' nets gave one of them more than 0.1, and the other net 0.84 then."""

_SISTERS = frozenset({"red", "orange"})
"""Colours that a lamp mirrored in them makes alike: a little green tells them apart, and white light has more of it."""

_PALE = 0.3
"""Under this share of its brightest channel between that and its darkest one a face is pale. Of 252 red and orange tops
of rendered balls that were named rightly one is, and both that were named wrongly; of 528 drawn ones none."""


class TrayLight:
    """What a camera that stays over one tray has seen of its light, by the colours that its dice can have."""

    def __init__(self) -> None:
        self._memories: dict[frozenset[str], LightMemory] = {}

    def see(self, dice: Sequence[Colour], palette: Mapping[str, Colour]) -> DiceLight:
        """What the dice and those of the last pictures say of the light together (see `LightMemory.see`)."""
        memory = self._memories.setdefault(frozenset(palette), LightMemory(palette))
        return memory.see(dice)


@dataclass(frozen=True, slots=True)
class Weighed:
    """`looks`, in order, with the paints of the nets and of the light weighed against each other; of the dice that bear
    witness `seen` is by index what the nets alone said of the palette's colours (as long as BODIES), and `likely` what
    they are in each of the likeliest lights."""

    looks: list[Look]
    seen: Mapping[int, Floats]
    likely: tuple[LightHypothesis, ...]
    palette: tuple[str, ...]

    def in_each_light(self) -> Iterator[tuple[float, list[Look]]]:
        """For each light that is likely the logarithm of its chance, up to a constant, and the looks as they are in it.

        In one light dice of two bodies are hardly alike, whatever the light; all lights together blur them.
        """
        places = [BODIES.index(name) for name in self.palette]
        net = np.array(list(self.seen.values())).reshape(-1, len(BODIES))
        for light in self.likely:
            paints = np.zeros_like(net)
            paints[:, places] = light.colours[:, :-1] + light.colours[:, -1:] * net[:, places]
            paints *= net
            whole = np.maximum(paints.sum(1, keepdims=True), _TINY)
            looks = list(self.looks)
            for index, told in zip(self.seen, paints / whole, strict=True):
                looks[index] = replace(looks[index], paints=told)
            yield float(np.log(max(light.chance, _TINY)) + np.log(whole).sum()), looks
        if not self.likely:
            yield 0.0, list(self.looks)


def weigh_colours(
    picture: Picture,
    seen: Sequence[tuple[Candidate, Look]],
    kinds: Sequence[Kind],
    top_colour: TopColour | None,
    tray: TrayLight | None = None,
) -> Weighed:
    """The looks with `paints` in which all dice of a palette bear witness to the light together, and those of earlier
    pictures with them where a `tray` is remembered. `top_colour` may be None where no kind has colours of its own.

    A die in a shadow bears witness as if it lay in the light of the others. Where light and nets disagree nothing is
    certain. Dice that may be of any colour say nothing, and are left as they are; so is what fits no colour in any
    light, such as a glaring face.
    """
    palette = palette_of(kinds)
    looks = [look for _, look in seen]
    if not palette or top_colour is None:
        return Weighed(looks, {}, (), ())
    colours = _body_colours(picture, seen, kinds)
    tops = top_colour.chances(picture, [seen[index][0] for index in colours])
    net = _of_palette(palette, {index: looks[index].paints for index in colours}, tops)
    if not net:
        return Weighed(looks, {}, (), ())
    brighter = brightening(picture, [one for one, _ in seen])
    witnesses = [_clipped(colours[index], brighter[index]) for index in net]
    power = _LIGHT_ALONE if len(net) == 1 and tray is None else _LIGHT
    in_light = (tray.see if tray is not None else dice_light)(witnesses, palette)
    for (index, paints), lit in zip(net.items(), in_light.colours, strict=True):
        looks[index] = replace(looks[index], paints=_in_light(paints, lit, power))
    return Weighed(looks, net, in_light.likely, tuple(palette))


def palette_of(kinds: Sequence[Kind]) -> Mapping[str, Colour]:
    """The colours that dice of `kinds` can have, empty where that is not said."""
    if any(kind.marks == "plain" for kind in kinds):
        return PAINT_COLOURS if all(not kind.bodies for kind in kinds) else {}
    if not all(kind.bodies for kind in kinds):
        return {}
    return {name: BODY_COLOURS[name] for kind in kinds for name in kind.bodies}


def is_washed_out(picture: Picture, one: Candidate, face: Face) -> bool:
    """Whether a plain face said to be red or orange is too pale in a picture (height, width, 3; BGR) to be told from
    the other one."""
    seen = body_colour(picture, one.x, one.y, one.edge) if face.colour in _SISTERS else None
    return seen is not None and max(seen) - min(seen) < _PALE * max(seen)


def with_inks(picture: Picture, one: Candidate, look: Look, kinds: Sequence[Kind]) -> Look:
    """The look with `inks` in which what is measured in `picture` (BGR, as it was read) has its say.

    Only the colours that marks of `kinds` have, and those of a mark whose colour is open, are told apart; where no
    colour tells anything, nothing stands on the face or the die is small, the look is left as it is.
    """
    names = _inks_of(kinds)
    if not names or one.edge < _SMALLEST or int(look.classes.argmax()) in (NOTHING, PLAIN, UNKNOWN):
        return look
    colours = _body_and_mark(picture, one)
    if colours is None:
        return look
    body = max((name for kind in kinds for name in kind.bodies), key=lambda name: look.paints[BODIES.index(name)])
    off = np.array([_misfit(*colours, body, name) for name in names])
    fits = np.maximum(np.exp(-0.5 * (off / _SPREAD) ** 2), _UNLIKE)
    places = [BODIES.index(name) for name in names]
    both = np.maximum(look.inks[places], 1e-6) * fits
    inks = look.inks.copy()
    inks[places] = both / both.sum() * look.inks[places].sum()
    return replace(look, inks=inks)


def brightening(picture: Picture, dice: Sequence[Candidate]) -> list[float]:
    """For each die what its colour (encoded) is to be multiplied by to be lit as most of the others are; 1.0 where
    nothing tells."""
    boxes = [one.box for one in dice]
    grounds = [_ground(picture, one, boxes) for one in dice]
    known = [ground for ground in grounds if ground is not None]
    if len(known) < 2:
        return [1.0] * len(dice)
    usual = np.asarray(np.median(known, axis=0))
    return [1.0 if ground is None else _factor(ground, usual) for ground in grounds]


def _inks_of(kinds: Sequence[Kind]) -> tuple[str, ...]:
    """The colours that marks of `kinds` may have, none where no mark's colour tells anything."""
    marked = [kind for kind in kinds if kind.marks in ("digits", "symbols")]
    told = {face.colour for kind in marked for face in kind.faces if face.colour is not None}
    if not told or not all(kind.bodies for kind in kinds):
        return ()
    return tuple(sorted(told | {ink for kind in marked for ink in kind.inks} | set(_PLAIN_INKS)))


def _body_and_mark(picture: Picture, one: Candidate) -> tuple[Floats, Floats] | None:
    """The encoded colours (3,) of the body and of what stands on it; None outside the picture."""
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
    """How far the mark is from the nearest shade of `ink` on `body`, 0 if it is that, 1 if nothing of it is."""
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
    """The median colour (3,), 0..1, of what is seen about a die and is no die (`boxes`: left, top, right, bottom)."""
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
    """By index what the nets together say of the colours of the palette, without dice that are of another set: `paints`
    by those that read faces, `tops` (in that order) by the one that names colours."""
    among = np.array([name in palette for name in BODIES], np.float32)
    net: dict[int, Floats] = {}
    for (index, paint), top in zip(paints.items(), tops, strict=True):
        share = paint * among
        if share.sum() > (_STRANGE_TO_ALL if float(top @ among) >= _NAMED else _STRANGE):
            net[index] = _together(share / share.sum(), top)
    return net


def _in_light(paints: Floats, lit: Mapping[str, float], power: float) -> Floats:
    """What the nets say of a die's colours, weighed with what the light makes of them: its chances by name."""
    light = np.array([lit.get(name, 0.0) for name in BODIES], np.float32)
    light = light + (1 - light.sum()) * paints
    both = ((1 - _DOUBT) * light + _DOUBT * paints) ** power * paints
    return np.asarray(both / both.sum(), np.float32)


def _body_colours(picture: Picture, seen: Sequence[tuple[Candidate, Look]], kinds: Sequence[Kind]) -> dict[int, Colour]:
    """By index the colour round the marks of the dice that can tell of the light."""
    plain = any(kind.marks == "plain" for kind in kinds)
    colours: dict[int, Colour] = {}
    for index, (one, look) in enumerate(seen):
        colour = body_colour(picture, one.x, one.y, one.edge)
        if colour is not None and (not plain or look.classes[classes.PLAIN] >= 0.5):
            colours[index] = colour
    return colours


def _clipped(colour: Colour, brighter: float) -> Colour:
    blue, green, red = (min(1.0, value * brighter) for value in colour)
    return blue, green, red


def _together(faces: Floats, top: Floats) -> Floats:
    """What the nets say together of the colours that `faces` gives any chance."""
    both = np.where(faces > 0, (faces + _LEAST_CHANCE) ** _FACES * (top + _LEAST_CHANCE) ** _TOP, 0)
    return np.asarray(both / both.sum(), np.float32)
