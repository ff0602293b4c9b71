"""How everything is drawn now: theme, language and layout, brought up to date by the app, read by every widget."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kivy.metrics import dp
from kivy.uix.widget import Widget

from companion.app.theme import Theme, make_theme
from companion.games.base import Message
from companion.language import Language

if TYPE_CHECKING:
    from companion.app.context import AppContext

LOW_HEIGHT_DP = 460
"""A landscape window lower than so many dp has room for less."""


@dataclass(slots=True)
class Display:
    """One for the app: what it holds changes, and the pages are built anew then. `size` is the window's, in pixels."""

    theme: Theme
    language: Language
    portrait: bool = False
    left_handed: bool = False
    size: tuple[float, float] = (800.0, 480.0)

    @property
    def is_low(self) -> bool:
        """Whether the window is too low for everything at its usual height."""
        return not self.portrait and self.size[1] < dp(LOW_HEIGHT_DP)


display = Display(make_theme(), Language("fr"))


def translate(id: str, **args: object) -> str:
    """A sentence of the app's own, in the players' language."""
    return display.language(id, **args)


def text(message: Message | None) -> str:
    """The sentence of a message in the players' language; nothing for none."""
    return "" if message is None else display.language.text(message)


def break_at_hyphen(word: str) -> str:
    """A word too long for its line, broken after the hyphen nearest to its middle; as it is if it has none."""
    hyphens = [place for place, sign in enumerate(word) if sign == "-"]
    if not hyphens:
        return word
    middle = min(hyphens, key=lambda place: abs(place - len(word) / 2)) + 1
    return f"{word[:middle]}\n{word[middle:]}"


def shortened_names(name: str) -> Iterator[str]:
    """A name whole, then with one word after the other, from the first on, as its initial (SCREENS 8)."""
    parts = name.split()
    yield name
    for count in range(1, len(parts)):
        yield " ".join([f"{word[0]}." for word in parts[:count]] + parts[count:])
    yield break_at_hyphen(parts[-1])


def signed(value: int) -> str:
    """A bonus as it is written, with the true minus sign."""
    if value == 0:
        return "0"
    return f"+{value}" if value > 0 else f"\N{MINUS SIGN}{-value}"


def percent(value: int) -> str:
    """A whole percentage as the language writes it."""
    return translate("app.table.percent", value=value)


def context_of(widget: Widget) -> AppContext:
    """The context of the room that a widget stands in. LookupError where it stands in none."""
    above: Any = widget
    while above is not None and above.parent is not above:
        if hasattr(above, "context"):
            context: AppContext = above.context
            return context
        above = above.parent
    raise LookupError(f"{widget} stands in no room")
