"""The one theme of all screens: colours by contrast, type sizes by text size, made of the shared tokens.

Values only, no widget. A theme is frozen: when a setting changes the app makes a new one and draws its page anew.
"""

from __future__ import annotations

from dataclasses import dataclass

from kivy.metrics import dp

from companion.theme import CONTRASTS, Contrast, tokens

RGBA = tuple[float, float, float, float]

TEXT_SIZES = (100, 115, 130)


@dataclass(frozen=True, slots=True)
class SideTone:
    """The colours of one side: `main` for its edge and name, `ink` for text on main, `panel` behind its column."""

    main: RGBA
    ink: RGBA
    panel: RGBA
    form: str


@dataclass(frozen=True, slots=True)
class BallTone:
    """One colour of the ball die. `number` is its place in the ribbon and the number of corners of its form."""

    fill: RGBA
    ink: RGBA
    number: int


@dataclass(frozen=True, slots=True)
class Theme:
    """What a screen asks for its looks. Lengths come in dp from the file and leave in pixels."""

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
        """The colour of a token: a surface or text name (`craie2`), or a side's main colour (`blue`)."""
        if name in self.sides:
            return self.sides[name].main
        value: RGBA = getattr(self, name)
        return value

    def type(self, name: str) -> float:
        """A type size in pixels, the player's text size included."""
        return dp(self.sizes[name]) * self.text / 100

    def seconds(self, name: str) -> float:
        """How long a motion takes; none at all with less motion (the time to hold a button stays)."""
        return 0.0 if self.still and name != "hold" else self.times[name]

    @property
    def roomy(self) -> bool:
        """False when the text is enlarged: secondary words drop out first."""
        return self.text == 100


def make_theme(contrast: Contrast = "normal", text: int = 100, still: bool = False) -> Theme:
    """A theme of the settings given; ValueError for a contrast or a text size that does not exist."""
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
    """`#RRGGBB` as the four numbers that Kivy wants."""
    return (int(text[1:3], 16) / 255, int(text[3:5], 16) / 255, int(text[5:7], 16) / 255, alpha)


def faded(colour: RGBA, alpha: float) -> RGBA:
    """The same colour, seen through."""
    return (*colour[:3], colour[3] * alpha)


DP_PER_MILLIMETRE = 5.16
"""1 dp is 1 px on the official 7 inch display (SCREENS 2): about 5.16 px a millimetre across."""

_LONG, _SHORT = 800.0, 450.0


def density(width: int, height: int, width_mm: float | None = None) -> float:
    """Pixels a dp for a window of `width` x `height` pixels on a panel `width_mm` wide.

    Without a width in millimetres the layout decides: 800 x 450 dp must fit. A panel so fine that the layout would not
    fit gets the density that fits, with targets smaller than the nine millimetres they should have.
    """
    fits = min(max(width, height) / _LONG, min(width, height) / _SHORT)
    if width_mm is None or width_mm <= 0:
        return fits
    return min(width / width_mm / DP_PER_MILLIMETRE, fits * 1.02)


def portrait(width: float, height: float) -> bool:
    """True when the portrait layout is the one that fits."""
    return height > width
