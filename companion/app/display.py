"""The current display state: theme, language and layout. The app updates it and every widget reads it."""

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
"""Landscape windows below this height in dp show less content."""


@dataclass(slots=True)
class Display:
    """Display state, one instance per app. Pages are rebuilt when it changes. `size` is the window size in pixels."""

    theme: Theme
    language: Language
    portrait: bool = False
    left_handed: bool = False
    size: tuple[float, float] = (800.0, 480.0)

    @property
    def is_low(self) -> bool:
        """True if the window is too low to show everything at its normal height."""
        return not self.portrait and self.size[1] < dp(LOW_HEIGHT_DP)


display = Display(make_theme(), Language("fr"))


def translate(id: str, **args: object) -> str:
    """Return an app text in the players' language."""
    return display.language(id, **args)


def text(message: Message | None) -> str:
    """Return the text of a message in the players' language, or an empty string for None."""
    return "" if message is None else display.language.text(message)


def effect_text(effect: str | Message | None) -> str:
    """Return the effect of a choice, such as a bonus or a percentage."""
    return effect or "" if effect is None or isinstance(effect, str) else text(effect)


SIMULATED_CAMERA = "simulated tray"
"""How the name of a simulated camera begins."""


def camera_name(name: str) -> str:
    """Return the name of a camera as shown to players."""
    return translate("app.table.camera_simulated") if name.startswith(SIMULATED_CAMERA) else name


def break_at_hyphen(word: str) -> str:
    """Break a long word after the hyphen nearest to its middle. Returns the word unchanged if it has no hyphen."""
    hyphens = [place for place, sign in enumerate(word) if sign == "-"]
    if not hyphens:
        return word
    middle = min(hyphens, key=lambda place: abs(place - len(word) / 2)) + 1
    return f"{word[:middle]}\n{word[middle:]}"


def _is_particle(word: str) -> bool:
    """True for an article, and for a word in small letters such as `de` or `van`."""
    return word[0].islower() or word in ("Le", "La", "Les", "The")


def shortened_names(name: str) -> Iterator[str]:
    """Yield the full name, then shorter forms with one more leading word as an initial each time (SCREENS 8).

    Particles are left out together instead: `Les Ours de la Montagne` becomes `Ours de la Montagne`, `O. de la
    Montagne`, then `O. Montagne`.
    """
    parts = name.split()
    yield name
    for count in range(1, len(parts)):
        if not (_is_particle(parts[count - 1]) and _is_particle(parts[count])):
            yield " ".join([f"{word[0]}." for word in parts[:count] if not _is_particle(word)] + parts[count:])
    yield break_at_hyphen(parts[-1])


def one_line_names(name: str) -> Iterator[str]:
    """Yield the full name, then its shorter forms, each for one line."""
    return (form.replace("\n", "") for form in shortened_names(name))


def signed(value: int) -> str:
    """Format a bonus with its sign, using the true minus sign."""
    if value == 0:
        return "0"
    return f"+{value}" if value > 0 else f"\N{MINUS SIGN}{-value}"


def percent(value: int) -> str:
    """Format a whole percentage in the current language."""
    return translate("app.table.percent", value=value)


def context_of(widget: Widget) -> AppContext:
    """Return the context of the navigator that contains a widget. Raises: LookupError if there is none."""
    above: Any = widget
    while above is not None and above.parent is not above:
        if hasattr(above, "context"):
            context: AppContext = above.context
            return context
        above = above.parent
    raise LookupError(f"{widget} stands in no room")
