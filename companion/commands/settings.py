"""The configuration as the commands need it; a fault in it is raised as ConfigError and told by `companion.cli`."""

from __future__ import annotations

from pathlib import Path

from companion.config import data_folder, load_config
from companion.language import Language


def language_of(chosen: Path | None) -> Language:
    """The language of the configuration in force. Raises ConfigError."""
    return Language(load_config(chosen).display.language)


def data_folder_of(chosen: Path | None) -> Path:
    """The folder of the matches of the configuration in force. Raises ConfigError."""
    return data_folder(load_config(chosen))
