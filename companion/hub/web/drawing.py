"""What pages are drawn with: the style sheet with the theme's colours, and QR codes."""

from __future__ import annotations

import io
from functools import cache
from importlib import resources

import segno
from markupsafe import Markup

from companion.theme import Palette, Tokens, tokens


def qr_code(text: str) -> Markup:
    """The QR code of a text, black on white, with the quiet zone that readers ask for."""
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
"""Address of a font under `/fonts/`: its family, weight and file."""


@cache
def sheet() -> str:
    """The style sheet as it is sent."""
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
    """Widths of bars as classes: a style written into a page is not allowed there."""
    return "\n".join(f".share-{each} {{ flex: {each} 1 0; }}" for each in range(1, 101))
