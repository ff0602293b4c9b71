"""The theme of all screens: colours by contrast and type sizes by text size, built from the shared design tokens.

It holds values only, no widgets. A theme is frozen: when a setting changes, the app creates a new theme and redraws its
page.
"""

from __future__ import annotations

from dataclasses import dataclass

from kivy.metrics import dp

from companion.theme import CONTRASTS, Contrast, tokens

RGBA = tuple[float, float, float, float]

TEXT_SIZES = (100, 115, 130)


@dataclass(frozen=True, slots=True)
class SideTone:
    """Colours of one side: `main` for its edge and name, `ink` for text on `main`, `panel` behind its column."""

    main: RGBA
    ink: RGBA
    panel: RGBA
    form: str


@dataclass(frozen=True, slots=True)
class BallTone:
    """One colour of the ball die. `number` is its position in the ribbon and the number of corners of its shape."""

    fill: RGBA
    ink: RGBA
    number: int


@dataclass(frozen=True, slots=True)
class Theme:
    """Visual settings for the screens. Lengths are in dp in the token file and in pixels here."""

    contrast: Contrast
    text: int
    still: bool
    textured: bool
    nuit: RGBA
    tapis: RGBA
    feutre: RGBA
    creux: RGBA
    bord: RGBA
    craie: RGBA
    craie2: RGBA
    craie3: RGBA
    encre: RGBA
    laiton: RGBA
    laiton_encre: RGBA
    sides: dict[str, SideTone]
    ball: dict[str, BallTone]
    die: dict[str, RGBA]
    sizes: dict[str, float]
    times: dict[str, float]

    def tone(self, name: str) -> RGBA:
        """Return the colour of a token: a surface or text name (`craie2`), or a side's main colour (`blue`)."""
        if name in self.sides:
            return self.sides[name].main
        value: RGBA = getattr(self, name)
        return value

    def type(self, name: str) -> float:
        """Return a type size in pixels, scaled by the text size setting."""
        return dp(self.sizes[name]) * self.text / 100

    def seconds(self, name: str) -> float:
        """Return the duration of an animation in seconds. With reduced motion it is 0, except for `hold`."""
        return 0.0 if self.still and name != "hold" else self.times[name]

    @property
    def roomy(self) -> bool:
        """False when text is enlarged. Secondary words are then dropped first."""
        return self.text == 100


def make_theme(contrast: Contrast = "normal", text: int = 100, still: bool = False) -> Theme:
    """Return a theme for these settings. Raises: ValueError for an unknown contrast or text size."""
    if contrast not in CONTRASTS or text not in TEXT_SIZES:
        raise ValueError(f"no theme {contrast!r} at {text} %")
    values = tokens()
    palette = values.palette(contrast)
    sides = {
        name: SideTone(rgba(main), rgba(ink), rgba(panel), values.form[name])
        for name, (main, ink, panel) in palette.side.items()
    }
    return Theme(
        contrast,
        text,
        still,
        palette.textured,
        **{name: rgba(value) for name, value in palette.surfaces.items()},
        sides=sides,
        ball={name: BallTone(rgba(tone.fill), rgba(tone.ink), tone.n) for name, tone in values.ball.items()},
        die={name: rgba(value) for name, value in values.die.items()},
        sizes=values.type,
        times=values.motion,
    )


def rgba(text: str, alpha: float = 1.0) -> RGBA:
    """Convert `#RRGGBB` to the four floats that Kivy expects."""
    return (int(text[1:3], 16) / 255, int(text[3:5], 16) / 255, int(text[5:7], 16) / 255, alpha)


def faded(colour: RGBA, alpha: float) -> RGBA:
    """Return the colour with its alpha multiplied by `alpha`."""
    return (*colour[:3], colour[3] * alpha)


DP_PER_MILLIMETRE = 5.16
"""1 dp is 1 px on the official 7 inch display (SCREENS 2): about 5.16 px per millimetre horizontally."""

_LONG, _SHORT = 800.0, 450.0


def density(width: int, height: int, width_mm: float | None = None) -> float:
    """Return pixels per dp for a window of `width` x `height` pixels on a panel that is `width_mm` wide.

    Without `width_mm`, the density is the largest at which the 800 x 450 dp layout fits. If a panel is so fine that the
    layout would not fit, the fitting density is used, and touch targets are smaller than the intended nine millimetres.
    """
    fits = min(max(width, height) / _LONG, min(width, height) / _SHORT)
    if width_mm is None or width_mm <= 0:
        return fits
    return min(width / width_mm / DP_PER_MILLIMETRE, fits * 1.02)


def portrait(width: float, height: float) -> bool:
    """True if the portrait layout fits this size."""
    return height > width
