"""What the players may set for themselves, as the app uses it: one frozen value, changed one field at a time."""

from __future__ import annotations

from dataclasses import dataclass

from companion.app.theme import Contrast, Theme, make


@dataclass(frozen=True, slots=True)
class Preferences:
    """Settings of the screen. `text` is a percentage; `swapped` seats the first side on the right."""

    language: str = "fr"
    text: int = 100
    contrast: Contrast = "tapis"
    swapped: bool = False
    still: bool = False

    def theme(self) -> Theme:
        """The theme that these settings ask for."""
        return make(self.contrast, self.text, self.still)
