"""Graphics of the pages: style sheet, icons, badges, ball colours and QR codes."""

from __future__ import annotations

import io
import math
from functools import cache
from importlib import resources

import segno
from markupsafe import Markup, escape

from companion.theme import IconPart, Palette, Tokens, icons, tokens

_PAGE_ICONS = {
    "cup": (
        IconPart("M7 4h10v6a5 5 0 0 1-10 0z"),
        IconPart("M7 6H3.5c0 4 1.5 5.5 4 5.5M17 6h3.5c0 4-1.5 5.5-4 5.5M12 15v5M8 20h8"),
    ),
    "phone": (IconPart("M7 2.5h10v19H7zM11 18.5h2"),),
}
_SHIELD = "M3 3h26v14c0 7-6 11-13 13C9 28 3 24 3 17z"
_RADIUS = {3: 16.0, 4: 16.5, 5: 14.5, 6: 14.5}
_MIDDLE = {3: 19.0, 4: 16.0, 5: 17.0, 6: 16.0}


@cache
def icon(name: str) -> Markup:
    """Return an icon of the screens in its 24 × 24 view box; an empty one for an unknown name."""
    parts = "".join(_stroke(part) for part in (icons() | _PAGE_ICONS).get(name, ()))
    return Markup(f'<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">{parts}</svg>')


def _stroke(part: IconPart) -> str:
    full = ' class="full"' if part.fill else ""
    width = "" if part.w is None else f' stroke-width="{part.w:g}"'
    if part.c is not None:
        x, y, radius = part.c
        return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}"{full}{width}/>'
    return f'<path d="{part.d}"{full}{width}/>'


def badge(colour: str, letter: str) -> Markup:
    """Return a side's badge: its shape in its colour, with its letter."""
    form = tokens().form.get(colour, "roundel")
    outline = (
        f'<path class="form" d="{_SHIELD}"/>' if form == "shield" else '<circle class="form" cx="16" cy="16" r="13.5"/>'
    )
    ring = '<circle class="ring" cx="16" cy="16" r="11"/>' if colour == "white" else ""
    return Markup(
        '<svg class="badge side-{}" viewBox="0 0 32 32" aria-hidden="true">{}{}<text x="16" y="22.5">{}</text></svg>'
    ).format(colour, Markup(outline), Markup(ring), letter)


@cache
def ball(colour: str) -> Markup:
    """Return the ball's colour as a polygon, labelled with its place in the ribbon.

    The polygon has that number of corners.
    """
    tone = tokens().ball.get(colour)
    if tone is None:
        return Markup("")
    foot = 25 if tone.n == 3 else 22.5
    return Markup(
        f'<svg class="ball ball-{escape(colour)}" viewBox="0 0 32 32" aria-hidden="true">'
        f'{_corners(tone.n)}<text x="16" y="{foot}">{tone.n}</text></svg>'
    )


def _corners(number: int) -> str:
    if number == 1:
        return '<circle class="form" cx="16" cy="16" r="13"/>'
    if number == 2:
        return '<path class="form" d="M16 1c14 7 14 23 0 30C2 24 2 8 16 1z"/>'
    start = -135 if number == 4 else -90
    points = []
    for corner in range(number):
        angle = math.radians(start + 360 * corner / number)
        x, y = 16 + _RADIUS[number] * math.cos(angle), _MIDDLE[number] + _RADIUS[number] * math.sin(angle)
        points.append(f"{x:.1f},{y:.1f}")
    return f'<polygon class="form" points="{" ".join(points)}"/>'


def qr_code(text: str) -> Markup:
    """Return the QR code of a text, black on white, with the standard quiet zone."""
    code = segno.make(text, error="m", micro=False)
    out = io.BytesIO()
    code.save(out, kind="svg", border=4, xmldecl=False, svgns=True, omitsize=True, dark="#000", light="#fff")
    return Markup(out.getvalue().decode("utf-8"))


FONTS = {
    "condensed-400": ("Roboto Condensed", 400, "RobotoCondensed-Regular.ttf"),
    "condensed-700": ("Roboto Condensed", 700, "RobotoCondensed-Bold.ttf"),
    "sentence-400": ("Lato", 400, "Lato-Regular.ttf"),
    "sentence-700": ("Lato", 700, "Lato-Bold.ttf"),
}
"""Fonts by their address under `/fonts/`: family, weight and file."""


@cache
def style_sheet() -> str:
    """Return the complete style sheet."""
    rules = (resources.files(__package__) / "static" / "style.css").read_text(encoding="utf-8")
    values = tokens()
    parts = [*map(_font, FONTS), _root(values), _side_classes(values), _shares(), rules]
    parts.append(f"@media (prefers-contrast: more) {{\n:root {{\n{_palette(values.dark)}\n}}\n}}")
    parts.append(f"@media print {{\n:root {{\n{_palette(values.light)}\n}}\n}}")
    return "\n".join(parts) + "\n"


def _font(address: str) -> str:
    family, weight, _ = FONTS[address]
    installed = family if weight == 400 else f"{family} Bold"
    source = f'local("{installed}"), url("/fonts/{address}.ttf")'
    return f'@font-face {{ font-family: "{family}"; font-weight: {weight}; font-display: swap; src: {source}; }}'


def _root(values: Tokens) -> str:
    sizes = "\n".join(f"--t-{name}: {size / 16:g}rem;" for name, size in values.type.items())
    dice = "\n".join(f"--die-{name}: {colour};" for name, colour in values.die.items())
    ball = "\n".join(
        f"--ball-{name}: {tone.fill}; --ball-{name}-ink: {tone.ink};" for name, tone in values.ball.items()
    )
    return f":root {{\n{_palette(values.normal)}\n{dice}\n{ball}\n{sizes}\n}}"


def _palette(palette: Palette) -> str:
    plain = [f"--{name}: {colour};" for name, colour in palette.surfaces.items()]
    sides = [
        f"--{name}: {main}; --{name}-ink: {ink}; --{name}-panel: {panel};"
        for name, (main, ink, panel) in palette.side.items()
    ]
    return "\n".join(plain + sides)


def _side_classes(values: Tokens) -> str:
    return "\n".join(
        f".side-{name} {{ --m: var(--{name}); --i: var(--{name}-ink); --p: var(--{name}-panel); }}"
        for name in values.normal.side
    )


def _shares() -> str:
    """Return bar widths as classes, because inline styles are forbidden by the content security policy."""
    return "\n".join(f".share-{each} {{ flex: {each} 1 0; }}" for each in range(1, 101))
