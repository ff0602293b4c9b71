"""User settings: screen and sound preferences, single saved settings, and the steps of the setup assistant."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from companion.app.theme import Theme, make_theme
from companion.config import Config, ConfigError, save_setting, with_setting
from companion.games.base import Message
from companion.theme import Contrast

DISPLAY_KEYS = (
    "language", "width_mm", "rotation", "text_scale", "contrast", "less_motion", "hand", "seats", "brightness",
    "saver_minutes", "keyboard", "moments",
)  # fmt: skip
SOUND_KEYS = ("effects", "volume", "voice")


@dataclass(frozen=True, slots=True)
class Preferences:
    """Settings of the sections `display` and `sound`. `text_scale`, `brightness` and `volume` are percentages.

    `swapped` (the first side sits on the right) is not saved.
    """

    language: str = "fr"
    width_mm: float | None = None
    rotation: Literal[0, 90, 180, 270] = 0
    text_scale: int = 100
    contrast: Contrast = "normal"
    less_motion: bool = False
    hand: Literal["right", "left"] = "right"
    seats: Literal["beside", "facing"] = "beside"
    brightness: int = 100
    saver_minutes: int = 10
    keyboard: Literal["auto", "shown", "hidden"] = "auto"
    moments: bool = True
    effects: bool = True
    volume: int = 70
    voice: Literal["off", "results", "all"] = "results"
    swapped: bool = False

    @classmethod
    def of(cls, config: Config) -> Preferences:
        """Return the preferences from a configuration."""
        values = {name: getattr(config.display, name) for name in DISPLAY_KEYS}
        return cls(**values, **{name: getattr(config.sound, name) for name in SOUND_KEYS})

    @property
    def facing(self) -> bool:
        """True if the players sit face to face."""
        return self.seats == "facing"

    @property
    def left_handed(self) -> bool:
        """True if the most used controls are on the left."""
        return self.hand == "left"

    def theme(self) -> Theme:
        """Return the theme for these settings."""
        return make_theme(self.contrast, self.text_scale, self.less_motion)

    def save(self, file: Path, before: Preferences) -> None:
        """Write all values that differ from `before` to the configuration file. Raises: ConfigError."""
        for section, names in (("display", DISPLAY_KEYS), ("sound", SOUND_KEYS)):
            for name in names:
                value = getattr(self, name)
                if value != getattr(before, name):
                    save_setting(file, section, name, value)


log = logging.getLogger(__name__)


@dataclass(slots=True)
class SettingsStore:
    """The current settings and their file.

    `file` is None if settings are not saved; `config` is current even if it could not be saved. Such a setting is saved
    with the next one.
    """

    config: Config
    file: Path | None
    _unsaved: dict[tuple[str, str], bool | int | str] = field(default_factory=dict)

    def save(self, section: str, key: str, value: bool | int | str) -> Message | None:
        """Set a setting and save it. Returns the reason if it could not be written."""
        self.config = with_setting(self.config, section, key, value)
        if self.file is None:
            return None
        self._unsaved[section, key] = value
        try:
            for (unsaved_section, unsaved_key), unsaved in tuple(self._unsaved.items()):
                save_setting(self.file, unsaved_section, unsaved_key, unsaved)
                del self._unsaved[unsaved_section, unsaved_key]
        except ConfigError as fault:
            log.warning("setting not kept: %s", fault)
            return fault.message
        return None


FIRST_START_STEPS = ("language", "display", "touch", "camera", "devices", "name")
DONE = "done"


def pending_first_step(config: Config, used: bool) -> str | None:
    """Return the step at which the setup assistant starts, or None if there is nothing to ask.

    `used` is True if somebody has already played or changed a setting here. The assistant appears automatically only
    once; if it was interrupted, it continues at the saved step.
    """
    step = config.table.first_steps
    if step is None:
        return None if used else FIRST_START_STEPS[0]
    return None if step == DONE else step


def next_step(step: str) -> str | None:
    """Return the next step, or None after the last one."""
    at = FIRST_START_STEPS.index(step) + 1
    return FIRST_START_STEPS[at] if at < len(FIRST_START_STEPS) else None


def previous_step(step: str) -> str | None:
    """Return the previous step, or None before the first one."""
    at = FIRST_START_STEPS.index(step)
    return FIRST_START_STEPS[at - 1] if at else None
