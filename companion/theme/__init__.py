"""Design tokens and icons shared by the app's screens and the hub's pages, read from `tokens.toml` and `icons.toml`."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import Literal, NamedTuple

import msgspec
from msgspec import Struct

Contrast = Literal["normal", "dark", "light"]
CONTRASTS: tuple[Contrast, ...] = ("normal", "dark", "light")


class SideColours(NamedTuple):
    """Colours of a side: `main` for edge and name, `ink` for text on `main`, `panel` behind its column."""

    main: str
    ink: str
    panel: str


class BallColour(Struct, frozen=True):
    """A colour of the ball die. `n` is its position in the ribbon and the number of corners of its shape."""

    fill: str
    ink: str
    n: int


class Palette(Struct, frozen=True):
    """The colours of one contrast as `#RRGGBB`. `side` maps the name of a side's colour to its colours."""

    textured: bool
    nuit: str
    tapis: str
    feutre: str
    creux: str
    bord: str
    craie: str
    craie2: str
    craie3: str
    encre: str
    laiton: str
    laiton_encre: str
    side: dict[str, SideColours]

    @property
    def surfaces(self) -> dict[str, str]:
        """The colours of surfaces and texts, by token."""
        return {name: getattr(self, name) for name in SURFACES}


SURFACES = tuple(name for name in Palette.__struct_fields__ if name not in ("textured", "side"))
"""Tokens of surface and text colours."""


class Tokens(Struct, frozen=True):
    """All design tokens. Lengths are in dp, times in seconds; `form` maps a side's colour to its badge shape."""

    normal: Palette
    dark: Palette
    light: Palette
    form: dict[str, str]
    ball: dict[str, BallColour]
    die: dict[str, str]
    type: dict[str, float]
    motion: dict[str, float]

    def palette(self, contrast: Contrast) -> Palette:
        """Return the colours of a contrast."""
        found: Palette = getattr(self, contrast)
        return found


class IconPart(Struct, frozen=True):
    """A part of an icon on a 24 x 24 grid: a path `d`, or a circle `c` (x, y, radius). `w` is its stroke width."""

    d: str | None = None
    c: tuple[float, float, float] | None = None
    fill: bool = False
    w: float | None = None


@cache
def tokens() -> Tokens:
    """Return the design tokens."""
    return msgspec.convert(tomllib.loads(_text("tokens.toml")), Tokens)


@cache
def icons() -> dict[str, tuple[IconPart, ...]]:
    """Return the icons by name, each as a tuple of parts."""
    return msgspec.convert(tomllib.loads(_text("icons.toml")), dict[str, tuple[IconPart, ...]])


def _text(name: str) -> str:
    return (resources.files(__package__) / name).read_text(encoding="utf-8")
