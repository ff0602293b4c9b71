"""What the players may set for the screens: one frozen value, read from and kept in the configuration."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from companion.app.theme import Contrast, Theme, make
from companion.config import Config, save_setting

_KEPT = ("language", "text_scale", "contrast", "less_motion")


@dataclass(frozen=True, slots=True)
class Preferences:
    """Settings of the section `display` that the screens obey. `text_scale` is a percentage.

    `swapped`, the first side sitting on the right, belongs to the evening and is not kept.
    """

    language: str = "fr"
    text_scale: int = 100
    contrast: Contrast = "normal"
    less_motion: bool = False
    swapped: bool = False

    @classmethod
    def of(cls, config: Config) -> Preferences:
        """The settings of a configuration."""
        display = config.display
        return cls(display.language, display.text_scale, display.contrast, display.less_motion)

    def theme(self) -> Theme:
        """The theme that these settings ask for."""
        return make(self.contrast, self.text_scale, self.less_motion)

    def keep(self, file: Path, before: Preferences) -> None:
        """Writes what differs from `before` into the configuration file. Raises ConfigError."""
        for name in _KEPT:
            value = getattr(self, name)
            if value != getattr(before, name):
                save_setting(file, "display", name, value)
