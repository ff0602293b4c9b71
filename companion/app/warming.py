"""Fetches what the first taps would have to wait for, in the moments after the start before anybody touches."""

from __future__ import annotations

from collections.abc import Iterator

from kivy.core.image import ImageLoader

from companion.app.fonts import CONDENSED, SENTENCE
from companion.app.room import PAGES, page_class
from companion.app.theme import Theme
from companion.app.typeset import Setting, typeset

_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789àâçéèêëîïôùûœÉÈÀÇ’-–…·,.:;!?()+%/"
"""What is written most; each size of a font draws a letter when it is first asked for it."""


def warmth(theme: Theme) -> Iterator[None]:
    """One short step after the other: decoders of pictures, letters in the sizes of the theme, all other pages."""
    for loader in ImageLoader.loaders:
        loader.extensions()
        yield
    for kind in theme.sizes:
        for font, bold in ((CONDENSED, True), (CONDENSED, False), (SENTENCE, False), (SENTENCE, True)):
            typeset(Setting(_LETTERS, font, int(theme.type(kind)), bold))
            yield
    for page in PAGES:
        page_class(page)
        yield
